//! FFmpeg's `convolution`, with its syntax and its bytes.

use anyhow::{Result, bail, ensure};

use crate::pass::Combine;

use super::super::parameter::{Kind, Parameter, Preset};
use super::super::spec::{DcGain, Extent, FormatPlane, Group, Spec, Terms};
use super::super::stencil::{Matrix, Shape, Stencil};
use super::super::value::Values;
use super::super::want::Want;

const MATRIX: Preset = Preset::Derived("the plane is copied");
const MODES: Kind = Kind::Word(&["square", "row", "column"]);

const fn matrix(name: &'static str) -> Parameter {
    Parameter::new(name, Kind::Numbers, MATRIX, "taps of this plane, row by row, between spaces or |")
}

const fn rdiv(name: &'static str) -> Parameter {
    Parameter::new(name, Kind::Number(-1e9, 1e9), Preset::Is("0"), "factor of the sum; 0: 1 over the sum of the taps")
}

const fn bias(name: &'static str) -> Parameter {
    Parameter::new(name, Kind::Number(-1e9, 1e9), Preset::Is("0"), "added to the result").unit("sample values")
}

const fn mode(name: &'static str) -> Parameter {
    Parameter::new(name, MODES, Preset::Is("square"), "shape of the kernel: a square, a row, or a column")
}

pub(in super::super) const SPEC: Spec = Spec {
    name: "convolution",
    elsewhere: &["Convolution"],
    group: Group::Any,
    summary: "any square, row or column kernel, in FFmpeg's syntax",
    description: "Same syntax as FFmpeg's filter, and with integer taps the same bytes. A plane without a matrix is \
                  copied, alpha too. rdiv 0 means 1 over the sum of the taps, or 1 if that sum is 0. A square has 9, \
                  25, 49, … taps, a row or column an odd number. As in FFmpeg, bias is in sample values and chroma is \
                  not centred. Unlike FFmpeg, taps may be fractions and bias negative. The default border is \
                  reflect101, as in FFmpeg 7.1.5 and 9.0. Other versions mirror unevenly, without the edge sample at \
                  the left and the top and with it at the right and the bottom: 5.1 in 3x3 squares only, 6.1 and 8.0 \
                  in all shapes; border=lopsided gives their bytes. FFmpeg before 7.0 ignores rdiv; here it counts, as \
                  in later versions. Above 8 bits FFmpeg's mode=column skips every other row, so its bytes differ.",
    own: &[
        matrix("0m"),
        matrix("1m"),
        matrix("2m"),
        matrix("3m"),
        rdiv("0rdiv"),
        rdiv("1rdiv"),
        rdiv("2rdiv"),
        rdiv("3rdiv"),
        bias("0bias"),
        bias("1bias"),
        bias("2bias"),
        bias("3bias"),
        mode("0mode"),
        mode("1mode"),
        mode("2mode"),
        mode("3mode"),
    ],
    example: "convolution=0 -1 0 -1 5 -1 0 -1 0",
    extent: Extent::Space,
    terms: Terms::Ffmpeg,
    gain: DcGain::Any,
    want,
    change: None,
};

fn want(values: &Values, target: FormatPlane) -> Result<Want> {
    let plane = target.plane;
    let rdiv = values.number(["0rdiv", "1rdiv", "2rdiv", "3rdiv"][plane]);
    let bias = values.number(["0bias", "1bias", "2bias", "3bias"][plane]);
    let taps = match values.numbers(["0m", "1m", "2m", "3m"][plane]) {
        Some(taps) => taps,
        None if rdiv == 0.0 && bias == 0.0 => return Ok(Want::Copy),
        None => &[1.0],
    };
    let length = taps.len();
    ensure!(length % 2 == 1, "plane {plane} has {length} taps; type an odd number of them");
    ensure!(length <= Matrix::MAX_TAPS, "plane {plane} has {length} taps; type at most {}", Matrix::MAX_TAPS);
    let side = (length as f64).sqrt().round() as usize;
    let size = match values.word(["0mode", "1mode", "2mode", "3mode"][plane]) {
        "row" => [1, 1, length],
        "column" => [1, length, 1],
        _ if side * side == length => [1, side, side],
        _ => bail!("plane {plane} has {length} taps, which is no square; type 9, 25, 49, … or {plane}mode=row"),
    };
    let sum: f64 = taps.iter().sum();
    let scale = match (rdiv, sum) {
        (0.0, 0.0) => 1.0,
        (0.0, _) => 1.0 / sum,
        _ => rdiv,
    };
    let shape = Shape::Kernels(vec![Matrix::centred(size, taps.to_vec())], Combine::Sum);
    Ok(Want::Stencil(Stencil { bias, ..Stencil::scaled(shape, scale) }))
}
