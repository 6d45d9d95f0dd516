//! Jobs: opened, asked what they are, and run.

use std::sync::Arc;

use anyhow::{Result, bail};

use super::backend::ChosenBackend;
use super::chain::filters;
use super::chunk::Chunk;
use super::decoding::ChosenDecoder;
use super::due::ChunkJob;
use super::encoding::EncoderPlace;
use super::feed::ChunkQueue;
use super::field::FieldPlan;
use super::interrupted::Interrupted;
use super::junction::{Joint, Junction};
use super::material::{JobInput, OwnInput};
use super::opening::Opening;
use super::output::{Begun, Errand};
use super::record::ChunkRecord;
use super::rejoined::Rejoined;
use super::request::{Choice, DecoderChoice, Request};
use super::scored::RunScores;
use super::shape::ChunkFormat;
use super::shot::Shots;
use super::strength;
use super::vectors::VectorFiles;
use super::{chunk, input, network, output, second};
use crate::backend::cuda::{Delivery, Device};
use crate::filter::Filter;
use crate::frame::{DecodingDevice, Format, Rational};
use crate::plan::Plan;
use crate::sink::container::Feed;
use crate::sink::fate::StreamFate;
use crate::sink::{Sealed, Sink};
use crate::source::{CancelToken, Source};

/// Everything open and ready to run.
pub struct Job {
    pub(super) request: Request,
    pub(super) input: JobInput,
    pub(super) decoder: ChosenDecoder,
    pub(super) plan: Plan,
    pub(super) machine: ChosenBackend,
    pub(super) output: Begun,
    pub(super) chunk: Option<ChunkJob>,
    pub(super) interrupt: CancelToken,
    /// Those of other videos that go into the same output.
    pub(super) extras: Vec<Self>,
    /// Values of metrics, if some are wanted.
    pub(super) scores: Option<RunScores>,
}

impl Job {
    /// Begins to open the GPU, opens the input, plans the chain, chooses the backend, and starts the output, in this
    /// order; so nothing is written before all else is known to work. Blocks while a piped input has not begun.
    ///
    /// ```
    /// use warpreel::job::{Choice, Job, Request};
    /// use warpreel::pipeline::Monitor;
    ///
    /// let request = Request {
    ///     input: "samples/ten-bit.mp4".to_owned(),
    ///     output: "null:".to_owned(),
    ///     chain: vec!["tmix=3,gaussian=1".to_owned()],
    ///     backend: Choice::Cpu,
    ///     ..Request::default()
    /// };
    /// let report = Job::open(request, Default::default())?.run(&Monitor::default())?;
    /// println!("{}", report.summary());
    /// # anyhow::Ok(())
    /// ```
    ///
    /// # Errors
    /// Whatever cannot be read, parsed, planned, found or written; [`super::Usage`] where no other input would help, and
    /// [`super::Interrupted`] if `interrupt` was set before the input was open.
    pub fn open(request: Request, interrupt: CancelToken) -> Result<Self> {
        Self::begin(request, interrupt, Errand::Run, None)
    }

    /// The same for a clip whose pictures come from chunks that were filtered elsewhere, of which the last may still be made.
    /// Blocks until the first is there.
    ///
    /// # Errors
    /// As [`Job::open`].
    pub fn join(request: Request, chunks: ChunkQueue, interrupt: CancelToken) -> Result<Self> {
        Self::begin(request, interrupt, Errand::Run, Some(chunks))
    }

    /// A job that would do the same and writes nothing, and what would keep the output from being begun.
    ///
    /// # Errors
    /// As [`Job::open`].
    pub(super) fn dry_run(request: Request, interrupt: CancelToken) -> Result<(Self, Option<String>)> {
        let obstacle = output::obstacle(&request);
        Ok((Self::begin(request, interrupt, Errand::DryRun, None)?, obstacle))
    }

