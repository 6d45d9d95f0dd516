//! Which source reads the input: what was typed, the kind of file, and its first bytes decide.

use std::collections::BTreeMap;
use std::fs;
use std::io::{self, IsTerminal};
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::Duration;

use anyhow::{Context, Result, anyhow, bail, ensure};

use super::interrupted::Interrupted;
use super::kind::OutputKind;
use super::network::{self, check_is_no_address};
use super::request::{Request, Tolerance, TypedCut};
use super::time;
use super::usage::Usage;
use crate::filter::{find, nearest};
use crate::frame::DecodingDevice;
use crate::libav::address::Address;
use crate::libav::{SourceInfo, Strictness};
use crate::sequence::{self, FoundSequence, Pattern};
use crate::shell::quoted;
use crate::source::container::{self, Container, Medium, Options};
use crate::source::raw::{Raw, RawSpec, parse_rate};
use crate::source::y4m::Y4m;
use crate::source::{CancelToken, Cut, CutPoint, Input, Salvage, Source};

/// What to type for frames that are nothing but samples.
const RAW: &str = "raw frames need --raw FORMAT:WxH@FPS, as --raw yuv420p:1280x720@25";

/// What to type where a pipe brings a file whose end has to be read first.
const INDEX: &str = "an mp4 with its index at the end cannot be read from a pipe: name the file, or pipe \
                     ffmpeg -i IN -c copy -f nut -";

/// What to type where FFmpeg's reader goes back to the beginning of a pipe.
const GIF: &str = "FFmpeg reads only small GIFs from a pipe; name the file instead";

/// What a container's sink inherits from a container's source.
pub(super) type Inheritance = Option<Arc<SourceInfo>>;

/// Opens the input, and returns what a container's sink can inherit from it.
pub(super) fn open(request: &Request, interrupt: &CancelToken) -> Result<(Box<dyn Source>, Inheritance)> {
    open_on(request, interrupt, None)
}

/// The same for a clip whose frames come to lie on a device, as far as that knows how they are coded.
pub(super) fn open_on(
    request: &Request,
    interrupt: &CancelToken,
    device: Option<Arc<dyn DecodingDevice>>,
) -> Result<(Box<dyn Source>, Inheritance)> {
    check_is_no_address(&request.input)?;
    open_once(request, interrupt, device)
}

/// The same for an input that is opened once, which may be an address too.
pub(super) fn open_once(
    request: &Request,
    interrupt: &CancelToken,
    device: Option<Arc<dyn DecodingDevice>>,
) -> Result<(Box<dyn Source>, Inheritance)> {
    let opened = begin(request, interrupt, device);
    // An interrupt looks like the end of the input, and what is said of that would be wrong.
    if opened.is_err() && interrupt.is_cancelled() {
        bail!(Interrupted);
    }
    opened
}

/// Refuses the name of a file that is not there, in the system's kind of error.
///
/// # Errors
/// That, and how to look.
fn check_exists(path: &Path) -> Result<()> {
    let Err(error) = path.symlink_metadata() else { return Ok(()) };
    if error.kind() != io::ErrorKind::NotFound {
        return Ok(());
    }
    let folder = path.parent().filter(|folder| !folder.as_os_str().is_empty()).unwrap_or_else(|| Path::new("."));
    let names = path.to_str().unwrap_or_default().split_once(' ').filter(|(first, _)| Path::new(first).is_file());
    if let Some((first, rest)) = names {
        let what = format!("there is no such file; names are quoted one by one: type warpreel {first} {rest}");
        return Err(io::Error::new(io::ErrorKind::NotFound, what)).with_context(|| format!("open {path:?}"));
    }
    let what = match folder.is_dir() {
        true => format!("there is no such file; list the folder with: ls {}", quoted(&folder.to_string_lossy())),
        false => format!("there is no folder {folder:?}; name a file that exists"),
    };
    Err(io::Error::new(io::ErrorKind::NotFound, what)).with_context(|| format!("open {path:?}"))
}

/// The file beside one that is not there whose name looks most like it, if any does.
fn nearest_file(missing: &Path) -> Option<PathBuf> {
    let name = missing.file_name()?.to_str()?;
    if missing.try_exists().unwrap_or(true) || sequence::is_sequence(missing) {
        return None;
    }
    let folder = missing.parent().filter(|folder| !folder.as_os_str().is_empty());
    let files = fs::read_dir(folder.unwrap_or(Path::new("."))).ok()?;
    let names: Vec<String> = files.filter_map(|file| file.ok()?.file_name().into_string().ok()).collect();
    let is_complete = |found: &&str| Path::new(found).file_stem().is_some_and(|stem| stem == name);
    let near = nearest(name, names.iter().map(String::as_str));
    near.or_else(|| names.iter().map(String::as_str).find(is_complete)).map(|near| missing.with_file_name(near))
}

