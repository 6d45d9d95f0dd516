//! Metrics on the GPU against those of the CPU: every digit.

use std::sync::Arc;

use warpreel::backend::cuda::PairMeter;
use warpreel::backend::{Choice, ChosenMeter};
use warpreel::frame::{Family, Format, Frame, Pixel, Pool, Rational, Sample, Timing};
use warpreel::metrics::{Metric, MetricScores, QualityMeter};

use super::device;
use crate::program::Bench;

/// Numbers that look random.
struct Noise(u64);

impl Noise {
    fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        self.0 >> 33
    }
}

/// A clip of a slope that moves, with noise; of floats also values beyond the range, and what is no number.
fn clip(noise: &mut Noise, format: &Arc<Format>, frames: usize, pool: &Pool) -> Vec<Frame> {
    let peak = f64::from(format.pixel.peak());
    let mut sample = |x: usize, y: usize, number: usize| {
        let slope = ((x + 3 * number) % 61 + y % 47) as f64 / 106.0;
        peak * (0.9 * slope + 0.3 * (noise.next() % 1000) as f64 / 1000.0 - 0.1)
    };
    let mut frame = |number: usize| {
        let mut frame = pool.frame(format).expect("memory");
        match format.pixel.sample {
            Sample::U8 => frame.planes_mut::<u8>().iter_mut().for_each(|plane| {
                for y in 0..plane.height {
                    let row = plane.row_mut(y).iter_mut().enumerate();
                    row.for_each(|(x, to)| *to = sample(x, y, number).clamp(0.0, peak) as u8);
                }
            }),
            Sample::U16 => frame.planes_mut::<u16>().iter_mut().for_each(|plane| {
                for y in 0..plane.height {
                    let row = plane.row_mut(y).iter_mut().enumerate();
                    row.for_each(|(x, to)| *to = sample(x, y, number).clamp(0.0, peak) as u16);
                }
            }),
            Sample::F32 => frame.planes_mut::<f32>().iter_mut().for_each(|plane| {
                for y in 0..plane.height {
                    for (x, to) in plane.row_mut(y).iter_mut().enumerate() {
                        *to = match (x + 7 * y + number) % 97 {
                            11 => f32::INFINITY,
                            23 => f32::NAN,
                            31 => f32::NEG_INFINITY,
                            43 => -0.0,
                            _ => sample(x, y, number) as f32,
                        };
                    }
                }
            }),
        }
        frame.freeze(Timing { number: number as u64, pts: number as i64, ..Timing::default() })
    };
    (0..frames).map(&mut frame).collect()
}

/// The bits of all values: digits that look alike may differ.
fn bits(scores: &[MetricScores]) -> Vec<(Metric, Vec<Option<u64>>)> {
    let of = |scores: &MetricScores| {
        let values = scores.values.planes.iter().chain([&scores.values.all]);
        (scores.metric, values.map(|value| value.map(f64::to_bits)).collect())
    };
    scores.iter().map(of).collect()
}

/// Measures two clips on both, as many pairs at a time as either takes.
fn assert_alike(format: &Arc<Format>, metrics: &[Metric], clips: &[Vec<Frame>; 2]) {
    let Some(device) = device() else { return };
    let pool = Pool::new(device.allocator());
    let summer = PairMeter::new(device, &QualityMeter::wants(format, metrics), pool).expect("a meter");
    let gpu = QualityMeter::on(format, metrics, Box::new(summer));
    let cpu = QualityMeter::new(format, metrics, 2).expect("a meter");
    let [got, wanted] = [gpu, cpu].map(|mut meter| {
        let (mut scores, mut under_way) = (Vec::new(), 0);
        for (a, b) in clips[0].iter().zip(&clips[1]) {
            meter.start(a, b).expect("a pair");
            under_way += 1;
            if under_way == meter.in_flight() {
                scores.push(bits(&meter.finish().expect("values")));
                under_way -= 1;
            }
        }
        scores.extend((0..under_way).map(|_| bits(&meter.finish().expect("values"))));
        scores.push(bits(&meter.of_clip()));
        scores
    });
    assert_eq!(got.len(), clips[0].len() + 1);
    for (number, (got, wanted)) in got.iter().zip(&wanted).enumerate() {
        assert_eq!(got, wanted, "{format}, frame {number}");
    }
}

