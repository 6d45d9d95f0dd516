//! Rates of a job's stages: each alone, and the job without each.

use anyhow::{Context, Result};
use log::debug;

use super::alone::{Alone, FrameStack, decode, encode, filter, keep};
use super::without::Material;
use crate::backend::cuda::Device;
use crate::job::{DecoderChoice, Encoding, Reader, Request};
use crate::source::{CancelToken, FrameTime};

/// Rates that were measured.
#[derive(Clone, Debug, Default)]
pub struct MeasuredStages {
    /// Each stage by itself.
    pub alone: Vec<Alone>,
    /// The job without a stage.
    pub without: Vec<Alone>,
}

/// Measures the stages of a job alone that can be, and the job without each of them: a file is decoded again, by `decoding` where that
/// is a GPU, and an output is written to a file beside the real one, which is removed. `filters` says whether there are passes.
///
/// # Errors
/// If the clip cannot be read or filtered as before, or it is interrupted.
pub fn measure(
    request: &Request,
    decoding: Option<&Device>,
    filters: bool,
    interrupt: &CancelToken,
) -> Result<MeasuredStages> {
    let (output, decoder) = ("null:".to_owned(), DecoderChoice::Software);
    let plain = Request { compare: None, encoding: Encoding::default(), output, decoder, ..request.clone() };
    let mut kept = FrameStack::default();
    let open = || match decoding {
        Some(device) => Reader::open_on(&Request { decoder: request.decoder, ..plain.clone() }, interrupt, device),
        None => Reader::open(&plain, interrupt),
    };
    keep(&plain, &mut kept, interrupt).context("decode frames to filter")?;
    let mut alone = Vec::from_iter(decode(open, interrupt).context("measure decoding alone")?);
    let first = kept.frames.clone();
    if filters && !kept.frames.is_empty() {
        let (found, filtered) = filter(plain.clone(), kept.frames, interrupt).context("measure filtering alone")?;
        alone.extend(found);
        kept = filtered;
    }
    alone.extend(encode(request, &kept.frames, interrupt).context("measure encoding alone")?);
    let made = kept.frames.first().map(|frame| frame.format().clone());
    drop(kept);
    let without = match made {
        Some(made) => {
            let material = Material { request, plain: &plain, kept: &first, made: &made, interrupt };
            // Some chains, as one that ends the clip with a second one, are of whole jobs only: predictions are then computed.
            material.measure().unwrap_or_else(|error| {
                debug!("jobs without a stage were not measured: {error:#}");
                Vec::new()
            })
        }
        None => Vec::new(),
    };
    Ok(MeasuredStages { alone, without })
}

/// The packet of each frame of the clip, in the order in which they are shown.
///
/// # Errors
/// If the clip cannot be looked through.
pub fn packets(request: &Request, interrupt: &CancelToken) -> Result<Vec<FrameTime>> {
    let request = Request { decoder: DecoderChoice::Software, ..request.clone() };
    let index = Reader::open(&request, interrupt)?.source().index()?;
    Ok(index.frames)
}
