//! Means along motion: that known motion is found, what comes of noise, and what holds whatever the picture.

use warpreel::filter::Want;
use warpreel::frame::{Family, Pixel, Sample};
use warpreel::pass::Op;
use warpreel::plan::plan;

use super::{chain, only, pixels};
use crate::agreement::Random;
use crate::stage::{Clip, clip, float, format, run};

const WIDTH: usize = 120;
const HEIGHT: usize = 96;

/// A texture without repetition, from 0 to 1, at any whole place.
fn texture(x: isize, y: isize) -> f32 {
    let wave = |x: isize, y: isize| {
        let mixed = (x.wrapping_mul(0x9e37_79b9) ^ y.wrapping_mul(0x85eb_ca6b)) as u32;
        let mixed = (mixed ^ mixed >> 15).wrapping_mul(0x2c1b_3c6d);
        (mixed >> 8 & 0xffff) as f32 / 65535.0
    };
    // Smooth enough to have a way down to what is sought.
    let places = (0..16).map(|i| wave((x + i % 4).div_euclid(4), (y + i / 4).div_euclid(4)));
    0.15 + 0.7 * places.sum::<f32>() / 16.0
}

/// The texture as it moves by so many samples a frame, with noise.
fn pan(pixel: Pixel, frames: usize, [dx, dy]: [isize; 2], noise: f32) -> Clip {
    let mut random = Random::new(5);
    clip(&format(pixel, WIDTH, HEIGHT), frames, |frame, _, x, y| {
        let frame = frame as isize;
        let value = texture(x as isize + frame * dx, y as isize + frame * dy) + random.real(-noise, noise);
        if pixel.sample == Sample::F32 { value } else { (value * pixel.peak()).round() }
    })
}

/// The samples of a plane that motion of so many samples leads nowhere outside.
fn inner(plane: &[f32], edge: usize) -> Vec<f32> {
    let rows = plane.chunks_exact(WIDTH).skip(edge).take(HEIGHT - 2 * edge);
    rows.flat_map(|row| row[edge..WIDTH - edge].to_vec()).collect()
}

fn squares(a: &[f32], b: &[f32]) -> f32 {
    std::iter::zip(a, b).map(|(a, b)| (a - b) * (a - b)).sum::<f32>() / a.len() as f32
}

/// Along its motion a picture is always the same, so that means of it are the picture.
#[test]
fn known_motion_is_found() {
    for (index, motion) in [[0, 0], [1, 0], [0, -2], [3, 2], [-5, 4], [7, -6], [-9, -9]].into_iter().enumerate() {
        let pixel = [Pixel::gray(8), Pixel::gray(10), Pixel::gray(16), float()][index % 4];
        let given = pan(pixel, 3, motion, 0.0);
        for text in ["degrain=frames=1:thsad=16320:pnew=0", "degrain=frames=1:thsad=16320:block=16:pel=1:pnew=0"] {
            let made = run(text, &format(pixel, WIDTH, HEIGHT), &given);
            let [made, wanted] = [&made, &given].map(|clip| inner(&clip[1][0], 40));
            assert_eq!(made, wanted, "{text} of {}, moved by {motion:?}", pixel.name());
        }
    }
}

/// Between two samples lies what the four around say, along both axes; and that is found.
#[test]
fn motion_by_half_a_sample_is_found() {
    let pixel = Pixel::gray(8);
    let place = |x: isize, y: isize| (texture(x, y) * 255.0).round() as i32;
    let tap = |[a, b, c, d]: [i32; 4]| ((9 * (b + c) - (a + d) + 8) >> 4).clamp(0, 255);
    let along = |x: isize, y: isize| tap([-1, 0, 1, 2].map(|i| place(x + i, y)));
    for [right, down] in [[true, false], [false, true], [true, true]] {
        let given = clip(&format(pixel, WIDTH, HEIGHT), 3, |frame, _, x, y| {
            let (x, y) = (x as isize, y as isize);
            let value = match (frame, right, down) {
                (1, true, false) => along(x, y),
                (1, false, _) => tap([-1, 0, 1, 2].map(|i| place(x, y + i))),
                (1, true, true) => tap([-1, 0, 1, 2].map(|i| along(x, y + i))),
                _ => place(x, y),
            };
            value as f32
        });
        let run = |text: &str| run(text, &format(pixel, WIDTH, HEIGHT), &given);
        let wanted = inner(&given[1][0], 8);
        let exact = |text: &str| {
            let made = inner(&run(text)[1][0], 8);
            std::iter::zip(&made, &wanted).filter(|(a, b)| a == b).count() as f32 / wanted.len() as f32
        };
        // Where the picture hardly changes along a line, another place on it may be as good.
        let (halves, whole) = (exact("degrain=frames=1:thsad=16320"), exact("degrain=frames=1:thsad=16320:pel=1"));
        assert!(halves > 0.95 && whole < 0.2, "right {right}, down {down}: {halves} and {whole} are exact");
    }
}

