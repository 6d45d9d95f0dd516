//! Steps of smooth areas made smooth, with FFmpeg's parameters.

use std::sync::Arc;

use anyhow::{Result, ensure};

use super::super::parameter::{AcceptedNumbers, Kind, Parameter, Preset};
use super::super::spec::{DcGain, Extent, FormatPlane, Group, Spec, Terms};
use super::super::value::Values;
use super::super::want::Want;
use crate::frame::Sample;
use crate::pass::{Border, Deband, Op};

/// The thresholds of the planes.
const THRESHOLDS: [&str; 4] = ["1thr", "2thr", "3thr", "4thr"];

const THRESHOLD: Parameter = Parameter::new(
    THRESHOLDS[0],
    Kind::Number(0.00003, 0.5),
    Preset::Is("0.02"),
    "distance of samples that count as a step of a smooth area, in the first plane",
)
.unit("full scale");

/// All around, rounded up.
#[expect(clippy::approx_constant, reason = "it is typed, and shown")]
const AROUND: f64 = 6.2832;

/// The largest range.
const FAR: f64 = Deband::MAX_RANGE as f64;

pub(in super::super) const SPEC: Spec = Spec {
    name: "deband",
    elsewhere: &["Deband", "f3kdb", "neo_f3kdb", "placebo.Deband"],
    group: Group::Denoise,
    summary: "removes banding: makes steps in smooth gradients smooth",
    description: "For skies and walls with visible steps; a larger range mends wider ones. \
                  Looks at four samples around each, at a random place and its mirror images, and takes their mean where it \
                  differs by less than the threshold: steps of a gradient dissolve, edges stay. A negative range or direction is \
                  the same everywhere, and both together have the bytes of FFmpeg's filter of this name at 8 to 16 bits. \
                  Otherwise places are as far away and as many, but others: FFmpeg's depend on the sine of the C library, these on whole \
                  numbers, so that all machines have the same. They stay from frame to frame. Opacity is filtered only with planes=15, in FFmpeg always. The result has the depth of the \
                  clip: deband at 10 bits or more, since 8 bits have few steps between two.",
    own: &[
        THRESHOLD,
        Parameter { name: THRESHOLDS[1], help: "the same in the second plane", ..THRESHOLD },
        Parameter { name: THRESHOLDS[2], help: "the same in the third plane", ..THRESHOLD },
        Parameter { name: THRESHOLDS[3], help: "the same in the plane of opacity", ..THRESHOLD },
        Parameter::new(
            "range",
            Kind::Number(-FAR, FAR),
            Preset::Is("16"),
            "how far away the four are, at random up to this; negative: exactly",
        )
        .or(&["r"])
        .unit("samples of the plane, a whole number")
        .only(AcceptedNumbers::Multiples(1)),
        Parameter::new(
            "direction",
            Kind::Number(-AROUND, AROUND),
            Preset::Is("6.2831853"),
            "in which direction they are, at random up to this; negative: exactly",
        )
        .or(&["d"])
        .unit("radians"),
        Parameter::new(
            "blur",
            Kind::Switch,
            Preset::Is("1"),
            "1 compares the mean of the four with the sample, 0 each of them",
        )
        .or(&["b"]),
        Parameter::new(
            "coupling",
            Kind::Switch,
            Preset::Is("0"),
            "1 changes a pixel only if its samples in all planes of one size would change",
        )
        .or(&["c"]),
        Parameter::new(
            "border",
            Kind::Border,
            Preset::Derived("--border, or clamp"),
            "samples outside the picture; zero and levels leave chroma colourless",
        ),
    ],
    example: "deband=range=24:blur=0",
    extent: Extent::Space,
    terms: Terms::Own,
    gain: DcGain::One,
    want,
    change: None,
};

fn want(values: &Values, target: FormatPlane) -> Result<Want> {
    let FormatPlane { pixel, plane, .. } = target;
    let range = values.number("range");
    ensure!(range.fract() == 0.0, "range is {range}; type a whole number, as range={}", range.round());
    let planes = pixel.planes();
    let coupled = values.is_on("coupling") && planes > 1;
    let threshold = |plane: usize| {
        // Opacity has the fourth, whatever the number of planes.
        let name = THRESHOLDS[if pixel.is_alpha(plane) { 3 } else { plane.min(2) }];
        let typed = values.number(name) as f32;
        match pixel.sample {
            Sample::F32 => typed,
            Sample::U8 | Sample::U16 => (pixel.peak() * typed).trunc(),
        }
    };
    let thresholds = if coupled { (0..planes).map(threshold).collect() } else { [threshold(plane)].into() };
    let places = places(range as i16, values.number("direction") as f32);
    let blurs = values.is_on("blur");
    Ok(Want::Operation(Op::Deband(Deband { thresholds, places, blurs, coupled, border: Border::Clamp })))
}

/// The places, evenly from the nearest to the farthest and from the first direction to the last: what is random in each is the
/// same number, as in FFmpeg.
fn places(range: i16, direction: f32) -> Arc<[[i16; 2]]> {
    let count = if range < 0 && direction < 0.0 { 1 } else { Deband::MAX_PLACES };
    let place = |index: usize| {
        let part = index as f32 / count as f32;
        let turn = if direction < 0.0 { -direction } else { part * direction };
        let far = if range < 0 { -f32::from(range) } else { (part * f32::from(range)).trunc() };
        [libm::cos, libm::sin].map(|of| (of(f64::from(turn)) as f32 * far) as i16)
    };
    (0..count).map(place).collect()
}
