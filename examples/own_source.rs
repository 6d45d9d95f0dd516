//! Frames that a program makes, filtered and written to a file, with the whole of the pipeline in between.
//!
//!     cargo run --example own_source -- rings.mp4

use std::sync::Arc;

use anyhow::{Context, Result};
use warpreel::job::Opening;
use warpreel::prelude::*;

/// Rings that grow from the middle.
struct Rings {
    format: Arc<Format>,
    next: u64,
}

impl Source for Rings {
    fn format(&self) -> &Arc<Format> {
        &self.format
    }

    fn next_frame(&mut self, pool: &Pool) -> Result<Option<Frame>> {
        if self.next == 50 {
            return Ok(None);
        }
        let mut frame = pool.frame(&self.format)?;
        for (index, plane) in frame.planes_mut::<u8>().iter_mut().enumerate() {
            for y in 0..plane.height {
                let across = plane.width as f64 / 2.0;
                let down = y as f64 - plane.height as f64 / 2.0;
                for (x, sample) in plane.row_mut(y).iter_mut().enumerate() {
                    let distance = (x as f64 - across).hypot(down);
                    let light = 128.0 + 100.0 * (distance / 4.0 - self.next as f64 / 3.0).sin();
                    *sample = if index == 0 { light as u8 } else { 128 };
                }
            }
        }
        let timing = Timing::at(self.next);
        self.next += 1;
        Ok(Some(frame.freeze(timing)))
    }

    fn length(&self) -> Option<u64> {
        Some(50)
    }
}

fn main() -> Result<()> {
    let output = std::env::args().nth(1).context("name the file to write, such as rings.mp4")?;
    let format = Arc::new(Format::new(Pixel::yuv420p(8), 320, 240, Rational::new(25, 1)));
    let request = Request {
        input: "rings".to_owned(),
        output,
        chain: vec!["tmix=3,gaussian=1".to_owned()],
        overwrite: Overwrite::Replace,
        ..Request::default()
    };
    let opening = Opening::start(&request);
    let job = Job::from_source(request, Box::new(Rings { format, next: 0 }), opening)?;
    println!("filtering on {}", job.backend());
    let report = job.run(&Monitor::default())?;
    println!("{} frames in {:.2} s", report.frames, report.seconds);
    Ok(())
}