/// Refuses a chain where a clip is due.
///
/// # Errors
/// If no file has that name, and it begins with the name of a filter.
pub fn check_is_no_chain(input: &str) -> Result<()> {
    let name = input.split(['=', ',', ':']).next().unwrap_or_default().trim();
    let is_chain = find(name).is_some() && !Path::new(input).exists();
    let chain = || quoted(input);
    ensure!(!is_chain, Usage::of(anyhow!("no file is called {input:?}; put the chain behind -f: -f {}", chain())));
    Ok(())
}

/// Advice for a folder that is no sequence of images.
fn each_clip(folder: &Path) -> String {
    let is_file = |entry: fs::DirEntry| entry.path().is_file();
    match fs::read_dir(folder).into_iter().flatten().flatten().any(is_file) {
        true => format!("to filter each video in it, type warpreel {} OUTDIR/", quoted(&folder.to_string_lossy())),
        false => "name a clip".to_owned(),
    }
}

/// Refuses a name that stands for several files, and says which sequence of images it leads to.
fn check_several(path: &Path, output: &str) -> Result<()> {
    let is_folder = path.is_dir();
    let is_pattern = path.to_str().is_some_and(|name| name.contains(['*', '?'])) && !path.exists();
    let is_missed = sequence::is_sequence(path);
    let is_there = |folder: &Path| folder.as_os_str().is_empty() || folder.is_dir();
    let found = match (is_folder || is_pattern, is_missed) {
        (true, _) => FoundSequence::of(path),
        // A pattern that no file fits, beside images that another fits.
        (false, true) if path.parent().is_some_and(is_there) && Pattern::of(path).is_some_and(|it| !it.is_in(path)) => {
            let folder = path.parent().filter(|folder| !folder.as_os_str().is_empty());
            FoundSequence::of(folder.unwrap_or(Path::new(".")))
        }
        _ => return Ok(()),
    };
    let what = match (is_folder, is_missed) {
        (true, _) => "is a folder",
        (false, true) => "fits no file",
        (false, false) => "is no file",
    };
    match found {
        Some(found) => bail!("{path:?} {what}; {}", found.advice(output)),
        None if is_folder => bail!("{path:?} is a folder without numbered images; {}", each_clip(path)),
        None if is_pattern => bail!("no numbered images fit {path:?}; type it without quotes, and -o DIR behind it"),
        None => Ok(()),
    }
}

/// Whether an input is read once, from its beginning: a pipe, a device, or an address.
pub(super) fn is_stream(input: &str) -> bool {
    input == "-" || Address::is(input) || fs::metadata(input).is_ok_and(|found| !found.is_file() && !found.is_dir())
}

