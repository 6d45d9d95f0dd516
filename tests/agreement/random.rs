//! Random numbers, formats and passes from a seed, so that a failure can be had again.

use warpreel::frame::{Family, Format, FrameFields, Pixel, Rational, Sample};
use warpreel::pass::{
    Arithmetic, Blend, Border, Combine, Correction, Deinterlacing, Dense, Finish, Kernel, Op, OverlayPlace, Parity,
    Pass, PointStep, Pointwise, Rank, Scan, Separable, Taps, TimeBorder, Weave,
};

use super::case::{Case, Content, Rows};

/// SplitMix64.
pub struct Random(u64);

impl Random {
    pub fn new(seed: u64) -> Self {
        Self(seed)
    }

    pub fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut z = self.0;
        z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        z ^ (z >> 31)
    }

    /// 0 to `end − 1`.
    pub fn below(&mut self, end: u64) -> u64 {
        self.next() % end
    }

    pub fn range(&mut self, range: std::ops::RangeInclusive<usize>) -> usize {
        range.start() + self.below((range.end() - range.start() + 1) as u64) as usize
    }

    pub fn real(&mut self, low: f32, high: f32) -> f32 {
        low + (high - low) * (self.below(1 << 24) as f32 / (1 << 24) as f32)
    }

    pub fn one_of<'a, T>(&mut self, list: &'a [T]) -> &'a T {
        &list[self.below(list.len() as u64) as usize]
    }

    /// Any pixel.
    pub fn pixel(&mut self) -> Pixel {
        let family = *self.one_of(&[Family::Gray, Family::Yuv, Family::Yuv, Family::Rgb]);
        let (w, h) = *self.one_of(&[(0, 0), (1, 0), (1, 1), (2, 0), (0, 1), (2, 2)]);
        let (w, h) = if family == Family::Yuv { (w, h) } else { (0, 0) };
        let depth = *self.one_of(&[8, 8, 8, 9, 10, 12, 14, 15, 16, 16]);
        let mut pixel = Pixel::integer(family, w, h, depth);
        if self.below(5) == 0 {
            (pixel.sample, pixel.depth) = (Sample::F32, 32);
        }
        pixel.alpha = self.below(4) == 0;
        pixel
    }

    pub fn border(&mut self, pixel: Pixel, arithmetic: Arithmetic) -> Border {
        let constant = match arithmetic {
            Arithmetic::Integer => self.below(pixel.peak() as u64 + 1) as f32,
            Arithmetic::Real => self.real(0.0, pixel.peak()),
        };
        let borders = [
            Border::Reflect101,
            Border::Clamp,
            Border::Lopsided,
            Border::Reflect,
            Border::Wrap,
            Border::Constant(constant),
        ];
        *self.one_of(&borders)
    }

    fn arithmetic(&mut self, pixel: Pixel) -> Arithmetic {
        if pixel.sample == Sample::F32 || self.below(3) == 0 { Arithmetic::Real } else { Arithmetic::Integer }
    }

    /// Weights of which the sum of absolute values times `highest` stays below 2³¹ where they are integers.
    fn weights(&mut self, count: usize, arithmetic: Arithmetic, highest: f64) -> Vec<f32> {
        let limit = (2f64.powi(31) / highest / count as f64).floor().min(f64::from(1 << 24)) as u64;
        let limit = limit.saturating_sub(1);
        match arithmetic {
            Arithmetic::Real => {
                let size = *self.one_of(&[0.1, 1.0, 1e6]);
                (0..count).map(|_| self.real(-size, size) * self.below(4).min(1) as f32).collect()
            }
            Arithmetic::Integer => {
                let size = (*self.one_of(&[1, 2, 60, 127, 128, 1000, u64::MAX])).min(limit);
                let low = *self.one_of(&[0, 1]) * size as i64;
                (0..count).map(|_| (self.below(size + low as u64 + 1) as i64 - low) as f32).collect()
            }
        }
    }

    fn taps(&mut self, longest: usize, arithmetic: Arithmetic, highest: f64) -> Taps {
        let count = self.range(1..=longest);
        let weights = match self.below(4) {
            0 => vec![1.0; count],
            _ => self.weights(count, arithmetic, highest),
        };
        Taps { weights, anchor: self.below(count as u64) as usize }
    }

    fn finish(&mut self, pixel: Pixel, sum: f64) -> Finish {
        let scale = *self.one_of(&[1.0, 0.5, 1.0 / 3.0, (1.0 / sum.max(1e-6)) as f32, -0.25, 1e-7, 0.0]);
        let dry = *self.one_of(&[0.0, 0.0, 1.0, -0.75]);
        let bias = *self.one_of(&[0.0, 0.0, 0.5, -3.25, 0.5 * pixel.peak()]);
        Finish { scale, dry, bias }
    }

    /// A product of taps, at most `longest` along x and y and `frames` along t.
    pub fn separable(&mut self, pixel: Pixel, longest: usize, frames: usize) -> Op {
        let arithmetic = self.arithmetic(pixel);
        let absolute = |taps: &Taps| taps.weights.iter().map(|w| f64::from(w.abs())).sum::<f64>().max(1.0);
        let mut highest = f64::from(pixel.highest());
        let mut axis = |longest: usize| {
            let taps = if self.below(4) == 0 { Taps::identity() } else { self.taps(longest, arithmetic, highest) };
            let taps = if absolute(&taps) * highest < 2f64.powi(31) { taps } else { Taps::identity() };
            highest *= absolute(&taps);
            taps
        };
        let (t, x, y) = (axis(frames), axis(longest), axis(longest));
        let sum = [&t, &x, &y].map(absolute).iter().product();
        let border = self.border(pixel, arithmetic);
        Op::Separable(Separable { t, x, y, arithmetic, border, finish: self.finish(pixel, sum) })
    }

    /// Kernels of at most `size` taps in t, y and x.
    pub fn dense(&mut self, pixel: Pixel, size: [usize; 3]) -> Op {
        let arithmetic = self.arithmetic(pixel);
        let mut kernel = || {
            let size = size.map(|size| self.range(1..=size));
            let anchor = size.map(|size| self.below(size as u64) as usize);
            let weights = self.weights(size.iter().product(), arithmetic, f64::from(pixel.highest()));
            Kernel { size, anchor, weights }
        };
        let mut kernels = vec![kernel()];
        kernels.extend((0..2).map(|_| kernel()));
        kernels.truncate(self.range(1..=3));
        let combine = *self.one_of(&[Combine::Sum, Combine::Sum, Combine::Magnitude, Combine::Max, Combine::Largest]);
        let sum = kernels[0].weights.iter().map(|w| f64::from(w.abs())).sum();
        let border = self.border(pixel, arithmetic);
        Op::Dense(Dense { kernels, combine, arithmetic, border, finish: self.finish(pixel, sum) })
    }

    /// The sample of some rank in a box of at most `size` samples in t, y and x.
    pub fn rank(&mut self, pixel: Pixel, size: [usize; 3]) -> Op {
        let size = size.map(|size| self.range(1..=size));
        let anchor = size.map(|size| self.below(size as u64) as usize);
        let samples: usize = size.iter().product();
        let rank = match self.below(4) {
            0 => 0,
            1 => samples - 1,
            2 => samples / 2,
            _ => self.below(samples as u64) as usize,
        };
        let arithmetic = if pixel.sample == Sample::F32 { Arithmetic::Real } else { Arithmetic::Integer };
        let finish = *self.one_of(&[Finish::PLAIN, Finish::PLAIN, Finish { scale: 0.75, dry: 0.25, bias: 0.0 }]);
        Op::Rank(Rank { size, anchor, rank, border: self.border(pixel, arithmetic), finish })
    }

    /// Maps the finished samples of an op that makes any.
    pub fn map_finished(&mut self, pass: &mut Pass, plane: usize, pixel: Pixel) {
        if pass.planes[plane].op.facts().finish().is_some() {
            pass.planes[plane].after = Some(self.points(pixel));
        }
    }

    /// Something of each sample by itself.
    pub fn pointwise(&mut self, pixel: Pixel) -> Op {
        Op::Pointwise(self.points(pixel))
    }

    fn points(&mut self, pixel: Pixel) -> Pointwise {
        if pixel.sample != Sample::F32 {
            return Pointwise::Table((0..1 << pixel.depth).map(|_| self.below(1 << pixel.depth) as u16).collect());
        }
        let steps = (0..self.below(5)).map(|_| match self.below(7) {
            0 => PointStep::Multiply(self.real(-2.0, 2.0)),
            1 => PointStep::Add(self.real(-1.0, 1.0)),
            2 => PointStep::Absolute,
            3 => PointStep::Clamp { low: self.real(-0.5, 0.5), high: self.real(0.5, 1.5) },
            4 => PointStep::Threshold { level: self.real(0.0, 1.0), below: 0.0, above: self.real(0.0, 1.0) },
            5 => PointStep::Power(f64::from(self.real(0.1, 4.0))),
            _ => PointStep::Lookup((0..self.range(2..=9)).map(|_| self.real(0.0, 1.0)).collect()),
        });
        let steps = steps.collect();
        let (wet, dry) = *self.one_of(&[(1.0, 0.0), (0.5, 0.5)]);
        Pointwise::Steps { steps, wet, dry }
    }

    /// Weights for a plane of that size; 0 and 1 are frequent.
    pub fn blend(&mut self, (width, height): (usize, usize)) -> Blend {
        let mut weight = || match self.below(4) {
            0 => 0.0,
            1 => 1.0,
            _ => self.real(0.0, 1.0),
        };
        let (even, weights) = (weight(), (0..width * height).map(|_| weight()).collect());
        let mut range = |end: usize| {
            let (a, b) = (self.range(0..=end), self.range(0..=end));
            a.min(b)..a.max(b)
        };
        let (columns, rows) = (range(width), range(height));
        match self.below(4) {
            0 => Blend::Even(even),
            1 => Blend::Inside { columns, rows, weight: even },
            _ => Blend::Each { width, weights },
        }
    }

    /// Fields of a frame and of those beside it.
    pub fn scan(&mut self) -> Scan {
        let mut switch = || self.below(2) == 0;
        let fields = [(); 3].map(|()| {
            let (is_interlaced, top_first) = (switch() || switch(), switch());
            FrameFields { is_interlaced, top_first, repeats: switch() && switch() }
        });
        let (begins, ends, is_second) = (switch() && switch(), switch() && switch(), switch());
        let weave = switch().then(|| Weave { rows: usize::from(switch()), from_next: switch() });
        Scan { fields, begins, ends, is_second, weave }
    }

    /// Which frames and fields are deinterlaced.
    pub fn deinterlacing(&mut self) -> Deinterlacing {
        let parity = *self.one_of(&[Parity::Auto, Parity::Top, Parity::Bottom]);
        Deinterlacing { parity, both: false, marked_only: self.below(3) == 0, spares_pulldown: self.below(2) == 0 }
    }

    /// A case of any kind, its sides up to `side`.
    pub fn case(seed: u64, side: usize) -> Case {
        let mut random = Self::new(seed);
        let pixel = random.pixel();
        let (width, height) = (random.range(1..=side), random.range(1..=side));
        let format = Format::new(pixel, width, height, Rational::new(25, 1));
        let ops = (0..pixel.planes()).map(|_| match random.below(8) {
            0 => Op::Copy,
            1..4 => random.separable(pixel, 11, 4),
            _ => random.dense(pixel, [3, 6, 9]),
        });
        let ops = ops.collect();
        random.finished(seed, format, ops)
    }

    /// The rest of a case: a quarter of the ops have their finished samples mapped.
    pub fn finished(&mut self, seed: u64, format: Format, ops: Vec<Op>) -> Case {
        let mut pass = Pass::new("random", ops, TimeBorder::Zero);
        for plane in 0..pass.planes.len() {
            if self.below(4) == 0 {
                self.map_finished(&mut pass, plane, format.pixel);
            }
        }
        let reach = pass.reach();
        let missing = (0..2 * reach + 1).filter(|&place| place != reach && self.below(3) == 0).collect();
        let content = *self.one_of(&[Content::Noise, Content::Noise, Content::Checkers, Content::Peak, Content::Wild]);
        let rows = *self.one_of(&[Rows::Aligned, Rows::Packed, Rows::Padded]);
        Case {
            seed,
            format,
            pass,
            content,
            rows,
            factor: 1.0,
            scan: Self::new(!seed).scan(),
            correction: Correction::NONE,
            place: OverlayPlace::default(),
            missing,
        }
    }
}
