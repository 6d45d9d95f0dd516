//! Colours as they are typed, and as samples.

use std::fmt;
use std::sync::Arc;

use crate::frame::{Family, Format, Pixel, Range, Sample};

/// A colour of RGB and its opacity, from 0 to 1, as it was typed.
#[derive(Clone, Debug, PartialEq)]
pub struct FillColour {
    text: Arc<str>,
    rgba: [f64; 4],
}

/// Weights of red and blue in luma, by the code point of H.273.
const MATRICES: [(u8, [f64; 2]); 7] = [
    (1, [0.2126, 0.0722]),
    (4, [0.30, 0.11]),
    (5, BT_601),
    (6, BT_601),
    (7, [0.212, 0.087]),
    (9, [0.2627, 0.0593]),
    (10, [0.2627, 0.0593]),
];

pub(super) const BT_601: [f64; 2] = [0.299, 0.114];

/// Weights of red and blue in luma of a matrix; `None` where it is none of such weights, or the stream does not say.
pub(super) fn weights(matrix: u8) -> Option<[f64; 2]> {
    MATRICES.iter().find(|(code, _)| *code == matrix).map(|(_, weights)| *weights)
}

impl FillColour {
    /// Reads a name of CSS, `#RRGGBB` or `0xRRGGBB`, with FFmpeg's `@` and an opacity from 0 to 1 or in hexadecimal digits
    /// behind it.
    ///
    /// # Errors
    /// What is wrong with it, worded to follow the text.
    pub(super) fn parse(text: &str) -> Result<Self, String> {
        let (name, opacity) = text.split_once('@').map_or((text, None), |(name, opacity)| (name, Some(opacity)));
        let name = name.strip_prefix("0x").map_or_else(|| name.to_lowercase(), |digits| format!("#{digits}"));
        let parsed = csscolorparser::parse(&name).map_err(|_| "is no colour".to_owned())?;
        let mut rgba = [parsed.r, parsed.g, parsed.b, parsed.a].map(f64::from);
        if let Some(opacity) = opacity {
            let digits = opacity.strip_prefix("0x").and_then(|digits| u8::from_str_radix(digits, 16).ok());
            let part = digits.map(|part| f64::from(part) / 255.0).or_else(|| opacity.parse().ok());
            rgba[3] = part.filter(|part| (0.0..=1.0).contains(part)).ok_or("has an opacity beyond 0 to 1")?;
        }
        Ok(Self { text: text.into(), rgba })
    }

    /// The sample that each plane of a format has for it.
    pub(super) fn levels(&self, format: &Format) -> Vec<f32> {
        let [red, green, blue, alpha] = self.rgba;
        let Pixel { alpha: has_alpha, .. } = format.pixel;
        let count = format.pixel.planes() - usize::from(has_alpha);
        let plane = |(plane, value): (usize, f64)| sample(format, plane, value);
        let colours = components(format, [red, green, blue]).into_iter().take(count);
        colours.chain(has_alpha.then_some(alpha)).enumerate().map(plane).collect()
    }
}

/// A colour of RGB, 0 to 1, as the planes of a format have it: grey as luma in the first; green, blue and red; or luma from 0 to 1
/// and chroma from -1/2 to 1/2, by the matrix of the clip's tags, BT.601 where they have none.
pub(super) fn components(format: &Format, [red, green, blue]: [f64; 3]) -> [f64; 3] {
    let [kr, kb] = weights(format.colour.matrix).unwrap_or(BT_601);
    let luma = kr * red + (1.0 - kr - kb) * green + kb * blue;
    match format.pixel.family {
        Family::Gray => [luma, 0.0, 0.0],
        Family::Rgb => [green, blue, red],
        Family::Yuv => [luma, (blue - luma) / (2.0 * (1.0 - kb)), (red - luma) / (2.0 * (1.0 - kr))],
    }
}

/// A value from 0 to 1, or of chroma from -1/2 to 1/2, as a sample.
pub(super) fn sample(format: &Format, plane: usize, value: f64) -> f32 {
    let pixel = format.pixel;
    let is_limited = format.range() == Range::Limited && !pixel.is_alpha(plane);
    let (is_chroma, is_real) = (pixel.is_chroma(plane), pixel.sample == Sample::F32);
    // Of 8 bits; of more in proportion.
    let unit = if is_real { 1.0 / 255.0 } else { f64::from(1u32 << (pixel.depth - 8)) };
    let level = match (is_limited, is_chroma) {
        (true, true) => f64::from(pixel.neutral(plane)) + 224.0 * unit * value,
        (true, false) => (16.0 + 219.0 * value) * unit,
        (false, true) => f64::from(pixel.neutral(plane)) + f64::from(pixel.peak()) * value,
        (false, false) => f64::from(pixel.peak()) * value,
    };
    if is_real { level as f32 } else { level.round().clamp(0.0, pixel.peak().into()) as f32 }
}

impl fmt::Display for FillColour {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.text)
    }
}
