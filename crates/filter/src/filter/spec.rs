//! What is known of a filter: its name, its parameters, what it wants, and how it is listed.

use anyhow::Result;

use crate::frame::{Colour, Format, Pixel, Range};

use super::change::Change;
use super::parameter::{Kind, Parameter, Preset};
use super::value::Values;
use super::want::Want;

/// Under which heading a filter is listed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Group {
    /// Kernels that users write themselves.
    Any,
    /// What takes detail away.
    Smooth,
    /// What adds it.
    Sharpen,
    /// What keeps nothing else.
    Edge,
    /// What looks at other frames.
    Time,
    /// What takes noise away and leaves the rest.
    Denoise,
    /// What makes progressive frames of interlaced ones.
    Deinterlace,
    /// What takes one of the samples around.
    Rank,
    /// What changes each sample by itself.
    Point,
    /// What changes the size or the shape of the picture.
    Shape,
    /// Another picture over the frame.
    Layer,
}

impl Group {
    /// All, in the order of the listing.
    pub const ALL: [Self; 11] = [
        Self::Any,
        Self::Smooth,
        Self::Sharpen,
        Self::Edge,
        Self::Time,
        Self::Denoise,
        Self::Deinterlace,
        Self::Rank,
        Self::Point,
        Self::Shape,
        Self::Layer,
    ];

    /// The heading.
    pub fn title(self) -> &'static str {
        match self {
            Self::Any => "Any kernel",
            Self::Smooth => "Smoothing",
            Self::Sharpen => "Sharpening",
            Self::Edge => "Edges and derivatives",
            Self::Time => "Time",
            Self::Denoise => "Denoising",
            Self::Deinterlace => "Deinterlacing",
            Self::Rank => "Medians and morphology",
            Self::Point => "Brightness, colour and tables",
            Self::Shape => "Size and shape",
            Self::Layer => "Other pictures",
        }
    }
}

/// How far a filter can look, and so which borders it has.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Extent {
    /// At single samples, or around them but never outside the picture.
    Sample,
    /// Within a frame.
    Space,
    /// Across frames too.
    Time,
    /// At single samples, and at how bright whole frames are.
    Brightness,
    /// At the whole picture: it moves or resamples it.
    Picture,
    /// At rows of the frame and of those beside it; what lies outside is its own affair.
    Fields,
    /// At the times of frames, or at how frames differ: some are repeated, dropped or blended.
    Rate,
}

/// In whose terms a filter sees planes that are not brightness.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Terms {
    /// Chroma is centred on mid-grey: no colour stays no colour, whatever the taps sum to, and offsets leave it alone.
    /// Alpha passes through unless it is selected.
    Own,
    /// FFmpeg's: chroma is numbers like any others, and alpha is selected; the filter's parameters say what becomes of it.
    Ffmpeg,
}

/// What becomes of a constant picture.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum DcGain {
    /// It stays what it is.
    One,
    /// It becomes 0, before offsets.
    Zero,
    /// That depends on the values.
    Any,
}

/// One plane of a format, for which a filter says what it wants.
#[derive(Clone, Copy, Debug)]
pub struct FormatPlane {
    /// The format's pixels.
    pub pixel: Pixel,
    /// Which of its planes.
    pub plane: usize,
    /// The clip's tags.
    pub colour: Colour,
    /// Which samples are black and white, full or limited.
    pub range: Range,
    /// Whether the first plane is filtered as well.
    pub first_too: bool,
}

impl FormatPlane {
    /// Samples of this plane in a luma pixel, across: 1, 1/2 or 1/4.
    pub fn scale_x(self) -> f64 {
        1.0 / f64::from(1u32 << self.pixel.subsampling(self.plane).0)
    }

    /// Samples of this plane in a luma pixel, down.
    pub fn scale_y(self) -> f64 {
        1.0 / f64::from(1u32 << self.pixel.subsampling(self.plane).1)
    }

    /// A fraction of full scale in the units of the samples.
    pub fn level(self, fraction: f64) -> f64 {
        fraction * f64::from(self.pixel.peak())
    }
}

