//! Which frames of a clip stay, block by block from the words of `pass::Decimation`.

use warpreel::frame::{Format, Frame, Sample};
use warpreel::pass::Decimation;

use super::samples;

/// A sample as a whole number.
fn whole(format: &Format, sample: f32) -> f64 {
    match format.pixel.sample {
        Sample::F32 if sample.is_nan() => 0.0,
        Sample::F32 => f64::from((sample.clamp(0.0, 1.0) * 65535.0).round_ties_even()),
        _ => f64::from(sample),
    }
}

/// How much two frames differ: in the block that differs most, and in all.
pub fn change(op: &Decimation, format: &Format, own: &Frame, before: &Frame) -> [f64; 2] {
    let (half, mut all) = (op.block.map(|size| size as usize / 2), 0.0);
    let compared = if op.chroma { format.pixel.planes() } else { 1 };
    let mut places = Vec::new();
    for plane in (0..compared).filter(|plane| !format.pixel.is_alpha(*plane)) {
        let ((width, _), (by_x, by_y)) = (format.plane_size(plane), format.pixel.subsampling(plane));
        for (at, (a, b)) in samples(own, plane).into_iter().zip(samples(before, plane)).enumerate() {
            let difference = (whole(format, a) - whole(format, b)).abs();
            all += difference;
            // Where its luma is.
            places.push(((at % width) << by_x, (at / width) << by_y, difference));
        }
    }
    // Every block that lies within the cells of the frame, and where there is only one cell, that.
    let steps = |side: usize, half: usize| (0..(side.div_ceil(half) - 1).max(1)).map(move |step| step * half);
    let mut most = 0.0f64;
    for top in steps(format.height, half[1]) {
        for left in steps(format.width, half[0]) {
            let [right, bottom] = [left + 2 * half[0], top + 2 * half[1]];
            let inside = places.iter().filter(|(x, y, _)| (left..right).contains(x) && (top..bottom).contains(y));
            most = most.max(inside.map(|(_, _, difference)| difference).sum());
        }
    }
    [most, all]
}

/// The numbers of the frames of a clip that stay.
#[cfg(feature = "cli")]
pub fn kept(op: &Decimation, format: &Format, clip: &[Frame]) -> Vec<usize> {
    let white = match format.pixel.sample {
        Sample::F32 => 65535.0,
        _ => f64::from((1u32 << format.pixel.depth) - 1),
    };
    let duplicate = (white * f64::from(op.block[0]) * f64::from(op.block[1]) * op.duplicate / 100.0).floor();
    let scene = (white * format.width as f64 * format.height as f64 * op.scene / 100.0).floor();
    let changes: Vec<[f64; 2]> = (0..clip.len())
        .map(|at| if at == 0 { [f64::INFINITY; 2] } else { change(op, format, &clip[at], &clip[at - 1]) })
        .collect();
    let cycle = op.cycle as usize;
    let mut kept: Vec<usize> = (0..clip.len()).collect();
    for first in (0..clip.len() / cycle).map(|index| index * cycle) {
        let own = &changes[first..first + cycle];
        let mut least = 0;
        let mut cut = None;
        for (place, [block, frame]) in own.iter().enumerate() {
            if *block < own[least][0] {
                least = place;
            }
            if *frame > scene {
                cut = Some(place);
            }
        }
        let dropped = match cut {
            Some(cut) if own[least][0] >= duplicate => cut,
            _ => least,
        };
        kept.retain(|number| *number != first + dropped);
    }
    kept
}
