//! What a job would do, found out by opening all of it but the output.

use std::fmt;

use anyhow::Result;
use serde::Serialize;

use super::backend::when_lost;
use super::chunk::Chunk;
use super::open::Job;
use super::request::Request;
use crate::pipeline::Sharing;
use crate::plan::{Explanation, Plan, Roofline, paragraph};
use crate::sink::fate::StreamFate;
use crate::source::CancelToken;

/// What a job would do.
#[derive(Clone, Debug, Serialize)]
pub struct DryRun {
    /// As typed.
    pub input: String,
    /// As typed.
    pub output: String,
    /// How many frames, where that is known or can be estimated.
    pub frames: Option<u64>,
    /// Who would filter, and why.
    pub backend: String,
    /// The encoder by FFmpeg's name, where a film would be encoded.
    pub encoder: Option<String>,
    /// What would become of each stream, and of chapters and tags.
    pub streams: Vec<StreamFate>,
    /// How before and after would become one picture, if they would.
    pub compare: Option<String>,
    /// How noisy the clip is, and what that makes of a filter whose strength is `auto`, if the chain has one.
    pub noise: Option<String>,
    /// How the clip would be shared out, where several GPUs are asked for.
    pub sharing: Option<String>,
    /// Which chunk of the clip it would be, if not all of it.
    pub chunk: Option<Chunk>,
    /// Why the output could not be begun as things are: it exists, for instance.
    pub obstacle: Option<String>,
    /// What the chain becomes.
    #[serde(flatten)]
    pub plan: Explanation,
}

/// What a chain becomes for a clip that goes nowhere.
#[derive(Clone, Debug, Serialize)]
pub struct Prospect {
    /// As [`DryRun::noise`].
    pub noise: Option<String>,
    /// As [`DryRun::sharing`].
    pub sharing: Option<String>,
    /// The chunks that were asked for: one, or all.
    pub chunks: Vec<Chunk>,
    /// What the chain becomes.
    #[serde(flatten)]
    pub plan: Explanation,
}

/// How a clip is shared out for a plan, where a request asks for several GPUs.
pub fn sharing(request: &Request, plan: &Plan) -> Option<String> {
    let how = Sharing::of(plan, when_lost(request));
    request.gpus.as_ref().map(|_| how.describe(plan))
}

impl fmt::Display for Prospect {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if let Some(noise) = &self.noise {
            writeln!(f, "{}\n", paragraph("", noise))?;
        }
        if let Some(sharing) = &self.sharing {
            writeln!(f, "{}\n", paragraph("", &format!("--gpus: {sharing}")))?;
        }
        for chunk in &self.chunks {
            writeln!(f, "{}", paragraph("", &chunk.to_string()))?;
        }
        if !self.chunks.is_empty() {
            writeln!(f)?;
        }
        write!(f, "{}", self.plan)
    }
}

impl DryRun {
    /// Opens the input, plans, chooses, and opens all encoders, as [`Job::open`] does; nothing is written, and nothing is
    /// made or touched where the output would be. `limits` measures what the machine can do. Blocks while a piped input has
    /// not begun.
    ///
    /// # Errors
    /// As [`Job::open`], but for an output that exists or has no folder.
    pub fn of(
        request: Request,
        interrupt: CancelToken,
        limits: impl FnOnce(&Plan) -> Result<Option<Roofline>>,
    ) -> Result<Self> {
        let compare = request.compare.map(|how| how.to_string());
        let (job, obstacle) = Job::dry_run(request, interrupt)?;
        let Request { input, output, .. } = job.request().clone();
        let (noise, chunk, sharing) = (job.noise(), job.chunk().cloned(), sharing(job.request(), job.plan()));
        let (frames, backend, streams) = (job.length(), job.backend().to_owned(), job.streams().to_vec());
        let plan = job.plan().explain(limits(job.plan())?);
        let encoder = job.encoder().map(str::to_owned);
        Ok(Self { input, output, frames, backend, encoder, streams, compare, noise, sharing, chunk, obstacle, plan })
    }
}

impl fmt::Display for DryRun {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { input, output, frames, backend, streams, compare, noise, sharing, chunk, obstacle, plan, .. } = self;
        let frames = match frames {
            Some(1) => "1 frame, ".to_owned(),
            Some(frames) => format!("about {frames} frames, "),
            None => String::new(),
        };
        let indented = |line: &str| {
            let (name, rest) = line.split_once(": ").unwrap_or((line, ""));
            paragraph(&format!("  {name}: "), rest)
        };
        // Names may hold ends of lines, which would begin lines of their own.
        let shown = |name: &String| if name.contains(char::is_control) { format!("{name:?}") } else { name.clone() };
        let (input, output) = (shown(input), shown(output));
        writeln!(f, "{}", paragraph("", &format!("{input} to {output}: {frames}filtered by {backend}")))?;
        for stream in streams {
            writeln!(f, "{}", indented(&stream.to_string()))?;
        }
        let chunk = chunk.as_ref().map(Chunk::to_string);
        let (compare, sharing) = (compare.as_ref().map(|how| format!("compared: {how}")), sharing.as_ref());
        let sharing = sharing.map(|how| format!("--gpus: {how}"));
        for line in [compare, noise.clone(), sharing, chunk, obstacle.clone()].into_iter().flatten() {
            writeln!(f, "{}", indented(&line))?;
        }
        write!(f, "\n{plan}")
    }
}
