//! Pushes frames into a session from one thread, and receives them filtered in another.
//!
//!     cargo run --example push_frames --no-default-features

use std::sync::Arc;
use std::thread;

use anyhow::Result;
use warpreel::prelude::*;

fn main() -> Result<()> {
    let format = Arc::new(Format::try_new(Pixel::gray(8), 64, 48, Rational::new(25, 1))?);
    let engine = Engine::builder("tmix=5,gaussian=2", &format).threads(2).build()?;
    let (mut input, mut output) = Session::start(engine, 8, |_| {})?.split();
    let pusher = thread::spawn(move || -> Result<()> {
        for number in 0..100 {
            input.push(Frame::from_samples(&format, Timing::at(number), vec![number as u8; 64 * 48])?)?;
        }
        input.finish();
        Ok(())
    });
    let mut frames = 0;
    while let Some(frame) = output.recv()? {
        frames += 1;
        if frame.timing.number == 50 {
            println!("frame 50 begins {:?}", &frame.host()?.plane::<u8>(0).row(0)[..4]);
        }
    }
    pusher.join().expect("the pusher does not panic")?;
    println!("{frames} frames");
    Ok(())
}
