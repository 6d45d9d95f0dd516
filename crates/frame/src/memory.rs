//! The memory of the host that frames lie in, and who makes it.

use anyhow::{Context, Result};
use bytemuck::{Pod, Zeroable};

use super::Layout;

/// A piece of the host's memory, or several that lie apart, as where each plane was allocated by itself.
///
/// # Safety
/// `bytes` and `bytes_mut` give the same piece at each call, for as long as the value lives, wherever it is moved; nobody
/// else writes it meanwhile, and nobody else reads it while what `bytes_mut` gave is in use. Memory that may only be
/// read gives an empty piece in `bytes_mut`, always. The same holds for each piece of `piece` and `pieces_mut`, of which
/// `bytes` and `bytes_mut` are the first; no two of them share a byte.
pub unsafe trait Memory: Send + Sync {
    /// All of it.
    fn bytes(&self) -> &[u8];
    /// All of it, to be written.
    fn bytes_mut(&mut self) -> &mut [u8];

    /// One of several pieces; `None` where there are not so many.
    fn piece(&self, index: usize) -> Option<&[u8]> {
        (index == 0).then(|| self.bytes())
    }

    /// All pieces, to be written.
    fn pieces_mut(&mut self) -> Vec<&mut [u8]> {
        vec![self.bytes_mut()]
    }
}

/// Makes memory.
pub trait Allocator: Send + Sync {
    /// Exactly `bytes` bytes, or some more; may be slow. The memory of a pool starts at a multiple of
    /// [`Layout::ALIGN_BYTES`].
    ///
    /// # Errors
    /// If there is not enough memory.
    fn allocate(&self, bytes: usize) -> Result<Box<dyn Memory>>;
}

/// Ordinary memory.
#[derive(Clone, Copy, Debug)]
pub struct Heap;

#[derive(Clone, Copy, Zeroable, Pod)]
#[repr(C, align(64))]
struct Line([u8; Layout::ALIGN_BYTES]);

// SAFETY: a vector's elements stay where they are while nothing is added to it, and it is owned by the value alone.
unsafe impl Memory for Vec<Line> {
    fn bytes(&self) -> &[u8] {
        bytemuck::cast_slice(self)
    }

    fn bytes_mut(&mut self) -> &mut [u8] {
        bytemuck::cast_slice_mut(self)
    }
}

/// Samples of any type.
pub(super) struct Samples<T>(pub(super) Vec<T>);

// SAFETY: as above; the vector is not reached but through these.
unsafe impl<T: Pod + Send + Sync> Memory for Samples<T> {
    fn bytes(&self) -> &[u8] {
        bytemuck::cast_slice(&self.0)
    }

    fn bytes_mut(&mut self) -> &mut [u8] {
        bytemuck::cast_slice_mut(&mut self.0)
    }
}

impl Allocator for Heap {
    fn allocate(&self, bytes: usize) -> Result<Box<dyn Memory>> {
        let lines = bytes.div_ceil(Layout::ALIGN_BYTES);
        let mut memory: Vec<Line> = Vec::new();
        memory.try_reserve_exact(lines).with_context(|| format!("allocate {bytes} bytes for a frame"))?;
        memory.resize(lines, Line::zeroed());
        Ok(Box::new(memory))
    }
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use super::*;
    use crate::{Block, Format, Frame, FrameMut, Pixel, PlaneLayout, Pool, Rational, Timing};

    /// Two planes that were allocated apart.
    struct Apart([Vec<u8>; 2]);

    // SAFETY: the vectors are owned by the value alone, lie apart, and never grow.
    unsafe impl Memory for Apart {
        fn bytes(&self) -> &[u8] {
            &self.0[0]
        }

        fn bytes_mut(&mut self) -> &mut [u8] {
            &mut self.0[0]
        }

        fn piece(&self, index: usize) -> Option<&[u8]> {
            self.0.get(index).map(Vec::as_slice)
        }

        fn pieces_mut(&mut self) -> Vec<&mut [u8]> {
            self.0.iter_mut().map(Vec::as_mut_slice).collect()
        }
    }

    #[test]
    fn planes_may_lie_in_pieces_of_their_own() {
        let pixel = Pixel { alpha: true, ..Pixel::gray(8) };
        let format = Arc::new(Format::new(pixel, 5, 4, Rational::new(25, 1)));
        let layout = |last| {
            let plane = |piece: usize, stride: usize| PlaneLayout::new(piece, stride, (5, 4)).in_piece(piece);
            Layout::new(vec![plane(0, 8), plane(last, 6)])
        };
        let apart = || Apart([(0..32).collect(), (100..124).collect()]);
        let lent = || Block::lent(apart(), drop);
        let frame = Frame::from_block(format.clone(), Timing::at(0), layout(1), Arc::new(lent())).expect("a frame");
        let rows = |frame: &Frame| {
            let host = frame.host().expect("the host's");
            (0..2).flat_map(|plane| host.rows(plane).collect::<Vec<_>>().concat()).collect::<Vec<u8>>()
        };
        let host = frame.host().expect("the host's");
        assert_eq!(
            (host.plane::<u8>(0).row(1), host.plane::<u8>(1).row(2)),
            (&[8, 9, 10, 11, 12][..], &[113, 114, 115, 116, 117][..])
        );
        assert_eq!(host.slack_bytes(), 0);
        assert!(host.packed_bytes().is_none());
        let copy = Pool::heap().copy(&frame).expect("a copy");
        assert_eq!(rows(&copy), rows(&frame));

        let mut written = FrameMut::new(format.clone(), layout(1), lent()).expect("a frame to write");
        for plane in &mut written.planes_mut::<u8>() {
            (0..4).for_each(|y| plane.row_mut(y).fill(y as u8));
        }
        let written = written.freeze(Timing::at(0));
        assert_eq!(written.host().expect("the host's").plane::<u8>(1).row(3), [3; 5]);

        let refusal = |frame: Result<Frame>| format!("{:#}", frame.expect_err("an error"));
        let third = Frame::from_block(format.clone(), Timing::at(0), layout(2), Arc::new(lent()));
        assert!(refusal(third).contains("plane 1 is in no piece of the memory"));
        let one = Block::lent(Samples(vec![0u8; 200]), drop);
        let missing = Frame::from_block(format, Timing::at(0), layout(1), Arc::new(one));
        assert!(refusal(missing).contains("plane 1 is in no piece of the memory"));
    }
}
