//! Pictures whose motion is known.

use super::*;
use crate::frame::{Pixel, Rational};

/// A number from -1 to 1 for a place of a lattice.
fn random(x: i64, y: i64, octave: u64) -> f64 {
    let mixed =
        (x as u64).wrapping_mul(0x9e37_79b9_7f4a_7c15) ^ (y as u64).wrapping_mul(0xc2b2_ae3d_27d4_eb4f) ^ octave;
    let mixed = (mixed ^ mixed >> 31).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    let mixed = (mixed ^ mixed >> 27).wrapping_mul(0x94d0_49bb_1331_11eb);
    (mixed >> 40) as f64 / f64::from(1u32 << 23) - 1.0
}

/// A scene of many sizes that repeats nowhere, from 0 to 255: smooth noise of several octaves.
fn scene(x: f64, y: f64) -> f64 {
    let octave = |octave: u32| {
        let side = f64::from(4u32 << octave);
        let [x, y] = [x / side, y / side];
        let [column, row] = [x.floor(), y.floor()];
        let smooth = |part: f64| part * part * (3.0 - 2.0 * part);
        let [across, down] = [smooth(x - column), smooth(y - row)];
        let at = |dx: i64, dy: i64| random(column as i64 + dx, row as i64 + dy, octave.into());
        let mix = |a: f64, b: f64, part: f64| a + part * (b - a);
        mix(mix(at(0, 0), at(1, 0), across), mix(at(0, 1), at(1, 1), across), down)
    };
    127.5 + 25.0 * (1..6).map(octave).sum::<f64>()
}

/// The sums over the cells of a grey frame whose content has moved by `shift` and turned by `angle` about its centre; `own` are
/// samples that do not belong to the scene.
fn cells(format: &Format, [dx, dy]: [f64; 2], angle: f64, own: impl Fn(usize, usize) -> Option<u32>) -> Vec<u32> {
    let Reduction { log2_side, columns, rows } = Reduction::of(format);
    let (sine, cosine) = (libm::sin(angle), libm::cos(angle));
    let [middle_x, middle_y] = [format.width, format.height].map(|length| (length - 1) as f64 / 2.0);
    let sample = |x: usize, y: usize| {
        own(x, y).unwrap_or_else(|| {
            let (x, y) = (x as f64 - middle_x - dx, y as f64 - middle_y - dy);
            scene(cosine * x + sine * y, cosine * y - sine * x).round().clamp(0.0, 255.0) as u32
        })
    };
    let side = 1 << log2_side;
    let cell = |row: usize, column: usize| {
        let all =
            (row * side..(row + 1) * side).flat_map(|y| (column * side..(column + 1) * side).map(move |x| (x, y)));
        all.map(|(x, y)| sample(x, y)).sum()
    };
    (0..rows).flat_map(|row| (0..columns).map(move |column| cell(row, column))).collect()
}

fn format(width: usize, height: usize) -> Format {
    Format::new(Pixel::gray(8), width, height, Rational::new(25, 1))
}

fn picture(format: &Format, cells: &[u32]) -> SmallPicture {
    SmallPicture::new(Reduction::of(format), format.pixel, cells)
}

fn scenery(_: usize, _: usize) -> Option<u32> {
    None
}

/// Motion is found to a fiftieth of a cell, whether it is small or large.
#[test]
fn known_motion_is_found() {
    for (width, height) in [(320, 180), (640, 360), (1040, 300), (180, 320)] {
        let format = format(width, height);
        let side = f64::from(1u32 << Reduction::of(&format).log2_side);
        let before = picture(&format, &cells(&format, [0.0; 2], 0.0, scenery));
        for (shift, angle) in [
            ([0.0, 0.0], 0.0),
            ([0.3, -0.6], 0.0),
            ([2.0, 1.0], 0.01),
            ([-7.25, 3.5], -0.02),
            ([21.0, -14.0], 0.004),
            ([0.1, 0.1], 0.05),
        ] {
            let after = picture(&format, &cells(&format, shift, angle, scenery));
            let found = motion(&before, &after).expect("both show the same");
            for axis in 0..2 {
                let error = found.shift[axis] * side - shift[axis];
                assert!(error.abs() < 0.02 * side, "{width}x{height}, {shift:?}, {angle}: {found:?}");
            }
            assert!((found.angle - angle).abs() < 0.0005, "{width}x{height}, {shift:?}, {angle}: {found:?}");
        }
    }
}

