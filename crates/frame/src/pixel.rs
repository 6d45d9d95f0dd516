//! Storage of a pixel: the type of its samples, the meaning of its planes, and their sizes.

use std::any::TypeId;
use std::fmt;
use std::str::FromStr;

use anyhow::{Context, Result, ensure};

/// Code values of black and white.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Default)]
pub enum Range {
    /// The stream does not say.
    #[default]
    Unspecified,
    /// 16 to 235 (luma, 8 bit), as television uses.
    Limited,
    /// 0 to 255 (8 bit).
    Full,
}

/// The type of a sample in memory.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Sample {
    /// 8 bits.
    U8,
    /// 16 bits, native byte order, of which the low [`Pixel::depth`] are used.
    U16,
    /// 32-bit float; 0 to 1 is black to white, values outside are kept.
    F32,
}

impl Sample {
    /// Size in memory.
    pub const fn bytes(self) -> usize {
        match self {
            Self::U8 => 1,
            Self::U16 => 2,
            Self::F32 => 4,
        }
    }

    /// True if `T` is the type of a sample in memory: `u8`, `u16` or `f32`.
    pub fn is<T: 'static>(self) -> bool {
        let own = match self {
            Self::U8 => TypeId::of::<u8>(),
            Self::U16 => TypeId::of::<u16>(),
            Self::F32 => TypeId::of::<f32>(),
        };
        own == TypeId::of::<T>()
    }
}

/// Meaning of the planes.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Family {
    /// One plane of grey.
    Gray,
    /// Luma, then two planes of chroma: Y, U, V.
    Yuv,
    /// Three planes in the order of FFmpeg's planar RGB: G, B, R.
    Rgb,
}

/// How a pixel is stored: always planar, the colour planes first and alpha last.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Pixel {
    /// Meaning of the planes.
    pub family: Family,
    /// Whether a plane of opacity comes last.
    pub alpha: bool,
    /// Chroma planes are narrower by `1 << log2_chroma_w`; 0 outside YUV.
    pub log2_chroma_w: u8,
    /// Chroma planes are lower by `1 << log2_chroma_h`; 0 outside YUV.
    pub log2_chroma_h: u8,
    /// The type in memory.
    pub sample: Sample,
    /// Bits in use: 8 for `U8`, 9 to 16 for `U16`, 32 for `F32`.
    pub depth: u8,
}

impl Pixel {
    /// A pixel of integers of `depth` bits, 8 to 16, without alpha.
    pub const fn integer(family: Family, log2_chroma_w: u8, log2_chroma_h: u8, depth: u8) -> Self {
        let sample = if depth == 8 { Sample::U8 } else { Sample::U16 };
        Self { family, alpha: false, log2_chroma_w, log2_chroma_h, sample, depth }
    }

    /// 4:2:0 of `depth` bits.
    pub const fn yuv420p(depth: u8) -> Self {
        Self::integer(Family::Yuv, 1, 1, depth)
    }

    /// One plane of `depth` bits.
    pub const fn gray(depth: u8) -> Self {
        Self::integer(Family::Gray, 0, 0, depth)
    }

    /// 4:2:2 of `depth` bits.
    pub const fn yuv422p(depth: u8) -> Self {
        Self::integer(Family::Yuv, 1, 0, depth)
    }

    /// 4:4:4 of `depth` bits.
    pub const fn yuv444p(depth: u8) -> Self {
        Self::integer(Family::Yuv, 0, 0, depth)
    }

    /// Red, green and blue of `depth` bits, in planes in FFmpeg's order: G, B, R.
    pub const fn rgb(depth: u8) -> Self {
        Self::integer(Family::Rgb, 0, 0, depth)
    }

    /// The same in floats, of which 0 is black and 1 is white.
    #[must_use]
    pub const fn float(self) -> Self {
        Self { sample: Sample::F32, depth: 32, ..self }
    }

    /// The same with a plane of opacity.
    #[must_use]
    pub const fn with_alpha(self) -> Self {
        Self { alpha: true, ..self }
    }

    /// Parses FFmpeg's name of a planar format, with or without the byte order; the inverse of [`Pixel::name`].
    ///
    /// # Errors
    /// If no format has that name.
    ///
    /// ```
    /// use warpreel_frame::Pixel;
    ///
    /// assert_eq!(Pixel::parse("gray10")?, Pixel::gray(10));
    /// assert_eq!(Pixel::parse("yuv420p10le")?, Pixel::yuv420p(10));
    /// assert_eq!("gbrapf32".parse::<Pixel>()?, Pixel::rgb(8).float().with_alpha());
    /// assert!(Pixel::parse("gray7").is_err());
    /// # anyhow::Ok(())
    /// ```
    pub fn parse(name: &str) -> Result<Self> {
        let bare = name.strip_suffix("le").unwrap_or(name);
        Self::all().find(|pixel| pixel.name() == bare).with_context(|| {
            format!(
                "no planar pixel format {name:?}; there are gray, yuv420p, yuv422p, yuv444p and gbrp, yuva… and gbrap \
                with opacity, and each with 9 to 16 behind it or f32, as gray10 and gbrpf32"
            )
        })
    }

    /// All pixel formats.
    pub fn all() -> impl Iterator<Item = Self> {
        const RATIOS: [(u8, u8); 6] = [(1, 1), (1, 0), (0, 0), (2, 0), (0, 1), (2, 2)];
        let yuv = RATIOS.map(|(w, h)| (Family::Yuv, w, h));
        let families = [(Family::Gray, 0, 0), (Family::Rgb, 0, 0)].into_iter().chain(yuv);
        families.flat_map(|(family, w, h)| {
            let integers = (8..=16).map(move |depth| Self::integer(family, w, h, depth));
            let all = integers.chain([Self::integer(family, w, h, 8).float()]);
            all.flat_map(|pixel| [pixel, pixel.with_alpha()])
        })
    }

