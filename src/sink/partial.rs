//! Names for what was written of an output before the user stopped it: `out.partial.mp4` beside `out.mp4`.

use std::ffi::{OsStr, OsString};
use std::fs;
use std::io::ErrorKind;
use std::path::{Path, PathBuf};

use anyhow::{Context, Result};
use tempfile::{TempDir, TempPath};

/// The name of the beginning of `path`: `out.partial.mp4`, and for a later `attempt`, where earlier names are taken,
/// `out.partial-2.mp4` and so on.
fn name(path: &Path, attempt: usize) -> PathBuf {
    let word = if attempt == 1 { ".partial".to_owned() } else { format!(".partial-{attempt}") };
    let mut name = OsString::from(path.file_stem().unwrap_or_default());
    name.push(word);
    if let Some(extension) = path.extension() {
        name.extend([OsStr::new("."), extension]);
    }
    path.with_file_name(name)
}

/// Gives a file the first such name that is free, and returns it.
///
/// # Errors
/// If it cannot be renamed; it stays where the message says.
pub(super) fn settle(mut temporary: TempPath, path: &Path) -> Result<PathBuf> {
    for attempt in 1.. {
        let free = name(path, attempt);
        temporary = match temporary.persist_noclobber(&free) {
            Ok(()) => return Ok(free),
            Err(failure) if failure.error.kind() == ErrorKind::AlreadyExists => failure.path,
            Err(failure) => {
                let kept = failure.path.keep().context("keep what was written")?;
                return Err(failure.error).with_context(|| format!("what was written is kept as {kept:?}"));
            }
        };
    }
    unreachable!("there are more numbers than files")
}

/// Moves the files of a sequence to the first such names that are free, and returns the pattern of those.
///
/// # Errors
/// If they cannot be moved; those that were not stay where the message says.
pub(super) fn move_all(temporary: TempDir, pattern: &Path) -> Result<PathBuf> {
    let folder = pattern.parent().unwrap_or(Path::new(""));
    let entries: Vec<PathBuf> = fs::read_dir(temporary.path())?
        .map(|entry| entry.map(|entry| folder.join(entry.file_name())))
        .collect::<Result<_, _>>()?;
    let is_free = |attempt: &usize| entries.iter().all(|path| name(path, *attempt).symlink_metadata().is_err());
    let attempt = (1..).find(is_free).unwrap_or(1);
    for path in entries {
        let file = temporary.path().join(path.file_name().unwrap_or_default());
        if let Err(error) = fs::rename(&file, name(&path, attempt)) {
            let kept = temporary.keep();
            return Err(error).with_context(|| format!("what was not moved is kept in {kept:?}"));
        }
    }
    Ok(name(pattern, attempt))
}
