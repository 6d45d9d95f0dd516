//! XPSNR of a clip and SSIMULACRA2 of two pictures as their definitions read, in f64 and nested loops.

use super::oracle::Picture;

fn at(picture: &Picture, x: isize, y: isize) -> f64 {
    let [x, y] = [(x, picture.width), (y, picture.height)].map(|(at, side)| at.clamp(0, side as isize - 1) as usize);
    picture.samples[y * picture.width + x]
}

/// Blocks of XPSNR: left, top, width, height.
fn blocks(width: usize, height: usize, across: usize, down: usize) -> Vec<[usize; 4]> {
    let tops = (0..height).step_by(down);
    let row = |top: usize| (0..width).step_by(across).map(move |left| [left, top]);
    let cut = |[left, top]: [usize; 2]| [left, top, across.min(width - left), down.min(height - top)];
    tops.flat_map(row).map(cut).collect()
}

fn error(a: &Picture, b: &Picture, [left, top, width, height]: [usize; 4]) -> f64 {
    let mut sum = 0.0;
    for y in top..top + height {
        for x in left..left + width {
            sum += (at(a, x as isize, y as isize) - at(b, x as isize, y as isize)).powi(2);
        }
    }
    sum
}

/// The activity of a block of luma: `frames` are the one at hand, the last, and the one before it.
fn activity(frames: [Option<&Picture>; 3], block: [usize; 4], is_fast: bool) -> Option<f64> {
    let picture = frames[0].unwrap();
    let is_large = picture.width * picture.height > 2048 * 1152;
    let edge = if is_large { 2 } else { 1 };
    let [left, top, width, height] = block;
    let inside = |start: usize, length: usize, side: usize| {
        let first = if start > 0 { start } else { edge };
        let end = if start + length < side { start + length } else { side.saturating_sub(edge) };
        (first, end)
    };
    let ((x0, x1), (y0, y1)) = (inside(left, width, picture.width), inside(top, height, picture.height));
    if x1 <= x0 || y1 <= y0 {
        return None;
    }
    let mut space = 0.0;
    for y in (y0..y1).step_by(edge) {
        for x in (x0..x1).step_by(edge) {
            let mut sum = 0.0;
            let weights: &[&[f64]] = if is_large {
                &[
                    &[0.0, -1.0, -1.0, -1.0, -1.0, 0.0],
                    &[-1.0, -2.0, -3.0, -3.0, -2.0, -1.0],
                    &[-1.0, -3.0, 12.0, 12.0, -3.0, -1.0],
                    &[-1.0, -3.0, 12.0, 12.0, -3.0, -1.0],
                    &[-1.0, -2.0, -3.0, -3.0, -2.0, -1.0],
                    &[0.0, -1.0, -1.0, -1.0, -1.0, 0.0],
                ]
            } else {
                &[&[-1.0, -2.0, -1.0], &[-2.0, 12.0, -2.0], &[-1.0, -2.0, -1.0]]
            };
            for (j, row) in weights.iter().enumerate() {
                for (i, weight) in row.iter().enumerate() {
                    sum += weight * at(picture, (x + i) as isize - edge as isize, (y + j) as isize - edge as isize);
                }
            }
            space += sum.abs();
        }
    }
    if is_large && x1 - left <= 12 {
        space = 0.0;
    }
    let mut time = 0.0;
    for y in (top..top + height).step_by(edge) {
        for x in (left..left + width).step_by(edge) {
            let of = |frame: Option<&Picture>| -> f64 {
                let Some(frame) = frame else { return 0.0 };
                let places = (0..edge * edge).map(|place| (x + place % edge, y + place / edge));
                places.map(|(x, y)| at(frame, x as isize, y as isize)).sum()
            };
            let [now, one, two] = frames.map(of);
            time += if is_fast { now - 2.0 * one + two } else { now - one }.abs();
        }
    }
    Some(space / ((x1 - x0) * (y1 - y0)) as f64 + 2.0 * time / (width * height) as f64)
}

