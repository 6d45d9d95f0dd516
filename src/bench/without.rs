//! A job without one of its stages, measured: decoding replaced by frames that lie in memory, the filters by none, the output by none.
//! The other stages work together as in the job, so that they contend for cores, memory and the file system as they would.
//!
//! Without filters or output it is the job itself with less typed, so that it chooses its decoder as it then would: without filters
//! there is nothing for a GPU to do, and software decodes. Frames in memory are on the host, also where the GPU has decoded those of
//! the job. Bounded as [`super::alone`] is.

use std::sync::mpsc::{RecvTimeoutError, channel};
use std::sync::{Arc, Mutex, PoisonError};
use std::thread;
use std::time::{Duration, Instant};

use anyhow::{Context, Result};

use super::alone::{Alone, LoopedFrames, MOST, OutputBeside, PASSES, TIME};
use crate::frame::{Attachment, Format, Frame};
use crate::job::{Choice, Encoding, Job, Lineage, Request, TypedCut, open_sink};
use crate::pipeline::Monitor;
use crate::sink::Sink;
use crate::source::CancelToken;

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
        let request = output.map_or(self.plain, OutputBeside::request);
        let (put, sink) = (Arc::<Mutex<Vec<Instant>>>::default(), open_sink(request, &Lineage::of(self.made.clone()))?);
        let sink = StampingSink { sink, put: put.clone() };
        let (input, cut) = ("kept frames".to_owned(), TypedCut::default());
        let job = Job::between(Request { input, cut, ..self.plain.clone() }, Box::new(source), Box::new(sink))?;
        job.run(&Monitor::default())?;
        // The memory of frames is made as each comes for the first time. An encoder has as many frames in hand at both moments.
        let put = put.lock().unwrap_or_else(PoisonError::into_inner);
        let lead = self.kept.len().min(put.len() / 2);
        Ok(match &put[lead..] {
            [began, .., ended] => {
                Alone::of("decode", (put.len() - lead - 1) as u64, ended.duration_since(*began).as_secs_f64())
            }
            _ => None,
        })
    }

    fn filter(&self, output: Option<&OutputBeside>) -> Result<Option<Alone>> {
        let request = output.map_or_else(|| self.without_output(), |output| output.request().clone());
        // Nobody asks for a GPU for nothing.
        let backend = if request.backend == Choice::Cuda { Choice::Auto } else { request.backend };
        let request = Request { chain: Vec::new(), backend, gpus: None, ..request };
        if request.kind().is_plain() {
            // A file that is not compressed takes the place of another as long in each repetition of the job but the first, and the system
            // then takes the other's memory back, which costs time too: this one does not count.
            self.run(&request)?;
        }
        self.repeat("filter", &request)
    }

    fn encode(&self) -> Result<Option<Alone>> {
        self.repeat("encode", &self.without_output())
    }

    fn without_output(&self) -> Request {
        Request { compare: None, encoding: Encoding::default(), output: "null:".to_owned(), ..self.request.clone() }
    }

    /// Runs a job until the time is over.
    fn repeat(&self, stage: &str, request: &Request) -> Result<Option<Alone>> {
        let (mut frames, mut seconds) = (0, 0.0);
        for _ in 0..PASSES {
            let (more, time) = self.run(request)?;
            (frames, seconds) = (frames + more, seconds + time);
            if seconds > TIME.as_secs_f64() {
                break;
            }
        }
        Ok(Alone::of(stage, frames, seconds))
    }

    /// Runs a job to its end or as long as it may take: how many frames it has written, and in how many seconds.
    fn run(&self, request: &Request) -> Result<(u64, f64)> {
        const POLL: Duration = Duration::from_millis(10);
        let end = CancelToken::default();
        let job = Job::open(request.clone(), end.clone())?;
        let (done, is_done) = channel::<()>();
        thread::scope(|scope| {
            scope.spawn(move || {
                let began = Instant::now();
                while is_done.recv_timeout(POLL) == Err(RecvTimeoutError::Timeout) {
                    if self.interrupt.is_cancelled() || began.elapsed() > MOST {
                        end.cancel();
                    }
                }
            });
            let report = job.run(&Monitor::default());
            drop(done);
            report.map(|report| (report.frames, report.seconds))
        })
    }
}

/// Notes when each frame came.
struct StampingSink {
    sink: Box<dyn Sink>,
    put: Arc<Mutex<Vec<Instant>>>,
}

impl Sink for StampingSink {
    fn put(&mut self, frame: Frame) -> Result<()> {
        self.put.lock().unwrap_or_else(PoisonError::into_inner).push(Instant::now());
        self.sink.put(frame)
    }

    fn finish(self: Box<Self>, trailer: Option<Attachment>) -> Result<()> {
        self.sink.finish(trailer)
    }
}
