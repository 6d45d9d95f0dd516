//! Luma and chroma of another colour space: all planes of a band together, by rows of blocks of luma pixels with one sample of chroma.

mod row;
mod tone;

use anyhow::Result;

use super::joint::{JointPlanes, JointStage};
use super::operation::{Converting, Setting, Staged};
use super::simd::{Level, Sample, Simd};
use super::walk::{JointBand, PlaneStage};
use super::window::PlaneWindow;
use crate::frame::PlaneMut;
use crate::pass::{self, ColourPath, ColourSteps, Weights3};
use row::{chroma_sums, look_up, means, number, spread, spread_sums, sums_of, turned};
use tone::Toner;

/// A table for every number of 16 bits, at its bits without a sign.
type Curve = Box<[i16; 1 << 16]>;

/// Lines of a block through linear light: luma, two of chroma, three of colours on their way, twice three of colours, three of
/// their means.
const LINES: usize = 15;

/// How coded colours become others.
enum Curves {
    /// By linear light of coded values, other primaries if there are such, and what codes it.
    Linear(Curve, Option<Weights3>, Curve),
    /// From HDR to SDR.
    Tone(Toner),
}

/// Planes that are made together.
struct RecolouredPlanes {
    op: pass::Colorspace,
    /// Tables of the way through linear light.
    curves: Option<Curves>,
    /// Columns of luma.
    width: usize,
    /// Rows of luma.
    height: usize,
    /// Columns of chroma.
    chroma_width: usize,
    level: Level,
    band_rows: usize,
}

