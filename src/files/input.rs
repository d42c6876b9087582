//! Files that are read: more than once, whole, or only if they are regular ones.

use super::{not_regular, temporary};
use parking_lot::Mutex;
use std::fs::{self, File};
use std::io::{self, Read, Seek, SeekFrom, Write};
use std::path::{Path, PathBuf};
use std::sync::Arc;

/// A file that can be read from its beginning as often as needed. What is no regular file (a pipe, a terminal) gives its
/// content only once: that is copied to a temporary file.
#[derive(Clone, Debug)]
pub struct Input {
    path: PathBuf,
    copy: Option<Arc<Mutex<File>>>,
}

impl Input {
    /// Looks what kind of file it is, and copies what is no regular one, to its end. A device that may have none is refused.
    ///
    /// # Errors
    /// When it cannot be read, holds more than 4 GiB and is no regular file, or the copy cannot be written.
    pub fn open(path: &Path) -> io::Result<Input> {
        let path = input_path(path);
        let mut file = open_input(path)?;
        let is_regular = file.metadata()?.is_file();
        let copy = if is_regular {
            None
        } else {
            let mut copy = temporary(&std::env::temp_dir())?;
            copy_at_most(&mut file, &mut copy, MOST_COPIED)?;
            Some(Arc::new(Mutex::new(copy)))
        };
        Ok(Input { path: path.to_owned(), copy })
    }

    /// Its name.
    pub fn path(&self) -> &Path {
        &self.path
    }

    /// A reader at the beginning, without a buffer; readers do not disturb each other.
    ///
    /// # Errors
    /// When the file cannot be opened again.
    pub fn reader(&self) -> io::Result<InputReader> {
        Ok(InputReader(match &self.copy {
            None => Source::File(File::open(&self.path)?),
            Some(copy) => Source::Copy(Arc::clone(copy), 0),
        }))
    }
}

/// Most bytes that are copied of a pipe, which may have no end.
const MOST_COPIED: u64 = 4 << 30;

fn copy_at_most(from: &mut impl Read, to: &mut impl Write, most: u64) -> io::Result<()> {
    if io::copy(&mut from.take(most + 1), to)? > most {
        return Err(too_large(most));
    }
    Ok(())
}

fn too_large(most: u64) -> io::Error {
    io::Error::new(io::ErrorKind::FileTooLarge, format!("more than {} MiB", most >> 20))
}

/// Where an input is read from: `-` is standard input, where the system has a name for it and there is no such file.
fn input_path(path: &Path) -> &Path {
    let is_standard = cfg!(unix) && path == Path::new("-") && !path.exists();
    if is_standard { Path::new("/dev/stdin") } else { path }
}

/// A file or pipe that is read once, `-` standard input. A device that may have no end is refused.
///
/// # Errors
/// When it cannot be opened.
pub fn open_input(path: &Path) -> io::Result<File> {
    let file = File::open(input_path(path))?;
    if is_endless(&file)? {
        return Err(io::Error::new(io::ErrorKind::InvalidInput, "a device, expected a file or a pipe"));
    }
    Ok(file)
}

/// Whether [`open_input`] can open it, told before the work. A pipe, which may be opened once only, is left alone.
///
/// # Errors
/// When it cannot be opened, or is a folder.
pub fn check_input(path: &Path) -> io::Result<()> {
    let path = input_path(path);
    let about = fs::metadata(path)?;
    if about.is_dir() {
        return Err(io::Error::new(io::ErrorKind::IsADirectory, "a folder, expected a file"));
    }
    if about.is_file() || is_device(&about) {
        open_input(path)?;
    }
    Ok(())
}

/// A regular file, as one that is mapped into memory has to be. To open a pipe would wait for somebody who writes to it.
///
/// # Errors
/// When it is none, or cannot be opened.
pub fn open_regular(path: &Path) -> io::Result<File> {
    let about = fs::metadata(path)?;
    if about.is_dir() {
        return Err(io::ErrorKind::IsADirectory.into());
    }
    if !about.is_file() {
        return Err(not_regular());
    }
    File::open(path)
}

/// The bytes of a regular file.
///
/// # Errors
/// As [`open_regular`], and when it holds more than `most` bytes, a whole number of MiB.
pub fn read_regular(path: &Path, most: u64) -> io::Result<Vec<u8>> {
    read_at_most(open_regular(path)?, most)
}

/// Largest file that is read whole.
const LARGEST: u64 = 256 << 20;

/// The bytes of a file (or of a pipe) that a person has named. A device without end is refused.
///
/// # Errors
/// When it cannot be read, or holds more than 256 MiB.
pub fn read_whole(path: &Path) -> io::Result<Vec<u8>> {
    read_at_most(File::open(path)?, LARGEST)
}

