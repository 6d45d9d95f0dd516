//! Several decoders of one file, and their pictures in order.
//!
//! One thread reads the packets ahead and cuts the stream into segments; each decoder has its own thread and its own view of
//! the file, and takes the next segment when it is done with one. Frames wait in the order of the segments, so many at most
//! as the budget says.

use std::path::Path;
use std::sync::mpsc::{Receiver, SyncSender, channel, sync_channel};
use std::sync::{Arc, Mutex, PoisonError};
use std::thread::{self, JoinHandle};
use std::time::Instant;

use anyhow::{Context, Error, Result, anyhow};

use super::lane::{DecoderGauges, LaneEvent, LaneStream, LaneTask};
use super::path::open_path;
use super::segment::Segmenter;
use crate::gauge::{Doing, Gauge, NO_FRAME};
use crate::libav::packet::Packet;

/// Decoders at work, and what comes of it.
pub(super) struct ParallelDecoder {
    stream: Arc<LaneStream>,
    /// The events of each segment, in order; `None` once nobody wants them.
    segments: Option<Receiver<Receiver<LaneEvent>>>,
    current: Option<Receiver<LaneEvent>>,
    /// Of the segment that is read.
    number: u64,
    threads: Vec<JoinHandle<()>>,
}

impl ParallelDecoder {
    /// Packets of a segment at least: where key frames stand closer, each segment has several. At its end a decoder makes
    /// some pictures in vain, those that are decoded before the last of it is shown.
    const LEAST_PACKETS: u64 = 96;

    /// Starts `lanes` decoders of a stream, from the key frame at or before `landing` on, or from its beginning. Each tells the
    /// gauge of its number what it does, if there is one.
    ///
    /// # Errors
    /// If the system gives no thread.
    pub fn start(stream: LaneStream, lanes: usize, landing: Option<i64>, gauges: &DecoderGauges) -> Result<Self> {
        let stream = Arc::new(stream);
        let ahead = 2 * lanes.max(1);
        let (order, segments) = sync_channel(ahead);
        let (give, tasks) = sync_channel(ahead);
        let tasks = Arc::new(Mutex::new(tasks));
        let mut threads = Vec::new();
        let path = stream.path.clone();
        let video = stream.video;
        let cut = move || {
            if let Err(error) = cut(&path, video, landing, &give, &order) {
                let (sender, events) = channel();
                // Nobody listens who is gone.
                let _ = sender.send(LaneEvent::Failed(error));
                let _ = order.send(events);
            }
        };
        threads.push(thread::Builder::new().name("segment".into()).spawn(cut).context("start a thread")?);
        for lane in 0..lanes.max(1) {
            let (stream, tasks) = (stream.clone(), tasks.clone());
            let gauges = gauges.clone();
            let work = move || {
                let mut kept = None;
                let unread = Gauge::new(Instant::now(), None);
                loop {
                    let task: Result<LaneTask, _> = tasks.lock().unwrap_or_else(PoisonError::into_inner).recv();
                    let Ok(task) = task else { return };
                    // What waits in the queue would open a decoder and decode a picture before it is heard that nobody wants it.
                    if stream.budget.is_closed() {
                        return;
                    }
                    let gauge = gauges.get().and_then(|gauges| gauges.get(lane)).map_or(&unread, |gauge| gauge);
                    gauge.tell(Doing::Starved, "starved", NO_FRAME);
                    stream.work(&mut kept, &task, gauge);
                }
            };
            threads.push(thread::Builder::new().name(format!("lane {lane}")).spawn(work).context("start a thread")?);
        }
        Ok(Self { stream, segments: Some(segments), current: None, number: 0, threads })
    }

    /// What comes next; `None` behind the last. Blocks until it is there.
    pub fn next(&mut self) -> Option<LaneEvent> {
        loop {
            if let Some(current) = &self.current {
                match current.recv() {
                    Ok(LaneEvent::End) => {
                        self.current = None;
                        self.number += 1;
                        self.stream.budget.advance(self.number);
                    }
                    Ok(event) => {
                        if matches!(event, LaneEvent::Picture(_)) {
                            self.stream.budget.give_back();
                        }
                        return Some(event);
                    }
                    Err(_) => return Some(LaneEvent::Failed(stopped())),
                }
            } else {
                self.current = Some(self.segments.as_ref()?.recv().ok()?);
            }
        }
    }
}

impl Drop for ParallelDecoder {
    fn drop(&mut self) {
        self.stream.budget.close();
        (self.current, self.segments) = (None, None);
        for thread in self.threads.drain(..) {
            // A panic was told as a failure.
            let _ = thread.join();
        }
    }
}

