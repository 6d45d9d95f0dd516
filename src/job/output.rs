//! The sink that writes the output, and what it refuses.

use std::path::Path;
use std::sync::Arc;

use anyhow::{Context, Result, anyhow, bail, ensure};

use super::input::{Inheritance, is_url};
use super::junction::Junction;
use super::kind::{Destination, OutputKind};
use super::nonempty::NonEmpty;
use super::request::{Request, Tolerance};
use super::usage::Usage;
use crate::frame::{Format, Turner};
use crate::libav::{Stored, Strictness};
use crate::sink::container::{self, Container, is_sequence};
use crate::sink::encoding::Encoding;
use crate::sink::hash::Hash;
use crate::sink::null::Null;
use crate::sink::raw::{Raw, repacked};
use crate::sink::target::{is_direct, same_place};
use crate::sink::y4m::Y4m;
use crate::sink::{self, Output, Sink, Target, Turned};
use crate::source::Source;

/// Refuses what would destroy the input, and options that the output has no use for.
pub(super) fn check(request: &Request) -> Result<()> {
    let Request { input, output, encoding, .. } = request;
    if let Destination::Path(path) = request.destination() {
        let written = path.display().to_string();
        ensure!(
            !is_url(&written),
            "URLs are not opened; pipe what is to go there: warpreel … --container nut - | ffmpeg -i - -c copy … {written}"
        );
        ensure!(
            input == "-" || !same_place(Path::new(input), path),
            "input and output are the same file, {input:?}; name another output"
        );
        for file in request.chain_files() {
            ensure!(
                !same_place(Path::new(&file), path),
                "{output:?} would replace {file:?}, which the chain reads; name another output"
            );
        }
    }
    let is_sink = request.destination() == Destination::Path(Path::new("/dev/null")) && encoding.container.is_none();
    ensure!(
        !is_sink,
        Usage::of(anyhow!("to write nothing, type null: for /dev/null; to encode all the same, add --container"))
    );
    let kind = request.kind();
    if kind != OutputKind::Container
        && let Some(option) = encoding.needless(kind.is_plain())
    {
        let fault = format!("{option} has no use, as {output:?} is not encoded");
        bail!(Usage::of(anyhow!("{fault}; name a file such as out.mkv, or leave it out")));
    }
    Ok(())
}

/// Starts the output. A file that would hold no frame is not written; what flows on, to stdout or into a pipe, may well
/// be empty.
pub(super) fn create(
    request: &Request,
    source: &dyn Source,
    junction: Junction,
    inheritance: Inheritance,
) -> Result<Box<dyn Sink>> {
    let sink = begin(request, junction.format(source.format()), source.stored(), inheritance)?;
    let sink = junction.join(sink);
    let flows = match request.destination() {
        Destination::Nowhere | Destination::Stdout => true,
        Destination::Path(path) => is_direct(path),
    };
    Ok(if flows { sink } else { Box::new(NonEmpty::new(sink, request)) })
}

/// A sink for frames of a format that the input stored so.
fn begin(
    request: &Request,
    frames: &Arc<Format>,
    stored: Option<Stored>,
    inheritance: Inheritance,
) -> Result<Box<dyn Sink>> {
    let strict = strictness(request);
    let kind = request.kind();
    // A container may be able to say how frames are turned.
    let is_turned_here = kind.is_plain() || kind == OutputKind::Hash;
    let turner = if is_turned_here { Turner::new(frames) } else { None };
    let format = turner.as_ref().map_or(frames, Turner::format);
    let output = || match request.destination() {
        Destination::Path(path) => Output::file(Target::create(path, request.overwrite)?),
        Destination::Nowhere | Destination::Stdout => Output::stdout(),
    };
    if let Some(heritage) = inheritance.as_ref().filter(|_| kind.is_plain()) {
        let wishes = &request.encoding.wishes;
        wishes.check(heritage)?;
        for index in heritage.companions().filter(|index| wishes.want(heritage, *index)) {
            let loss = format!("{} is left out: y4m and raw frames are video alone", heritage.title(index));
            sink::lose(&loss, Some("take .mkv or --container nut"), strict)?;
        }
    }
    let sink: Box<dyn Sink> = match kind {
        OutputKind::Null => Box::new(Null),
        OutputKind::Hash => Box::new(Hash::create(output()?, format)?.strict(format, strict)),
        OutputKind::Y4m => {
            if let Some(wanted) = &request.encoding.pix_fmt {
                let stored = repacked(wanted, format)?;
                ensure!(
                    stored.is_planar_native(),
                    "y4m has planes, not {wanted}; leave out --pix-fmt, or add --container raw"
                );
            }
            Box::new(Y4m::create(output()?, format)?.strict(strict))
        }
        OutputKind::Raw => {
            let stored = match (&request.encoding.pix_fmt, stored) {
                (Some(wanted), _) => Some(repacked(wanted, format)?),
                (None, Some(found)) if !found.is_lossless() => {
                    log::warn!("raw frames are {}, as {} is only read", format.pixel.name(), found.name());
                    None
                }
                (None, found) => found.filter(|found| found.pixel() == format.pixel),
            };
            let raw = Raw::create(output()?)?.strict(format, strict);
            Box::new(match stored {
                Some(stored) => raw.stored(stored, format)?,
                None => raw,
            })
        }
        OutputKind::Container => contain(request, format, inheritance)?,
    };
    let Some(turner) = turner else { return Ok(sink) };
    log::info!("the frames are {} here, as they cannot say so", frames.turn);
    Ok(Box::new(Turned::new(sink, turner)))
}

/// A container, in a file, a sequence of files, or on stdout.
fn contain(request: &Request, format: &Arc<Format>, inheritance: Inheritance) -> Result<Box<dyn Sink>> {
    let (strict, threads) = (strictness(request), request.threads);
    let encoding = Encoding { strict, threads, ..request.encoding.clone() };
    let Destination::Path(path) = request.destination() else {
        let output = Output::stdout()?;
        output.ensure_not_terminal()?;
        let name = output.name().to_owned();
        let place = container::Place::Stream(Box::new(output), name);
        return Ok(Box::new(Container::create(place, format, inheritance, &encoding)?));
    };
    let is_sequence = is_sequence(path, encoding.container.as_deref()).with_context(|| format!("write {path:?}"))?;
    let target = match is_sequence {
        true => Target::sequence(path, request.overwrite)?,
        false => Target::create(path, request.overwrite)?,
    };
    let place = container::Place::File { write_to: target.write_path().to_owned(), named: path.to_owned() };
    let container = Container::create(place, format, inheritance, &encoding)?;
    Ok(Box::new(sink::Guarded::new(Box::new(container), target)))
}

fn strictness(request: &Request) -> Strictness {
    if request.tolerance == Tolerance::Strict { Strictness::Strict } else { Strictness::Lenient }
}
