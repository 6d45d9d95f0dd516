//! Blocks of the host's memory, each on its way back to where it came from.

use std::fmt;
use std::sync::Weak;

use super::Memory;

/// One piece of the host's memory; dropping it gives it back to the pool that made it, or to who lent it.
pub struct Block {
    memory: Option<Box<dyn Memory>>,
    home: Home,
}

/// What takes memory back that is not needed any more.
enum Home {
    Shelf(Weak<dyn Shelf>),
    Lender(Option<GiveBack>),
}

/// Keeps memory for the next to need it.
pub(super) trait Shelf: Send + Sync {
    /// Takes back what a block held.
    fn put(&self, memory: Box<dyn Memory>);
}

impl fmt::Debug for Block {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let bytes: Vec<usize> = (0..).map_while(|piece| self.piece(piece).map(<[u8]>::len)).collect();
        f.debug_struct("Block").field("bytes", &bytes).finish_non_exhaustive()
    }
}

type GiveBack = Box<dyn FnOnce(Box<dyn Memory>) + Send + Sync>;

impl Block {
    const LIVE: &str = "a block keeps its memory until it is dropped";

    /// Memory that somebody else owns, such as an array of another language, without a copy. `give_back` gets it when the
    /// last frame in it is dropped, in whichever thread that happens; it must not panic.
    ///
    /// ```
    /// use std::sync::Arc;
    /// use warpreel_frame::{Block, Format, Frame, Layout, Memory, Pixel, PlaneLayout, Rational, Timing};
    ///
    /// struct Array(Vec<u8>);
    ///
    /// // SAFETY: the vector is owned by the value alone, and never grows.
    /// unsafe impl Memory for Array {
    ///     fn bytes(&self) -> &[u8] {
    ///         &self.0
    ///     }
    ///     fn bytes_mut(&mut self) -> &mut [u8] {
    ///         &mut self.0
    ///     }
    /// }
    ///
    /// // Two rows of three samples in an array whose rows are ten apart.
    /// let block = Block::lent(Array((0..30).collect()), |_| println!("no longer needed"));
    /// let format = Arc::new(Format::new(Pixel::gray(8), 3, 2, Rational::new(25, 1)));
    /// let layout = Layout::new(vec![PlaneLayout::new(4, 10, (3, 2))]);
    /// let frame = Frame::from_block(format, Timing::at(0), layout, Arc::new(block))?;
    /// assert_eq!(frame.host()?.plane::<u8>(0).row(1), [14, 15, 16]);
    /// # anyhow::Ok(())
    /// ```
    pub fn lent(
        memory: impl Memory + 'static,
        give_back: impl FnOnce(Box<dyn Memory>) + Send + Sync + 'static,
    ) -> Self {
        Self { memory: Some(Box::new(memory)), home: Home::Lender(Some(Box::new(give_back))) }
    }

    /// Memory that goes back to a shelf.
    pub(super) fn from_shelf(memory: Box<dyn Memory>, shelf: Weak<dyn Shelf>) -> Self {
        Self { memory: Some(memory), home: Home::Shelf(shelf) }
    }

    /// One of the pieces of memory that lies in several; `None` where there are not so many.
    pub fn piece(&self, index: usize) -> Option<&[u8]> {
        self.memory.as_ref().expect(Self::LIVE).piece(index)
    }

    /// All pieces, to be written; empty ones where they may only be read.
    pub fn pieces_mut(&mut self) -> Vec<&mut [u8]> {
        self.memory.as_mut().expect(Self::LIVE).pieces_mut()
    }

    /// All of it, or the first piece of several; contents are whatever the last user left.
    pub fn bytes(&self) -> &[u8] {
        self.memory.as_ref().expect(Self::LIVE).bytes()
    }

    /// The same, to be written; empty if it may only be read.
    pub fn bytes_mut(&mut self) -> &mut [u8] {
        self.memory.as_mut().expect(Self::LIVE).bytes_mut()
    }
}

impl Drop for Block {
    fn drop(&mut self) {
        let Some(memory) = self.memory.take() else { return };
        match &mut self.home {
            Home::Shelf(shelf) => {
                if let Some(shelf) = shelf.upgrade() {
                    shelf.put(memory);
                }
            }
            Home::Lender(give_back) => {
                if let Some(give_back) = give_back.take() {
                    give_back(memory);
                }
            }
        }
    }
}
