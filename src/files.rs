//! Atomic writing of files, reading them whole or more than once, and whether outputs can be written.

mod check;
mod input;
mod lock;

pub use check::{OutputError, check_outputs};
pub use input::{Input, InputReader, check_input, open_input, open_regular, read_regular, read_whole};
pub use lock::LockBeside;

use std::fs::{self, File, OpenOptions, TryLockError};
use std::io::{self, BufWriter, Seek, Write};
use std::path::{Path, PathBuf};

/// Lets this process have so many more files open at the same time, as far as the system allows: many let a process have
/// 1024 until it asks for more.
pub fn allow_open_files(more: usize) {
    #[cfg(unix)]
    {
        use rustix::process::{Resource, Rlimit, getrlimit, setrlimit};
        /// For all that is open besides.
        const OTHERS: u64 = 256;
        let limit = getrlimit(Resource::Nofile);
        let wanted = limit.maximum.map_or(more as u64 + OTHERS, |most| most.min(more as u64 + OTHERS));
        if limit.current.is_some_and(|current| current < wanted)
            && let Err(error) = setrlimit(Resource::Nofile, Rlimit { current: Some(wanted), ..limit })
        {
            log::debug!("no more than {:?} open files: {error}", limit.current);
        }
    }
    #[cfg(not(unix))]
    let _ = more;
}

/// Replaces a file atomically: writes a temporary file in its folder, syncs it to the disk, renames it. A reader sees the
/// old content or the new one, never a part. A path that is no regular file (a terminal, a pipe) is written to
/// directly, because renaming would put a regular file in its place; a symbolic link stays, and its target is replaced, or
/// made if it is not there.
///
/// # Errors
/// If the file cannot be written. An old file is unchanged then.
pub fn write_whole(path: &Path, write: impl FnOnce(&mut dyn Write) -> io::Result<()>) -> io::Result<()> {
    if !is_replaced(path) {
        let mut file = BufWriter::new(File::options().write(true).open(path)?);
        write(&mut file)?;
        return file.flush();
    }
    let path = &behind_links(path)?;
    let temporary = new_name(path)?;
    let written = Fresh::create(&temporary)
        .and_then(|mut fresh| {
            // Who may read the old file may read the new one, and nobody else.
            if let Ok(old) = fs::metadata(path) {
                take_over(&fresh.file, &old)?;
            }
            let mut out = BufWriter::new(&mut fresh.file);
            write(&mut out)?;
            out.flush()?;
            drop(out);
            fresh.file.sync_all()?;
            fresh.name(&temporary)
        })
        .and_then(|()| fs::rename(&temporary, path));
    if written.is_err() {
        // The first error is the one to report.
        let _ = fs::remove_file(&temporary);
    }
    sync_folder(path);
    written
}

/// A name beside this path for a file that will take its place. It is short, because the path may be as long as a name can
/// be, and nobody else has it: neither another process, on this machine or on another, nor somebody who wants to guess it.
fn new_name(path: &Path) -> io::Result<PathBuf> {
    path.file_name().ok_or(io::ErrorKind::InvalidInput)?;
    Ok(path.with_file_name(format!("kroon-new-{:016x}.tmp", rand::random::<u64>())))
}

/// Gives a file the owner, group and permissions of the one that it replaces, as far as this process may: the superuser may
/// write a file of somebody else, who wants to write it again.
fn take_over(file: &File, old: &fs::Metadata) -> io::Result<()> {
    #[cfg(unix)]
    {
        use std::os::unix::fs::{MetadataExt, PermissionsExt, fchown};
        let is_other = file.metadata().is_ok_and(|new| (new.uid(), new.gid()) != (old.uid(), old.gid()));
        if is_other && fchown(file, Some(old.uid()), Some(old.gid())).is_err() {
            let _ = fchown(file, None, Some(old.gid()));
        }
        // What the old group may do another one may not.
        let is_of_group = file.metadata()?.gid() == old.gid();
        let mode = old.permissions().mode() & if is_of_group { 0o777 } else { 0o707 };
        file.set_permissions(fs::Permissions::from_mode(mode))
    }
    #[cfg(not(unix))]
    file.set_permissions(old.permissions())
}

/// A new file that has no name while it is written, where the system can: a program that is killed leaves nothing behind.
struct Fresh {
    file: File,
    named: bool,
}

