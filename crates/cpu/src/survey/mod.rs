//! What whoever runs a pass asks about its window, counted in bands that the threads share. Sums of whole numbers, the same in
//! any order.

mod byte;
mod change;
mod comb;
mod compare;

use std::marker::PhantomData;
use std::ops::Range;

use super::run::Workers;
use super::scratch::{OutOfMemory, Scratch};
use super::simd::{Level, Simd, WithSimd};
use crate::frame::{Format, Host, Plane, Sample as SampleType};
use crate::pass::{Answers, FieldPair, Fieldmatch, Questions, Scan};

pub use byte::Coarse;
use byte::CoarseRows;
pub use change::{ChangedFrame, Changing};
use comb::{BesideRows, Combed, WovenRows};
use compare::ComparedRows;

/// A window whose fields are to be chosen.
pub struct Surveyed<'a> {
    /// The operation that chooses.
    pub op: &'a Fieldmatch,
    /// Of the frames.
    pub format: &'a Format,
    /// The frame before, the frame, and the frame after.
    pub window: [Host<'a>; 3],
    /// Facts of the frame.
    pub scan: Scan,
    /// The instructions that are used.
    pub level: Level,
}

/// A part of an answer.
#[derive(Clone)]
struct SurveyPart {
    question: Questions,
    work: SurveyWork,
}

#[derive(Clone)]
enum SurveyWork {
    /// Two frames are compared, in a plane, in some halves of rows.
    Compare([FieldPair; 2], usize, Range<usize>),
    /// The middle frame differs from another, in some rows.
    Difference(usize, Range<usize>),
    /// Combs are counted, in some rows of half boxes.
    Combs(FieldPair, Range<usize>),
}

impl Surveyed<'_> {
    /// The answers to some questions.
    ///
    /// # Errors
    /// If there is no memory for what is made on the way.
    pub fn answers<T: Coarse>(&self, questions: Questions, workers: &Workers) -> Result<Answers, OutOfMemory> {
        let parts = self.parts(questions, workers.threads());
        let counted = workers.each(parts, |part, scratch| (part.question, self.counted::<T>(part.work, scratch)))?;
        let mut answers = Answers::NONE;
        for question in questions.each() {
            let mut sums = [0u64; 6];
            for (_, part) in counted.iter().filter(|(of, _)| *of == question) {
                let is_comb = Questions::COMBS.contains(&question);
                for (sum, part) in sums.iter_mut().zip(part) {
                    *sum = if is_comb { (*sum).max(*part) } else { *sum + part };
                }
            }
            answers.set(question, &sums[..question.place().len()]);
        }
        Ok(answers)
    }

    /// Planes of colour, of which the first alone is looked at unless `all`.
    fn planes(&self, all: bool) -> Range<usize> {
        let pixel = self.format.pixel;
        0..if all { pixel.planes() - usize::from(pixel.alpha) } else { 1 }
    }

    fn parts(&self, questions: Questions, threads: usize) -> Vec<SurveyPart> {
        let (_, height) = self.format.plane_size(0);
        let cut = |rows: Range<usize>| {
            let step = rows.len().div_ceil(4 * threads).max(8);
            rows.clone().step_by(step).map(move |first| first..(first + step).min(rows.end))
        };
        let mut parts = Vec::new();
        for question in questions.each() {
            let mut add = |work| parts.push(SurveyPart { question, work });
            let at = |all: &[Questions]| all.iter().position(|known| *known == question);
            if let Some(pair) = at(&Questions::COMPARES) {
                for plane in self.planes(self.op.mchroma) {
                    let halves = ComparedRows::halves(self.format.plane_size(plane).1);
                    cut(halves).for_each(|rows| add(SurveyWork::Compare(FieldPair::COMPARED[pair], plane, rows)));
                }
            } else if let Some(after) = at(&Questions::DIFFERENCES) {
                cut(0..height).for_each(|rows| add(SurveyWork::Difference(2 * after, rows)));
            } else if let Some(pair) = at(&Questions::COMBS) {
                let cells = height.div_ceil(self.op.block[1] as usize / 2);
                cut(0..cells).for_each(|rows| add(SurveyWork::Combs(FieldPair::ALL[pair], rows)));
            }
        }
        parts
    }

    fn counted<T: Coarse>(&self, work: SurveyWork, scratch: &mut Scratch) -> [u64; 6] {
        let mut sums = [0; 6];
        self.level.run(Counting::<T> { survey: self, work, scratch, sums: &mut sums, samples: PhantomData });
        sums
    }

    /// Bits of a sample beyond 8.
    fn shift(&self) -> u32 {
        match self.format.pixel.sample {
            SampleType::F32 => 0,
            _ => u32::from(self.format.pixel.depth).saturating_sub(8),
        }
    }

    fn plane<T: Coarse>(&self, place: isize, plane: usize) -> Plane<'_, T> {
        self.window[1usize.saturating_add_signed(place)].plane(plane)
    }
}

