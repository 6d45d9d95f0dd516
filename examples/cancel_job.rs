//! Stops a job after a moment, as Ctrl-C stops the program; what was written until then is kept under another name.
//!
//!     cargo run --example cancel_job -- in.mp4 out.mp4

use std::thread;
use std::time::Duration;

use anyhow::{Context, Result};
use warpreel::job::{Job, Overwrite, Request};
use warpreel::pipeline::Monitor;
use warpreel::source::CancelToken;

fn main() -> Result<()> {
    let mut names = std::env::args().skip(1);
    let mut name = || names.next().context("name the input and the output, such as in.mp4 out.mp4");
    let (input, output) = (name()?, name()?);
    let chain = vec!["nlmeans".to_owned()];
    let request = Request { input, output, chain, overwrite: Overwrite::Replace, ..Request::default() };
    let token = CancelToken::default();
    let job = Job::open(request, token.clone())?;
    let stopper = thread::spawn(move || {
        thread::sleep(Duration::from_secs(1));
        token.cancel();
    });
    let report = job.run(&Monitor::default())?;
    stopper.join().expect("it does not panic");
    println!("{}", report.summary());
    Ok(())
}
