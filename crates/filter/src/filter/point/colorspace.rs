//! Colours of one space as those of another.

use std::sync::Arc;

use anyhow::{Context, Result, bail, ensure};

use super::super::change::Change;
use super::super::parameter::{Kind, Parameter, Preset};
use super::super::shape;
use super::super::spec::{DcGain, Extent, Group, Spec, Terms};
use super::super::value::Values;
use super::hdr::HdrTransfer;
use super::primaries::{BRADFORD, CodeRange, Primaries, Transfer, VON_KRIES, direct, luma, to_rgb, to_yuv};
use crate::frame::{Colour, Family, Format, Pixel, Range};
use crate::pass::{Colorspace, ColourPath, ColourSteps, Op};

/// Names of all properties together, with the code points of matrix, primaries and transfer.
const ALL: [(&str, [u8; 3]); 8] = [
    ("bt470m", [6, 4, 4]),
    ("bt470bg", [5, 5, 5]),
    ("bt601-6-525", [6, 6, 6]),
    ("bt601-6-625", [5, 5, 6]),
    ("bt709", [1, 1, 1]),
    ("smpte170m", [6, 6, 6]),
    ("smpte240m", [7, 7, 7]),
    ("bt2020", [9, 9, 14]),
];

/// Names of matrices.
pub(super) const MATRICES: [(&str, u8); 7] =
    [("bt709", 1), ("fcc", 4), ("bt470bg", 5), ("smpte170m", 6), ("smpte240m", 7), ("bt2020nc", 9), ("bt2020ncl", 9)];

/// Names of primaries.
pub(super) const PRIMARIES: [(&str, u8); 12] = [
    ("bt709", 1),
    ("bt470m", 4),
    ("bt470bg", 5),
    ("smpte170m", 6),
    ("smpte240m", 7),
    ("film", 8),
    ("bt2020", 9),
    ("smpte428", 10),
    ("smpte431", 11),
    ("smpte432", 12),
    ("jedec-p22", 22),
    ("ebu3213", 22),
];

/// Names of transfers.
const TRANSFERS: [(&str, u8); 14] = [
    ("bt709", 1),
    ("bt470m", 4),
    ("gamma22", 4),
    ("bt470bg", 5),
    ("gamma28", 5),
    ("smpte170m", 6),
    ("smpte240m", 7),
    ("linear", 8),
    ("srgb", 13),
    ("iec61966-2-1", 13),
    ("xvycc", 11),
    ("iec61966-2-4", 11),
    ("bt2020-10", 14),
    ("bt2020-12", 15),
];

/// Names of formats, with their subsampling and depth.
const FORMATS: [(&str, (u8, u8), u8); 9] = [
    ("yuv420p", (1, 1), 8),
    ("yuv420p10", (1, 1), 10),
    ("yuv420p12", (1, 1), 12),
    ("yuv422p", (1, 0), 8),
    ("yuv422p10", (1, 0), 10),
    ("yuv422p12", (1, 0), 12),
    ("yuv444p", (0, 0), 8),
    ("yuv444p10", (0, 0), 10),
    ("yuv444p12", (0, 0), 12),
];

