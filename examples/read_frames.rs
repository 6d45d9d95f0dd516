//! Reads a video frame by frame, and prints the mean of the first plane of each.
//!
//!     cargo run --example read_frames -- in.mp4

use anyhow::{Context, Result};
use warpreel::prelude::*;

fn main() -> Result<()> {
    let input = std::env::args().nth(1).context("name a video, such as in.mp4")?;
    let mut reader = Reader::open(&Request { input, ..Request::default() }, &Default::default())?;
    let (format, pool) = (reader.source().format().clone(), Pool::heap());
    println!("{format}");
    while let Some(frame) = reader.source().next_frame(&pool)? {
        let host = frame.host()?;
        let sum: f64 = match format.pixel.sample {
            Sample::U8 => host.plane::<u8>(0).rows().flatten().map(|sample| f64::from(*sample)).sum(),
            Sample::U16 => host.plane::<u16>(0).rows().flatten().map(|sample| f64::from(*sample)).sum(),
            Sample::F32 => host.plane::<f32>(0).rows().flatten().map(|sample| f64::from(*sample)).sum(),
        };
        println!("frame {}: {:.2}", frame.timing.number, sum / (format.width * format.height) as f64);
    }
    Ok(())
}
