//! Pictures of another size, chroma of another, and samples of another depth or range.

use anyhow::{Result, bail, ensure};

use super::super::change::Change;
use super::super::parameter::{Kind, Parameter, Preset};
use super::super::spec::Spec;
use super::super::value::{Value, Values};
use super::depth::Dithering;
use super::flip;
use super::kernel::{Impulse, SamplingCurve};
use super::shown::{ShownFrames, check, sides};
use super::weight::Axis;
use super::{TAPS, depth, size};
use crate::frame::{Family, FieldOrder, Format, Pixel, Range, Rational, Sample};
use crate::pass::{Arithmetic, Op, Resample};

pub(in super::super) const SPEC: Spec = Spec {
    name: "scale",
    elsewhere: &[
        "zscale",
        "resize",
        "Bicubic",
        "Bilinear",
        "Lanczos",
        "Spline36",
        "libplacebo",
        "scale_cuda",
        "size",
        "depth",
        "bitdepth",
    ],
    summary: "changes the size of the picture, its depth or its range",
    description: "scale=1280:-2 is 1280 pixels wide and keeps the shape; lanczos keeps more detail than bicubic. \
                  Gives the bytes of zimg, which are those of VapourSynth's resize and FFmpeg's zscale, where sizes are \
                  whole numbers of chroma samples; FFmpeg's own scale gives others. Each new sample is a sum of old ones, \
                  weighted by a curve of their distance, which is wider where the picture becomes smaller. impulse is a curve of \
                  your own, with straight lines between its values. A width or height of -1 keeps the shape, one of -2 also makes \
                  it even; 0 is that of the input. Pixels that are not square keep the shape of the picture. Another depth or \
                  range has zimg's bytes too, and later filters work at that depth, as in scale=depth=10,deband. More bits of \
                  limited range are a shift; other conversions are computed in floats and rounded to nearest. Before that, \
                  dither=ordered adds a 16x16 Bayer matrix, turned for each plane; random adds noise, the same in each frame, \
                  which is not zimg's; error_diffusion passes what a sample has lost on to its neighbours (Floyd and Steinberg): \
                  the finest, and slower. Dithered 8 bits are resized with 16. Where size and depth change, frames are resized \
                  at the depth that zimg chooses: never at 8 bits if the other depth is higher, otherwise on the side with fewer \
                  samples. Opacity always has full range. Float chroma is centred on 0.5.",
    own: &[
        size("w", &["width"], "width"),
        size("h", &["height"], "height"),
        Parameter::new(
            "filter",
            Kind::Name(&["bicubic", "lanczos", "bilinear", "point", "spline16", "spline36", "spline64"]),
            Preset::Is("bicubic"),
            "the curve, unless there is an impulse",
        )
        .or(&["f", "flags", "kernel"]),
        Parameter::new(
            "fit",
            Kind::Size,
            Preset::Derived("w and h"),
            "size to fit into: the shape stays, and pixels become square",
        ),
        Parameter::new("b", Kind::Number(-10.0, 10.0), Preset::Is("0"), "first parameter of bicubic").or(&["param_a"]),
        Parameter::new("c", Kind::Number(-10.0, 10.0), Preset::Is("0.5"), "second parameter of bicubic")
            .or(&["param_b"]),
        TAPS,
        Parameter::new(
            "square",
            Kind::Switch,
            Preset::Derived("1 with fit, else 0"),
            "whether pixels become square where they are not",
        ),
        Parameter::new(
            "chroma",
            Kind::Name(&["420", "422", "444", "440", "411", "410"]),
            Preset::Derived("that of the input"),
            "subsampling of chroma",
        ),
        Parameter::new(
            "depth",
            Kind::Name(&DEPTHS),
            Preset::Derived("that of the input"),
            "bits of a sample, or f32 for floats",
        ),
        Parameter::new(
            "dither",
            Kind::Name(&["none", "ordered", "random", "error_diffusion"]),
            Preset::Is("none"),
            "thresholds, noise, or the errors of neighbours, added before samples are rounded to fewer bits",
        )
        .or(&["d", "dither_type"]),
        Parameter::new(
            "range",
            Kind::Name(&["limited", "full"]),
            Preset::Derived("that of the input"),
            "code values of black and white",
        )
        .or(&["out_range"]),
        Parameter::new(
            "rangein",
            Kind::Name(&["limited", "full"]),
            Preset::Derived("the tag of the input"),
            "the same of the input",
        )
        .or(&["range_in", "in_range"]),
        Parameter::new(
            "siting",
            Kind::Name(&SITINGS),
            Preset::Derived("that of the input"),
            "place of chroma among its pixels",
        )
        .or(&["chromal", "chromaloc"]),
        Parameter::new(
            "sitingin",
            Kind::Name(&SITINGS),
            Preset::Derived("the tag of the input"),
            "the same of the input",
        )
        .or(&["chromalin", "chromaloc_in"]),
        Parameter::new(
            "impulse",
            Kind::Numbers,
            Preset::Derived("the curve of filter"),
            "values of a curve of your own, an odd number",
        ),
        Parameter::new("density", Kind::Count(1, 64), Preset::Is("1"), "values of impulse for each sample of distance")
            .or(&["kovrspl"]),
    ],
    example: "scale=iw/2:-2:lanczos",
    change: Some(scaled),
    ..flip::HORIZONTAL
};