/// The names of a list.
pub(super) const fn names<T: Copy, const N: usize>(list: &[(&'static str, T); N]) -> [&'static str; N] {
    let mut names = [""; N];
    let mut n = 0;
    while n < N {
        names[n] = list[n].0;
        n += 1;
    }
    names
}

pub(super) const RANGES: Kind = Kind::Name(&["tv", "mpeg", "limited", "pc", "jpeg", "full"]);
const OF_ALL: Preset = Preset::Derived("that of all");
const OF_INPUT: Preset = Preset::Derived("that of iall, or the tag of the input");

/// Pixels of the output.
pub(super) const FORMAT: Parameter = Parameter::new(
    "format",
    Kind::Name(&[
        "yuv420p",
        "yuv420p10",
        "yuv420p12",
        "yuv422p",
        "yuv422p10",
        "yuv422p12",
        "yuv444p",
        "yuv444p10",
        "yuv444p12",
    ]),
    Preset::Derived("that of the input"),
    "pixels of the output, of the same subsampling",
);

pub(in super::super) const SPEC: Spec = Spec {
    name: "colorspace",
    elsewhere: &["colormatrix"],
    group: Group::Point,
    summary: "converts to another matrix, range, other primaries or another transfer, such as BT.601 to BT.709",
    description: "Has FFmpeg's options and bytes, for YUV of 8, 10 or 12 bits in 4:2:0, 4:2:2 or 4:4:4; other formats are an \
                  error that says what to type. The colours of the input are its tags, or what iall and the others say, and \
                  the output is tagged with the new ones. Where primaries and transfer stay, or with fast=1, luma and chroma \
                  are converted by one matrix; otherwise through linear light of 16 bits, with the chroma of a block for all of \
                  its luma pixels and the mean of their colours for its chroma. An untagged range counts as limited; without \
                  range= the output keeps the tag of the input. Odd sizes, which FFmpeg does not take, have its bytes for the \
                  picture with its edge repeated. format= changes the depth; for the subsampling, add scale=chroma= \
                  before or behind it. Not offered are dither=fsb, because each of its samples depends on those before it, and the \
                  matrices ycgco and gbr. For HDR type tonemap or sdr.",
    own: &[
        Parameter::new(
            "all",
            Kind::Numbered(1, &names(&ALL)),
            Preset::Derived("none"),
            "matrix, primaries and transfer of the output",
        ),
        Parameter::new("space", Kind::Name(&names(&MATRICES)), OF_ALL, "matrix of the output"),
        Parameter::new(
            "range",
            RANGES,
            Preset::Derived("the tag of the input"),
            "code values of black and white of the output",
        ),
        Parameter::new("primaries", Kind::Name(&names(&PRIMARIES)), OF_ALL, "primaries of the output"),
        Parameter::new("trc", Kind::Name(&names(&TRANSFERS)), OF_ALL, "transfer of the output"),
        FORMAT,
        Parameter::new("fast", Kind::Switch, Preset::Is("0"), "whether primaries and transfer are only tagged"),
        Parameter::new("dither", Kind::Name(&["none", "fsb"]), Preset::Is("none"), "none; fsb is not offered"),
        Parameter::new(
            "wpadapt",
            Kind::Word(&["bradford", "vonkries", "identity"]),
            Preset::Is("bradford"),
            "how one white becomes another, where primaries have different ones",
        ),
        Parameter::new(
            "iall",
            Kind::Numbered(1, &names(&ALL)),
            Preset::Derived("the tags of the input"),
            "matrix, primaries and transfer of the input",
        ),
        Parameter::new("ispace", Kind::Name(&names(&MATRICES)), OF_INPUT, "matrix of the input"),
        Parameter::new(
            "irange",
            RANGES,
            Preset::Derived("the tag of the input"),
            "code values of black and white of the input",
        ),
        Parameter::new("iprimaries", Kind::Name(&names(&PRIMARIES)), OF_INPUT, "primaries of the input"),
        Parameter::new("itrc", Kind::Name(&names(&TRANSFERS)), OF_INPUT, "transfer of the input"),
    ],
    example: "colorspace=bt709:iall=bt601-6-625",
    extent: Extent::Picture,
    terms: Terms::Own,
    gain: DcGain::Any,
    want: shape::untouched,
    change: Some(recoloured),
};

/// The code point of a name.
pub(super) fn code(list: &[(&str, u8)], name: &str) -> Option<u8> {
    list.iter().find(|(known, _)| *known == name).map(|(_, code)| *code)
}

/// Names with their code points of H.273.
type Codes = &'static [(&'static str, u8)];

/// Options of one end: matrix, primaries and transfer, each with its names.
const PROPERTIES: [(&str, &str, Codes); 3] =
    [("space", "matrix", &MATRICES), ("primaries", "primaries", &PRIMARIES), ("trc", "transfer", &TRANSFERS)];

/// Matrix, primaries and transfer of one end: what was typed for each, or for all, or the tags; 2 where nothing says.
fn typed(values: &Values, names: [&str; 4], tags: [u8; 3]) -> [u8; 3] {
    let [all, own @ ..] = names;
    let all = values.typed_word(all).and_then(|name| ALL.iter().find(|(known, _)| *known == name));
    let all = all.map_or(tags, |(_, codes)| *codes);
    [0, 1, 2].map(|n| values.typed_word(own[n]).and_then(|name| code(PROPERTIES[n].2, name)).unwrap_or(all[n]))
}

