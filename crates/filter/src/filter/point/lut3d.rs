//! A table of colours from a file.

use anyhow::{Context, Result, ensure};

use super::super::colour::{BT_601, weights};
use super::super::parameter::{Kind, Parameter, Preset};
use super::super::spec::{FormatPlane, Spec};
use super::super::value::Values;
use super::super::want::Want;
use super::gain;
use crate::frame::{Family, Range};
use crate::pass::{ColourMap, ColourMatrix, Grade, LatticeMode, Op};

pub(super) const MATRIX: Parameter = Parameter::new(
    "matrix",
    Kind::Name(&["bt601", "bt709", "bt2020"]),
    Preset::Derived("the clip's, or bt601"),
    "matrix of YUV",
);

pub(in super::super) const SPEC: Spec = Spec {
    name: "lut3d",
    elsewhere: &["TimeCube", "DBLut"],
    summary: "maps colours by a 3D lookup table from a .cube or .3dl file",
    description: "Looks of films and cameras come as such files; strength=0.5 takes half of one. \
                  RGB of 8 bits has the bytes of FFmpeg's lut3d, which cuts off fractions. Above 8 bits and in floats FFmpeg's \
                  bytes depend on the processor; here they are those of its C code, the same everywhere. The domain of a .cube \
                  file is followed as its specification says; FFmpeg ignores DOMAIN_MIN, and DOMAIN_MAX in front of the size. \
                  Whole numbers of a .3dl file count from 0 to the largest of their depth. YUV and grey are converted to RGB and \
                  back in 32-bit floats by the clip's matrix and range, and rounded; FFmpeg converts to 8-bit RGB and back. An \
                  untagged clip counts as BT.601, as in FFmpeg. Subsampled chroma is interpolated at each luma pixel, and luma at \
                  each chroma sample, by the clip's chroma location, so that no detail is lost: a table that changes nothing changes no \
                  sample whose colour is within its domain. Colour tags stay as they are, whatever the table converts to.",
    own: &[
        Parameter::new("file", Kind::Cube, Preset::Derived("none"), "file with the table"),
        Parameter::new(
            "interp",
            Kind::Name(&["tetrahedral", "trilinear", "nearest"]),
            Preset::Is("tetrahedral"),
            "interpolation between the points of the table",
        ),
        Parameter::new("strength", Kind::Number(0.0, 1.0), Preset::Is("1"), "share of the result, mixed in RGB"),
        MATRIX,
    ],
    example: "lut3d=samples/warm.cube",
    want,
    ..gain::GAIN
};

fn want(values: &Values, target: FormatPlane) -> Result<Want> {
    let cube = values.cube("file").context("there is no table; type lut3d=look.cube")?;
    let strength = values.number("strength") as f32;
    if strength == 0.0 || target.pixel.is_alpha(target.plane) {
        return Ok(Want::Copy);
    }
    let mode = match values.word("interp") {
        "trilinear" => LatticeMode::Trilinear,
        "nearest" => LatticeMode::Nearest,
        _ => LatticeMode::Tetrahedral,
    };
    let matrix = matrix(values, target)?;
    Ok(Want::Operation(Op::Grade(Grade { map: ColourMap::Lattice(cube.lattice.clone(), mode), strength, matrix })))
}

/// How planes become colours, by what was typed or the clip's tags; `None` for RGB.
pub(super) fn matrix(values: &Values, target: FormatPlane) -> Result<Option<ColourMatrix>> {
    let FormatPlane { pixel, colour, range, .. } = target;
    let matrix = match values.typed_word("matrix") {
        Some("bt709") => 1,
        Some("bt2020") => 9,
        Some(_) => 6,
        None => colour.matrix,
    };
    // FFmpeg takes untagged clips, and those tagged as RGB, for BT.601.
    let known = weights(matrix).or_else(|| matches!(matrix, 0 | 2 | 3).then_some(BT_601));
    ensure!(
        known.is_some() || pixel.family != Family::Yuv,
        "the clip's matrix, code {matrix} of H.273, has no weights of red and blue; type matrix=bt2020 if it is close"
    );
    let siting = ColourMatrix::siting(pixel, colour.siting);
    let matrix = ColourMatrix::new(known.unwrap_or(BT_601), pixel, range == Range::Limited, siting);
    Ok((pixel.family != Family::Rgb).then_some(matrix))
}
