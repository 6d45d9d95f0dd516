//! Pool memory lent to decoders, so that they write pictures where the pipeline reads them.

use std::collections::HashMap;
use std::ffi::c_int;
use std::sync::{Arc, Mutex, PoisonError};

use anyhow::{Context, Error, Result};
use ffmpeg_next::ffi;

use super::buffer;
use super::error::{self, NO_MEMORY, NoMemory};
use super::picture::Picture;
use super::pixel::Stored;
use crate::frame::{Block, Format, Frame, Layout, PlaneLayout, Pool, Timing};

/// The blocks that a decoder holds. A block stays lent while the decoder needs it as a reference, also when its
/// picture is long on its way through the pipeline: both only read it then.
#[derive(Default)]
pub(super) struct Loan {
    /// Where blocks come from; without one, decoders use their own memory.
    pool: Mutex<Option<Pool>>,
    /// All blocks that are lent, by their address.
    lent: Mutex<HashMap<usize, Arc<Block>>>,
    /// Why there was no memory for a picture, the first time; decoders only say that the picture was damaged.
    failure: Mutex<Option<Error>>,
}

/// What FFmpeg keeps with a buffer. Dropping it, when the decoder needs the block no more, gives the block back.
struct Receipt {
    loan: Arc<Loan>,
    address: usize,
}

impl Drop for Receipt {
    fn drop(&mut self) {
        let block = self.loan.lent.lock().unwrap_or_else(PoisonError::into_inner).remove(&self.address);
        // The block goes back to its pool when the lock is free again.
        drop(block);
    }
}

impl Loan {
    /// Behind each plane, for decoders that read or write a little beyond it. FFmpeg's own allocator leaves
    /// `16 + alignment − 1`.
    const PADDING_BYTES: usize = 2 * Layout::ALIGN_BYTES;

    /// From now on blocks come from this pool.
    pub fn set_pool(&self, pool: &Pool) {
        *self.pool.lock().unwrap_or_else(PoisonError::into_inner) = Some(pool.clone());
    }

    /// Where blocks come from.
    pub fn pool(&self) -> Option<Pool> {
        self.pool.lock().unwrap_or_else(PoisonError::into_inner).clone()
    }

    /// Why there was no memory for a picture since this was last asked, if that happened.
    pub fn failure(&self) -> Option<Error> {
        self.failure.lock().unwrap_or_else(PoisonError::into_inner).take()
    }

    /// There was no memory for a picture.
    fn fail(&self, error: Error) {
        self.failure.lock().unwrap_or_else(PoisonError::into_inner).get_or_insert(error);
    }

    /// The block in which a decoded picture lies, if it was lent here.
    fn block(&self, picture: &Picture) -> Option<Arc<Block>> {
        let address = picture.address()?;
        self.lent.lock().unwrap_or_else(PoisonError::into_inner).get(&address).cloned()
    }

    /// The picture as a frame over the block that it was decoded into; `None` where it lies elsewhere, or is stored
    /// in a way that frames are not.
    ///
    /// # Errors
    /// If the decoder moved a plane out of its block.
    pub fn frame(&self, picture: &Picture, format: &Arc<Format>, timing: &Timing) -> Result<Option<Frame>> {
        let Some((block, image)) = self.block(picture).zip(picture.image()) else { return Ok(None) };
        let sample = format.pixel.sample.bytes();
        let base = block.bytes().as_ptr() as usize;
        let image = image.planes();
        let mut planes = Vec::with_capacity(format.pixel.planes());
        for plane in 0..format.pixel.planes() {
            let (width, height) = format.plane_size(plane);
            let Ok(linesize) = usize::try_from(image.linesize[plane]) else { return Ok(None) };
            let Some(offset_bytes) = (image.data[plane] as usize).checked_sub(base) else { return Ok(None) };
            if linesize % sample != 0 {
                return Ok(None);
            }
            planes.push(PlaneLayout::new(offset_bytes, linesize / sample, (width, height)));
        }
        Frame::from_block(format.clone(), timing.clone(), Layout::new(planes), block).map(Some)
    }

