//! The sink that writes the output, and what it refuses.

use std::path::Path;
use std::sync::Arc;

use anyhow::{Context, Result, anyhow, bail, ensure};

use super::input::Inheritance;
use super::junction::Joint;
use super::kind::{Destination, OutputKind};
use super::network;
use super::nonempty::NonEmpty;
use super::request::{Request, Tolerance};
use super::usage::Usage;
use crate::frame::{Family, Format, Turn, Turner};
use crate::libav::address::Address;
use crate::libav::{SourceInfo, Stored, Strictness};
use crate::sink::container::{self, Container, ExtraVideo, Feed, is_sequence};
use crate::sink::encoding::Encoding;
use crate::sink::fate::StreamFate;
use crate::sink::hash::Hash;
use crate::sink::null::Null;
use crate::sink::raw::{Raw, holds};
use crate::sink::target::{is_direct, same_place};
use crate::sink::y4m::Y4m;
use crate::sink::{self, Converted, Output, Punctual, Sink, Target, Turned};
use crate::source::Source;

/// Refuses what would destroy the input, and options that the output has no use for.
pub(super) fn check(request: &Request) -> Result<()> {
    let Request { input, output, encoding, .. } = request;
    if let Destination::Path(path) = request.destination() {
        let written = path.display().to_string();
        ensure!(
            !written.ends_with('/') && !path.is_dir(),
            "{output:?} is a folder; to keep the input's name in it, type -o {written}"
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
        if let Some(file) = request.files_read().find(path, request.writes_sequence()) {
            bail!("{output:?} would replace {file:?}, which is read; name another output, or another folder");
        }
    }
    let is_sink = request.destination() == Destination::Path(Path::new("/dev/null")) && encoding.container.is_none();
    ensure!(
        !is_sink,
        Usage::of(anyhow!("type null: for /dev/null to discard frames; add --container to encode anyway"))
    );
    let kind = request.kind();
    if kind != OutputKind::Container
        && let Some(option) = encoding.needless(kind.is_plain())
    {
        let fault = format!("{option} has no effect: {output:?} is not encoded");
        bail!(Usage::of(anyhow!("{fault}; name a file such as out.mkv, or leave it out")));
    }
    Ok(())
}

/// What an output is wanted for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Errand {
    /// To be written.
    Run,
    /// To learn what would be written; nothing is made.
    DryRun,
}

/// An output that is begun, and what becomes of the input's streams there.
pub(super) struct Begun {
    pub(super) sink: Box<dyn Sink>,
    pub(super) streams: Vec<StreamFate>,
    /// The encoder of a film by FFmpeg's name, if there is one.
    pub(super) encoder: Option<String>,
    /// Whether frames have to lie on the GPU that filters.
    pub(super) reads_device: bool,
}

/// Starts the output, which may get other videos beside its own. A file that would hold no frame is not written; what flows
/// on, to stdout or into a pipe, may well be empty.
pub(super) fn create(
    request: &Request,
    source: &dyn Source,
    joint: Joint,
    inheritance: Inheritance,
    feed: (Feed, Vec<ExtraVideo>),
    errand: Errand,
) -> Result<Begun> {
    let stored = source.stored().and_then(Stored::named);
    if let (Errand::Run, Err(obstacle)) = (errand, free(request)) {
        // What would fail all the same is said first: whoever adds -y, or makes a folder, does not want to come back for it.
        begin(request, &joint.format, stored, inheritance, feed, Errand::DryRun)?;
        return Err(obstacle);
    }
    let begun = begin(request, &joint.format, stored, inheritance, feed, errand)?;
    // A container times its packets.
    let is_timed_here = source.live().is_some() && request.kind() != OutputKind::Container;
    let sink = if is_timed_here { Box::new(Punctual::new(begun.sink)) } else { begun.sink };
    Ok(Begun { sink: nonempty(request, joint.join(sink)), ..begun })
}

/// The same for frames that come from no source of the job's.
pub(super) fn create_alone(
    request: &Request,
    frames: &Arc<Format>,
    stored: Option<Stored>,
    inheritance: Inheritance,
) -> Result<Box<dyn Sink>> {
    Ok(nonempty(request, begin(request, frames, stored, inheritance, (Feed::Host, Vec::new()), Errand::Run)?.sink))
}

/// A sink that makes no file without a frame.
fn nonempty(request: &Request, sink: Box<dyn Sink>) -> Box<dyn Sink> {
    let flows = match request.destination() {
        Destination::Nowhere | Destination::Stdout | Destination::Address(_) => true,
        Destination::Path(path) => is_direct(path),
    };
    if flows { sink } else { Box::new(NonEmpty::new(sink, request)) }
}

