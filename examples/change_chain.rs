//! Changes the chain in the middle of a clip: temporal filters see the frames on both sides of the change.
//!
//!     cargo run --example change_chain --no-default-features

use std::sync::Arc;

use anyhow::Result;
use warpreel::prelude::*;

fn main() -> Result<()> {
    let format = Arc::new(Format::try_new(Pixel::gray(8), 64, 48, Rational::new(25, 1))?);
    // The last 8 frames are kept for chains that look back.
    let mut engine = Engine::builder("tmix=3", &format).build_adjustable(8)?;
    let mut ready = Vec::new();
    for number in 0..10 {
        if number == 5 {
            let unknown = engine.update("tmix=5,invert")?;
            println!("frames that the new chain lacks: {unknown}");
        }
        engine.push(Frame::from_samples(&format, Timing::at(number), vec![10 * number as u8; 64 * 48])?, &mut ready)?;
    }
    engine.finish(&mut ready)?;
    for frame in ready {
        println!("frame {}: {}", frame.timing.number, frame.host()?.plane::<u8>(0).row(0)[0]);
    }
    Ok(())
}
