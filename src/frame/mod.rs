//! What flows: a [`Frame`] is a picture in one block of pooled memory, with its time and what came with it.
//!
//! A frame is born writable and unshared ([`FrameMut`], from [`Pool::frame`]) and becomes immutable and cheap to
//! clone ([`Frame`]) with [`FrameMut::freeze`]. Nothing here knows where frames come from or what is done to them.

mod format;
mod layout;
mod plane;
mod pool;

use std::any::Any;
use std::sync::Arc;

use anyhow::{Result, ensure};
use bytemuck::Pod;

pub use format::{Colour, Family, FieldOrder, Format, Pixel, Range, Rational, Sample};
pub use layout::{Layout, PlaneLayout};
pub use plane::{Plane, PlaneMut};
pub use pool::{Allocator, Block, Heap, Memory, Pool};

/// Whatever a source hangs on a frame for the sink of its own kind: side data, packets of copied streams.
/// Stages in between carry it along unseen.
pub type Attachment = Arc<dyn Any + Send + Sync>;

/// When a frame is shown, and what came with it: all of a frame but its samples.
#[derive(Clone, Default)]
pub struct Timing {
    /// Position in the input, from 0, for messages.
    pub number: u64,
    /// Presentation time in units of [`Format::time_base`]; sources always set it, in ascending order.
    pub pts: i64,
    /// How long the frame is shown, in the same unit; 0 where unknown.
    pub duration: i64,
    /// Side data and packets that ride along.
    pub attachment: Option<Attachment>,
}

/// A picture that is complete and may be shared; clones share its samples.
#[derive(Clone)]
pub struct Frame {
    /// What its samples are.
    pub format: Arc<Format>,
    /// Its time, and what rides along.
    pub timing: Timing,
    layout: Layout,
    block: Arc<Block>,
}

/// A picture that is being written; nobody else can see it.
pub struct FrameMut {
    /// What its samples are.
    pub format: Arc<Format>,
    layout: Layout,
    block: Block,
}

impl Frame {
    /// A frame whose samples somebody else wrote into `block`, as a decoder does.
    ///
    /// # Errors
    /// If a plane of `layout` reaches outside the block or is not aligned to its samples.
    pub fn from_block(format: Arc<Format>, timing: Timing, layout: Layout, block: Arc<Block>) -> Result<Self> {
        layout.check(&format, block.bytes().len())?;
        Ok(Self { format, timing, layout, block })
    }

    /// Where the planes lie in [`Frame::block`].
    pub fn layout(&self) -> &Layout {
        &self.layout
    }

    /// The memory that holds all planes.
    pub fn block(&self) -> &Arc<Block> {
        &self.block
    }

    /// How many planes there are: 1 to 4.
    pub fn plane_count(&self) -> usize {
        self.layout.planes.len()
    }

    /// One plane, as samples of type `T`.
    ///
    /// # Panics
    /// If `T` is not the type of [`Pixel::sample`]'s size, or there is no such plane: both are errors of the caller.
    pub fn plane<T: Pod>(&self, index: usize) -> Plane<'_, T> {
        let plane = &self.layout.planes[index];
        assert_eq!(size_of::<T>(), self.format.pixel.sample.bytes(), "sample type of plane {index}");
        Plane::new(bytemuck::cast_slice(&self.block.bytes()[plane.bytes(size_of::<T>())]), plane)
    }

    /// All samples in order without padding, if they lie that way in memory.
    pub fn packed_bytes(&self) -> Option<&[u8]> {
        let range = self.layout.packed_range(&self.format)?;
        Some(&self.block.bytes()[range])
    }

    /// The bytes of each row of one plane, without padding, top to bottom.
    pub fn rows(&self, index: usize) -> impl Iterator<Item = &[u8]> {
        let plane = &self.layout.planes[index];
        let sample = self.format.pixel.sample.bytes();
        (0..plane.height).map(move |y| {
            let start = plane.offset_bytes + y * plane.stride * sample;
            &self.block.bytes()[start..start + plane.width * sample]
        })
    }
}

impl FrameMut {
    /// A writable frame over a block.
    ///
    /// # Errors
    /// As [`Frame::from_block`]; also if planes overlap or are not in ascending order.
    pub fn new(format: Arc<Format>, layout: Layout, block: Block) -> Result<Self> {
        layout.check(&format, block.bytes().len())?;
        let sample = format.pixel.sample.bytes();
        for pair in layout.planes.windows(2) {
            ensure!(pair[0].bytes(sample).end <= pair[1].offset_bytes, "planes overlap in a frame to be written");
        }
        Ok(Self { format, layout, block })
    }

    /// Where the planes lie.
    pub fn layout(&self) -> &Layout {
        &self.layout
    }

    /// All planes at once, so that they can be written side by side.
    ///
    /// # Panics
    /// If `T` has not the size of the format's samples.
    pub fn planes_mut<T: Pod>(&mut self) -> Vec<PlaneMut<'_, T>> {
        let sample = self.format.pixel.sample.bytes();
        assert_eq!(size_of::<T>(), sample, "sample type of a frame");
        let mut rest = self.block.bytes_mut();
        let mut start = 0;
        let mut planes = Vec::with_capacity(self.layout.planes.len());
        for plane in &self.layout.planes {
            let range = plane.bytes(sample);
            let (head, tail) = std::mem::take(&mut rest).split_at_mut(range.end - start);
            planes.push(PlaneMut::new(bytemuck::cast_slice_mut(&mut head[range.start - start..]), plane));
            rest = tail;
            start = range.end;
        }
        planes
    }

    /// All samples in order without padding, if they lie that way in memory.
    pub fn packed_bytes_mut(&mut self) -> Option<&mut [u8]> {
        let range = self.layout.packed_range(&self.format)?;
        Some(&mut self.block.bytes_mut()[range])
    }

    /// The whole block, padding included.
    pub fn bytes_mut(&mut self) -> &mut [u8] {
        self.block.bytes_mut()
    }

    /// Ends the writing.
    pub fn freeze(self, timing: Timing) -> Frame {
        Frame { format: self.format, timing, layout: self.layout, block: Arc::new(self.block) }
    }
}
