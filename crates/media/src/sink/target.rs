//! Outputs that are never half-written. A [`Target`] is written beside its final name and renamed when it is
//! complete; what is not complete disappears. What is no regular file (a device, a named pipe) is written directly, and so
//! is what the process was given open (`/dev/stdout`).

use std::ffi::{OsStr, OsString};
use std::fs::{self, File, Metadata, OpenOptions};
use std::io::{self, ErrorKind};
use std::os::unix::ffi::OsStrExt;
use std::os::unix::fs::{MetadataExt, PermissionsExt};
use std::path::{Path, PathBuf};
use std::sync::{Mutex, PoisonError};

use anyhow::{Context, Result, bail, ensure};
use tempfile::{Builder, TempDir, TempPath};

use super::partial;
use crate::sequence::{self, Pattern};

/// How temporary names end.
const SUFFIX: &str = ".part";

/// What to do where the output exists.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Overwrite {
    /// Refuse, and leave it as it is.
    #[default]
    Refuse,
    /// Replace it when the new output is complete.
    Replace,
}

/// An output that does not stand under its final name yet. Dropping it removes what was written.
pub struct Target {
    /// The name that the user typed.
    named: PathBuf,
    write_path: PathBuf,
    place: WritePlace,
    overwrite: Overwrite,
}

enum WritePlace {
    /// The name itself: nothing to rename and nothing to remove.
    Direct,
    /// A temporary file, and the final name with all links followed.
    Beside { temporary: TempPath, path: PathBuf, _listed: Listed },
    /// A temporary folder of numbered files, and the folder they are to be moved to.
    Sequence { temporary: TempDir, folder: PathBuf, _listed: Listed },
}

/// What stands beside its final name in this process, and that name as it was typed.
static UNFINISHED: Mutex<Vec<(PathBuf, PathBuf)>> = Mutex::new(Vec::new());

/// Keeps a path in [`UNFINISHED`].
struct Listed(PathBuf);

impl Listed {
    fn new(path: &Path, named: &Path) -> Self {
        UNFINISHED.lock().unwrap_or_else(PoisonError::into_inner).push((path.to_owned(), named.to_owned()));
        Self(path.to_owned())
    }
}

impl Drop for Listed {
    fn drop(&mut self) {
        UNFINISHED.lock().unwrap_or_else(PoisonError::into_inner).retain(|(path, _)| *path != self.0);
    }
}

/// Removes what all targets of this process wrote, as far as possible: for a program that exits at once and drops
/// none of them.
pub fn remove_unfinished() {
    for (path, _) in std::mem::take(&mut *UNFINISHED.lock().unwrap_or_else(PoisonError::into_inner)) {
        let removed = if path.is_dir() { fs::remove_dir_all(&path) } else { fs::remove_file(&path) };
        if let Err(error) = removed {
            log::debug!("remove {path:?}: {error}");
        }
    }
}

/// How many bytes the target of this name holds by now.
pub fn unfinished_bytes(named: &Path) -> u64 {
    let bytes = |path: &PathBuf| match fs::read_dir(path) {
        Ok(entries) => entries.flatten().filter_map(|entry| entry.metadata().ok()).map(|found| found.len()).sum(),
        Err(_) => path.metadata().map_or(0, |found| found.len()),
    };
    let unfinished = UNFINISHED.lock().unwrap_or_else(PoisonError::into_inner);
    unfinished.iter().filter(|(_, name)| name == named).map(|(path, _)| bytes(path)).sum()
}

impl Target {
    /// An output of one file. Where `path` is a link, what it points to is written and the link stays.
    ///
    /// # Errors
    /// If the output exists and must not be replaced, is a directory, or cannot be written.
    pub fn create(path: &Path, overwrite: Overwrite) -> Result<Self> {
        Self::single(path, overwrite).with_context(|| format!("create {path:?}"))
    }

    /// Finds out what would keep an output from being created, and touches nothing. `is_sequence` as for
    /// [`Target::sequence`].
    ///
    /// # Errors
    /// As [`Target::create`] and [`Target::sequence`], but for a folder that cannot be written.
    pub fn check(path: &Path, is_sequence: bool, overwrite: Overwrite) -> Result<()> {
        let checked =
            if is_sequence { free(path, overwrite).map(drop) } else { replaceable(path, overwrite).map(drop) };
        checked.with_context(|| format!("create {path:?}"))
    }

