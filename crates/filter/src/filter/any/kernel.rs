//! A kernel of the user's own, of one, two or three dimensions.

use anyhow::{Result, ensure};

use crate::pass::Combine;

use super::super::parameter::{Kind, Parameter, Preset};
use super::super::spec::{DcGain, Extent, FormatPlane, Group, Spec, Terms};
use super::super::stencil::{Matrix, Shape, Stencil};
use super::super::value::Values;
use super::super::want::Want;

const fn plane(name: &'static str) -> Parameter {
    Parameter::new(
        name,
        Kind::Kernel,
        Preset::Derived("as kernel"),
        "kernel of this plane only; for alpha, type planes=all too",
    )
}

pub(in super::super) const SPEC: Spec = Spec {
    name: "kernel",
    elsewhere: &["filter2D", "conv2", "convolve", "correlate"],
    group: Group::Any,
    summary: "any kernel in x, y and t; text, or a .txt, .csv, .json, .npy file",
    description: "Numbers are separated by spaces or commas; ; or a new line ends a row, | or an empty line ends a \
                  frame, & separates kernels to combine, # begins a comment. Fractions such as 1/9 are numbers, and \
                  the brackets of MATLAB and Python are accepted. One row is a horizontal kernel, a column of rows a \
                  vertical one, '1 | 2 | 1' one in time. JSON holds arrays of 1, 2 or 3 dimensions, or an object of \
                  kernel, scale and anchor; NumPy files any type of number. The kernel is applied as written \
                  (correlation); flip=1 turns it round, which is the textbook's convolution. It may have any size, \
                  even or odd. The sum is divided by that of the taps, as convolution does it, unless scale is given or the taps sum to 0. A plane without a kernel is copied.",
    own: &[
        Parameter::new("kernel", Kind::Kernel, Preset::Derived("none"), "kernel of all planes").or(&["k"]),
        Parameter::new(
            "scale",
            Kind::Number(-1e9, 1e9),
            Preset::Derived("the file's, or 1 over the sum of the taps"),
            "factor of the sum",
        ),
        Parameter::new("bias", Kind::Number(-1e3, 1e3), Preset::Is("0"), "added to the result, except in chroma")
            .unit("fraction of full scale"),
        Parameter::new("file", Kind::File, Preset::Derived("none"), "file with the kernel, of any name"),
        Parameter::new(
            "anchor",
            Kind::Numbers,
            Preset::Derived("the file's, or the middle, size/2"),
            "tap on the sample itself: x, y and t, counted from 0",
        ),
        Parameter::new("flip", Kind::Switch, Preset::Is("0"), "1 rotates the kernel by 180 degrees, anchor included"),
        Parameter::new(
            "normalize",
            Kind::Switch,
            Preset::Derived("1, unless there is a scale or the taps sum to 0"),
            "1 divides by the sum of the taps, so that a flat picture stays the same",
        ),
        Parameter::new(
            "combine",
            Kind::Word(&["sum", "magnitude", "max"]),
            Preset::Is("sum"),
            "combination of several kernels' sums: their sum, the root of the sum of squares, the largest absolute \
             value",
        ),
        Parameter::new("abs", Kind::Switch, Preset::Is("0"), "1 takes the absolute value of the sum of one kernel"),
        plane("kernel0"),
        plane("kernel1"),
        plane("kernel2"),
        plane("kernel3"),
    ],
    example: "kernel='1 2 1; 2 4 2; 1 2 1'",
    extent: Extent::Time,
    terms: Terms::Own,
    gain: DcGain::Any,
    want,
    change: None,
};

fn want(values: &Values, target: FormatPlane) -> Result<Want> {
    let (inline, file) = (values.kernel("kernel"), values.kernel("file"));
    ensure!(inline.is_none() || file.is_none(), "kernel and file are both given; leave one of them out");
    let planes = ["kernel0", "kernel1", "kernel2", "kernel3"];
    ensure!(
        inline.or(file).is_some() || planes.iter().any(|plane| values.kernel(plane).is_some()),
        "there is no kernel; type kernel='0 -1 0; -1 5 -1; 0 -1 0' or kernel=taps.txt"
    );
    let Some(taps) = values.kernel(planes[target.plane]).or(inline).or(file) else { return Ok(Want::Copy) };
    let combine = match (values.word("combine"), values.is_on("abs")) {
        ("sum", true) => {
            let count = taps.kernels.len();
            ensure!(count == 1, "abs is for one kernel, and there are {count}; type combine=max or magnitude");
            Combine::Max
        }
        ("magnitude", _) => Combine::Magnitude,
        ("max", _) => Combine::Max,
        _ => Combine::Sum,
    };
    let kernels = taps.kernels.iter().map(|kernel| placed(kernel, values)).collect::<Result<_>>()?;
    let shape = Shape::Kernels(kernels, combine);
    let given = values.typed("scale").or(taps.scale);
    let mut scale = given.unwrap_or(1.0);
    // Taps such as 1/9 miss 0 by rounding.
    let size: f64 = taps.kernels.iter().flat_map(|kernel| &kernel.weights).map(|weight| weight.abs()).sum();
    let is_zero = shape.gain().abs() <= 1e-9 * size;
    let typed = values.typed_switch("normalize");
    if typed.unwrap_or(given.is_none() && !is_zero) {
        ensure!(shape.gain() != 0.0, "the taps sum to 0, so they cannot be normalised; leave normalize out");
        scale /= shape.gain();
    }
    let bias = target.level(values.number("bias"));
    Ok(Want::Stencil(Stencil { bias, ..Stencil::scaled(shape, scale) }))
}

/// With the anchor and the direction that were asked for.
fn placed(kernel: &Matrix, values: &Values) -> Result<Matrix> {
    let mut matrix = kernel.clone();
    for (axis, &place) in values.numbers("anchor").unwrap_or_default().iter().enumerate() {
        ensure!(axis < 3, "anchor has more than three numbers; type x, y and t");
        let (axis, name) = (2 - axis, ["x", "y", "t"][axis]);
        let size = matrix.size[axis];
        ensure!(
            place.fract() == 0.0 && (0.0..size as f64).contains(&place),
            "anchor {place} in {name} is outside the kernel; type a whole number from 0 to {}",
            size - 1
        );
        matrix.anchor[axis] = place as usize;
    }
    Ok(if values.is_on("flip") { matrix.flipped() } else { matrix })
}
