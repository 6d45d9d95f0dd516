//! Masks: how much of a filter's result there is at each pixel, from PNG files.

use std::fs::File;
use std::io::BufReader;

use anyhow::{Result, ensure};
use png::{ColorType, Transformations};

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
        let file = File::open(path).map_err(|error| format!("cannot be read: {}", super::matrix::reason(&error)))?;
        let mut decoder = png::Decoder::new(BufReader::new(file));
        // Palettes, fewer bits than 8, and transparency beside the samples become plain samples.
        decoder.set_transformations(Transformations::EXPAND);
        decoder.set_limits(png::Limits { bytes: 8 * Format::MAX_SIDE * Format::MAX_SIDE });
        let damaged =
            |error: png::DecodingError| format!("is not a PNG file: {}", error.to_string().trim_end_matches('.'));
        let mut reader = decoder.read_info().map_err(damaged)?;
        let (width, height) = (reader.info().width as usize, reader.info().height as usize);
        let most = Format::MAX_SIDE;
        if width.max(height) > most {
            return Err(format!("is {width}x{height} pixels, where {most} are the most along a side"));
        }
        let size = reader.output_buffer_size().ok_or("is too large")?;
        let mut bytes = Vec::new();
        bytes.try_reserve_exact(size).map_err(|_| format!("needs {size} bytes of memory, which are not there"))?;
        bytes.resize(size, 0);
        let frame = reader.next_frame(&mut bytes).map_err(damaged)?;
        bytes.truncate(frame.buffer_size());
        let samples: Vec<u16> = match frame.bit_depth {
            png::BitDepth::Sixteen => {
                bytes.chunks_exact(2).map(|pair| u16::from_be_bytes([pair[0], pair[1]])).collect()
            }
            _ => bytes.iter().map(|&byte| u16::from(byte) * 257).collect(),
        };
        let levels = samples.chunks_exact(frame.color_type.samples()).map(|pixel| level(frame.color_type, pixel));
        Ok(Self { path: path.to_owned(), width, height, levels: levels.collect() })
    }

    /// Refuses a mask of another size than such frames have.
    ///
    /// # Errors
    /// Both sizes, and how to scale the mask.
    pub fn check(&self, format: &Format) -> Result<()> {
        let (width, height) = format.turn.size((format.width, format.height));
        ensure!(
            (self.width, self.height) == (width, height),
            "mask {:?} is {}x{} and the frames are {width}x{height}; type ffmpeg -i {:?} -vf scale={width}:{height} \
             mask-{width}x{height}.png",
            self.path,
            self.width,
            self.height,
            self.path
        );
        Ok(())
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
fn level(kind: ColorType, pixel: &[u16]) -> u16 {
    let white = f64::from(u16::MAX);
    let luma = match (kind, pixel) {
        (ColorType::Rgb | ColorType::Rgba, [r, g, b, ..]) => {
            0.2126 * f64::from(*r) + 0.7152 * f64::from(*g) + 0.0722 * f64::from(*b)
        }
        _ => f64::from(pixel[0]),
    };
    let opacity = match (kind, pixel) {
        (ColorType::GrayscaleAlpha | ColorType::Rgba, [.., opacity]) => f64::from(*opacity) / white,
        _ => 1.0,
    };
    (luma * opacity).round() as u16
}