fn pixel(family: Family, chroma: (u8, u8), depth: u8, alpha: bool) -> Pixel {
    let sample = match depth {
        8 => Sample::U8,
        32 => Sample::F32,
        _ => Sample::U16,
    };
    Pixel { family, alpha, log2_chroma_w: chroma.0, log2_chroma_h: chroma.1, sample, depth }
}

/// Each kind of samples in each family, in sizes around those of blocks of samples and of threads.
#[test]
fn every_format_and_size() {
    if device().is_none() {
        return;
    }
    let mut noise = Noise(3);
    let families = [
        (Family::Gray, (0, 0), false),
        (Family::Yuv, (1, 1), false),
        (Family::Yuv, (1, 0), true),
        (Family::Yuv, (0, 0), false),
        (Family::Yuv, (2, 2), false),
        (Family::Rgb, (0, 0), true),
    ];
    for (family, chroma, alpha) in families {
        for depth in [8, 10, 12, 16, 32] {
            let pixel = pixel(family, chroma, depth, alpha);
            for (width, height) in [(1, 1), (7, 7), (8, 8), (9, 13), (17, 16), (65, 33), (259, 71), (521, 130)] {
                let format = Arc::new(Format::new(pixel, width, height, Rational::new(25, 1)));
                let clips = [(); 2].map(|()| clip(&mut noise, &format, 2, &Pool::heap()));
                assert_alike(&format, &Metric::ALL, &clips);
            }
        }
    }
}

/// Sizes of clips, where XPSNR smooths weights, and where it takes pairs of rows and columns as one; both orders in time.
#[test]
fn large_frames_in_order() {
    let Some(device) = device() else { return };
    let mut noise = Noise(5);
    for (depth, (width, height), rate) in [
        (8, (640, 360), 25),
        (8, (1919, 1081), 50),
        (10, (1280, 720), 60),
        (8, (2561, 1441), 25),
        (16, (2562, 1440), 50),
        (32, (2050, 1155), 30),
    ] {
        let pixel = pixel(Family::Yuv, (1, 1), depth, false);
        let format = Arc::new(Format::new(pixel, width, height, Rational::new(rate, 1)));
        let pool = Pool::new(device.allocator());
        let clips = [(); 2].map(|()| clip(&mut noise, &format, 5, &pool));
        assert_alike(&format, &Metric::ALL, &clips);
    }
}

/// Matrices, ranges and where chroma is sited.
#[test]
fn colours_of_ssimulacra2() {
    if device().is_none() {
        return;
    }
    let mut noise = Noise(7);
    for (matrix, siting, chroma) in
        [(1, 2, (1, 1)), (9, 1, (1, 0)), (4, 3, (1, 1)), (7, 2, (2, 0)), (6, 1, (2, 2)), (2, 2, (0, 1))]
    {
        let mut format = Format::new(pixel(Family::Yuv, chroma, 8, false), 301, 67, Rational::new(25, 1));
        (format.colour.matrix, format.colour.siting) = (matrix, siting);
        let format = Arc::new(format);
        let clips = [(); 2].map(|()| clip(&mut noise, &format, 1, &Pool::heap()));
        assert_alike(&format, &[Metric::Ssimulacra2], &clips);
    }
}

#[test]
fn equal_frames() {
    if device().is_none() {
        return;
    }
    for depth in [8, 10, 32] {
        let format = Arc::new(Format::new(pixel(Family::Yuv, (1, 1), depth, false), 97, 64, Rational::new(25, 1)));
        let clip = clip(&mut Noise(9), &format, 3, &Pool::heap());
        assert_alike(&format, &Metric::ALL, &[clip.clone(), clip]);
    }
}

#[test]
fn each_metric_alone() {
    if device().is_none() {
        return;
    }
    let format = Arc::new(Format::new(pixel(Family::Yuv, (1, 1), 8, false), 320, 180, Rational::new(50, 1)));
    let mut noise = Noise(11);
    let clips = [(); 2].map(|()| clip(&mut noise, &format, 4, &Pool::heap()));
    for metric in Metric::ALL {
        assert_alike(&format, &[metric], &clips);
    }
}

