//! Rows of two frames as one, and which: all counts sample by sample, from whole planes of whole numbers.

use warpreel::frame::{Format, Frame, FrameFields, Sample};
use warpreel::pass::{Answers, CombSearch, FieldPair, Fieldmatch, MatchMode, Parity, Questions};

use super::Place;

pub(super) fn sample(_: &Fieldmatch, place: &Place) -> f32 {
    let from = match place.scan.weave {
        Some(weave) if place.y % 2 == weave.rows as isize => {
            if weave.from_next {
                1
            } else {
                -1
            }
        }
        _ => 0,
    };
    let middle = place.stack.frames.len() as isize / 2;
    let is_there = place.stack.frames[(middle + from) as usize].is_some();
    place.stack.inside(if is_there { from } else { 0 }, place.y, place.x)
}

/// A plane of bytes.
struct Bytes {
    width: i64,
    height: i64,
    rows: Vec<Vec<i64>>,
}

impl Bytes {
    fn of(frame: &Frame, plane: usize) -> Self {
        let pixel = frame.format().pixel;
        let (width, height) = frame.format().plane_size(plane);
        let byte = |v: f32| match pixel.sample {
            Sample::F32 if v.is_nan() => 0,
            Sample::F32 => (v.clamp(0.0, 1.0) * 255.0).round_ties_even() as i64,
            _ => (v as i64 / (1 << (pixel.depth - 8))).min(255),
        };
        let samples = super::samples(frame, plane);
        let rows = samples.chunks(width).map(|row| row.iter().map(|v| byte(*v)).collect()).collect();
        Self { width: width as i64, height: height as i64, rows }
    }

    fn at(&self, x: i64, y: i64) -> i64 {
        self.rows[y as usize][x as usize]
    }

    /// Rows of one parity of another frame.
    fn woven(own: &Frame, other: &Frame, parity: usize, plane: usize) -> Self {
        let (mut made, other) = (Self::of(own, plane), Self::of(other, plane));
        for (y, row) in other.rows.into_iter().enumerate().filter(|(y, _)| y % 2 == parity) {
            made.rows[y] = row;
        }
        made
    }
}

/// The three frames, of which the second is in the middle, and how one field of it is compared.
pub struct Window<'a> {
    pub op: &'a Fieldmatch,
    pub format: &'a Format,
    pub frames: [&'a Frame; 3],
    pub fields: FrameFields,
}

