//! What a container has of decoders that work beside it.

use super::lane::DecoderGauges;
use super::parallel::ParallelDecoder;
use crate::frame::Pool;
use crate::source::DecodeLanes;

/// What a container has of decoders beside it.
#[derive(Default)]
pub(super) struct Ahead {
    pub lanes: Option<DecodeLanes>,
    pub pool: Option<Pool>,
    /// Of each decoder, where somebody wants to know.
    pub gauges: DecoderGauges,
    pub decoder: Option<ParallelDecoder>,
    /// Where the input was entered for the part that is read; `None` for its beginning.
    pub landing: Option<i64>,
    /// How far the file was read for what is no video, in the stream's time base.
    pub read: Option<i64>,
    /// How many pictures the decoders mended.
    pub mended: u64,
}

impl Ahead {
    /// The input was entered at another place.
    pub fn land(&mut self, landing: Option<i64>) {
        (self.decoder, self.landing, self.read, self.mended) = (None, landing, None, 0);
    }

    /// Whether there are decoders beside.
    pub fn is_used(&self) -> bool {
        self.lanes.is_some()
    }
}