#[test]
fn a_pair_too_many_is_refused() {
    let Some(device) = device() else { return };
    let format = Arc::new(Format::new(Pixel::gray(8), 32, 32, Rational::new(25, 1)));
    let frame = clip(&mut Noise(1), &format, 1, &Pool::heap()).remove(0);
    let mut chosen = ChosenMeter::make(Choice::Cuda, device.ordinal, &format, &Metric::ALL, 1).expect("a meter");
    assert!(chosen.name.starts_with("cuda, "), "{}", chosen.name);
    for _ in 0..chosen.meter.in_flight() {
        chosen.meter.start(&frame, &frame).expect("a pair");
    }
    chosen.meter.start(&frame, &frame).expect_err("a pair too many");
    for _ in 0..chosen.meter.in_flight() {
        chosen.meter.finish().expect("values");
    }
    chosen.meter.finish().expect_err("no pair");
}

/// Frames whose memory on the GPU is used again and again, while kernels still read those before.
#[test]
fn references_last_until_they_were_read() {
    let Some(device) = device() else { return };
    for (depth, size, rate) in [(8, (1920, 1080), 25), (8, (2560, 1440), 50), (10, (1920, 1080), 50)] {
        let format =
            Arc::new(Format::new(pixel(Family::Yuv, (1, 1), depth, false), size.0, size.1, Rational::new(rate, 1)));
        let (mut noise, pool) = (Noise(13), Pool::new(device.allocator()));
        let few = [(); 2].map(|()| clip(&mut noise, &format, 4, &pool));
        let many = few.map(|frames| frames.iter().cycle().take(60).cloned().collect());
        assert_alike(&format, &[Metric::Xpsnr], &many);
        assert_alike(&format, &[Metric::Xpsnr, Metric::Ssim], &many);
    }
}

/// The program, with all digits of all frames; and on a run.
#[test]
fn the_program_prints_the_same() {
    if device().is_none() {
        return;
    }
    let mut noise = Noise(17);
    for (pixel, samples, depth) in
        [("yuv420p", 322 * 182 * 3 / 2, 8), ("yuv422p10le", 322 * 182 * 2, 10), ("gbrp", 322 * 182 * 3, 8)]
    {
        let (bench, raw) = (Bench::new(), format!("{pixel}:322x182@25"));
        let mut sample = |place: usize| ((place % 322 + place / 9000) as u64 % 180 + noise.next() % 60) << (depth - 8);
        let bytes = (0..25 * samples).flat_map(|place| {
            let [low, high, ..] = sample(place).to_le_bytes();
            if depth == 8 { vec![low] } else { vec![low, high] }
        });
        std::fs::write(bench.path("a.raw"), bytes.collect::<Vec<u8>>()).expect("a file");
        bench.pass(&["a.raw", "b.raw", "--raw", &raw, "-q", "-f", "gaussian=1:planes=all", "--backend", "cpu"]);
        let [cpu, cuda, auto] = ["cpu", "cuda", "auto"].map(|backend| {
            let clips = ["metrics", "a.raw", "b.raw", "--raw", &raw, "--json", "-", "--backend", backend];
            String::from_utf8(bench.pass(&clips)).unwrap()
        });
        assert!(cpu.lines().count() == 26 && cpu == cuda, "{cpu}\n{cuda}");
        assert_eq!(cpu, auto);
        let [cpu, cuda] = ["cpu", "cuda"].map(|backend| {
            let output = ["a.raw", "null:", "--raw", &raw, "-q", "-f", "gaussian=1", "--backend", backend, "-y"];
            bench.pass(
                &[&output[..], &["--metrics", "psnr,ssim,xpsnr,ssimulacra2", "--metrics-file", "m.csv"]].concat(),
            );
            std::fs::read_to_string(bench.path("m.csv")).unwrap()
        });
        assert!(cpu.lines().count() == 26 && cpu == cuda, "{cpu}\n{cuda}");
    }
}
