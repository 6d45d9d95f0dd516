//! Planes as arrays of `ndarray` (feature `ndarray`).

use std::sync::Arc;

use anyhow::{Context, Result};
use bytemuck::Pod;
use ndarray::{ArrayView2, ShapeBuilder as _};

use super::{Format, Frame, Plane, Pool, Timing};

impl<'a, T> Plane<'a, T> {
    /// The plane as an array of its height and width, without a copy.
    ///
    /// # Errors
    /// If a row is longer than an array can have.
    ///
    /// ```
    /// use std::sync::Arc;
    /// use warpreel_frame::{Format, Frame, Pixel, Rational, Timing};
    ///
    /// let format = Arc::new(Format::try_new(Pixel::gray(8), 3, 2, Rational::new(25, 1))?);
    /// let frame = Frame::from_samples(&format, Timing::at(0), vec![1u8, 2, 3, 4, 5, 6])?;
    /// let array = frame.host()?.plane::<u8>(0).array()?;
    /// assert_eq!((array.dim(), array[[1, 2]]), ((2, 3), 6));
    /// # anyhow::Ok(())
    /// ```
    pub fn array(&self) -> Result<ArrayView2<'a, T>> {
        let shape = (self.height, self.width).strides((self.stride(), 1));
        ArrayView2::from_shape(shape, self.samples()).with_context(|| format!("{} x {}", self.width, self.height))
    }
}

impl Frame {
    /// Copies arrays of height and width, one for each plane in the order of the format, into a new frame. Their memory may be in
    /// any order.
    ///
    /// # Errors
    /// If `T` is not the type of the format's samples, or there are not as many planes of such sizes; or memory runs out.
    ///
    /// ```
    /// use std::sync::Arc;
    /// use ndarray::Array2;
    /// use warpreel_frame::{Format, Frame, Pixel, Rational, Timing};
    ///
    /// let format = Arc::new(Format::try_new(Pixel::gray(16), 4, 3, Rational::new(25, 1))?);
    /// let ramp = Array2::from_shape_fn((4, 3), |(x, y)| 10 * x as u16 + y as u16);
    /// let frame = Frame::from_arrays(&format, Timing::at(0), &[ramp.t()])?;
    /// assert_eq!(frame.host()?.plane::<u16>(0).row(2), [2, 12, 22, 32]);
    /// # anyhow::Ok(())
    /// ```
    pub fn from_arrays<T: Pod>(format: &Arc<Format>, timing: Timing, planes: &[ArrayView2<'_, T>]) -> Result<Self> {
        let mut frame = Pool::heap().frame(format)?;
        let mut own = frame.try_planes_mut::<T>()?;
        anyhow::ensure!(
            planes.len() == own.len(),
            "{} arrays for {format}, which has {} planes",
            planes.len(),
            own.len()
        );
        for (index, (plane, array)) in own.iter_mut().zip(planes).enumerate() {
            let (height, width) = array.dim();
            anyhow::ensure!(
                (width, height) == (plane.width, plane.height),
                "array {index} has {height} rows of {width}, and plane {index} of {format} has {} of {}",
                plane.height,
                plane.width
            );
            for (y, row) in array.rows().into_iter().enumerate() {
                plane.row_mut(y).iter_mut().zip(row).for_each(|(sample, value)| *sample = *value);
            }
        }
        Ok(frame.freeze(timing))
    }
}