/// Depths by their names.
const DEPTHS: [&str; 10] = ["8", "9", "10", "11", "12", "13", "14", "15", "16", "f32"];

/// Places of chroma, in the order of their codes from 1 on.
const SITINGS: [&str; 6] = ["left", "center", "topleft", "top", "bottomleft", "bottom"];

/// Subsampling by the names that formats have, as powers of two.
const CHROMA: [(&str, (u8, u8)); 6] =
    [("420", (1, 1)), ("422", (1, 0)), ("444", (0, 0)), ("440", (0, 1)), ("411", (2, 0)), ("410", (2, 2))];

fn scaled(values: &Values, format: &Format) -> Result<Change> {
    let shown = ShownFrames { format };
    let fit = match values.find("fit") {
        Some(Value::Size(width, height)) => Some((*width, *height)),
        _ => None,
    };
    let is_square = values.typed_switch("square").unwrap_or(fit.is_some());
    let wanted = match fit {
        Some(within) => {
            let is_sized = values.expression("w").is_some() || values.expression("h").is_some();
            ensure!(!is_sized, "fit says the size and so do w and h; leave one of them out");
            fitted(&shown, within, is_square)?
        }
        None => sized(values, &shown, is_square)?,
    };
    let mut to = shown.resized(wanted)?;
    let is_known = format.aspect.value().is_some();
    to.aspect = if is_square && is_known { Rational::new(1, 1) } else { shown.aspect_at(wanted) };
    if to.height != format.height && format.fields != FieldOrder::Unspecified {
        to.fields = FieldOrder::Progressive;
    }
    if let Some(name) = values.typed_word("chroma") {
        let pixel = format.pixel;
        let is_yuv = pixel.family == Family::Yuv;
        ensure!(is_yuv || name == "444", "{} has no chroma to subsample; leave out chroma={name}", pixel.name());
        let found = CHROMA.iter().find(|(known, _)| *known == name).map(|(_, powers)| *powers);
        if let Some((log2_chroma_w, log2_chroma_h)) = found.filter(|_| is_yuv) {
            to.pixel = Pixel { log2_chroma_w, log2_chroma_h, ..pixel };
        }
        if to.pixel != pixel {
            to.colour.siting = if name == "444" { 0 } else { to.colour.siting };
        }
    }
    let mut from = format.clone();
    sited(values, &mut from, &mut to)?;
    check_impulse(values)?;
    from.colour.range = ranged(values, "rangein", format)?.unwrap_or(from.colour.range);
    to.colour.range = ranged(values, "range", format)?.unwrap_or(from.colour.range);
    if let Some(name) = values.typed_word("depth") {
        to.pixel = deep(to.pixel, name);
    }
    let curve = curve(values);
    let dithering = match values.word("dither") {
        "ordered" => Dithering::Ordered,
        "random" => Dithering::Random,
        "error_diffusion" => Dithering::ErrorDiffusion,
        _ => Dithering::None,
    };
    Ok(depth::route(&from, &to, dithering, |from, to, plane| resampled(from, to, plane, &curve)))
}

