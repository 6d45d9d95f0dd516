//! Filters an image of interleaved red, green and blue, as image libraries have it.
//!
//!     cargo run --example packed_rgb --no-default-features

use std::sync::Arc;

use anyhow::Result;
use warpreel::prelude::*;

fn main() -> Result<()> {
    let format = Arc::new(Format::try_new(Pixel::parse("gbrp")?, 4, 2, Rational::new(25, 1))?);
    let pixels = [[255u8, 128, 0]; 8].concat();
    let frame = Frame::from_pixels(&format, Timing::at(0), &pixels, 4 * 3)?;
    let inverted = Engine::builder("invert", &format).build()?.clip([frame])?.remove(0);
    println!("{:?}", &inverted.to_pixels::<u8>()?[..6]);
    Ok(())
}
