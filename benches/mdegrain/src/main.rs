//! MDegrain3 of MVTools over a y4m clip: how fast it is, and what comes out.
//!
//! MVTools is a plugin of VapourSynth and AviSynth. `zoomvtools` is its port to Rust by VapourSynth's community, with SIMD
//! chosen at run time; this program calls it as VapourSynth would for
//!
//! ```text
//! super = core.mv.Super(clip, pel=PEL)
//! vectors = [core.mv.Analyse(super, isb=isb, delta=delta, blksize=BLOCK, overlap=OVERLAP)
//!            for delta in (1, 2, 3) for isb in (True, False)]
//! core.mv.Degrain3(clip, super, *vectors, thsad=THSAD)
//! ```
//!
//! with MVTools' defaults for what is not said. A frame's super frame is made once, its vectors once for each of the six
//! frames around it, and threads take frames, as in VapourSynth.
//!
//! ```text
//! cargo build --release --locked --manifest-path benches/mdegrain/Cargo.toml
//! mdegrain=benches/mdegrain/target/release/mdegrain
//! $mdegrain --block 16 --thsad 1600 --thscd1 1600 < noisy.y4m > mean.y4m
//! $mdegrain --null --threads 2 --frames 40 --repetitions 3 < noisy.y4m
//! ```
//!
//! On stderr it says frames a second of the filtering alone, the median of the repetitions: frames lie in memory before
//! and after. `--no-default-features` builds it without SIMD. `python3 benches/quality` takes the program where it is
//! built.

mod clip;
mod degrain;
mod picture;

use std::io;
use std::num::NonZeroUsize;
use std::process::ExitCode;
use std::time::Instant;

use anyhow::{Context, Result};
use clap::Parser;
use rayon::ThreadPoolBuilder;

use clip::Clip;
use degrain::{MDegrain3, Settings};
use picture::Picture;

/// Filters a y4m clip of 8 bits and 4:2:0 from stdin with MDegrain3 and writes it to stdout.
#[derive(Parser)]
struct Arguments {
    #[command(flatten)]
    settings: Settings,

    /// How many threads filter, each a frame at a time
    #[arg(long, default_value = "1")]
    threads: NonZeroUsize,

    /// How many frames are read at most; all of them lie in memory [default: all]
    #[arg(long)]
    frames: Option<NonZeroUsize>,

    /// How often the clip is filtered; the median counts
    #[arg(long, default_value = "1")]
    repetitions: NonZeroUsize,

    /// Write nothing
    #[arg(long)]
    null: bool,
}

fn main() -> ExitCode {
    match run(&Arguments::parse()) {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("error: {error:#}");
            ExitCode::FAILURE
        }
    }
}

fn run(arguments: &Arguments) -> Result<()> {
    let clip = Clip::read(io::stdin().lock(), arguments.frames.map_or(usize::MAX, NonZeroUsize::get))?;
    let filter = MDegrain3::new(clip.width, clip.height, clip.frames.len(), &arguments.settings)?;
    let pool = ThreadPoolBuilder::new().num_threads(arguments.threads.get()).build().context("start threads")?;
    let mut supers = filter.super_frames()?;
    let mut means =
        clip.frames.iter().map(|_| Picture::black(clip.width, clip.height)).collect::<Result<Vec<Picture>>>()?;
    let mut rates = Vec::new();
    for _ in 0..arguments.repetitions.get() {
        let begun = Instant::now();
        pool.install(|| filter.filter(&clip.frames, &mut supers, &mut means))?;
        rates.push(clip.frames.len() as f64 / begun.elapsed().as_secs_f64());
    }
    rates.sort_by(f64::total_cmp);
    let told = rates.iter().map(|rate| format!("{rate:.2}")).collect::<Vec<_>>().join(" ");
    let middle = rates.len() / 2;
    let median = if rates.len().is_multiple_of(2) { (rates[middle - 1] + rates[middle]) / 2.0 } else { rates[middle] };
    eprintln!("{median:.2} frames a second, the median of {told}");
    if !arguments.null {
        clip.write(&means, io::stdout().lock())?;
    }
    Ok(())
}
