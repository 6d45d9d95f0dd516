//! Stops a job after five frames, as Ctrl-C stops the program; what was written until then is kept under another name.
//!
//!     cargo run --example cancel_job -- in.mp4 out.mp4

use std::sync::atomic::{AtomicBool, Ordering};
use std::thread;
use std::time::Duration;

use anyhow::{Context, Result};
use warpreel::prelude::*;

fn main() -> Result<()> {
    let mut names = std::env::args().skip(1);
    let mut name = || names.next().context("name the input and the output, such as in.mp4 out.mp4");
    let (input, output) = (name()?, name()?);
    let chain = vec!["nlmeans".to_owned()];
    let request = Request { input, output, chain, overwrite: Overwrite::Replace, ..Request::default() };
    let token = CancelToken::default();
    let job = Job::open(request, token.clone())?;
    let (monitor, is_done) = (Monitor::default(), AtomicBool::new(false));
    let report = thread::scope(|scope| {
        scope.spawn(|| {
            while monitor.read().encode.frames < 5 && !is_done.load(Ordering::Relaxed) {
                thread::sleep(Duration::from_millis(10));
            }
            token.cancel();
        });
        let report = job.run(&monitor);
        is_done.store(true, Ordering::Relaxed);
        report
    })?;
    println!("{}", report.summary());
    Ok(())
}
