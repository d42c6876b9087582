//! An output that may know whether its reader has read everything.

use std::io::{self, Write};

/// An output that may know what its reader has done.
pub trait Outlet: Write {
    /// Whether all that was written has been read, or never will be because nobody is there; none where the system does
    /// not tell.
    fn is_read(&self) -> Option<bool> {
        None
    }
}

impl Outlet for io::Stdout {
    #[cfg(target_os = "linux")]
    fn is_read(&self) -> Option<bool> {
        pipe_is_read(self)
    }
}

impl Outlet for io::PipeWriter {
    #[cfg(target_os = "linux")]
    fn is_read(&self) -> Option<bool> {
        pipe_is_read(self)
    }
}

/// The answer for the writing end of a pipe. Only Linux counts there what is still unread; of a terminal or a socket it
/// would count the other direction.
#[cfg(target_os = "linux")]
fn pipe_is_read(pipe: impl std::os::fd::AsFd) -> Option<bool> {
    use rustix::event::{PollFd, PollFlags, Timespec, poll};
    use rustix::fs::{FileType, fstat};
    let is_pipe = FileType::from_raw_mode(fstat(&pipe).ok()?.st_mode) == FileType::Fifo;
    if !is_pipe {
        return None;
    }
    let mut reader = [PollFd::new(&pipe, PollFlags::empty())];
    poll(&mut reader, Some(&Timespec { tv_sec: 0, tv_nsec: 0 })).ok()?;
    let is_gone = reader[0].revents().contains(PollFlags::ERR);
    Some(is_gone || rustix::io::ioctl_fionread(&pipe).ok()? == 0)
}

#[cfg(all(test, target_os = "linux"))]
mod tests {
    use super::*;
    use std::io::Read;

    #[test]
    fn a_pipe_knows_what_was_read() {
        let (mut reader, mut writer) = io::pipe().unwrap();
        assert_eq!(writer.is_read(), Some(true));
        writer.write_all(b"two\nlines\n").unwrap();
        assert_eq!(writer.is_read(), Some(false));
        reader.read_exact(&mut [0; 4]).unwrap();
        assert_eq!(writer.is_read(), Some(false));
        reader.read_exact(&mut [0; 6]).unwrap();
        assert_eq!(writer.is_read(), Some(true));
        writer.write_all(b"lost").unwrap();
        drop(reader);
        assert_eq!(writer.is_read(), Some(true), "nobody is there to read it");
    }
}
