//! The arguments that every function has beside those of its filter.

use anyhow::{Result, bail, ensure};
use warpreel_cuda::Cuda;
use warpreel_frame::{FieldOrder, Range};

use crate::ffi::Arguments;

/// Who filters.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Choice {
    /// A GPU if there is one.
    Auto,
    /// The CPU.
    Cpu,
    /// A GPU.
    Cuda,
}

/// How, and what is assumed of the clip.
#[derive(Clone, Copy, Debug)]
pub struct Options {
    /// Who.
    pub choice: Choice,
    /// Which GPU.
    pub device: usize,
    /// Frames under way on the GPU.
    pub in_flight: usize,
    /// Threads of the CPU for each frame; VapourSynth makes several frames at once.
    pub threads: usize,
    /// Whether each field is filtered by itself; `None` where the first frame's `_FieldBased` says.
    pub separates: Option<bool>,
    /// `None` where the first frame's `_Range` or `_ColorRange` says.
    pub range: Option<Range>,
}

/// As VapourSynth writes them.
pub const SIGNATURE: &str =
    "backend:data:opt;device:int:opt;in_flight:int:opt;threads:int:opt;fields:data:opt;color_range:data:opt;";

impl Options {
    /// Reads them.
    ///
    /// # Errors
    /// What is wrong with one, and what to pass.
    pub fn of(arguments: &Arguments<'_>) -> Result<Self> {
        let word = |key: &str, words: &[&'static str]| -> Result<&'static str> {
            let Some(text) = arguments.text(key)? else { return Ok(words[0]) };
            let known = words.iter().find(|word| **word == text);
            let Some(known) = known else { bail!("{key}={text} is unknown; pass {}", words.join(", ")) };
            Ok(known)
        };
        let count = |key: &str, default: usize, low: i64, high: i64| -> Result<usize> {
            let Some(number) = arguments.integer(key) else { return Ok(default) };
            ensure!((low..=high).contains(&number), "{key}={number} is out of range; pass {low} to {high}");
            Ok(number as usize)
        };
        let choice = match word("backend", &["auto", "cpu", "cuda"])? {
            "cpu" => Choice::Cpu,
            "cuda" => Choice::Cuda,
            _ => Choice::Auto,
        };
        let separates = match word("fields", &["auto", "frame", "separate"])? {
            "frame" => Some(false),
            "separate" => Some(true),
            _ => None,
        };
        let range = match word("color_range", &["auto", "limited", "full"])? {
            "limited" => Some(Range::Limited),
            "full" => Some(Range::Full),
            _ => None,
        };
        Ok(Self {
            choice,
            device: count("device", 0, 0, 1023)?,
            in_flight: count("in_flight", Cuda::IN_FLIGHT, 1, 256)?,
            threads: count("threads", 1, 1, 1024)?,
            separates,
            range,
        })
    }

    /// Whether fields are separated in a clip of such frames.
    pub fn separates(&self, fields: FieldOrder) -> bool {
        let is_interlaced = matches!(fields, FieldOrder::TopFirst | FieldOrder::BottomFirst);
        self.separates.unwrap_or(is_interlaced)
    }
}
