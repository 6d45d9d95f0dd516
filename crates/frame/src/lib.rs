//! What flows: a [`Frame`] is a picture in one piece of memory, with its time and what came with it.
//!
//! On the host a frame is born writable and unshared ([`FrameMut`], from [`Pool::frame`]) and becomes immutable and
//! cheap to clone ([`Frame`]) with [`FrameMut::freeze`]. Memory that somebody else owns becomes a frame without a copy,
//! on the host ([`Block::lent`]) and on a device ([`Surface`]), and goes back when the last clone is dropped. What the
//! processor reads of a frame it reads through [`Frame::host`]. Nothing here knows where frames come from or what is done
//! to them.
//!
//! Everything is checked where it is put together, and cannot be changed afterwards: a layout fits its format and its
//! memory for as long as a frame lives, which code that hands out addresses relies on.

#![warn(missing_debug_implementations)]

pub mod budget;
pub mod gauge;
pub mod sink;
pub mod source;
pub mod strictness;

#[cfg(feature = "ndarray")]
mod array;
mod block;
mod comparer;
mod decoding;
#[cfg(feature = "image")]
mod dynamic_image;
mod encoding;
mod field;
mod format;
mod frame_fields;
mod host;
mod layout;
mod live;
mod measured;
mod memory;
mod motion;
mod packed;
mod padder;
mod pixel;
mod plane;
mod pool;
mod shared;
mod storage;
mod timing;
mod turn;
mod turner;
mod writable;

pub use block::Block;
pub use comparer::{Comparer, Pairing};
pub use decoding::{DecodingDevice, DecodingLane};
pub use encoding::{EncodingDevice, EncodingLane};
pub use field::Field;
pub use format::{Colour, FieldOrder, Format, LightLevel, Rational};
pub use frame_fields::FrameFields;
pub use host::Host;
pub use layout::{Layout, PlaneLayout};
pub use live::{LiveGauge, LiveMark, LiveReading};
pub use measured::Measured;
pub use memory::{Allocator, Heap, Memory};
pub use motion::{BlockField, Motion, Vector};
pub use padder::Padder;
pub use pixel::{Family, Pixel, Range, Sample};
pub use plane::{Plane, PlaneMut};
pub use pool::Pool;
pub use shared::Frame;
pub use storage::{Ready, Storage, Surface};
pub use timing::{Attachment, Bundle, Margin, Timing};
pub use turn::Turn;
pub use turner::Turner;
pub use writable::FrameMut;
