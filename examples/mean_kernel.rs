//! Runs a kernel of 3 by 3 pixels in 3 frames.
//!
//!     cargo run --example mean_kernel --no-default-features

use std::sync::Arc;

use anyhow::Result;
use warpreel::prelude::*;

fn main() -> Result<()> {
    let format = Arc::new(Format::try_new(Pixel::gray(8), 16, 16, Rational::new(25, 1))?);
    let plan = Plan::kernel(&format, [3, 3, 3], &[1.0 / 27.0; 27])?;
    let mut engine = Engine::new(Cpu::new(plan.passes(), format.clone(), Pool::heap(), 0)?, plan)?;
    // A flash in the second frame.
    let frame =
        |number| Frame::from_samples(&format, Timing::at(number), vec![if number == 1 { 90u8 } else { 0 }; 256]);
    for frame in engine.clip((0..4).map(frame).collect::<Result<Vec<_>>>()?)? {
        println!("frame {}: {}", frame.timing.number, frame.host()?.plane::<u8>(0).row(8)[8]);
    }
    Ok(())
}
