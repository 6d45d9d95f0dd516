//! The contents page of the integration tests. A build without FFmpeg, without CUDA or without the program has those of
//! what it has.

/// Who may import whom.
mod architecture;

/// Threads, windows, failures, interrupts.
#[cfg(feature = "cli")]
mod pipeline;

/// Runs the program, and FFmpeg beside it.
#[cfg(feature = "cli")]
mod program;

/// The command line as a user meets it.
#[cfg(feature = "cli")]
mod cli;
/// The recipes, as they are typed.
#[cfg(all(unix, feature = "cli"))]
mod cookbook;
/// The README and the docs: commands, links, the index.
#[cfg(all(unix, feature = "cli"))]
mod readme;

/// What the program answers to what was typed wrongly.
#[cfg(feature = "cli")]
mod message;

/// Several inputs into a folder.
#[cfg(all(unix, feature = "cli"))]
mod batch;
/// Folders as inputs.
#[cfg(all(unix, feature = "cli"))]
mod folder;
/// Folders that are watched.
#[cfg(all(unix, feature = "cli"))]
mod watch;

/// `explain INPUT OUTPUT` against what a run does.
#[cfg(feature = "cli")]
mod dry_run;

/// Before and after in one picture.
#[cfg(feature = "cli")]
mod compare;

/// Streams from and into the network.
#[cfg(all(target_os = "linux", feature = "cli"))]
mod address;

/// `--max-memory`.
#[cfg(all(unix, feature = "cli"))]
mod budget;

/// Threads and memory that the system refuses.
#[cfg(all(target_os = "linux", feature = "cli"))]
mod shape;
#[cfg(all(target_os = "linux", feature = "cli"))]
mod shortage;

/// Arrays that several calls of the Python module use at once.
mod claim;

/// Jobs without a frame.
#[cfg(feature = "cli")]
mod empty;
/// Loops, headers, chains and memory without bounds.
#[cfg(all(unix, feature = "cli"))]
mod endless;
/// How much of the sampled tests runs.
mod extent;
/// Interlaced clips.
#[cfg(all(unix, feature = "cli"))]
mod field;
/// Signals.
#[cfg(all(unix, feature = "cli"))]
mod interrupt;
/// What is told while a job runs.
#[cfg(all(unix, feature = "cli"))]
mod progress;
/// Jobs that continue.
#[cfg(all(unix, feature = "cli"))]
mod resume;
/// What others wrote.
#[cfg(all(unix, feature = "cli"))]
mod safety;
/// Parts of clips.
#[cfg(all(unix, feature = "cli"))]
mod slice;

/// Chunks of clips.
#[cfg(all(unix, feature = "cli"))]
mod chunk;
/// Joining them.
#[cfg(all(unix, feature = "cli"))]
mod joining;
/// Decoding that begins in the middle of a clip.
#[cfg(all(unix, feature = "cli"))]
mod landing;

/// Frames of cycles dropped.
#[cfg(all(unix, feature = "cli"))]
mod decimate;

/// Fields matched in clips.
#[cfg(all(unix, feature = "cli"))]
mod fieldmatch;

/// Deinterlacers in jobs.
#[cfg(all(unix, feature = "cli"))]
mod deinterlace;

/// Several decoders of one file.
#[cfg(all(unix, feature = "cli"))]
mod decoding;

/// The page's server.
#[cfg(all(unix, feature = "cli"))]
mod preview;
/// Frames of clips in any order.
#[cfg(all(unix, feature = "cli"))]
mod scrub;
/// Those that were decoded already.
#[cfg(all(target_os = "linux", feature = "cli"))]
mod store;

/// The manifest of programs that use the library.
mod library;

/// Colours of other spaces.
#[cfg(feature = "cli")]
mod colorspace;
/// Tables of colours from files.
#[cfg(feature = "cli")]
mod lut3d;
/// Pictures over clips.
#[cfg(feature = "cli")]
mod overlay;
/// Second clips.
#[cfg(feature = "cli")]
mod second;
/// HDR as SDR.
#[cfg(feature = "cli")]
mod tonemap;

/// Frames that are repeated and dropped.
#[cfg(feature = "cli")]
mod rate;
/// Names with percent signs.
#[cfg(feature = "cli")]
mod sequence;

/// Files that tell of a run, and what they must not destroy.
#[cfg(feature = "cli")]
mod report;

/// FFmpeg's filters as another implementation of ours.
#[cfg(feature = "cli")]
mod peer;

/// An independent, slow definition of the arithmetic.
mod oracle;

/// Second clips of noise.
mod companion;

/// Every backend against the oracle, and against itself with other numbers of threads.
mod agreement;

/// Filters that act on some frames, in a rectangle, or through a mask.
#[cfg(feature = "cli")]
mod bypass;

/// Containers, codecs and what travels with the picture.
#[cfg(feature = "cli")]
mod container;

/// Chains run by the CPU stage on numbers.
mod stage;

/// The engine by itself: arrays in, arrays out, memory of others.
mod engine;

/// SciPy, OpenCV and worked examples as other definitions of the filters.
#[cfg(feature = "cli")]
mod reference;

/// Any bytes for whatever reads bytes: targets of fuzzing over their corpora and mutations of them.
#[cfg(all(unix, feature = "cli"))]
mod fuzz;

/// The table of filters, the chain grammar, kernel files.
mod filter;

/// Frames blended to another rate.
mod framerate;

/// One clip on several backends.
mod lane;

/// Chains as passes, and `explain`.
mod plan;

/// y4m, raw, `hash:`, `null:`, and outputs that are never half-written.
#[cfg(feature = "cli")]
mod pipe;

/// Device code compiled for every GPU, without one.
#[cfg(feature = "cli")]
mod kernel;

/// Cuts between scenes and brightness: windows that stop there, frames that keep step.
#[cfg(feature = "cli")]
mod scene;

/// How noisy clips are found to be.
mod noise;

/// Strengths that follow the noise of a clip.
#[cfg(all(unix, feature = "cli"))]
mod strength;

/// Chains that suit how noisy each shot is.
#[cfg(feature = "cli")]
mod shot;

/// How much two clips differ.
#[cfg(feature = "cli")]
mod metrics;

/// Motion that is written beside the output.
#[cfg(feature = "cli")]
mod vector;

/// The GPU against the CPU, where there is a GPU.
#[cfg(feature = "cli")]
mod device;

/// Measuring: who sets the pace, what is written, the ladder of kernels.
#[cfg(feature = "cli")]
mod bench;
