//! A stream from the network as it is read: when its packets came, and where its times go on.

use std::sync::Arc;
use std::thread;
use std::time::{Duration, Instant};

use anyhow::Result;

use super::timeline::MICROSECOND;
use crate::frame::{LiveGauge, LiveMark};
use crate::libav::address::Address;
use crate::libav::input::InputContext;
use crate::libav::limit::CallLimit;
use crate::libav::packet::{Packet, rescale};
use crate::source::CancelToken;

/// A stream from the network, and what to do when it does not come.
#[derive(Clone, Debug)]
pub struct LiveInput {
    /// Where it comes from.
    pub address: Address,
    /// Longest time without a packet.
    pub timeout: Duration,
    /// How often in a row it is opened again after it was lost; a frame ends the row.
    pub reconnects: u32,
    /// Whether frames that come too late are dropped.
    pub drop_late: bool,
}

/// A stream that is being read.
pub(super) struct LiveFeed {
    pub input: LiveInput,
    cancel: CancelToken,
    pub gauge: Arc<LiveGauge>,
    /// How often it was opened again since the last frame.
    pub attempts: u32,
    /// What is added to its times since it was opened again, in microseconds.
    shift_us: i64,
    /// When its last packet came.
    heard: Instant,
    punctuality: Option<Punctuality>,
    /// When its first frame has to be decoded; `None` once it was.
    patience: Option<Instant>,
    /// Why it did not come back.
    pub loss: Option<String>,
}

impl LiveFeed {
    /// A frame that is later than others by so many seconds is dropped, where that is asked for.
    pub const BOUND_S: f64 = 0.5;

    /// Between two attempts to open it again.
    const PAUSE: Duration = Duration::from_secs(1);

    /// Beside the timeout, how long the first frame may take to be decoded: key frames are seldom farther apart.
    const FIRST: Duration = Duration::from_secs(5);

    /// A clock that runs on over a loss may be so far ahead of the time that it took, in microseconds.
    const AHEAD_US: i64 = 10_000_000;

    pub fn new(input: LiveInput, cancel: CancelToken) -> Self {
        let punctuality = input.drop_late.then(Punctuality::new);
        let gauge = Arc::new(LiveGauge::default());
        let patience = Some(Instant::now() + input.timeout + Self::FIRST);
        Self {
            input,
            cancel,
            gauge,
            attempts: 0,
            shift_us: 0,
            heard: Instant::now(),
            punctuality,
            patience,
            loss: None,
        }
    }

    /// Whether packets came for long enough, and no frame.
    pub fn is_fruitless(&self) -> bool {
        self.patience.is_some_and(|end| Instant::now() > end)
    }

    /// A frame was decoded.
    pub fn succeed(&mut self) {
        self.patience = None;
    }

    /// Opens the stream. Blocks until it has begun, for a bounded time.
    ///
    /// # Errors
    /// If it does not begin in time, or is no video.
    pub fn open(&self) -> Result<InputContext> {
        let limit = CallLimit::new(self.input.timeout, self.cancel.clone());
        InputContext::open_address(&self.input.address, limit)
    }

    /// Whether it may be entered in its middle, so that frames before the first key frame are incomplete.
    pub fn begins_anywhere(&self) -> bool {
        !self.input.address.is_web()
    }

    /// Whether a frame that is shown at `time`, in seconds, is to be dropped.
    pub fn is_late(&mut self, time: f64) -> bool {
        self.punctuality.as_mut().is_some_and(|clock| clock.is_late(time))
    }

    /// Of a frame that was decoded just now.
    pub fn mark(&mut self) -> LiveMark {
        self.attempts = 0;
        LiveMark::new(&self.gauge)
    }

    /// A packet came, whose times go on where those before a loss ended.
    pub fn hear(&mut self, packet: &mut Packet, input: &InputContext) {
        self.heard = Instant::now();
        if self.shift_us != 0 {
            let shift = rescale(self.shift_us, MICROSECOND, input.time_base(packet.stream()));
            let moved = |time: Option<i64>| time.map(|time| time.saturating_add(shift));
            packet.set_times(moved(packet.pts()), moved(packet.dts()));
        }
    }

    /// Waits before a further attempt; ends early where the user asks to stop.
    pub fn pause(&self) {
        const STEP: Duration = Duration::from_millis(50);

        let end = Instant::now() + Self::PAUSE;
        while Instant::now() < end && !self.cancel.is_cancelled() {
            thread::sleep(STEP);
        }
    }

    /// Lets the times of a stream that was opened again go on behind `last_us`; gives the gap in seconds.
    pub fn go_on(&mut self, begins_us: i64, last_us: i64) -> f64 {
        let outage_us = i64::try_from(self.heard.elapsed().as_micros()).unwrap_or(i64::MAX / 4);
        let kept = begins_us.saturating_add(self.shift_us);
        if !(last_us..=last_us.saturating_add(outage_us + Self::AHEAD_US)).contains(&kept) {
            self.shift_us = last_us.saturating_add(outage_us) - begins_us;
        }
        self.punctuality = self.punctuality.take().map(|_| Punctuality::new());
        (begins_us + self.shift_us - last_us) as f64 / 1e6
    }
}

/// How late frames come, beside the one that came soonest.
struct Punctuality {
    began: Instant,
    /// Least difference so far between the time on the clock here and that of a frame, in seconds, and when it was last
    /// looked at.
    least: Option<(f64, f64)>,
}

impl Punctuality {
    /// A sender's clock may be slow by this share.
    const DRIFT: f64 = 1e-4;

    fn new() -> Self {
        Self { began: Instant::now(), least: None }
    }

    /// Whether a frame that is shown at `time` comes too late; all times are seconds.
    fn is_late(&mut self, time: f64) -> bool {
        self.is_late_at(self.began.elapsed().as_secs_f64(), time)
    }

    fn is_late_at(&mut self, now: f64, time: f64) -> bool {
        let behind = now - time;
        let least = self.least.map_or(behind, |(least, looked)| behind.min(least + Self::DRIFT * (now - looked)));
        self.least = Some((least, now));
        behind - least > LiveFeed::BOUND_S
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The burst at the beginning, which was kept while the stream was looked at, is not late; a pause is.
    #[test]
    fn frames_behind_the_soonest_are_late() {
        let mut clock = Punctuality::new();
        // Three seconds came at once.
        assert!((0..75).all(|n| !clock.is_late_at(3.0, f64::from(n) / 25.0)));
        assert!(!clock.is_late_at(3.04, 3.0));
        assert!(!clock.is_late_at(3.5, 3.04));
        assert!(clock.is_late_at(3.7, 3.08));
        assert!(!clock.is_late_at(3.7, 3.6));
    }

    /// A sender's clock that is slow by 50 parts in a million for a day.
    #[test]
    fn a_slow_clock_is_not_late() {
        let mut clock = Punctuality::new();
        assert!((0..86_400).all(|n| !clock.is_late_at(f64::from(n) * 1.000_05, f64::from(n))));
    }
}
