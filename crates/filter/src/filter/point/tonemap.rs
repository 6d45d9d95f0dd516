//! HDR as SDR.

use std::sync::Arc;

use anyhow::{Context, Result, bail};

use super::super::change::Change;
use super::super::parameter::{Kind, Parameter, Preset};
use super::super::shape::{self, scale::rescaled};
use super::super::spec::{DcGain, Extent, Group, Spec, Terms};
use super::super::value::Values;
use super::colorspace::{FORMAT, MATRICES, PRIMARIES, RANGES, check_pixel, code, formatted, names, range_named};
use super::hdr::{HdrTransfer, ToneCurve, bt1886};
use super::primaries::{BRADFORD, BT_709, CodeRange, Primaries, luma, to_rgb, to_yuv};
use crate::frame::{Colour, Format, LightLevel, Pixel, Range, Sample};
use crate::pass::{Colorspace, ColourPath, Op, ToneSteps};

/// Names of transfers of HDR.
const TRANSFERS: [(&str, u8); 4] = [("smpte2084", 16), ("pq", 16), ("arib-std-b67", 18), ("hlg", 18)];

/// Peak of a clip that does not say it, and of the display of HLG, in cd/m².
const PEAK: f64 = 1000.0;

/// Highest luminance that PQ codes, in cd/m².
const MOST: f64 = 10000.0;

const CURVE: Parameter = Parameter::new(
    "tonemap",
    Kind::Name(&["bt2390", "hable", "mobius", "reinhard", "clip"]),
    Preset::Is("bt2390"),
    "curve that compresses highlights: bt2390 leaves all below its knee, hable darkens all, clip cuts off",
);
const LUMINANCE: Parameter = Parameter::new(
    "peak",
    Kind::Number(50.0, MOST),
    Preset::Derived("PQ: MaxCLL of the clip, or the maximum of its mastering display, or 1000; HLG: 1000"),
    "luminance that becomes white",
)
.unit("cd/m²");
const TARGET: Parameter = Parameter::new(
    "target",
    Kind::Number(50.0, 1000.0),
    Preset::Is("203"),
    "luminance of the white of the output; 203 is the reference white of BT.2408",
)
.unit("cd/m²");
const TRANSFER: Parameter = Parameter::new(
    "itrc",
    Kind::Name(&names(&TRANSFERS)),
    Preset::Derived("the tag of the input"),
    "transfer of the input: smpte2084 or pq, arib-std-b67 or hlg",
);
const INPUT_PRIMARIES: Parameter = Parameter::new(
    "iprimaries",
    Kind::Name(&names(&PRIMARIES)),
    Preset::Derived("the tag of the input, or bt2020"),
    "primaries of the input",
);
const MATRIX: Parameter = Parameter::new(
    "ispace",
    Kind::Name(&names(&MATRICES)),
    Preset::Derived("the tag of the input, or bt2020nc"),
    "matrix of the input",
);
const INPUT_RANGE: Parameter = Parameter::new(
    "irange",
    RANGES,
    Preset::Derived("the tag of the input"),
    "code values of black and white of the input",
);

pub(in super::super) const SPEC: Spec = Spec {
    name: "tonemap",
    elsewhere: &["tonemap_opencl", "tonemap_vaapi", "hdr2sdr", "tonemapping"],
    group: Group::Point,
    summary: "maps HDR, PQ or HLG, to SDR of BT.709 for ordinary displays",
    description: "For YUV of 8, 10 or 12 bits in 4:2:0, 4:2:2 or 4:4:4 that is tagged PQ (SMPTE ST 2084) or HLG (ARIB STD-B67), or said \
                  to be so by itrc=. Light is that of the display: HLG is rendered for one of peak= cd/m² (OOTF of BT.2100). A curve of the \
                  largest of red, green and blue scales all three, so that the hue stays; the primaries become BT.709's, where \
                  colours that it does not have are clipped; and a display of BT.1886, gamma 2.4, shows the result. The output is tagged BT.709, \
                  and its mastering and light-level metadata are dropped. Curves have FFmpeg's names and constants, and results within a \
                  step of 8 bits of zscale and tonemap=desat=0 for colours that BT.709 has; peak= and target= are in cd/m², where \
                  FFmpeg's peak counts in reference whites. Tables replace the exact functions: for colours with at least 1/500 of \
                  each primary of BT.709, 8 and 10 bits are within 1 step of them, 12 bits within 3. format= changes the depth; sdr \
                  does all for the web at once.",
    own: &[
        CURVE,
        LUMINANCE,
        TARGET,
        Parameter::new("range", RANGES, Preset::Is("tv"), "code values of black and white of the output"),
        FORMAT,
        TRANSFER,
        INPUT_PRIMARIES,
        MATRIX,
        INPUT_RANGE,
    ],
    example: "tonemap=hable:itrc=smpte2084",
    extent: Extent::Picture,
    terms: Terms::Own,
    gain: DcGain::Any,
    want: shape::untouched,
    change: Some(mapped),
};

