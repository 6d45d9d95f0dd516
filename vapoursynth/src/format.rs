//! Formats here and there, and the facts about frames that VapourSynth keeps as their properties.

use std::ffi::{CStr, c_int};
use std::sync::Arc;

use anyhow::{Context, Result, bail, ensure};
use warpreel_frame::{Colour, Family, FieldOrder, Format, FrameFields, Pixel, Range, Rational, Sample};

use crate::ffi::{Core, Picture, Property, VideoInfo};

/// `VSColorFamily`.
const GRAY: c_int = 1;
const RGB: c_int = 2;
const YUV: c_int = 3;
/// `VSSampleType`.
const INTEGER: c_int = 0;
const FLOAT: c_int = 1;

/// What filters ask about a clip beyond its format.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Facts {
    /// `_Range` of R74 and later, or `_ColorRange`.
    pub range: Range,
    /// `_FieldBased`.
    pub fields: FieldOrder,
    /// `_ChromaLocation`, as [`Colour::siting`].
    pub siting: u8,
    /// `_Matrix`; 2 where unknown.
    pub matrix: u8,
    /// `_Primaries`, likewise.
    pub primaries: u8,
    /// `_Transfer`, likewise.
    pub transfer: u8,
    /// `_SARNum` and `_SARDen`.
    pub aspect: Rational,
}

impl Default for Facts {
    fn default() -> Self {
        let Colour { range, siting, matrix, primaries, transfer } = Colour::default();
        let (fields, aspect) = (FieldOrder::Unspecified, Rational::new(0, 1));
        Self { range, fields, siting, matrix, primaries, transfer, aspect }
    }
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
        let fields = field_order(picture).unwrap_or(FieldOrder::Unspecified);
        let number = |name: &str| picture.property(name);
        let code = |name: &str| number(name).and_then(|code| u8::try_from(code).ok());
        let siting = code("_ChromaLocation").filter(|place| *place < 6).map_or(0, |place| place + 1);
        let side = |name: &str| number(name).and_then(|side| u64::try_from(side).ok()).unwrap_or(0);
        let aspect = Rational::reduced(side("_SARNum"), side("_SARDen")).ok().flatten();
        let aspect = aspect.unwrap_or(Rational::new(0, 1));
        let [matrix, primaries, transfer] = ["_Matrix", "_Primaries", "_Transfer"].map(|name| code(name).unwrap_or(2));
        Self { range, fields, siting, matrix, primaries, transfer, aspect }
    }
}

/// The fields of a frame, where it has the property `_FieldBased`.
pub fn field_order(picture: &Picture) -> Option<FieldOrder> {
    match picture.property("_FieldBased")? {
        0 => Some(FieldOrder::Progressive),
        1 => Some(FieldOrder::BottomFirst),
        2 => Some(FieldOrder::TopFirst),
        _ => None,
    }
}

/// The property of a frame with these fields.
pub fn marked(fields: FrameFields) -> (&'static CStr, Property) {
    let order = match (fields.is_interlaced, fields.top_first) {
        (false, _) => 0,
        (true, false) => 1,
        (true, true) => 2,
    };
    (c"_FieldBased", Property::Int(order))
}

/// The formats of the frames that go into a node and come out of it.
#[derive(Clone, Debug)]
pub struct FormatChange {
    pub from: Arc<Format>,
    pub to: Arc<Format>,
    /// No frame that comes out has fields, whatever those that go in have.
    pub is_deinterlaced: bool,
}

/// The properties of a frame that is made of one field of another: of the first, or of the second.
pub fn field_properties(picture: &Picture, is_second: bool) -> Vec<(&'static CStr, Property)> {
    let mut changed = Vec::new();
    let duration = (picture.property("_DurationNum"), picture.property("_DurationDen"));
    if let (Some(num), Some(den)) = duration
        && let Some((num, den)) = halved(num, den)
    {
        changed.extend([(c"_DurationNum", Property::Int(num)), (c"_DurationDen", Property::Int(den))]);
        let shown = picture.number("_AbsoluteTime").filter(|_| is_second && den > 0);
        changed.extend(shown.map(|time| (c"_AbsoluteTime", Property::Float(time + num as f64 / den as f64))));
    }
    // A scene begins with a first field and ends with a second one.
    let (name, key) =
        if is_second { ("_SceneChangePrev", c"_SceneChangePrev") } else { ("_SceneChangeNext", c"_SceneChangeNext") };
    changed.extend(picture.property(name).map(|_| (key, Property::Int(0))));
    changed
}