impl Window<'_> {
    fn order(&self) -> i64 {
        match self.op.order {
            Parity::Top => 1,
            Parity::Bottom => 0,
            Parity::Auto => i64::from(!self.fields.is_interlaced || self.fields.top_first),
        }
    }

    /// 1 for the top field; the rows of that parity are those of the other one.
    fn field(&self) -> i64 {
        match self.op.field {
            Parity::Top => 1,
            Parity::Bottom => 0,
            Parity::Auto => self.order(),
        }
    }

    fn planes(&self, all: bool) -> std::ops::Range<usize> {
        let colours = self.format.pixel.planes() - usize::from(self.format.pixel.alpha);
        0..if all { colours } else { 1 }
    }

    /// What is counted for every question.
    pub fn answers(&self) -> Answers {
        let mut answers = Answers::NONE;
        let place = |pair: FieldPair| match pair {
            FieldPair::Before | FieldPair::OtherBefore => self.frames[0],
            FieldPair::Own => self.frames[1],
            FieldPair::After | FieldPair::OtherAfter => self.frames[2],
        };
        for (question, pair) in Questions::COMPARES.into_iter().zip(FieldPair::COMPARED) {
            let mut sums = [0; 6];
            for plane in self.planes(self.op.mchroma) {
                self.compare(plane, pair.map(place), &mut sums);
            }
            answers.set(question, &sums);
        }
        let luma = [0, 1, 2].map(|frame| Bytes::of(self.frames[frame], 0));
        for (question, other) in Questions::DIFFERENCES.into_iter().zip([0, 2]) {
            let pairs = luma[1].rows.iter().flatten().zip(luma[other].rows.iter().flatten());
            answers.set(question, &[pairs.map(|(a, b)| (a - b).unsigned_abs()).sum()]);
        }
        for (question, pair) in Questions::COMBS.into_iter().zip(FieldPair::ALL) {
            let own = self.field() as usize;
            let parity = if matches!(pair, FieldPair::Before | FieldPair::After) { own } else { 1 - own };
            let planes: Vec<Bytes> = self
                .planes(self.op.chroma)
                .map(|plane| match pair {
                    FieldPair::Own => Bytes::of(self.frames[1], plane),
                    other => Bytes::woven(self.frames[1], place(other), parity, plane),
                })
                .collect();
            answers.set(question, &[self.combs(&planes)]);
        }
        answers
    }

    /// Adds up how well the field of either frame fits.
    fn compare(&self, plane: usize, pair: [&Frame; 2], sums: &mut [u64; 6]) {
        let [a, b] = pair.map(|frame| Bytes::of(frame, plane));
        let own = Bytes::of(self.frames[1], plane);
        let (width, height, field) = (own.width, own.height, self.field());
        // Differences of the rows of that field, by the rows of the plane; none outside.
        let differs = |x: i64, y: i64| {
            let is_there = (0..2 * (height / 2)).contains(&(y - field)) && (0..width).contains(&x);
            if is_there { (a.at(x, y) - b.at(x, y)).abs() } else { 0 }
        };
        let around = |x: i64, y: i64, most: i64| {
            let places = [-2, 0, 2].into_iter().flat_map(|dy| [-1, 0, 1].map(|dx| (dx, dy)));
            places.filter(|(dx, dy)| differs(x + dx, y + dy) > most).count()
        };
        let any = |x: i64, y: i64| (-4..=4).any(|dx| differs(x + dx, y) > 19);
        let map = |x: i64, y: i64| {
            let is_counted = (2..height - 2).contains(&(y - field));
            if !is_counted || differs(x, y) <= 3 || around(x, y, 3) < 2 {
                return 0;
            }
            let count = around(x, y, 19);
            if differs(x, y) <= 19 || count < 4 {
                return 1;
            }
            let [up2, up, down, down2] = [-4, -2, 2, 4].map(|dy| any(x, y + dy));
            match (up && (down || up2)) || (down && down2) {
                true => 3,
                false if count > 5 => 5,
                false => 1,
            }
        };
        let edge = 8 >> self.format.pixel.subsampling(plane).0;
        let band = self.op.band.map(|row| i64::from(row) >> self.format.pixel.subsampling(plane).1);
        for y in (2..height - 2).step_by(2) {
            if self.op.band[0] != self.op.band[1] && y >= band[0] && y <= band[1] {
                continue;
            }
            let s = y + 1 - field;
            let below = if s + 2 < height { s + 2 } else { s };
            for x in edge..width - edge {
                let bits = map(x, s - 1) | map(x, s + 1);
                let middle = own.at(x, s - 2) + 4 * own.at(x, s) + own.at(x, below);
                for (frame, sums) in [&a, &b].into_iter().zip(sums.chunks_mut(3)) {
                    let v = (3 * (frame.at(x, s - 1) + frame.at(x, s + 1)) - middle).unsigned_abs();
                    for (sum, (bit, most)) in sums.iter_mut().zip([(1, 23), (2, 42), (4, 42)]) {
                        *sum += if bits & bit > 0 && v > most { v } else { 0 };
                    }
                }
            }
        }
    }

    /// The most combed samples in a box.
    fn combs(&self, planes: &[Bytes]) -> u64 {
        let limit = i64::from(self.op.cthresh);
        let combed = |plane: &Bytes, x: i64, y: i64| {
            let row = |d: i64| {
                let there = |y: i64| (0..plane.height).contains(&y);
                let y = [y + d, y - d, y].into_iter().find(|y| there(*y)).unwrap();
                plane.at(x, y)
            };
            let v = row(0);
            let is_apart = [-1, 1].into_iter().all(|d| (v - row(d)).abs() > limit);
            limit < 0 || is_apart && (4 * v - 3 * (row(-1) + row(1)) + row(-2) + row(2)).abs() > 6 * limit
        };
        let luma = &planes[0];
        let (width, height) = (luma.width as usize, luma.height as usize);
        let mut mask = vec![vec![false; width]; height];
        for (y, row) in mask.iter_mut().enumerate() {
            row.iter_mut().enumerate().for_each(|(x, mask)| *mask = combed(luma, x as i64, y as i64));
        }
        for (index, plane) in planes.iter().enumerate().skip(1) {
            let (across, down) = self.format.pixel.subsampling(index);
            for y in 1..plane.height - 1 {
                for x in 1..plane.width - 1 {
                    let beside = (-1..=1).flat_map(|dy| (-1..=1).map(move |dx| (dx, dy))).filter(|d| *d != (0, 0));
                    let is_spot =
                        combed(plane, x, y) && beside.into_iter().any(|(dx, dy)| combed(plane, x + dx, y + dy));
                    if !is_spot {
                        continue;
                    }
                    let (first, end) = (y << down, (y + 1) << down);
                    let more = if y % 2 == 1 { first - 1 } else { end };
                    let rows = (first..end).chain((down > 0).then_some(more));
                    for y in rows.filter(|y| (0..height as i64).contains(y)) {
                        for x in (x << across..(x + 1) << across).filter(|x| *x < width as i64) {
                            mask[y as usize][x as usize] = true;
                        }
                    }
                }
            }
        }
        let [box_x, box_y] = self.op.block.map(|size| size as usize);
        let mut counts = std::collections::HashMap::new();
        for y in 1..height.saturating_sub(1) {
            for x in (0..width).filter(|x| mask[y - 1][*x] && mask[y][*x] && mask[y + 1][*x]) {
                for (grid, [dx, dy]) in
                    [[0, 0], [box_x / 2, 0], [0, box_y / 2], [box_x / 2, box_y / 2]].iter().enumerate()
                {
                    *counts.entry((grid, (x + dx) / box_x, (y + dy) / box_y)).or_insert(0) += 1;
                }
            }
        }
        counts.into_values().max().unwrap_or(0)
    }

    /// Which pair, and whether it is combed, as FFmpeg chooses.
    pub fn choice(&self) -> (FieldPair, bool) {
        use FieldPair::{After, Before, OtherAfter, OtherBefore, Own};
        let answers = self.answers();
        let [p, c, n, b, u] = match self.field() == self.order() {
            true => [Before, Own, After, OtherBefore, OtherAfter],
            false => [After, Own, Before, OtherAfter, OtherBefore],
        };
        let sums = |pair: [FieldPair; 2]| -> Vec<u64> {
            let at = |pair: [FieldPair; 2]| FieldPair::COMPARED.iter().position(|known| *known == pair);
            match at(pair) {
                Some(at) => answers.of(Questions::COMPARES[at]).unwrap().to_vec(),
                None => {
                    let sums = answers.of(Questions::COMPARES[at([pair[1], pair[0]]).unwrap()]).unwrap();
                    [&sums[3..], &sums[..3]].concat()
                }
            }
        };
        let compare = |one: FieldPair, other: FieldPair| {
            let [pc, pm, pml, nc, nm, nml] = sums([one, other])[..] else { unreachable!() };
            let spots = pm < 500 && nm < 500 && pml.max(nml) >= 500 && pml.max(nml) > 3 * pml.min(nml);
            let (pm, nm) = if spots { (pml, nml) } else { (pm, nm) };
            let sixth = |sum: u64| ((sum as f32) / 6.0f32 + 0.5f32) as i64;
            let [norm1, norm2, mtn1, mtn2] = [pc, nc, pm, nm].map(sixth);
            let c1 = norm1.max(norm2) as f32 / norm1.min(norm2).max(1) as f32;
            let c2 = mtn1.max(mtn2) as f32 / mtn1.min(mtn2).max(1) as f32;
            let mr = mtn1.max(mtn2) as f32 / norm1.max(norm2).max(1) as f32;
            let most = mtn1.max(mtn2);
            let apart = |a: i64, b: i64| mtn1 * a < mtn2 * b || mtn2 * a < mtn1 * b;
            let by_motion = most >= 500 && apart(2, 1)
                || most >= 1000 && apart(3, 2)
                || most >= 2000 && apart(5, 4)
                || most >= 4000 && c2 > c1
                || f64::from(mr) > 0.005 && most > 150 && apart(2, 1);
            let is_other = if by_motion { mtn1 > mtn2 } else { norm1 > norm2 };
            if is_other { other } else { one }
        };
        let mut pair = compare(c, p);
        if matches!(self.op.mode, MatchMode::Pcn | MatchMode::PcnUb) {
            pair = compare(pair, n);
        }
        let (width, height) = self.format.plane_size(0);
        let limit = ((width * height) as f64 * 255.0 * self.op.scene / 100.0) as u64;
        let is_cut = Questions::DIFFERENCES.into_iter().any(|question| answers.of(question).unwrap()[0] > limit);
        let looks = match self.op.combs {
            CombSearch::Never => false,
            CombSearch::Scenes => is_cut,
            CombSearch::Always => true,
        };
        let combs = |pair: FieldPair| answers.of(Questions::COMBS[pair as usize]).unwrap()[0];
        if !looks {
            return (pair, false);
        }
        let tried = match self.op.mode {
            MatchMode::Pc | MatchMode::Pcn => vec![if pair == p { c } else { p }],
            MatchMode::PcN => vec![n],
            MatchMode::PcU => vec![u],
            MatchMode::PcNUb => vec![n, u, b],
            MatchMode::PcnUb => vec![u, b],
        };
        let most = u64::from(self.op.combpel);
        for other in tried {
            let (one, two) = (combs(pair), combs(other));
            let is_less = 3 * two < one || 2 * two < one && one > most;
            if is_less && one.abs_diff(two) >= 30 && two < most {
                pair = other;
            }
        }
        (pair, combs(pair) >= most)
    }
}
