//! Frames with their last column and row repeated, for encoders that accept no odd sides.

use std::sync::Arc;

use anyhow::Result;
use bytemuck::Pod;

use super::{Format, Frame, Pool, Sample};

/// Makes frames a little wider and higher.
#[derive(Debug)]
pub struct Padder {
    to: Arc<Format>,
    pool: Pool,
}

impl Padder {
    /// For frames of a format; `None` where both sides are multiples of `width` and `height`.
    pub fn new(from: &Format, (width, height): (usize, usize)) -> Option<Self> {
        let size = (from.width.next_multiple_of(width), from.height.next_multiple_of(height));
        let to = Format { width: size.0, height: size.1, ..from.clone() };
        (size != (from.width, from.height)).then(|| Self { to: Arc::new(to), pool: Pool::heap() })
    }

    /// Format of the padded frames.
    pub fn format(&self) -> &Arc<Format> {
        &self.to
    }

    /// A padded frame, with its time and all that rides along.
    ///
    /// # Errors
    /// If the frame lies on a device, or memory runs out.
    pub fn run(&self, frame: &Frame) -> Result<Frame> {
        match self.to.pixel.sample {
            Sample::U8 => self.padded::<u8>(frame),
            Sample::U16 => self.padded::<u16>(frame),
            Sample::F32 => self.padded::<f32>(frame),
        }
    }

    fn padded<T: Pod>(&self, frame: &Frame) -> Result<Frame> {
        let (host, mut padded) = (frame.host()?, self.pool.frame(&self.to)?);
        for (index, mut plane) in padded.planes_mut::<T>().into_iter().enumerate() {
            let from = host.plane::<T>(index);
            for y in 0..plane.height {
                let (row, into) = (from.row(y.min(from.height - 1)), plane.row_mut(y));
                into[..row.len()].copy_from_slice(row);
                into[row.len()..].fill(row[row.len() - 1]);
            }
        }
        Ok(padded.freeze(frame.timing.clone()))
    }
}