/// XPSNR of each plane of frame `n` of a clip: `clips` are the reference's frames and the others', each a list of planes.
pub fn xpsnr(clips: [&[Vec<Picture>]; 2], n: usize, depth: i32, rate: f64) -> Vec<f64> {
    let [reference, other] = clips;
    let before = |distance: usize| n.checked_sub(distance).map(|n| &reference[n][0]);
    let frames = [Some(&reference[n][0]), before(1), before(2)];
    let (width, height) = (reference[n][0].width, reference[n][0].height);
    let ratio = (width * height) as f64 / (3840.0 * 2160.0);
    let side = 4 * (32.0 * ratio.sqrt() + 0.5).floor() as usize;
    let scale = (16.0 * 2f64.powi(2 * depth - 9) / ratio.max(1e-5).sqrt()).sqrt();
    let across = if side > 0 { width.div_ceil(side) } else { 1 };
    let mut weights: Vec<f64> = Vec::new();
    let luma = if side > 0 { blocks(width, height, side, side) } else { Vec::new() };
    for (i, block) in luma.iter().enumerate() {
        let activity = activity(frames, *block, rate >= 32.0);
        weights.push(activity.map_or(1.0, |activity| 1.0 / activity.max(2f64.powi(depth - 6))));
        if width * height <= 640 * 480 {
            let x = i % across;
            let mut most = match x {
                0 if i > 1 => weights[i - 2],
                0 => 0.0,
                1 => weights[i],
                _ => weights[i - 2].max(weights[i]),
            };
            if i > across {
                most = most.max(weights[i - 1 - across]);
            }
            if i > 0 && weights[i - 1] > most {
                weights[i - 1] = most;
            }
            if i + 1 == luma.len() && i > across {
                weights[i] = weights[i].min(weights[i - 1].max(weights[i - across]));
            }
        }
    }
    let planes = reference[n].iter().zip(&other[n]);
    let value = |(a, b): (&Picture, &Picture)| {
        let sum: f64 = if side > 0 {
            let blocks = blocks(a.width, a.height, side * a.width / width, side * a.height / height);
            let weighted = blocks.iter().zip(&weights).map(|(block, weight)| error(a, b, *block) * weight).sum::<f64>();
            (weighted * scale + 0.5).floor()
        } else {
            error(a, b, [0, 0, a.width, a.height])
        };
        let peak = 2f64.powi(depth) - 1.0;
        if sum < 1.0 { f64::INFINITY } else { 10.0 * ((a.width * a.height) as f64 * peak * peak / sum).log10() }
    };
    planes.map(value).collect()
}

/// Planes of red, green and blue, or of X, Y and B.
type Colours = [Vec<f64>; 3];

fn xyb(light: &Colours) -> Colours {
    let bias = 0.003_793_073_4f64;
    let pixel = |i: usize| {
        let [r, g, b] = [light[0][i], light[1][i], light[2][i]];
        let root = |red: f64, green: f64, blue: f64| (red * r + green * g + blue * b + bias).cbrt() - bias.cbrt();
        let (l, m) = (root(0.3, 0.622, 0.078), root(0.23, 0.692, 0.078));
        let s = root(0.24342269, 0.20476745, 1.0 - 0.24342269 - 0.20476745);
        [(l - m) / 2.0 * 14.0 + 0.42, (l + m) / 2.0 + 0.01, s - (l + m) / 2.0 + 0.55]
    };
    let pixels: Vec<[f64; 3]> = (0..light[0].len()).map(pixel).collect();
    [0, 1, 2].map(|channel| pixels.iter().map(|pixel| pixel[channel]).collect())
}

fn blurred(plane: &[f64], width: usize, height: usize) -> Vec<f64> {
    const TAPS: [f64; 5] =
        [0.2646211054881985, 0.2129285920104222, 0.1093353727774603, 0.0360111146583644, 0.00941436780965374];
    let pass = |plane: &[f64], dx: isize, dy: isize| -> Vec<f64> {
        let sample = |place: usize| -> f64 {
            let (x, y) = ((place % width) as isize, (place / width) as isize);
            (-4..=4isize)
                .map(|tap| {
                    let (x, y) = (x + tap * dx, y + tap * dy);
                    let is_inside = x >= 0 && y >= 0 && x < width as isize && y < height as isize;
                    let value = if is_inside { plane[y as usize * width + x as usize] } else { 0.0 };
                    TAPS[tap.unsigned_abs()] * value
                })
                .sum()
        };
        (0..plane.len()).map(sample).collect()
    };
    pass(&pass(plane, 1, 0), 0, 1)
}