/// Why the output cannot be begun as things are, where a dry run goes on all the same.
pub(super) fn obstacle(request: &Request) -> Option<String> {
    free(request).err().map(|error| format!("{error:#}"))
}

/// Refuses an output that may not be begun where it is to be.
fn free(request: &Request) -> Result<()> {
    let Destination::Path(path) = request.destination() else { return Ok(()) };
    Target::check(path, request.writes_sequence(), request.overwrite)
}

/// A sink for frames of a format that the input stored so.
fn begin(
    request: &Request,
    frames: &Arc<Format>,
    stored: Option<Stored>,
    inheritance: Inheritance,
    feed: (Feed, Vec<ExtraVideo>),
    errand: Errand,
) -> Result<Begun> {
    let strict = strictness(request);
    let kind = request.kind();
    // Chunks are turned where they are joined, if at all.
    let upright = Arc::new(Format { turn: Turn::default(), ..Format::clone(frames) });
    let frames = if request.chunk.is_some() && kind != OutputKind::Hash { &upright } else { frames };
    // A container may be able to say how frames are turned.
    let is_turned_here = kind.is_plain() || kind == OutputKind::Hash;
    let turner = if is_turned_here { Turner::new(frames) } else { None };
    let format = turner.as_ref().map_or(frames, Turner::format);
    let output = || match request.destination() {
        _ if errand == Errand::DryRun => Output::nowhere(format!("{:?}", request.output)),
        Destination::Path(path) => Output::file(Target::create(path, request.overwrite)?),
        Destination::Address(address) => bail!("{address:?} takes a container; type --container nut"),
        Destination::Nowhere | Destination::Stdout => Output::stdout(),
    };
    let alone = |video: String| alone(request, inheritance.as_deref(), turner.is_some(), video);
    let pictures = |name: String| format!("{name} {}x{}", format.width, format.height);
    let streams;
    let (mut encoder, mut reads_device) = (None, false);
    let sink: Box<dyn Sink> = match kind {
        OutputKind::Null => {
            streams = alone("filtered and discarded".to_owned())?;
            Box::new(Null)
        }
        OutputKind::Hash => {
            streams = alone(format!("becomes a checksum of each frame, {}", pictures(format.pixel.name())))?;
            Box::new(Hash::create(output()?, format)?.strict(format, strict))
        }
        OutputKind::Y4m => {
            let wanted = request.encoding.pix_fmt.as_deref().map(Stored::parse).transpose()?;
            let name = wanted.map_or_else(|| format.pixel.name(), |stored| stored.pixel().name());
            streams = alone(format!("becomes y4m, {}", pictures(name)))?;
            match wanted {
                Some(stored) => {
                    ensure!(
                        stored.is_planar_native() && stored.pixel().family != Family::Rgb,
                        "y4m has planes of YUV or grey, not {}; type --pix-fmt yuv444p, or add --container raw",
                        stored.name()
                    );
                    let to = Converted::format(stored, format);
                    let y4m = Box::new(Y4m::create(output()?, &to)?.strict(strict));
                    if to.pixel == format.pixel && to.range() == format.range() {
                        y4m
                    } else {
                        log::info!("{} becomes {}", format.pixel.name(), stored.name());
                        Box::new(Converted::new(y4m, stored, format)?)
                    }
                }
                None => Box::new(Y4m::create(output()?, format)?.strict(strict)),
            }
        }
        OutputKind::Raw => {
            let wanted = request.encoding.pix_fmt.as_deref().map(Stored::parse).transpose()?;
            let stored = match (wanted, stored) {
                (Some(wanted), _) => Some(wanted),
                (None, Some(found)) if !found.is_lossless() => {
                    log::warn!("raw frames are written as {}: {} can only be read", format.pixel.name(), found.name());
                    None
                }
                (None, found) => found.filter(|found| found.pixel() == format.pixel),
            };
            let name = stored.map_or_else(|| format.pixel.name(), |stored| stored.name().to_owned());
            streams = alone(format!("becomes raw frames, {}", pictures(name)))?;
            if wanted.is_some_and(|wanted| !holds(wanted, format)) {
                let name = || Some("rawvideo".to_owned());
                let encoding = Encoding { codec: name(), container: name(), ..request.encoding.clone() };
                contain(request, &encoding, format, None, (Feed::Host, Vec::new()), errand)?.sink
            } else {
                let raw = Raw::create(output()?)?.strict(format, strict);
                Box::new(match stored {
                    Some(stored) => raw.stored(stored, format)?,
                    None => raw,
                })
            }
        }
        OutputKind::Container => {
            let begun = contain(request, &request.encoding, format, inheritance, feed, errand)?;
            streams = begun.streams;
            (encoder, reads_device) = (begun.encoder, begun.reads_device);
            begun.sink
        }
    };
    let Some(turner) = turner else { return Ok(Begun { sink, streams, encoder, reads_device }) };
    log::info!("the frames are {}: this output has no rotation tag", frames.turn);
    Ok(Begun { sink: Box::new(Turned::new(sink, turner)), streams, encoder, reads_device })
}

