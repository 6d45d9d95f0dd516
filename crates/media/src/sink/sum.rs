//! Checksums of frames, on threads of their own: an MD5 is formed at some 600 MB a second, 200 frames of 1080p, whatever made them.

use std::collections::VecDeque;
use std::sync::mpsc::{Receiver, Sender, channel};
use std::sync::{Arc, Mutex, PoisonError};
use std::thread::{self, JoinHandle};

use anyhow::{Context, Result};
use md5::{Digest, Md5};

use crate::frame::Frame;

/// Adds a frame's samples, planar and without padding.
fn add(sum: &mut Md5, frame: &Frame) -> Result<()> {
    frame.host()?.pieces().for_each(|piece| sum.update(piece));
    Ok(())
}

fn number(sum: Md5) -> u128 {
    u128::from_be_bytes(sum.finalize().into())
}

/// A checksum of many frames: the MD5 of the MD5s of all of them, each as `hash:` prints it and on a line of its own, in their
/// order. So several threads form it, which those of the samples one after the other cannot.
pub struct FrameSum {
    sums: FrameSums<()>,
    total: Md5,
}

impl FrameSum {
    /// A sum of no frame yet; `name` is that of its threads.
    pub fn new(name: &'static str) -> Self {
        Self { sums: FrameSums::new(name), total: Md5::new() }
    }

    /// Takes one frame more. Blocks while as many wait as there may be threads.
    ///
    /// # Errors
    /// If its samples are not in the host's memory, or a thread failed.
    pub fn add(&mut self, frame: &Frame) -> Result<()> {
        let finished = self.sums.put((), frame.clone())?;
        self.append(finished);
        Ok(())
    }

    /// In hexadecimal. Blocks until all frames are in it.
    ///
    /// # Errors
    /// If a thread failed.
    pub fn finish(mut self) -> Result<String> {
        let finished = self.sums.rest()?;
        self.append(finished);
        Ok(format!("{:032x}", number(self.total)))
    }

    fn append(&mut self, finished: Vec<((), u128)>) {
        finished.into_iter().for_each(|((), sum)| self.total.update(format!("{sum:032x}\n")));
    }
}

/// The MD5 of each frame, in the order in which they came, formed by several threads side by side.
pub struct FrameSums<A> {
    name: &'static str,
    /// The caller's value of each frame, and its sum once it is formed.
    under_way: VecDeque<(A, Receiver<u128>)>,
    give: Option<Sender<SumTask>>,
    tasks: Arc<Mutex<Receiver<SumTask>>>,
    threads: Vec<JoinHandle<()>>,
    most: usize,
}

/// A frame, and who wants its sum.
type SumTask = (Frame, Sender<u128>);

impl<A> FrameSums<A> {
    /// More threads are not needed for any pace that the rest keeps: 1,600 frames of 1080p a second.
    const MOST: usize = 8;

    /// No frame yet. Threads, whose names begin with `name`, start when there is work for them, one a core at most.
    pub fn new(name: &'static str) -> Self {
        let (give, tasks) = channel();
        let most = thread::available_parallelism().map_or(1, usize::from).min(Self::MOST);
        let tasks = Arc::new(Mutex::new(tasks));
        Self { name, under_way: VecDeque::new(), give: Some(give), tasks, threads: Vec::new(), most }
    }

    /// Takes a frame and what belongs to it; gives what is finished before it, in order. Blocks while there are as many frames under way as
    /// there may be threads.
    ///
    /// # Errors
    /// If the frame's samples are not in the host's memory, or a thread failed.
    pub fn put(&mut self, with: A, frame: Frame) -> Result<Vec<(A, u128)>> {
        frame.host()?;
        let mut finished = Vec::new();
        while let Some(sum) = self.under_way.front().and_then(|(_, receiver)| receiver.try_recv().ok()) {
            finished.extend(self.under_way.pop_front().map(|(with, _)| (with, sum)));
        }
        if self.under_way.len() >= self.threads.len() && self.threads.len() < self.most {
            self.start();
        }
        let (sender, receiver) = channel();
        match self.give.as_ref().filter(|_| !self.threads.is_empty()) {
            // The receiver of tasks lives as long as this.
            Some(give) => give.send((frame, sender)).ok().context("threads that form checksums exited unexpectedly")?,
            None => {
                let mut sum = Md5::new();
                add(&mut sum, &frame)?;
                let _ = sender.send(number(sum));
            }
        }
        self.under_way.push_back((with, receiver));
        if self.under_way.len() > self.most {
            finished.extend(self.next()?);
        }
        Ok(finished)
    }