    /// Gives `frame` memory from the pool, as FFmpeg's `get_buffer2`; `false` where the decoder must use its own.
    fn lend(self: &Arc<Self>, context: &mut ffi::AVCodecContext, frame: &mut ffi::AVFrame) -> Result<bool> {
        let Some(pool) = self.pool.lock().unwrap_or_else(PoisonError::into_inner).clone() else { return Ok(false) };
        let Some(stored) = Stored::from_number(frame.format).filter(|stored| stored.is_planar_native()) else {
            return Ok(false);
        };
        let (linesize, sizes) = room(context, stored, frame.width, frame.height)?;
        let room = sizes
            .map(|size| if size == 0 { 0 } else { (size + Self::PADDING_BYTES).next_multiple_of(Layout::ALIGN_BYTES) });
        let total = room.iter().sum();
        let mut block = pool.block(total).context(NoMemory)?;
        let base = block.bytes_mut().as_mut_ptr();
        let address = base as usize;
        self.lent.lock().unwrap_or_else(PoisonError::into_inner).insert(address, Arc::new(block));
        let receipt = Box::new(Receipt { loan: self.clone(), address });
        // SAFETY: `base` was taken while the block was unshared, and the block keeps its memory until the receipt is
        // dropped. The buffer is marked read-only so that no decoder writes into a picture that it has handed out: those
        // that work on top of their last picture then copy it first.
        frame.buf[0] = unsafe { buffer::over(base, total, receipt) }?;
        let mut offset = 0;
        for plane in 0..4 {
            if sizes[plane] > 0 {
                frame.data[plane] = base.wrapping_add(offset);
                frame.linesize[plane] = linesize[plane];
            }
            offset += room[plane];
        }
        frame.extended_data = frame.data.as_mut_ptr();
        Ok(true)
    }
}

/// How far apart the rows of each plane are for a decoder, and how many bytes the plane has.
fn room(
    context: &mut ffi::AVCodecContext,
    stored: Stored,
    mut width: c_int,
    mut height: c_int,
) -> Result<([c_int; 4], [usize; 4])> {
    let (mut linesize, mut sizes, mut align) = ([0; 4], [0usize; 4], [0; 8]);
    // SAFETY: the context is borrowed; each array has the four or eight entries that the functions fill or read, and
    // they compute only.
    unsafe {
        ffi::avcodec_align_dimensions2(context, &mut width, &mut height, align.as_mut_ptr());
        loop {
            error::check(ffi::av_image_fill_linesizes(linesize.as_mut_ptr(), stored.raw(), width))?;
            // As FFmpeg does: rows are widened together, because some decoders want chroma rows to be half as long.
            let row = |(size, align): (&c_int, &c_int)| size % (*align).max(Layout::ALIGN_BYTES as c_int) == 0;
            if linesize.iter().zip(&align).all(row) {
                break;
            }
            width += width & width.wrapping_neg();
        }
        let strides = linesize.map(|size| size as isize);
        error::check(ffi::av_image_fill_plane_sizes(sizes.as_mut_ptr(), stored.raw(), height, strides.as_ptr()))?;
    }
    Ok((linesize, sizes))
}

/// FFmpeg's `get_buffer2`; the context's `opaque` is a `Loan` in an `Arc` that outlives it.
///
/// # Safety
/// As FFmpeg calls it: with an open decoder that was set up by `Decoder::open`, and a frame of its own.
pub(super) unsafe extern "C" fn get_buffer(
    context: *mut ffi::AVCodecContext,
    frame: *mut ffi::AVFrame,
    flags: c_int,
) -> c_int {
    // SAFETY: the caller vouches for both, and nobody else has the frame during the call; `opaque` was set by
    // `Decoder::open`, which keeps the loan alive for as long as the context; here it is counted once more.
    let (loan, lent) = unsafe {
        let loan = (*context).opaque.cast::<Loan>().cast_const();
        Arc::increment_strong_count(loan);
        let loan = Arc::from_raw(loan);
        let is_direct = (*(*context).codec).capabilities & ffi::AV_CODEC_CAP_DR1 as c_int != 0;
        let lent = if is_direct { loan.lend(&mut *context, &mut *frame) } else { Ok(false) };
        (loan, lent)
    };
    match lent {
        Ok(true) => return 0,
        Ok(false) => {}
        Err(error) if error.is::<NoMemory>() => {
            loan.fail(error);
            return NO_MEMORY;
        }
        Err(error) => {
            log::debug!("no buffer for a picture: {error:#}");
            return ffi::AVERROR(ffi::EINVAL);
        }
    }
    // SAFETY: this is what FFmpeg itself would have called, with its own arguments.
    let code = unsafe { ffi::avcodec_default_get_buffer2(context, frame, flags) };
    if code == NO_MEMORY {
        loan.fail(error::error(code).context(NoMemory));
    }
    code
}
