//! The choices that every filter has: which planes, and what lies outside them, each as it is typed.

use std::fmt;
use std::sync::Arc;

use crate::frame::{Family, Pixel, Sample};
use crate::pass::{Border, Clips, TimeBorder};

use super::mask::Mask;

/// Which planes a filter changes; the others pass through untouched.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Planes {
    /// All but opacity.
    Colour,
    /// All of them.
    All,
    /// Luma, the grey plane, or all of RGB.
    Luma,
    /// The two colour differences of YUV.
    Chroma,
    /// FFmpeg's bits: 1 is the first plane, 2 the second, 4 the third, 8 the fourth.
    Mask(u8),
    /// Letters out of `y`, `u`, `v`, `g`, `b`, `r`, `a`.
    Letters(String),
}

impl Planes {
    /// What may be typed.
    pub const HELP: &'static str = "colour, all, luma, chroma, letters (y, uv, yuva, rgb, a) or FFmpeg's bits 0 to 15";

    /// Reads one of the forms in [`Planes::HELP`]; `None` for anything else.
    pub fn parse(text: &str) -> Option<Self> {
        let letters = || !text.is_empty() && text.chars().all(|c| "yuvgbra".contains(c));
        Some(match text {
            "colour" | "color" => Self::Colour,
            "all" => Self::All,
            "luma" => Self::Luma,
            "chroma" => Self::Chroma,
            _ if letters() => Self::Letters(text.to_owned()),
            _ => Self::Mask(text.parse().ok().filter(|&mask| mask <= 15)?),
        })
    }

    /// Whether the choice holds `plane` of such frames.
    pub fn contains(&self, pixel: Pixel, plane: usize) -> bool {
        match self {
            Self::Colour => !pixel.is_alpha(plane),
            Self::All => true,
            Self::Luma => !pixel.is_alpha(plane) && !pixel.is_chroma(plane),
            Self::Chroma => pixel.is_chroma(plane),
            Self::Mask(mask) => mask >> plane & 1 == 1,
            Self::Letters(letters) => letters.contains(letter(pixel, plane)),
        }
    }
}

impl fmt::Display for Planes {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Colour => f.write_str("colour"),
            Self::All => f.write_str("all"),
            Self::Luma => f.write_str("luma"),
            Self::Chroma => f.write_str("chroma"),
            Self::Mask(mask) => mask.fmt(f),
            Self::Letters(letters) => f.write_str(letters),
        }
    }
}

/// The letter of a plane: `y`, `u`, `v`, `g`, `b`, `r` or `a`.
pub fn letter(pixel: Pixel, plane: usize) -> char {
    match pixel.family {
        _ if pixel.is_alpha(plane) => 'a',
        Family::Gray => 'y',
        Family::Yuv => ['y', 'u', 'v'][plane.min(2)],
        Family::Rgb => ['g', 'b', 'r'][plane.min(2)],
    }
}

/// What lies outside a plane, in terms that suit every format and plane.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Edge {
    /// One of the modes that repeat samples.
    Mode(Border),
    /// No light and no colour: 0, mid-grey in chroma.
    Zero,
    /// Fraction of full scale, 0 to 1; chroma stays at mid-grey.
    Level(f64),
}

impl Edge {
    /// What may be typed.
    pub const HELP: &'static str = "reflect101, clamp, reflect, wrap, lopsided, zero or a level from 0 to 1";

    const MODES: [(&'static str, Border); 5] = [
        ("reflect101", Border::Reflect101),
        ("clamp", Border::Clamp),
        ("reflect", Border::Reflect),
        ("wrap", Border::Wrap),
        ("lopsided", Border::Lopsided),
    ];

    /// Reads one of the forms in [`Edge::HELP`]; `None` for anything else.
    pub fn parse(text: &str) -> Option<Self> {
        if let Some((_, mode)) = Self::MODES.iter().find(|(name, _)| *name == text) {
            return Some(Self::Mode(*mode));
        }
        if text == "zero" {
            return Some(Self::Zero);
        }
        text.parse().ok().filter(|level| (0.0..=1.0).contains(level)).map(Self::Level)
    }

    /// The border of one plane, its constant in the units of the plane's samples.
    pub fn border(self, pixel: Pixel, plane: usize) -> Border {
        match self {
            Self::Mode(mode) => mode,
            Self::Level(level) if !pixel.is_chroma(plane) => {
                let value = level * f64::from(pixel.peak());
                Border::Constant(if pixel.sample == Sample::F32 { value } else { value.round() } as f32)
            }
            Self::Zero | Self::Level(_) => Border::Constant(pixel.neutral(plane)),
        }
    }
}

impl fmt::Display for Edge {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Mode(mode) => {
                let name = Self::MODES.iter().find(|(_, known)| known == mode).map_or("constant", |(name, _)| name);
                f.write_str(name)
            }
            Self::Zero => f.write_str("zero"),
            Self::Level(level) => level.fmt(f),
        }
    }
}

/// What filters use where they are not told otherwise.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Defaults {
    /// Outside the plane; `None` leaves it to the filter, which is `reflect101` nearly everywhere.
    pub border: Option<Edge>,
    /// Which planes; `None` leaves it to the filter, which is [`Planes::Colour`] nearly everywhere.
    pub planes: Option<Planes>,
    /// Before the first frame and after the last; `None` leaves it to the filter, which is `clamp` nearly everywhere.
    pub border_t: Option<TimeBorder>,
    /// How much of a result there is at each pixel.
    pub mask: Option<Arc<Mask>>,
    /// Opener of second clips; `None` if none can be opened.
    pub clips: Option<Clips>,
}
