//! Files of results that grow line by line: a run that was killed is taken up where its last
//! whole line ends, and a second run on the same file is refused.

use std::fs::{File, OpenOptions, TryLockError};
use std::io::{self, Read, Seek, SeekFrom};
use std::path::Path;
use std::thread;
use std::time::Duration;

/// Opens a file to read it and to add to its end; makes it if it is not there.
///
/// # Errors
/// What the system says.
pub fn open(path: &Path) -> io::Result<File> {
    let mut options = OpenOptions::new();
    options.create(true).read(true).append(true).open(path)
}

/// Keeps other runs away as long as `file` is open. A short wait lets a process just started by
/// somebody else close what it inherited.
///
/// # Errors
/// A line that begins with `path`: another run has it, or what the system says.
pub fn lock(file: &File, path: &Path) -> Result<(), String> {
    for _ in 0..20 {
        match file.try_lock() {
            Ok(()) => return Ok(()),
            Err(TryLockError::WouldBlock) => thread::sleep(Duration::from_millis(50)),
            Err(TryLockError::Error(e)) => return Err(format!("{}: {e}", path.display())),
        }
    }
    Err(format!("{}: another run is using it", path.display()))
}

/// The whole lines of a file. A last line that was not written to its end is cut off.
///
/// # Errors
/// What the system says.
pub fn read_whole_lines(file: &mut File) -> io::Result<String> {
    let mut bytes = Vec::new();
    file.seek(SeekFrom::Start(0))?;
    file.read_to_end(&mut bytes)?;
    let whole = whole_lines(&bytes);
    if whole.len() < bytes.len() {
        file.set_len(whole.len() as u64)?;
    }
    Ok(String::from_utf8_lossy(whole).into_owned())
}

/// All up to the last end of a line.
pub fn whole_lines(bytes: &[u8]) -> &[u8] {
    let end = bytes.iter().rposition(|&b| b == b'\n').map_or(0, |i| i + 1);
    &bytes[..end]
}
