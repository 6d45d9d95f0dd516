//! The header line of y4m (YUV4MPEG2) streams, read and printed: what [`crate::source::y4m`] and
//! [`crate::sink::y4m`] have to agree on. No bytes are moved here.
//!
//! The grammar is that of mjpegtools with the extensions of FFmpeg, x264 and VapourSynth: words that start with a
//! letter, separated by spaces.
//!
//! | word | meaning | where it is missing |
//! |---|---|---|
//! | `W1920`, `H1080` | size | an error |
//! | `F30000:1001` | frames per second; `0:0` is unknown | 25, with a warning |
//! | `Ip` `It` `Ib` `Im` `I?` | progressive, top or bottom field first, mixed, unknown | unknown |
//! | `A4:3` | width of a pixel over its height; `0:0` is unknown | unknown |
//! | `C420jpeg`, `C422p10`, `Cmono16` | how a pixel is stored, and where chroma lies | `XYSCSS`, else 4:2:0 |
//! | `XYSCSS=420P10` | the same in capitals, from older programs | – |
//! | `XCOLORRANGE=FULL` or `LIMITED` | range | unknown |
//! | `XLENGTH=132` | number of frames | unknown |
//!
//! Other words mean nothing here and are handed on to a y4m output.

use std::sync::Arc;

use anyhow::{Context, Result, bail, ensure};

use crate::frame::{Family, FieldOrder, Format, Pixel, Range, Rational, Sample};

#[cfg(target_endian = "big")]
compile_error!("y4m holds little-endian samples, and they are read straight into frames");

/// What every stream starts with.
pub const MAGIC: &[u8] = b"YUV4MPEG2 ";

/// What every frame starts with; parameters may follow before the line ends.
pub const FRAME: &[u8] = b"FRAME";

/// The longest line that is believed. mjpegtools writes 80 bytes; nobody is known to write more than 1 KiB.
pub const LINE_LIMIT_BYTES: usize = 64 << 10;

/// [`Format::rate`] of a stream that does not say, as FFmpeg has it.
const FALLBACK_RATE: Rational = Rational::new(25, 1);

/// What a stream and one of its frames say beyond [`Format`]. It rides on the frame as its
/// [`crate::frame::Attachment`], so that a y4m output can say the same.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Tags {
    /// The header line of the stream, without the line feed.
    pub header: Arc<[u8]>,
    /// What stood between `FRAME` and the line feed: nothing, or parameters with a space before each.
    pub frame: Vec<u8>,
}

/// What a header line says.
#[derive(Clone, Debug, PartialEq)]
pub struct Header {
    /// What the frames are. The time base is one frame.
    pub format: Format,
    /// `XLENGTH`: the number of frames.
    pub length: Option<u64>,
    /// Whether the rate is [`Format::rate`] because nobody said anything.
    pub rate_is_a_guess: bool,
}

impl Header {
    /// Reads a header line, without its line feed.
    ///
    /// # Errors
    /// If it is none, a word cannot be understood, or the size is missing or not 1 to [`Format::MAX_SIDE`].
    pub fn parse(line: &[u8]) -> Result<Self> {
        let Some(words) = line.strip_prefix(MAGIC) else {
            let start = &line[..line.len().min(16)];
            bail!("not a y4m stream: it starts with \"{}\" instead of \"YUV4MPEG2 \"", start.escape_ascii());
        };
        let (mut width, mut height, mut rate, mut length) = (None, None, None, None);
        let (mut stored, mut older) = (None, None);
        let mut format = Format::new(Pixel::yuv420p(8), 0, 0, FALLBACK_RATE);
        for word in words.split(|&byte| byte == b' ').filter(|word| !word.is_empty()) {
            let bad = || format!("y4m header: cannot understand \"{}\"", word.escape_ascii());
            let value = std::str::from_utf8(&word[1..]);
            match word[0] {
                b'W' => width = Some(side(value?).with_context(bad)?),
                b'H' => height = Some(side(value?).with_context(bad)?),
                b'F' => rate = ratio(value?).with_context(bad)?,
                b'A' => format.aspect = ratio(value?).with_context(bad)?.unwrap_or(Rational::new(0, 1)),
                b'I' => format.fields = fields(value?).with_context(bad)?,
                b'C' => stored = Some(pixel(value?).with_context(bad)?),
                b'X' => match value {
                    Ok("COLORRANGE=FULL") => format.colour.range = Range::Full,
                    Ok("COLORRANGE=LIMITED") => format.colour.range = Range::Limited,
                    Ok(value) => {
                        let number = value.strip_prefix("LENGTH=");
                        length = number.map_or(Ok(length), |n| n.parse().map(Some)).with_context(bad)?;
                        let name = value.strip_prefix("YSCSS=");
                        older = name.and_then(|name| pixel(&name.to_ascii_lowercase()).ok()).or(older);
                    }
                    Err(_) => {}
                },
                _ => {}
            }
        }
        format.width = width.context("y4m header: the width (W) is missing")?;
        format.height = height.context("y4m header: the height (H) is missing")?;
        // The older word counts only where the newer is missing.
        if let Some((pixel, siting)) = stored.or(older) {
            (format.pixel, format.colour.siting) = (pixel, siting);
        }
        format.rate = rate.unwrap_or(FALLBACK_RATE);
        format.time_base = format.rate.inverse();
        Ok(Self { format, length, rate_is_a_guess: rate.is_none() })
    }

