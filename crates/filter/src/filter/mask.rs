//! Masks: how much of a filter's result there is at each pixel, from PNG files.

use std::path::Path;

use anyhow::{Result, bail};

use super::picture::StillPicture;
use crate::frame::Format;

/// A picture of one level a pixel, as frames are shown.
#[derive(Clone, Debug, PartialEq)]
pub struct Mask {
    /// The file that it came from, as typed, or what else messages call it.
    pub path: String,
    /// Pixels in a row.
    pub width: usize,
    /// Rows.
    pub height: usize,
    /// 0, nothing of the result, to 65535, all of it; row by row.
    pub levels: Vec<u16>,
}

impl Mask {
    /// Reads a PNG file of any kind. Of colours the luma counts (`0.2126 R + 0.7152 G + 0.0722 B`, those of sRGB);
    /// what is transparent counts as black, and in part where it is so in part. Blocks while the file is read.
    ///
    /// # Errors
    /// What is wrong, worded to follow the name of the file.
    pub fn read(path: &str) -> Result<Self, String> {
        let StillPicture { path, width, height, channels, samples } = StillPicture::read(path)?;
        let levels = samples.chunks_exact(channels).map(level).collect();
        Ok(Self { path, width, height, levels })
    }

    /// Refuses a mask of another size than such frames have.
    ///
    /// # Errors
    /// Both sizes, and how to scale the mask.
    pub fn check(&self, format: &Format) -> Result<()> {
        let (width, height) = format.turn.size((format.width, format.height));
        if (self.width, self.height) == (width, height) {
            return Ok(());
        }
        let path = &self.path;
        // A mask that a program made has a name, and no file.
        let remedy = match Path::new(path).is_file() {
            true => format!("type ffmpeg -i {path:?} -vf scale={width}:{height} mask-{width}x{height}.png"),
            false => format!("give one of {width}x{height}"),
        };
        bail!("mask {path:?} is {}x{} and the frames are {width}x{height}; {remedy}", self.width, self.height)
    }

    /// The mean level of the pixels of the frame that one sample of a plane, as it is stored, stands for, 0 to 1. The mask
    /// has the size of the frames.
    pub fn weight(&self, format: &Format, plane: usize, x: usize, y: usize) -> f64 {
        let (across, down) = format.pixel.subsampling(plane);
        let pixels = |at: usize, shift: u8, end: usize| at << shift..((at + 1) << shift).min(end);
        let (columns, rows) = (pixels(x, across, format.width), pixels(y, down, format.height));
        let count = columns.len() * rows.len();
        let places = rows.flat_map(|y| columns.clone().map(move |x| (x, y)));
        let levels = places.map(|place| {
            let (x, y) = format.turn.shown(place, (format.width, format.height));
            &self.levels[y * self.width + x]
        });
        levels.map(|&level| u64::from(level)).sum::<u64>() as f64 / (count as f64 * f64::from(u16::MAX))
    }
}

/// The level of one pixel: grey or RGB, perhaps followed by opacity.
fn level(pixel: &[u16]) -> u16 {
    let (luma, opacity) = match pixel {
        [r, g, b, rest @ ..] => {
            (0.2126 * f64::from(*r) + 0.7152 * f64::from(*g) + 0.0722 * f64::from(*b), rest.first())
        }
        [grey, rest @ ..] => (f64::from(*grey), rest.first()),
        [] => (0.0, None),
    };
    let opacity = opacity.map_or(1.0, |opacity| f64::from(*opacity) / f64::from(u16::MAX));
    (luma * opacity).round() as u16
}
