//! What was typed, in the library's words.

use std::str::FromStr;

use anyhow::{Context, Error, Result, anyhow};
use warpreel::cli::{
    BackendName, Chain, DecoderName, Excerpt, Execution, FieldsName, JobOptions, MetricName, PairingName, Reading,
    VideoName, Writing,
};
use warpreel::job::{
    Choice, DecoderChoice, Encoding, Fidelity, FieldChoice, GpuChoice, MemoryLimit, Overwrite, Pairing, Request,
    StreamSelection, Tolerance, TypedCut, TypedNetwork, Usage, VideoChoice, Wishes,
};
use warpreel::metrics::Metric;
use warpreel::source::Concealing;

/// A part of a clip, without a job.
pub fn clip(input: String, typed: Excerpt) -> Request {
    let Excerpt { raw, fps, start, end, duration, frames } = typed;
    Request { input, raw, fps, cut: TypedCut { start, end, duration, frames }, ..Request::default() }
}

/// A job from `input` to `output`.
///
/// # Errors
/// If the value of an option is none.
pub fn request(input: String, output: String, typed: JobOptions) -> Result<Request, Usage> {
    let JobOptions { reading, chain, writing, execution } = typed;
    let Reading { excerpt, chunk, chunks_from, timeout, reconnect, drop_late, fields, strict, salvage, conceal } =
        reading;
    let Chain { filter, border, planes } = chain;
    let Writing {
        overwrite,
        codec,
        quality,
        crf,
        preset,
        bitrate,
        pix_fmt,
        lossless,
        container,
        video,
        audio,
        no_audio,
        subtitles,
        drop,
        compare,
        metrics,
        encoder_option,
    } = writing;
    let Execution { backend, device, decoder, decode_lanes, gpus, threads, max_memory, in_flight } = execution;
    parsed::<MemoryLimit>(max_memory, "--max-memory")?.apply();
    let pair = |option: String| {
        let expected = "does not have the form KEY=VALUE; type --encoder-option tune=grain";
        let pair = option.split_once('=').with_context(|| format!("--encoder-option {option:?} {expected}"));
        pair.map(|(key, value)| (key.to_owned(), value.to_owned()))
    };
    let encoding = Encoding {
        codec,
        quality,
        crf,
        preset,
        bitrate: bitrate.map(rate).transpose()?,
        pix_fmt,
        fidelity: if lossless { Fidelity::Lossless } else { Fidelity::Lossy },
        container,
        options: encoder_option.into_iter().map(pair).collect::<Result<_>>().map_err(Usage::of)?,
        wishes: Wishes {
            audio: if no_audio { StreamSelection::None } else { parsed(audio, "--audio")? },
            subtitles: parsed(subtitles, "--subtitles")?,
            drop: parsed((!drop.is_empty()).then(|| drop.join(",")), "--drop")?,
        },
        ..Encoding::default()
    };
    Ok(Request {
        output,
        videos: match video {
            VideoName::First => VideoChoice::First,
            VideoName::All => VideoChoice::All,
        },
        chunk: chunk.map(|text| text.parse().map_err(|error: Error| Usage::of(error))).transpose()?,
        chunks_from,
        network: TypedNetwork { timeout, reconnect, drop_late },
        fields: match fields {
            FieldsName::Auto => FieldChoice::Auto,
            FieldsName::Frame => FieldChoice::Frame,
            FieldsName::Separate => FieldChoice::Separate,
        },
        conceal: if conceal { Concealing::On } else { Concealing::Off },
        tolerance: match (strict, salvage) {
            (true, _) => Tolerance::Strict,
            (_, true) => Tolerance::Salvage,
            _ => Tolerance::Normal,
        },
        chain: filter,
        border,
        planes,
        overwrite: self::overwrite(overwrite),
        compare: compare.map(pairing),
        metrics: self::metrics(metrics),
        encoding,
        backend: choice(backend),
        device,
        decoder: match decoder {
            DecoderName::Auto => DecoderChoice::Auto,
            DecoderName::Software => DecoderChoice::Software,
            DecoderName::Nvdec => DecoderChoice::Nvdec,
        },
        decode_lanes: decode_lanes.unwrap_or(0).into(),
        gpus: gpus.as_deref().map(self::gpus).transpose()?,
        threads,
        in_flight: in_flight.into(),
        ..clip(input, excerpt)
    })
}