    /// The header line of a clip, with its line feed. `inherited` is the header of the y4m stream that the clip was
    /// read from: where it says the same it is kept to the letter, else its unknown words are.
    ///
    /// # Errors
    /// If y4m cannot hold the format; the message says what can.
    pub fn print(format: &Format, inherited: Option<&[u8]>) -> Result<Vec<u8>> {
        let inherited = inherited.and_then(|line| Some((line, Self::parse(line).ok()?)));
        if let Some((line, header)) = &inherited
            && header.format == *format
        {
            return Ok([line, b"\n".as_slice()].concat());
        }
        let (width, height) = (format.width, format.height);
        let rate = if format.rate.value().is_some() { format.rate } else { FALLBACK_RATE };
        let aspect = if format.aspect.value().is_some() { format.aspect } else { Rational::new(0, 0) };
        let fields = match format.fields {
            // As FFmpeg: some readers refuse a question mark.
            FieldOrder::Unspecified | FieldOrder::Progressive => 'p',
            FieldOrder::TopFirst => 't',
            FieldOrder::BottomFirst => 'b',
            FieldOrder::Mixed => 'm',
        };
        let (Rational { num, den }, colour) = (rate, pixel_word(format)?);
        let mut line = format!("YUV4MPEG2 W{width} H{height} F{num}:{den} I{fields} ");
        line.push_str(&format!("A{}:{} C{colour}", aspect.num, aspect.den));
        match format.colour.range {
            Range::Unspecified => {}
            Range::Limited => line.push_str(" XCOLORRANGE=LIMITED"),
            Range::Full => line.push_str(" XCOLORRANGE=FULL"),
        }
        let mut line = line.into_bytes();
        for word in inherited.iter().flat_map(|(line, _)| unknown_words(line)) {
            line.push(b' ');
            line.extend_from_slice(word);
        }
        line.push(b'\n');
        Ok(line)
    }
}

/// Whether FFmpeg, and most who read y4m, know the word for a pixel.
pub fn is_common(pixel: Pixel) -> bool {
    ![(0, 1), (2, 2)].contains(&(pixel.log2_chroma_w, pixel.log2_chroma_h))
}

/// A header line without the word that gives its number of frames, for a clip that is cut.
pub fn without_length(line: &[u8]) -> Vec<u8> {
    let words = line.split(|&byte| byte == b' ').filter(|word| !word.starts_with(b"XLENGTH="));
    words.collect::<Vec<_>>().join(&b' ')
}

/// The words of a header that stand for nothing in [`Format`], and the number of frames.
fn unknown_words(line: &[u8]) -> impl Iterator<Item = &[u8]> {
    let known = |word: &[u8]| match word {
        [] | [b'W' | b'H' | b'F' | b'I' | b'A' | b'C', ..] => true,
        word => word.starts_with(b"XCOLORRANGE=") || word.starts_with(b"XYSCSS="),
    };
    line.split(|&byte| byte == b' ').skip(1).filter(move |word| !known(word))
}

