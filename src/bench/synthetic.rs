//! The two ends of a filter stage alone. Frames that cost nothing to read: a few of noise, made once in the pool's
//! memory, in turns. And a sink that only looks at the clock.

use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, OnceLock};
use std::time::{Duration, Instant};

use anyhow::Result;

use crate::frame::{Attachment, Format, Frame, Pool, Sample, Timing};
use crate::sink::Sink;
use crate::source::{CancelToken, Source};

/// When a synthetic clip ends.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum End {
    /// After this many frames.
    Frames(u64),
    /// When this much time has passed since a frame of this number was asked for.
    Time(u64, Duration),
}

/// A clip of noise.
pub struct Synthetic {
    format: Arc<Format>,
    end: End,
    frames: Vec<Frame>,
    number: u64,
    deadline: Option<Instant>,
    interrupt: CancelToken,
}

impl Synthetic {
    /// Frames of different content: more than caches hold at 4K, where they are 150 MB.
    pub const FRAMES: usize = 12;

    /// A clip, which `interrupt` ends too; makes nothing yet.
    pub fn new(format: Arc<Format>, end: End, interrupt: CancelToken) -> Self {
        Self { format, end, frames: Vec::new(), number: 0, deadline: None, interrupt }
    }

    fn is_over(&mut self) -> bool {
        if self.interrupt.is_cancelled() {
            return true;
        }
        match self.end {
            End::Frames(frames) => self.number >= frames,
            End::Time(from, length) if self.number >= from => {
                let now = Instant::now();
                now >= *self.deadline.get_or_insert(now + length)
            }
            End::Time(..) => false,
        }
    }
}

impl Source for Synthetic {
    fn format(&self) -> &Arc<Format> {
        &self.format
    }

    fn next_frame(&mut self, pool: &Pool) -> Result<Option<Frame>> {
        if self.is_over() {
            return Ok(None);
        }
        let index = self.number as usize % Self::FRAMES;
        if index == self.frames.len() {
            self.frames.push(noise(&self.format, pool, self.number as u32)?);
        }
        let mut frame = self.frames[index].clone();
        frame.timing = Timing { number: self.number, pts: self.number as i64, ..Timing::default() };
        self.number += 1;
        Ok(Some(frame))
    }

    fn length(&self) -> Option<u64> {
        match self.end {
            End::Frames(frames) => Some(frames),
            End::Time(..) => None,
        }
    }
}

/// When the frames that count began and ended to come out.
#[derive(Debug, Default)]
pub struct Stamps {
    begin: OnceLock<Instant>,
    end: OnceLock<Instant>,
    frames: AtomicU64,
}

impl Stamps {
    /// Frames that count; 0 before the end.
    pub fn frames(&self) -> u64 {
        self.frames.load(Ordering::Relaxed)
    }

    /// Seconds from the last frame that does not count to the end; `None` unless both were seen.
    pub fn seconds(&self) -> Option<f64> {
        Some(self.end.get()?.duration_since(*self.begin.get()?).as_secs_f64())
    }
}

/// Discards frames, and notes when `lead` of them, at least one, and all of them were there.
pub struct StampSink {
    lead: u64,
    frames: u64,
    stamps: Arc<Stamps>,
}

impl StampSink {
    /// A sink that writes to `stamps`.
    pub fn new(lead: u64, stamps: Arc<Stamps>) -> Self {
        Self { lead, frames: 0, stamps }
    }
}

impl Sink for StampSink {
    fn put(&mut self, _: Frame) -> Result<()> {
        self.frames += 1;
        if self.frames >= self.lead {
            self.stamps.begin.get_or_init(Instant::now);
        }
        Ok(())
    }

    fn finish(self: Box<Self>, _: Option<Attachment>) -> Result<()> {
        self.stamps.end.get_or_init(Instant::now);
        self.stamps.frames.store(self.frames.saturating_sub(self.lead), Ordering::Relaxed);
        Ok(())
    }
}

/// A frame of noise that fills the whole range of the samples; the same for the same seed.
///
/// # Errors
/// If memory runs out.
pub fn noise(format: &Arc<Format>, pool: &Pool, seed: u32) -> Result<Frame> {
    let mut frame = pool.frame(format)?;
    let mut state = seed.wrapping_mul(2_654_435_761).wrapping_add(1);
    // Numerical Recipes' generator; its upper bits are the good ones.
    let mut next = || {
        state = state.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
        state >> 8
    };
    match format.pixel.sample {
        Sample::U8 => frame.bytes_mut().iter_mut().for_each(|sample| *sample = next() as u8),
        Sample::U16 => {
            let mask = format.pixel.peak() as u32;
            let samples = bytemuck::cast_slice_mut::<u8, u16>(frame.bytes_mut());
            samples.iter_mut().for_each(|sample| *sample = (next() & mask) as u16);
        }
        Sample::F32 => {
            let samples = bytemuck::cast_slice_mut::<u8, f32>(frame.bytes_mut());
            samples.iter_mut().for_each(|sample| *sample = next() as f32 / (1 << 24) as f32);
        }
    }
    Ok(frame.freeze(Timing::default()))
}
