//! What is compared: chains, and the calls of SciPy and OpenCV that mean the same.
//!
//! Where the definitions disagree:
//! - SciPy cuts a Gaussian off at four standard deviations where ours does at three; it is told the same radius. OpenCV
//!   derives a radius of its own from the type of the samples, and blurs 8-bit pictures with taps of 8 bits; it is told
//!   the size and given `float64`.
//! - SciPy's `percentile_filter` takes the place `floor(n · percentile)`, ours `floor((n − 1) · percentile)`, as FFmpeg's
//!   `median` does; `rank_filter` is told the place.
//! - SciPy's and OpenCV's Scharr is 3 10 3, ours 47 162 47 over 256, as FFmpeg's; it is compared through `filter2D`, and
//!   OpenCV's `Scharr` with a `kernel` of its taps.
//! - SciPy's `gaussian_laplace` is not scaled by sigma squared and does not sum to 0; ours is and does. There is no
//!   comparison of `log`.
//! - SciPy's gradients go along one axis after another, and take a constant for what lies outside what the first step
//!   gave, too, where a constant has the derivative 0; they are compared for the constant 0 alone.
//! - OpenCV's median always repeats the edge sample, and its filters know no constant but 0 and do not wrap: there its
//!   `copyMakeBorder` goes before.

use serde_json::{Value, json};
use warpreel::frame::{Pixel, Sample};

use crate::agreement::Random;
use crate::stage::{Clip, clip, float, format};

/// A clip on which everything is run.
pub struct Input {
    pub name: &'static str,
    pub pixel: Pixel,
    pub frames: usize,
    pub height: usize,
    pub width: usize,
}

/// Odd sizes of all types of samples; one that is smaller than most kernels, and one of a single sample.
pub const INPUTS: [Input; 6] = {
    const fn input(name: &'static str, pixel: Pixel, frames: usize, height: usize, width: usize) -> Input {
        Input { name, pixel, frames, height, width }
    }
    let real = Pixel { sample: Sample::F32, depth: 32, ..Pixel::gray(8) };
    [
        input("u8", Pixel::gray(8), 5, 13, 37),
        input("u10", Pixel::gray(10), 4, 9, 21),
        input("u16", Pixel::gray(16), 3, 11, 7),
        input("f32", real, 5, 12, 19),
        input("small", Pixel::gray(8), 2, 2, 3),
        input("single", Pixel::gray(8), 1, 1, 1),
    ]
};

impl Input {
    /// Noise, in floats also below black and above white.
    pub fn clip(&self) -> Clip {
        let mut random = Random::new(self.width as u64);
        let peak = self.pixel.peak();
        let real = self.pixel == float();
        clip(&format(self.pixel, self.width, self.height), self.frames, |_, _, _, _| match real {
            true => random.real(-0.25, 1.25),
            false => random.below(peak as u64 + 1) as f32,
        })
    }

    /// The largest absolute value of a sample.
    pub fn largest(&self) -> f64 {
        if self.pixel == float() { 1.25 } else { self.pixel.peak().into() }
    }
}

/// How far a result may lie from the reference's before both are rounded.
#[derive(Clone, Copy)]
pub enum Bound {
    /// Not at all: one of the samples is taken.
    Same,
    /// A sum of so many taps, whose absolute values with all factors sum to `weight`.
    Sum {
        taps: usize,
        weight: f64,
        /// Whether the taps are whole and there is no factor and no root, so that integers are exact.
        whole: bool,
    },
    /// The root of the squares of two such sums of whole taps.
    Root { taps: usize, weight: f64 },
}

/// One chain, and the call that means the same.
pub struct Case {
    pub input: usize,
    pub chain: String,
    pub call: &'static str,
    /// The border, and the arguments of the call.
    pub arguments: Value,
    pub bound: Bound,
}

/// What lies outside, in our words and in those of the script, which has the constants as a number.
const BORDERS: [(&str, &str); 6] = [
    ("reflect101", "reflect101"),
    ("clamp", "clamp"),
    ("reflect", "reflect"),
    ("wrap", "wrap"),
    ("zero", "constant"),
    ("0.25", "constant"),
];