    fn begin(request: Request, interrupt: CancelToken, errand: Errand, chunks: Option<ChunkQueue>) -> Result<Self> {
        let mut request = request;
        if request.decoder == DecoderChoice::Nvdec && request.backend == Choice::Auto {
            // Frames come to lie on the GPU, also where nothing is done to them.
            request.backend = Choice::Cuda;
        }
        let filters = filters(&request)?;
        let mut request = second::ended_request(request, &filters, &interrupt)?;
        network::check(&request)?;
        output::check(&request)?;
        chunk::check_together(&request, &filters, chunks.is_some())?;
        Self::check_extras(&request, chunks.is_some() || request.chunks_from.is_some())?;
        let mut opening = Opening::for_chain(&request, &filters);
        let early = ChosenDecoder::early(&request, &filters, opening.as_mut())?;
        let device = early.clone().map(|device| device as Arc<dyn DecodingDevice>);
        let (mut source, source_info) = input::open_once(&request, &interrupt, device)?;
        let chosen = request.chunk.map(|chosen| chunk::settle(chosen, source.as_mut(), &request.input)).transpose()?;
        if chosen.is_some() && interrupt.is_cancelled() {
            bail!(Interrupted);
        }
        let mut record = None;
        if let Some(chosen) = &chosen {
            request.encoding.wishes = chunk::alone();
            let plan = FieldPlan::of(&filters, source.format(), &request)?.plan;
            let frames = ChunkFormat::of(plan.format(), &plan.output());
            let own = ChunkRecord::of(&request, &filters, chosen.place(), frames)?;
            request.encoding.comment = Some(own.text()?);
            record = Some(own);
        }
        let chunks = match &request.chunks_from {
            Some(pattern) => Some(ChunkQueue::find(pattern, &request, &interrupt)?),
            None => chunks,
        };
        let (chunks, passage) = match chunks {
            Some(chunks) if request.passes_packets() => (None, Some(chunks.passage(source.format(), &interrupt)?)),
            chunks => (chunks, None),
        };
        let (passage, passed) = passage.unzip();
        let (extras, videos) = Self::extras(&request, &filters, &source_info, &interrupt)?.into_iter().unzip();
        let create = |request: &Request, source: &dyn Source, joint, feed| {
            let feed = passage.map_or(feed, |passage| Feed::Passage(Box::new(passage)));
            output::create(request, source, joint, source_info, (feed, videos), errand)
        };
        let job = Self::assemble(
            request,
            &filters,
            source,
            opening,
            Some(OwnInput { interrupt: &interrupt, chunks, passed, early }),
            create,
        )?;
        let job = Self { interrupt, extras, ..job };
        Ok(match chosen {
            Some(chosen) => {
                let chunk = chosen.told(&job.plan);
                job.in_chunk(chunk, record)
            }
            None => job,
        })
    }

    /// A job whose frames a program makes; the request's input is only a name. A source that makes frames on the GPU has
    /// asked `opening` for it, which [`Opening::start`] gave for the same request. Such frames are not measured: a filter
    /// whose strength is `auto` has its medium strength.
    ///
    /// # Errors
    /// Whatever cannot be parsed, planned, found or written; [`super::Usage`] where no other input would help.
    pub fn from_source(request: Request, source: Box<dyn Source>, opening: Option<Opening>) -> Result<Self> {
        let filters = filters(&request)?;
        second::check_no_end(&filters)?;
        output::check(&request)?;
        let create = |request: &Request, source: &dyn Source, joint, feed| {
            output::create(request, source, joint, None, (feed, Vec::new()), Errand::Run)
        };
        Self::assemble(request, &filters, source, opening, None, create)
    }

    /// A job between a source and a sink that are there already; the request's input and output are only names. As with
    /// [`Job::from_source`] frames are not measured.
    ///
    /// # Errors
    /// Whatever cannot be parsed, planned or found.
    pub fn between(request: Request, source: Box<dyn Source>, sink: Box<dyn Sink>) -> Result<Self> {
        let filters = filters(&request)?;
        second::check_no_end(&filters)?;
        let opening = Opening::for_chain(&request, &filters);
        let join = |_: &Request, _: &dyn Source, joint: Joint, _| {
            Ok(Begun { sink: joint.join(sink), streams: Vec::new(), encoder: None, reads_device: false })
        };
        Self::assemble(request, &filters, source, opening, None, join)
    }

    /// Plans, chooses, and makes the sink last. With `own`, what stops a source that the job has opened itself, the chain is
    /// made to suit the clip first, and pictures may come from chunks.
    pub(super) fn assemble(
        request: Request,
        filters: &[Filter],
        source: Box<dyn Source>,
        opening: Option<Opening>,
        own: Option<OwnInput<'_>>,
        create: impl FnOnce(&Request, &dyn Source, Joint, Feed) -> Result<Begun>,
    ) -> Result<Self> {
        let (junction, mut source) = Junction::new(&request, source);
        let (mut heard, mut early, mut typed, mut passed) = (None, None, None, None);
        if let Some(own) = own {
            typed = strength::typed(filters).filter(|_| own.chunks.is_none()).map(|filter| (filter, own.interrupt));
            if let Some(chunks) = own.chunks {
                source = Box::new(Rejoined::new(source, chunks, &request, own.interrupt)?);
            }
            (heard, early, passed) = (Some(own.interrupt), own.early, own.passed);
        }
        // Where the chain is to suit the clip, one of medium strength stands for it: it looks at as many frames.
        let medium = FieldPlan::of(filters, source.format(), &request)?;
        medium.tell(filters, &request);
        if request.chunk.is_some() {
            chunk::check(&medium.plan)?;
        }
        source.widen(medium.margin(filters, &request)?);
        let (input, planned, machine, decoder) = match heard.filter(|_| Shots::are_wanted(filters)) {
            None => {
                let machine = ChosenBackend::choose(&request, &medium, opening)?;
                let decoder = ChosenDecoder::choose(&request, filters, source.as_mut(), machine.device(), early)?;
                let (source, remark) = match typed {
                    Some((filter, interrupt)) => {
                        strength::measured(source, filter, &request, interrupt, decoder.is_on_device())
                    }
                    None => (source, None),
                };
                (JobInput::Plain(source), medium.remarked(remark), machine, decoder)
            }
            Some(interrupt) => {
                let decoder = ChosenDecoder::choose(&request, filters, source.as_mut(), None, None)?;
                let shots = Shots::of_request(&request, source, filters, interrupt)?;
                let remark = typed.and_then(|(filter, _)| shots.remark(filter));
                let planned = FieldPlan::of(shots.chain(), shots.format(), &request)?.remarked(remark);
                // A clip that begins clean may need a machine later on.
                let machine = match planned.plan.steps().is_empty() {
                    false => ChosenBackend::choose(&request, &planned, opening)?,
                    true => ChosenBackend::choose(&request, &medium, opening)?.another(&request, &planned)?,
                };
                (JobInput::Shots(Box::new(shots)), planned, machine, decoder)
            }
        };
        second::check(&planned.plan)?;
        let vectors = VectorFiles::of(&request, &planned.plan)?;
        let place = EncoderPlace::choose(&request, &machine, &vectors);
        let (joint, scoring) = junction.to(&request, &passed.unwrap_or_else(|| planned.plan.output()))?;
        let begun = create(&request, input.source(), joint, place.feed())?;
        place.tell(&begun);
        let machine = if begun.reads_device { machine.delivering(Delivery::Device) } else { machine };
        let (sink, scores) = scoring.join(vectors.join(begun.sink, &request), &request)?;
        let output = Begun { sink, ..begun };
        decoder.log(&request, machine.devices().is_empty());
        let (plan, interrupt) = (planned.plan, CancelToken::default());
        Ok(Self { request, input, decoder, plan, machine, output, chunk: None, interrupt, extras: Vec::new(), scores })
    }

