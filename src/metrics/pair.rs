//! Two clips, read side by side and measured frame by frame.

use std::collections::VecDeque;
use std::fs;
use std::sync::mpsc::{self, Receiver, SyncSender};
use std::thread;
use std::time::Instant;

use anyhow::{Context, Result, anyhow, bail};
use log::{Level, info, log_enabled, warn};
use warpreel_metric::{Metric, QualityMeter, QualitySeries};

use super::align;
use crate::backend::{Choice, ChosenMeter};
use crate::frame::{Format, Frame, Pool, Range};
use crate::gauge::Gauge;
use crate::job::{Interrupted, Reader, Request, Usage};
use crate::pipeline::Monitor;
use crate::shell::quoted;
use crate::source::CancelToken;

/// Two clips whose frames have the same planes.
pub struct ClipPair {
    names: [String; 2],
    readers: [Reader; 2],
    interrupt: CancelToken,
    /// What measures: the choice, the number of a GPU, and threads.
    machine: (Choice, usize, usize),
    /// Frames at the beginning of each clip that have no counterpart.
    skipped: [u64; 2],
    is_aligned: bool,
}

/// Frames that a decoder may be ahead of the meter: the two take turns at being the slower one.
const AHEAD: usize = 4;

impl ClipPair {
    /// Relative difference of frame rates below which they are one: containers round them.
    const SAME_RATE: f64 = 5e-4;

    /// Opens the inputs of two requests, the reference first, whose backend, device and threads are those that measure. Blocks while a piped
    /// input has not begun.
    ///
    /// # Errors
    /// As [`crate::job::Job::open`], where inputs are concerned; if both are stdin, or differ in size, pixel format or frame rate.
    pub fn open(requests: [Request; 2], interrupt: &CancelToken) -> Result<Self> {
        let names = [requests[0].input.clone(), requests[1].input.clone()];
        if names == ["-", "-"] {
            bail!(Usage::of(anyhow!("only one clip can be stdin; name the other one")));
        }
        let machine = (requests[0].backend, requests[0].device, requests[0].threads.filter);
        let [a, b] = requests;
        let mut readers = [Reader::open(&a, interrupt)?, Reader::open(&b, interrupt)?];
        let [a, b] = readers.each_mut().map(|reader| reader.source().format().clone());
        check(&names, [&a, &b])?;
        Ok(Self { names, readers, interrupt: interrupt.clone(), machine, skipped: [0, 0], is_aligned: false })
    }

    /// The same, but finds by how many frames one clip begins before the other, and compares the common part.
    ///
    /// # Errors
    /// As [`ClipPair::open`]; if a clip is a pipe, which cannot be read twice, or no two parts are alike.
    pub fn open_aligned(requests: [Request; 2], interrupt: &CancelToken) -> Result<Self> {
        let is_stream = |name: &str| name == "-" || fs::metadata(name).is_ok_and(|found| !found.is_file());
        if let Some(name) = requests.iter().map(|request| &request.input).find(|name| is_stream(name)) {
            bail!(Usage::of(anyhow!("--align reads both clips twice; name a file in place of {name:?}")));
        }
        let again = requests.clone();
        let mut pair = Self::open(requests, interrupt)?;
        let readers = [Reader::open(&again[0], interrupt)?, Reader::open(&again[1], interrupt)?];
        let [a, b] = &pair.names;
        let Some(offset) = align::offset(readers, interrupt)? else {
            bail!("{a:?} and {b:?} are not alike at any offset; name clips of one scene, or cut both with --start");
        };
        let unit = pair.readers[0].source().format().rate.inverse().value().unwrap_or_default();
        let place = |frames: i64| format!("{frames} frames ({:.3} s)", frames as f64 * unit);
        match offset {
            0 => info!("{a:?} and {b:?} begin with the same frame"),
            1.. => info!("{b:?} begins {} before {a:?}", place(offset)),
            _ => info!("{a:?} begins {} before {b:?}", place(-offset)),
        }
        pair.skipped = [(-offset).max(0), offset.max(0)].map(i64::unsigned_abs);
        pair.is_aligned = true;
        Ok(pair)
    }

    /// Number of frames at the beginning of each clip that have no counterpart.
    pub fn skipped(&self) -> [u64; 2] {
        self.skipped
    }

    /// Format of the reference.
    pub fn format(&mut self) -> &Format {
        self.readers[0].source().format()
    }

    /// Number of frames, where that is known or can be estimated.
    pub fn length(&mut self) -> Option<u64> {
        let [a, b] = self.readers.each_mut().map(|reader| reader.source().length());
        a.or(b)
    }

