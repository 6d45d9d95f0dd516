//! What every pass gives, straight from the words of `pass`: one sample at a time, no tables, nothing of the backends.
//!
//! Each sample is computed twice. [`Value::exact`] follows the order and the rounding that the arithmetic prescribes, and
//! a backend must give the same bits. [`Value::ideal`] is `f64` without any rounding, and [`Value::error`] bounds how
//! far the prescribed arithmetic may lie from it; that the two agree says that what is prescribed is the filter meant.

pub mod decimate;
mod field;
mod guide;
pub mod measure;
#[cfg(feature = "cli")]
pub mod tonemap;

use std::cell::RefCell;
use std::collections::HashMap;

use warpreel::frame::{Format, Frame, Sample};
use warpreel::pass::{Arithmetic, Border, Correction, Finish, Op, OverlayPlace, Pass, PlaneOp, Scan};

/// For each operation its file, and who knows it there.
macro_rules! operations {
    ($($stem:ident $Op:ident)*) => {
        $(pub mod $stem;)*

        /// What an op makes of one place.
        fn sample(op: &Op, place: &Place) -> f32 {
            match op {
                Op::Copy => place.centre(),
                $(Op::$Op(op) => $stem::sample(op, place),)*
            }
        }
    };
}
operations! {
    separable Separable
    dense Dense
    pointwise Pointwise
    rank Rank
    cas Cas
    blend Blend
    overlay Overlay
    gain Gain
    crossfade Crossfade
    compose Compose
    boxes Boxes
    nlmeans Nlmeans
    atadenoise Atadenoise
    bilateral Bilateral
    degrain Degrain
    bm3d Bm3d
    deband Deband
    deblock Deblock
    grain Grain
    remap Remap
    resample Resample
    requantize Requantize
    warp Warp
    grade Grade
    mix Mix
    colorspace Colorspace
    bwdif Bwdif
    yadif Yadif
    w3fdif W3fdif
    fieldmatch Fieldmatch
}

/// One plane through time, in `f32`, which holds every sample exactly; `None` is a frame of neutral samples.
pub struct Stack {
    pub width: isize,
    pub height: isize,
    pub neutral: f32,
    pub frames: Vec<Option<Vec<f32>>>,
    /// The whole plane, by an op that makes no sample without the others.
    pub made: std::cell::OnceCell<Vec<f32>>,
}

/// One place of a plane, and all that an op may look at there.
pub struct Place<'a> {
    pub stack: &'a Stack,
    /// The plane that the op looks at beside its own.
    pub guide: Option<&'a Stack>,
    /// All planes, for an op that couples them.
    pub planes: &'a [Stack],
    /// Which of them this is.
    pub plane: usize,
    /// And what is done to the guide.
    pub guide_op: Option<&'a Op>,
    pub format: &'a Format,
    /// The frame's position in the clip.
    pub number: u64,
    /// The frame's.
    pub factor: f32,
    /// The frame's fields.
    pub scan: Scan,
    /// By how much the frame is moved.
    pub correction: Correction,
    /// Where the frame has pictures that move.
    pub place: OverlayPlace,
    pub y: isize,
    pub x: isize,
    /// What an op found for other samples of the plane, by names of its own.
    pub known: &'a RefCell<HashMap<[isize; 4], [isize; 3]>>,
}

impl Place<'_> {
    /// The sample itself.
    pub fn centre(&self) -> f32 {
        self.stack.inside(0, self.y, self.x)
    }
}

/// A sum, or what became of it.
#[derive(Clone, Copy, Debug)]
pub struct Value {
    /// In the arithmetic that is prescribed.
    pub exact: f32,
    /// In `f64`.
    pub ideal: f64,
    /// How far the two may be apart.
    pub error: f64,
}

/// The unit of rounding: a single operation in `f32` is off by at most this part of its result.
const UNIT: f64 = 1.0 / (1u32 << 24) as f64;

/// The index that stands for one outside, found by stepping back inside until it is there.
pub fn outside(border: Border, index: isize, length: isize) -> Option<isize> {
    let mut i = index;
    while i < 0 || i >= length {
        i = match border {
            Border::Constant(_) => return None,
            Border::Clamp => i.signum().max(0) * (length - 1),
            Border::Wrap if i < 0 => i + length,
            Border::Wrap => i - length,
            Border::Reflect if i < 0 => -1 - i,
            Border::Reflect => 2 * length - 1 - i,
            Border::Lopsided if i < 0 => -i,
            Border::Lopsided => 2 * length - 1 - i,
            Border::Reflect101 if length == 1 => 0,
            Border::Reflect101 if i < 0 => -i,
            Border::Reflect101 => 2 * length - 2 - i,
        };
    }
    Some(i)
}

impl Stack {
    /// One plane of a window.
    pub fn of(window: &[Option<&Frame>], format: &Format, plane: usize) -> Self {
        let (width, height) = format.plane_size(plane);
        let samples = |frame: &Frame| samples(frame, plane);
        Self {
            width: width as isize,
            height: height as isize,
            neutral: format.pixel.neutral(plane),
            frames: window.iter().map(|frame| frame.map(samples)).collect(),
            made: std::cell::OnceCell::new(),
        }
    }

    /// A sample that is inside the plane; `t` counts from the centre.
    pub fn inside(&self, t: isize, y: isize, x: isize) -> f32 {
        let place = t + self.frames.len() as isize / 2;
        let frame = &self.frames[place as usize];
        frame.as_ref().map_or(self.neutral, |samples| samples[(y * self.width + x) as usize])
    }

