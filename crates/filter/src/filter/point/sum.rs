//! Colours as sums of colours: matrices of RGB, and of chroma alone.

use std::sync::Arc;

use anyhow::Result;

use super::super::spec::FormatPlane;
use super::super::value::Values;
use super::super::want::Want;
use super::lut3d;
use crate::frame::{Pixel, Sample};
use crate::pass::{ColourMap, Grade, Lattice, LatticeMode, Mix, MixSums, Op};

/// Parts of one in whole numbers: 16 binary places.
pub(super) const ONE: f64 = 65536.0;

/// Which of red, green and blue the planes of RGB hold.
pub(super) const COLOUR_OF_PLANE: [usize; 3] = [1, 2, 0];

/// Whether planes are mixed in whole numbers where there is room: FFmpeg's `hue` has tables for these depths.
pub(super) fn is_whole(pixel: Pixel) -> bool {
    pixel.sample != Sample::F32 && pixel.depth <= Mix::WHOLE_DEPTH
}

/// The colours of RGB by rows for red, green and blue, each of the parts of red, green and blue in it; `offset`, in the units
/// of the samples, is added to all.
pub(super) fn rgb(target: FormatPlane, rows: [[f64; 3]; 3], offset: f64) -> Want {
    let by_plane = COLOUR_OF_PLANE.map(|to| COLOUR_OF_PLANE.map(|from| rows[to][from]));
    let (weights, bias) = (by_plane.map(|row| row.map(|weight| weight as f32)), [offset as f32; 3]);
    let mut sums = MixSums::Real { weights, bias };
    if is_whole(target.pixel) {
        let mut weights = [[0; 3]; 3];
        for (weights, row) in weights.iter_mut().zip(&by_plane) {
            *weights = row.map(|weight| (weight * ONE).round() as i32);
            // Rounded parts that sum to the rounded sum keep grey as it is: the largest has the rest, the same of rows that are alike.
            let missing = (row.iter().sum::<f64>() * ONE).round() as i32 - weights.iter().sum::<i32>();
            if let Some(largest) = weights.iter_mut().max_by_key(|weight| weight.abs()) {
                *largest += missing;
            }
        }
        let bias = (offset * ONE + 0.5 * ONE).round() as i32;
        if weights.iter().all(|row| Mix::has_room(row, bias, 0.0, target.pixel.peak())) {
            sums = MixSums::Whole { weights, bias: [bias; 3] };
        }
    }
    Want::Operation(Op::Mix(Mix { first: 0, centre: 0.0, sums }))
}

/// The two planes of chroma, turned: `u · cos − v · sin` and `u · sin + v · cos`, both in units that [`ONE`] of whole numbers is 1.
pub(super) fn chroma(target: FormatPlane, [cos, sin]: [f64; 2]) -> Want {
    let centre = target.pixel.neutral(1);
    let rows = [[cos, -sin, 0.0], [sin, cos, 0.0], [0.0; 3]];
    let sums = if is_whole(target.pixel) {
        let weights = rows.map(|row| row.map(|weight| (weight * ONE).round_ties_even() as i32));
        MixSums::Whole { weights, bias: [(f64::from(centre) * ONE + 0.5 * ONE) as i32; 3] }
    } else {
        MixSums::Real { weights: rows.map(|row| row.map(|weight| weight as f32)), bias: [centre; 3] }
    };
    Want::Operation(Op::Mix(Mix { first: 1, centre, sums }))
}

/// The same of planes that are no RGB, which become that and come back: a table of colours of two points a side, between which
/// all is straight, wide enough for colours that RGB has no room for.
pub(super) fn through_rgb(values: &Values, target: FormatPlane, rows: [[f64; 3]; 3]) -> Result<Want> {
    const ENDS: [f64; 2] = [-1.0, 2.0];
    let points = (0..8).map(|point| {
        let given = [0, 1, 2].map(|axis| ENDS[point >> axis & 1]);
        rows.map(|row| (row[0] * given[0] + row[1] * given[1] + row[2] * given[2]) as f32)
    });
    let [low, high] = ENDS.map(|end| [end as f32; 3]);
    let lattice = Arc::new(Lattice::new(2, points.collect(), low, high)?);
    let matrix = lut3d::matrix(values, target)?;
    Ok(Want::Operation(Op::Grade(Grade {
        map: ColourMap::Lattice(lattice, LatticeMode::Tetrahedral),
        strength: 1.0,
        matrix,
    })))
}
