//! The Gaussian in time alone.

use super::super::parameter::{Kind, Parameter, Preset};
use super::super::spec::{DcGain, Extent, Group, Spec, Terms};
use super::super::stencil::Row;
use super::super::want::Want;
use super::super::weight;

pub(in super::super) const SPEC: Spec = Spec {
    name: "tgaussian",
    elsewhere: &[],
    group: Group::Time,
    summary: "Gaussian blur in time only",
    description: "Frames weighted by a Gaussian, cut off at truncate standard deviations and scaled to sum to 1. For \
                  space as well, use gaussian3d.",
    own: &[
        Parameter::new("sigma", Kind::Number(0.0, 100.0), Preset::Is("1"), "standard deviation; 0 does nothing")
            .unit("frames"),
        Parameter::new("truncate", Kind::Number(0.5, 8.0), Preset::Is("3"), "cutoff in standard deviations")
            .unit("standard deviations"),
    ],
    example: "tgaussian=sigma=1.5",
    extent: Extent::Time,
    terms: Terms::Own,
    gain: DcGain::One,
    want: |values, _| {
        let sigma = values.number("sigma");
        let t = weight::gaussian(sigma, weight::gaussian_radius(sigma, values.number("truncate")));
        Ok(Want::smooth_in_time(t, Row::identity(), Row::identity()))
    },
    change: None,
};
