//! What the GPU did when: the time of every copy and every pass, from events, for `--trace` and `bench`.
//!
//! The ends of all work have events anyway. A start has one only where a stream is empty: work that is queued behind
//! other work starts when that ends, so that a GPU that is busy gets no events for the sake of being measured. To ask the
//! driver for a time takes four microseconds; so times are read at the end, or when very many have gathered.

use std::collections::VecDeque;
use std::sync::Arc;
use std::time::Instant;

use anyhow::Result;

use super::stream::{Event, StreamRole, Streams};
use crate::backend::DeviceSpan;

/// What stands for a pass where images are measured.
pub(super) const MEASURE: usize = usize::MAX;

/// When a piece of work starts: at the latest of these.
pub(super) struct WorkStart {
    /// An event of its own, in a stream that was empty.
    begun: Option<Arc<Event>>,
    /// Whether work was left before it in its stream.
    queued: bool,
    /// The event of another stream that it waits for, unless that was done.
    after: Option<Arc<Event>>,
}

struct Open {
    frame: u64,
    pass: usize,
    start: WorkStart,
    end: Arc<Event>,
}

struct Done {
    frame: u64,
    pass: usize,
    stream: StreamRole,
    start_ms: f64,
    end_ms: f64,
}

/// Spans that are being measured.
pub(super) struct DeviceTrace {
    /// The host's time at which the GPU's clock of the spans starts.
    pub(super) started: Instant,
    /// An event that times are measured from, and its own time.
    zero: (Arc<Event>, f64),
    /// Work whose times were not read yet, in the order in which it was started.
    open: VecDeque<Open>,
    /// The end of the latest work of each stream.
    last: [Option<Arc<Event>>; 3],
    /// The end of the latest work of each stream whose times were read.
    ended_ms: [f64; 3],
    done: Vec<Done>,
}

fn index(stream: StreamRole) -> usize {
    match stream {
        StreamRole::Upload => 0,
        StreamRole::Compute => 1,
        StreamRole::Download => 2,
    }
}

impl DeviceTrace {
    /// The driver tells times as `f32`, in milliseconds: over a second they are exact to 0.06 µs, over a minute to 4 µs.
    const SPAN_MS: f64 = 1000.0;
    /// How much work may wait for its times to be read, which bounds the events that there are.
    const UNREAD: usize = 1 << 16;

    /// Starts the clock. Blocks until the GPU has answered.
    pub(super) fn new(streams: &Streams) -> Result<Self> {
        let zero = streams.record(StreamRole::Compute)?;
        // Awake: the two clocks differ by what it takes to notice.
        while !zero.is_done()? {
            std::hint::spin_loop();
        }
        let (open, last, ended_ms, done) = (VecDeque::new(), [None, None, None], [0.0; 3], Vec::new());
        Ok(Self { started: Instant::now(), zero: (zero, 0.0), open, last, ended_ms, done })
    }

    /// When the next work in a stream will start. `after` is the event of another stream that it waits for.
    pub(super) fn begin(&self, streams: &Streams, stream: StreamRole, after: Option<&Arc<Event>>) -> Result<WorkStart> {
        let queued = match &self.last[index(stream)] {
            Some(last) => !last.is_done()?,
            None => false,
        };
        let after = match after {
            Some(after) if after.stream != stream && !after.is_done()? => Some(after.clone()),
            _ => None,
        };
        let begun = if queued || after.is_some() { None } else { Some(streams.record(stream)?) };
        Ok(WorkStart { begun, queued, after })
    }

    /// Notes a piece of work that ends at an event: a pass, or a copy in the other streams. Where very many are noted, the
    /// times of one are read.
    pub(super) fn add(&mut self, frame: u64, pass: usize, start: WorkStart, end: Arc<Event>) -> Result<()> {
        self.last[index(end.stream)] = Some(end.clone());
        self.open.push_back(Open { frame, pass, start, end });
        if self.open.len() > Self::UNREAD { self.collect_one().map(drop) } else { Ok(()) }
    }

    /// Reads the times of what is done. Does not block.
    pub(super) fn collect(&mut self) -> Result<()> {
        while self.collect_one()? {}
        Ok(())
    }

    /// Reads the times of the oldest piece of work, so that its events can be used again; false if it is not done, or there
    /// is none. Does not block.
    fn collect_one(&mut self) -> Result<bool> {
        let Some(Open { frame, pass, start, end }) = self.open.front() else { return Ok(false) };
        let zero = &self.zero;
        let Some(end_ms) = end.ms_since_if_done(&zero.0)? else { return Ok(false) };
        let (end_ms, stream) = (zero.1 + end_ms, index(end.stream));
        // Everything that the work waited for is done too, and where it was started earlier, read.
        let mut start_ms = if start.queued { self.ended_ms[stream] } else { f64::NEG_INFINITY };
        for event in [&start.begun, &start.after].into_iter().flatten() {
            start_ms = start_ms.max(match event.done_ms.get() {
                Some(done_ms) => *done_ms,
                None => zero.1 + event.ms_since(&zero.0)?,
            });
        }
        end.done_ms.get_or_init(|| end_ms);
        self.ended_ms[stream] = end_ms;
        self.done.push(Done { frame: *frame, pass: *pass, stream: end.stream, start_ms: start_ms.min(end_ms), end_ms });
        if end_ms > zero.1 + Self::SPAN_MS {
            self.zero = (end.clone(), end_ms);
        }
        self.open.pop_front();
        Ok(true)
    }

    /// The spans read so far, each given once. `name` gives those of the passes.
    pub(super) fn take<'a>(&mut self, name: impl Fn(usize) -> Option<&'a str>) -> Vec<DeviceSpan> {
        let span = |Done { frame, pass, stream, start_ms, end_ms }| {
            let (stream, name) = match stream {
                StreamRole::Upload => ("upload", "upload"),
                StreamRole::Compute => ("compute", name(pass).unwrap_or("measure")),
                StreamRole::Download => ("download", "download"),
            };
            DeviceSpan { frame, name: name.to_owned(), stream, start_ms, end_ms }
        };
        self.done.drain(..).map(span).collect()
    }
}