    /// Checks the depth of the samples and the subsampling of chroma, which is at most four.
    ///
    /// # Errors
    /// With the values that are valid.
    pub fn check(self) -> Result<()> {
        let (depth, [w, h]) = (self.depth, [self.log2_chroma_w, self.log2_chroma_h]);
        let depths = match self.sample {
            Sample::U8 => 8..=8,
            Sample::U16 => 9..=16,
            Sample::F32 => 32..=32,
        };
        let bits = 8 * self.sample.bytes();
        ensure!(
            depths.contains(&depth),
            "a depth of {depth} in samples of {bits} bits; it is {} to {}",
            depths.start(),
            depths.end()
        );
        let is_subsampled = self.family == Family::Yuv;
        ensure!(!is_subsampled || w <= 2 && h <= 2, "chroma smaller by 2^{w} and 2^{h}; the most is 2^2");
        Ok(())
    }

    /// Number of planes, 1 to 4.
    pub const fn planes(self) -> usize {
        let colour = if matches!(self.family, Family::Gray) { 1 } else { 3 };
        colour + self.alpha as usize
    }

    /// Whether `plane` holds colour differences, centred on mid-grey and perhaps subsampled.
    pub const fn is_chroma(self, plane: usize) -> bool {
        matches!(self.family, Family::Yuv) && (plane == 1 || plane == 2)
    }

    /// Whether `plane` holds opacity.
    pub const fn is_alpha(self, plane: usize) -> bool {
        self.alpha && plane + 1 == self.planes()
    }

    /// How many planes, the first ones, make up the brightness of a frame: luma, grey, or all three colours of RGB.
    pub const fn brightness_planes(self) -> usize {
        if matches!(self.family, Family::Rgb) { 3 } else { 1 }
    }

    /// Bits of a sample where brightness is measured, which is in whole numbers: floats from 0 to 1 are brought to 16.
    pub const fn measured_depth(self) -> u8 {
        if matches!(self.sample, Sample::F32) { 16 } else { self.depth }
    }

    /// Which code values stand for black and white where a stream is tagged so: RGB is always full, and so are floats, which
    /// are 0 at black and 1 at white; untagged, YUV is limited and grey is full.
    pub const fn range(self, tag: Range) -> Range {
        if matches!(self.sample, Sample::F32) {
            return Range::Full;
        }
        self.whole_range(tag)
    }

    /// The range of whole numbers of the same kind: what floats become where they are written.
    pub(crate) const fn whole_range(self, tag: Range) -> Range {
        match (self.family, tag) {
            (Family::Rgb, _) | (_, Range::Full) | (Family::Gray, Range::Unspecified) => Range::Full,
            (Family::Yuv | Family::Gray, Range::Limited) | (Family::Yuv, Range::Unspecified) => Range::Limited,
        }
    }

    /// By how many powers of two `plane` is narrower and lower than the frame.
    pub const fn subsampling(self, plane: usize) -> (u8, u8) {
        if self.is_chroma(plane) { (self.log2_chroma_w, self.log2_chroma_h) } else { (0, 0) }
    }

    /// The largest sample: `2^depth − 1`, or 1 for floats (which may exceed it).
    pub fn peak(self) -> f32 {
        match self.sample {
            Sample::F32 => 1.0,
            _ => (1u32.checked_shl(self.depth.into()).unwrap_or(0).wrapping_sub(1)) as f32,
        }
    }

    /// The largest sample that memory can hold, or 1 for floats: what comes through a pipe may lie above the peak.
    pub fn highest(self) -> f32 {
        match self.sample {
            Sample::U8 => u8::MAX.into(),
            Sample::U16 => u16::MAX.into(),
            Sample::F32 => self.peak(),
        }
    }

    /// The value of `plane` that stands for no colour and no light: mid-grey in chroma, 0 elsewhere.
    pub fn neutral(self, plane: usize) -> f32 {
        match (self.is_chroma(plane), self.sample) {
            (false, _) => 0.0,
            (true, Sample::F32) => 0.5,
            (true, _) => (1u32.checked_shl(u32::from(self.depth).saturating_sub(1)).unwrap_or(0)) as f32,
        }
    }

    /// FFmpeg's name without the byte order: `yuv420p10`, `gbrapf32`, `gray`.
    pub fn name(self) -> String {
        let alpha = if self.alpha { "a" } else { "" };
        let depth = match (self.sample, self.depth) {
            (Sample::F32, _) => "f32".to_owned(),
            (_, 8) => String::new(),
            (_, depth) => depth.to_string(),
        };
        match self.family {
            Family::Gray if self.alpha && self.depth == 8 => "ya8p".to_owned(),
            Family::Gray if self.alpha => format!("ya{depth}p"),
            Family::Gray => format!("gray{depth}"),
            Family::Rgb => format!("gbr{alpha}p{depth}"),
            Family::Yuv => {
                let ratio = match (self.log2_chroma_w, self.log2_chroma_h) {
                    (0, 0) => "444",
                    (1, 0) => "422",
                    (1, 1) => "420",
                    (2, 0) => "411",
                    (0, 1) => "440",
                    (2, 2) => "410",
                    _ => "4xx",
                };
                format!("yuv{alpha}{ratio}p{depth}")
            }
        }
    }
}

impl FromStr for Pixel {
    type Err = anyhow::Error;

    fn from_str(name: &str) -> Result<Self> {
        Self::parse(name)
    }
}

impl fmt::Display for Pixel {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.name())
    }
}