/// Weights that are not zero, by channel, scale, norm and kind.
const WEIGHTS: &str = include_str!("ssimulacra2.weights");

/// SSIMULACRA2 of two pictures in sRGB from 0 to 1.
pub fn ssimulacra2(pictures: [&Colours; 2], mut width: usize, mut height: usize) -> f64 {
    let linear = |v: &f64| if *v <= 0.04045 { v / 12.92 } else { ((v + 0.055) / 1.055).powf(2.4) };
    let mut light =
        pictures.map(|colours| colours.each_ref().map(|plane| plane.iter().map(linear).collect::<Vec<_>>()));
    let mut sum = 0.0;
    for scale in 0..6 {
        if scale > 0 {
            if width < 8 || height < 8 {
                break;
            }
            let (w, h) = (width.div_ceil(2), height.div_ceil(2));
            let half = |plane: &Vec<f64>| -> Vec<f64> {
                let sample = |place: usize| {
                    let (x, y) = (2 * (place % w), 2 * (place / w));
                    let (right, lower) = ((x + 1).min(width - 1), (y + 1).min(height - 1));
                    let four = [[x, y], [right, y], [x, lower], [right, lower]];
                    four.map(|[x, y]| plane[y * width + x]).iter().sum::<f64>() / 4.0
                };
                (0..w * h).map(sample).collect()
            };
            light = light.each_ref().map(|colours| colours.each_ref().map(half));
            (width, height) = (w, h);
        }
        let [one, other] = light.each_ref().map(xyb);
        for channel in 0..3 {
            let (a, b) = (&one[channel], &other[channel]);
            let product = |a: &[f64], b: &[f64]| -> Vec<f64> { a.iter().zip(b).map(|(a, b)| a * b).collect() };
            let blur = |plane: &[f64]| blurred(plane, width, height);
            let (m1, m2) = (blur(a), blur(b));
            let (s11, s22, s12) = (blur(&product(a, a)), blur(&product(b, b)), blur(&product(a, b)));
            let mut figures = [[0.0; 2]; 3];
            for i in 0..a.len() {
                let both = 2.0 * (s12[i] - m1[i] * m2[i]) + 0.0009;
                let all = s11[i] - m1[i] * m1[i] + s22[i] - m2[i] * m2[i] + 0.0009;
                let structure = (1.0 - (1.0 - (m1[i] - m2[i]).powi(2)) * both / all).max(0.0);
                let edge = (1.0 + (b[i] - m2[i]).abs()) / (1.0 + (a[i] - m1[i]).abs()) - 1.0;
                for (figure, value) in figures.iter_mut().zip([structure, edge.max(0.0), (-edge).max(0.0)]) {
                    figure[0] += value;
                    figure[1] += value.powi(4);
                }
            }
            for (kind, [first, fourth]) in figures.into_iter().enumerate() {
                let count = a.len() as f64;
                for (norm, figure) in [first / count, (fourth / count).powf(0.25)].into_iter().enumerate() {
                    let name = format!("{channel} {scale} {norm} {kind} ");
                    let weight = WEIGHTS.lines().find_map(|line| line.strip_prefix(&name));
                    sum += figure * weight.map_or(0.0, |weight| weight.parse::<f64>().unwrap());
                }
            }
        }
    }
    let sum = sum * 0.9562382616834844;
    let curve = 2.326765642916932 * sum - 0.020884521182843837 * sum.powi(2) + 6.248496625763138e-05 * sum.powi(3);
    if curve > 0.0 { 100.0 - 10.0 * curve.powf(0.6276336467831387) } else { 100.0 }
}
