//! Where the outputs of several inputs go, and what is refused before the first is begun.

use std::collections::{HashMap, HashSet};
use std::fs;
use std::path::{Path, PathBuf};

use anyhow::{Result, anyhow, ensure};
use warpreel::filter::Filter;
use warpreel::job::{OutputKind, Request, Usage, parse_chain};
use warpreel::sequence::{self, Pattern};
use warpreel::sink::Overwrite;
use warpreel::sink::container;
use warpreel::sink::file_set::FileSet;

use super::folder::Item;

/// An input, and where it goes.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Placed {
    /// As it was typed.
    pub input: String,
    /// In the folder.
    pub output: String,
    /// Whether it is there already, and stays as it is.
    pub is_skipped: bool,
    /// True if the input was found in a folder.
    pub is_found: bool,
}

/// Finds a place in `folder` for what becomes of each input; `request` is what all jobs have in common.
///
/// # Errors
/// [`Usage`] if that is no folder, an input cannot be one of several, or an output has no name of its own or would replace
/// what is read. Another if an output exists that is neither to be replaced nor to be skipped; inputs that were found in a
/// folder are skipped.
pub fn place(items: &[Item], folder: &str, request: &Request, skips: bool) -> Result<Vec<Placed>> {
    let inputs = || items.iter().map(|item| &item.input);
    check_folder(inputs().next(), folder)?;
    let container = request.encoding.container.as_deref();
    let ending = container.map(ending).transpose()?;
    let of_chain = request.chain_files();
    let read: HashSet<PathBuf> = inputs().chain(&of_chain).map(|name| place_of(name)).collect();
    let mut files = FileSet::default();
    for input in inputs() {
        files.add(Path::new(input), sequence::is_sequence(Path::new(input)));
    }
    of_chain.iter().for_each(|name| files.add(Path::new(name), false));
    let (mut placed, mut taken) = (Vec::new(), HashMap::new());
    for Item { input, subfolder, is_found } in items {
        check_input(input)?;
        let name = name(input, ending.as_deref().or_else(|| fallback(input).filter(|_| *is_found)))?;
        let name = subfolder.join(name).display().to_string();
        let output = Path::new(folder).join(&name).display().to_string();
        if let Some(other) = taken.insert(name.clone(), input) {
            let advice = "rename one, or use a folder for each";
            return Err(wrong(format!("{other:?} and {input:?} have the same output {output:?}; {advice}")));
        }
        if read.contains(&place_of(&output)) {
            return Err(wrong(format!("{output:?} would replace an input; name another folder with -o")));
        }
        let is_sequence = container::is_sequence(Path::new(&name), None).unwrap_or(false);
        if let Some(file) = files.find(Path::new(&output), is_sequence) {
            return Err(wrong(format!(
                "{output:?} would replace {file:?}, which is read; name another folder with -o"
            )));
        }
        let is_kept = skips || *is_found && request.overwrite == Overwrite::Refuse;
        let is_skipped = is_kept && exists(&output);
        placed.push(Placed { input: input.clone(), output, is_skipped, is_found: *is_found });
    }
    check_patterns(&taken, folder)?;
    if request.overwrite == Overwrite::Refuse && !skips {
        let existing: Vec<_> = placed.iter().filter(|placed| !placed.is_skipped && exists(&placed.output)).collect();
        let more = if existing.len() > 1 { format!(", and {} more", existing.len() - 1) } else { String::new() };
        let first = existing.first().map(|placed| &placed.output);
        let advice = "add --skip-existing to keep existing files, or -y to replace them";
        ensure!(first.is_none(), "{:?} exists{more}; {advice}", first.unwrap_or(&String::new()));
    }
    Ok(placed)
}

/// Refuses a chain that cannot be parsed, and one that writes a file, which each of several inputs would replace.
pub fn check_written(request: &Request, inputs: usize) -> Result<()> {
    let filters = parse_chain(&request.chain, request.border.as_deref(), request.planes.as_deref())?;
    match filters.iter().find_map(Filter::file_written).filter(|_| inputs > 1) {
        Some(name) => {
            let count = if inputs == usize::MAX { "several".to_owned() } else { inputs.to_string() };
            let fault = format!("{name:?} is one file, which each of {count} inputs would replace");
            Err(wrong(format!("{fault}; filter them one by one, with a file for each")))
        }
        None => Ok(()),
    }
}

/// Refuses an output that is one of the files of another, which is a sequence. `taken` has the inputs by the names of their
/// outputs.
fn check_patterns(taken: &HashMap<String, &String>, folder: &str) -> Result<()> {
    let sequences = taken.iter().filter_map(|(name, input)| {
        let path = Path::new(name);
        let pattern = Pattern::of(path).filter(|_| container::is_sequence(path, None).unwrap_or(false))?;
        Some((name, input, pattern))
    });
    for (name, input, pattern) in sequences {
        let meets = |other: &str| {
            pattern.number(other).is_some() || Pattern::of(Path::new(other)).is_some_and(|other| pattern.meets(&other))
        };
        if let Some((_, other)) = taken.iter().find(|(other, _)| *other != name && meets(other)) {
            let advice = "rename one, or take a folder for each";
            return Err(wrong(format!(
                "{input:?} and {other:?} would both write into {folder:?} as {name:?}; {advice}"
            )));
        }
    }
    Ok(())
}

