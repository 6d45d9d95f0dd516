//! Cuts and brightness on the GPU: whole jobs with 1 to 8 frames in flight give the bytes of the CPU.

use std::sync::Arc;

use warpreel::frame::{Family, Format, Frame, Pixel, Rational, Sample};
use warpreel::job::Choice;

use super::device;
use crate::scene::stabilize::{filmed, shaking};
use crate::scene::{assert_same, filtered, scenes};

const CHAINS: [&str; 5] = [
    "tmix=frames=5:scene=0.2",
    "deflicker=size=5:scene=0.2:range=limited",
    "open=1:1:1:scene=0.2,tgaussian=sigma=2:border_t=zero",
    "gain=0.9,tmedian=1:scene=0.1,deflicker=size=4:mode=pm:mix=0.5,box3d=radius_t=2:scene=0.3:border_t=reflect101",
    "bm3d=sigma=12:radius=2:scene=0.2:mix=0.5,bm3d=sigma=4:radius=4:ps_range=2:group=32:block_step=7:border_t=clamp",
];

fn clip(pixel: Pixel) -> Vec<Frame> {
    let format = Arc::new(Format::new(pixel, 318, 45, Rational::new(25, 1)));
    scenes(&format, &[(9, 0.1), (1, 0.4), (1, 0.95), (12, 0.2), (2, 0.9), (15, 0.3)])
}

#[test]
fn scenes_are_those_of_the_cpu() {
    if device().is_none() {
        return;
    }
    let float = Pixel { sample: Sample::F32, depth: 32, ..Pixel::gray(8) };
    for pixel in [Pixel::yuv420p(8), Pixel::yuv420p(10), Pixel::integer(Family::Rgb, 0, 0, 16), float] {
        let clip = clip(pixel);
        for chain in CHAINS {
            let (wanted, _) = filtered(chain, &clip, Choice::Cpu, 1);
            for in_flight in [1, 2, 3, 8] {
                let (got, _) = filtered(chain, &clip, Choice::Cuda, in_flight);
                assert_same(&got, &wanted, &format!("{chain} in {} with {in_flight} in flight", pixel.name()));
            }
        }
    }
}

/// The motion of a camera, found in sums that the GPU makes, and frames that it moves.
#[test]
fn stabilized_frames_are_those_of_the_cpu() {
    if device().is_none() {
        return;
    }
    let float = Pixel { sample: Sample::F32, depth: 32, ..Pixel::gray(8) };
    let pixels = [Pixel::yuv420p(8), Pixel::yuv420p(10), Pixel::integer(Family::Rgb, 0, 0, 16), float];
    for (pixel, size) in pixels.into_iter().zip([(320, 180), (1100, 90), (64, 700), (33, 21)]) {
        let format = Arc::new(Format::new(pixel, size.0, size.1, Rational::new(25, 1)));
        let clip = filmed(&format, &shaking(12));
        for chain in [
            "stabilize=radius=3",
            "tmix=3,stabilize=radius=2:zoom=0:edge=fill:interpolation=lanczos,gaussian=1",
            "scale=2*iw:ih,stabilize=radius=4:edge=clamp:interpolation=point,stabilize=radius=1:enable='mod(n,2)'",
        ] {
            let (wanted, _) = filtered(chain, &clip, Choice::Cpu, 1);
            for in_flight in [1, 3, 8] {
                let (got, _) = filtered(chain, &clip, Choice::Cuda, in_flight);
                assert_same(&got, &wanted, &format!("{chain} in {} with {in_flight} in flight", pixel.name()));
            }
        }
    }
}

/// What waits for answers is bounded: a clip that is twice as long takes no more memory.
#[test]
fn memory_is_bounded() {
    if device().is_none() {
        return;
    }
    let long = [clip(Pixel::yuv420p(8)), clip(Pixel::yuv420p(8)), clip(Pixel::yuv420p(8))].concat();
    let used = |frames: &[Frame]| {
        let (_, report) = filtered(CHAINS[3], frames, Choice::Cuda, 4);
        report.device_memory_bytes.expect("a GPU's memory")
    };
    // Two windows of 3 and 5, half of one of 4, a result and 4 in flight for each pass, and before three of them 4 that
    // wait and one more; twice, because what was uploaded rests until it has been read.
    let frame_bytes = 318 * 48 * 3 / 2 + (1 << 16);
    let bound = 2 * (3 + 5 + 2 + 4 * 5 + 3 * 5) * frame_bytes;
    for length in [40, long.len()] {
        let bytes = used(&long[..length]);
        assert!(bytes <= bound, "{length} frames take {bytes} bytes where {bound} are enough");
    }
}