/// The rows of a block that are read.
struct BlockRows<'a, T> {
    luma: [&'a [T]; 2],
    chroma: [&'a [T]; 2],
}

impl RecolouredPlanes {
    fn new(op: &pass::Colorspace, setting: &Setting) -> Self {
        let curve = |table: &[i16]| -> Curve {
            let last = ColourSteps::ENTRIES as i32 - 1;
            let entry = |bits: u16| table[(i32::from(bits as i16) + ColourSteps::ZERO).clamp(0, last) as usize];
            let all: Vec<i16> = (0..=u16::MAX).map(entry).collect();
            all.into_boxed_slice().try_into().unwrap_or_else(|_| Box::new([0; 1 << 16]))
        };
        let curves = match &op.path {
            ColourPath::Direct(_) => None,
            ColourPath::Linear(steps) => {
                Some(Curves::Linear(curve(&steps.linear), steps.primaries, curve(&steps.coded)))
            }
            ColourPath::Tone(steps) => Some(Curves::Tone(Toner::new(steps))),
        };
        Self {
            op: op.clone(),
            curves,
            width: setting.format.width,
            height: setting.format.height,
            chroma_width: setting.format.plane_size(1).0,
            level: setting.level,
            band_rows: setting.band_rows().next_multiple_of(2),
        }
    }

    /// The largest samples that go in and come out.
    fn peaks(&self) -> [i32; 2] {
        [self.op.from, self.op.to].map(|pixel| (1 << pixel.depth) - 1)
    }

    /// Columns of luma, and those that an odd edge repeats.
    fn whole_width(&self) -> usize {
        self.chroma_width << self.op.from.log2_chroma_w
    }

    /// Numbers from one line to the next: whole vectors, and room for the column that an odd edge repeats.
    fn stride(&self) -> usize {
        (self.width + 1).next_multiple_of(64)
    }

    /// Makes a row of blocks by one matrix.
    #[inline(always)]
    fn direct<T: Sample, U: Sample>(
        &self,
        weights: &Weights3,
        rows: &BlockRows<T>,
        spare: &mut [i32],
        mut outs: Outs<U>,
    ) {
        let [peak, highest] = self.peaks();
        let [middle, no_colour] = self.op.middle();
        let [before, after] = self.op.black;
        let places = self.op.places();
        let half = 1 << (places - 1);
        let (sums, spare) = spare.split_at_mut(self.chroma_width);
        let wide = &mut spare[..self.whole_width()];
        let weights = weights.map(|row| row.map(i32::from));
        if outs.luma.iter().any(Option::is_some) {
            let [own, from_u, from_v] = weights[0];
            let added = half + (after << places) - own * before;
            chroma_sums(rows.chroma, (peak, middle), [from_u, from_v], added, sums);
            spread_sums(sums, self.op.from.log2_chroma_w, wide);
            for (out, row) in outs.luma.iter_mut().zip(rows.luma) {
                let Some(out) = out else { continue };
                for (to, (luma, sum)) in out.iter_mut().zip(row.iter().zip(&*wide)) {
                    *to = U::whole(((own * luma.integer().min(peak) + sum) >> places).clamp(0, highest));
                }
            }
        }
        for (out, [_, from_u, from_v]) in outs.chroma.iter_mut().zip([weights[1], weights[2]]) {
            let Some(out) = out else { continue };
            chroma_sums(rows.chroma, (peak, middle), [from_u, from_v], half + (no_colour << places), sums);
            for (to, sum) in out.iter_mut().zip(&*sums) {
                *to = U::whole((sum >> places).clamp(0, highest));
            }
        }
    }

    /// Makes a row of blocks through linear light.
    #[inline(always)]
    fn linear<S: Simd, T: Sample, U: Sample>(
        &self,
        simd: S,
        [to_rgb, to_yuv]: [&Weights3; 2],
        rows: &BlockRows<T>,
        spare: &mut [i32],
        mut outs: Outs<U>,
    ) {
        let Some(curves) = &self.curves else { return };
        let [peak, highest] = self.peaks();
        let [middle, no_colour] = self.op.middle();
        let [before, after] = self.op.black;
        let (across, down) = self.op.from.subsampling(1);
        let (stride, width) = (self.stride(), self.width);
        let lines: &mut [i16] = bytemuck::cast_slice_mut(spare);
        let (luma, rest) = lines.split_at_mut(stride);
        let (chroma, rest) = rest.split_at_mut(2 * stride);
        let (mixed, rest) = rest.split_at_mut(3 * stride);
        let (colours, mean) = rest.split_at_mut(6 * stride);
        for (to, row) in chroma.chunks_exact_mut(stride).zip(rows.chroma) {
            spread(row, (peak, middle), across, to);
        }
        let (u, v) = chroma.split_at(stride);
        // An odd edge at the bottom has one row.
        let count = if down == 0 || rows.luma[1].is_empty() { 1 } else { 2 };
        for (row, colours) in rows.luma[..count].iter().zip(colours.chunks_exact_mut(3 * stride)) {
            for (to, sample) in luma.iter_mut().zip(*row) {
                *to = number(*sample, peak, before) as i16;
            }
            let places = u32::from(self.op.from.depth) - 1;
            let is_mixed = matches!(curves, Curves::Linear(_, Some(_), _));
            let first = if is_mixed { &mut *mixed } else { &mut *colours };
            turned(simd, to_rgb, places, [luma, u, v], first, width);
            match curves {
                Curves::Linear(linear, primaries, coded) => {
                    first.chunks_exact_mut(stride).for_each(|row| look_up(linear, &mut row[..width]));
                    if let Some(primaries) = primaries {
                        let row = |n: usize| &mixed[n * stride..][..stride];
                        turned(simd, primaries, 14, [row(0), row(1), row(2)], colours, width);
                    }
                    colours.chunks_exact_mut(stride).for_each(|row| look_up(coded, &mut row[..width]));
                }
                Curves::Tone(toner) => toner.map(colours, stride, width),
            }
            colours.chunks_exact_mut(stride).for_each(|row| row[width] = row[width - 1]);
        }
        let places = self.op.places();
        for (n, out) in outs.luma.iter_mut().enumerate() {
            let Some(out) = out else { continue };
            let row = |c: usize| &colours[(3 * n + c) * stride..][..stride];
            sums_of(simd, [row(0), row(1), row(2)], to_yuv[0], (after, places, highest), out);
        }
        if outs.chroma.iter().all(Option::is_none) {
            return;
        }
        for (c, mean) in mean.chunks_exact_mut(stride).take(3).enumerate() {
            let [above, below] = [c, 3 * (count - 1) + c].map(|row| &colours[row * stride..][..stride]);
            means([above, below], (across, down), &mut mean[..self.chroma_width]);
        }
        let row = |c: usize| &mean[c * stride..][..stride];
        for (out, weights) in outs.chroma.iter_mut().zip(&to_yuv[1..]) {
            let Some(out) = out else { continue };
            sums_of(simd, [row(0), row(1), row(2)], *weights, (no_colour, places, highest), out);
        }
    }
}

/// The rows of a block that are made, as far as there are any.
struct Outs<'a, U> {
    luma: [Option<&'a mut [U]>; 2],
    chroma: [Option<&'a mut [U]>; 2],
}

impl<'a, U: Sample> Outs<'a, U> {
    /// Those of parts of each plane.
    #[inline(always)]
    fn of(parts: &'a mut [Option<PlaneMut<'_, U>>; 3]) -> Self {
        let [luma, u, v] = parts;
        let luma = match luma {
            Some(luma) => {
                let (above, below) = luma.pair_mut();
                [Some(above), below]
            }
            None => [None, None],
        };
        Self { luma, chroma: [u, v].map(|part| part.as_mut().map(|part| part.row_mut(0))) }
    }
}

/// The rows that a block reads.
#[inline(always)]
fn block_rows<'a, T: Sample>(
    windows: &'a [PlaneWindow<'a, T>],
    block: usize,
    height: usize,
    down: u8,
) -> BlockRows<'a, T> {
    let first = block << down;
    let second = first + 1;
    let below: &[T] = if down > 0 && second < height { windows[0].centre(second) } else { &[] };
    BlockRows { luma: [windows[0].centre(first), below], chroma: [windows[1].centre(block), windows[2].centre(block)] }
}

