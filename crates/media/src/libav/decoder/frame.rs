//! Pictures as frames: where they lie, or as copies.

use std::ffi::c_int;
use std::sync::Arc;

use anyhow::{Context, Result, bail};

use super::Decoder;
use crate::frame::{Format, Frame, Pool, Timing};
use crate::libav::convert::Converter;
use crate::libav::fields::Fields as _;
use crate::libav::picture::Picture;
use crate::libav::pixel::Stored;

impl Decoder {
    /// How the picture is stored, or would be if it did not lie on a device.
    pub fn stored(&self, picture: &Picture) -> Option<Stored> {
        match picture.is_on_device() {
            true => Stored::from_number(self.opened.fields().sw_pix_fmt as c_int),
            false => picture.stored(),
        }
    }

    /// The picture as a frame: where it lies, if it was decoded into the pool as frames are stored, else a copy, on the
    /// device if it lies on one.
    ///
    /// # Errors
    /// If the picture has another size or pixel than `format`; [`NoMemory`](crate::libav::error::NoMemory).
    pub fn frame(&mut self, picture: &Picture, format: &Arc<Format>, pool: &Pool, timing: Timing) -> Result<Frame> {
        let stored = self.stored(picture).filter(|stored| stored.pixel() == format.pixel);
        let (width, height) = picture.size();
        let Some(stored) = stored.filter(|_| (width, height) == (format.width, format.height)) else {
            let pixel =
                self.stored(picture).map_or_else(|| "unknown pixels".to_owned(), |stored| stored.pixel().name());
            let began = format.pixel.name();
            bail!(
                "it is {pixel} {width}x{height}, but the clip began as {began} {}x{}; make it one format with: ffmpeg -i \
                 INPUT -vf scale={}:{},format={began} OUTPUT",
                format.width,
                format.height,
                format.width,
                format.height
            )
        };
        if let Some(device) = self.device.as_mut().filter(|_| picture.is_on_device()) {
            return device.hardware.keep(picture, format, timing);
        }
        if stored.is_planar_native()
            && let Some(frame) = self.loan.frame(picture, format, &timing)?
        {
            return Ok(frame);
        }
        let fits = |(known, like, _): &(Stored, Arc<Format>, Converter)| *known == stored && Arc::ptr_eq(like, format);
        if !self.converter.as_ref().is_some_and(fits) {
            self.converter = Some((stored, format.clone(), Converter::to_planar(stored, format)?));
        }
        let (_, _, converter) = self.converter.as_mut().context("no converter")?;
        let image = picture.image().context("the decoder returned a frame without a picture")?;
        Ok(converter.unpack_image(&image, pool)?.freeze(timing))
    }
}

#[cfg(test)]
mod tests {
    use std::path::Path;

    use super::*;
    use crate::frame::{Pixel, Rational};
    use crate::libav::input::InputContext;
    use crate::libav::outcome::Outcome;
    use crate::libav::packet::Packet;

    /// The caller need not have compared anything.
    #[test]
    fn a_picture_is_no_frame_of_another_kind() -> Result<()> {
        let clip = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../samples/bigbuckbunny-720p.mp4");
        let mut input = InputContext::open_path(&clip, None)?;
        let video = input.best_video().context("a video")?;
        let mut decoder = Decoder::open(&input, video, 1)?;
        let (mut packet, mut picture, pool) = (Packet::new(), Picture::new(), Pool::heap());
        while decoder.receive(&mut picture)? != Outcome::Done {
            input.read(&mut packet);
            if packet.stream() == video {
                decoder.send(Some(&packet))?;
            }
        }
        let pixel = picture.stored().context("pixels")?.pixel();
        let mut frame = |pixel: Pixel, width, height| {
            let format = Arc::new(Format::new(pixel, width, height, Rational::new(25, 1)));
            decoder.frame(&picture, &format, &pool, Timing::default())
        };
        frame(pixel, 1280, 720)?;
        for (pixel, width, height) in [(pixel, 1280, 722), (pixel, 1282, 720), (Pixel::gray(8), 1280, 720)] {
            let error = frame(pixel, width, height).err().context("an error")?.to_string();
            assert!(error.contains("1280x720") && error.contains(&format!("{width}x{height}")), "{error}");
        }
        Ok(())
    }
}
