//! The unsharp mask, with FFmpeg's parameters.

use anyhow::{Result, ensure};

use super::super::parameter::{AcceptedNumbers, Kind, Parameter, Preset};
use super::super::spec::{DcGain, Extent, FormatPlane, Group, Spec, Terms};
use super::super::stencil::Row;
use super::super::value::Values;
use super::super::want::Want;
use super::super::weight;

const fn size(name: &'static str, aliases: &'static [&'static str], help: &'static str) -> Parameter {
    Parameter::new(name, Kind::Count(1, 127), Preset::Is("5"), help)
        .unit("samples of the plane, odd")
        .or(aliases)
        .only(AcceptedNumbers::Odd)
}

const fn amount(name: &'static str, aliases: &'static [&'static str], is: &'static str) -> Parameter {
    Parameter::new(name, Kind::Number(-10.0, 10.0), Preset::Is(is), "strength; negative blurs, 0 copies").or(aliases)
}

pub(in super::super) const SPEC: Spec = Spec {
    name: "unsharp",
    elsewhere: &["usm", "unsharpmask"],
    group: Group::Sharpen,
    summary: "unsharp mask: sharpens by what a blur removes, as FFmpeg's does",
    description: "An amount of 0.5 to 1 is usual; beyond 1.5 edges get halos, which cas avoids. \
                  sample + amount (sample - blur). The blur is the row of Pascal's triangle of the given size, as in \
                  FFmpeg, or with sigma a Gaussian, which scales with subsampling. RGB is treated as luma. FFmpeg \
                  repeats the edge sample (border=clamp) and rounds the blur too, so at 8 bits its bytes may differ by \
                  1 or 2; above 8 bits FFmpeg 5.1 hardly sharpens.",
    own: &[
        size("luma_msize_x", &["lx"], "width of the blur of luma"),
        size("luma_msize_y", &["ly"], "height of the blur of luma"),
        amount("luma_amount", &["la", "amount"], "1"),
        size("chroma_msize_x", &["cx"], "width of the blur of chroma"),
        size("chroma_msize_y", &["cy"], "height of the blur of chroma"),
        amount("chroma_amount", &["ca"], "0"),
        size("alpha_msize_x", &["ax"], "width of the blur of alpha"),
        size("alpha_msize_y", &["ay"], "height of the blur of alpha"),
        amount("alpha_amount", &["aa"], "0"),
        Parameter::new(
            "sigma",
            Kind::Number(0.0, 100.0),
            Preset::Derived("a row of Pascal's triangle instead"),
            "standard deviation of a Gaussian, used instead of the sizes",
        )
        .unit("luma pixels"),
    ],
    example: "unsharp=lx=7:ly=7:la=0.8",
    extent: Extent::Space,
    terms: Terms::Ffmpeg,
    gain: DcGain::One,
    want,
    change: None,
};

fn want(values: &Values, target: FormatPlane) -> Result<Want> {
    let [width, height, amount] = match (target.pixel.is_chroma(target.plane), target.pixel.is_alpha(target.plane)) {
        (true, _) => ["chroma_msize_x", "chroma_msize_y", "chroma_amount"],
        (_, true) => ["alpha_msize_x", "alpha_msize_y", "alpha_amount"],
        _ => ["luma_msize_x", "luma_msize_y", "luma_amount"],
    };
    let row = |name: &str, scale: f64| -> Result<Row> {
        if let Some(sigma) = values.typed("sigma") {
            let sigma = sigma * scale;
            return Ok(weight::gaussian(sigma, weight::gaussian_radius(sigma, 3.0)));
        }
        let size = values.count(name);
        ensure!(size % 2 == 1, "{name}={size} is even; type {} or {}", size - 1, size + 1);
        Ok(weight::binomial(size / 2))
    };
    let blur = Want::smooth(row(width, target.scale_x())?, row(height, target.scale_y())?);
    Ok(blur.sharpened(values.number(amount)))
}
