//! The two fields of an interlaced frame: every other row each.

use std::sync::Arc;

use anyhow::{Result, ensure};

use super::{Format, Frame, Layout, PlaneLayout, Pool};

/// One of the two fields.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Field {
    /// Rows 0, 2, 4, …
    Top,
    /// Rows 1, 3, 5, …
    Bottom,
}

impl Field {
    /// Both, the top one first.
    pub const ALL: [Self; 2] = [Self::Top, Self::Bottom];
}

impl Format {
    /// What each of its fields is: a picture of half the height, with the same rate.
    ///
    /// # Errors
    /// If the fields are not equally high in every plane: 4:2:0 needs a multiple of four rows.
    pub fn field(&self) -> Result<Self> {
        let rows = (0..self.pixel.planes()).map(|plane| self.plane_size(plane).1);
        let even = rows.clone().all(|rows| rows.is_multiple_of(2));
        let (_, down) = self.pixel.subsampling(1);
        let needed = 2 << down;
        ensure!(
            even && self.height.is_multiple_of(2),
            "{} rows of {} do not divide into two equal fields; the height must be a multiple of {needed}; type --fields frame, or crop it first",
            self.height,
            self.pixel.name()
        );
        Ok(Self { height: self.height / 2, ..self.clone() })
    }
}

impl Frame {
    /// A field of a frame as a picture of its own: a view with twice the stride, wherever the frame lies. `format` is
    /// [`Format::field`] of the frame's.
    ///
    /// # Errors
    /// If it is not.
    pub fn field(&self, format: &Arc<Format>, field: Field) -> Result<Self> {
        let sample = format.pixel.sample.bytes();
        let planes = self.layout().planes.iter().map(|plane| PlaneLayout {
            offset_bytes: plane.offset_bytes + if field == Field::Bottom { plane.stride * sample } else { 0 },
            stride: 2 * plane.stride,
            height: plane.height / 2,
            ..plane.clone()
        });
        self.view(format, Layout { planes: planes.collect(), ..self.layout().clone() })
    }
}

impl Pool {
    /// A frame of two fields, the top one first; its timing is that one's.
    ///
    /// # Errors
    /// If the fields are not on the host or not of [`Format::field`], or memory runs out.
    pub fn woven(&self, format: &Arc<Format>, fields: [&Frame; 2]) -> Result<Frame> {
        let half = format.field()?;
        for field in fields {
            ensure!(**field.format() == half, "the field is {}, and the frames are {format}", field.format());
        }
        let hosts = [fields[0].host()?, fields[1].host()?];
        let mut frame = self.frame(format)?;
        for plane in 0..format.pixel.planes() {
            let pairs = hosts[0].rows(plane).zip(hosts[1].rows(plane));
            frame.fill_rows(plane, pairs.flat_map(|(top, bottom)| [top, bottom]));
        }
        Ok(frame.freeze(fields[0].timing.clone()))
    }
}