/// A part that is counted.
struct Counting<'a, T> {
    survey: &'a Surveyed<'a>,
    work: SurveyWork,
    scratch: &'a mut Scratch,
    sums: &'a mut [u64; 6],
    samples: PhantomData<T>,
}

/// Some memory off the front of more.
fn off<'a>(room: &mut &'a mut [u8], bytes: usize) -> &'a mut [u8] {
    let (first, rest) = std::mem::take(room).split_at_mut(bytes);
    *room = rest;
    first
}

impl<T: Coarse> WithSimd for Counting<'_, T> {
    #[inline(always)]
    fn work<S: Simd>(self, simd: S) {
        let Self { survey, work, scratch, sums, .. } = self;
        let (op, format, shift) = (survey.op, survey.format, survey.shift());
        let [is_top, _] = op.fields(survey.scan.fields[1]);
        let top = usize::from(is_top);
        match work {
            SurveyWork::Compare(pair, index, rows) => {
                let (width, height) = format.plane_size(index);
                let reach = ComparedRows::reach(&rows, height);
                let [a, b] = pair.map(|pair| survey.plane::<T>(pair.place(), index));
                let own = survey.plane::<T>(0, index);
                let each = CoarseRows::room(&own, reach[1] - reach[0]);
                let mut room = &mut scratch.spare.elements::<u8>(3 * each + ComparedRows::room(width))[..];
                let [a, b, own] = [a, b, own].map(|plane| CoarseRows::of(&plane, reach, shift, off(&mut room, each)));
                let (across, down) = format.pixel.subsampling(index);
                let band = op.band.map(|row| row as usize >> down);
                // Where the rows are one, all rows count.
                let band = if op.band[0] == op.band[1] { [1, 0] } else { band };
                let edge = 8 >> across;
                ComparedRows { pair: [a, b], own, size: [width, height], edge, top, rows, band, room, sums }.work(simd);
            }
            SurveyWork::Difference(place, rows) => {
                let [own, other] = [survey.plane::<T>(0, 0), survey.plane::<T>(place as isize - 1, 0)];
                let mut room = &mut scratch.spare.elements::<u8>(2 * own.width)[..];
                let [one, two] = [own.width; 2].map(|width| off(&mut room, width));
                for y in rows {
                    let [own, other] = [own.row(y), other.row(y)];
                    let rows = match (T::bytes(own), T::bytes(other)) {
                        (Some(own), Some(other)) => [own, other],
                        _ => {
                            T::coarsen(own, shift, one);
                            T::coarsen(other, shift, two);
                            [&*one, &*two]
                        }
                    };
                    // At most 2¹⁴ samples below 2⁸ each.
                    let sum: u32 = rows[0].iter().zip(rows[1]).map(|(a, b)| u32::from(a.abs_diff(*b))).sum();
                    sums[0] += u64::from(sum);
                }
            }
            SurveyWork::Combs(pair, cells) => {
                let half = op.block.map(|size| size as usize / 2);
                let weave = pair.weave(is_top);
                let (width, height) = format.plane_size(0);
                let reach = Combed::reach(&cells, half[1], height);
                let planes = survey.planes(op.chroma);
                let reaches: Vec<[usize; 2]> = planes
                    .clone()
                    .map(|index| {
                        let (down, height) = (format.pixel.subsampling(index).1, format.plane_size(index).1);
                        [(reach[0] >> down).saturating_sub(4), ((reach[1] >> down) + 5).min(height)]
                    })
                    .collect();
                let each = |index: usize, reach: [usize; 2]| {
                    CoarseRows::room(&survey.plane::<T>(0, index), reach[1].saturating_sub(reach[0]))
                };
                let all: usize = reaches.iter().enumerate().map(|(index, reach)| 2 * each(index, *reach)).sum();
                let counts = scratch.ring.elements::<u32>(2 * (width.div_ceil(half[0]) + 1));
                let mut room = &mut scratch.spare.elements::<u8>(all + Combed::room(width))[..];
                let mut woven = |index: usize, reach: [usize; 2]| {
                    let bytes = each(index, reach);
                    let mut rows = |place: isize| {
                        CoarseRows::of(&survey.plane::<T>(place, index), reach, shift, off(&mut room, bytes))
                    };
                    let own = rows(0);
                    let other = weave.map(|weave| (rows(pair.place()), weave.rows));
                    WovenRows { own, other, height: format.plane_size(index).1 }
                };
                let rows = woven(0, reaches[0]);
                let beside: Vec<BesideRows> = planes
                    .skip(1)
                    .map(|index| {
                        let (across, down) = format.pixel.subsampling(index);
                        let smaller = [across.into(), down.into()];
                        BesideRows { rows: woven(index, reaches[index]), width: format.plane_size(index).0, smaller }
                    })
                    .collect();
                let counts = &mut counts[..2 * (width.div_ceil(half[0]) + 1)];
                let [most, ..] = sums;
                let threshold = op.cthresh;
                Combed { rows, beside: &beside, width, threshold, half, cells, room, counts, most }.work(simd);
            }
        }
    }
}