/// All of them.
pub fn cases() -> Vec<Case> {
    let mut cases = Vec::new();
    for (index, input) in INPUTS.iter().enumerate() {
        for (border, mode) in BORDERS {
            let level = match border {
                "0.25" if input.pixel == float() => 0.25,
                "0.25" => (0.25 * f64::from(input.pixel.peak())).round(),
                _ => 0.0,
            };
            let mut add = |chain: &str, time: &str, call, bound, mut arguments: Value| {
                arguments["border"] = json!({ "space": mode, "time": time, "value": level });
                let mark = if chain.contains('=') { ':' } else { '=' };
                let chain = format!("{chain}{mark}border={border}");
                cases.push(Case { input: index, chain, call, arguments, bound });
            };
            blurs(&mut add);
            derivatives(&mut add, border == "0.25");
            kernels(&mut add);
            flat_ranks(&mut add);
            // In time there is no reflection about the edge, no wrapping and no level, and the functions below take one
            // mode for all axes.
            let time = match border {
                "reflect101" | "clamp" | "zero" => border,
                _ => continue,
            };
            let mut add = |chain: &str, call, bound, arguments| {
                add(&format!("{chain}:border_t={time}"), mode, call, bound, arguments);
            };
            deep(&mut add);
            if border == "clamp" && input.pixel != float() {
                for radius in [1, 2, 3].into_iter().filter(|radius| input.pixel.depth == 8 || *radius < 3) {
                    add_median(&mut cases, index, radius);
                }
            }
        }
    }
    cases
}

/// OpenCV's own median.
fn add_median(cases: &mut Vec<Case>, input: usize, radius: usize) {
    let arguments = json!({ "size": 2 * radius + 1, "border": { "space": "clamp" } });
    let chain = format!("median={radius}:border=clamp");
    cases.push(Case { input, chain, call: "opencv_median", arguments, bound: Bound::Same });
}

type Add<'a> = dyn FnMut(&str, &str, &'static str, Bound, Value) + 'a;

fn smooth(taps: usize) -> Bound {
    Bound::Sum { taps, weight: 1.0, whole: false }
}

fn blurs(add: &mut Add) {
    for (sigma_x, sigma_y) in [(1.3, 1.3), (2.0, 0.7), (4.0, 2.5)] {
        let radius = [sigma_x, sigma_y].map(|sigma| (3.0 * sigma + 0.5f64).floor() as usize);
        let [x, y] = radius;
        let chain = format!("gaussian=sigma={sigma_x}:sigma_y={sigma_y}");
        let bound = smooth(2 * x + 2 * y + 2);
        let arguments = json!({ "sigma": [0, sigma_y, sigma_x], "radius": [0, y, x] });
        add(&chain, "clamp", "scipy_gaussian", bound, arguments);
        let arguments = json!({ "sigma": [sigma_x, sigma_y], "radius": radius, "reach": radius });
        add(&chain, "clamp", "opencv_gaussian", bound, arguments);
    }
    for (x, y) in [(1, 1), (5, 2), (12, 9)] {
        let size = [2 * x + 1, 2 * y + 1];
        let chain = format!("box=radius={x}:radius_y={y}");
        let bound = smooth(size[0] + size[1]);
        add(&chain, "clamp", "scipy_uniform", bound, json!({ "size": [1, size[1], size[0]] }));
        add(&chain, "clamp", "opencv_blur", bound, json!({ "size": size, "reach": [x, y] }));
    }
}

fn derivatives(add: &mut Add, level: bool) {
    let gradient = |weight: f64| Bound::Root { taps: 9, weight: 2f64.sqrt() * weight };
    if !level {
        add("sobel", "clamp", "scipy_sobel", gradient(8.0), json!({}));
        add("prewitt", "clamp", "scipy_prewitt", gradient(6.0), json!({}));
    }
    add("sobel", "clamp", "opencv_sobel", gradient(8.0), json!({ "reach": [1, 1] }));
    let scharr = "kernel='-3 0 3; -10 0 10; -3 0 3 & -3 -10 -3; 0 0 0; 3 10 3':combine=magnitude";
    add(scharr, "clamp", "opencv_scharr", gradient(32.0), json!({ "reach": [1, 1] }));
    let whole = Bound::Sum { taps: 9, weight: 8.0, whole: true };
    add("laplacian", "clamp", "scipy_laplace", whole, json!({}));
    add("laplacian", "clamp", "opencv_laplacian", whole, json!({ "reach": [1, 1] }));
}

/// A kernel as text, and its rows.
fn text(rows: &[&[f64]]) -> String {
    let row = |row: &&[f64]| row.iter().map(f64::to_string).collect::<Vec<_>>().join(" ");
    rows.iter().map(row).collect::<Vec<_>>().join("; ")
}