/// A clip that is looked at, and nothing written.
///
/// # Errors
/// As [`request`]; or if chunks of it were asked for.
pub fn preview(input: String, reading: Reading, chain: Chain, execution: Execution) -> Result<Request, Usage> {
    if reading.chunk.is_some() || reading.chunks_from.is_some() {
        return Err(Usage::of(anyhow!("preview does not show chunks; leave out --chunk and --chunks-from")));
    }
    request(input, "null:".to_owned(), JobOptions { reading, chain, writing: Writing::default(), execution })
}

/// How before and after become one picture.
fn pairing(typed: PairingName) -> Pairing {
    match typed {
        PairingName::Side => Pairing::Side,
        PairingName::Split => Pairing::Split,
    }
}

/// Each metric that was typed, once.
pub fn metrics(typed: Vec<MetricName>) -> Vec<Metric> {
    let mut metrics = Vec::new();
    for name in typed {
        let metric = match name {
            MetricName::Psnr => Metric::Psnr,
            MetricName::Ssim => Metric::Ssim,
            MetricName::Xpsnr => Metric::Xpsnr,
            MetricName::Ssimulacra2 => Metric::Ssimulacra2,
        };
        if !metrics.contains(&metric) {
            metrics.push(metric);
        }
    }
    metrics
}

/// A bit rate as FFmpeg reads it, with the unit made clear: `2M`, `800k`, `1.5Mbps`, `1500 kbit/s`.
fn rate(text: String) -> Result<String, Usage> {
    /// No video has so few bits a second as who forgets the unit asks for.
    const FEWEST: f64 = 100_000.0;
    /// Endings that say bits a second.
    const UNITS: [&str; 5] = ["bit/s", "bits/s", "bps", "b/s", "b"];

    let lower = text.to_ascii_lowercase();
    let bare = UNITS.iter().find_map(|unit| lower.strip_suffix(unit)).unwrap_or(&lower).trim_end();
    let (number, unit) = match bare.strip_suffix(['k', 'm', 'g']) {
        Some(number) => (number.trim_end(), bare[number.len()..].replace('m', "M").replace('g', "G")),
        None => (bare, String::new()),
    };
    match number.parse::<f64>().ok().filter(|number| number.is_finite() && *number > 0.0) {
        None => Err(Usage::of(anyhow!("--bitrate {text:?} is not a bit rate; type --bitrate 5M, or 800k"))),
        Some(number) if unit.is_empty() && number < FEWEST => {
            Err(Usage::of(anyhow!("--bitrate {text} has no unit; type --bitrate {number}k, or megabits such as 5M")))
        }
        Some(number) => Ok(format!("{number}{unit}")),
    }
}

/// The value of an option, or what holds without it.
fn parsed<T: FromStr<Err = Error> + Default>(text: Option<String>, option: &'static str) -> Result<T, Usage> {
    text.map_or_else(|| Ok(T::default()), |text| text.parse().context(option).map_err(Usage::of))
}

/// What becomes of a file that exists.
pub fn overwrite(typed: bool) -> Overwrite {
    if typed { Overwrite::Replace } else { Overwrite::Refuse }
}

/// Which GPUs share the clip.
///
/// # Errors
/// If the text names none.
pub fn gpus(typed: &str) -> Result<GpuChoice, Usage> {
    typed.parse().map_err(|error: Error| Usage::of(error))
}

/// What filters.
pub fn choice(backend: BackendName) -> Choice {
    match backend {
        BackendName::Auto => Choice::Auto,
        BackendName::Cpu => Choice::Cpu,
        BackendName::Cuda => Choice::Cuda,
    }
}
