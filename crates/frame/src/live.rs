//! Frames of a stream that arrives as it is made: how long each takes from its decoding to the output, and how many are lost
//! on the way.

use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

use serde::Serialize;

/// Counts of one live input, which its source, its sink and whoever reports them share.
#[derive(Debug, Default)]
pub struct LiveGauge(Mutex<LiveState>);

#[derive(Debug, Default)]
struct LiveState {
    written: u64,
    total: Duration,
    longest: Duration,
    lately_ms: f64,
    dropped: u64,
    reconnects: u64,
    loss: Option<String>,
}

/// A reading of a [`LiveGauge`].
#[derive(Clone, Debug, Default, PartialEq, Serialize)]
pub struct LiveReading {
    /// Mean time from a frame's decoding until its packet was written, in milliseconds; 0 before the first.
    pub delay_ms: f64,
    /// The longest of these times.
    pub longest_delay_ms: f64,
    /// Their mean over about the last sixteen frames.
    pub recent_delay_ms: f64,
    /// Frames that were dropped because they came too late.
    pub dropped: u64,
    /// How often the input was opened again.
    pub reconnects: u64,
}

impl LiveGauge {
    /// Weight of one frame in the recent mean.
    const SHARE: f64 = 1.0 / 16.0;

    /// What was counted so far. Does not block for long.
    pub fn read(&self) -> LiveReading {
        let state = self.lock();
        let mean = state.total.as_secs_f64() / state.written.max(1) as f64;
        LiveReading {
            delay_ms: 1e3 * mean,
            longest_delay_ms: 1e3 * state.longest.as_secs_f64(),
            recent_delay_ms: state.lately_ms,
            dropped: state.dropped,
            reconnects: state.reconnects,
        }
    }

    /// Counts a frame that was dropped; returns how many there are now.
    pub fn drop_frame(&self) -> u64 {
        let mut state = self.lock();
        state.dropped += 1;
        state.dropped
    }

    /// Counts a connection that was opened again.
    pub fn reconnect(&self) {
        self.lock().reconnects += 1;
    }

    /// Notes why the input ended before its own end.
    pub fn lose(&self, why: String) {
        self.lock().loss = Some(why);
    }

    /// Why the input ended before its own end, if it did.
    pub fn loss(&self) -> Option<String> {
        self.lock().loss.clone()
    }

    fn write(&self, delay: Duration) {
        let (mut state, delay_ms) = (self.lock(), 1e3 * delay.as_secs_f64());
        state.lately_ms = match state.written {
            0 => delay_ms,
            _ => state.lately_ms + Self::SHARE * (delay_ms - state.lately_ms),
        };
        state.written += 1;
        state.total += delay;
        state.longest = state.longest.max(delay);
    }

    fn lock(&self) -> MutexGuard<'_, LiveState> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// A frame of a live input on its way to the output.
#[derive(Clone, Debug)]
pub struct LiveMark {
    gauge: Arc<LiveGauge>,
    decoded: Instant,
}

impl LiveMark {
    /// Of a frame that was decoded just now.
    pub fn new(gauge: &Arc<LiveGauge>) -> Self {
        Self { gauge: gauge.clone(), decoded: Instant::now() }
    }

    /// The frame was written just now.
    pub fn written(&self) {
        self.gauge.write(self.decoded.elapsed());
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn delays_are_counted() {
        let gauge = Arc::new(LiveGauge::default());
        assert_eq!(gauge.read(), LiveReading::default());
        gauge.write(Duration::from_millis(10));
        gauge.write(Duration::from_millis(30));
        gauge.reconnect();
        assert_eq!(gauge.drop_frame(), 1);
        let reading = gauge.read();
        assert!((reading.delay_ms - 20.0).abs() < 1e-9 && (reading.longest_delay_ms - 30.0).abs() < 1e-9);
        assert!((reading.recent_delay_ms - 11.25).abs() < 1e-9, "{reading:?}");
        assert_eq!((reading.dropped, reading.reconnects), (1, 1));
        LiveMark::new(&gauge).written();
        assert!(gauge.read().delay_ms < reading.delay_ms);
        gauge.lose("gone".to_owned());
        assert_eq!(gauge.loss().as_deref(), Some("gone"));
    }
}