    /// The same with an output that counts its frames and adds them up.
    fn in_chunk(self, chunk: Chunk, record: Option<ChunkRecord>) -> Self {
        let due = chunk::due(&chunk, &self.plan, &self.request);
        let sealed = Sealed::new(self.output.sink, due);
        let sum = sealed.sum();
        let output = Begun { sink: Box::new(sealed), ..self.output };
        Self { output, chunk: Some(ChunkJob { chunk, record, sum }), ..self }
    }

    /// The chunk of the clip that is filtered, if not all of it is.
    pub fn chunk(&self) -> Option<&Chunk> {
        self.chunk.as_ref().map(|job| &job.chunk)
    }

    /// What was asked for.
    pub fn request(&self) -> &Request {
        &self.request
    }

    /// What becomes of each stream of the input, of its chapters and tags.
    pub fn streams(&self) -> &[StreamFate] {
        &self.output.streams
    }

    /// The encoder of the output by FFmpeg's name, where a film is encoded.
    pub fn encoder(&self) -> Option<&str> {
        self.output.encoder.as_deref()
    }

    /// What will be done.
    pub fn plan(&self) -> &Plan {
        &self.plan
    }

    /// The GPU that filters, if one does; the first of several.
    pub fn device(&self) -> Option<&Device> {
        self.machine.device()
    }

    /// The numbers of all GPUs that filter.
    pub fn gpus(&self) -> Vec<usize> {
        self.machine.devices().iter().map(|device| device.ordinal).collect()
    }

    /// How many frames may be under way beyond what one GPU has, where several share the clip; else 0.
    pub fn shared_frames(&self) -> usize {
        self.machine.room(&self.plan)
    }

    /// What the clip is.
    pub fn format(&self) -> &Arc<Format> {
        self.input.source().format()
    }

    /// The clip's format in words; of a single picture without a rate.
    pub fn clip(&self) -> String {
        let format = self.format().as_ref();
        match self.length() {
            Some(1) => Format { rate: Rational::new(0, 1), ..format.clone() }.to_string(),
            _ => format.to_string(),
        }
    }

    /// Whether the input's samples come as they are, not compressed.
    pub fn is_plain(&self) -> bool {
        self.input.source().is_plain()
    }

    /// How many frames come out, where that is known or can be estimated.
    pub fn length(&self) -> Option<u64> {
        Some(self.plan.length(self.input.source().length()?))
    }

    /// How noisy the clip begins, and what a filter of strength `auto` stands for there, if the chain has one.
    pub fn noise(&self) -> Option<String> {
        match &self.input {
            JobInput::Plain(_) => None,
            JobInput::Shots(shots) => shots.finding(),
        }
    }

    /// Who filters, and why: `cpu, 8 threads, avx2 (no CUDA driver: …)`.
    pub fn backend(&self) -> &str {
        &self.machine.name
    }

    /// Who filters, the reason in four words at the most: `cpu, 8 threads, avx2 (no GPU; see -v)`.
    pub fn brief_backend(&self) -> &str {
        &self.machine.brief
    }

    /// What decodes, and why: `nvdec, 7 lanes`, `software (nothing is filtered)`; `None` where frames are not coded.
    pub fn decoder(&self) -> Option<&str> {
        self.decoder.name.as_deref()
    }
}