    /// The first that is under way, with its sum. Blocks until that is formed.
    fn next(&mut self) -> Result<Option<(A, u128)>> {
        let Some((with, receiver)) = self.under_way.pop_front() else { return Ok(None) };
        Ok(Some((with, receiver.recv().context("a thread that forms checksums exited unexpectedly")?)))
    }

    /// What is left. Blocks until it is finished.
    ///
    /// # Errors
    /// If a thread failed.
    pub fn rest(&mut self) -> Result<Vec<(A, u128)>> {
        std::iter::from_fn(|| self.next().transpose()).collect()
    }

    /// Starts a thread more; where the system gives none, there are as many as there may be.
    fn start(&mut self) {
        let tasks = self.tasks.clone();
        let work = move || {
            loop {
                let task: Result<SumTask, _> = tasks.lock().unwrap_or_else(PoisonError::into_inner).recv();
                let Ok((frame, sender)) = task else { return };
                let mut sum = Md5::new();
                if add(&mut sum, &frame).is_ok() {
                    drop(frame);
                    // Nobody waits any more where the job failed.
                    let _ = sender.send(number(sum));
                }
            }
        };
        match thread::Builder::new().name(format!("{} {}", self.name, self.threads.len())).spawn(work) {
            Ok(thread) => self.threads.push(thread),
            Err(_) => self.most = self.threads.len(),
        }
    }
}

impl<A> Drop for FrameSums<A> {
    fn drop(&mut self) {
        self.give = None;
        for thread in self.threads.drain(..) {
            // A sum that a panic left out is missed by whoever waits for it.
            let _ = thread.join();
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::frame::{Format, Pixel, Pool, Rational, Timing};

    /// Frames of different samples.
    fn frames(count: usize) -> Result<Vec<Frame>> {
        let (pool, format) = (Pool::heap(), Arc::new(Format::new(Pixel::yuv420p(8), 70, 33, Rational::new(25, 1))));
        let one = |number: usize| {
            let mut frame = pool.frame(&format)?;
            for plane in &mut frame.planes_mut::<u8>() {
                (0..plane.height).for_each(|y| plane.row_mut(y).fill((number * 7 + y) as u8));
            }
            Ok(frame.freeze(Timing::at(number as u64)))
        };
        (0..count).map(one).collect()
    }

    fn md5(frames: &[Frame]) -> Result<u128> {
        let mut sum = Md5::new();
        frames.iter().try_for_each(|frame| add(&mut sum, frame))?;
        Ok(number(sum))
    }

    #[test]
    fn sums_come_in_the_order_of_their_frames() -> Result<()> {
        for most in [0, 1, 8] {
            let (mut sums, mut found) = (FrameSums::new("sum"), Vec::new());
            sums.most = most;
            let frames = frames(50)?;
            for (number, frame) in frames.iter().enumerate() {
                found.extend(sums.put(number, frame.clone())?);
                assert!(number + 1 - found.len() <= most, "{most} threads leave no more frames under way");
            }
            found.extend(sums.rest()?);
            let due: Result<Vec<_>> =
                frames.chunks(1).enumerate().map(|(number, frame)| Ok((number, md5(frame)?))).collect();
            assert_eq!(found, due?, "{most} threads");
        }
        Ok(())
    }

    #[test]
    fn a_sum_has_all_frames_in_their_order() -> Result<()> {
        let frames = frames(20)?;
        let lines: Result<String> = frames.chunks(1).map(|frame| Ok(format!("{:032x}\n", md5(frame)?))).collect();
        let due = format!("{:032x}", number(Md5::new_with_prefix(lines?)));
        let sum = |order: Vec<&Frame>| {
            let mut sum = FrameSum::new("sum");
            order.into_iter().try_for_each(|frame| sum.add(frame))?;
            sum.finish()
        };
        assert_eq!(sum(frames.iter().collect())?, due);
        assert_ne!(sum(frames.iter().rev().collect())?, due, "backwards");
        assert_eq!(sum(Vec::new())?, "d41d8cd98f00b204e9800998ecf8427e", "of no frame");
        Ok(())
    }
}