/// A quarter of the picture that moves by itself, and light that changes, do not matter.
#[test]
fn things_that_move_by_themselves_are_left_out() {
    let format = format(480, 270);
    let thing = |far: usize| {
        move |x: usize, y: usize| {
            let is_there = (100 + far..340 + far).contains(&x) && (60..200).contains(&y);
            is_there.then(|| if ((x - far) / 12).is_multiple_of(2) { 40 } else { 200 })
        }
    };
    let before = picture(&format, &cells(&format, [0.0; 2], 0.0, thing(0)));
    let lit: Vec<u32> = cells(&format, [3.0, -2.0], 0.01, thing(9)).iter().map(|cell| cell + 6).collect();
    let found = motion(&before, &picture(&format, &lit)).expect("both show the same");
    let [x, y] = found.shift;
    assert!((x - 3.0).abs() < 0.05 && (y + 2.0).abs() < 0.05 && (found.angle - 0.01).abs() < 0.001, "{found:?}");
}

/// Frames that show something else have no motion, and frames that show nothing none either.
#[test]
fn a_cut_has_no_motion() {
    let format = format(320, 180);
    let far = |shift| picture(&format, &cells(&format, shift, 0.0, scenery));
    assert_eq!(motion(&far([0.0; 2]), &far([4000.0, 900.0])), None);
    let even = || picture(&format, &cells(&format, [0.0; 2], 0.0, |_, _| Some(90)));
    assert_eq!(motion(&even(), &even()), None);
    assert_eq!(motion(&even(), &far([0.0; 2])), None);
    for (width, height) in [(1, 1), (7, 200), (16384, 8), (8, 8), (9, 11)] {
        let small = self::format(width, height);
        let cells: Vec<u32> = (0..Reduction::of(&small).cells() as u32).map(|cell| cell * 7 % 200).collect();
        let found = motion(&picture(&small, &cells), &picture(&small, &cells));
        assert!(found.is_none_or(|found| found.shift.iter().all(|shift| shift.abs() < 0.01)), "{width}x{height}");
    }
}

/// Corrections of frames that are pushed one by one.
fn corrections(radius: usize, format: &Format, clip: &[Vec<u32>]) -> Vec<Correction> {
    let (mut path, mut all) = (CameraPath::new(radius, format), Vec::new());
    for cells in clip {
        path.push((), Scene::GoesOn, cells);
        all.extend(std::iter::from_fn(|| path.next()).map(|(_, _, correction)| correction));
    }
    path.end();
    all.extend(std::iter::from_fn(|| path.next()).map(|(_, _, correction)| correction));
    all
}

/// An even pan stays as it is; a frame that jumps comes back; and a part of a clip has the corrections of the whole.
#[test]
fn paths_are_smoothed_and_parts_are_slices() {
    let format = format(240, 136);
    let jump = |n: usize| if n == 10 { 4.0 } else { 0.0 };
    let place = |n: usize| [1.5 * n as f64 + jump(n), -0.5 * n as f64];
    let clip: Vec<_> = (0..20).map(|n| cells(&format, place(n), 0.0, scenery)).collect();
    let all = corrections(3, &format, &clip);
    assert_eq!(all.len(), 20);
    for (n, Correction { shift: [x, y], .. }) in all.iter().enumerate() {
        let is_near = (7..14).contains(&n);
        assert!(y.abs() < 0.05 && (is_near || x.abs() < 0.05), "{n}: {x}, {y}");
    }
    let own = 1.0 - 1.0 / (1.0 + 2.0 * (libm::exp(-2.0 / 9.0) + libm::exp(-8.0 / 9.0) + libm::exp(-2.0)));
    assert!((all[10].shift[0] + 4.0 * own).abs() < 0.05, "{:?} for {}", all[10], -4.0 * own);
    let part = corrections(3, &format, &clip[4..18]);
    assert_eq!(part[3..11], all[7..15]);
    let motions: Vec<_> = clip.windows(2).map(|pair| CameraMotion::between(&format, &pair[0], &pair[1])).collect();
    for (n, wanted) in all.iter().enumerate() {
        let (before, after) = motions.split_at(n);
        assert_eq!(camera_correction(3, before, after), *wanted, "{n}");
    }
}

/// A cut begins another path: what lies behind it does not pull at the frames before.
#[test]
fn a_cut_begins_another_path() {
    let format = format(240, 136);
    let first: Vec<_> = (0..6).map(|n| cells(&format, [0.8 * f64::from(n), 0.0], 0.0, scenery)).collect();
    let second: Vec<_> = (0..6).map(|n| cells(&format, [5000.0 - 3.0 * f64::from(n), 0.0], 0.0, scenery)).collect();
    let both = corrections(4, &format, &[first.clone(), second.clone()].concat());
    let apart = [corrections(4, &format, &first), corrections(4, &format, &second)].concat();
    assert_eq!(both, apart);
}
