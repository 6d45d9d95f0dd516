//! What was typed, resolved: a [`Request`] in words becomes a [`Job`] with its input open, its chain planned, its
//! backend chosen and its output started. The one place that chooses a backend.

mod backend;
mod chain;
mod chunk;
mod clip;
mod decoding;
mod division;
mod dry_run;
mod due;
mod encoding;
mod exposure;
mod extra;
mod feed;
mod field;
mod gpu;
mod input;
mod interrupted;
mod junction;
mod kept;
mod kind;
mod known;
mod lent;
mod matcher;
mod material;
mod memory;
mod network;
mod nonempty;
mod open;
mod opening;
mod output;
mod planned;
mod portrait;
mod probed;
mod record;
mod reel;
mod rejoined;
mod report;
mod request;
mod run;
mod scored;
mod scrub;
mod scrubbed;
mod seal;
mod second;
mod shape;
mod shot;
mod shot_map;
mod stamp;
mod stand_in;
mod store;
mod strength;
mod strip;
mod survey;
mod time;
mod usage;
mod vectors;
mod workshop;

pub use crate::frame::Pairing;
pub use crate::sink::encoding::{Encoding, Fidelity};
pub use crate::sink::fate::StreamFate;
pub use crate::sink::target::Overwrite;
pub use crate::sink::wish::{Dropped, StreamSelection, Wishes};
pub use crate::thread::ThreadSplit;
pub use chain::{chain_defaults, parse_chain, parse_chain_with};
pub use chunk::{Chunk, ChunkList, chunks};
pub use clip::{Lineage, Reader, open_sink};
pub use division::{ChunkChoice, Division};
pub use dry_run::{DryRun, Prospect, sharing};
pub use feed::{ChunkFeed, ChunkQueue, StoredChunk};
pub use gpu::GpuChoice;
pub use interrupted::Interrupted;
pub use kind::{Destination, OutputKind};
pub use memory::MemoryLimit;
pub use open::Job;
pub use opening::Opening;
pub use probed::{Probed, probe};
pub use report::{ChunkReport, Interruption, Report};
pub use request::{Choice, DecoderChoice, FieldChoice, Request, Tolerance, TypedCut, TypedNetwork, VideoChoice};
pub use shape::ChunkFormat;
pub use usage::Usage;

// What serves the program, the page and the Python module, and is no part of the library's face.
#[doc(hidden)]
pub use field::FieldPlan;
#[doc(hidden)]
pub use input::check_is_no_chain;
#[doc(hidden)]
pub use network::check_is_no_address;
#[doc(hidden)]
pub use planned::plan_for;
#[doc(hidden)]
pub use portrait::Portrait;
#[doc(hidden)]
pub use reel::{ReelGauge, ReelLength};
#[doc(hidden)]
pub use scrub::Scrubber;
#[doc(hidden)]
pub use scrubbed::Scrubbed;
#[doc(hidden)]
pub use seal::is_whole_chunk;
#[doc(hidden)]
pub use second::check_no_end;
#[doc(hidden)]
pub use store::FrameStore;
#[doc(hidden)]
pub use strength::StrengthCheck;
#[doc(hidden)]
pub use survey::{Survey, SurveyFindings, Thumbnail};