/// What becomes of the streams where pictures are alone, which is said where they are stored.
fn alone(
    request: &Request,
    source_info: Option<&SourceInfo>,
    is_turned: bool,
    video: String,
) -> Result<Vec<StreamFate>> {
    let video = if is_turned { format!("turned, {video}") } else { video };
    let Some(source_info) = source_info else { return Ok(vec![StreamFate::new("video", video)]) };
    let is_stored = request.kind().is_plain();
    let wishes = &request.encoding.wishes;
    if is_stored {
        wishes.check(source_info)?;
    }
    let mut fates = Vec::new();
    for index in 0..source_info.count() {
        let name = source_info.title(index);
        let fate = match index {
            _ if index == source_info.video => &video,
            _ if !wishes.want(source_info, index) => "dropped, as requested",
            _ if is_stored => "dropped: y4m and raw frames hold video only",
            _ => "dropped: it is not a frame of the video",
        };
        if is_stored && index != source_info.video && wishes.want(source_info, index) {
            sink::lose(&format!("{name} is {fate}"), Some("take .mkv or --container nut"), strictness(request))?;
        }
        fates.push(StreamFate::new(name, fate));
    }
    Ok(fates)
}

/// A container, in a file, a sequence of files, or on stdout, whose pictures come as `feed` says, and what becomes of
/// the streams in it.
fn contain(
    request: &Request,
    encoding: &Encoding,
    format: &Arc<Format>,
    inheritance: Inheritance,
    (feed, extras): (Feed, Vec<ExtraVideo>),
    errand: Errand,
) -> Result<Begun> {
    let (strict, threads) = (strictness(request), request.threads.encode);
    let is_live = matches!(request.destination(), Destination::Address(_));
    let encoding = Encoding { strict, threads, is_chunk: request.chunk.is_some(), is_live, ..encoding.clone() };
    let make = |encoding: &Encoding, place| {
        let container = Container::beside(place, format, inheritance, encoding, feed, extras)?;
        let (streams, encoder) = (container.fates().to_vec(), container.encoder().map(str::to_owned));
        let reads_device = container.reads_device();
        anyhow::Ok(Begun { sink: Box::new(container), streams, encoder, reads_device })
    };
    if let Destination::Address(address) = request.destination() {
        let (address, timeout) = (Address::to_write(address)?, network::timeout(request)?);
        let is_dry_run = errand == Errand::DryRun;
        return make(&encoding, container::Place::Live { address, timeout, is_dry_run });
    }
    let Destination::Path(path) = request.destination() else {
        let output = Output::stdout()?;
        let named = output.name().to_owned();
        if errand == Errand::DryRun {
            return make(&encoding, container::Place::Nowhere { named, is_stream: true });
        }
        output.ensure_not_terminal()?;
        return make(&encoding, container::Place::Stream(Box::new(output), named));
    };
    let is_sequence = is_sequence(path, encoding.container.as_deref()).with_context(|| format!("write {path:?}"))?;
    if errand == Errand::DryRun {
        let named = path.display().to_string();
        return make(&encoding, container::Place::Nowhere { named, is_stream: false });
    }
    let target = match is_sequence {
        true => Target::sequence(path, request.overwrite)?,
        false => Target::create(path, request.overwrite)?,
    };
    let place = container::Place::File { write_to: target.write_path().to_owned(), named: path.to_owned() };
    let begun = make(&encoding, place)?;
    Ok(Begun { sink: Box::new(sink::Guarded::new(begun.sink, target)), ..begun })
}

pub(super) fn strictness(request: &Request) -> Strictness {
    if request.tolerance == Tolerance::Strict { Strictness::Strict } else { Strictness::Lenient }
}
