//! An operation as the CPU stage runs it, and where: what each says in its own file.

use anyhow::Result;

use super::finish::Finish;
use super::simd::{Level, Sample};
use super::walk::{BandFilter, Bands, LineCost, LineFilter, PlaneStage, RowReach, Walk};
use crate::frame::{Format, Pixel};
use crate::pass::{self, Border};

/// An operation on planes of samples of type `T`.
pub trait Staged<T: Sample> {
    /// The operation, which was checked, with its tables, ready to run.
    ///
    /// # Errors
    /// If it is for other samples.
    fn stage(&self, setting: &Setting) -> Result<Box<dyn PlaneStage<T>>>;
}

/// An operation that makes samples of type `U` of those of type `T`.
pub trait Converting<T: Sample, U: Sample> {
    /// The operation, which was checked, ready to run.
    fn converting(&self, setting: &Setting) -> Box<dyn PlaneStage<T, U>>;
}

/// Where an operation is to run.
pub struct Setting<'a> {
    /// Of the frames.
    pub format: &'a Format,
    /// Which of their planes.
    pub plane: usize,
    /// How many threads share the plane.
    pub threads: usize,
    /// The instructions that it runs with.
    pub level: Level,
    /// Frames of the window on either side of the centre.
    pub reach: usize,
}

impl Setting<'_> {
    /// The format's pixels.
    pub fn pixel(&self) -> Pixel {
        self.format.pixel
    }

    /// Samples in a row and in a column of the plane.
    pub fn size(&self) -> (usize, usize) {
        self.format.plane_size(self.plane)
    }

    /// Samples in a row.
    pub fn width(&self) -> usize {
        self.size().0
    }

    /// Rows.
    pub fn height(&self) -> usize {
        self.size().1
    }

    /// How many rows a band has where bands share nothing: four bands a thread even out what other work does to one.
    pub fn band_rows(&self) -> usize {
        self.height().div_ceil(4 * self.threads)
    }

    /// A last step on samples of the format.
    pub fn finish(&self, finish: pass::Finish) -> Finish {
        Finish::new(finish, self.format.pixel)
    }

    /// The plane, and how far an operation reaches up and down.
    pub fn row_reach(&self, border: Border, top: usize, bottom: usize) -> RowReach {
        RowReach { border, height: self.height(), top, bottom, threads: self.threads }
    }

    /// A filter whose bands share nothing, in bands of [`Setting::band_rows`].
    pub fn bands<T: Sample, U: Sample, K: BandFilter<T, U> + 'static>(&self, filter: K) -> Box<dyn PlaneStage<T, U>> {
        self.bands_of(self.band_rows(), filter)
    }

    /// The same in bands of so many rows.
    pub fn bands_of<T: Sample, U: Sample, K: BandFilter<T, U> + 'static>(
        &self,
        band_rows: usize,
        filter: K,
    ) -> Box<dyn PlaneStage<T, U>> {
        Box::new(Bands { filter, level: self.level, band_rows })
    }

    /// A line filter, walked over the plane. `cost` is that of its lines.
    pub fn walk<T: Sample, K: LineFilter<T> + 'static>(
        &self,
        filter: K,
        row_reach: RowReach,
        cost: LineCost,
    ) -> Box<dyn PlaneStage<T>> {
        Box::new(Walk::new(filter, self.level, row_reach, cost))
    }
}
