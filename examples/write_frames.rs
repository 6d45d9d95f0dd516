//! Writes frames that a program makes, without filtering them.
//!
//!     cargo run --example write_frames -- ramp.mkv

use std::sync::Arc;

use anyhow::{Context, Result};
use warpreel::job::Lineage;
use warpreel::prelude::*;

fn main() -> Result<()> {
    let output = std::env::args().nth(1).context("name the file to write, such as ramp.mkv")?;
    let format = Arc::new(Format::try_new(Pixel::gray(8), 256, 144, Rational::new(25, 1))?);
    let request = Request { output, overwrite: Overwrite::Replace, ..Request::default() };
    let mut sink = open_sink(&request, &Lineage::of(format.clone()))?;
    for number in 0..25 {
        let samples = (0..144 * 256).map(|at| (at % 256 + 4 * number) as u8).collect();
        sink.put(Frame::from_samples(&format, Timing::at(number as u64), samples)?)?;
    }
    sink.finish(None)?;
    Ok(())
}