impl Fresh {
    /// Creates it in the folder of `path`, or as `path` where files without names cannot be.
    fn create(path: &Path) -> io::Result<Fresh> {
        #[cfg(target_os = "linux")]
        {
            use rustix::fs::{Mode, OFlags, open};
            // The process keeps its mask of permissions, as for any new file.
            let all = Mode::from_raw_mode(0o666);
            if let Ok(file) = open(folder_of(path), OFlags::TMPFILE | OFlags::RDWR | OFlags::CLOEXEC, all) {
                return Ok(Fresh { file: File::from(file), named: false });
            }
        }
        Ok(Fresh { file: create_new(path)?, named: true })
    }

    /// Gives it the name that it was created for.
    fn name(mut self, path: &Path) -> io::Result<()> {
        if self.named {
            return Ok(());
        }
        #[cfg(target_os = "linux")]
        {
            use rustix::fs::{AtFlags, CWD, linkat};
            use std::os::fd::AsRawFd;
            let open = format!("/proc/self/fd/{}", self.file.as_raw_fd());
            if linkat(CWD, open, CWD, path, AtFlags::SYMLINK_FOLLOW).is_ok() {
                return Ok(());
            }
        }
        // No /proc, or a file system without links.
        let mut copy = create_new(path)?;
        take_over(&copy, &self.file.metadata()?)?;
        self.file.rewind()?;
        io::copy(&mut self.file, &mut copy)?;
        copy.sync_all()
    }
}

/// A file that was not there: no link is followed.
fn create_new(path: &Path) -> io::Result<File> {
    File::options().read(true).write(true).create_new(true).open(path)
}

/// Symbolic links that are followed to a file that is not there yet.
const MOST_LINKS: usize = 40;

/// The path without links, as far as it is there. What a link leads to need not be.
fn behind_links(path: &Path) -> io::Result<PathBuf> {
    if let Ok(path) = fs::canonicalize(path) {
        return Ok(path);
    }
    let mut path = path.to_owned();
    for _ in 0..MOST_LINKS {
        let Ok(target) = fs::read_link(&path) else { return Ok(path) };
        // One that is not absolute begins in the folder of the link.
        path = path.parent().map_or(target.clone(), |folder| folder.join(&target));
    }
    Err(io::Error::other("too many symbolic links"))
}

/// Whether [`write_whole`] puts a new file in the place of this path; it writes into a terminal or a pipe.
pub fn is_replaced(path: &Path) -> bool {
    fs::metadata(path).map_or(true, |file| file.is_file())
}

/// A file of this folder without a name: it vanishes with the program. It is read anywhere and written at its end.
///
/// # Errors
/// When the folder cannot be written to.
pub fn temporary(folder: &Path) -> io::Result<File> {
    let mut number = 0_u64;
    loop {
        let path = folder.join(format!("kroon-{}-{number}.tmp", std::process::id()));
        match File::options().read(true).append(true).create_new(true).open(&path) {
            // Another thread is between the two steps, or a program that had the same number was killed there.
            Err(error) if error.kind() == io::ErrorKind::AlreadyExists => number += 1,
            opened => {
                let file = opened?;
                // Where a file that is open keeps its name, it stays.
                let _ = fs::remove_file(&path);
                return Ok(file);
            }
        }
    }
}

/// Opens a file to write in it, and makes it if it is not there; what it holds stays.
///
/// # Errors
/// When it is no regular file, or cannot be opened. To open a pipe would wait for somebody who reads it.
pub(crate) fn open_to_write(path: &Path) -> io::Result<File> {
    open_old_or_new(path, File::options().read(true).write(true).truncate(false))
}

/// As [`open_to_write`], to add to what it holds.
pub(crate) fn open_to_append(path: &Path) -> io::Result<File> {
    open_old_or_new(path, File::options().read(true).append(true))
}

fn open_old_or_new(path: &Path, options: &mut OpenOptions) -> io::Result<File> {
    if !is_replaced(path) {
        return Err(not_regular());
    }
    options.create(true).open(path)
}

fn not_regular() -> io::Error {
    io::Error::new(io::ErrorKind::InvalidInput, "no regular file")
}

/// Locks a file as long as it is open. False: another program has the lock.
///
/// # Errors
/// When the system says no. Some file systems of clusters have no locks: there everybody gets one.
pub(crate) fn try_lock(file: &File) -> io::Result<bool> {
    match file.try_lock() {
        Ok(()) => Ok(true),
        Err(TryLockError::WouldBlock) => Ok(false),
        Err(TryLockError::Error(error)) if error.kind() == io::ErrorKind::Unsupported => Ok(true),
        Err(TryLockError::Error(error)) => Err(error),
    }
}

