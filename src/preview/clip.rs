//! What the clip is, as the page wants it.

use std::ffi::OsStr;
use std::path::Path;

use serde::Serialize;

use crate::filter::letter;
use crate::frame::{Family, Format, Range, Sample};
use crate::job::{FieldChoice, ReelLength, Request, Tolerance};
use crate::source::Concealing;

/// The clip.
#[derive(Serialize)]
pub(super) struct ClipAnswer<'a> {
    version: &'static str,
    /// The file's name alone.
    name: String,
    /// As it was typed.
    input: &'a str,
    #[serde(flatten)]
    shape: ShapeAnswer,
    pixel: PixelAnswer,
    colour: ColourAnswer,
    rate: Option<f64>,
    frames: Option<u64>,
    known: bool,
    /// Whether `frames` and `known` stay as they are.
    settled: bool,
    /// The chain of the command line.
    chain: &'a str,
    /// A name for the output.
    output: String,
    backend: String,
    /// What was typed beside the chain and belongs to a command that does the same.
    options: Vec<String>,
}

/// What a chain may change of frames.
#[derive(Serialize)]
pub(super) struct ShapeAnswer {
    format: String,
    width: usize,
    height: usize,
    planes: Vec<PlaneAnswer>,
    /// Width of a pixel over its height.
    aspect: Option<f64>,
}

impl ShapeAnswer {
    /// Of frames of a format.
    pub(super) fn of(format: &Format) -> Self {
        let Format { pixel, width, height, aspect, .. } = *format;
        let plane = |plane: usize| {
            let (width, height) = format.plane_size(plane);
            PlaneAnswer { letter: letter(pixel, plane), width, height, bytes: width * height * pixel.sample.bytes() }
        };
        let planes = (0..pixel.planes()).map(plane).collect();
        Self { format: format.to_string(), width, height, planes, aspect: aspect.value() }
    }
}

#[derive(Serialize)]
struct PixelAnswer {
    name: String,
    family: &'static str,
    alpha: bool,
    sample: &'static str,
    depth: u8,
    peak: f32,
}

#[derive(Serialize)]
struct PlaneAnswer {
    letter: char,
    width: usize,
    height: usize,
    bytes: usize,
}

#[derive(Serialize)]
struct ColourAnswer {
    matrix: u8,
    range: &'static str,
}

impl<'a> ClipAnswer<'a> {
    /// A clip of that format, as far as it is known.
    pub(super) fn new(
        request: &'a Request,
        format: &Format,
        length: ReelLength,
        chain: &'a str,
        backend: String,
    ) -> Self {
        let Format { pixel, colour, rate, .. } = *format;
        let family = match pixel.family {
            Family::Gray => "gray",
            Family::Yuv => "yuv",
            Family::Rgb => "rgb",
        };
        let sample = match pixel.sample {
            Sample::U8 => "u8",
            Sample::U16 => "u16",
            Sample::F32 => "f32",
        };
        let range = match colour.range {
            Range::Unspecified => "unspecified",
            Range::Limited => "limited",
            Range::Full => "full",
        };
        let (name, output) = names(&request.input);
        let (alpha, depth, peak) = (pixel.alpha, pixel.depth, pixel.peak());
        Self {
            version: env!("CARGO_PKG_VERSION"),
            name,
            input: &request.input,
            shape: ShapeAnswer::of(format),
            pixel: PixelAnswer { name: pixel.name(), family, alpha, sample, depth, peak },
            colour: ColourAnswer { matrix: colour.matrix, range },
            rate: rate.value(),
            frames: length.frames,
            known: length.is_known,
            settled: length.is_settled,
            chain,
            output,
            backend,
            options: options(request),
        }
    }
}

/// The input's name, and one for an output beside it.
fn names(input: &str) -> (String, String) {
    let path = Path::new(input);
    let text = |part: Option<&OsStr>| part.map(|part| part.to_string_lossy().into_owned());
    let name = text(path.file_name()).unwrap_or_else(|| input.to_owned());
    let stem = text(path.file_stem()).filter(|_| input != "-" && !input.contains('%'));
    let ending = text(path.extension()).unwrap_or_else(|| "mp4".to_owned());
    let output = path.with_file_name(format!("{}.filtered.{ending}", stem.as_deref().unwrap_or("clip")));
    (name, output.to_string_lossy().into_owned())
}

/// Options of a command line.
fn options(request: &Request) -> Vec<String> {
    let Request { raw, fps, cut, border, planes, fields, tolerance, .. } = request;
    let frames = cut.frames.map(|frames| frames.to_string());
    let fields = match fields {
        FieldChoice::Auto => None,
        FieldChoice::Frame => Some("frame".to_owned()),
        FieldChoice::Separate => Some("separate".to_owned()),
    };
    let with_value = [
        ("--raw", raw),
        ("--fps", fps),
        ("--start", &cut.start),
        ("--end", &cut.end),
        ("--duration", &cut.duration),
        ("--frames", &frames),
        ("--border", border),
        ("--planes", planes),
        ("--fields", &fields),
    ];
    let mut options: Vec<String> = Vec::new();
    for (name, value) in with_value {
        options.extend(value.iter().flat_map(|value| [name.to_owned(), value.clone()]));
    }
    options.extend(match tolerance {
        Tolerance::Strict => Some("--strict".to_owned()),
        Tolerance::Salvage => Some("--salvage".to_owned()),
        Tolerance::Normal => None,
    });
    options.extend((request.conceal == Concealing::On).then(|| "--conceal".to_owned()));
    options
}
