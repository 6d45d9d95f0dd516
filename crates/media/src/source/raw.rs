//! Clips without any header: frame after frame of samples, in any pixel format that FFmpeg has. Planar formats are
//! read straight into pool memory; others are read into a buffer and unpacked.

use std::str::FromStr;
use std::sync::Arc;

use anyhow::{Context, Error, Result, bail, ensure};

use super::cut::CutRange;
use super::{Cut, Defects, FrameIndex, Input, Portion, Salvage, Source};
use crate::frame::{Format, Frame, FrameMut, Layout, Margin, Pool, Range, Rational};
use crate::libav::{Converter, Stored};

/// What a raw clip is: the value of `--raw`, `FORMAT:WxH@FPS`, as in `yuv420p10le:1920x1080@30000/1001`. The rate is
/// a number or a fraction, and 25 where it is left out; 23.976, 29.97, 59.94, 119.88 and their like stand for the
/// fractions over 1001.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct RawSpec {
    /// How a pixel is stored.
    pub stored: Stored,
    /// Luma pixels in a row.
    pub width: usize,
    /// Rows of luma pixels.
    pub height: usize,
    /// Frames per second.
    pub rate: Rational,
}

impl RawSpec {
    /// What its frames are once their samples lie in planes.
    pub fn format(&self) -> Format {
        let mut format = Format::new(self.stored.pixel(), self.width, self.height, self.rate);
        if self.stored.is_full_range() {
            format.colour.range = Range::Full;
        }
        format
    }
}

impl FromStr for RawSpec {
    type Err = Error;

    fn from_str(text: &str) -> Result<Self> {
        let parse = || {
            let (name, rest) = text.split_once(':')?;
            let (size, rate) = rest.split_once('@').map_or((rest, None), |(size, rate)| (size, Some(rate)));
            let (width, height) = size.split_once(['x', 'X'])?;
            Some((name, width, height, rate))
        };
        let expected = "expected FORMAT:WxH@FPS, for example yuv420p:1920x1080@25";
        let (name, width, height, rate) = parse().with_context(|| format!("raw format \"{text}\": {expected}"))?;
        let stored = Stored::parse(name).with_context(|| format!("raw format \"{text}\""))?;
        let side = |side: &str| {
            let side = side.parse().ok().filter(|side| (1..=Format::MAX_SIDE).contains(side));
            side.with_context(|| format!("raw format \"{text}\": width and height are 1 to {}", Format::MAX_SIDE))
        };
        let rate =
            rate.map_or(Ok(Rational::new(25, 1)), parse_rate).with_context(|| format!("raw format \"{text}\""))?;
        Ok(Self { stored, width: side(width)?, height: side(height)?, rate })
    }
}

/// A rate as `30`, `30000/1001` or `29.97`.
///
/// # Errors
/// If it is none of these, or not above 0.
pub fn parse_rate(text: &str) -> Result<Rational> {
    let digits = |text: &str| {
        let plain = !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_digit());
        text.parse::<u64>().ok().filter(|_| plain)
    };
    let parse = || {
        if let Some((num, den)) = text.split_once('/') {
            return Some((digits(num)?, digits(den)?));
        }
        let Some((whole, fraction)) = text.split_once('.') else { return Some((digits(text)?, 1)) };
        let scale = 10u64.checked_pow(u32::try_from(fraction.len()).ok()?)?;
        let decimal = digits(&[whole, fraction].concat())?;
        Some(television(decimal, scale).unwrap_or((decimal, scale)))
    };
    let expected = || format!("rate \"{text}\": expected a number above 0, as 25, 30000/1001 or 29.97");
    let (num, den) = parse().with_context(expected)?;
    Rational::reduced(num, den).ok().flatten().with_context(expected)
}

/// The fraction n·1000/1001 that the decimal `decimal / scale` is a rounding or a cutting of, for n in 12, 15, 24, 30,
/// 48, 60, 120, 240; at least two places must be given.
fn television(decimal: u64, scale: u64) -> Option<(u64, u64)> {
    if scale < 100 {
        return None;
    }
    [12, 15, 24, 30, 48, 60, 120, 240].into_iter().map(|whole| whole * 1000).find_map(|num| {
        // `decimal / scale` and `num / 1001` differ by less than one unit of the last place.
        let (given, exact) = (u128::from(decimal) * 1001, u128::from(num) * u128::from(scale));
        (given.abs_diff(exact) < 1001).then_some((num, 1001))
    })
}

/// A raw clip that is being read.
pub struct Raw {
    input: Input,
    format: Arc<Format>,
    stored: Stored,
    samples: Unpacking,
    frame_bytes: usize,
    range: CutRange,
    is_over: bool,
    /// The frame that comes next, from 0 in the input.
    number: u64,
    total: Option<u64>,
    salvage: Salvage,
    defects: Defects,
}

/// How samples get from the input into a frame.
enum Unpacking {
    /// They lie there as a packed frame holds them.
    Planar(Layout),
    /// They are read into the buffer and unpacked.
    Packed(Converter, Vec<u8>),
}

