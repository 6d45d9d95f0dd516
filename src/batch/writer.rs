//! Files that a program has open for writing, as far as the system shows.

use std::collections::{HashMap, HashSet};
use std::ffi::OsStr;
use std::fs;
use std::os::unix::fs::MetadataExt;
use std::path::{Path, PathBuf};

/// Those of `files` that some program has open for writing: of this user's programs, all of them for the superuser. None where
/// the system has no `/proc`.
pub fn held(files: &[PathBuf]) -> HashSet<PathBuf> {
    let mut wanted: HashMap<(u64, u64), &PathBuf> = HashMap::new();
    wanted.extend(files.iter().filter_map(|path| Some((identity(path)?, path))));
    let names: HashSet<&OsStr> = files.iter().filter_map(|path| path.file_name()).collect();
    let mut held = HashSet::new();
    if wanted.is_empty() {
        return held;
    }
    for process in entries(Path::new("/proc")).filter(|path| is_number(path)) {
        for open in entries(&process.join("fd")) {
            // Most descriptors lead elsewhere, some to file systems that do not answer.
            let is_named =
                fs::read_link(&open).is_ok_and(|path| path.file_name().is_some_and(|name| names.contains(name)));
            let file = is_named.then(|| identity(&open)).flatten().and_then(|file| wanted.get(&file));
            if let Some(file) =
                file.filter(|_| open.file_name().is_some_and(|number| is_written(&process.join("fdinfo").join(number))))
            {
                held.insert((*file).clone());
            }
        }
    }
    held
}

fn entries(folder: &Path) -> impl Iterator<Item = PathBuf> {
    fs::read_dir(folder).into_iter().flatten().flatten().map(|entry| entry.path())
}

fn is_number(path: &Path) -> bool {
    path.file_name().is_some_and(|name| name.as_encoded_bytes().iter().all(u8::is_ascii_digit))
}

fn identity(path: &Path) -> Option<(u64, u64)> {
    fs::metadata(path).ok().map(|found| (found.dev(), found.ino()))
}

/// True if a descriptor was opened for writing: the last two bits of its flags, which are octal.
fn is_written(info: &Path) -> bool {
    let text = fs::read_to_string(info).unwrap_or_default();
    let flags = text.lines().find_map(|line| line.strip_prefix("flags:"));
    flags.and_then(|flags| u64::from_str_radix(flags.trim(), 8).ok()).is_some_and(|flags| flags & 3 != 0)
}

#[cfg(test)]
#[cfg(target_os = "linux")]
mod tests {
    use std::fs::{self, File};

    use super::held;

    #[test]
    fn writers_are_found_and_readers_are_not() {
        let folder = tempfile::tempdir().expect("a folder");
        let files = ["read", "written", "closed"].map(|name| folder.path().join(name));
        files.iter().for_each(|path| fs::write(path, "text").expect("a file"));
        let _reader = File::open(&files[0]).expect("a reader");
        let writer = File::options().append(true).open(&files[1]).expect("a writer");
        assert_eq!(held(&files).into_iter().collect::<Vec<_>>(), [files[1].clone()]);
        drop(writer);
        assert!(held(&files).is_empty());
    }
}
