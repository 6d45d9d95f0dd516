//! Frames from strided planes and from interleaved pixels.

use std::sync::Arc;

use anyhow::{Context, Result, ensure};
use bytemuck::Pod;

use super::{Family, Format, Frame, FrameMut, Pool, Timing};

impl Frame {
    /// Copies planes with strides, in samples, into a new frame: [`Pool::frame_of_planes`] in memory of its own.
    ///
    /// # Errors
    /// As [`Pool::frame_of_planes`].
    ///
    /// ```
    /// use std::sync::Arc;
    /// use warpreel_frame::{Format, Frame, Pixel, Rational, Timing};
    ///
    /// let format = Arc::new(Format::try_new(Pixel::gray(16), 3, 2, Rational::new(25, 1))?);
    /// let samples: Vec<u16> = (0..20).collect();
    /// // Rows of three samples, ten apart, from the fourth sample on.
    /// let frame = Frame::from_planes(&format, Timing::at(0), &[(&samples[4..], 10)])?;
    /// assert_eq!(frame.host()?.plane::<u16>(0).row(1), [14, 15, 16]);
    /// # anyhow::Ok(())
    /// ```
    pub fn from_planes<T: Pod>(format: &Arc<Format>, timing: Timing, planes: &[(&[T], usize)]) -> Result<Self> {
        Pool::heap().frame_of_planes(format, timing, planes)
    }

    /// Copies interleaved pixels into a new frame: [`Pool::frame_of_pixels`] in memory of its own.
    ///
    /// # Errors
    /// As [`Pool::frame_of_pixels`].
    ///
    /// ```
    /// use std::sync::Arc;
    /// use warpreel_frame::{Format, Frame, Pixel, Rational, Timing};
    ///
    /// let format = Arc::new(Format::try_new(Pixel::rgb(8), 2, 1, Rational::new(25, 1))?);
    /// let frame = Frame::from_pixels(&format, Timing::at(0), &[255u8, 128, 0, 1, 2, 3], 6)?;
    /// // Planes are in FFmpeg's order: green, blue, red.
    /// assert_eq!(frame.host()?.plane::<u8>(2).row(0), [255, 1]);
    /// assert_eq!(frame.to_pixels::<u8>()?, [255, 128, 0, 1, 2, 3]);
    /// # anyhow::Ok(())
    /// ```
    pub fn from_pixels<T: Pod>(format: &Arc<Format>, timing: Timing, samples: &[T], stride: usize) -> Result<Self> {
        Pool::heap().frame_of_pixels(format, timing, samples, stride)
    }

    /// Interleaved pixels without padding: red, green, blue, or grey, then opacity if there is any.
    ///
    /// # Errors
    /// If it lies on a device, `T` is not the type of its samples, or its chroma is in planes of its own.
    pub fn to_pixels<T: Pod>(&self) -> Result<Vec<T>> {
        let (host, format) = (self.host()?, self.format());
        let order = order(format)?;
        let planes = order.iter().map(|&plane| host.try_plane::<T>(plane)).collect::<Result<Vec<_>>>()?;
        let mut pixels = Vec::new();
        let samples = format.samples();
        pixels.try_reserve_exact(samples).with_context(|| format!("allocate {samples} samples"))?;
        for y in 0..format.height {
            let rows: Vec<_> = planes.iter().map(|plane| plane.row(y)).collect();
            pixels.extend((0..format.width).flat_map(|x| rows.iter().map(move |row| row[x])));
        }
        Ok(pixels)
    }
}

impl Pool {
    /// Copies planes, in the order of the format, each with its stride in samples.
    ///
    /// # Errors
    /// If `T` is not the type of the format's samples, there are not as many planes, or one of them is too short; or memory
    /// runs out.
    pub fn frame_of_planes<T: Pod>(
        &self,
        format: &Arc<Format>,
        timing: Timing,
        planes: &[(&[T], usize)],
    ) -> Result<Frame> {
        let mut frame = self.frame(format)?;
        let mut own = frame.try_planes_mut::<T>()?;
        ensure!(planes.len() == own.len(), "{} planes for {format}, which has {}", planes.len(), own.len());
        for (index, (plane, &(samples, stride))) in own.iter_mut().zip(planes).enumerate() {
            let (width, height) = (plane.width, plane.height);
            check_rows(samples.len(), stride, width, height).with_context(|| format!("plane {index}"))?;
            (0..height).for_each(|y| plane.row_mut(y).copy_from_slice(&samples[y * stride..][..width]));
        }
        Ok(frame.freeze(timing))
    }

    /// Copies interleaved pixels, as image files store them: red, green, blue, or grey, then opacity if the format has it.
    /// `stride` is in samples.
    ///
    /// # Errors
    /// If `T` is not the type of the format's samples, there are too few, or the format has chroma, which colours have to be
    /// converted to; or memory runs out.
    pub fn frame_of_pixels<T: Pod>(
        &self,
        format: &Arc<Format>,
        timing: Timing,
        samples: &[T],
        stride: usize,
    ) -> Result<Frame> {
        let mut frame: FrameMut = self.frame(format)?;
        let order = order(format)?;
        let mut planes = frame.try_planes_mut::<T>()?;
        let (width, height, each) = (format.width, format.height, order.len());
        check_rows(samples.len(), stride, width * each, height)?;
        for (place, &plane) in order.iter().enumerate() {
            for y in 0..height {
                let pixels = samples[y * stride..][..width * each].chunks_exact(each);
                planes[plane].row_mut(y).iter_mut().zip(pixels).for_each(|(sample, pixel)| *sample = pixel[place]);
            }
        }
        Ok(frame.freeze(timing))
    }
}

/// Plane of each sample of an interleaved pixel.
fn order(format: &Format) -> Result<Vec<usize>> {
    let colours: &[usize] = match format.pixel.family {
        Family::Gray => &[0],
        Family::Rgb => &[2, 0, 1],
        Family::Yuv => anyhow::bail!("{format} has chroma in planes of its own; take a format of gray or gbrp"),
    };
    let alpha = format.pixel.alpha.then_some(colours.len());
    Ok(colours.iter().copied().chain(alpha).collect())
}

/// Checks that a slice holds the rows.
fn check_rows(samples: usize, stride: usize, width: usize, height: usize) -> Result<()> {
    ensure!(stride >= width, "rows begin {stride} samples apart and have {width}");
    let needed = stride.checked_mul(height - 1).and_then(|rows| rows.checked_add(width));
    let fits = needed.is_some_and(|needed| needed <= samples);
    ensure!(fits, "{samples} samples for {height} rows of {width} that begin {stride} apart");
    Ok(())
}