fn side(text: &str) -> Result<usize> {
    let side = text.parse()?;
    ensure!((1..=Format::MAX_SIDE).contains(&side), "a side is 1 to {} pixels", Format::MAX_SIDE);
    Ok(side)
}

/// `num:den`, reduced; `None` where one is 0, which means unknown.
fn ratio(text: &str) -> Result<Option<Rational>> {
    let (num, den) = text.split_once(':').context("expected two numbers with a colon between")?;
    Rational::reduced(num.parse()?, den.parse()?)
}

fn fields(text: &str) -> Result<FieldOrder> {
    Ok(match text {
        "?" => FieldOrder::Unspecified,
        "p" => FieldOrder::Progressive,
        "t" => FieldOrder::TopFirst,
        "b" => FieldOrder::BottomFirst,
        "m" => FieldOrder::Mixed,
        _ => bail!("expected one of Ip, It, Ib, Im, I?"),
    })
}

/// Subsamplings by name: the powers of two by which chroma is narrower and lower.
const RATIOS: [(&str, u8, u8); 6] =
    [("420", 1, 1), ("422", 1, 0), ("444", 0, 0), ("411", 2, 0), ("440", 0, 1), ("410", 2, 2)];

/// Sitings of 8-bit 4:2:0 by name, as FFmpeg's `AVChromaLocation`. The first is what a bare `420` means.
const SITINGS: [(&str, u8); 3] = [("jpeg", 2), ("mpeg2", 1), ("paldv", 3)];

/// The pixel and the siting that the word after `C` stands for.
fn pixel(name: &str) -> Result<(Pixel, u8)> {
    if let Some(depth) = name.strip_prefix("mono") {
        let depth = if depth.is_empty() { 8 } else { high_depth(depth)? };
        return Ok((Pixel::gray(depth), 0));
    }
    let known = RATIOS.iter().find_map(|ratio| Some((ratio, name.strip_prefix(ratio.0)?)));
    let (&(ratio, w, h), rest) = known.context("expected 420jpeg, 422, 444p10, mono16 or the like")?;
    let yuv = |depth| Pixel::integer(Family::Yuv, w, h, depth);
    let siting = SITINGS.iter().find(|(name, _)| *name == rest);
    Ok(match (ratio, rest) {
        ("420", "") => (yuv(8), SITINGS[0].1),
        (_, "") => (yuv(8), 0),
        ("444", "alpha") => (Pixel { alpha: true, ..yuv(8) }, 0),
        ("420", _) if siting.is_some() => (yuv(8), siting.map_or(0, |siting| siting.1)),
        _ => (yuv(high_depth(rest.strip_prefix('p').context("expected a depth after p")?)?), 0),
    })
}

fn high_depth(text: &str) -> Result<u8> {
    let depth = text.parse()?;
    ensure!((9..=16).contains(&depth), "a depth is 9 to 16 bits here");
    Ok(depth)
}

/// The word after `C` for a format.
fn pixel_word(format: &Format) -> Result<String> {
    let pixel = format.pixel;
    let ratio = RATIOS.iter().find(|ratio| (ratio.1, ratio.2) == (pixel.log2_chroma_w, pixel.log2_chroma_h));
    Ok(match (pixel.family, pixel.sample, pixel.alpha, ratio) {
        (Family::Gray, Sample::U8, false, _) => "mono".to_owned(),
        (Family::Gray, Sample::U16, false, _) => format!("mono{}", pixel.depth),
        (Family::Yuv, Sample::U8, false, Some((ratio @ "420", ..))) => {
            let siting = SITINGS.iter().find(|(_, siting)| *siting == format.colour.siting);
            format!("{ratio}{}", siting.unwrap_or(&SITINGS[0]).0)
        }
        (Family::Yuv, Sample::U8, false, Some((ratio, ..))) => (*ratio).to_owned(),
        (Family::Yuv, Sample::U8, true, Some((ratio @ "444", ..))) => format!("{ratio}alpha"),
        (Family::Yuv, Sample::U16, false, Some((ratio, ..))) => format!("{ratio}p{}", pixel.depth),
        _ => bail!(
            "y4m cannot hold {}: name an output that ends in .mkv and add --codec ffv1, or pipe with --container nut \
             --codec rawvideo",
            pixel.name()
        ),
    })
}