fn begin(
    request: &Request,
    interrupt: &CancelToken,
    device: Option<Arc<dyn DecodingDevice>>,
) -> Result<(Box<dyn Source>, Inheritance)> {
    let cut = resolve(&request.cut)?;
    let salvage = if request.tolerance == Tolerance::Salvage { Salvage::On } else { Salvage::Off };
    let path = Path::new(&request.input);
    let is_stream = is_stream(&request.input);
    ensure!(
        request.input != "-" || !io::stdin().is_terminal(),
        Usage::of(anyhow!(
            "stdin is a terminal; name a clip, or pipe one in: ffmpeg -i IN -f yuv4mpegpipe - | warpreel - OUT"
        ))
    );
    let live = network::input(request)?;
    if request.input != "-" && live.is_none() {
        check_is_no_chain(&request.input)?;
        check_several(path, &request.output)?;
    }
    if let Some(near) = nearest_file(path).filter(|_| request.input != "-" && live.is_none()) {
        let what = format!("there is no such file; did you mean {near:?}?");
        return Err(io::Error::new(io::ErrorKind::NotFound, what)).with_context(|| format!("open {path:?}"));
    }
    if request.input != "-" && live.is_none() && !sequence::is_sequence(path) && !sequence::is_mistyped(path) {
        check_exists(path)?;
    }
    let input = || match request.input.as_str() {
        "-" => Input::stdin(interrupt.clone()),
        _ => Input::file(path, interrupt.clone()),
    };

    let rate = request.fps.as_deref().map(|text| parse_rate(text).context("--fps").map_err(Usage::of)).transpose()?;
    if let Some(spec) = &request.raw {
        let spec = parse_raw(spec)?;
        let spec = RawSpec { rate: rate.unwrap_or(spec.rate), ..spec };
        return Ok((Box::new(Raw::open(input()?, spec, cut, salvage)?), None));
    }
    if let Some(typed) = request.fps.as_deref().filter(|_| live.is_some() || !sequence::is_sequence(path)) {
        let (name, fault) = (&request.input, "has its own timestamps; --fps is for image sequences and --raw");
        bail!(Usage::of(anyhow!("{name:?} {fault}; to change the rate, type -f fps={typed}")));
    }
    ensure!(live.is_some() || path.exists() || !sequence::is_mistyped(path), "open {path:?}: {}", sequence::EXPECTED);
    let mut advice = None;
    let medium = if let Some(live) = live {
        Medium::Live(live)
    } else if sequence::is_sequence(path) {
        Medium::Path(PathBuf::from(path))
    } else {
        let mut input = input()?;
        if Y4m::recognise(&mut input)? {
            return Ok((Box::new(Y4m::open(input, cut, salvage)?), None));
        }
        if is_stream {
            if input.peek(1)?.is_empty() {
                bail!("{} is empty; name a clip, or pipe one in", input.name());
            }
            let begin = input.peek(8)?;
            advice = Some(match begin {
                _ if begin.get(4..8) == Some(b"ftyp") => INDEX,
                _ if begin.starts_with(b"GIF8") => GIF,
                _ => RAW,
            });
            let name = if request.input == "-" { input.name() } else { &request.input }.to_owned();
            Medium::Stream(Box::new(input), name)
        } else {
            let is_raw = OutputKind::of(&request.input, None) == OutputKind::Raw;
            ensure!(!is_raw, Usage::of(anyhow!("{path:?} holds raw frames without a header; {RAW}")));
            Medium::Path(PathBuf::from(path))
        }
    };
    let strictness = if request.tolerance == Tolerance::Strict { Strictness::Strict } else { Strictness::Lenient };
    let options = Options {
        rate,
        video: request.video,
        threads: request.threads.decoders(),
        device,
        interrupt: interrupt.clone(),
        ..Options::default()
    };
    let (start, duration) = times(&cut, &medium, request, &options)?;
    let options = Options {
        start: (!start.is_zero()).then_some(start),
        duration,
        frames: cut.frames,
        strict: strictness,
        salvage,
        conceal: request.conceal,
        ..options
    };
    let container = Container::open(medium, options).map_err(|error| match advice {
        Some(advice) => anyhow!("{error:#}; {advice}"),
        None => error,
    })?;
    let source_info = container.source_info();
    Ok((Box::new(container), Some(source_info)))
}

/// When a part of a container begins, and how long it lasts. Where it is told in frames, the clip is decoded to find when
/// they are shown: their times may be anything.
fn times(cut: &Cut, medium: &Medium, request: &Request, options: &Options) -> Result<(Duration, Option<Duration>)> {
    let frames = [Some(cut.start), cut.end].map(|moment| match moment {
        Some(CutPoint::Frame(number)) => Some(number),
        _ => None,
    });
    let mut known = BTreeMap::from([(0, Duration::ZERO)]);
    if let Some(last) = frames.into_iter().flatten().max().filter(|last| *last > 0) {
        let Medium::Path(path) = medium else {
            bail!(Usage::of(anyhow!("frames in a piped container are not counted; type times, as in --start 2.5")));
        };
        known = container::frame_times(path, options.clone(), last)?;
    }
    let shown = |moment| match moment {
        CutPoint::Time(time) => Some(time),
        CutPoint::Frame(number) => known.get(&number).copied(),
    };
    let name = &request.input;
    let start = shown(cut.start).with_context(|| format!("{name:?} ends before --start; name an earlier frame"))?;
    let until_end = cut.end.and_then(shown).map(|end| end.saturating_sub(start));
    Ok((start, until_end.into_iter().chain(cut.duration).min()))
}

/// What raw frames are.
fn parse_raw(spec: &str) -> Result<RawSpec, Usage> {
    spec.parse::<RawSpec>().context("--raw").map_err(Usage::of)
}

/// The part of the clip in numbers.
pub(super) fn resolve(cut: &TypedCut) -> Result<Cut, Usage> {
    let moment = |text: &Option<String>, option| {
        text.as_deref().map(|text| time::parse_point(text, option).map_err(Usage::of)).transpose()
    };
    let (start, end) = (moment(&cut.start, "--start")?.unwrap_or_default(), moment(&cut.end, "--end")?);
    let is_empty = match (start, end) {
        (CutPoint::Time(start), Some(CutPoint::Time(end))) => end <= start,
        (CutPoint::Frame(start), Some(CutPoint::Frame(end))) => end <= start,
        _ => false,
    };
    if is_empty {
        let [start, end] = [&cut.start, &cut.end].map(|text| text.as_deref().unwrap_or("0"));
        return Err(Usage::of(anyhow!("--end {end} is before --start {start}; type a later end, or --duration")));
    }
    let duration =
        cut.duration.as_deref().map(|text| time::parse(text, "--duration").map_err(Usage::of)).transpose()?;
    Ok(Cut { start, end, duration, frames: cut.frames })
}
