//! Which source reads the input: what was typed, the kind of file, and its first bytes decide.

use std::fs;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::Ordering;

use anyhow::{Context, Result, bail, ensure};

use super::interrupted::Interrupted;
use super::request::{Request, Tolerance, TypedCut};
use super::time;
use super::usage::Usage;
use crate::libav::{Heritage, Strictness};
use crate::sequence;
use crate::source::container::{Container, Medium, Options};
use crate::source::raw::{Raw, RawSpec};
use crate::source::y4m::Y4m;
use crate::source::{self, Input, Interrupt, Salvage, Source};

/// What a container's sink inherits from a container's source.
pub(super) type Inheritance = Option<Arc<Heritage>>;

/// Opens the input, and returns what a container's sink can inherit from it.
pub(super) fn open(request: &Request, interrupt: &Interrupt) -> Result<(Box<dyn Source>, Inheritance)> {
    let opened = begin(request, interrupt);
    // An interrupt looks like the end of the input, and what is said of that would be wrong.
    if opened.is_err() && interrupt.load(Ordering::Relaxed) {
        bail!(Interrupted);
    }
    opened
}

fn begin(request: &Request, interrupt: &Interrupt) -> Result<(Box<dyn Source>, Inheritance)> {
    let cut = resolve(&request.cut)?;
    if is_url(&request.input) {
        let url = &request.input;
        bail!("URLs are not opened; pipe what is there: ffmpeg -i {url} -c copy -f nut - | warpreel - …");
    }
    let salvage = if request.tolerance == Tolerance::Salvage { Salvage::On } else { Salvage::Off };
    let path = Path::new(&request.input);
    let is_stream = request.input == "-" || fs::metadata(path).is_ok_and(|found| !found.is_file() && !found.is_dir());
    let input = || match request.input.as_str() {
        "-" => Input::stdin(interrupt.clone()),
        _ => Input::file(path, interrupt.clone()),
    };

    if let Some(spec) = &request.raw {
        return Ok((Box::new(Raw::open(input()?, parse_raw(spec)?, cut, salvage)?), None));
    }
    ensure!(path.exists() || !sequence::is_mistyped(path), "open {path:?}: {}", sequence::EXPECTED);
    let medium = if sequence::is_sequence(path) {
        Medium::Path(PathBuf::from(path))
    } else {
        let mut input = input()?;
        if Y4m::recognise(&mut input)? {
            return Ok((Box::new(Y4m::open(input, cut, salvage)?), None));
        }
        if is_stream {
            if input.peek(1)?.is_empty() {
                bail!("{} is empty", input.name());
            }
            let name = if request.input == "-" { input.name() } else { &request.input }.to_owned();
            Medium::Stream(Box::new(input), name)
        } else {
            Medium::Path(PathBuf::from(path))
        }
    };
    let strictness = if request.tolerance == Tolerance::Strict { Strictness::Strict } else { Strictness::Lenient };
    let options = Options {
        start: (!cut.start.is_zero()).then_some(cut.start),
        duration: cut.duration,
        frames: cut.frames,
        strict: strictness,
        salvage,
        threads: request.threads,
        interrupt: interrupt.clone(),
    };
    let container = Container::open(medium, options)?;
    let heritage = container.heritage();
    Ok((Box::new(container), Some(heritage)))
}

/// Whether a name is a URL, such as `http://…`, and nothing of that name lies here.
pub(super) fn is_url(name: &str) -> bool {
    let is_scheme = |scheme: &str| {
        scheme.starts_with(|letter: char| letter.is_ascii_alphabetic())
            && scheme.bytes().all(|byte| byte.is_ascii_alphanumeric() || b"+.-".contains(&byte))
    };
    name.split_once("://").is_some_and(|(scheme, _)| is_scheme(scheme)) && !Path::new(name).exists()
}

/// What raw frames are.
fn parse_raw(spec: &str) -> Result<RawSpec, Usage> {
    spec.parse::<RawSpec>().context("--raw").map_err(Usage::of)
}

/// The part of the clip in numbers.
fn resolve(cut: &TypedCut) -> Result<source::Cut, Usage> {
    let parse = |text: &str, option| time::parse(text, option).map_err(Usage::of);
    let parsed = |text: &Option<String>, option| text.as_deref().map(|text| parse(text, option)).transpose();
    Ok(source::Cut {
        start: parsed(&cut.start, "--start")?.unwrap_or_default(),
        duration: parsed(&cut.duration, "--duration")?,
        frames: cut.frames,
    })
}
