//! The contents page of the integration tests.

/// Who may import whom.
mod architecture;

/// Threads, windows, failures, interrupts.
mod pipeline;

/// Runs the program, and FFmpeg beside it.
mod program;

/// The command line as a user meets it.
mod cli;

/// Jobs without a frame.
mod empty;

/// Names with percent signs.
mod sequence;

/// Files that tell of a run, and what they must not destroy.
mod report;

/// FFmpeg's filters as another implementation of ours.
mod peer;

/// An independent, slow definition of the arithmetic.
mod oracle;

/// Every backend against the oracle, and against itself with other numbers of threads.
mod agreement;

/// Filters that act on some frames, in a rectangle, or through a mask.
mod bypass;

/// Containers, codecs and what travels with the picture.
mod container;

/// Chains run by the CPU stage on numbers.
mod stage;

/// The engine by itself: arrays in, arrays out, memory of others.
mod engine;

/// SciPy, OpenCV and worked examples as other definitions of the filters.
mod reference;

/// The table of filters, the chain grammar, kernel files.
mod filter;

/// Chains as passes, and `explain`.
mod plan;

/// y4m, raw, `hash:`, `null:`, and outputs that are never half-written.
mod pipe;

/// Device code compiled for every GPU, without one.
mod kernel;

/// Cuts between scenes and brightness: windows that stop there, frames that keep step.
mod scene;

/// The GPU against the CPU, where there is a GPU.
mod device;

/// Measuring: who sets the pace, what is written, the ladder of kernels.
mod bench;
