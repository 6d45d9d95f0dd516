//! Frames that are complete: on the host or on a device, shared by clones, never written again.

use std::sync::Arc;

use anyhow::{Result, bail, ensure};
use bytemuck::Pod;

use super::memory::Samples;
use super::{Block, Format, Host, Layout, Storage, Surface, Timing};

/// A picture that is complete and may be shared; clones share its samples.
#[derive(Clone, Debug)]
pub struct Frame {
    format: Arc<Format>,
    /// Its time, and what rides along.
    pub timing: Timing,
    layout: Layout,
    storage: Storage,
}

impl Frame {
    /// A frame that was written, whose layout was checked then.
    pub(super) fn written(format: Arc<Format>, timing: Timing, layout: Layout, block: Block) -> Self {
        Self { format, timing, layout, storage: Storage::Host(Arc::new(block)) }
    }

    /// A frame whose samples somebody else wrote into `block`, as a decoder does.
    ///
    /// # Errors
    /// If a plane of `layout` has not the format's size, reaches outside the block, has rows that overlap, is not
    /// aligned to its samples, or shares its rows with another.
    pub fn from_block(format: Arc<Format>, timing: Timing, layout: Layout, block: Arc<Block>) -> Result<Self> {
        layout.check_host(&format, |piece| block.piece(piece))?;
        Ok(Self { format, timing, layout, storage: Storage::Host(block) })
    }

    /// A frame of samples that lie one after another without padding, plane after plane and row after row, in the
    /// processor's byte order. They are not copied.
    ///
    /// # Errors
    /// If there are not exactly as many bytes as the format has.
    ///
    /// ```
    /// use std::sync::Arc;
    /// use warpreel_frame::{Format, Frame, Pixel, Rational, Timing};
    ///
    /// let format = Arc::new(Format::new(Pixel::gray(8), 3, 2, Rational::new(25, 1)));
    /// let frame = Frame::from_samples(&format, Timing::at(0), vec![1u8, 2, 3, 4, 5, 6])?;
    /// assert_eq!(frame.host()?.plane::<u8>(0).row(1), [4, 5, 6]);
    /// assert!(Frame::from_samples(&format, Timing::at(1), vec![1u8, 2, 3]).is_err());
    /// # anyhow::Ok(())
    /// ```
    pub fn from_samples<T: Pod + Send + Sync>(format: &Arc<Format>, timing: Timing, samples: Vec<T>) -> Result<Self> {
        let sample = format.pixel.sample.bytes();
        ensure!(size_of::<T>() == sample, "samples have {} bytes; {format} needs {sample}", size_of::<T>());
        let (got, wanted) = (samples.len(), format.samples());
        ensure!(got == wanted, "{got} samples for a frame of {format}, which has {wanted}");
        let block = Block::lent(Samples(samples), drop);
        Self::from_block(format.clone(), timing, Layout::packed(format), Arc::new(block))
    }

    /// A frame on a device, in any layout.
    ///
    /// # Errors
    /// If a plane of `layout` has not the format's size, reaches outside the surface, has rows that overlap, or is not
    /// aligned to its samples.
    pub fn on_device(format: Arc<Format>, timing: Timing, layout: Layout, surface: Arc<dyn Surface>) -> Result<Self> {
        layout.check(&format, surface.address() as usize, surface.bytes())?;
        Ok(Self { format, timing, layout, storage: Storage::Device(surface) })
    }

    /// The same memory seen in another format and layout.
    ///
    /// # Errors
    /// As [`Frame::from_block`] and [`Frame::on_device`].
    pub(super) fn view(&self, format: &Arc<Format>, layout: Layout) -> Result<Self> {
        let (format, timing) = (format.clone(), self.timing.clone());
        match &self.storage {
            Storage::Host(block) => Self::from_block(format, timing, layout, block.clone()),
            Storage::Device(surface) => Self::on_device(format, timing, layout, surface.clone()),
        }
    }

    /// The same samples as a frame of another format, which differs in its tags alone.
    ///
    /// # Errors
    /// If the frame does not fit the format.
    pub fn tagged(self, format: &Arc<Format>) -> Result<Self> {
        let layout = self.layout.clone();
        self.view(format, layout)
    }

    /// What its samples are.
    pub fn format(&self) -> &Arc<Format> {
        &self.format
    }

    /// Where the planes lie in [`Frame::storage`].
    pub fn layout(&self) -> &Layout {
        &self.layout
    }

    /// The memory that holds all planes.
    pub fn storage(&self) -> &Storage {
        &self.storage
    }

    /// How many planes there are: 1 to 4.
    pub fn plane_count(&self) -> usize {
        self.layout.planes.len()
    }

    /// Its samples, for the processor.
    ///
    /// # Errors
    /// If they lie on a device.
    pub fn host(&self) -> Result<Host<'_>> {
        let Storage::Host(block) = &self.storage else {
            let number = self.timing.number;
            bail!("frame {number} is on a device; download it with a stage first");
        };
        Ok(Host::new(&self.format, &self.layout, block))
    }
}
