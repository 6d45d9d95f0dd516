//! What was typed, resolved: a [`Request`] in words becomes a [`Job`] with its input open, its chain planned, its
//! backend chosen and its output started. The one place that chooses a backend.

mod backend;
mod chain;
mod chunk;
mod clip;
mod division;
mod feed;
mod field;
mod input;
mod interrupted;
mod junction;
mod kind;
mod nonempty;
mod open;
mod output;
mod rehearsal;
mod rejoined;
mod report;
mod request;
mod shot;
mod time;
mod usage;
mod vectors;

pub use crate::frame::Pairing;
pub use crate::sink::encoding::{Encoding, Fidelity};
pub use crate::sink::fate::StreamFate;
pub use crate::sink::target::Overwrite;
pub use crate::sink::wish::{Dropped, StreamSelection, Wishes};
pub use backend::Opening;
pub use chain::parse_chain;
pub use chunk::{Chunk, chunks};
pub use clip::{Lineage, Reader, create};
pub use division::{ChunkChoice, Division};
pub use feed::{ChunkFeed, ChunkQueue, StoredChunk};
pub use interrupted::Interrupted;
pub use kind::{Destination, OutputKind};
pub use open::{Job, Probed, probe};
pub use rehearsal::{Prospect, Rehearsal};
pub use report::{ChunkReport, Interruption, Report};
pub use request::{Choice, FieldChoice, Request, Tolerance, TypedCut};
pub use usage::Usage;