    /// Any sample. Outside the plane the constant holds in every frame, also in one of neutral samples.
    pub fn sample(&self, border: Border, t: isize, y: isize, x: isize) -> f32 {
        match (outside(border, y, self.height), outside(border, x, self.width)) {
            (Some(y), Some(x)) => self.inside(t, y, x),
            _ => border.constant(),
        }
    }
}

/// All samples of a plane, row by row.
pub fn samples(frame: &Frame, plane: usize) -> Vec<f32> {
    let (width, height) = frame.format().plane_size(plane);
    let mut samples = Vec::with_capacity(width * height);
    for y in 0..height {
        match frame.format().pixel.sample {
            Sample::U8 => samples.extend(
                frame.host().expect("a frame on the host").plane::<u8>(plane).row(y).iter().map(|&s| f32::from(s)),
            ),
            Sample::U16 => samples.extend(
                frame.host().expect("a frame on the host").plane::<u16>(plane).row(y).iter().map(|&s| f32::from(s)),
            ),
            Sample::F32 => samples.extend(frame.host().expect("a frame on the host").plane::<f32>(plane).row(y)),
        }
    }
    samples
}

/// A sum as a value: of integers it is exact until it becomes `f32`.
fn sum(arithmetic: Arithmetic, real: f32, integer: i64, ideal: f64, absolute: f64, taps: usize) -> Value {
    match arithmetic {
        Arithmetic::Integer => {
            let exact = i32::try_from(integer).expect("an integer sum fits i32") as f32;
            Value { exact, ideal, error: UNIT * ideal.abs() }
        }
        Arithmetic::Real => Value { exact: real, ideal, error: (taps + 1) as f64 * UNIT * absolute * 1.01 },
    }
}

/// What one sample is: the bits that a backend must give, and whether `f64` agrees.
fn finish(finish: Finish, format: &Format, sum: Value, centre: f32) -> f32 {
    let mut value = sum.exact * finish.scale;
    let mut ideal = sum.ideal * f64::from(finish.scale);
    let mut size = ideal.abs();
    if finish.dry != 0.0 {
        value += centre * finish.dry;
        ideal += f64::from(centre) * f64::from(finish.dry);
        size += (f64::from(centre) * f64::from(finish.dry)).abs();
    }
    value += finish.bias;
    ideal += f64::from(finish.bias);
    size += f64::from(finish.bias).abs() + 0.5;
    let scale = f64::from(finish.scale).abs();
    // Times 0, an error that is infinite is none.
    let of_sum = if scale == 0.0 { 0.0 } else { sum.error * scale };
    let error = of_sum + 5.0 * UNIT * (size + of_sum) + f64::from(f32::MIN_POSITIVE);

    if format.pixel.sample == Sample::F32 {
        if value.is_finite() && sum.exact.is_finite() {
            assert!((f64::from(value) - ideal).abs() <= error, "{value} is more than {error:e} from {ideal}");
        }
        return if value.is_nan() { f32::from_bits(0x7fc0_0000) } else { value };
    }
    let peak = format.pixel.peak();
    let rounded = (value + 0.5).floor();
    let result = if rounded.is_nan() { 0.0 } else { rounded.clamp(0.0, peak) };
    if value.is_finite() && sum.exact.is_finite() {
        let [low, high] = [ideal - error, ideal + error].map(|v| (v + 0.5).floor().clamp(0.0, f64::from(peak)));
        assert!(error > 0.25 || high - low <= 1.0, "a bound of {error} allows more than one step");
        let result = f64::from(result);
        assert!((low..=high).contains(&result), "{result} is not {ideal} within {error:e}");
    }
    result
}

/// One plane of the frame that a pass gives, row by row.
pub fn plane(
    pass: &Pass,
    format: &Format,
    window: &[Option<&Frame>],
    (factor, scan, correction, place): (f32, Scan, Correction, OverlayPlace),
    plane: usize,
) -> Vec<f32> {
    let stack = &Stack::of(window, format, plane);
    let known = &RefCell::default();
    let other = pass.planes[plane].op.facts().guide().map(|guide| guide.plane);
    let guide = other.map(|other| Stack::of(window, format, other));
    let (guide, guide_op) = (guide.as_ref(), other.map(|other| &pass.planes[other].op));
    let couples = pass.planes[plane].op.facts().couples();
    let all = if couples { format.pixel.planes() } else { 0 };
    let planes = &(0..all).map(|other| Stack::of(window, format, other)).collect::<Vec<_>>()[..];
    let mut result = Vec::new();
    let number = window[window.len() / 2].map_or(0, |frame| frame.timing.number);
    let size = pass.planes[plane].op.facts().size();
    let (width, height) = size.map_or((stack.width, stack.height), |(width, height)| (width as isize, height as isize));
    for y in 0..height {
        for x in 0..width {
            let PlaneOp { op, after } = &pass.planes[plane];
            let own = Place {
                stack,
                guide,
                planes,
                plane,
                guide_op,
                format,
                number,
                factor,
                scan,
                correction,
                place,
                y,
                x,
                known,
            };
            let finished = sample(op, &own);
            result.push(after.as_ref().map_or(finished, |op| pointwise::value(op, format, finished)));
        }
    }
    result
}