/// A picture that moves loses at least four fifths of its noise's power, 7 dB, with three frames on either side.
#[test]
fn noise_goes_where_the_picture_moves() {
    for (pixel, noise) in [(Pixel::gray(8), 0.02), (Pixel::gray(12), 0.02), (float(), 0.02)] {
        for text in ["degrain=thsad=1000", "degrain=thsad=1000:block=16"] {
            let (clean, given) = (pan(pixel, 7, [2, -1], 0.0), pan(pixel, 7, [2, -1], noise));
            let made = run(text, &format(pixel, WIDTH, HEIGHT), &given);
            let [before, after] = [&given, &made].map(|clip| squares(&inner(&clip[3][0], 8), &inner(&clean[3][0], 8)));
            assert!(after < before / 5.0, "{text} of {}: {after} of {before}", pixel.name());
        }
    }
}

#[test]
fn a_strength_of_0_does_nothing() {
    for pixel in pixels() {
        for plane in 0..pixel.planes() {
            assert_eq!(only("degrain=thsad=0").wanted(pixel, plane).expect("wanted").want, Want::Copy);
        }
    }
    let pixel = Pixel::gray(8);
    let given = pan(pixel, 4, [1, 1], 0.1);
    assert_eq!(run("degrain=limit=0:thsad=16320", &format(pixel, WIDTH, HEIGHT), &given), given);
}

/// A clip in 4:2:0 whose luma and chroma move by so many samples of their own.
fn coloured(frames: usize, luma: [isize; 2], chroma: [isize; 2]) -> Clip {
    clip(&format(Pixel::yuv420p(8), WIDTH, HEIGHT), frames, |frame, plane, x, y| {
        let ([dx, dy], frame) = (if plane == 0 { luma } else { chroma }, frame as isize);
        (255.0 * texture(x as isize + frame * dx + 300 * plane as isize, y as isize + frame * dy)).round()
    })
}

/// Means of what moves are what it is if the motion is right.
#[test]
fn chroma_takes_the_motion_of_luma_or_its_own() {
    let kept = |text: &str, luma, chroma| {
        let given = coloured(3, luma, chroma);
        let made = run(text, &format(Pixel::yuv420p(8), WIDTH, HEIGHT), &given);
        let half = |plane: &[f32]| -> Vec<f32> {
            let rows = plane.chunks_exact(WIDTH / 2).skip(16).take(HEIGHT / 2 - 32);
            rows.flat_map(|row| row[16..WIDTH / 2 - 16].to_vec()).collect()
        };
        assert_eq!(inner(&made[1][0], 40), inner(&given[1][0], 40), "luma, {text}");
        [1, 2].map(|plane| half(&made[1][plane]) == half(&given[1][plane]))
    };
    let call = "degrain=frames=1:thsad=16320:pnew=0";
    for block in [8, 16] {
        for (luma, chroma) in [([4, -6], [2, -3]), ([-2, 0], [-1, 0])] {
            assert_eq!(kept(&format!("{call}:block={block}"), luma, chroma), [true; 2], "it moves as luma does");
            assert_eq!(kept(&format!("{call}:block={block}:chroma=own"), luma, chroma), [true; 2]);
        }
        assert_eq!(kept(&format!("{call}:block={block}"), [4, -6], [-3, 2]), [false; 2], "it moves another way");
        assert_eq!(kept(&format!("{call}:block={block}:chroma=own"), [4, -6], [-3, 2]), [true; 2]);
    }
}

/// Where the picture moves by whole samples every block in its middle is painted so.
#[test]
fn motion_is_shown() {
    let moved = |pixel: Pixel, luma: [isize; 2]| {
        let peak = pixel.peak();
        clip(&format(pixel, WIDTH, HEIGHT), 3, |frame, _, x, y| {
            let frame = frame as isize;
            let value = peak * texture(x as isize + frame * luma[0], y as isize + frame * luma[1]);
            if pixel.sample == Sample::F32 { value } else { value.round() }
        })
    };
    for (pixel, [across, down]) in [(Pixel::yuv420p(8), [2, 2]), (Pixel::integer(Family::Yuv, 0, 0, 10), [1, 1])] {
        let given = moved(pixel, [3, -5]);
        let made = run("degrain=show=vectors:pnew=0", &format(pixel, WIDTH, HEIGHT), &given);
        assert_eq!(made[1][0], given[1][0], "the picture stays");
        let (middle, shade) = (f32::from(1u16 << (pixel.depth - 1)), f32::from(1u16 << (pixel.depth - 6)));
        for (plane, halves) in [(1, 6.0), (2, -10.0)] {
            let rows = made[1][plane].chunks_exact(WIDTH / across).skip(32 / down).take(16 / down);
            let mut inner = rows.flat_map(|row| row[32 / across..64 / across].to_vec());
            assert!(inner.all(|sample| sample == middle + halves * shade), "plane {plane}");
        }
    }
    let made = run("degrain=show=vectors:pnew=0", &format(float(), WIDTH, HEIGHT), &moved(float(), [3, -5]));
    assert!(inner(&made[1][0], 40).into_iter().all(|sample| sample == 10.0 / 64.0), "of grey how far it moves");
}

