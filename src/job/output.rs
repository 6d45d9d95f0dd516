//! Which sink writes the output: its name and `--container` decide.

use std::path::Path;
use std::sync::Arc;

use anyhow::{Context, Result, anyhow, bail, ensure};

use super::input::is_url;
use super::nonempty::NonEmpty;
use super::{Encoding, Inheritance, Request, Tolerance, Usage};
use crate::frame::Format;
use crate::libav::Strictness;
use crate::sink::container::{Container, Fidelity, Place, is_sequence};
use crate::sink::hash::Hash;
use crate::sink::null::Null;
use crate::sink::raw::{Raw, repacked};
use crate::sink::target::{is_direct, same_place};
use crate::sink::y4m::Y4m;
use crate::sink::{self, Output, Sink, Target};
use crate::source::{Interrupt, Source};

/// What the output's name and `--container` ask for.
enum Kind<'a> {
    Null,
    Hash(Option<&'a Path>),
    Y4m,
    Raw,
    Container,
}

fn kind(request: &Request) -> Kind<'_> {
    let output = request.output.as_str();
    if output == "null:" {
        return Kind::Null;
    }
    if let Some(path) = output.strip_prefix("hash:") {
        return Kind::Hash((!path.is_empty()).then(|| Path::new(path)));
    }
    let extension = Path::new(output).extension().and_then(|extension| extension.to_str()).unwrap_or_default();
    match (request.encoding.container.as_deref(), extension.to_ascii_lowercase().as_str()) {
        (Some("y4m" | "yuv4mpegpipe"), _) | (None, "y4m") => Kind::Y4m,
        (Some("raw" | "rawvideo"), _) | (None, "raw" | "yuv" | "rgb" | "gray") => Kind::Raw,
        (None, _) if output == "-" => Kind::Y4m,
        _ => Kind::Container,
    }
}

/// Refuses what would destroy the input, and options that the output has no use for.
pub(super) fn check(request: &Request) -> Result<()> {
    let Request { input, output, encoding, .. } = request;
    let written = output.strip_prefix("hash:").unwrap_or(output);
    ensure!(
        !is_url(written),
        "URLs are not opened; pipe what is to go there: warpreel … --container nut - | ffmpeg -i - -c copy … {written}"
    );
    ensure!(
        input == "-" || !same_place(Path::new(input), Path::new(written)),
        "input and output are the same file, {input:?}; name another output"
    );
    for file in request.chain_files() {
        ensure!(
            !same_place(Path::new(&file), Path::new(written)),
            "{output:?} would replace {file:?}, which the chain reads; name another output"
        );
    }
    parse_options(encoding)?;
    if !matches!(kind(request), Kind::Container) {
        let Encoding { codec, crf, preset, bitrate, pix_fmt, lossless: _, container: _, options } = encoding;
        let unused = [
            (codec.is_some(), "--codec"),
            (crf.is_some(), "--crf"),
            (preset.is_some(), "--preset"),
            (bitrate.is_some(), "--bitrate"),
            (pix_fmt.is_some() && !matches!(kind(request), Kind::Y4m | Kind::Raw), "--pix-fmt"),
            (!options.is_empty(), "--encoder-option"),
        ];
        if let Some((_, option)) = unused.iter().find(|(given, _)| *given) {
            let fault = format!("{option} has no use, as {output:?} is not encoded");
            bail!(Usage::of(anyhow!("{fault}; name a file such as out.mkv, or leave it out")));
        }
    }
    Ok(())
}

/// Starts the output. A file that would hold no frame is not written; what flows on, to stdout or into a pipe, may well
/// be empty.
pub(super) fn create(
    request: &Request,
    source: &dyn Source,
    inheritance: Inheritance,
    interrupt: &Interrupt,
) -> Result<Box<dyn Sink>> {
    let sink = begin(request, source, inheritance)?;
    let written = request.output.strip_prefix("hash:").unwrap_or(&request.output);
    let flows = ["", "-", "null:"].contains(&written) || is_direct(Path::new(written));
    Ok(if flows { sink } else { Box::new(NonEmpty::new(sink, request, interrupt)) })
}

