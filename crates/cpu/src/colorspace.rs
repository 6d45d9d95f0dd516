//! Luma and chroma of another colour space: all planes of a band together, by rows of blocks of luma pixels with one sample of chroma.

use anyhow::Result;

use super::joint::{JointPlanes, JointStage};
use super::operation::{Converting, Setting, Staged};
use super::simd::{Level, Sample, Simd};
use super::walk::{JointBand, PlaneStage};
use super::window::PlaneWindow;
use crate::frame::PlaneMut;
use crate::pass::{self, ColourPath, ColourSteps, Weights3};

/// A table for every number of 16 bits, at its bits without a sign.
type Curve = Box<[i16; 1 << 16]>;

/// Planes that are made together.
struct RecolouredPlanes {
    op: pass::Colorspace,
    /// Linear light of coded values, and back, on the way through linear light.
    curves: Option<[Curve; 2]>,
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

/// Whole numbers of a row: less the middle, at most the peak.
#[inline(always)]
fn number<T: Sample>(sample: T, peak: i32, middle: i32) -> i32 {
    sample.integer().min(peak) - middle
}

/// Cut to 16 bits.
#[inline(always)]
fn short(value: i32) -> i16 {
    value.clamp(i16::MIN.into(), i16::MAX.into()) as i16
}

/// Each sum of chroma for all columns of its block.
#[inline(always)]
fn spread(sums: &[i32], across: u8, to: &mut [i32]) {
    if across == 0 {
        to.copy_from_slice(sums);
        return;
    }
    for (to, sum) in to.chunks_exact_mut(2).zip(sums) {
        to[0] = *sum;
        to[1] = *sum;
    }
}

/// A row of 16-bit numbers through a table.
#[inline(always)]
fn look_up(curve: &[i16; 1 << 16], row: &mut [i16]) {
    for colour in row {
        *colour = curve[usize::from(*colour as u16)];
    }
}

/// The part of chroma in sums of weights, with what is added.
#[inline(always)]
fn chroma_sums<T: Sample>(
    [u, v]: [&[T]; 2],
    (peak, middle): (i32, i32),
    weights: [i32; 2],
    added: i32,
    sums: &mut [i32],
) {
    let [from_u, from_v] = weights;
    for (sum, (u, v)) in sums.iter_mut().zip(u.iter().zip(v)) {
        *sum = from_u * number(*u, peak, middle) + from_v * number(*v, peak, middle) + added;
    }
}

/// A row of samples: sums of three rows of colours.
#[inline(always)]
fn sums_of<U: Sample>([r, g, b]: [&[i16]; 3], weights: [i16; 3], (base, places, peak): (i32, u32, i32), to: &mut [U]) {
    let [wr, wg, wb] = weights.map(i32::from);
    let half = 1 << (places - 1);
    for (to, (r, (g, b))) in to.iter_mut().zip(r.iter().zip(g.iter().zip(b))) {
        let sum = wr * i32::from(*r) + wg * i32::from(*g) + wb * i32::from(*b) + half;
        *to = U::whole((base + (sum >> places)).clamp(0, peak));
    }
}

/// Three rows of colours as other colours.
#[inline(always)]
fn recoloured(weights: &Weights3, [r, g, b]: [&mut [i16]; 3]) {
    let weights = weights.map(|row| row.map(i32::from));
    for (r, (g, b)) in r.iter_mut().zip(g.iter_mut().zip(b)) {
        let [x, y, z] = [*r, *g, *b].map(i32::from);
        let sum = |row: [i32; 3]| short((row[0] * x + row[1] * y + row[2] * z + 8192) >> 14);
        (*r, *g, *b) = (sum(weights[0]), sum(weights[1]), sum(weights[2]));
    }
}

/// Means of blocks of two rows of colours, which may be the same.
#[inline(always)]
fn means([above, below]: [&[i16]; 2], (across, down): (u8, u8), to: &mut [i16]) {
    match (across, down) {
        (0, _) => to.copy_from_slice(&above[..to.len()]),
        (_, 0) => {
            for (to, row) in to.iter_mut().zip(above.chunks_exact(2)) {
                *to = ((i32::from(row[0]) + i32::from(row[1]) + 1) >> 1) as i16;
            }
        }
        _ => {
            for (to, (above, below)) in to.iter_mut().zip(above.chunks_exact(2).zip(below.chunks_exact(2))) {
                let sum = i32::from(above[0]) + i32::from(above[1]) + i32::from(below[0]) + i32::from(below[1]);
                *to = ((sum + 2) >> 2) as i16;
            }
        }
    }
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
            ColourPath::Linear(steps) => Some([curve(&steps.linear), curve(&steps.coded)]),
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
        let spread_sums = &mut spare[..self.whole_width()];
        let weights = weights.map(|row| row.map(i32::from));
        if outs.luma.iter().any(Option::is_some) {
            let [own, from_u, from_v] = weights[0];
            let added = half + (after << places) - own * before;
            chroma_sums(rows.chroma, (peak, middle), [from_u, from_v], added, sums);
            spread(sums, self.op.from.log2_chroma_w, spread_sums);
            for (out, row) in outs.luma.iter_mut().zip(rows.luma) {
                let Some(out) = out else { continue };
                for (to, (luma, sum)) in out.iter_mut().zip(row.iter().zip(&*spread_sums)) {
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
    fn linear<T: Sample, U: Sample>(
        &self,
        steps: &ColourSteps,
        rows: &BlockRows<T>,
        spare: &mut [i32],
        mut outs: Outs<U>,
    ) {
        let Some([linear, coded]) = &self.curves else { return };
        let [peak, highest] = self.peaks();
        let [middle, no_colour] = self.op.middle();
        let [before, after] = self.op.black;
        let shift = u32::from(self.op.from.depth) - 1;
        let (across, down) = self.op.from.subsampling(1);
        let whole = self.whole_width();
        let (sums, spare) = spare.split_at_mut(self.chroma_width);
        let (spread_sums, spare) = spare.split_at_mut(whole);
        let colours: &mut [i16] = bytemuck::cast_slice_mut(spare);
        let (colours, spare) = colours.split_at_mut(6 * whole);
        let mean = &mut spare[..3 * self.chroma_width];
        // An odd edge at the bottom has one row.
        let is_single = down == 0 || rows.luma[1].is_empty();
        let count = if is_single { 1 } else { 2 };
        for (colour, row) in steps.to_rgb.iter().enumerate() {
            let [own, from_u, from_v] = row.map(i32::from);
            chroma_sums(rows.chroma, (peak, middle), [from_u, from_v], (1 << (shift - 1)) - own * before, sums);
            spread(sums, across, spread_sums);
            for (n, luma) in rows.luma[..count].iter().enumerate() {
                let to = &mut colours[(3 * n + colour) * whole..][..self.width];
                for (to, (luma, sum)) in to.iter_mut().zip(luma.iter().zip(&*spread_sums)) {
                    *to = short((own * luma.integer().min(peak) + sum) >> shift);
                }
            }
        }
        for colours in colours.chunks_exact_mut(3 * whole).take(count) {
            let (r, rest) = colours.split_at_mut(whole);
            let (g, b) = rest.split_at_mut(whole);
            let [r, g, b] = [r, g, b].map(|row| &mut row[..self.width]);
            [&mut *r, &mut *g, &mut *b].into_iter().for_each(|row| look_up(linear, row));
            if let Some(primaries) = &steps.primaries {
                recoloured(primaries, [&mut *r, &mut *g, &mut *b]);
            }
            [r, g, b].into_iter().for_each(|row| look_up(coded, row));
            if whole > self.width {
                (0..3).for_each(|n| colours[n * whole + self.width] = colours[n * whole + self.width - 1]);
            }
        }
        let places = self.op.places();
        for (n, out) in outs.luma.iter_mut().enumerate() {
            let Some(out) = out else { continue };
            let colour = |c: usize| &colours[(3 * n + c) * whole..][..whole];
            sums_of([colour(0), colour(1), colour(2)], steps.to_yuv[0], (after, places, highest), out);
        }
        if outs.chroma.iter().all(Option::is_none) {
            return;
        }
        for (c, mean) in mean.chunks_exact_mut(self.chroma_width).enumerate() {
            let [above, below] = [c, 3 * (count - 1) + c].map(|row| &colours[row * whole..][..whole]);
            means([above, below], (across, down), mean);
        }
        let mean = |c: usize| &mean[c * self.chroma_width..][..self.chroma_width];
        for (out, weights) in outs.chroma.iter_mut().zip(&steps.to_yuv[1..]) {
            let Some(out) = out else { continue };
            sums_of([mean(0), mean(1), mean(2)], *weights, (no_colour, places, highest), out);
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
    fn made<S: Simd>(&self, _: S, band: JointBand<T, U>) {
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
        let whole = self.whole_width();
        // Sums of chroma; as they are spread; colours of two rows; their means.
        let room = self.chroma_width + whole + (6 * whole + 3 * self.chroma_width).div_ceil(2);
        for block in 0..blocks {
            if !scratch.goes_on() {
                return;
            }
            let mut parts = [cut[0].next(), cut[1].next(), cut[2].next()];
            let (rows, outs) = (block_rows(windows, first + block, self.height, down), Outs::of(&mut parts));
            let spare = &mut scratch.spare.elements::<i32>(room)[..room];
            match &self.op.path {
                ColourPath::Direct(weights) => self.direct(weights, &rows, spare, outs),
                ColourPath::Linear(steps) => self.linear(steps, &rows, spare, outs),
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