pub(in super::super) const SDR: Spec = Spec {
    name: "sdr",
    elsewhere: &["hdrtosdr", "hdr-to-sdr"],
    group: Group::Point,
    summary: "makes of HDR what every player shows: SDR of BT.709, 8 bits, 4:2:0",
    description: "tonemap with format=yuv420p, and scale=chroma=420 behind it for 4:2:2 and 4:4:4.",
    own: &[CURVE, LUMINANCE, TARGET, TRANSFER, INPUT_PRIMARIES, MATRIX, INPUT_RANGE],
    example: "sdr=itrc=smpte2084",
    extent: Extent::Picture,
    terms: Terms::Own,
    gain: DcGain::Any,
    want: shape::untouched,
    change: Some(for_players),
};

/// The transfer that was typed, or the tag.
fn transfer(values: &Values, tag: u8) -> Result<HdrTransfer> {
    let typed = values.typed_word("itrc").and_then(|name| code(&TRANSFERS, name));
    if let Some(known) = HdrTransfer::of(typed.unwrap_or(tag)) {
        return Ok(known);
    }
    if tag == 2 {
        bail!("the clip has no tag for its transfer; type itrc=smpte2084 (PQ) or itrc=arib-std-b67 (HLG) if it is HDR");
    }
    bail!(
        "the clip is tagged SDR, transfer {tag} of H.273; leave this filter out, or type itrc=smpte2084 if the tag is wrong"
    )
}

/// The code point that was typed, or the tag, or BT.2020's.
fn property(values: &Values, name: &str, list: &[(&str, u8)], tag: u8) -> u8 {
    let typed = values.typed_word(name).and_then(|word| code(list, word));
    typed.unwrap_or(if tag == 2 { 9 } else { tag })
}

/// The luminance that becomes white, in cd/m², and what says so.
fn peak(values: &Values, transfer: HdrTransfer, light: LightLevel) -> (f64, &'static str) {
    let known = |value: u32| (value > 0).then_some(f64::from(value).clamp(50.0, MOST));
    if let Some(typed) = values.typed("peak") {
        return (typed, "");
    }
    match (transfer, known(light.brightest), known(light.mastered)) {
        (HdrTransfer::Pq, Some(peak), _) => (peak, " (MaxCLL)"),
        (HdrTransfer::Pq, None, Some(peak)) => (peak, " (mastering display)"),
        _ => (PEAK, ""),
    }
}

/// The change to SDR of some pixels and a range.
fn toned(values: &Values, format: &Format, pixel: Pixel, range: Range) -> Result<Change> {
    let Colour { primaries, transfer: tag, matrix, .. } = format.colour;
    let transfer = transfer(values, tag)?;
    let (peak, source) = peak(values, transfer, format.light);
    let target = values.number("target");
    let curve = values.word("tonemap");
    let codes = [property(values, "ispace", &MATRICES, matrix), property(values, "iprimaries", &PRIMARIES, primaries)];
    let unknown = |what: &str, n: usize, hint: &str| {
        format!(
            "the clip has a tag of {what}, code {} of H.273, that is not converted; type {hint} if that is close",
            codes[n]
        )
    };
    let weights = luma(codes[0]).with_context(|| unknown("matrix", 0, "ispace=bt2020nc"))?;
    let from = Primaries::of(codes[1]).with_context(|| unknown("primaries", 1, "iprimaries=bt2020"))?;
    let own = range_named(values, "irange").unwrap_or(format.colour.range);
    // Ranges that are not tagged are limited.
    let ends = [(format.pixel, own), (pixel, range)].map(|(p, range)| CodeRange::new(p.depth, range == Range::Full));
    let ways = to_rgb(weights, ends[0]).zip(to_yuv(BT_709.luma, ends[1]));
    let (to_rgb, to_yuv) = ways.context("the weights of its matrix have no room in 16 bits")?;
    let steps = ToneSteps {
        to_rgb,
        linear: transfer.linear(target),
        system: transfer.system(from.luminance(), peak, target),
        gain: ToneCurve::named(curve).gain(peak / target, target),
        primaries: from.converted(&BT_709.primaries, Some(&BRADFORD)).map(|row| row.map(|weight| weight as f32)),
        coded: bt1886(),
        to_yuv,
    };
    let path = ColourPath::Tone(Arc::new(steps));
    let op = Op::Colorspace(Colorspace { from: format.pixel, to: pixel, black: ends.map(|end| end.black), path });
    let colour = Colour { range, primaries: 1, transfer: 1, matrix: 1, ..format.colour };
    let made = Format { pixel, colour, light: LightLevel::default(), ..format.clone() };
    let reason = format!("{} to BT.709, {curve} from {peak}{source} to {target} cd/m²", transfer.name());
    Ok(Change::to(&made, |_| (op.clone(), reason.clone())))
}

fn mapped(values: &Values, format: &Format) -> Result<Change> {
    check_pixel(format.pixel)?;
    let range = range_named(values, "range").unwrap_or(Range::Limited);
    toned(values, format, formatted(values, format.pixel)?, range)
}

fn for_players(values: &Values, format: &Format) -> Result<Change> {
    check_pixel(format.pixel)?;
    let pixel = Pixel { sample: Sample::U8, depth: 8, ..format.pixel };
    let change = toned(values, format, pixel, Range::Limited)?;
    let made = change.format.clone();
    let next = Format { pixel: Pixel::yuv420p(8), ..made.clone() };
    Ok(change.before((next.pixel != pixel).then(|| rescaled(&made, &next))))
}