impl Raw {
    /// A clip of frames as `spec` says. Does not wait.
    ///
    /// # Errors
    /// If a frame is too large.
    pub fn open(input: Input, spec: RawSpec, cut: Cut, salvage: Salvage) -> Result<Self> {
        let format = Arc::new(spec.format());
        let RawSpec { stored, width, height, rate } = spec;
        let (frame_bytes, samples) = if stored.is_planar_native() {
            (format.packed_bytes(), Unpacking::Planar(Layout::packed(&format)))
        } else {
            let converter = Converter::to_planar(stored, &format)?;
            (stored.packed_bytes(width, height), Unpacking::Packed(converter, Vec::new()))
        };
        ensure!(frame_bytes > 0, "FFmpeg cannot hold {width}x{height} pixels of {}", stored.name());
        let wanted = cut.range(rate);
        let total = input.remaining().map(|bytes| bytes / frame_bytes as u64);
        Ok(Self {
            input,
            format,
            stored,
            samples,
            frame_bytes,
            range: CutRange::new(wanted),
            is_over: false,
            number: 0,
            total,
            salvage,
            defects: Defects::default(),
        })
    }

    /// Skips the frames before the first that is wanted; `false` where the clip ends before.
    fn advance(&mut self) -> Result<bool> {
        let frame_bytes = self.frame_bytes as u64;
        let bytes = self.range.read().start.saturating_mul(frame_bytes);
        let skipped = self.input.skip(bytes)?;
        self.number = skipped / frame_bytes;
        match (skipped % frame_bytes) as usize {
            _ if skipped == bytes => Ok(true),
            0 => Ok(false),
            rest => self.broken(rest),
        }
    }

    /// The next frame's samples; `None` at the end.
    fn read(&mut self, pool: &Pool) -> Result<Option<FrameMut>> {
        let frames = self.range.read();
        self.is_over |= frames.is_empty() || self.number >= frames.end || self.input.interrupted();
        if self.is_over || (self.number < frames.start && !self.advance()?) {
            return Ok(None);
        }
        // No memory on the command line's word alone.
        if self.input.peek(1)?.is_empty() {
            ensure!(self.number > 0 || self.input.interrupted(), "the input is empty");
            return Ok(None);
        }
        let (read, frame) = match &mut self.samples {
            Unpacking::Planar(layout) => {
                let mut frame = pool.frame_in(&self.format, layout.clone())?;
                let read = self.input.fill(frame.packed_bytes_mut().expect("this pixel layout is packed"))?;
                (read, Some(frame))
            }
            Unpacking::Packed(converter, buffer) => {
                buffer.resize(self.frame_bytes, 0);
                let read = self.input.fill(buffer)?;
                (read, (read == self.frame_bytes).then(|| converter.unpack(buffer, pool)).transpose()?)
            }
        };
        if read < self.frame_bytes {
            return self.broken(read).map(|_| None);
        }
        Ok(frame)
    }

    /// The input ended after `read` bytes of a frame: `false`, the clip ends here, where that is allowed.
    fn broken(&mut self, read: usize) -> Result<bool> {
        if self.input.interrupted() {
            return Ok(false);
        }
        let frame_bytes = self.frame_bytes;
        let ends = format!("the input ends after {read} of the frame's {frame_bytes} bytes");
        if self.salvage == Salvage::Off {
            bail!("{ends}; check FORMAT:WxH, or add --salvage to keep the frames before it");
        }
        let warning = format!("frame {} of {}: {ends}", self.number, self.input.name());
        log::warn!("{warning}; the frames before it are kept");
        self.defects.truncated = true;
        self.defects.warnings.push(warning);
        Ok(false)
    }
}

impl Source for Raw {
    fn format(&self) -> &Arc<Format> {
        &self.format
    }

    fn next_frame(&mut self, pool: &Pool) -> Result<Option<Frame>> {
        let read = self.read(pool).with_context(|| format!("frame {} of {}", self.number, self.input.name()))?;
        let Some(frame) = read else {
            if !self.input.interrupted() {
                self.range.check_start(self.input.name(), self.number)?;
            }
            self.is_over = true;
            return Ok(None);
        };
        let number = self.number;
        self.number += 1;
        Ok(Some(frame.freeze(self.range.timing(number))))
    }

    fn widen(&mut self, margin: Margin) {
        self.range.widen(margin);
    }

    fn index(&mut self) -> Result<FrameIndex> {
        self.range.index(self.total, self.input.name())
    }

    fn keep_to(&mut self, portion: Portion) {
        self.range.keep_to(portion);
    }

    fn is_plain(&self) -> bool {
        true
    }

    fn stored(&self) -> Option<&'static str> {
        Some(self.stored.name())
    }

    fn length(&self) -> Option<u64> {
        self.range.length(self.total)
    }

    fn defects(&self) -> Defects {
        self.defects.clone()
    }
}
