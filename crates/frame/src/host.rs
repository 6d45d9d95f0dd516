//! The samples of a frame as the processor reads them.

use std::sync::Arc;

use anyhow::{Result, ensure};
use bytemuck::Pod;

use super::{Block, Format, Layout, Plane, PlaneLayout};

/// A view of a frame whose memory is the host's.
#[derive(Clone, Copy, Debug)]
pub struct Host<'a> {
    format: &'a Format,
    layout: &'a Layout,
    block: &'a Arc<Block>,
}

impl<'a> Host<'a> {
    /// Of planes that were checked against their memory.
    pub(super) fn new(format: &'a Format, layout: &'a Layout, block: &'a Arc<Block>) -> Self {
        Self { format, layout, block }
    }

    /// The whole memory, padding included; the frame's layout says where the planes lie in it. Of memory in several
    /// pieces it is the first.
    pub fn bytes(&self) -> &'a [u8] {
        self.block.bytes()
    }

    /// How many bytes of the memory lie behind the last sample; 0 where it has several pieces.
    pub fn slack_bytes(&self) -> usize {
        if !self.layout.is_in_one_piece() {
            return 0;
        }
        self.bytes().len().saturating_sub(self.layout.span(self.format.pixel.sample.bytes()).end)
    }

    /// The memory itself, for whoever keeps it longer than the frame.
    pub fn block(&self) -> &'a Arc<Block> {
        self.block
    }

    /// One plane, as samples of type `T`.
    ///
    /// # Panics
    /// If `T` is not the type of [`super::Pixel::sample`], or there is no such plane; [`Host::try_plane`] returns an error
    /// instead.
    pub fn plane<T: Pod>(&self, index: usize) -> Plane<'a, T> {
        match self.try_plane(index) {
            Ok(plane) => plane,
            Err(error) => panic!("{error}"),
        }
    }

    /// One plane, checked.
    ///
    /// # Errors
    /// If `T` is not `u8`, `u16` or `f32` as [`super::Pixel::sample`] says, or there is no such plane.
    ///
    /// ```
    /// # use std::sync::Arc;
    /// # use warpreel_frame::{Format, Frame, Pixel, Rational, Timing};
    /// # let format = Arc::new(Format::new(Pixel::gray(8), 3, 2, Rational::new(25, 1)));
    /// # let frame = Frame::from_samples(&format, Timing::at(0), vec![1u8, 2, 3, 4, 5, 6])?;
    /// let host = frame.host()?;
    /// assert_eq!(host.try_plane::<u8>(0)?.rows().last(), Some(&[4, 5, 6][..]));
    /// assert!(host.try_plane::<u16>(0).is_err() && host.try_plane::<u8>(1).is_err());
    /// # anyhow::Ok(())
    /// ```
    pub fn try_plane<T: Pod>(&self, index: usize) -> Result<Plane<'a, T>> {
        let (format, planes) = (self.format, &self.layout.planes);
        ensure!(index < planes.len(), "no plane {index}; {format} has {}", planes.len());
        ensure!(format.pixel.sample.is::<T>(), "samples of {format} are not {}", std::any::type_name::<T>());
        let plane = &planes[index];
        Ok(Plane::new(bytemuck::cast_slice(&self.piece(plane)[plane.bytes(size_of::<T>())]), plane))
    }

    /// The piece of the memory that a plane lies in; that there is one was checked with the layout.
    fn piece(&self, plane: &PlaneLayout) -> &'a [u8] {
        self.block.piece(plane.piece).unwrap_or_default()
    }

    /// All samples in order without padding, if they lie that way in memory.
    pub fn packed_bytes(&self) -> Option<&'a [u8]> {
        let range = self.layout.packed_range(self.format)?;
        Some(&self.block.bytes()[range])
    }

    /// All samples in order without padding, in as few pieces as they lie in: one, or each row.
    pub fn pieces(&self) -> impl Iterator<Item = &'a [u8]> + use<'a> {
        let (host, whole) = (*self, self.packed_bytes());
        let planes = if whole.is_some() { 0 } else { self.layout.planes.len() };
        whole.into_iter().chain((0..planes).flat_map(move |plane| host.rows(plane)))
    }

    /// The bytes of each row of one plane, without padding, top to bottom.
    ///
    /// # Panics
    /// If there is no such plane.
    pub fn rows(&self, index: usize) -> impl Iterator<Item = &'a [u8]> + use<'a> {
        let plane = &self.layout.planes[index];
        let (bytes, sample) = (self.piece(plane), self.format.pixel.sample.bytes());
        (0..plane.height).map(move |y| {
            let start = plane.offset_bytes + y * plane.stride * sample;
            &bytes[start..start + plane.width * sample]
        })
    }
}