    fn single(path: &Path, overwrite: Overwrite) -> Result<Self> {
        let direct = |path: &Path| Self {
            named: path.to_owned(),
            write_path: path.to_owned(),
            place: WritePlace::Direct,
            overwrite,
        };
        let (existing, final_path) = replaceable(path, overwrite)?;
        let Some(final_path) = final_path else { return Ok(direct(path)) };
        let (folder, name) = split(&final_path)?;
        // The umask takes its part of these, as of any new file's; those of a file that is replaced stay.
        let new = fs::Permissions::from_mode(0o666);
        let file = Builder::new().prefix(&prefix(name)).suffix(SUFFIX).permissions(new).tempfile_in(folder);
        let temporary = file.with_context(|| format!("write into folder {folder:?}"))?.into_temp_path();
        if let Some(found) = &existing {
            // Whoever may run the file that is replaced as its owner shall not so run what is written now.
            let mode = found.permissions().mode() & 0o777;
            fs::set_permissions(&temporary, fs::Permissions::from_mode(mode))?;
        }
        Ok(Self {
            named: path.to_owned(),
            write_path: temporary.to_path_buf(),
            place: WritePlace::Beside { _listed: Listed::new(&temporary, path), temporary, path: final_path },
            overwrite,
        })
    }

    /// An output of numbered files, such as `out%04d.png`. [`Target::write_path`] is then such a pattern for FFmpeg.
    ///
    /// # Errors
    /// If `pattern` has no place for a number, a file that fits it exists and must not be replaced, or the folder
    /// cannot be written.
    pub fn sequence(pattern: &Path, overwrite: Overwrite) -> Result<Self> {
        Self::numbered(pattern, overwrite).with_context(|| format!("create {pattern:?}"))
    }

    fn numbered(pattern: &Path, overwrite: Overwrite) -> Result<Self> {
        let (folder, name) = free(pattern, overwrite)?;
        let plain = name.to_string_lossy().replace('%', "_");
        let temporary = Builder::new().prefix(&prefix(plain.as_ref())).suffix(SUFFIX).tempdir_in(folder);
        let temporary = temporary.with_context(|| format!("write into folder {folder:?}"))?;
        Ok(Self {
            named: pattern.to_owned(),
            write_path: sequence::for_ffmpeg(&temporary.path().join(name)),
            place: WritePlace::Sequence {
                _listed: Listed::new(temporary.path(), pattern),
                temporary,
                folder: folder.to_owned(),
            },
            overwrite,
        })
    }

    /// The name that the user typed.
    pub fn named(&self) -> &Path {
        &self.named
    }

    /// Where to write: an empty file that exists, or the pattern of a sequence, whose folder exists.
    pub fn write_path(&self) -> &Path {
        &self.write_path
    }

    /// The file to write. A named pipe waits here for its reader.
    ///
    /// # Errors
    /// If it cannot be opened; a sequence has no single file.
    pub fn file(&self) -> Result<File> {
        // What was given open may hold something already.
        let is_given = is_open(&self.write_path);
        let file = OpenOptions::new().write(true).truncate(!is_given).append(is_given).open(&self.write_path);
        file.with_context(|| format!("open {:?}", self.named))
    }

    /// Gives the output its final name, after everything was written.
    ///
    /// # Errors
    /// If that fails. Where something took the name in the meantime and must not be replaced, what was written
    /// stays beside it, and the message says where.
    pub fn commit(self) -> Result<()> {
        let named = self.named;
        match self.place {
            WritePlace::Direct => Ok(()),
            WritePlace::Beside { temporary, path, _listed } => settle(temporary, &path, self.overwrite),
            WritePlace::Sequence { temporary, folder, _listed } => {
                move_all(temporary, self.overwrite, &|name| folder.join(name))
            }
        }
        .with_context(|| format!("give {named:?} its name"))
    }

