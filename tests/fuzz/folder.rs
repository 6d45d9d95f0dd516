//! A folder of scratch files for each thread, and the bytes of an input taken apart.

use std::cell::OnceCell;
use std::fs;
use std::path::PathBuf;

use tempfile::TempDir;

thread_local! {
    static FOLDER: OnceCell<TempDir> = const { OnceCell::new() };
}

/// Path of a scratch file of this thread.
pub fn path(name: &str) -> PathBuf {
    FOLDER.with(|folder| folder.get_or_init(|| tempfile::tempdir().expect("a folder")).path().join(name))
}

/// Writes a scratch file.
pub fn write(name: &str, bytes: &[u8]) -> PathBuf {
    let path = path(name);
    fs::write(&path, bytes).expect("a file");
    path
}

/// The first byte of an input, which chooses between variants, and the rest.
pub fn choice(bytes: &[u8]) -> (u8, &[u8]) {
    bytes.split_first().map_or((0, bytes), |(first, rest)| (*first, rest))
}
