//! A meter whose sums another machine forms: here plain loops over what the meter wants, which give the digits of the CPU.

use std::collections::VecDeque;
use std::sync::Arc;

use anyhow::{Context, Result};
use warpreel::backend::{BlockSums, PairSummer, PairSums, PairWants};
use warpreel::frame::{Family, Format, Frame, Pixel, Plane, Rational};
use warpreel::metrics::{Metric, MetricScores, QualityMeter};

use super::agreement::{Noise, frame, pixel};
use super::oracle::Picture;

/// Sums of bytes; several pairs may be under way.
struct Loops {
    wants: PairWants,
    /// The references so far, the last one first.
    before: Vec<Frame>,
    sums: VecDeque<PairSums>,
}

fn sample(plane: &Plane<'_, u8>, x: usize, y: usize) -> i64 {
    plane.row(y.min(plane.height - 1))[x.min(plane.width - 1)].into()
}

/// Squared differences of some columns of a row.
fn squares([a, b]: &[Plane<'_, u8>; 2], y: usize, columns: std::ops::Range<usize>) -> i64 {
    columns.map(|x| (sample(a, x, y) - sample(b, x, y)).pow(2)).sum()
}

impl Loops {
    /// Error, activity in space and activity in time of a block.
    fn block(&self, number: usize, pair: [&Frame; 2]) -> BlockSums {
        let plan = self.wants.blocks.as_ref().expect("a plan");
        let block = plan.blocks[number];
        let planes = pair.map(|frame| frame.host().unwrap().plane::<u8>(block.plane));
        let [left, top, width, height] = block.area;
        let error: i64 = (top..top + height).map(|y| squares(&planes, y, left..left + width)).sum();
        let (own, step) = (&planes[0], if plan.is_large { 2 } else { 1 });
        let places = |[left, top, width, height]: [usize; 4]| {
            let rows = (top..top + height).step_by(step);
            rows.flat_map(move |y| (left..left + width).step_by(step).map(move |x| (x, y)))
        };
        let fine = |(x, y): (usize, usize)| {
            let weight = |dx: usize, dy: usize| [[-1, -2, -1], [-2, 12, -2], [-1, -2, -1]][dy][dx];
            let all = (0..3).flat_map(|dy| (0..3).map(move |dx| (dx, dy)));
            all.map(|(dx, dy)| weight(dx, dy) * sample(own, x + dx - 1, y + dy - 1)).sum::<i64>().abs()
        };
        let coarse = |(x, y): (usize, usize)| {
            const HALF: [[i64; 6]; 3] = [[0, -1, -1, -1, -1, 0], [-1, -2, -3, -3, -2, -1], [-1, -3, 12, 12, -3, -1]];
            let all = (0..6usize).flat_map(|dy| (0..6).map(move |dx| (dx, dy)));
            all.map(|(dx, dy)| HALF[dy.min(5 - dy)][dx] * sample(own, x + dx - 2, y + dy - 2)).sum::<i64>().abs()
        };
        let space: i64 = match plan.is_large {
            true => places(block.inner).map(coarse).sum(),
            false => places(block.inner).map(fine).sum(),
        };
        let around = |frame: &Frame, (x, y): (usize, usize)| -> i64 {
            let plane = frame.host().unwrap().plane::<u8>(0);
            (0..step * step).map(|place| sample(&plane, x + place % step, y + place / step)).sum()
        };
        let weights = if plan.order == 2 { [-2, 1] } else { [-1, 0] };
        let changed = |place: (usize, usize)| {
            let before = self.before.iter().zip(weights).map(|(frame, weight)| weight * around(frame, place));
            (around(pair[0], place) + before.sum::<i64>()).abs()
        };
        let time: i64 = if block.is_timed { places(block.area).map(changed).sum() } else { 0 };
        let [error, space, time] = [error, space, time].map(|sum| sum as u64);
        BlockSums { error, space, time }
    }
}

impl PairSummer for Loops {
    fn name(&self) -> &str {
        "loops"
    }

    fn in_flight(&self) -> usize {
        3
    }

    fn start(&mut self, pair: [&Frame; 2]) -> Result<()> {
        let rows = |plane: usize| {
            let planes = pair.map(|frame| frame.host().unwrap().plane::<u8>(plane));
            (0..planes[0].height).map(|y| squares(&planes, y, 0..planes[0].width) as f64).collect()
        };
        let blocks = 0..self.wants.blocks.as_ref().map_or(0, |plan| plan.blocks.len());
        let errors = if self.wants.errors { self.wants.format.pixel.planes() } else { 0 };
        let sums = PairSums {
            errors: (0..errors).map(rows).collect(),
            blocks: blocks.map(|number| self.block(number, pair)).collect(),
            ..PairSums::default()
        };
        self.sums.push_back(sums);
        self.before.insert(0, pair[0].clone());
        self.before.truncate(2);
        Ok(())
    }

    fn finish(&mut self) -> Result<PairSums> {
        self.sums.pop_front().context("no pair")
    }
}

/// Values of all pairs and of the clip, as many pairs under way as there may be.
fn all(meter: &mut QualityMeter, clips: &[Vec<Frame>; 2]) -> Vec<Vec<MetricScores>> {
    let (mut scores, mut under_way) = (Vec::new(), 0);
    for (a, b) in clips[0].iter().zip(&clips[1]) {
        meter.start(a, b).unwrap();
        under_way += 1;
        if under_way == meter.in_flight() {
            scores.push(meter.finish().unwrap());
            under_way -= 1;
        }
    }
    scores.extend((0..under_way).map(|_| meter.finish().unwrap()));
    meter.finish().expect_err("no pair is under way");
    scores.push(meter.of_clip());
    scores
}

#[test]
fn sums_of_another_machine_give_the_same_digits() {
    let mut noise = Noise(29);
    let (metrics, mut compared) = ([Metric::Xpsnr, Metric::Psnr], 0);
    for (name, (width, height), rate) in [
        ("gray", (1, 1), 25),
        ("yuv420p", (40, 30), 25),
        ("yuv420p", (97, 75), 50),
        ("yuva422p", (321, 181), 25),
        ("gbrp", (64, 49), 50),
        // Blocks of pairs of rows, and weights that are not smoothed.
        ("yuv420p", (2561, 1001), 50),
        ("yuv444p", (1055, 2241), 25),
    ] {
        let pixel: Pixel = pixel(name);
        let format = Arc::new(Format::new(pixel, width, height, Rational::new(rate, 1)));
        let clips = [(); 2].map(|()| {
            let mut next = |number: usize| {
                let planes: Vec<Picture> = (0..pixel.planes())
                    .map(|plane| {
                        let (width, height) = format.plane_size(plane);
                        let slope = |place: usize| (place % width + 2 * (place / width) + 5 * number) % 150;
                        let samples = (0..width * height).map(|place| (slope(place) as u64 + noise.next() % 90) as f64);
                        Picture { width, height, samples: samples.collect() }
                    })
                    .collect();
                frame(&format, &planes.iter().collect::<Vec<_>>())
            };
            (0..5).map(&mut next).collect::<Vec<_>>()
        });
        let wants = QualityMeter::wants(&format, &metrics);
        assert!(wants.similarity.is_none() && wants.perception.is_none(), "metrics that nobody asked for");
        let loops = Loops { wants, before: Vec::new(), sums: VecDeque::new() };
        let got = all(&mut QualityMeter::on(&format, &metrics, Box::new(loops)), &clips);
        let wanted = all(&mut QualityMeter::new(&format, &metrics, 2).unwrap(), &clips);
        assert_eq!(got, wanted, "{format}");
        compared += got.len();
    }
    assert_eq!(compared, 7 * 6);
}

/// Whoever forms the sums relies on plans that stay inside of planes.
#[test]
fn plans_fit_the_format_they_are_made_for() {
    for name in ["gray", "gray16", "yuv420p", "yuv410p", "yuva422p10", "yuv440p", "yuv444p", "gbrap", "gbrpf32"] {
        let pixel: Pixel = pixel(name);
        for (width, height) in
            [(1, 1), (1, 40), (7, 9), (8, 8), (40, 1), (45, 46), (97, 75), (2561, 1001), (16384, 129)]
        {
            let format = Arc::new(Format::new(pixel, width, height, Rational::new(25, 1)));
            let wants = || QualityMeter::wants(&format, &Metric::ALL);
            wants().check().unwrap_or_else(|error| panic!("{format}: {error:#}"));
            let refused = |change: &dyn Fn(&mut PairWants)| {
                let mut wants = wants();
                change(&mut wants);
                wants.check().expect_err("a plan that does not fit");
            };
            refused(&|wants| wants.similarity.as_mut().unwrap().windows[0] = [height / 4 + 1, 1]);
            refused(&|wants| wants.similarity.as_mut().unwrap().windows.truncate(0));
            refused(&|wants| wants.blocks.as_mut().unwrap().blocks[0].area[2] = width + 1);
            refused(&|wants| wants.blocks.as_mut().unwrap().blocks[0].area[1] = usize::MAX);
            refused(&|wants| wants.blocks.as_mut().unwrap().blocks[0].plane = 4);
            refused(&|wants| wants.blocks.as_mut().unwrap().blocks[0].inner = [0, 1, 1, 1]);
            refused(&|wants| wants.blocks.as_mut().unwrap().order = 3);
            refused(&|wants| wants.perception.as_mut().unwrap().planes[2] = 4);
            refused(&|wants| wants.perception.as_mut().unwrap().steps[1] = 0);
            if width.min(height) >= 8 {
                refused(&|wants| wants.perception.as_mut().unwrap().scales[0].width += 1);
                refused(&|wants| wants.perception.as_mut().unwrap().scales[1].height += 1);
            }
            if pixel.family == Family::Yuv && pixel.planes() == 4 {
                refused(&|wants| wants.blocks.as_mut().unwrap().blocks.last_mut().unwrap().is_timed = true);
            }
        }
    }
}
