//! What the clip is, as the page wants it.

use std::path::Path;

use serde::Serialize;

use super::still;
use crate::filter::letter;
use crate::frame::{Family, FieldOrder, Format, Range, Sample};
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
    /// Remarks on the clip, such as `interlaced, top field first`.
    notes: Vec<String>,
    /// Whether it is shown turned, as it was not stored.
    turned: bool,
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
    pixel: PixelAnswer,
    colour: ColourAnswer,
}

impl ShapeAnswer {
    /// Of frames of a format.
    pub(super) fn of(format: &Format) -> Self {
        let Format { pixel, colour, width, height, aspect, .. } = *format;
        let plane = |plane: usize| {
            let (width, height) = format.plane_size(plane);
            PlaneAnswer { letter: letter(pixel, plane), width, height, bytes: width * height * pixel.sample.bytes() }
        };
        let planes = (0..pixel.planes()).map(plane).collect();
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
        let (alpha, depth, peak) = (pixel.alpha, pixel.depth, pixel.peak());
        let pixel = PixelAnswer { name: pixel.name(), family, alpha, sample, depth, peak };
        let colour = ColourAnswer { matrix: colour.matrix, range, hdr: hdr(format) };
        Self { format: format.to_string(), width, height, planes, aspect: aspect.value(), pixel, colour }
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
    /// Transfer function of HDR: `pq` or `hlg`.
    hdr: Option<&'static str>,
}

impl<'a> ClipAnswer<'a> {
    /// A clip of that format, as far as it is known.
    pub(super) fn new(
        request: &'a Request,
        format: &Format,
        length: ReelLength,
        chain: &'a str,
        output: String,
        backend: String,
    ) -> Self {
        let Format { rate, .. } = *format;
        let name = name(&request.input);
        Self {
            version: env!("CARGO_PKG_VERSION"),
            name,
            input: &request.input,
            shape: ShapeAnswer::of(&still::shown(format)),
            notes: notes(format, length),
            turned: !format.turn.is_none(),
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

/// Transfer function of HDR.
fn hdr(format: &Format) -> Option<&'static str> {
    match format.colour.transfer {
        16 => Some("pq"),
        18 => Some("hlg"),
        _ => None,
    }
}

/// Remarks on rotation, fields, HDR and a variable frame rate.
fn notes(format: &Format, length: ReelLength) -> Vec<String> {
    let fields = match format.fields {
        FieldOrder::Unspecified | FieldOrder::Progressive => None,
        FieldOrder::TopFirst => Some("interlaced, top field first"),
        FieldOrder::BottomFirst => Some("interlaced, bottom field first"),
        FieldOrder::Mixed => Some("some frames interlaced"),
    };
    let rate = length.is_variable.then_some("variable frame rate");
    let light = hdr(format).map(|name| if name == "pq" { "HDR (PQ)" } else { "HDR (HLG)" });
    let turn = (!format.turn.is_none()).then(|| format!("{}; filters get it as it is stored", format.turn));
    let plain = [fields, rate, light].into_iter().flatten().map(str::to_owned);
    plain.chain(turn).collect()
}

/// The input's name without its folder.
pub(super) fn name(input: &str) -> String {
    Path::new(input).file_name().map_or_else(|| input.to_owned(), |name| name.to_string_lossy().into_owned())
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