    /// Gives the beginning of an output, completed where the user stopped it, a name of its own beside the final one, and
    /// returns it: `out.partial.mp4` for `out.mp4`, `out%04d.partial.png` for a sequence, and with a number where that
    /// exists. What is written directly has no other name: `None`.
    ///
    /// # Errors
    /// If that fails; what was written is then kept where the message says.
    pub fn commit_partial(self) -> Result<Option<PathBuf>> {
        let named = self.named;
        match self.place {
            WritePlace::Direct => Ok(None),
            WritePlace::Beside { temporary, path, _listed } => {
                let name = partial::name(&path, partial::free(std::slice::from_ref(&path)));
                settle(temporary, &name, Overwrite::Refuse).map(|()| Some(name))
            }
            WritePlace::Sequence { temporary, folder, _listed } => {
                let paths: Vec<PathBuf> = names(&temporary)?.iter().map(|name| folder.join(name)).collect();
                let attempt = partial::free(&paths);
                let place = |name: &OsStr| partial::name(&folder.join(name), attempt);
                move_all(temporary, Overwrite::Refuse, &place).map(|()| Some(partial::name(&named, attempt)))
            }
        }
        .with_context(|| format!("keep the finished part of {named:?}"))
    }
}

/// Whether both names lead to the same file, be it there or not, so that writing one would destroy the other. Devices
/// and pipes may well be both.
pub fn same_place(one: &Path, other: &Path) -> bool {
    let identity = |path: &Path| path.metadata().ok().map(|found| (found.dev(), found.ino(), found.is_file()));
    if let Some(one) = identity(one) {
        return one.2 && identity(other) == Some(one);
    }
    let place = |path: &Path| {
        let path = followed(path).ok().filter(|path| !path.exists())?;
        let (folder, name) = split(&path).ok()?;
        Some(folder.canonicalize().ok()?.join(name))
    };
    place(one).is_some_and(|one| place(other) == Some(one))
}

/// Whether a path is written directly: what stands there is a pipe or a device, or was given open.
pub fn is_direct(path: &Path) -> bool {
    path.metadata().is_ok_and(|found| !found.is_dir() && (!found.is_file() || is_open(path)))
}

/// Whether a path names what the process was given open: who opened it has said what is to become of it.
fn is_open(path: &Path) -> bool {
    let is_in = |folder: &str| path.parent() == Some(Path::new(folder));
    is_in("/dev/fd") || is_in("/proc/self/fd") || ["/dev/stdout", "/dev/stderr"].map(Path::new).contains(&path)
}

/// What stands where one file is to be, and the name that it gets, links followed; no name where it is written directly.
/// Fails where it must not be replaced, or has no folder.
fn replaceable(path: &Path, overwrite: Overwrite) -> Result<(Option<Metadata>, Option<PathBuf>)> {
    let existing = existing(path)?;
    match &existing {
        Some(found) if found.is_dir() => bail!(fault(ErrorKind::IsADirectory, "it is a directory; name a file in it")),
        Some(_) if is_direct(path) => return Ok((existing, None)),
        Some(_) if overwrite == Overwrite::Refuse => {
            bail!(fault(ErrorKind::AlreadyExists, "it exists; add -y to replace it"))
        }
        Some(_) => {
            // A file that is protected against writing is not replaced either.
            OpenOptions::new().write(true).open(path)?;
        }
        None if overwrite == Overwrite::Refuse && path.is_symlink() => {
            let aim = followed(path)?;
            let what = format!("it is a link to {aim:?}, where there is no file; add -y to write one there");
            bail!(fault(ErrorKind::AlreadyExists, what))
        }
        None => {}
    }
    let path = followed(path)?;
    split(&path)?;
    Ok((existing, Some(path)))
}

/// The folder of a sequence, and its name there. Fails where a file of it must not be replaced, or there is no folder.
fn free(pattern: &Path, overwrite: Overwrite) -> Result<(&Path, &OsStr)> {
    let (folder, name) = split(pattern)?;
    let numbered = Pattern::of(pattern).context(sequence::EXPECTED)?;
    if overwrite == Overwrite::Refuse {
        let entries = fs::read_dir(folder).with_context(|| format!("read folder {folder:?}"))?;
        for entry in entries {
            let found = entry?.file_name();
            let taken = found.to_str().is_some_and(|found| numbered.number(found).is_some());
            let what = || format!("{found:?} exists; add -y to replace it");
            ensure!(!taken, fault(ErrorKind::AlreadyExists, what()));
        }
    }
    Ok((folder, name))
}