/// The folder in which a file lies: the current one for a name alone.
pub fn folder_of(path: &Path) -> &Path {
    path.parent().filter(|folder| !folder.as_os_str().is_empty()).unwrap_or(Path::new("."))
}

/// Synchronises the folder of a new file to the disk; does nothing where the system cannot.
pub(crate) fn sync_folder(path: &Path) {
    let folder = folder_of(path);
    let _ = File::open(folder).and_then(|folder| folder.sync_all());
}

#[cfg(test)]
#[cfg(unix)]
mod tests {
    use super::*;
    use std::os::unix::fs::PermissionsExt;

    #[test]
    fn links_and_devices_stay_what_they_are() {
        let folder = std::env::temp_dir().join(format!("kroon-files-{}", std::process::id()));
        let _ = fs::remove_dir_all(&folder);
        fs::create_dir(&folder).unwrap();
        let (file, link, device) = (folder.join("file"), folder.join("link"), folder.join("device"));
        write_whole(&file, |out| out.write_all(b"one")).unwrap();
        std::os::unix::fs::symlink(&file, &link).unwrap();
        write_whole(&link, |out| out.write_all(b"two")).unwrap();
        assert!(fs::symlink_metadata(&link).unwrap().is_symlink());
        assert_eq!(fs::read(&file).unwrap(), b"two");
        assert!(write_whole(&file, |_| Err(io::Error::other("no"))).is_err());
        assert_eq!(fs::read(&file).unwrap(), b"two");
        let private = fs::Permissions::from_mode(0o600);
        fs::set_permissions(&file, private.clone()).unwrap();
        write_whole(&file, |out| out.write_all(b"four")).unwrap();
        assert_eq!(fs::metadata(&file).unwrap().permissions().mode() & 0o777, private.mode());
        assert_eq!(read_whole(Path::new("/dev/zero")).unwrap_err().kind(), io::ErrorKind::FileTooLarge);
        std::os::unix::fs::symlink("/dev/null", &device).unwrap();
        write_whole(&device, |out| out.write_all(b"three")).unwrap();
        assert!(!fs::metadata(&device).unwrap().is_file());
        assert_eq!(fs::read_dir(&folder).unwrap().count(), 3, "nothing is left over");
        // Two links to what is not there, and one to itself.
        let (first, second, circle) = (folder.join("first"), folder.join("second"), folder.join("circle"));
        std::os::unix::fs::symlink("second", &first).unwrap();
        std::os::unix::fs::symlink("new", &second).unwrap();
        std::os::unix::fs::symlink("circle", &circle).unwrap();
        assert!(check_outputs([], [first.as_path(), folder.join("new").as_path()]).is_err(), "one file");
        write_whole(&first, |out| out.write_all(b"five")).unwrap();
        assert!([&first, &second].iter().all(|link| fs::symlink_metadata(link).unwrap().is_symlink()));
        assert_eq!(fs::read(folder.join("new")).unwrap(), b"five");
        assert!(write_whole(&circle, |_| Ok(())).is_err() && check_outputs([], [circle.as_path()]).is_err());
        fs::remove_dir_all(&folder).unwrap();
    }

    #[test]
    fn a_file_has_no_name_while_it_is_written() {
        let folder = tempfile::tempdir().unwrap();
        let names = || fs::read_dir(&folder).unwrap().count();
        let path = folder.path().join("file");
        let named = Fresh::create(&path).unwrap().named;
        let mut seen = 0;
        write_whole(&path, |out| {
            seen = names();
            out.write_all(b"one")
        })
        .unwrap();
        assert_eq!((seen, names()), (usize::from(named), 1));
        // A file that was removed gets no name from the system: it is copied.
        let mut file = temporary(folder.path()).unwrap();
        file.write_all(b"two").unwrap();
        let second = folder.path().join("second");
        Fresh { file, named: false }.name(&second).unwrap();
        assert_eq!(fs::read(&second).unwrap(), b"two");
        // What is there already, such as a link that somebody has put there, stays.
        assert!(
            create_new(&path).is_err()
                && Fresh { file: temporary(folder.path()).unwrap(), named: false }.name(&path).is_err()
        );
        assert_eq!(fs::read(&path).unwrap(), b"one");
    }
}
