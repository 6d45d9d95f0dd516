//! Folders as inputs: the videos in them, and a line on everything that is left out.

use std::fs;
use std::path::{Path, PathBuf};

use anyhow::{Context, Result, anyhow};
use log::{debug, info};
use warpreel::job::{Request, Usage};
use warpreel::sequence::{FoundSequence, Pattern};
use warpreel::source::CancelToken;

use super::kind::FileKind;

/// An input, typed by itself or found in a folder.
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash)]
pub struct Item {
    /// Its name.
    pub input: String,
    /// The folder of its output, relative to that of all outputs.
    pub subfolder: PathBuf,
    /// True if it was found in a folder.
    pub is_found: bool,
}

/// A search of folders for videos.
pub struct FolderSearch<'a> {
    /// Searches folders in a folder too.
    pub is_recursive: bool,
    /// The folder of the outputs, which is not searched.
    pub outputs: &'a Path,
    /// True if inputs are raw frames.
    pub is_raw: bool,
    pub interrupt: &'a CancelToken,
}

/// A file in a folder.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Entry {
    pub path: PathBuf,
    /// Its folder, relative to the one that is searched.
    pub subfolder: PathBuf,
}

impl<'a> FolderSearch<'a> {
    /// A search for a job.
    pub fn new(is_recursive: bool, outputs: &'a str, request: &Request, interrupt: &'a CancelToken) -> Self {
        Self { is_recursive, outputs: Path::new(outputs), is_raw: request.raw.is_some(), interrupt }
    }

    /// The inputs, each folder among them replaced by its videos. Prints a line for what is left out.
    ///
    /// # Errors
    /// If a folder cannot be read or has no video.
    pub fn expand(&self, inputs: &[String]) -> Result<Vec<Item>> {
        let mut items = Vec::new();
        for input in inputs {
            if Path::new(input).is_dir() {
                items.extend(self.videos(Path::new(input))?);
            } else {
                items.push(Item { input: input.clone(), ..Item::default() });
            }
        }
        Ok(items)
    }

    /// The visible files in a folder by their names, and how many folders in it were not searched.
    ///
    /// # Errors
    /// If one cannot be read.
    pub fn files(&self, folder: &Path) -> Result<(Vec<Entry>, usize)> {
        let outputs = self.outputs.canonicalize().ok();
        let (mut files, mut passed) = (Vec::new(), 0);
        let mut folders = vec![PathBuf::new()];
        while let Some(subfolder) = folders.pop() {
            let here = if subfolder == Path::new("") { folder.to_owned() } else { folder.join(&subfolder) };
            let entries = fs::read_dir(&here).with_context(|| format!("read folder {here:?}"))?;
            for entry in entries {
                let path = entry.with_context(|| format!("read folder {here:?}"))?.path();
                let Some(name) = path.file_name().filter(|name| !name.as_encoded_bytes().starts_with(b".")) else {
                    continue;
                };
                // A linked folder may lead back here.
                let is_folder = path.is_dir();
                let is_searched = is_folder && !path.is_symlink() && path.canonicalize().ok() != outputs;
                match (is_folder, is_searched && self.is_recursive) {
                    (true, true) => folders.push(subfolder.join(name)),
                    (true, false) => passed += usize::from(is_searched),
                    (false, _) => files.push(Entry { subfolder: subfolder.clone(), path }),
                }
            }
        }
        files.sort_by(|one, other| (&one.subfolder, &one.path).cmp(&(&other.subfolder, &other.path)));
        Ok((files, passed))
    }

    /// The kind of a file; a pipe or a device is no video.
    pub fn kind(&self, path: &Path) -> FileKind {
        if path.is_file() { FileKind::of(path, self.is_raw, self.interrupt) } else { FileKind::Other }
    }

    fn videos(&self, folder: &Path) -> Result<Vec<Item>> {
        let (files, passed) = self.files(folder)?;
        let (mut videos, mut raw, mut others) = (Vec::new(), Vec::new(), Vec::new());
        for entry in files {
            match self.kind(&entry.path) {
                FileKind::Video => videos.push(entry.item()?),
                FileKind::Raw => raw.push(entry.path),
                FileKind::Other => others.push(entry.path),
            }
        }
        let advice = if passed > 0 { "; add --recursive for the folders in it" } else { "" };
        let sequence = FoundSequence::of(folder);
        if videos.is_empty() {
            let found = sequence.map_or_else(
                || format!("is a folder without videos{advice}; name a clip"),
                |found| {
                    let output = found.pattern.file_name().filter(|_| !self.outputs.as_os_str().is_empty());
                    let output = output.map(|name| self.outputs.join(name)).unwrap_or_default();
                    format!("is a folder of images; {}", found.advice(&output.display().to_string()))
                },
            );
            return Err(anyhow!("{folder:?} {found}"));
        }
        if passed > 0 {
            let what = if passed == 1 { "1 folder".to_owned() } else { format!("{passed} folders") };
            info!("{what} in {folder:?} not searched{advice}");
        }
        if let Some(found) = sequence {
            let pattern = Pattern::of(&found.pattern);
            let is_of = |path: &Path| {
                let name = path.file_name().and_then(|name| name.to_str());
                path.parent() == Some(folder)
                    && name.zip(pattern.as_ref()).is_some_and(|(name, pattern)| pattern.number(name).is_some())
            };
            others.retain(|path| !is_of(path));
            info!("numbered images skipped; {}", found.advice("OUTPUT"));
        }
        tell("no video, skipped", "", folder, &others);
        tell("raw frames, skipped", "; to filter them, add --raw FORMAT:WxH@FPS", folder, &raw);
        Ok(videos)
    }
}

impl Entry {
    /// As an input.
    ///
    /// # Errors
    /// [`Usage`] if its name is not UTF-8.
    pub fn item(&self) -> Result<Item, Usage> {
        let advice = "is not UTF-8; rename it, or link it under another name";
        let text = self.path.to_str().ok_or_else(|| Usage::of(anyhow!("{:?} {advice}", self.path)))?;
        Ok(Item { input: text.to_owned(), subfolder: self.subfolder.clone(), is_found: true })
    }
}

/// Prints one line with the names of files in a folder; with `-v` a line for each.
fn tell(what: &str, advice: &str, folder: &Path, files: &[PathBuf]) {
    const NAMED: usize = 8;
    if files.is_empty() {
        return;
    }
    files.iter().for_each(|file| debug!("{what}: {file:?}"));
    let names: Vec<String> =
        files.iter().take(NAMED).map(|file| file.strip_prefix(folder).unwrap_or(file).display().to_string()).collect();
    let more = files.len().saturating_sub(NAMED);
    let more = if more > 0 { format!(", and {more} more (named with -v)") } else { String::new() };
    info!("{what}: {}{more}{advice}", names.join(", "));
}