impl<T: Sample, U: Sample> JointPlanes<T, U> for RecolouredPlanes {
    fn level(&self) -> Level {
        self.level
    }

    fn band_rows(&self) -> usize {
        self.band_rows
    }

    #[inline(always)]
    fn made<S: Simd>(&self, simd: S, band: JointBand<T, U>) {
        let JointBand { windows, first, outs, scratch } = band;
        let down = self.op.from.log2_chroma_h;
        let has_luma = outs.iter().any(|(plane, _)| *plane == 0);
        let first = if has_luma { first >> down } else { first };
        let mut blocks = 0;
        let mut cut = [(); 3].map(|()| Vec::new().into_iter());
        for (plane, out) in outs.iter_mut() {
            let rows = if *plane == 0 { 1 << down } else { 1 };
            let parts = out.reborrow().bands(rows);
            blocks = parts.len();
            cut[*plane] = parts.into_iter();
        }
        // Sums of chroma, and as they are spread; or lines of 16 bits.
        let room = (self.chroma_width + self.whole_width()).max(LINES * self.stride() / 2);
        for block in 0..blocks {
            if !scratch.goes_on() {
                return;
            }
            let mut parts = [cut[0].next(), cut[1].next(), cut[2].next()];
            let (rows, outs) = (block_rows(windows, first + block, self.height, down), Outs::of(&mut parts));
            let spare = &mut scratch.spare.elements::<i32>(room)[..room];
            match &self.op.path {
                ColourPath::Direct(weights) => self.direct(weights, &rows, spare, outs),
                ColourPath::Linear(steps) => self.linear(simd, [&steps.to_rgb, &steps.to_yuv], &rows, spare, outs),
                ColourPath::Tone(steps) => self.linear(simd, [&steps.to_rgb, &steps.to_yuv], &rows, spare, outs),
            }
        }
    }
}

impl<T: Sample> Staged<T> for pass::Colorspace {
    fn stage(&self, setting: &Setting) -> Result<Box<dyn PlaneStage<T>>> {
        Ok(self.converting(setting))
    }
}

impl<T: Sample, U: Sample> Converting<T, U> for pass::Colorspace {
    fn converting(&self, setting: &Setting) -> Box<dyn PlaneStage<T, U>> {
        Box::new(JointStage(RecolouredPlanes::new(self, setting)))
    }
}
