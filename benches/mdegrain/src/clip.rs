//! Clips in memory, from and to y4m.

use std::io::{BufReader, BufWriter, Read, Write};

use anyhow::{Context, Result, bail, ensure};
use y4m::{Colorspace, Error, Frame, Ratio};

use super::picture::Picture;

/// A clip and what y4m says of it.
pub struct Clip {
    /// Luma samples.
    pub width: usize,
    /// Luma samples.
    pub height: usize,
    rate: Ratio,
    aspect: Ratio,
    siting: Colorspace,
    /// At least one.
    pub frames: Vec<Picture>,
}

impl Clip {
    /// Reads at most `limit` frames of 8 bits and 4:2:0; anything else, and a clip without frames, are an error.
    pub fn read(source: impl Read, limit: usize) -> Result<Clip> {
        let mut decoder = y4m::decode(BufReader::new(source)).context("read the header of the y4m clip on stdin")?;
        let siting = decoder.get_colorspace();
        let is_known =
            matches!(siting, Colorspace::C420 | Colorspace::C420jpeg | Colorspace::C420paldv | Colorspace::C420mpeg2);
        ensure!(is_known, "{siting:?}: only 4:2:0 of 8 bits is read; convert it with: ffmpeg -pix_fmt yuv420p");
        let (width, height) = (decoder.get_width(), decoder.get_height());
        let (rate, aspect) = (decoder.get_framerate(), decoder.get_pixel_aspect());
        let mut frames = Vec::new();
        while frames.len() < limit {
            let frame = match decoder.read_frame() {
                Ok(frame) => frame,
                Err(Error::EOF) => break,
                Err(error) => bail!("read frame {} of the clip on stdin: {error}", frames.len()),
            };
            let mut picture = Picture::black(width, height)?;
            for (plane, samples) in [frame.get_y_plane(), frame.get_u_plane(), frame.get_v_plane()].iter().enumerate() {
                picture.set(plane, samples);
            }
            frames.push(picture);
        }
        ensure!(!frames.is_empty(), "the clip on stdin has no frames");
        Ok(Clip { width, height, rate, aspect, siting, frames })
    }

    /// Writes other frames of the same size, the rest as the clip has it.
    pub fn write(&self, frames: &[Picture], sink: impl Write) -> Result<()> {
        let mut sink = BufWriter::new(sink);
        let header = y4m::encode(self.width, self.height, self.rate).with_pixel_aspect(self.aspect);
        let mut encoder = header.with_colorspace(self.siting).write_header(&mut sink).context("write to stdout")?;
        for picture in frames {
            let [luma, blue, red] = [0, 1, 2].map(|plane| picture.samples(plane));
            encoder.write_frame(&Frame::new([&luma, &blue, &red], None)).context("write to stdout")?;
        }
        sink.flush().context("write to stdout")
    }
}