/// Half of a ratio, in whole numbers; `None` where they would be too large.
fn halved(num: i64, den: i64) -> Option<(i64, i64)> {
    if num % 2 == 0 { Some((num / 2, den)) } else { Some((num, den.checked_mul(2)?)) }
}

impl FormatChange {
    /// The properties that frames of the one have and those of the other have otherwise.
    pub fn properties(&self) -> Vec<(&'static CStr, Property)> {
        let Self { from, to, is_deinterlaced } = self;
        let mut changed: Vec<(&CStr, i64)> = Vec::new();
        if to.aspect != from.aspect && to.aspect.value().is_some() {
            changed.extend([(c"_SARNum", to.aspect.num.into()), (c"_SARDen", to.aspect.den.into())]);
        }
        let order = match to.fields {
            FieldOrder::Progressive => Some(0),
            FieldOrder::BottomFirst => Some(1),
            FieldOrder::TopFirst => Some(2),
            FieldOrder::Unspecified | FieldOrder::Mixed => None,
        };
        let order = if *is_deinterlaced { Some(0) } else { order.filter(|_| to.fields != from.fields) };
        changed.extend(order.map(|order| (c"_FieldBased", order)));
        if to.colour.range != from.colour.range {
            let is_full = to.colour.range == Range::Full;
            changed.extend([(c"_Range", i64::from(is_full)), (c"_ColorRange", i64::from(!is_full))]);
        }
        let codes = [
            (c"_Matrix", from.colour.matrix, to.colour.matrix),
            (c"_Primaries", from.colour.primaries, to.colour.primaries),
            (c"_Transfer", from.colour.transfer, to.colour.transfer),
        ];
        let codes = codes.into_iter().filter(|(_, before, after)| before != after);
        changed.extend(codes.map(|(name, _, code)| (name, i64::from(code))));
        let siting = Some(to.colour.siting).filter(|&siting| siting > 0 && siting != from.colour.siting);
        changed.extend(siting.map(|siting| (c"_ChromaLocation", i64::from(siting) - 1)));
        changed.into_iter().map(|(name, value)| (name, Property::Int(value))).collect()
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
    let Facts { range, fields, siting, matrix, primaries, transfer, aspect } = facts;
    let colour = Colour { range, primaries, transfer, matrix, siting };
    Ok(Format { colour, fields, aspect, ..Format::new(pixel, width, height, rate) })
}

/// What a clip of a format is in VapourSynth that comes from a clip `like` this.
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
    let grain = [1 << pixel.log2_chroma_w, 1 << pixel.log2_chroma_h];
    let (name, [across, down]) = (pixel.name(), grain);
    ensure!(
        format.width.is_multiple_of(across) && format.height.is_multiple_of(down),
        "VapourSynth has no {name} frames of {}x{}; make width and height multiples of {across} and {down}",
        format.width,
        format.height
    );
    let subsampling = [pixel.log2_chroma_w, pixel.log2_chroma_h].map(c_int::from);
    let made = core.format(family, kind, c_int::from(pixel.depth), subsampling)?;
    Ok(VideoInfo { format: made, width: format.width as c_int, height: format.height as c_int, ..*like })
}

/// A clip that has two frames for each of another, so many times over.
///
/// # Errors
/// If these are more than VapourSynth counts.
pub fn doubled(info: VideoInfo, times: u32) -> Result<VideoInfo> {
    (0..times).try_fold(info, |info, _| {
        let num_frames = info.num_frames.checked_mul(2);
        let num_frames = num_frames.context(
            "two frames for one would be more than VapourSynth counts; cut the clip, or pass mode=\"send_frame\"",
        )?;
        // The rate of a clip of variable rate is 0.
        let (fps_den, fps_num) = halved(info.fps_den, info.fps_num).context("twice the frame rate is out of range")?;
        Ok(VideoInfo { num_frames, fps_num, fps_den, ..info })
    })
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
