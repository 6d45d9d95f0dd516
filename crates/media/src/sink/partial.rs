//! Names for what was written of an output before the user stopped it: `out.partial.mp4` beside `out.mp4`.

use std::ffi::{OsStr, OsString};
use std::path::{Path, PathBuf};

/// The name of the beginning of `path`: `out.partial.mp4`, and for a later `attempt`, where earlier names are taken,
/// `out.partial-2.mp4` and so on.
pub fn name(path: &Path, attempt: usize) -> PathBuf {
    let word = if attempt == 1 { ".partial".to_owned() } else { format!(".partial-{attempt}") };
    let mut name = OsString::from(path.file_stem().unwrap_or_default());
    name.push(word);
    if let Some(extension) = path.extension() {
        name.extend([OsStr::new("."), extension]);
    }
    path.with_file_name(name)
}

/// The first attempt at which all such names are free.
pub(super) fn free(paths: &[PathBuf]) -> usize {
    let is_free = |attempt: &usize| paths.iter().all(|path| name(path, *attempt).symlink_metadata().is_err());
    (1..).find(is_free).unwrap_or(usize::MAX)
}