fn kernels(add: &mut Add) {
    let whole: &[&[f64]] = &[&[1.0, -2.0, 3.0, 0.0, 5.0], &[-4.0, 7.0, 1.0, 2.0, -3.0], &[0.0, 1.0, -1.0, 6.0, 2.0]];
    let even: &[&[f64]] = &[&[1.0, 2.0, -1.0, 4.0], &[3.0, -5.0, 2.0, 1.0]];
    let real: &[&[f64]] = &[&[0.11, -0.23, 0.37], &[0.41, 0.53, -0.07], &[-0.19, 0.29, 0.31]];
    for (rows, whole, weight) in [(whole, true, 38.0), (even, true, 19.0), (real, false, 2.51)] {
        let taps = rows.len() * rows[0].len();
        let bound = Bound::Sum { taps, weight, whole };
        let chain = format!("kernel='{}':scale=1", text(rows));
        add(&chain, "any", "scipy_correlate", bound, json!({ "weights": [rows] }));
        add(&format!("{chain}:flip=1"), "any", "scipy_convolve", bound, json!({ "weights": [rows] }));
        let (x, y) = (rows[0].len() - 1, rows.len() - 1);
        for anchor in [[0, 0], [x, 0], [1, y]] {
            let chain = format!("{chain}:anchor='{} {}'", anchor[0], anchor[1]);
            add(&chain, "any", "opencv_filter", bound, json!({ "weights": rows, "anchor": anchor, "reach": [x, y] }));
        }
    }
    // FFmpeg's Scharr, across alone.
    let scharr: &[&[f64]] = &[&[-47.0, 0.0, 47.0], &[-162.0, 0.0, 162.0], &[-47.0, 0.0, 47.0]];
    let bound = Bound::Sum { taps: 9, weight: 512.0, whole: true };
    let arguments = json!({ "weights": scharr, "anchor": [1, 1], "reach": [1, 1] });
    add(&format!("kernel='{}'", text(scharr)), "any", "opencv_filter", bound, arguments);
}

fn flat_ranks(add: &mut Add) {
    for radius in [1, 4] {
        let side = 2 * radius + 1;
        add(&format!("median={radius}"), "any", "scipy_median", Bound::Same, json!({ "size": [1, side, side] }));
    }
    let arguments = json!({ "size": [1, 3, 5], "rank": 4 });
    add("median=radius=2:radius_v=1:percentile=0.3", "any", "scipy_rank", Bound::Same, arguments);
    for (name, scipy, opencv) in [
        ("erode", "scipy_erosion", "ERODE"),
        ("dilate", "scipy_dilation", "DILATE"),
        ("open", "scipy_opening", "OPEN"),
        ("close", "scipy_closing", "CLOSE"),
    ] {
        let chain = format!("{name}=radius=2:radius_v=1");
        add(&chain, "any", scipy, Bound::Same, json!({ "size": [1, 3, 5] }));
        let arguments = json!({ "operation": opencv, "size": [5, 3], "reach": [4, 2] });
        add(&chain, "any", "opencv_morphology", Bound::Same, arguments);
    }
}

/// Filters in time, and in space and time.
fn deep(add: &mut dyn FnMut(&str, &'static str, Bound, Value)) {
    let arguments = json!({ "sigma": [0.8, 1.2, 1.2], "radius": [2, 4, 4] });
    add("gaussian3d=sigma=1.2:sigma_t=0.8", "scipy_gaussian", smooth(5 + 9 + 9), arguments);
    let arguments = json!({ "sigma": [1.5, 0, 0], "radius": [5, 0, 0] });
    add("tgaussian=1.5", "scipy_gaussian", smooth(11), arguments);
    add("box3d=radius=1:radius_t=2", "scipy_uniform", smooth(5 + 3 + 3), json!({ "size": [5, 3, 3] }));
    add("taverage=1", "scipy_uniform", smooth(3), json!({ "size": [3, 1, 1] }));
    add("median3d=radius=1", "scipy_median", Bound::Same, json!({ "size": [3, 3, 3] }));
    add("tmedian=2", "scipy_median", Bound::Same, json!({ "size": [5, 1, 1] }));
    for (name, call) in [
        ("erode", "scipy_erosion"),
        ("dilate", "scipy_dilation"),
        ("open", "scipy_opening"),
        ("close", "scipy_closing"),
    ] {
        add(&format!("{name}=radius=1:radius_t=1"), call, Bound::Same, json!({ "size": [3, 3, 3] }));
    }
    let frames = [[[1, 0, -2], [3, 1, 0]], [[2, -4, 1], [0, 5, 1]], [[-1, 2, 2], [1, 0, -3]]];
    let text = "1 0 -2; 3 1 0 | 2 -4 1; 0 5 1 | -1 2 2; 1 0 -3";
    let bound = Bound::Sum { taps: 18, weight: 29.0, whole: true };
    add(&format!("kernel='{text}':scale=1"), "scipy_correlate", bound, json!({ "weights": frames }));
    add(&format!("kernel='{text}':flip=1:scale=1"), "scipy_convolve", bound, json!({ "weights": frames }));
    let real = "0.1 0.2; 0.3 -0.4 | 0.5 0.6; -0.7 0.8";
    let frames = [[[0.1, 0.2], [0.3, -0.4]], [[0.5, 0.6], [-0.7, 0.8]]];
    let bound = Bound::Sum { taps: 8, weight: 3.6, whole: false };
    add(&format!("kernel='{real}':scale=1"), "scipy_correlate", bound, json!({ "weights": frames }));
    add(&format!("kernel='{real}':flip=1:scale=1"), "scipy_convolve", bound, json!({ "weights": frames }));
}
