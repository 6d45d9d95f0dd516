//! The Gaussian by sigma or by frequency for each plane.

use anyhow::{Result, ensure};

use super::super::parameter::{Kind, Parameter, Preset};
use super::super::spec::{DcGain, Extent, FormatPlane, Group, Spec, Terms};
use super::super::stencil::Row;
use super::super::value::Values;
use super::super::want::Want;
use super::super::weight;

const MAX_SIGMA: f64 = 1000.0;

pub(in super::super) const SPEC: Spec = Spec {
    name: "lowpass",
    elsewhere: &[],
    group: Group::Smooth,
    summary: "Gaussian blur with a sigma or a cutoff frequency for each plane",
    description: "Like gaussian, but in samples of each plane, whatever its subsampling, and with a value for each \
                  plane: one for all, or several in the order y u v a or g b r a, of which the last is repeated. \
                  Instead of sigma, cutoff is the frequency at which half of the amplitude is left, sqrt(ln 2 / 2) / \
                  (pi sigma). Sigma 0 and cutoff 0 leave a plane unchanged.",
    own: &[
        Parameter::new("sigma", Kind::Numbers, Preset::Derived("1"), "standard deviation in each plane, 0 to 1000")
            .unit("samples of the plane"),
        Parameter::new(
            "cutoff",
            Kind::Numbers,
            Preset::Derived("sigma is used"),
            "frequency at which half of the amplitude is left in each plane, 0.0002 to 0.5, or 0",
        )
        .unit("cycles per sample of the plane"),
        Parameter::new(
            "truncate",
            Kind::Number(0.5, 8.0),
            Preset::Is("3"),
            "cutoff: the radius is truncate times sigma, rounded",
        )
        .unit("standard deviations"),
    ],
    example: "lowpass=sigma='0.8 2'",
    extent: Extent::Space,
    terms: Terms::Own,
    gain: DcGain::One,
    want,
    change: None,
};

fn want(values: &Values, target: FormatPlane) -> Result<Want> {
    let (sigmas, cutoffs) = (values.numbers("sigma"), values.numbers("cutoff"));
    ensure!(sigmas.is_none() || cutoffs.is_none(), "sigma and cutoff are both given; leave one of them out");
    let given = sigmas.or(cutoffs).unwrap_or(&[1.0]);
    ensure!(given.len() <= 4, "{} values for at most 4 planes; type one for each plane", given.len());
    // Opacity is the fourth also where there is no chroma before it.
    let place = if target.pixel.is_alpha(target.plane) { 3 } else { target.plane };
    let value = given[place.min(given.len() - 1)];
    let sigma = match cutoffs {
        None => {
            ensure!((0.0..=MAX_SIGMA).contains(&value), "sigma={value} is out of range; type 0 to {MAX_SIGMA}");
            value
        }
        Some(_) if value == 0.0 => 0.0,
        Some(_) => {
            ensure!((0.0002..=0.5).contains(&value), "cutoff={value} is out of range; type 0.0002 to 0.5, or 0");
            // A bell of this sigma has the response exp(−2 π² sigma² f²), which is 1/2 at the cutoff.
            (std::f64::consts::LN_2 / 2.0).sqrt() / (std::f64::consts::PI * value)
        }
    };
    let row = || -> Row { weight::gaussian(sigma, weight::gaussian_radius(sigma, values.number("truncate"))) };
    Ok(if sigma == 0.0 { Want::Copy } else { Want::smooth(row(), row()) })
}