/// Gives chroma the places that were typed.
fn sited(values: &Values, from: &mut Format, to: &mut Format) -> Result<()> {
    let code =
        |name| SITINGS.iter().position(|known| Some(*known) == values.typed_word(name)).map(|index| index as u8 + 1);
    for (name, format) in [("sitingin", from), ("siting", to)] {
        let Some(code) = code(name) else { continue };
        let (pixel, powers) = (format.pixel, (format.pixel.log2_chroma_w, format.pixel.log2_chroma_h));
        ensure!(powers != (0, 0), "{} has a sample of chroma for each pixel; leave out {name}", pixel.name());
        format.colour.siting = code;
    }
    Ok(())
}

/// Refuses values that are no curve.
fn check_impulse(values: &Values) -> Result<()> {
    let Some(impulse) = values.numbers("impulse") else { return Ok(()) };
    let (count, most) = (impulse.len(), Impulse::MOST);
    ensure!(count % 2 == 1, "impulse has {count} values, and none of them is the middle; type an odd number of them");
    ensure!(count <= most, "impulse has {count} values; type {most} at most");
    let fits = |value: &f64| value.abs() <= 1e6;
    ensure!(impulse.iter().all(fits), "a value of impulse is not from -1000000 to 1000000");
    Ok(())
}

/// The range that was typed under a name.
fn ranged(values: &Values, name: &str, format: &Format) -> Result<Option<Range>> {
    let range = match values.typed_word(name) {
        Some("full") => Range::Full,
        Some(_) => Range::Limited,
        None => return Ok(None),
    };
    let is_rgb = format.pixel.family == Family::Rgb;
    ensure!(!is_rgb || range == Range::Full, "{} is always of full range; leave out {name}", format.pixel.name());
    Ok(Some(range))
}

/// Pixels with another depth.
fn deep(pixel: Pixel, name: &str) -> Pixel {
    match name.parse() {
        Ok(depth) => Pixel {
            alpha: pixel.alpha,
            ..Pixel::integer(pixel.family, pixel.log2_chroma_w, pixel.log2_chroma_h, depth)
        },
        Err(_) => pixel.float(),
    }
}

/// What brings frames of one format to the size, chroma and samples of another, by triangles, one step after another.
pub(crate) fn rescaled(from: &Format, to: &Format) -> Change {
    depth::route(from, to, Dithering::None, |from, to, plane| resampled(from, to, plane, &SamplingCurve::Bilinear))
}

/// The curve that was typed.
pub(in super::super) fn curve(values: &Values) -> SamplingCurve {
    if let Some(impulse) = values.numbers("impulse") {
        return SamplingCurve::Impulse(Impulse { values: impulse.into(), density: values.count("density") });
    }
    let bicubic = [values.number("b"), values.number("c")];
    SamplingCurve::named(values.word("filter"), bicubic, values.count("taps") as u32)
}

/// The size that was typed.
fn sized(values: &Values, shown: &ShownFrames<'_>, is_square: bool) -> Result<(usize, usize)> {
    let (width, height) = shown.size();
    let variables = shown.variables();
    // Towards 0, as FFmpeg does here.
    let (wide, high) = sides(values, &variables, (0.0, 0.0))?;
    [("w", wide), ("h", high)].into_iter().try_for_each(|(name, side)| check_is_size(name, side))?;
    let (w, h) = (wide as isize, high as isize);
    // What the input is like with square pixels.
    let (wide, high) = if is_square { squared(shown) } else { (width as f64, height as f64) };
    let shaped = |grain: isize, exact: f64| {
        let grain = grain.unsigned_abs() as f64;
        ((exact / grain).round() * grain) as usize
    };
    let (w, h) = if w < 0 && h < 0 { (0, 0) } else { (w, h) };
    let size = match (w, h) {
        (0, 0) if is_square => (even(wide), even(high)),
        (w, 0) if w < 0 => (shaped(w, height as f64 * wide / high), height),
        (0, h) if h < 0 => (width, shaped(h, width as f64 * high / wide)),
        (w, h) if w < 0 => (shaped(w, h as f64 * wide / high), h as usize),
        (w, h) if h < 0 => (w as usize, shaped(h, w as f64 * high / wide)),
        (w, h) => (if w == 0 { width } else { w as usize }, if h == 0 { height } else { h as usize }),
    };
    check(size)?;
    Ok(size)
}