/// The range of that name, if it was typed.
pub(super) fn range_named(values: &Values, name: &str) -> Option<Range> {
    values.typed_word(name).map(|word| match word {
        "pc" | "jpeg" | "full" => Range::Full,
        _ => Range::Limited,
    })
}

/// Fails for pixels that have no such conversion.
pub(super) fn check_pixel(pixel: Pixel) -> Result<()> {
    let name = pixel.name();
    match pixel.family {
        _ if Colorspace::takes(pixel) => return Ok(()),
        Family::Gray => bail!("{name} has no chroma to convert; for another range type scale=range=full"),
        Family::Rgb => bail!("{name} has no matrix; convert it to YUV first: ffmpeg -i CLIP -pix_fmt yuv444p"),
        Family::Yuv if pixel.alpha => {
            bail!("{name} has opacity, which is not converted; leave it out first: ffmpeg -i CLIP -pix_fmt yuv420p")
        }
        Family::Yuv => {}
    }
    let depth = match pixel.depth {
        8 | 10 | 12 => "",
        9 => "depth=10",
        _ => "depth=12",
    };
    let known = Colorspace::takes(Pixel::integer(Family::Yuv, pixel.log2_chroma_w, pixel.log2_chroma_h, 8));
    let steps: Vec<&str> =
        [depth, if known { "" } else { "chroma=444" }].into_iter().filter(|s| !s.is_empty()).collect();
    let step = steps.join(":");
    bail!("{name} is not 4:2:0, 4:2:2 or 4:4:4 of 8, 10 or 12 bits; type scale={step} before it")
}

/// The pixels that come out.
pub(super) fn formatted(values: &Values, pixel: Pixel) -> Result<Pixel> {
    let typed = values.typed_word("format").and_then(|name| FORMATS.iter().find(|(known, ..)| *known == name));
    let Some((name, chroma, depth)) = typed else { return Ok(pixel) };
    let own = pixel.subsampling(1);
    let fits = |format: &&(&str, (u8, u8), u8)| format.1 == own && format.2 == *depth;
    let (digits, nearest) = (&name[3..6], FORMATS.iter().find(fits).map_or("", |(name, ..)| name));
    ensure!(
        *chroma == own,
        "format={name} changes the subsampling of {}; type format={nearest} and scale=chroma={digits} behind it",
        pixel.name()
    );
    Ok(Pixel::integer(Family::Yuv, own.0, own.1, *depth))
}

/// The colours of one end.
#[derive(PartialEq)]
struct ColourSpace {
    luma: [f64; 3],
    primaries: Primaries,
    transfer: Transfer,
}

impl ColourSpace {
    /// Of code points.
    ///
    /// # Errors
    /// If one is unknown, which a tag of the clip can be.
    fn of(codes: [u8; 3]) -> Result<Self> {
        let unknown = |n: usize| {
            let ((option, words, names), code) = (PROPERTIES[n], codes[n]);
            if let Some(hdr) = HdrTransfer::of(code).filter(|_| option == "trc").map(HdrTransfer::name) {
                return format!(
                    "the clip is HDR, {hdr}, which colorspace does not convert; type sdr, or tonemap, in its place"
                );
            }
            let name = names[0].0;
            format!(
                "the clip has a tag of {words}, code {code} of H.273, that FFmpeg's colorspace does not know; type i{option}={name} if \
                 that is close"
            )
        };
        let luma = luma(codes[0]).with_context(|| unknown(0))?;
        let primaries = Primaries::of(codes[1]).with_context(|| unknown(1))?;
        let transfer = Transfer::of(codes[2]).with_context(|| unknown(2))?;
        Ok(Self { luma, primaries, transfer })
    }
}

