//! Frames of grey and RGB as images of the crate `image`, and back (feature `image`).

use std::sync::Arc;

use anyhow::{Context, Error, Result, bail};
use bytemuck::Pod;
use image::{DynamicImage, ImageBuffer, Pixel as ImagePixel};

use super::{Family, Format, Frame, Pixel, Range, Rational, Sample, Timing};

impl TryFrom<&DynamicImage> for Frame {
    type Error = Error;

    /// Copies an image into a frame of the same samples: grey or RGB of 8 or 16 bits, or RGB of 32-bit floats, with opacity where
    /// the image has it. Its range is full, its frame rate unknown, its number and time 0.
    ///
    /// # Errors
    /// If a side is 0 or longer than [`Format::MAX_SIDE`], or memory runs out.
    ///
    /// ```
    /// use image::{DynamicImage, RgbImage};
    /// use warpreel_frame::Frame;
    ///
    /// let image = DynamicImage::from(RgbImage::from_pixel(4, 2, image::Rgb([255, 128, 0])));
    /// let frame = Frame::try_from(&image)?;
    /// assert_eq!(frame.format().to_string(), "gbrp 4x2");
    /// assert_eq!(DynamicImage::try_from(&frame)?, image);
    /// # anyhow::Ok(())
    /// ```
    fn try_from(image: &DynamicImage) -> Result<Self> {
        use DynamicImage as I;
        match image {
            I::ImageLuma8(buffer) => taken(buffer, Pixel::gray(8)),
            I::ImageLumaA8(buffer) => taken(buffer, Pixel::gray(8).with_alpha()),
            I::ImageRgb8(buffer) => taken(buffer, Pixel::rgb(8)),
            I::ImageRgba8(buffer) => taken(buffer, Pixel::rgb(8).with_alpha()),
            I::ImageLuma16(buffer) => taken(buffer, Pixel::gray(16)),
            I::ImageLumaA16(buffer) => taken(buffer, Pixel::gray(16).with_alpha()),
            I::ImageRgb16(buffer) => taken(buffer, Pixel::rgb(16)),
            I::ImageRgba16(buffer) => taken(buffer, Pixel::rgb(16).with_alpha()),
            I::ImageRgb32F(buffer) => taken(buffer, Pixel::rgb(16).float()),
            I::ImageRgba32F(buffer) => taken(buffer, Pixel::rgb(16).float().with_alpha()),
            _ => bail!("images of {:?} have no frame format; convert them to 8 or 16 bits", image.color()),
        }
    }
}

impl TryFrom<&Frame> for DynamicImage {
    type Error = Error;

    /// Copies a frame of grey or RGB into an image of the same samples.
    ///
    /// # Errors
    /// If the frame lies on a device, is YUV, has 9 to 15 bits, or is grey of floats: such images do not exist.
    fn try_from(frame: &Frame) -> Result<Self> {
        let pixel = frame.format().pixel;
        let size = (frame.format().width as u32, frame.format().height as u32);
        let is_rgb = match pixel.family {
            Family::Gray => false,
            Family::Rgb => true,
            Family::Yuv => bail!("{} is no image; turn it into RGB first", pixel.name()),
        };
        Ok(match (pixel.sample, pixel.depth, is_rgb, pixel.alpha) {
            (Sample::U8, 8, false, false) => Self::ImageLuma8(given(frame, size)?),
            (Sample::U8, 8, false, true) => Self::ImageLumaA8(given(frame, size)?),
            (Sample::U8, 8, true, false) => Self::ImageRgb8(given(frame, size)?),
            (Sample::U8, 8, true, true) => Self::ImageRgba8(given(frame, size)?),
            (Sample::U16, 16, false, false) => Self::ImageLuma16(given(frame, size)?),
            (Sample::U16, 16, false, true) => Self::ImageLumaA16(given(frame, size)?),
            (Sample::U16, 16, true, false) => Self::ImageRgb16(given(frame, size)?),
            (Sample::U16, 16, true, true) => Self::ImageRgba16(given(frame, size)?),
            (Sample::F32, _, true, false) => Self::ImageRgb32F(given(frame, size)?),
            (Sample::F32, _, true, true) => Self::ImageRgba32F(given(frame, size)?),
            _ => bail!("{} is no image; end the chain with scale=depth=16, or 8", pixel.name()),
        })
    }
}

/// The pixels of an image as a frame.
fn taken<P: ImagePixel>(buffer: &ImageBuffer<P, Vec<P::Subpixel>>, pixel: Pixel) -> Result<Frame>
where
    P::Subpixel: Pod,
{
    let (width, height) = (buffer.width() as usize, buffer.height() as usize);
    let mut format = Format::try_new(pixel, width, height, Rational::new(0, 1))?;
    format.colour.range = Range::Full;
    let each = usize::from(P::CHANNEL_COUNT);
    Frame::from_pixels(&Arc::new(format), Timing::default(), buffer.as_raw(), width * each)
}

/// The pixels of a frame as an image.
fn given<P: ImagePixel>(frame: &Frame, (width, height): (u32, u32)) -> Result<ImageBuffer<P, Vec<P::Subpixel>>>
where
    P::Subpixel: Pod,
{
    ImageBuffer::from_raw(width, height, frame.to_pixels()?).context("the image has other samples")
}
