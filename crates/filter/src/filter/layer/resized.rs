//! A still picture of another size.

use anyhow::{Result, ensure};

use super::super::picture::StillPicture;
use super::super::shape::{Axis, SamplingCurve};

/// Most pixels of a picture that is made, and of one that is made wider alone: both are held in floats meanwhile. Also of one that
/// moves, which is held whole.
pub(super) const MOST: usize = 1 << 25;

/// The picture of so many pixels: along x, then along y, by the weights of `scale`'s bilinear curve in 64-bit floats, which a
/// coarser grid widens. Colours are weighted by their opacity meanwhile, so that those nobody sees count for nothing. Its samples
/// are rounded to 16 bits, with opacity.
///
/// # Errors
/// If it would have too many pixels.
pub(super) fn resized(picture: &StillPicture, (width, height): (usize, usize)) -> Result<StillPicture> {
    let pixels = width * height.max(picture.height);
    ensure!(
        pixels <= MOST,
        "{}, {}x{}, is too large to become {width}x{height}; type a smaller width and height",
        picture.path,
        picture.width,
        picture.height
    );
    let weighted = |x: usize, y: usize| {
        let [r, g, b, a] = picture.rgba(x, y);
        [r * a, g * a, b * a, a]
    };
    // Row by row, then column by column.
    let wide = along([picture.width, width], picture.height, weighted);
    let tall = along([picture.height, height], width, |y, x| wide[y * width + x]);
    let samples = (0..height).flat_map(|y| (0..width).map(move |x| x * height + y)).flat_map(|at| {
        let [r, g, b, a] = tall[at];
        let whole = |part: f64| (part.clamp(0.0, 1.0) * f64::from(u16::MAX)).round() as u16;
        let colour = |part: f64| whole(if a > 0.0 { part / a } else { 0.0 });
        [colour(r), colour(g), colour(b), whole(a)]
    });
    Ok(StillPicture { path: picture.path.clone(), width, height, channels: 4, samples: samples.collect() })
}

/// Resamples `lines` lines of `from` pixels to `to` pixels each, stored one after the other. `pixel` takes an index and a line.
fn along([from, to]: [usize; 2], lines: usize, pixel: impl Fn(usize, usize) -> [f64; 4]) -> Vec<[f64; 4]> {
    let axis = Axis { from, to, scale: to as f64 / from as f64, shift: 0.0 };
    let weights: Vec<Vec<(usize, f64)>> =
        (0..to).map(|index| axis.row(index, &SamplingCurve::Bilinear).into_iter().collect()).collect();
    let mut made = Vec::with_capacity(lines * to);
    for line in 0..lines {
        for weights in &weights {
            let mut sum = [0.0; 4];
            for &(index, weight) in weights {
                sum.iter_mut().zip(pixel(index, line)).for_each(|(sum, part)| *sum += weight * part);
            }
            made.push(sum);
        }
    }
    made
}
