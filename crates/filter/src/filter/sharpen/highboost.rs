//! High-boost filtering: the unsharp mask of the textbook.

use super::super::parameter::{Kind, Parameter, Preset};
use super::super::spec::{DcGain, Extent, Group, Spec, Terms};
use super::super::stencil::Row;
use super::super::want::Want;
use super::super::weight;

pub(in super::super) const SPEC: Spec = Spec {
    name: "highboost",
    elsewhere: &[],
    group: Group::Sharpen,
    summary: "high-boost: sharpens all planes by the detail a Gaussian removes",
    description: "sample + boost (sample - gaussian), the textbook's high-boost filter, in chroma as well as in luma.",
    own: &[
        Parameter::new("boost", Kind::Number(0.0, 10.0), Preset::Is("1.5"), "strength; 1 is the plain unsharp mask"),
        Parameter::new("sigma", Kind::Number(0.0, 100.0), Preset::Is("1"), "standard deviation of the Gaussian")
            .unit("luma pixels"),
    ],
    example: "highboost=boost=2:sigma=1.2",
    extent: Extent::Space,
    terms: Terms::Own,
    gain: DcGain::One,
    want: |values, target| {
        let row = |scale: f64| -> Row {
            let sigma = values.number("sigma") * scale;
            weight::gaussian(sigma, weight::gaussian_radius(sigma, 3.0))
        };
        Ok(Want::smooth(row(target.scale_x()), row(target.scale_y())).sharpened(values.number("boost")))
    },
    change: None,
};
