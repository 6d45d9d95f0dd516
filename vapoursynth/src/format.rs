//! Formats here and there, and the facts about frames that VapourSynth keeps as their properties.

use std::ffi::c_int;

use anyhow::{Result, bail, ensure};
use warpreel_frame::{Colour, Family, FieldOrder, Format, Pixel, Range, Rational, Sample};

use crate::ffi::{Core, Picture, VideoInfo};

/// `VSColorFamily`.
const GRAY: c_int = 1;
const RGB: c_int = 2;
const YUV: c_int = 3;
/// `VSSampleType`.
const INTEGER: c_int = 0;
const FLOAT: c_int = 1;

/// What filters ask about a clip beyond its format.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Facts {
    /// `_Range` of R74 and later, or `_ColorRange`.
    pub range: Range,
    /// `_FieldBased`.
    pub fields: FieldOrder,
}

impl Facts {
    /// What a frame says.
    pub fn of(picture: &Picture) -> Self {
        // The two properties count the other way round.
        let range = match (picture.property("_Range"), picture.property("_ColorRange")) {
            (Some(1), _) | (None, Some(0)) => Range::Full,
            (Some(0), _) | (None, Some(1)) => Range::Limited,
            _ => Range::Unspecified,
        };
        let fields = match picture.property("_FieldBased") {
            Some(0) => FieldOrder::Progressive,
            Some(1) => FieldOrder::BottomFirst,
            Some(2) => FieldOrder::TopFirst,
            _ => FieldOrder::Unspecified,
        };
        Self { range, fields }
    }
}

/// The format of a clip.
///
/// # Errors
/// If the filters have no such format; says what to do.
pub fn format_of(info: &VideoInfo, facts: Facts) -> Result<Format> {
    let VideoInfo { format, width, height, .. } = *info;
    let is_constant = format.color_family != 0 && width > 0 && height > 0;
    ensure!(is_constant, "the clip's format or size varies; make it constant first, as with resize");
    let bits = format.bits_per_sample;
    let is_known = match format.sample_type {
        INTEGER => (8..=16).contains(&bits),
        FLOAT => bits == 32,
        _ => false,
    };
    let kind = if format.sample_type == FLOAT { "float" } else { "integer" };
    ensure!(
        is_known,
        "the clip has {kind} samples of {bits} bits; convert it with resize to 8 to 16 integer or 32 float bits"
    );
    let family = match format.color_family {
        GRAY => Family::Gray,
        RGB => Family::Rgb,
        YUV => Family::Yuv,
        other => bail!("the clip has the unknown colour family {other}; convert it with resize"),
    };
    let subsampling = [format.sub_sampling_w, format.sub_sampling_h];
    ensure!(
        subsampling.iter().all(|log2| (0..=2).contains(log2)),
        "chroma is subsampled by more than 4; convert the clip with resize"
    );
    let [log2_chroma_w, log2_chroma_h] = subsampling.map(|log2| log2 as u8);
    let depth = bits as u8;
    let pixel = match format.sample_type {
        FLOAT => Pixel { family, alpha: false, log2_chroma_w, log2_chroma_h, sample: Sample::F32, depth },
        _ => Pixel::integer(family, log2_chroma_w, log2_chroma_h, depth),
    };
    let (width, height) = (width as usize, height as usize);
    let most = Format::MAX_SIDE;
    ensure!(width <= most && height <= most, "the clip is {width}x{height}; {most}x{most} is the most");
    let rate = Rational::reduced(info.fps_num.try_into().unwrap_or(0), info.fps_den.try_into().unwrap_or(0));
    // Frames of a clip with a variable rate have no number that filters could ask for.
    let rate = rate.ok().flatten().unwrap_or(Rational::new(25, 1));
    let colour = Colour { range: facts.range, ..Colour::default() };
    Ok(Format { colour, fields: facts.fields, ..Format::new(pixel, width, height, rate) })
}

/// What a clip of a format is in VapourSynth that comes from a clip `like` this: the one place that asks what format
/// comes out.
///
/// # Errors
/// If VapourSynth has no such format.
pub fn info_of(core: Core<'_>, format: &Format, like: &VideoInfo) -> Result<VideoInfo> {
    let pixel = format.pixel;
    ensure!(!pixel.alpha, "VapourSynth has no format with opacity");
    let family = match pixel.family {
        Family::Gray => GRAY,
        Family::Rgb => RGB,
        Family::Yuv => YUV,
    };
    let kind = if pixel.sample == Sample::F32 { FLOAT } else { INTEGER };
    let subsampling = [pixel.log2_chroma_w, pixel.log2_chroma_h].map(c_int::from);
    let made = core.format(family, kind, c_int::from(pixel.depth), subsampling)?;
    Ok(VideoInfo { format: made, width: format.width as c_int, height: format.height as c_int, ..*like })
}

/// Where VapourSynth has the planes of a format: it counts red, green, blue.
pub fn order(pixel: Pixel) -> &'static [usize] {
    match pixel.family {
        Family::Gray => &[0],
        Family::Yuv => &[0, 1, 2],
        Family::Rgb => &[1, 2, 0],
    }
}

/// The letter of a plane by VapourSynth's count.
pub fn letter(pixel: Pixel, plane: usize) -> Option<char> {
    let ours = order(pixel).iter().position(|theirs| *theirs == plane)?;
    Some(warpreel_filter::filter::letter(pixel, ours))
}

/// By how much samples of a plane are higher here: float chroma is centred on 0 in VapourSynth.
pub fn raised(pixel: Pixel, plane: usize) -> Option<f32> {
    (pixel.sample == Sample::F32 && pixel.is_chroma(plane)).then_some(0.5)
}
