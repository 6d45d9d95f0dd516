//! warpreel filters video with convolution in x, y and t, with the same bytes on every machine.
//!
//! ```
//! use std::sync::Arc;
//! use warpreel::engine::Engine;
//! use warpreel::frame::{Format, Frame, Pixel, Rational, Timing};
//!
//! // Ten frames of 8-bit grey, through a chain as it is typed on the command line.
//! let format = Arc::new(Format::new(Pixel::gray(8), 64, 48, Rational::new(25, 1)));
//! let mut engine = Engine::cpu("tmix=5,gaussian=2", &format)?;
//! let mut ready = Vec::new();
//! for number in 0..10 {
//!     let samples = vec![20 * number as u8; 64 * 48];
//!     engine.push(Frame::from_samples(&format, Timing::at(number), samples)?, &mut ready)?;
//! }
//! engine.finish(&mut ready)?;
//! assert_eq!(ready.len(), 10);
//! assert_eq!(ready[4].host()?.plane::<u8>(0).row(20)[7], 80);
//! # anyhow::Ok(())
//! ```
//!
//! | to | start at |
//! |---|---|
//! | filter frames in memory | [`engine::Engine`], [`frame::Frame`] |
//! | filter a file as the program does | `job::Job` (feature `libav`) |
//! | run a kernel that a program computes | [`pass::Pass`], [`plan::Plan::of`] |
//! | read and write the frames of files one by one | `job::Reader`, `job::create` (feature `libav`) |
//! | make or take frames in the pipeline | [`source::Source`], [`sink::Sink`] |
//! | keep frames on a GPU | [`backend::Cuda`], [`frame::Surface`] (feature `cuda`) |
//!
//! Features, all on by default: `libav` (containers, codecs, raw pixel formats, conditions, jobs, with FFmpeg's
//! libraries), `cuda` (the stage on NVIDIA's GPUs, looked for when the program runs), `cli` (the program and its measuring).
//! Without any of them the library filters on the CPU and needs nothing of the system.
//!
//! # How it is built
//!
//! ```text
//! source ──Frame──▶ decode thread ══channel══▶ filter thread ══channel══▶ encode thread ──▶ sink
//!                       ▲                  upload ▸ pass ▸ pass ▸ download                    │
//!                       └────────────── blocks of memory come back to the pool ◀──────────────┘
//!
//! chain text ──parse──▶ Filter (what is wanted) ──plan──▶ Pass (what a machine can do) ──▶ Backend (who does it)
//! ```
//!
//! The modules, in reading order; each imports only from those that its line names, and no two files import each other,
//! also not by way of others:
//!
//! | module | what it holds | imports |
//! |---|---|---|
//! | [`frame`] | what flows: formats, frames, planes, where their samples lie, the pool of their memory | nothing |
//! | [`noise`] | how noisy a clip is, in whole numbers | `frame` |
//! | [`pass`] | what can be done: one operation for each plane, its facts, borders, the last step | `frame` |
//! | [`filter`] | what is wanted: the table of filters, the parser, weights, kernel files | `frame`, `pass`, `libav` |
//! | [`plan`] | the chain of filters as passes: factored, joined, checked, explained | `filter`, `pass`, `frame` |
//! | [`backend`] | who does it: the CPU, a GPU | `pass`, `frame` |
//! | [`engine`] | frames in, frames out: temporal windows, scenes, conditions, without threads | `backend`, `plan`, `filter`, `pass`, `frame` |
//! | [`gauge`] | how long threads worked and waited, and the trace of it | nothing |
//! | [`pipe`] | making pipes larger, waiting for them | nothing |
//! | [`strictness`] | what to do about damage | nothing |
//! | [`y4m`] | the header of y4m streams, read and printed | `frame` |
//! | `libav` | the corner where FFmpeg's libraries are called | `frame`, `strictness` |
//! | [`sequence`] | names of numbered files, such as `frame%04d.png` | nothing |
//! | [`source`] | where frames come from: containers, y4m, raw, image sequences | `frame`, `gauge`, `libav`, `pipe`, `y4m`, `sequence`, `strictness` |
//! | [`sink`] | where frames go: the same, and `null:` and `hash:` | `frame`, `libav`, `pipe`, `y4m`, `sequence`, `strictness` |
//! | [`pipeline`] | who waits for whom: three threads, channels, lanes of several backends, statistics | `engine`, `backend`, `plan`, `source`, `sink`, `frame`, `gauge` |
//! | `job` | what was typed, resolved into all of the above | all above |
//! | `bench` | how fast it is and why: repetitions, limits, the ladder of kernels, reports | all above |
//! | `preview` | the page in the browser: a small server, frames in any order, the chain and its filters | all above |
//! | `doctor` | what a machine has, and what it lacks | `backend`, `libav` |
//! | `cli` | what can be typed | clap |
//!
//! Nothing in the library prints or exits; the program does both: `main.rs`, and beside it `measure` (the subcommand
//! `bench`), `batch` (several inputs), `report` (files that tell of a run), `progress`, `live`, `voice` (lines on
//! stderr), and `printable` (control characters, spelt out).
//!
//! The module for Python is a crate of its own, in `python/`, which knows only what is public here, and takes in the program
//! beside it. Its `unsafe` stands in two files: `memory` for arrays on the host, `tensor` for those on a GPU.
//!
//! # The walls, where they differ from a first guess
//!
//! - **A pass holds one operation for each plane**, because chroma has other taps than luma (a blur in luma pixels
//!   is narrower there), and a plane that is not selected is copied in the same pass.
//! - **Passes of neighbouring filters are joined, plane by plane**, where that gives the very bytes of one after the other.
//!   What a filter does to single samples becomes part of the pass before it, where samples are finished.
//! - **The pool never waits.** How many frames exist is bounded by the channels, the windows and the decoder's own
//!   references, so a pool that waited could only add a deadlock between a decoder that keeps references and a
//!   filter that keeps a window. Blocks return to the pool when the last user drops them.
//! - **Conditions are FFmpeg's.** Which frames a filter acts on is read and evaluated by FFmpeg's own `av_expr`, so that
//!   an expression means here what it means there; filters, plans and the engine see only [`filter::Condition`].
//! - **A way round a filter lies beside its passes**, in [`plan::Bypass`]: backends run passes and know of no condition.
//! - **What filters tell of beside pictures travels with the frames** ([`frame::Timing::motion`]): the vectors of blocks lie
//!   in memory of the pool, come to the host in the order of the stage's own work, and a sink beside the output writes them.
//! - **What lies beyond a clip's ends is `None` in a window** rather than a black frame, so that no backend stores one.
//! - **What a pass must know of frames stands beside the passes** ([`plan::Guard`]): where scenes begin, how bright each
//!   frame is. Backends only add up samples, in whole numbers; the engine draws the conclusions.
//! - **An engine puts frames into an outlet** instead of returning them, so that one push may give many frames (the end
//!   of a window of 129) and a thread of the pipeline can still wait for its neighbour between two of them.
//! - **Where a frame lies is a fact of the frame, and what becomes of it one of the backend.** [`backend::Backend::upload`]
//!   takes what it can read where it lies, copies what it can reach, and refuses the rest. Layouts in which planes share
//!   their rows exist on devices alone, where decoders leave them; a stage sets them apart, so that no pass knows of them.
//!   What a stage delivers on a device is memory of its own, copied there if it was lent: whoever reads it tells the
//!   stage when it is done, which nobody tells those who lent it.
//! - **Results may lie where a program wants them** ([`backend::Cpu::placing`]): the last pass alone asks for a place, so
//!   that an array of another language is written without a copy and the engine knows nothing of it.
//! - **Samples are read through [`frame::Frame::host`]**, which fails for a frame on a device: so no code can forget that
//!   there are such frames.
//! - **Several decoders of a file are one container's matter** ([`source::Source::decode_in_lanes`]): they have views of the
//!   file of their own, and what rides on frames is read beside them. So cuts, margins, damage and sound are what they are
//!   with one decoder. Decoders on a device leave their pictures through [`frame::DecodingLane`], which `backend` implements
//!   and `libav` calls.
//! - **Encoders on a device read frames there** through [`frame::EncodingLane`], likewise. The container's sink says whether
//!   it has opened such an encoder, and only then the stage delivers on its device; who reads samples is asked before, by
//!   the job.
//! - **Before and after are brought together behind the filters**, by a source that gives each frame twice and a sink that
//!   takes pairs ([`source::Tapped`], [`sink::Compared`]): the engine, its backends and the pipeline know nothing of it.
//! - **Chunks of a clip are joined by reading the clip again**: the source of the join gives the clip's own frames, with all
//!   that rides on them, and the samples of the chunks. So a chunk is pictures alone, in any file, and the output is one
//!   run's.
//! - **A run of frames is a chunk in memory** ([`pipeline::share`]): what makes the chunks of a clip exact makes those
//!   of several GPUs so, the frames around them. Where filters act is judged before frames are dealt out
//!   ([`engine::Judge`]), by the one who sees all of them, so that a condition may keep what it likes.
//! - **A clip that ends need not be waited for** ([`engine::Engine::turn`]): its last frames come out while the next
//!   clip's go in.
//! - **A rehearsal is a job whose output goes nowhere** (`job::Rehearsal`): what is said of streams before a run comes from
//!   the code that decides in the run.
//! - **Copied streams travel with the frames.** A packet of audio read between two frames rides on the next frame
//!   as part of its [`frame::Attachment`], and the rest rides on the end of the stream. One demuxer reads the
//!   input once, pipes keep their audio, and no second queue needs a bound of its own.
//!
//! # Words
//!
//! | word | what it means here |
//! |---|---|
//! | sample | one number of one plane |
//! | plane | all samples of luma, of a chroma, of a colour, or of opacity, of one frame |
//! | stride | from one row to the next, in samples |
//! | tap | one weight of a kernel |
//! | radius, reach | how far a kernel looks to either side; in time, how many frames |
//! | window | the frames around a centre that a pass looks at |
//! | halo | what a tile, a part of a clip, or a thread reads beyond what it writes |
//! | guide | another plane of the same frames that an op looks at beside its own |
//! | vector | from a block to where it lies in another frame |
//! | tile | the samples that a block of GPU threads holds in shared memory |
//! | band | the rows that a thread of the CPU stage writes at a time |
//! | lane | one element of a vector of the processor; in the pipeline, an engine on one of several backends |
//! | run | frames of a clip that follow each other, filtered by one of several backends |
//! | stream | a queue of work on a GPU; where packets are meant, one of the tracks of a container |
//! | event | a place in such a queue that others can wait for |
//! | pts | when a frame is shown, in units of the time base |
//! | block | a piece of the host's memory that holds a frame |
//! | surface | a piece of a device's memory that holds a frame |

pub mod backend;
#[cfg(feature = "cli")]
pub mod bench;
#[cfg(feature = "cli")]
pub mod cli;
#[cfg(feature = "cli")]
pub mod doctor;
pub mod engine;
pub mod filter;
pub mod frame;
pub mod gauge;
#[cfg(feature = "libav")]
pub mod job;
#[cfg(feature = "libav")]
pub mod libav;
pub mod noise;
pub mod pass;
pub mod pipe;
pub mod pipeline;
pub mod plan;
#[cfg(feature = "cli")]
pub mod preview;
pub mod sequence;
pub mod sink;
pub mod source;
pub mod strictness;
pub mod y4m;