/// One filter.
#[derive(Debug)]
pub struct Spec {
    /// What is typed.
    pub name: &'static str,
    /// What other programs call it; not understood, since their parameters differ, but suggested.
    pub elsewhere: &'static [&'static str],
    /// Where it is listed.
    pub group: Group,
    /// One line.
    pub summary: &'static str,
    /// What it does exactly, and how it differs from filters of the same name elsewhere.
    pub description: &'static str,
    /// Its own parameters, in the order of values without a name; [`Spec::parameters`] adds those of all filters.
    pub own: &'static [Parameter],
    /// A call that shows it off.
    pub example: &'static str,
    /// Whether it can look at other frames.
    pub extent: Extent,
    /// How it treats chroma and alpha.
    pub terms: Terms,
    /// What becomes of a constant picture.
    pub gain: DcGain,
    /// What it wants of one plane that is selected. The error says what is wrong with the values, and what to type.
    pub want: fn(&Values, FormatPlane) -> Result<Want>,
    /// What it makes of whole frames of a format; `None` for a filter that works on planes of a size that stays, which
    /// `want` describes.
    pub change: Option<fn(&Values, &Format) -> Result<Change>>,
}

const PLANES: Parameter = Parameter::new(
    "planes",
    Kind::Planes,
    Preset::Derived("--planes, or colour"),
    "planes to filter; the others are unchanged",
);

/// The parameters of all filters: the first for [`Terms::Own`], the second for [`Terms::Ffmpeg`], then four for all (of
/// which those of [`Extent::Picture`] and [`Extent::Rate`] have `enable` alone), `border` for [`Extent::Space`] and [`Extent::Time`], the last
/// two for [`Extent::Time`] and [`Extent::Brightness`], the last for [`Extent::Fields`].
const COMMON: [Parameter; 9] = [
    PLANES,
    Parameter { preset: Preset::Derived("--planes, or all"), ..PLANES },
    Parameter::new(
        "mix",
        Kind::Number(0.0, 1.0),
        Preset::Is("1"),
        "share of the result; the rest is the unfiltered frame",
    ),
    Parameter::new(
        "enable",
        Kind::Condition,
        Preset::Derived("all frames"),
        "frames to filter: those where FFmpeg's expression is not 0; the others are unchanged",
    ),
    Parameter::new(
        "roi",
        Kind::Region,
        Preset::Derived("the whole picture"),
        "rectangle to filter; the rest is unchanged, but is read as neighbours",
    )
    .unit("luma pixels"),
    Parameter::new(
        "mask",
        Kind::Mask,
        Preset::Derived("white"),
        "share of the result at each pixel: white is all, black or transparent none",
    ),
    Parameter::new(
        "border",
        Kind::Border,
        Preset::Derived("--border, or reflect101"),
        "samples outside the picture; zero and levels leave chroma colourless",
    ),
    Parameter::new("border_t", Kind::TimeBorder, Preset::Is("clamp"), "frames before the first and after the last"),
    Parameter::new(
        "scene",
        Kind::Number(0.0, 1.0),
        Preset::Is("0"),
        "scene score above which a frame begins a new scene, which this filter treats as a clip of its own: FFmpeg's \
         score, usually 0.3 to 0.4; of two equal jumps in a row the first counts; 0 does not look for cuts",
    ),
];

impl Spec {
    /// Its own parameters, then those of all filters but what it has one of its own for.
    pub fn parameters(&self) -> impl Iterator<Item = &'static Parameter> {
        let planes: &[_] = match (self.extent, self.terms) {
            (Extent::Picture | Extent::Rate, _) => &[],
            (_, Terms::Own) => &COMMON[..1],
            (_, Terms::Ffmpeg) => &COMMON[1..2],
        };
        let [all, border, in_time] = [&COMMON[2..6], &COMMON[6..7], &COMMON[7..]];
        // Only `enable` makes sense beside a picture that moves.
        let all = if matches!(self.extent, Extent::Picture | Extent::Rate) { &all[1..2] } else { all };
        let (border, in_time): (&[_], &[_]) = match self.extent {
            Extent::Picture | Extent::Rate => (&[], &[]),
            Extent::Sample => (&[], &[]),
            Extent::Space => (border, &[]),
            Extent::Time => (border, in_time),
            Extent::Brightness => (&[], in_time),
            Extent::Fields => (&[], &in_time[1..]),
        };
        let common = planes.iter().chain(all).chain(border).chain(in_time);
        self.own.iter().chain(common.filter(|common| self.own.iter().all(|own| own.name != common.name)))
    }
}
