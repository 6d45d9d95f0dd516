//! Filters a file as the program does, with its progress and its report.
//!
//!     cargo run --example whole_job -- in.mp4 out.mp4

use std::sync::atomic::{AtomicBool, Ordering};
use std::thread;
use std::time::Duration;

use anyhow::{Context, Result};
use warpreel::prelude::*;

fn main() -> Result<()> {
    let mut names = std::env::args().skip(1);
    let mut name = || names.next().context("name the input and the output, such as in.mp4 out.mp4");
    let (input, output) = (name()?, name()?);
    let chain = vec!["tmix=3,gaussian=1".to_owned()];
    let request = Request { input, output, chain, overwrite: Overwrite::Replace, ..Request::default() };
    let job = Job::open(request, Default::default())?;
    let (length, monitor, is_done) = (job.length(), Monitor::default(), AtomicBool::new(false));
    let report = thread::scope(|scope| {
        scope.spawn(|| {
            while !is_done.load(Ordering::Relaxed) {
                eprintln!("{} of {length:?} frames", monitor.read().encode.frames);
                thread::sleep(Duration::from_millis(200));
            }
        });
        let report = job.run(&monitor);
        is_done.store(true, Ordering::Relaxed);
        report
    })?;
    println!("{}", report.summary());
    Ok(())
}
