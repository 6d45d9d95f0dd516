//! A sink that writes down what comes out.

use std::path::PathBuf;
use std::sync::{Arc, Mutex};
use std::thread;
use std::time::Duration;

use anyhow::Result;
use warpreel::frame::{Attachment, Frame, Timing};
use warpreel::sink::Sink;

use super::adder::first_sample;
use super::trap::{Fault, Trap};

/// What arrived of a frame.
#[derive(Clone, Debug)]
pub struct Written {
    pub number: u64,
    pub pts: i64,
    pub duration: i64,
    pub sample: u16,
    pub attachment: Option<u64>,
}

/// What became of a run.
#[derive(Default)]
pub struct Log {
    pub frames: Vec<Written>,
    pub trailer: Option<u64>,
    pub finished: bool,
    pub rest: Vec<u64>,
}

/// A sink that keeps what it is given, slowly, and fails when told to.
pub struct Collector {
    pub log: Arc<Mutex<Log>>,
    pub trap: Trap,
    pub delay: Duration,
}

fn number_in(attachment: Option<Attachment>) -> Option<u64> {
    attachment.and_then(|attachment| attachment.downcast_ref().copied())
}

impl Sink for Collector {
    fn put(&mut self, frame: Frame) -> Result<()> {
        let mut log = self.log.lock().unwrap();
        self.trap.check(Fault::Sink, log.frames.len() as u64)?;
        let sample = first_sample(&frame);
        let Timing { number, pts, duration, attachment, .. } = frame.timing;
        log.frames.push(Written { number, pts, duration, sample, attachment: number_in(attachment) });
        drop(log);
        thread::sleep(self.delay);
        Ok(())
    }

    fn finish(self: Box<Self>, trailer: Option<Attachment>) -> Result<()> {
        self.trap.check(Fault::Finish, 0)?;
        let mut log = self.log.lock().unwrap();
        log.trailer = number_in(trailer);
        log.finished = true;
        Ok(())
    }

    fn finish_partial(self: Box<Self>, rest: &[Attachment]) -> Result<Option<PathBuf>> {
        self.trap.check(Fault::Finish, 0)?;
        self.log.lock().unwrap().rest = rest.iter().filter_map(|rest| number_in(Some(rest.clone()))).collect();
        Ok(Some(PathBuf::from("kept")))
    }
}