/// The code points of both ends.
fn codes(values: &Values, colour: Colour, depth: u8) -> Result<[[u8; 3]; 2]> {
    let Colour { primaries, transfer, matrix, .. } = colour;
    let from = typed(values, ["iall", "ispace", "iprimaries", "itrc"], [matrix, primaries, transfer]);
    let mut to = typed(values, ["all", "space", "primaries", "trc"], [2; 3]);
    // BT.2020 has another curve for 12 bits, which FFmpeg chooses for the output alone.
    if values.typed_word("trc").is_none() && to[2] == 14 && depth >= 12 {
        to[2] = 15;
    }
    let missing = |codes: [u8; 3]| {
        let all = PROPERTIES.iter().zip(codes).filter(|(_, code)| *code == 2).map(|((_, words, _), _)| *words);
        all.collect::<Vec<_>>().join(", ")
    };
    let (untagged, unsaid) = (missing(from), missing(to));
    ensure!(unsaid.is_empty(), "the {unsaid} of the output are not given; type all=bt709");
    ensure!(
        untagged.is_empty(),
        "the clip has no tag for its {untagged}; type iall=bt601-6-625 (PAL), iall=bt601-6-525 (NTSC) or iall=bt709 (HD)"
    );
    Ok([from, to])
}

/// The way from one space to another.
fn path(values: &Values, [from, to]: [&ColourSpace; 2], ends: [CodeRange; 2], is_direct: bool) -> Option<ColourPath> {
    if is_direct {
        return direct([from.luma, to.luma], ends).map(ColourPath::Direct);
    }
    let adaptation = match values.word("wpadapt") {
        "bradford" => Some(&BRADFORD),
        "vonkries" => Some(&VON_KRIES),
        _ => None,
    };
    let primaries = match from.primaries == to.primaries {
        true => None,
        false => Some(from.primaries.turned(&to.primaries, adaptation)?),
    };
    let (to_rgb, to_yuv) = (to_rgb(from.luma, ends[0])?, to_yuv(to.luma, ends[1])?);
    let ([linear, _], [_, coded]) = (from.transfer.tables(), to.transfer.tables());
    Some(ColourPath::Linear(Arc::new(ColourSteps { to_rgb, linear, primaries, coded, to_yuv })))
}

fn recoloured(values: &Values, format: &Format) -> Result<Change> {
    check_pixel(format.pixel)?;
    ensure!(
        values.word("dither") == "none",
        "dither=fsb is not offered, because each of its samples depends on those before it; leave it out"
    );
    let pixel = formatted(values, format.pixel)?;
    let [own, wanted] = codes(values, format.colour, pixel.depth)?;
    let (from, to) = (ColourSpace::of(own)?, ColourSpace::of(wanted)?);
    let ranges = ["irange", "range"].map(|name| range_named(values, name).unwrap_or(format.colour.range));
    let [matrix, primaries, transfer] = wanted;
    let made = Format {
        pixel,
        colour: Colour { range: ranges[1], primaries, transfer, matrix, ..format.colour },
        ..format.clone()
    };
    // Ranges that are not tagged are limited.
    let is_full = ranges.map(|range| range == Range::Full);
    let is_fast = values.typed_switch("fast") == Some(true);
    let is_direct = is_fast || (from.primaries == to.primaries && from.transfer == to.transfer);
    if is_direct && from.luma == to.luma && is_full[0] == is_full[1] && format.pixel == pixel {
        return Ok(Change::to(&made, |_| (Op::Copy, "same samples".to_owned())));
    }
    let ends = [CodeRange::new(format.pixel.depth, is_full[0]), CodeRange::new(pixel.depth, is_full[1])];
    let path = path(values, [&from, &to], ends, is_direct)
        .context("these colours lie too far apart for weights of 16 bits; go by bt709 in two steps")?;
    let op = Op::Colorspace(Colorspace { from: format.pixel, to: pixel, black: ends.map(|end| end.black), path });
    let reason = reason(own, wanted, is_full);
    Ok(Change::to(&made, |_| (op.clone(), reason.clone())))
}

/// The properties that change, in words: `matrix bt470bg to bt709, limited to full range`.
fn reason(from: [u8; 3], to: [u8; 3], is_full: [bool; 2]) -> String {
    let mut words = Vec::new();
    for (n, (_, property, names)) in PROPERTIES.iter().enumerate() {
        let name = |code: u8| {
            let found = names.iter().find(|(_, known)| *known == code);
            found.map_or_else(|| format!("code {code}"), |(name, _)| (*name).to_owned())
        };
        if from[n] != to[n] {
            words.push(format!("{property} {} to {}", name(from[n]), name(to[n])));
        }
    }
    match is_full {
        [false, true] => words.push("limited to full range".to_owned()),
        [true, false] => words.push("full to limited range".to_owned()),
        _ => {}
    }
    if words.is_empty() { "same colours".to_owned() } else { words.join(", ") }
}
