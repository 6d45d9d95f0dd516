//! A job without one of its stages, measured: decoding replaced by frames that lie in memory, the filters by none, the output by none.
//! The other stages work together as in the job, so that they contend for cores, memory and the file system as they would.
//!
//! Bounded as [`super::alone`] is. Where a GPU decodes, nothing of this is measured: its frames do not come from memory.

use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::{Duration, Instant};

use anyhow::{Context, Result};

use super::alone::{Alone, LoopedFrames, MOST, OutputBeside, PASSES, TIME};
use crate::frame::{Attachment, Format, Frame, Pool};
use crate::job::{Job, Lineage, Reader, Request, TypedCut, open_sink};
use crate::pipeline::Monitor;
use crate::sink::Sink;
use crate::source::{CancelToken, Source};

/// Inputs of the measurement.
pub struct Material<'a> {
    /// The job.
    pub request: &'a Request,
    /// The same without an output.
    pub plain: &'a Request,
    /// Its first frames.
    pub kept: &'a [Frame],
    /// Format of the frames that come out.
    pub made: &'a Arc<Format>,
    /// Stops it.
    pub interrupt: &'a CancelToken,
}

impl Material<'_> {
    /// Rates of the job without `decode`, `filter` and `encode`, where it has the stage.
    ///
    /// # Errors
    /// If the clip cannot be read, filtered or written as before, or it is interrupted.
    pub fn measure(&self) -> Result<Vec<Alone>> {
        let output = OutputBeside::new(self.request)?;
        let mut found = Vec::from_iter(self.decode(output.as_ref()).context("measure the job without decoding")?);
        if !self.plain.chain.is_empty() {
            found.extend(self.filter(output.as_ref()).context("measure the job without filters")?);
        }
        if output.is_some() {
            found.extend(self.encode().context("measure the job without an output")?);
        }
        Ok(found)
    }

    fn decode(&self, output: Option<&OutputBeside>) -> Result<Option<Alone>> {
        let most = output.map_or(u64::MAX, |output| output.most_frames(self.made));
        let source = LoopedFrames::new(self.kept.to_vec(), most, self.interrupt);
        let (frames, took) = self.run(&self.plain.chain, Box::new(source), output, self.made)?;
        Ok(Alone::of("decode", frames, took.as_secs_f64()))
    }

    fn filter(&self, output: Option<&OutputBeside>) -> Result<Option<Alone>> {
        let run = |source: ClipStart| {
            let format = source.format().clone();
            self.run(&[], Box::new(source), output, &format)
        };
        if output.is_some_and(|output| output.request().kind().is_plain()) {
            // A file that is not compressed takes the place of another as long in each repetition of the job but the first, and the system
            // then takes the other's memory back, which costs time too: this one does not count.
            run(ClipStart::open(self.plain, self.interrupt)?)?;
        }
        self.repeat("filter", run)
    }

    fn encode(&self) -> Result<Option<Alone>> {
        self.repeat("encode", |source| self.run(&self.plain.chain, Box::new(source), None, self.made))
    }

    /// Runs over the clip until the time is over.
    fn repeat(&self, stage: &str, run: impl Fn(ClipStart) -> Result<(u64, Duration)>) -> Result<Option<Alone>> {
        let (mut frames, mut took) = (0, Duration::ZERO);
        for _ in 0..PASSES {
            let (more, time) = run(ClipStart::open(self.plain, self.interrupt)?)?;
            (frames, took) = (frames + more, took + time);
            if took > TIME {
                break;
            }
        }
        Ok(Alone::of(stage, frames, took.as_secs_f64()))
    }

    /// Runs a job to its end: how many frames it has written, and how long it took.
    fn run(
        &self,
        chain: &[String],
        source: Box<dyn Source>,
        output: Option<&OutputBeside>,
        format: &Arc<Format>,
    ) -> Result<(u64, Duration)> {
        let request = output.map_or(self.plain, OutputBeside::request);
        let (count, sink) = (Arc::<AtomicU64>::default(), open_sink(request, &Lineage::of(format.clone()))?);
        let sink = CountingSink { sink, count: count.clone() };
        let (chain, input, cut) = (chain.to_vec(), "kept frames".to_owned(), TypedCut::default());
        let request = Request { chain, input, cut, ..self.plain.clone() };
        let job = Job::between(request, source, Box::new(sink))?;
        let began = Instant::now();
        job.run(&Monitor::default())?;
        Ok((count.load(Ordering::Relaxed), began.elapsed()))
    }
}

/// Counts what goes through.
struct CountingSink {
    sink: Box<dyn Sink>,
    count: Arc<AtomicU64>,
}

impl Sink for CountingSink {
    fn put(&mut self, frame: Frame) -> Result<()> {
        self.count.fetch_add(1, Ordering::Relaxed);
        self.sink.put(frame)
    }

    fn finish(self: Box<Self>, trailer: Option<Attachment>) -> Result<()> {
        self.sink.finish(trailer)
    }
}

/// A clip until the time is over.
struct ClipStart {
    reader: Reader,
    format: Arc<Format>,
    interrupt: CancelToken,
    began: Option<Instant>,
}

impl ClipStart {
    fn open(request: &Request, interrupt: &CancelToken) -> Result<Self> {
        let mut reader = Reader::open(request, interrupt)?;
        let format = reader.source().format().clone();
        Ok(Self { reader, format, interrupt: interrupt.clone(), began: None })
    }
}

impl Source for ClipStart {
    fn format(&self) -> &Arc<Format> {
        &self.format
    }

    fn next_frame(&mut self, pool: &Pool) -> Result<Option<Frame>> {
        let began = *self.began.get_or_insert_with(Instant::now);
        if self.interrupt.is_cancelled() || began.elapsed() > MOST {
            return Ok(None);
        }
        self.reader.source().next_frame(pool)
    }

    fn length(&self) -> Option<u64> {
        None
    }
}