/// What the system would have said of a file, with what to do about it.
fn fault(kind: ErrorKind, what: impl Into<String>) -> io::Error {
    io::Error::new(kind, what.into())
}

/// What stands at `path`, links followed; `None` where nothing does.
fn existing(path: &Path) -> Result<Option<Metadata>> {
    match path.metadata() {
        Ok(found) => Ok(Some(found)),
        Err(error) if error.kind() == ErrorKind::NotFound => Ok(None),
        Err(error) => Err(error.into()),
    }
}

/// Where the links that `path` may be lead to; that may not exist.
fn followed(path: &Path) -> Result<PathBuf> {
    /// As many as Linux follows.
    const LINKS: usize = 40;

    let mut path = path.to_owned();
    for _ in 0..LINKS {
        let Ok(link) = fs::read_link(&path) else { return Ok(path) };
        path = path.parent().unwrap_or(Path::new("")).join(link);
    }
    bail!("too many links")
}

/// The folder, which must exist, and the name in it.
fn split(path: &Path) -> Result<(&Path, &OsStr)> {
    let name = path.file_name().filter(|_| !path.as_os_str().as_bytes().ends_with(b"/"));
    let name = name.context("it has no file name; name a file in a folder")?;
    let folder = match path.parent() {
        Some(folder) if folder != Path::new("") => folder,
        _ => Path::new("."),
    };
    let missing = || format!("folder {folder:?} does not exist; make it with: mkdir -p {folder:?}");
    ensure!(folder.is_dir(), fault(ErrorKind::NotFound, missing()));
    Ok((folder, name))
}

/// Starts names like `.out.mp4.Zu5rT1.part`.
fn prefix(name: &OsStr) -> OsString {
    /// Leaves room for what is added; names end at 255 bytes on most file systems.
    const NAME_BYTES: usize = 200;

    let name = OsStr::from_bytes(&name.as_bytes()[..name.len().min(NAME_BYTES)]);
    [OsStr::new("."), name, OsStr::new(".")].into_iter().collect()
}

/// Renames a complete file.
fn settle(temporary: TempPath, path: &Path, overwrite: Overwrite) -> Result<()> {
    let renamed = match overwrite {
        Overwrite::Refuse => temporary.persist_noclobber(path),
        Overwrite::Replace => temporary.persist(path),
    };
    let Err(failure) = renamed else { return Ok(()) };
    // It may have taken hours.
    let kept = failure.path.keep().context("keep the finished part")?;
    Err(failure.error).with_context(|| format!("the finished part is kept as {kept:?}"))
}

/// The names of the files in a folder, in order.
fn names(folder: &TempDir) -> Result<Vec<OsString>> {
    let names: io::Result<_> = fs::read_dir(folder.path())?.map(|entry| Ok(entry?.file_name())).collect();
    let mut names: Vec<OsString> = names?;
    names.sort();
    Ok(names)
}

/// Moves the complete files of a sequence to where `place` says, after a look whether all can be moved.
fn move_all(temporary: TempDir, overwrite: Overwrite, place: &dyn Fn(&OsStr) -> PathBuf) -> Result<()> {
    let names = names(&temporary)?;
    let taken = |name: &&OsString| overwrite == Overwrite::Refuse && place(name).symlink_metadata().is_ok();
    if let Some(name) = names.iter().find(taken) {
        let kept = temporary.keep();
        bail!("{name:?} exists now; the output is kept in {kept:?}");
    }
    for name in names {
        let file = TempPath::try_from_path(temporary.path().join(&name))?;
        if let Err(error) = settle(file, &place(&name), overwrite) {
            let kept = temporary.keep();
            return Err(error.context(format!("the files from {name:?} are kept in {kept:?}")));
        }
    }
    Ok(())
}