/// Refuses what would be cut off to 0, which is the size of the input: a share of it, or a number with a letter that FFmpeg's
/// expressions take for a unit, such as p for 10⁻¹² in `720p`.
fn check_is_size(name: &str, side: f64) -> Result<()> {
    if side <= 0.0 || side >= 1.0 {
        return Ok(());
    }
    let lines = (side * 1e12).round();
    let advice = match (lines <= 16384.0, name) {
        (true, _) => format!("type scale=-2:{lines} for {lines} rows"),
        (false, "w") => format!("type scale=iw*{side}:-2 for that share of the width"),
        (false, _) => format!("type scale=-2:ih*{side} for that share of the height"),
    };
    bail!("{name} is {side}, which is less than one pixel; {advice}")
}

/// Width and height of a picture with square pixels; the side grows that has too few of them.
fn squared(shown: &ShownFrames<'_>) -> (f64, f64) {
    let ((width, height), aspect) = (shown.size(), shown.aspect());
    if aspect >= 1.0 { (width as f64 * aspect, height as f64) } else { (width as f64, height as f64 / aspect) }
}

fn even(length: f64) -> usize {
    (length / 2.0).round() as usize * 2
}

/// The largest size of the picture's shape within another, in whole samples of chroma.
fn fitted(shown: &ShownFrames<'_>, (width, height): (usize, usize), is_square: bool) -> Result<(usize, usize)> {
    check((width, height))?;
    let (own_width, own_height) = shown.size();
    let (wide, high) = if is_square { squared(shown) } else { (own_width as f64, own_height as f64) };
    let factor = (width as f64 / wide).min(height as f64 / high);
    let (across, down) = shown.grain();
    let side = |exact: f64, grain: usize, most: usize| {
        let most = (most / grain * grain).max(1);
        ((exact * factor / grain as f64).round() as usize * grain).clamp(1, most)
    };
    let size = (side(wide, across, width), side(high, down, height));
    if size.0 < across || size.1 < down {
        bail!("fit={width}x{height} leaves no whole sample of chroma; type a size from {across}x{down} on");
    }
    Ok(size)
}

/// How far chroma of that place and subsampling lies before the middle of the pixels that share it, in its own samples.
fn siting(format: &Format, plane: usize) -> (f64, f64) {
    let (across, down) = format.pixel.subsampling(plane);
    let distance = |power: u8| 0.5 * (1.0 - 0.5_f64.powi(power.into()));
    // Untagged chroma lies on the left, as MPEG has it.
    let (left, top) = match format.colour.siting {
        2 => (0.0, 0.0),
        3 => (1.0, 1.0),
        4 => (0.0, 1.0),
        5 => (1.0, -1.0),
        6 => (0.0, -1.0),
        _ => (1.0, 0.0),
    };
    (left * distance(across), top * distance(down))
}

fn resampled(from: &Format, to: &Format, plane: usize, curve: &SamplingCurve) -> Op {
    let (old, new) = (from.plane_size(plane), to.plane_size(plane));
    let (before, after) = (from.pixel.subsampling(plane), to.pixel.subsampling(plane));
    let ((old_x, old_y), (new_x, new_y)) = (siting(from, plane), siting(to, plane));
    let axis = |from, to, lengths: (usize, usize), powers: (u8, u8), shifts: (f64, f64)| {
        // Of the picture, which may be no whole number of chroma samples.
        let power = i32::from(powers.0) - i32::from(powers.1);
        let scale = lengths.1 as f64 / lengths.0 as f64 * 2f64.powi(power);
        Axis { from, to, scale, shift: shifts.0 - shifts.1 / scale }
    };
    let x = axis(old.0, new.0, (from.width, to.width), (before.0, after.0), (old_x, new_x));
    let y = axis(old.1, new.1, (from.height, to.height), (before.1, after.1), (old_y, new_y));
    if x.stays() && y.stays() {
        return Op::Copy;
    }
    let arithmetic = if from.pixel.sample == Sample::F32 { Arithmetic::Real } else { Arithmetic::Integer };
    // Which order has fewer sums, by zimg's count.
    let (wider, higher) = (new.0 as f64 / old.0 as f64, new.1 as f64 / old.1 as f64);
    let x_cost = wider.max(1.0) * 2.0 + wider * higher.max(1.0);
    let y_cost = higher.max(1.0) + higher * wider.max(1.0) * 2.0;
    let phases = |axis: Axis| (!axis.stays()).then(|| axis.phases(curve, arithmetic));
    Op::Resample(Resample { x: phases(x), y: phases(y), x_first: x_cost < y_cost, from: old, arithmetic })
}
