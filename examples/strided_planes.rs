//! Filters 10-bit YUV whose rows are apart in memory, as capture devices and other libraries have it.
//!
//!     cargo run --example strided_planes --no-default-features

use std::sync::Arc;

use anyhow::Result;
use warpreel::prelude::*;

fn main() -> Result<()> {
    let format = Arc::new(Format::try_new(Pixel::yuv420p(10), 6, 4, Rational::new(25, 1))?);
    // Rows of luma are 10 samples apart, and those of chroma 8.
    let luma: Vec<u16> = (0..40).map(|at| if at % 10 == 2 { 940 } else { 64 }).collect();
    let chroma = vec![512u16; 16];
    let frame = Frame::from_planes(&format, Timing::at(0), &[(&luma, 10), (&chroma, 8), (&chroma, 8)])?;
    let filtered = Engine::builder("box=1", &format).build()?.clip([frame])?.remove(0);
    println!("{:?}", filtered.host()?.plane::<u16>(0).row(1));
    Ok(())
}
