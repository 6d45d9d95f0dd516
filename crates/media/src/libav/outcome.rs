//! What comes of asking a decoder for something.

use std::ffi::c_int;

/// What became of a packet or of the wish for a picture.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Outcome {
    Done,
    /// The other side comes first: a packet must be sent, or a picture taken.
    Again,
    End,
    /// FFmpeg's error code; the decoder goes on with the next packet.
    Damaged(c_int),
    /// A device cannot decode this; [`Decoder::soften`] goes on without.
    Refused,
}
