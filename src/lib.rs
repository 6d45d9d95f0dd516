//! warpreel filters video with convolution in x, y and t.
//!
//! ```text
//! source ──Frame──▶ decode thread ══channel══▶ filter thread ══channel══▶ encode thread ──▶ sink
//!                       ▲                  upload ▸ pass ▸ pass ▸ download                    │
//!                       └────────────── blocks of memory come back to the pool ◀──────────────┘
//!
//! chain text ──parse──▶ Filter (what is wanted) ──plan──▶ Pass (what a machine can do) ──▶ Backend (who does it)
//! ```
//!
//! The modules, in reading order; each imports only from those that its line names:
//!
//! | module | what it holds | imports |
//! |---|---|---|
//! | [`frame`] | what flows: formats, frames, planes, the pool of their memory | nothing |
//! | [`pass`] | what can be done: one operation for each plane, borders, the last step | `frame` |
//! | [`filter`] | what is wanted: the table of filters, the parser, weights, kernel files | `frame`, `pass`, `libav` |
//! | [`plan`] | the chain of filters as passes: factored, joined, checked, explained | `filter`, `pass`, `frame`, `libav` |
//! | [`backend`] | who does it: the CPU, a GPU | `pass`, `frame` |
//! | [`pipe`] | making pipes larger, waiting for them | nothing |
//! | [`y4m`] | the header of y4m streams, read and printed | `frame` |
//! | [`libav`] | the corner where FFmpeg's libraries are called | `frame` |
//! | [`sequence`] | names of numbered files, such as `frame%04d.png` | nothing |
//! | [`source`] | where frames come from: containers, y4m, raw, image sequences | `frame`, `libav`, `pipe`, `y4m`, `sequence` |
//! | [`sink`] | where frames go: the same, and `null:` and `hash:` | `frame`, `libav`, `pipe`, `y4m`, `sequence` |
//! | [`pipeline`] | who waits for whom: three threads, temporal windows, statistics | `backend`, `plan`, `pass`, `source`, `sink`, `frame`, `libav` |
//! | [`job`] | what was typed, resolved into all of the above | all above |
//! | [`mod@bench`] | how fast it is and why: repetitions, limits, the ladder of kernels, reports | all above |
//! | [`doctor`] | what a machine has, and what it lacks | `backend`, `libav` |
//! | [`cli`] | what can be typed | clap |
//!
//! Nothing in the library prints or exits; the program does both: `main.rs`, and beside it `measure` (the subcommand
//! `bench`), `report` (files that tell of a run), `progress` and `live`.
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
//!   an expression means here what it means there; of [`libav`], filters, plans and the pipeline see only
//!   [`libav::Condition`].
//! - **A way round a filter lies beside its passes**, in [`plan::Bypass`]: backends run passes and know of no condition.
//! - **What lies beyond a clip's ends is `None` in a window** rather than a black frame, so that no backend stores one.
//! - **What a pass must know of frames stands beside the passes** ([`plan::Guard`]): where scenes begin, how bright each
//!   frame is. Backends only add up samples, in whole numbers; the pipeline draws the conclusions.
//! - **Copied streams travel with the frames.** A packet of audio read between two frames rides on the next frame
//!   as part of its [`frame::Attachment`], and the rest rides on the end of the stream. One demuxer reads the
//!   input once, pipes keep their audio, and no second queue needs a bound of its own.

pub mod backend;
pub mod bench;
pub mod cli;
pub mod doctor;
pub mod engine;
pub mod filter;
pub mod frame;
pub mod job;
pub mod libav;
pub mod pass;
pub mod pipe;
pub mod pipeline;
pub mod plan;
pub mod sequence;
pub mod sink;
pub mod source;
pub mod y4m;
