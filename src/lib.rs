//! warpreel filters video with convolution in x, y and t, with the same bytes on every machine.
//!
//! ```
//! use std::sync::Arc;
//! use warpreel::prelude::*;
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
//! | import what most programs use | [`prelude`] |
//! | filter frames in memory | [`engine::Engine::builder`], [`frame::Frame`] |
//! | filter on a GPU where there is one, else on the CPU | [`backend::ChooseBackend::backend`], [`backend::Choice`] |
//! | push frames and receive them filtered, in two threads or one | [`engine::Session`] |
//! | change the chain while a clip runs | [`engine::AdjustableEngine`] |
//! | return one type of error, and tell kinds of errors apart | [`Error`], [`ErrorKind`] |
//! | filter a file as the program does | `job::Job` (feature `libav`) |
//! | run a kernel that a program computes | [`plan::Plan::kernel`], [`pass::Pass`], [`plan::Plan::from_passes`] |
//! | read and write the frames of files one by one | `job::Reader`, `job::open_sink` (feature `libav`) |
//! | make or take frames in the pipeline | [`source::Source`], [`sink::Sink`] |
//! | keep frames on a GPU | [`backend::Cuda`], [`frame::Surface`] |
//!
//! Features, both on by default: `libav` (containers, codecs, raw pixel formats, conditions, jobs, with FFmpeg's libraries)
//! and `cli` (the program and its benchmark). Without them the library filters on the CPU and on GPUs and needs nothing of the
//! system: the driver of a GPU and NVRTC are loaded at run time, where they exist. The CUDA stage is no feature of its own,
//! because it costs a build some ten seconds of processor time, and a second build of the tests without it costs minutes.
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
//! The crates, lowest first. This crate re-exports the faces of all of them; the compiler forbids every import that the last
//! column does not name.
//!
//! | crate | modules here | content | depends on |
//! |---|---|---|---|
//! | `warpreel-frame` | [`frame`], [`gauge`], [`strictness`] | frames, formats, the pool; the traits of sources and sinks; clocks of threads | nothing |
//! | `warpreel-ffmpeg` | in `libav` | FFmpeg's log, errors and expressions | frame |
//! | `warpreel-filter` | [`filter`], [`pass`], [`plan`], [`noise`] | filters as typed, passes as run, the plan between them, the trait [`backend::Backend`] | frame, ffmpeg (for `enable=`) |
//! | `warpreel-cpu` | [`backend::cpu`] | the CPU stage: the definition of the bytes | frame, filter |
//! | `warpreel-cuda` | [`backend::cuda`] | the CUDA stage | frame, filter |
//! | `warpreel-engine` | [`engine`], [`pipeline`] | temporal windows, scenes, conditions; three threads and their channels | frame, filter, cpu |
//! | `warpreel-media` | [`source`], [`sink`], `libav`, [`y4m`], [`sequence`], [`pipe`] | files, pipes, image sequences; the corner of FFmpeg | frame, ffmpeg |
//! | `warpreel-metric` | in `metrics` | how much two frames differ: PSNR, SSIM, XPSNR, SSIMULACRA2 | frame, filter (for letters of planes, and the trait of machines that sum), cpu (for its instruction sets) |
//! | `warpreel` | `job`, `bench`, `metrics`, `preview`, `doctor`, `cli` | typed options resolved into all of the above; the program | all |
//!
//! The reasons for the cut:
//!
//! - **The traits of both ends are in `frame`**, together with the clocks of threads: so `media` does not depend on the
//!   pipeline, the pipeline does not depend on `media`, and both compile side by side with the stages.
//! - **The trait of the stages is in `filter`**, the lowest crate that both stages see. Networks of comparisons, which both
//!   stages use, are beside it.
//! - **FFmpeg's expressions are a crate of their own**, because conditions belong to filters and containers to `media`, and
//!   neither should depend on the other.
//! - **Metrics are a crate of their own**, because a metric is no pass: it reads two frames and makes none. It needs vectors of the
//!   CPU stage, and no filter. The trait of other machines that form its sums is in `filter`, so that the CUDA stage does not depend on it.
//! - **Kernels stay in `kernels/`** at the root; a link in `crates/cuda` makes them part of its package.
//! - **Tests that cross crates are in `tests/`**; a crate's own unit tests are in its sources.
//!
//! Nothing in the library prints or exits; the program does both: `main.rs`, and beside it `measure` (the subcommand
//! `bench`), `score` (`metrics`), `batch` (several inputs, folders, `--watch`), `resume` (jobs in parts), `report` (files
//! that describe a run), `progress`, `live`, `voice` (lines on stderr), and `printable` (control characters, spelt out). The module for Python is a crate of its own, in `python/`; its
//! `unsafe` is in three files: `memory` and `foreign` for arrays on the host, `tensor` for those on a GPU.
//!
//! # Decisions that differ from a first guess
//!
//! - **A pass holds one operation for each plane**, because chroma has other taps than luma (a blur in luma pixels
//!   is narrower there), and a plane that is not selected is copied in the same pass.
//! - **Passes of neighbouring filters are joined, plane by plane**, where that gives the bytes of one after the other.
//!   Filters of single samples become part of the pass before them, where samples are finished.
//! - **The pool never waits.** The channels, the windows and the decoder's own references bound the number of frames, so a
//!   pool that waited could only add a deadlock between a decoder that keeps references and a filter that keeps a
//!   window. Blocks return to the pool when the last user drops them.
//! - **Conditions are FFmpeg's.** `av_expr` reads and evaluates them, so an expression means here what it means there;
//!   filters, plans and the engine see only [`filter::Condition`].
//! - **A bypass of a filter is stored beside its passes**, in [`plan::Bypass`]: backends run passes and know no condition.
//! - **Data that filters produce beside pictures travels with the frames** ([`frame::Timing::motion`]): motion vectors are in
//!   memory of the pool, come to the host in the order of the stage's work, and a sink beside the output writes them.
//! - **A window has `None` beyond the clip's ends** rather than a black frame, so that no backend stores one.
//! - **Facts about frames that a pass needs are [`plan::Guard`]s beside the passes**: where scenes begin, how bright each
//!   frame is. Backends only add up samples, in whole numbers; the engine draws the conclusions.
//! - **An engine puts frames into an outlet** instead of returning them: one push may give many frames (the end
//!   of a window of 129), and a thread of the pipeline can still wait for its neighbour between two of them.
//! - **The place of a frame is a fact of the frame; a backend decides what to do with it.** [`backend::Backend::upload`]
//!   uses what it can read in place, copies what it can reach, and refuses the rest. Layouts in which planes share
//!   their rows exist on devices alone, where decoders leave them; a stage separates the planes, so that no pass sees them.
//!   A stage delivers frames on a device in memory of its own, copied if the memory was borrowed.
//! - **Results can be written into memory of the caller** ([`backend::Cpu::placing`]): only the last pass asks for a place, so
//!   an array of another language is written without a copy and the engine is not involved.
//! - **Samples are read through [`frame::Frame::host`]**, which fails for a frame on a device, so no code can forget that
//!   there are such frames.
//! - **Several decoders of a file belong to one container** ([`source::Source::decode_in_lanes`]): each has its own view of the
//!   file, and packets of other streams are read beside them. So cuts, margins, damage and sound are those of
//!   one decoder. Decoders on a device deliver through [`frame::DecodingLane`], which the stage implements
//!   and `libav` calls.
//! - **Encoders on a device read frames there** through [`frame::EncodingLane`], likewise. The container's sink reports whether
//!   it opened such an encoder, and only then the stage delivers on its device.
//! - **Before and after are compared behind the filters**, by a source that gives each frame twice and a sink that
//!   takes pairs ([`source::Tapped`], [`sink::Compared`]): engine, backends and pipeline are not involved. Metrics of a run are
//!   measured there too, on the GPU by a stage of their own.
//! - **Chunks of a clip are joined by reading the clip again**: the source of the join gives the clip's own frames, with all
//!   their data, and the samples of the chunks. So a chunk is pictures alone, in any file, and the output is that of one
//!   run.
//! - **A run of frames is a chunk in memory** ([`pipeline::Pipeline::share`]): the margins that make the chunks of a clip exact make
//!   those of several GPUs exact. Conditions, and places of pictures that move, are evaluated before frames are distributed
//!   ([`engine::Judge`]), in order, so they may keep state.
//! - **The end of a clip does not block the next one** ([`engine::Engine::finish_and_restart`]): its last frames come out while the next
//!   clip's go in.
//! - **A dry run is a job whose output goes nowhere** (`job::DryRun`): `explain` reports streams with the code
//!   that decides in a run.
//! - **Copied streams travel with the frames.** A packet of audio read between two frames is part of the next frame's
//!   [`frame::Attachment`], and the rest is part of the end of the stream. One demuxer reads the
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

// Hidden modules serve the program, the page and the Python module, and are no part of the library's face.
#[cfg(feature = "cli")]
#[doc(hidden)]
pub mod bench;
#[cfg(feature = "cli")]
#[doc(hidden)]
pub mod cli;
#[cfg(feature = "cli")]
#[doc(hidden)]
pub mod doctor;
#[cfg(feature = "libav")]
pub mod job;
#[cfg(feature = "cli")]
pub mod metrics;
#[cfg(feature = "cli")]
#[doc(hidden)]
pub mod preview;

pub mod backend;

pub mod prelude;
#[cfg(feature = "libav")]
pub mod thread;

mod error;

pub use error::{Error, ErrorKind, Result};

pub use warpreel_engine as engine;
pub use warpreel_engine::pipeline;
pub use warpreel_filter::{filter, noise, pass, plan};
pub use warpreel_frame as frame;
pub use warpreel_frame::{gauge, strictness};
#[cfg(feature = "libav")]
pub use warpreel_media::libav;
pub use warpreel_media::{pipe, sequence, shell, sink, source, y4m};

/// The programs of docs/library.md, which doc tests run.
#[cfg(doctest)]
#[doc = include_str!("../docs/library.md")]
struct LibraryPage;
