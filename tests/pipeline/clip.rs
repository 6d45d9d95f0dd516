//! A stand-in for the source: frames of one sample, at uneven times, which may wait for those before to come out.

use std::sync::{Arc, Mutex};
use std::thread;
use std::time::Duration;

use anyhow::Result;
use warpreel::frame::{Attachment, Format, Frame, Pool, Timing};
use warpreel::source::{CancelToken, Source};

use super::collector::Log;
use super::trap::{Fault, Trap};

/// What rides on the end of every clip here.
pub const TRAILER: u64 = 4711;

/// When frame `number` is shown: at uneven times.
pub fn time_of(number: u64) -> (i64, i64) {
    let number = number as i64;
    (number * 10 + number % 3, 10 + number % 2)
}

/// A source whose frames have one sample.
pub struct Clip {
    pub format: Arc<Format>,
    pub first: u64,
    pub length: u64,
    pub next: u64,
    pub sample: fn(u64) -> u16,
    pub held: Option<(Arc<Mutex<Log>>, usize)>,
    pub trap: Trap,
    /// Ends the clip, two frames later: when is its own to know.
    pub interrupt: CancelToken,
    pub end: Option<u64>,
    pub is_over: bool,
}

impl Source for Clip {
    fn format(&self) -> &Arc<Format> {
        &self.format
    }

    fn next_frame(&mut self, pool: &Pool) -> Result<Option<Frame>> {
        let number = self.next;
        self.trap.check(Fault::Source, number)?;
        if self.interrupt.is_cancelled() {
            self.length = *self.end.get_or_insert(number + 2);
        }
        if number == self.length {
            self.is_over = true;
            return Ok(None);
        }
        self.next += 1;
        if let Some((log, frames)) = &self.held {
            while log.lock().unwrap().frames.len() + frames < number as usize {
                thread::sleep(Duration::from_micros(100));
            }
        }
        let mut frame = pool.frame(&self.format)?;
        frame.planes_mut::<u16>()[0].row_mut(0)[0] = (self.sample)(number);
        let (pts, duration) = time_of(number);
        let attachment: Attachment = Arc::new(number);
        let number = self.first + number;
        Ok(Some(frame.freeze(Timing { number, pts, duration, attachment: Some(attachment), ..Timing::default() })))
    }

    fn length(&self) -> Option<u64> {
        Some(self.length)
    }

    fn trailer(&mut self) -> Option<Attachment> {
        self.is_over.then(|| Arc::new(TRAILER) as Attachment)
    }
}
