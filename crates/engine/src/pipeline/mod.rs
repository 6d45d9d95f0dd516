//! Who waits for whom: three threads, bounded channels between them, and the first cause when one fails.
//!
//! End of stream is a message; a closed channel is a failure. So a decoder's error never reaches
//! [`Sink::finish`](crate::sink::Sink::finish), and a temporal tail is never flushed as if the clip had ended there. A stage whose neighbour
//! vanished returns [`Stopped`]; the run reports the first outcome, in data-path order, that is something else.
//!
//! Memory is bounded by construction: each channel holds [`CHANNEL_FRAMES`] frames, the engine what
//! [`Engine`](crate::Engine) says, and decoder and encoder what their codec needs.
//!
//! With several backends for one clip ([`Pipeline::share`]) a dealer replaces the filter thread:
//!
//! ```text
//!                      ┌──run 0, 2, …──▶ lane: an engine on GPU 0 ──┐
//! decode ══▶ deal ─────┤                                            ├──▶ collect ══▶ encode
//!              ▲       └──run 1, 3, …──▶ lane: an engine on GPU 1 ──┘       │
//!              └─────────────────── so many frames may follow ──────────────┘
//! ```
//!
//! A run is some frames that follow each other, with those around it that filters look at, so that what comes of it is
//! a slice of what would come of the whole. Which lane takes it makes no difference: a lane takes the next when it has
//! taken in the last. Where conditions act is judged once, by the dealer, who sees all frames.

mod collect;
mod deal;
mod ends;
mod filter;
mod held;
mod lane;
mod message;
mod monitor;
mod outcome;
mod queue;
mod run;
mod share;
mod sharing;

pub use message::{CHANNEL_FRAMES, Stopped};
pub use monitor::{LaneReading, Monitor, Readings};
pub use outcome::RunOutcome;
pub use run::Pipeline;
pub use share::{FilterLane, Lanes};
pub use sharing::{Sharing, WhenLost};
