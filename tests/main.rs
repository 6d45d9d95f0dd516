//! The contents page of the integration tests. A build without FFmpeg, without CUDA or without the program has those of
//! what it has.

/// Who may import whom.
mod architecture;

/// Threads, windows, failures, interrupts.
#[cfg(all(feature = "cli", feature = "cuda"))]
mod pipeline;

/// Runs the program, and FFmpeg beside it.
#[cfg(all(feature = "cli", feature = "cuda"))]
mod program;

/// The command line as a user meets it.
#[cfg(all(feature = "cli", feature = "cuda"))]
mod cli;
/// The recipes, as they are typed.
#[cfg(all(unix, feature = "cli", feature = "cuda"))]
mod cookbook;
/// The README and the docs: commands, links, the index.
#[cfg(all(unix, feature = "cli", feature = "cuda"))]
mod readme;

/// What the program answers to what was typed wrongly.
#[cfg(all(feature = "cli", feature = "cuda"))]
mod message;

/// Several inputs into a folder.
#[cfg(all(unix, feature = "cli", feature = "cuda"))]
mod batch;

/// `explain INPUT OUTPUT` against what a run does.
#[cfg(all(feature = "cli", feature = "cuda"))]
mod rehearsal;

/// Before and after in one picture.
#[cfg(all(feature = "cli", feature = "cuda"))]
mod compare;

/// Jobs without a frame.
#[cfg(all(feature = "cli", feature = "cuda"))]
mod empty;
/// Loops, headers, chains and memory without bounds.
#[cfg(all(unix, feature = "cli", feature = "cuda"))]
mod endless;
/// Interlaced clips.
#[cfg(all(unix, feature = "cli", feature = "cuda"))]
mod field;
/// Signals.
#[cfg(all(unix, feature = "cli", feature = "cuda"))]
mod interrupt;
/// What is told while a job runs.
#[cfg(all(unix, feature = "cli", feature = "cuda"))]
mod progress;
/// What others wrote.
#[cfg(all(unix, feature = "cli", feature = "cuda"))]
mod safety;
/// Parts of clips.
#[cfg(all(unix, feature = "cli", feature = "cuda"))]
mod slice;

/// Chunks of clips.
#[cfg(all(unix, feature = "cli", feature = "cuda"))]
mod chunk;
/// Joining them.
#[cfg(all(unix, feature = "cli", feature = "cuda"))]
mod joining;
/// Decoding that begins in the middle of a clip.
#[cfg(all(unix, feature = "cli", feature = "cuda"))]
mod landing;

/// Several decoders of one file.
#[cfg(all(unix, feature = "cli", feature = "cuda"))]
mod decoding;

/// The page's server.
#[cfg(all(unix, feature = "cli", feature = "cuda"))]
mod preview;
/// Frames of clips in any order.
#[cfg(all(unix, feature = "cli", feature = "cuda"))]
mod scrub;
/// Those that were decoded already.
#[cfg(all(target_os = "linux", feature = "cli", feature = "cuda"))]
mod store;

/// Names with percent signs.
#[cfg(all(feature = "cli", feature = "cuda"))]
mod sequence;

/// Files that tell of a run, and what they must not destroy.
#[cfg(all(feature = "cli", feature = "cuda"))]
mod report;

/// FFmpeg's filters as another implementation of ours.
#[cfg(all(feature = "cli", feature = "cuda"))]
mod peer;

/// An independent, slow definition of the arithmetic.
mod oracle;

/// Every backend against the oracle, and against itself with other numbers of threads.
mod agreement;

/// Filters that act on some frames, in a rectangle, or through a mask.
#[cfg(all(feature = "cli", feature = "cuda"))]
mod bypass;

/// Containers, codecs and what travels with the picture.
#[cfg(all(feature = "cli", feature = "cuda"))]
mod container;

/// Chains run by the CPU stage on numbers.
mod stage;

/// The engine by itself: arrays in, arrays out, memory of others.
mod engine;

/// SciPy, OpenCV and worked examples as other definitions of the filters.
#[cfg(all(feature = "cli", feature = "cuda"))]
mod reference;

/// The table of filters, the chain grammar, kernel files.
mod filter;

/// One clip on several backends.
mod lane;

/// Chains as passes, and `explain`.
mod plan;

/// y4m, raw, `hash:`, `null:`, and outputs that are never half-written.
#[cfg(all(feature = "cli", feature = "cuda"))]
mod pipe;

/// Device code compiled for every GPU, without one.
#[cfg(all(feature = "cli", feature = "cuda"))]
mod kernel;

/// Cuts between scenes and brightness: windows that stop there, frames that keep step.
#[cfg(all(feature = "cli", feature = "cuda"))]
mod scene;

/// How noisy clips are found to be.
mod noise;

/// Chains that suit how noisy each shot is.
#[cfg(all(feature = "cli", feature = "cuda"))]
mod shot;

/// Motion that is written beside the output.
#[cfg(all(feature = "cli", feature = "cuda"))]
mod vector;

/// The GPU against the CPU, where there is a GPU.
#[cfg(all(feature = "cli", feature = "cuda"))]
mod device;

/// Measuring: who sets the pace, what is written, the ladder of kernels.
#[cfg(all(feature = "cli", feature = "cuda"))]
mod bench;
