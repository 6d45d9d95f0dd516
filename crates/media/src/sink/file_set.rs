//! The files that exist of those that a name stands for: one file, or the numbered files of a pattern.

use std::collections::HashSet;
use std::fs;
use std::os::unix::fs::MetadataExt;
use std::path::{Path, PathBuf};

use crate::sequence::Pattern;

/// Existing regular files, each known by device and inode, so that links make no difference.
#[derive(Default)]
pub struct FileSet(HashSet<(u64, u64)>);

impl FileSet {
    /// Adds the files that `name` stands for; with `is_sequence` all that fit its pattern.
    pub fn add(&mut self, name: &Path, is_sequence: bool) {
        self.0.extend(existing(name, is_sequence).iter().filter_map(|path| identity(path)));
    }

    /// The first of the files that `name` stands for that is in the set.
    pub fn find(&self, name: &Path, is_sequence: bool) -> Option<PathBuf> {
        // Most sets are small, and most folders are not.
        if self.0.is_empty() {
            return None;
        }
        existing(name, is_sequence).into_iter().find(|path| identity(path).is_some_and(|found| self.0.contains(&found)))
    }
}

/// What `name` stands for, in order; it need not exist where that is one file.
fn existing(name: &Path, is_sequence: bool) -> Vec<PathBuf> {
    let Some(pattern) = Pattern::of(name).filter(|_| is_sequence) else { return vec![name.to_owned()] };
    let folder = name.parent().filter(|folder| *folder != Path::new("")).unwrap_or(Path::new("."));
    let entries = fs::read_dir(folder).into_iter().flatten().flatten();
    let fits = |name: &str| pattern.number(name).is_some();
    let mut paths: Vec<PathBuf> =
        entries.filter(|entry| entry.file_name().to_str().is_some_and(fits)).map(|entry| entry.path()).collect();
    paths.sort();
    paths
}

/// Device and inode of a regular file, links followed.
fn identity(path: &Path) -> Option<(u64, u64)> {
    path.metadata().ok().filter(fs::Metadata::is_file).map(|found| (found.dev(), found.ino()))
}