fn stopped() -> Error {
    anyhow!("a decoder thread exited unexpectedly")
}

/// Reads the packets of a file, and gives the segments to whoever decodes them.
fn cut(
    path: &Path,
    video: usize,
    landing: Option<i64>,
    give: &SyncSender<LaneTask>,
    order: &SyncSender<Receiver<LaneEvent>>,
) -> Result<()> {
    let mut input = open_path(path).with_context(|| format!("open {path:?} once more"))?;
    let mut packet = Packet::new();
    let (mut segmenter, mut decoded) = (None, None);
    if let Some(landing) = landing {
        input.seek(video, landing)?;
    } else {
        segmenter = Some(Segmenter::new(None, ParallelDecoder::LEAST_PACKETS));
    }
    let mut number = 0;
    let mut send = |segment| {
        let (events, receiver) = channel();
        let is_wanted = give.send(LaneTask { number, segment, events }).is_ok() && order.send(receiver).is_ok();
        number += 1;
        is_wanted
    };
    while input.read_of(video, &mut packet) {
        let (pts, is_key) = (packet.pts(), packet.is_key());
        let is_earlier = packet.dts().is_some_and(|dts| Some(dts) < decoded);
        decoded = packet.dts().or(decoded);
        let Some(segmenter) = &mut segmenter else {
            // Nothing can be decoded before the first key frame; where that has no time, all is decoded.
            if is_key {
                let mut first = Segmenter::new(pts, ParallelDecoder::LEAST_PACKETS);
                first.packet(pts, true);
                segmenter = Some(first);
            }
            continue;
        };
        if is_earlier {
            segmenter.close();
        }
        if let Some(segment) = segmenter.packet(pts, is_key)
            && !send(segment)
        {
            return Ok(());
        }
    }
    if let Some(segmenter) = segmenter {
        send(segmenter.end());
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use std::sync::OnceLock;
    use std::sync::atomic::{AtomicU64, Ordering};
    use std::sync::mpsc::Sender;

    use anyhow::bail;

    use super::super::budget::FrameBudget;
    use super::*;
    use crate::frame::{DecodingDevice, DecodingLane, Format, Pixel, Pool, Rational};

    /// A device that refuses every decoder, the first of them not before it may.
    struct RefusingDevice {
        asked: AtomicU64,
        first: Sender<()>,
        may: Mutex<Receiver<()>>,
    }

    impl DecodingDevice for RefusingDevice {
        fn lane(&self) -> Result<Box<dyn DecodingLane>> {
            if self.asked.fetch_add(1, Ordering::SeqCst) == 0 {
                self.first.send(())?;
                self.may.lock().unwrap_or_else(PoisonError::into_inner).recv()?;
            }
            bail!("refused")
        }

        fn room_bytes(&self) -> usize {
            0
        }
    }

    #[test]
    fn no_decoder_is_opened_for_what_nobody_wants() -> Result<()> {
        let (first, asked) = channel();
        let (go, may) = channel();
        let device = Arc::new(RefusingDevice { asked: AtomicU64::new(0), first, may: Mutex::new(may) });
        // Each frame is a key frame, so that there are three segments.
        let folder = tempfile::tempdir()?;
        let path = folder.path().join("clip.y4m");
        let frame = [b"FRAME\n".as_slice(), &[0; 16 * 16 * 3 / 2]].concat();
        let count = 3 * ParallelDecoder::LEAST_PACKETS as usize;
        std::fs::write(&path, [b"YUV4MPEG2 W16 H16 F25:1 C420jpeg\n".to_vec(), frame.repeat(count)].concat())?;
        let stream = LaneStream {
            path,
            video: 0,
            format: Arc::new(Format::new(Pixel::yuv420p(8), 16, 16, Rational::new(25, 1))),
            pool: Pool::heap(),
            device: Some(device.clone()),
            threads: 1,
            budget: FrameBudget::new(8),
            refusals: AtomicU64::new(0),
        };
        let decoder = ParallelDecoder::start(stream, 1, None, &Arc::new(OnceLock::new()))?;
        asked.recv()?;
        let stream = decoder.stream.clone();
        let dropped = thread::spawn(move || drop(decoder));
        while !stream.budget.is_closed() {
            thread::yield_now();
        }
        go.send(())?;
        dropped.join().expect("decoders end");
        assert_eq!(device.asked.load(Ordering::SeqCst), 1, "segments that wait are left");
        Ok(())
    }
}
