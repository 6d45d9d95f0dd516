//! What decodes, and why: the one place that chooses.

use std::sync::Arc;

use anyhow::{Context, Error, Result, anyhow, bail, ensure};

use super::input::is_stream;
use super::opening::Opening;
use super::request::{Choice, DecoderChoice, Request, Tolerance};
use super::shot::Shots;
use super::usage::Usage;
use crate::backend::cuda::{DecodingGpu, Device};
use crate::filter::Filter;
use crate::source::{DecodeLanes, Source};
use crate::thread::cores;

/// What decodes a clip.
pub(super) struct ChosenDecoder {
    /// What, and why: `nvdec, 7 lanes`, `software (a pipe is read once)`; `None` where frames are not coded.
    pub(super) name: Option<String>,
    /// Where frames come to lie, if not on the host.
    device: Option<Arc<DecodingGpu>>,
}

/// Which decoders are taken where there are several.
#[derive(Clone, Copy, PartialEq, Eq)]
enum DecoderWish {
    /// Those that are likely the fastest.
    Fastest,
    /// Those of the GPU, where frames are wanted.
    Gpu,
}

/// A GPU that decodes a clip, and by how many decoders.
struct Candidate {
    device: Arc<DecodingGpu>,
    lanes: usize,
}

impl ChosenDecoder {
    /// How many frames a decoder of its own has to pay for: the usual distance of key frames.
    const LANE_FRAMES: u64 = 250;
    /// Clips with fewer frames are decoded before the GPU's decoders are open.
    const LEAST_FRAMES: u64 = 1000;

    /// The GPU for a clip that is opened as it is decoded, since it comes only once: a pipe. `None` where there is time to
    /// choose.
    ///
    /// # Errors
    /// If the GPU's decoders were asked for and cannot be used.
    pub(super) fn early(
        request: &Request,
        filters: &[Filter],
        opening: Option<&mut Opening>,
    ) -> Result<Option<Arc<DecodingGpu>>> {
        if request.decoder != DecoderChoice::Nvdec {
            return Ok(None);
        }
        if let Some(obstacle) = obstacle(request, filters) {
            bail!(Usage::of(refused(obstacle)));
        }
        if !is_piped(request) {
            return Ok(None);
        }
        Ok(Some(opening.context("no GPU was requested")?.device()?.decoding()))
    }

    /// The same for a clip whose frames a program reads on a GPU.
    pub(super) fn early_on(request: &Request, device: &Device) -> Option<Arc<DecodingGpu>> {
        (request.decoder == DecoderChoice::Nvdec && is_piped(request)).then(|| device.decoding())
    }

    /// Chooses for a clip that is filtered on `device`, if on one, and tells the source, whose frames were not asked for yet.
    ///
    /// # Errors
    /// If the GPU's decoders were asked for and cannot be used.
    pub(super) fn choose(
        request: &Request,
        filters: &[Filter],
        source: &mut dyn Source,
        device: Option<&Device>,
        early: Option<Arc<DecodingGpu>>,
    ) -> Result<Self> {
        let place = match (obstacle(request, filters), device) {
            (Some(obstacle), _) => Err(obstacle),
            (None, None) => Err("frames are filtered on the CPU"),
            (None, Some(device)) => Ok(device),
        };
        Self::decide(request, source, place, early, DecoderWish::Fastest)
    }

    /// The GPU wherever it can, for a clip whose frames a program reads there; tells the source.
    ///
    /// # Errors
    /// As [`ChosenDecoder::choose`].
    pub(super) fn on_device(
        request: &Request,
        source: &mut dyn Source,
        device: &Device,
        early: Option<Arc<DecodingGpu>>,
    ) -> Result<Self> {
        Self::decide(request, source, Ok(device), early, DecoderWish::Gpu)
    }

    /// Decides; `place` is the GPU on which frames can come to lie, or why there is none.
    fn decide(
        request: &Request,
        source: &mut dyn Source,
        place: Result<&Device, &'static str>,
        early: Option<Arc<DecodingGpu>>,
        wish: DecoderWish,
    ) -> Result<Self> {
        let must = request.decoder == DecoderChoice::Nvdec;
        let Some(codec) = source.codec() else {
            ensure!(!must, refused("its frames are uncompressed"));
            return Ok(Self { name: None, device: None });
        };
        if let Some(device) = early {
            return Ok(Self { name: Some("nvdec, 1 lane (a pipe is read once)".to_owned()), device: Some(device) });
        }
        if request.decoder == DecoderChoice::Software {
            return Self::software(request, source, None);
        }
        let candidate = place.map_err(|obstacle| anyhow!(obstacle));
        let candidate = match candidate.and_then(|device| Candidate::find(&codec, request, source, device)) {
            Err(error) if must => return Err(refused(&format!("{error:#}"))),
            Err(error) => return Self::software(request, source, Some(&format!("{error:#}"))),
            Ok(candidate) => candidate,
        };
        if !must
            && wish == DecoderWish::Fastest
            && let Some(reason) = slower(&codec, request, source, candidate.lanes)
        {
            return Self::software(request, source, Some(&reason));
        }
        let Candidate { device, lanes } = candidate;
        match source.decode_in_lanes(DecodeLanes { count: lanes, device: Some(device.clone()) }) {
            Err(reason) if must => Err(refused(reason)),
            Err(reason) => Self::software(request, source, Some(reason)),
            Ok(()) => {
                let plural = if lanes == 1 { "" } else { "s" };
                Ok(Self { name: Some(format!("nvdec, {lanes} lane{plural}")), device: Some(device) })
            }
        }
    }