/// Whose motion is taken where: that of the first plane, if that is filtered too, but for alpha.
#[test]
fn motion_is_taken_where_it_is_looked_for() {
    let pixel = Pixel { alpha: true, ..Pixel::integer(Family::Yuv, 1, 0, 10) };
    let taken = |text: &str| -> Vec<Option<[u32; 2]>> {
        let one = |plane| match only(text).wanted(pixel, plane).expect("wanted").want {
            Want::Operation(Op::Degrain(op)) => op.follows.map(|guide| guide.finer),
            _ => None,
        };
        (0..4).map(one).collect()
    };
    let luma = Some([1, 0]);
    assert_eq!(taken("degrain"), [None, luma, luma, None]);
    assert_eq!(taken("degrain=planes=all:thsadc=900"), [None, luma, luma, None]);
    for text in ["degrain=planes=chroma", "degrain=chroma=own", "degrain=thsad=0:thsadc=400"] {
        assert_eq!(taken(text), [None; 4], "{text}");
    }
    // What follows is run as what it follows.
    let format = format(Pixel::yuv420p(8), 40, 24);
    let plan = plan(&chain("degrain=thsadc=900"), &format.clone().into()).expect("a plan");
    let mut pass = plan.passes()[0].clone();
    assert!(pass.check(&format).is_ok());
    let Op::Degrain(op) = &mut pass.planes[0].op else { panic!("a degrain") };
    op.search = 1;
    let error = pass.check(&format).expect_err("another search").to_string();
    assert!(error.contains("plane 1: it uses the motion of plane 0, which has no matching motion search"), "{error}");
    pass.planes[0].op = Op::Copy;
    assert!(pass.check(&format).is_err());
}

/// A limit is kept, whatever is found.
#[test]
fn nothing_changes_by_more_than_the_limit() {
    let pixel = Pixel::gray(10);
    let given = pan(pixel, 4, [0, 0], 0.1);
    let made = run("degrain=thsad=16320:limit=5:thscd2=255", &format(pixel, WIDTH, HEIGHT), &given);
    let far = |frame: usize| std::iter::zip(&made[frame][0], &given[frame][0]).map(|(a, b)| (a - b).abs());
    assert_eq!((0..4).flat_map(far).fold(0.0, f32::max), 20.0);
}

/// What is brighter by the same everywhere stays so.
#[test]
fn what_is_added_stays_added() {
    for (pixel, more) in [(Pixel::gray(8), 20.0), (Pixel::gray(16), 20.0 * 256.0)] {
        let given = pan(pixel, 4, [1, -2], 0.03);
        let brighter: Clip =
            given.iter().map(|planes| vec![planes[0].iter().map(|sample| sample + more).collect()]).collect();
        let [made, other] =
            [&given, &brighter].map(|clip| run("degrain=thsad=900", &format(pixel, WIDTH, HEIGHT), clip));
        assert_ne!(made, given);
        let back: Clip =
            other.iter().map(|planes| vec![planes[0].iter().map(|sample| sample - more).collect()]).collect();
        assert_eq!(back, made, "{}", pixel.name());
    }
}

/// Another scene counts nothing, also without `scene`; and does where no block can have changed.
#[test]
fn other_scenes_count_nothing() {
    let pixel = Pixel::gray(8);
    let given = clip(&format(pixel, WIDTH, HEIGHT), 8, |frame, _, x, y| {
        let (x, y) = (x as isize, y as isize);
        (255.0 * if frame < 4 { texture(x, y) } else { texture(y + 500, x - 900) }).round()
    });
    let run = |text: &str| run(text, &format(pixel, WIDTH, HEIGHT), &given);
    assert_eq!(run("degrain=thsad=16320:thscd1=400"), given);
    assert_ne!(run("degrain=thsad=16320:thscd1=16320"), given);
}

/// Planes smaller than a block, clips shorter than a window.
#[test]
fn small_clips_are_clips() {
    for pixel in pixels() {
        for (width, height, frames) in [(1, 1, 1), (1, 1, 3), (2, 7, 2), (9, 1, 5), (5, 5, 13)] {
            let given = clip(&format(pixel, width, height), frames, |_, _, _, _| pixel.peak() / 2.0);
            let given: Clip = given
                .iter()
                .map(|planes| planes.iter().map(|plane| plane.iter().map(|v| v.floor()).collect()).collect())
                .collect();
            assert_eq!(run("degrain=frames=6:thsad=16320", &format(pixel, width, height), &given), given);
        }
    }
}
