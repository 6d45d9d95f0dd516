//! Saturation of what has little.

use anyhow::Result;

use super::super::parameter::{Kind, Parameter, Preset};
use super::super::spec::{FormatPlane, Spec};
use super::super::value::Values;
use super::super::want::Want;
use super::gain;
use super::lut3d::{self, MATRIX};
use crate::frame::Family;
use crate::pass::{ColourMap, Grade, Op, Vibrance};

/// The factor of a colour's strength.
const fn balance(name: &'static str, help: &'static str) -> Parameter {
    Parameter::new(name, Kind::Number(-10.0, 10.0), Preset::Is("1"), help)
}

/// The weight of a colour in luma.
const fn luma(name: &'static str, default: &'static str, help: &'static str) -> Parameter {
    Parameter::new(name, Kind::Number(0.0, 1.0), Preset::Is(default), help)
}

pub(in super::super) const SPEC: Spec = Spec {
    name: "vibrance",
    elsewhere: &["Vibrance"],
    summary: "changes saturation by how vivid a colour is already",
    description: "FFmpeg's vibrance: with l the luma of a colour and m its largest part less its smallest, each part c becomes l + (c - l) \
                  (1 + s (1 + sign(s) m)), s being the intensity times the balance of the part; with alternate the sign is the other \
                  one, so that vivid colours change less. RGB of whole numbers has FFmpeg's bytes, which cut off \
                  fractions; its weights of red and blue are those of FFmpeg, which has them the other way round. YUV is converted to RGB \
                  and back in 32-bit floats by the clip's matrix and range, as lut3d does, and rounded; FFmpeg converts to 8-bit RGB. \
                  Grey stays as it is.",
    own: &[
        Parameter::new("intensity", Kind::Number(-2.0, 2.0), Preset::Is("0"), "strength; 0 changes nothing"),
        balance("rbal", "factor of the strength of red"),
        balance("gbal", "factor of the strength of green"),
        balance("bbal", "factor of the strength of blue"),
        luma("rlum", "0.072186", "weight of red in luma"),
        luma("glum", "0.715158", "weight of green in luma"),
        luma("blum", "0.212656", "weight of blue in luma"),
        Parameter::new("alternate", Kind::Switch, Preset::Is("0"), "1: pale colours change more; 0: vivid ones do"),
        MATRIX,
    ],
    example: "vibrance=0.5:alternate=1",
    want,
    ..gain::GAIN
};

fn want(values: &Values, target: FormatPlane) -> Result<Want> {
    let intensity = values.number("intensity") as f32;
    if target.pixel.is_alpha(target.plane) || target.pixel.family == Family::Gray || intensity == 0.0 {
        return Ok(Want::Copy);
    }
    let alternate = if values.number("alternate") == 1.0 { 1.0 } else { -1.0 };
    let intensity = ["rbal", "gbal", "bbal"].map(|name| intensity * values.number(name) as f32);
    let turn = intensity.map(|strength| if strength > 0.0 { alternate } else { -alternate });
    let weights = ["rlum", "glum", "blum"].map(|name| values.number(name) as f32);
    let map = ColourMap::Vibrance(Vibrance { intensity, turn, weights });
    Ok(Want::Operation(Op::Grade(Grade { map, strength: 1.0, matrix: lut3d::matrix(values, target)? })))
}