fn read_at_most(file: File, most: u64) -> io::Result<Vec<u8>> {
    let mut bytes = Vec::new();
    file.take(most + 1).read_to_end(&mut bytes)?;
    if bytes.len() as u64 > most {
        return Err(too_large(most));
    }
    Ok(bytes)
}

/// Whether it is a terminal, `/dev/null` or the like.
#[cfg(unix)]
fn is_device(about: &fs::Metadata) -> bool {
    use std::os::unix::fs::FileTypeExt;
    about.file_type().is_char_device()
}

#[cfg(not(unix))]
fn is_device(_: &fs::Metadata) -> bool {
    false
}

/// Whether it is a device such as `/dev/zero`. A terminal and `/dev/null` have an end.
#[cfg(unix)]
fn is_endless(file: &File) -> io::Result<bool> {
    use std::io::IsTerminal;
    use std::os::unix::fs::{FileTypeExt, MetadataExt};
    let about = file.metadata()?;
    let is_null = || fs::metadata("/dev/null").is_ok_and(|null| null.rdev() == about.rdev());
    Ok(about.file_type().is_char_device() && !file.is_terminal() && !is_null())
}

#[cfg(not(unix))]
fn is_endless(_: &File) -> io::Result<bool> {
    Ok(false)
}

/// Reads an [`Input`].
#[derive(Debug)]
pub struct InputReader(Source);

#[derive(Debug)]
enum Source {
    File(File),
    /// The copy, and how many bytes of it were read. All readers share its place.
    Copy(Arc<Mutex<File>>, u64),
}

impl Read for InputReader {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        match &mut self.0 {
            Source::File(file) => file.read(buffer),
            Source::Copy(file, at) => {
                let mut file = file.lock();
                file.seek(SeekFrom::Start(*at))?;
                let read = file.read(buffer)?;
                *at += read as u64;
                Ok(read)
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_regular_file_is_read_again_and_a_folder_is_an_error() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("file");
        fs::write(&path, "twice").unwrap();
        let input = Input::open(&path).unwrap();
        for _ in 0..2 {
            assert_eq!(io::read_to_string(input.reader().unwrap()).unwrap(), "twice");
        }
        assert!(Input::open(folder.path()).is_err());
        fs::write(folder.path().join("large"), vec![0; (1 << 20) + 1]).unwrap();
        let error = read_regular(&folder.path().join("large"), 1 << 20).unwrap_err();
        assert_eq!(
            (read_regular(&path, 1 << 20).unwrap(), error.to_string()),
            (b"twice".to_vec(), "more than 1 MiB".to_owned())
        );
        assert!(check_input(&path).is_ok() && open_regular(&path).is_ok());
        assert_eq!(check_input(folder.path()).unwrap_err().kind(), io::ErrorKind::IsADirectory);
        assert_eq!(open_regular(folder.path()).unwrap_err().kind(), io::ErrorKind::IsADirectory);
    }

    #[test]
    fn a_pipe_without_end_is_refused() {
        let mut copy = Vec::new();
        let error = copy_at_most(&mut io::repeat(b' '), &mut copy, 1 << 20).unwrap_err();
        assert_eq!((error.to_string().as_str(), copy.len()), ("more than 1 MiB", (1 << 20) + 1));
        copy_at_most(&mut io::repeat(b' ').take(1 << 20), &mut copy, 1 << 20).unwrap();
    }

    #[cfg(unix)]
    #[test]
    fn a_device_without_end_is_refused() {
        let error = Input::open(Path::new("/dev/zero")).unwrap_err();
        assert_eq!(error.to_string(), "a device, expected a file or a pipe");
        assert!(check_input(Path::new("/dev/zero")).is_err() && check_input(Path::new("/dev/null")).is_ok());
        assert_eq!(open_regular(Path::new("/dev/null")).unwrap_err().to_string(), "no regular file");
        let null = Input::open(Path::new("/dev/null")).unwrap();
        assert_eq!(io::read_to_string(null.reader().unwrap()).unwrap(), "");
    }

    #[cfg(target_os = "linux")]
    #[test]
    fn a_pipe_is_read_twice_and_by_two_at_once() {
        use std::os::fd::AsRawFd;
        let (reader, mut writer) = io::pipe().unwrap();
        writer.write_all(b"a few words").unwrap();
        drop(writer);
        let input = Input::open(Path::new(&format!("/dev/fd/{}", reader.as_raw_fd()))).unwrap();
        let mut first = input.reader().unwrap();
        let mut start = [0; 5];
        first.read_exact(&mut start).unwrap();
        assert_eq!(io::read_to_string(input.reader().unwrap()).unwrap(), "a few words");
        assert_eq!((&start, io::read_to_string(first).unwrap().as_str()), (b"a few", " words"));
    }
}
