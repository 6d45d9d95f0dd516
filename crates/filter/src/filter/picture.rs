//! Still pictures from PNG files, as masks and overlays read them.

use std::fs::File;
use std::io::BufReader;
use std::path::Path;

use png::{ColorType, Transformations};

use crate::frame::Format;

/// Whether a file pretends to be a PNG file by its name.
pub(super) fn is_png(path: &str) -> bool {
    Path::new(path).extension().is_some_and(|ending| ending.eq_ignore_ascii_case("png"))
}

/// A still picture: grey or RGB, perhaps with opacity, 16 bits a sample.
#[derive(Clone, Debug, PartialEq)]
pub struct StillPicture {
    /// The file that it came from, as typed, or what else messages call it.
    pub path: String,
    /// Pixels in a row.
    pub width: usize,
    /// Rows.
    pub height: usize,
    /// Samples of a pixel: 1 grey, 2 grey and opacity, 3 RGB, 4 RGB and opacity.
    pub channels: usize,
    /// Pixel by pixel, row by row; 65535 is white, and opaque.
    pub samples: Vec<u16>,
}

impl StillPicture {
    /// Reads a PNG file of any kind; of an animation, what stands for it where animations are not shown. Blocks while the file
    /// is read.
    ///
    /// # Errors
    /// The fault, worded to follow the name of the file.
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
        let channels = match frame.color_type {
            ColorType::GrayscaleAlpha => 2,
            ColorType::Rgb => 3,
            ColorType::Rgba => 4,
            _ => 1,
        };
        Ok(Self { path: path.to_owned(), width, height, channels, samples })
    }

    /// Red, green and blue of a pixel, and its opacity, from 0 to 1.
    pub fn rgba(&self, x: usize, y: usize) -> [f64; 4] {
        let white = f64::from(u16::MAX);
        let at = (y * self.width + x) * self.channels;
        let part = |channel: usize| f64::from(self.samples[at + channel]) / white;
        match self.channels {
            1 => [part(0), part(0), part(0), 1.0],
            2 => [part(0), part(0), part(0), part(1)],
            3 => [part(0), part(1), part(2), 1.0],
            _ => [part(0), part(1), part(2), part(3)],
        }
    }
}