fn begin(request: &Request, source: &dyn Source, inheritance: Inheritance) -> Result<Box<dyn Sink>> {
    let format = source.format();
    let strict = strictness(request);
    let target = |path: &Path| Target::create(path, request.overwrite);
    let output = || match request.output.as_str() {
        "-" => Output::stdout(),
        path => Output::file(target(Path::new(path))?),
    };
    if let (Kind::Y4m | Kind::Raw, Some(heritage)) = (kind(request), &inheritance) {
        for stream in heritage.companions() {
            let loss = format!("{stream} is left out: y4m and raw frames are video alone");
            sink::lose(&loss, Some("take .mkv or --container nut"), strict)?;
        }
    }
    Ok(match kind(request) {
        Kind::Null => Box::new(Null),
        Kind::Hash(None) => Box::new(Hash::create(Output::stdout()?, format)?.strict(format, strict)),
        Kind::Hash(Some(path)) => Box::new(Hash::create(Output::file(target(path)?)?, format)?.strict(format, strict)),
        Kind::Y4m => {
            if let Some(wanted) = &request.encoding.pix_fmt {
                let stored = repacked(wanted, format)?;
                ensure!(
                    stored.is_planar_native(),
                    "y4m has planes, not {wanted}; leave out --pix-fmt, or add --container raw"
                );
            }
            Box::new(Y4m::create(output()?, format)?.strict(strict))
        }
        Kind::Raw => {
            let stored = match (&request.encoding.pix_fmt, source.stored()) {
                (Some(wanted), _) => Some(repacked(wanted, format)?),
                (None, Some(found)) if !found.is_lossless() => {
                    log::warn!("raw frames are {}, as {} is only read", format.pixel.name(), found.name());
                    None
                }
                (None, found) => found,
            };
            let raw = Raw::create(output()?)?.strict(format, strict);
            Box::new(match stored {
                Some(stored) => raw.stored(stored, format)?,
                None => raw,
            })
        }
        Kind::Container => container(request, format, inheritance)?,
    })
}

/// A container, in a file, a sequence of files, or on stdout.
fn container(request: &Request, format: &Arc<Format>, inheritance: Inheritance) -> Result<Box<dyn Sink>> {
    let encoding = encoding(request)?;
    if request.output == "-" {
        let output = Output::stdout()?;
        output.ensure_not_terminal()?;
        let name = output.name().to_owned();
        let place = Place::Stream(Box::new(output), name);
        return Ok(Box::new(Container::create(place, format, inheritance, &encoding)?));
    }
    let path = Path::new(&request.output);
    let is_sequence = is_sequence(path, encoding.container.as_deref()).with_context(|| format!("write {path:?}"))?;
    let target = match is_sequence {
        true => Target::sequence(path, request.overwrite)?,
        false => Target::create(path, request.overwrite)?,
    };
    let place = Place::File { write_to: target.write_path().to_owned(), named: path.to_owned() };
    let container = Container::create(place, format, inheritance, &encoding)?;
    Ok(Box::new(sink::Guarded::new(Box::new(container), target)))
}

fn strictness(request: &Request) -> Strictness {
    if request.tolerance == Tolerance::Strict { Strictness::Strict } else { Strictness::Lenient }
}

/// What the container's sink is told.
fn encoding(request: &Request) -> Result<sink::container::Encoding> {
    let options = parse_options(&request.encoding)?;
    let Encoding { codec, crf, preset, bitrate, pix_fmt, lossless, container, options: _ } = request.encoding.clone();
    Ok(sink::container::Encoding {
        codec,
        crf,
        preset,
        bitrate,
        pix_fmt,
        fidelity: if lossless { Fidelity::Lossless } else { Fidelity::Lossy },
        container,
        options,
        strict: strictness(request),
        threads: request.threads,
    })
}

/// The encoder's own options, each with its name.
fn parse_options(encoding: &Encoding) -> Result<Vec<(String, String)>, Usage> {
    let parse = |option: &String| {
        let expected = "is not of the form KEY=VALUE; type --encoder-option tune=grain";
        let (key, value) = option.split_once('=').with_context(|| format!("--encoder-option {option:?} {expected}"))?;
        Ok((key.to_owned(), value.to_owned()))
    };
    encoding.options.iter().map(parse).collect::<Result<_>>().map_err(Usage::of)
}