    /// Software, for a clip whose frames a program reads.
    ///
    /// # Errors
    /// If something else was asked for.
    pub(super) fn on_host(request: &Request, source: &mut dyn Source) -> Result<Self> {
        ensure!(request.decoder != DecoderChoice::Nvdec, Usage::of(refused("its frames are read on the CPU")));
        match source.codec() {
            Some(_) => Self::software(request, source, None),
            None => Ok(Self { name: None, device: None }),
        }
    }

    /// Software, by several decoders where that was asked for.
    fn software(request: &Request, source: &mut dyn Source, reason: Option<&str>) -> Result<Self> {
        let mut name = "software".to_owned();
        if request.decode_lanes > 1 {
            let lanes = DecodeLanes { count: request.decode_lanes, device: None };
            let told = source.decode_in_lanes(lanes);
            told.map_err(|reason| Usage::of(anyhow!("--decode-lanes: {reason}; leave it out")))?;
            if source.decoders() > 1 {
                name += &format!(", {} lanes", source.decoders());
            }
        }
        name += &reason.map_or_else(String::new, |reason| format!(" ({reason})"));
        Ok(Self { name: Some(name), device: None })
    }

    /// Logs the choice; as a detail where the CPU filters and nobody typed anything, since there was nothing to choose.
    pub(super) fn log(&self, request: &Request, is_on_cpu: bool) {
        let Some(name) = &self.name else { return };
        let is_detail = is_on_cpu && request.decoder == DecoderChoice::Auto && request.decode_lanes <= 1;
        log::log!(if is_detail { log::Level::Debug } else { log::Level::Info }, "decoder: {name}");
    }

    /// Whether frames come to lie on a GPU.
    pub(super) fn is_on_device(&self) -> bool {
        self.device.is_some()
    }

    /// Memory on the GPU for decoded frames.
    pub(super) fn allocated_bytes(&self) -> usize {
        self.device.as_ref().map_or(0, |device| device.allocated_bytes())
    }
}

impl Candidate {
    fn find(codec: &str, request: &Request, source: &dyn Source, device: &Device) -> Result<Self> {
        let format = source.format();
        let (pixel, size) = (format.pixel, (format.width, format.height));
        let decodable = device.decodable(codec, pixel, size)?;
        let decodable = decodable.with_context(|| {
            format!("GPU {} does not decode {codec} of {}, {}x{}", device.ordinal, pixel.name(), size.0, size.1)
        })?;
        let possible = source.length().map_or(1, |frames| frames.div_ceil(ChosenDecoder::LANE_FRAMES).max(1));
        let lanes = match request.decode_lanes {
            0 => decodable.engines.min(usize::try_from(possible).unwrap_or(usize::MAX)),
            lanes => lanes,
        };
        let device = device.decoding();
        device.prepare(pixel.sample)?;
        Ok(Self { device, lanes })
    }
}

/// Whether a clip comes only once, and is coded.
fn is_piped(request: &Request) -> bool {
    request.raw.is_none() && is_stream(&request.input)
}

/// What needs frames on the host; `None` if nothing does.
fn obstacle(request: &Request, filters: &[Filter]) -> Option<&'static str> {
    if request.backend == Choice::Cpu {
        return Some("frames are filtered on the CPU");
    }
    if request.tolerance == Tolerance::Strict {
        return Some("--strict reports all damage, and the GPU's decoder does not");
    }
    if request.gpus.is_some() {
        return Some("several GPUs share the frames");
    }
    if request.compare.is_some() {
        return Some("--compare needs the frames before filtering");
    }
    if !request.metrics.is_empty() {
        return Some("--metrics needs the frames before filtering");
    }
    if request.chunks_from.is_some() {
        return Some("the frames come from chunks");
    }
    if Shots::are_wanted(filters) {
        return Some("a filter with strength auto measures frames on the CPU");
    }
    (filters.is_empty() && request.decoder == DecoderChoice::Auto).then_some("no filter")
}

/// Why software is likely the faster, if so. A decoder of the GPU does the work of about so many cores as are named here,
/// measured on an H200 beside 16 cores of its host.
fn slower(codec: &str, request: &Request, source: &dyn Source, lanes: usize) -> Option<String> {
    let worth = if codec == "h264" { 2.5 } else { 8.0 };
    let cores = match request.threads.decode {
        0 => cores(),
        threads => threads,
    };
    if source.length().is_none_or(|frames| frames < ChosenDecoder::LEAST_FRAMES) {
        return Some("the clip is short".to_owned());
    }
    let reached = lanes as f64 * worth;
    (reached < cores as f64).then(|| format!("{cores} CPU cores are faster than {lanes} GPU decoders"))
}

fn refused(reason: &str) -> Error {
    anyhow!("--decoder nvdec: {reason}; type --decoder software")
}
