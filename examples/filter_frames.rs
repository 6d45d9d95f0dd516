//! Filters frames that lie in memory, in x, y and t: no file, no thread, no FFmpeg.
//!
//!     cargo run --example filter_frames --no-default-features

use std::sync::Arc;

use anyhow::Result;
use warpreel::prelude::*;

fn main() -> Result<()> {
    let format = Arc::new(Format::new(Pixel::gray(8), 64, 48, Rational::new(25, 1)));
    let mut engine = Engine::cpu("tmix=5,gaussian=2", &format)?;
    let mut ready = Vec::new();
    for number in 0..10 {
        // A bright column that moves two pixels a frame.
        let samples = (0..64 * 48).map(|i| if i % 64 == 2 * number { 255u8 } else { 0 }).collect();
        engine.push(Frame::from_samples(&format, Timing::at(number), samples)?, &mut ready)?;
        println!("frame {number} went in, {} came out", ready.len());
    }
    engine.finish(&mut ready)?;
    for frame in &ready {
        println!("frame {}: {:?}", frame.timing.number, &frame.host()?.plane::<u8>(0).row(24)[..16]);
    }
    Ok(())
}