    /// Measures all frames; the monitor counts them. Blocks until the clips end. Where one ends before the other, or a frame cannot be
    /// measured, it cancels the token that the clips were opened with: a reader may wait for a pipe that has no end.
    ///
    /// # Errors
    /// If a clip cannot be read, has no frames, or ends before the other; if a GPU was asked for and cannot be used; [`Interrupted`] if
    /// that was asked for.
    pub fn measure(mut self, metrics: &[Metric], monitor: &Monitor) -> Result<QualitySeries> {
        let format = self.readers[0].source().format().clone();
        let Self { names, readers: [a, b], interrupt, machine: (choice, device, threads), skipped, is_aligned } = self;
        let ChosenMeter { mut meter, name, brief, pool } =
            ChosenMeter::make(choice, device, &format, metrics, threads)?;
        info!("measured by {}", if log_enabled!(Level::Debug) { name } else { brief });
        let mut series = QualitySeries::new(&format, metrics);
        // Whoever looks at the monitor sees one decoder.
        let unwatched = Gauge::new(Instant::now(), None);
        let shorter = thread::scope(|scope| {
            let start = |(reader, gauge)| {
                let (sender, frames) = mpsc::sync_channel(AHEAD);
                let pool = pool.clone();
                let thread = thread::Builder::new().name("decode".into());
                thread
                    .spawn_scoped(scope, move || read(reader, gauge, &pool, &sender))
                    .context("start a decoder thread")?;
                anyhow::Ok(frames)
            };
            monitor.filter.begin();
            let frames = [start((a, &monitor.decode))?, start((b, &unwatched))?];
            let outcome = compare(&frames, skipped, &mut meter, &mut series, monitor);
            if interrupt.is_cancelled() {
                bail!(Interrupted);
            }
            if !matches!(outcome, Ok(None)) {
                // A pipe may have no end, and its frames are not wanted any more.
                interrupt.cancel();
            }
            outcome
        })?;
        let count = series.rows().len();
        match shorter {
            Some(shorter) if !is_aligned => return Err(uneven(&names, count, shorter)),
            Some(shorter) if count > 0 => info!("{:?} ends after {count} compared frames", names[shorter]),
            _ => {}
        }
        if series.rows().is_empty() {
            bail!("{:?} and {:?} have no frames to compare", names[0], names[1]);
        }
        series.end(meter.of_clip());
        Ok(series)
    }
}

/// Measures frames in pairs, after so many of each clip. Returns the number of the clip that ends before the other.
fn compare(
    frames: &[Receiver<Result<Option<Frame>>>; 2],
    skipped: [u64; 2],
    meter: &mut QualityMeter,
    series: &mut QualitySeries,
    monitor: &Monitor,
) -> Result<Option<usize>> {
    for (frames, count) in frames.iter().zip(skipped) {
        for _ in 0..count {
            monitor.filter.starved(|| next(frames))?;
        }
    }
    // References of the pairs that are under way.
    let mut waiting = VecDeque::new();
    let mut settle = |meter: &mut QualityMeter, reference: Frame| {
        let scores = monitor.filter.busy("measure", reference.timing.number, || meter.finish())?;
        series.push(&reference, &scores);
        monitor.encode.count();
        anyhow::Ok(())
    };
    let shorter = loop {
        let [a, b] = [0, 1].map(|clip: usize| monitor.filter.starved(|| next(&frames[clip])));
        match (a?, b?) {
            (Some(a), Some(b)) => {
                monitor.filter.busy("measure", a.timing.number, || meter.start(&a, &b))?;
                waiting.push_back(a);
            }
            (None, None) => break None,
            (a, _) => break Some(usize::from(a.is_some())),
        }
        if waiting.len() >= meter.in_flight()
            && let Some(reference) = waiting.pop_front()
        {
            settle(meter, reference)?;
        }
    };
    waiting.into_iter().try_for_each(|reference| settle(meter, reference))?;
    Ok(shorter)
}

/// Reads a clip into memory of a pool, to its end or until nobody listens.
fn read(mut reader: Reader, gauge: &Gauge, pool: &Pool, to: &SyncSender<Result<Option<Frame>>>) {
    gauge.begin();
    for number in 0.. {
        let frame = gauge.busy("decode", number, || reader.source().next_frame(pool));
        let is_last = !matches!(frame, Ok(Some(_)));
        let is_heard = gauge.blocked(|| to.send(frame).is_ok());
        if !is_heard || is_last {
            return;
        }
    }
}

/// The next frame of a clip, or `None` at its end.
fn next(frames: &Receiver<Result<Option<Frame>>>) -> Result<Option<Frame>> {
    frames.recv().unwrap_or_else(|_| Err(anyhow!("a decoder thread exited unexpectedly")))
}

/// Checks that frames of the clips can be compared.
fn check(names: &[String; 2], [a, b]: [&Format; 2]) -> Result<()> {
    let [first, second] = names.each_ref().map(|name| quoted(name));
    // What brings the second clip to the format of the first.
    let through = |chain: &str| format!("type warpreel {second} - -f {chain} | warpreel metrics {first} -");
    if (a.width, a.height) != (b.width, b.height) {
        let advice = through(&format!("scale={}:{}", a.width, a.height));
        bail!("{first} has frames of {}x{} and {second} of {}x{}; {advice}", a.width, a.height, b.width, b.height);
    }
    if a.pixel != b.pixel {
        let (own, other) = (a.pixel.name(), b.pixel.name());
        bail!(
            "{first} has {own} frames and {second} {other} frames; type \
             ffmpeg -i {second} -pix_fmt {own} -strict -1 -f yuv4mpegpipe - | warpreel metrics {first} -"
        );
    }
    let ratio = a.rate.value().zip(b.rate.value()).map_or(1.0, |(own, other)| own / other);
    if (ratio - 1.0).abs() > ClipPair::SAME_RATE {
        let advice = through(&format!("fps={}", a.rate));
        bail!("{first} has {} fps and {second} {} fps; {advice}", a.rate, b.rate);
    }
    let is_tagged = [a, b].iter().all(|format| format.colour.range != Range::Unspecified);
    if is_tagged && a.range() != b.range() {
        warn!("{first} and {second} have different ranges, full and limited: equal pictures have different samples");
    }
    Ok(())
}

/// The error where a clip ends before the other.
fn uneven(names: &[String; 2], frames: usize, shorter: usize) -> anyhow::Error {
    let [ended, other] = [&names[shorter], &names[1 - shorter]];
    if frames == 0 {
        return anyhow!("{ended:?} has no frames, and {other:?} has; name two clips of one length");
    }
    anyhow!(
        "{ended:?} ends after {frames} frames, and {other:?} does not; compare the common part with --frames {frames}, or \
         find where they meet with --align"
    )
}