fn wrong(line: String) -> anyhow::Error {
    Usage::of(anyhow!(line)).into()
}

/// Refuses what is no folder, or was hardly meant as one.
fn check_folder(first: Option<&String>, folder: &str) -> Result<()> {
    let is_special = folder == "-" || folder == "null:" || folder.starts_with("hash:");
    if folder.is_empty() || is_special {
        return Err(wrong(format!("-o takes a folder, not {folder:?}; type it behind one input, without -o")));
    }
    match fs::metadata(folder) {
        Ok(found) if found.is_dir() => Ok(()),
        Ok(_) => {
            let input = first.map_or("INPUT", String::as_str);
            let advice = format!("type warpreel {input} {folder} -y to replace it, or name a folder");
            Err(wrong(format!("-o takes a folder, and {folder:?} is a file; {advice}")))
        }
        Err(_) if !folder.ends_with('/') && is_writable(folder) => {
            let input = first.map_or("INPUT", String::as_str);
            let advice = format!("type warpreel {input} {folder} for one output, or -o {folder}/ for a folder");
            Err(wrong(format!("-o takes a folder, and {folder:?} is the name of a file; {advice}")))
        }
        Err(_) => Ok(()),
    }
}

/// Refuses what cannot be one of several inputs.
fn check_input(input: &str) -> Result<()> {
    if input == "-" {
        return Err(wrong("stdin has no file name to use in a folder; type warpreel - OUTPUT, without -o".to_owned()));
    }
    let is_pattern = input.contains(['*', '?']) && !Path::new(input).exists();
    if is_pattern {
        let advice = "type it without quotes, so that the shell expands it";
        return Err(wrong(format!("no file matches {input:?}; {advice}")));
    }
    Ok(())
}

/// How names in a container end.
fn ending(container: &str) -> Result<String> {
    match container {
        "yuv4mpegpipe" => Ok("y4m".to_owned()),
        "rawvideo" => Ok("raw".to_owned()),
        "y4m" | "raw" => Ok(container.to_owned()),
        _ => container::ending(container).map_err(|error| wrong(format!("{error:#}"))),
    }
}

/// The name of what becomes of an input: its own, with another ending if one is wanted. A sequence of images that becomes
/// one file loses the place for its numbers.
fn name(input: &str, ending: Option<&str>) -> Result<String> {
    let path = Path::new(input);
    let none = || wrong(format!("{input:?} is not a file name; name a file"));
    let name = path.file_name().and_then(|name| name.to_str()).ok_or_else(none)?;
    let Some(ending) = ending else {
        if !is_writable(name) {
            let advice = "add --container mkv, or another";
            return Err(wrong(format!("the name {name:?} does not imply a container; {advice}")));
        }
        return Ok(name.to_owned());
    };
    let pattern = Pattern::of(path).filter(|_| sequence::is_sequence(path) && !is_images(ending));
    let stem = match &pattern {
        Some(pattern) if !pattern.stem().is_empty() => pattern.stem(),
        // What is called nothing but its numbers has its name from the folder.
        Some(_) => path.parent().and_then(Path::file_name).and_then(|name| name.to_str()).ok_or_else(none)?,
        None => path.file_stem().and_then(|stem| stem.to_str()).ok_or_else(none)?,
    };
    Ok(format!("{stem}.{ending}"))
}

/// The ending of an output whose input has one that cannot be written.
fn fallback(input: &str) -> Option<&'static str> {
    let name = Path::new(input).file_name()?.to_str()?;
    (!is_writable(name)).then_some("mkv")
}

/// Whether files of this ending are pictures, so that a sequence stays one.
fn is_images(ending: &str) -> bool {
    container::is_sequence(Path::new(&format!("%d.{ending}")), None).unwrap_or(false)
}

/// Whether a name says how to write a file.
fn is_writable(name: &str) -> bool {
    match OutputKind::of(name, None) {
        OutputKind::Container => container::is_sequence(Path::new(name), None).is_ok(),
        OutputKind::Y4m | OutputKind::Raw => true,
        OutputKind::Null | OutputKind::Hash => false,
    }
}

/// What a name leads to, also where nothing is there.
fn place_of(name: &str) -> PathBuf {
    let path = Path::new(name);
    let folder = path.parent().filter(|folder| *folder != Path::new("")).unwrap_or(Path::new("."));
    let new = || Some(folder.canonicalize().ok()?.join(path.file_name()?));
    path.canonicalize().ok().or_else(new).unwrap_or_else(|| path.to_owned())
}

/// Whether an output is there: the file, or one of a sequence.
pub fn exists(output: &str) -> bool {
    let path = Path::new(output);
    if path.symlink_metadata().is_ok() {
        return true;
    }
    let numbered = || {
        let pattern = Pattern::of(path).filter(|_| container::is_sequence(path, None).unwrap_or(false))?;
        let mut names =
            fs::read_dir(path.parent()?).ok()?.flatten().filter_map(|entry| entry.file_name().into_string().ok());
        names.find_map(|name| pattern.number(&name))
    };
    numbered().is_some()
}
