//! Large boxes of bytes in constant time a sample (Perreault and Hébert, 2007): each column keeps a histogram of the
//! rows that boxes reach, and the box's own is a running sum of those. 16 coarse counts tell in which part of the
//! values the rank lies, and only that part's 16 fine counts are brought up to date.

use bytemuck::Zeroable;

use super::super::border::{Columns, Rows};
use super::super::operation::Setting;
use super::super::scratch::Scratch;
use super::super::simd::{Level, Simd};
use super::super::walk::{Band, Banded};
use super::super::window::PlaneWindow;
use super::around::{columns, first_frame};
use super::block::{BLOCK, Last, convert};
use crate::pass::Rank;

/// Counts of a part of the values, or of the parts.
type Counts = [u16; 16];

/// Columns of results that share histograms: those of a strip stay in the second cache.
const STRIP: usize = 512;

/// A box of bytes.
pub struct Histogram {
    op: Rank,
    level: Level,
    first_frame: usize,
    columns: Columns,
    rows: Rows,
    constant: u8,
    last: Last,
    band_rows: usize,
}

impl Histogram {
    pub fn new(op: &Rank, setting: &Setting) -> Self {
        let (top, bottom) = (op.anchor[1], op.size[1] - 1 - op.anchor[1]);
        Self {
            op: op.clone(),
            level: setting.level,
            first_frame: first_frame(op, setting),
            columns: columns(op, setting),
            rows: Rows::new(op.border, setting.height(), top, bottom),
            constant: op.border.constant() as u8,
            last: Last::new(op, setting.pixel()),
            // Each band begins with all rows of a box.
            band_rows: setting.height().div_ceil(2 * setting.threads).max(8),
        }
    }
}

#[inline(always)]
fn add(sum: &mut Counts, counts: &Counts) {
    sum.iter_mut().zip(counts).for_each(|(sum, &count)| *sum = sum.wrapping_add(count));
}

#[inline(always)]
fn subtract(sum: &mut Counts, counts: &Counts) {
    sum.iter_mut().zip(counts).for_each(|(sum, &count)| *sum = sum.wrapping_sub(count));
}

/// The first place at which the counts up to it exceed `rank`, and the counts before it.
#[inline(always)]
fn place(counts: &Counts, rank: u16) -> (usize, u16) {
    let mut before = 0;
    let mut at = 0;
    // Without a branch that nobody can foresee.
    let mut sum = 0u16;
    for &count in counts {
        sum = sum.wrapping_add(count);
        let beyond = sum <= rank;
        at += usize::from(beyond);
        before = if beyond { sum } else { before };
    }
    (at.min(15), before)
}

/// The histograms of a strip's columns.
struct Strip<'a> {
    /// The first of its columns among those of a padded row, and how many there are.
    start: usize,
    columns: usize,
    /// One a column.
    coarse: &'a mut [Counts],
    /// One a column, all columns of the first part of the values, then those of the second, …
    fine: &'a mut [Counts],
}

impl Strip<'_> {
    /// Counts a row in (`1`) or out (`-1` as `u16`).
    #[inline(always)]
    fn count(&mut self, line: &[u8], by: u16) {
        for (column, &value) in line.iter().enumerate() {
            let (part, rest) = (usize::from(value >> 4), usize::from(value & 15));
            self.coarse[column][part] = self.coarse[column][part].wrapping_add(by);
            let fine = &mut self.fine[part * self.columns + column][rest];
            *fine = fine.wrapping_add(by);
        }
    }

    /// A row of results: the value of `rank` in boxes of `width` columns.
    #[inline(always)]
    fn row(&self, width: usize, rank: u16, mut put: impl FnMut(usize, u8)) {
        let mut coarse = Counts::zeroed();
        self.coarse[..width - 1].iter().for_each(|counts| add(&mut coarse, counts));
        // The counts of each part, and the first column of the box that they are those of.
        let mut fine = [Counts::zeroed(); 16];
        let mut starts: [Option<usize>; 16] = [None; 16];
        for x in 0..=self.columns - width {
            add(&mut coarse, &self.coarse[x + width - 1]);
            let (part, before) = place(&coarse, rank);
            let (sum, columns) = (&mut fine[part], &self.fine[part * self.columns..][..self.columns]);
            match starts[part] {
                Some(start) if 2 * (x - start) < width => {
                    columns[start..x].iter().for_each(|counts| subtract(sum, counts));
                    columns[start + width..x + width].iter().for_each(|counts| add(sum, counts));
                }
                _ => {
                    *sum = Counts::zeroed();
                    columns[x..x + width].iter().for_each(|counts| add(sum, counts));
                }
            }
            starts[part] = Some(x);
            let (rest, _) = place(sum, rank - before);
            put(x, (part << 4 | rest) as u8);
            subtract(&mut coarse, &self.coarse[x]);
        }
    }
}

impl Histogram {
    /// Counts the row at a place in or out, in all frames. `line` has room for a row.
    #[inline(always)]
    fn count(&self, window: &PlaneWindow<u8>, strip: &mut Strip, line: &mut [u8], place: usize, by: u16) {
        for t in 0..self.op.size[0] {
            let row = self.rows.source(place).map(|y| window.row(self.first_frame + t, y));
            convert(row, &self.columns, self.constant, self.last.most, line);
            strip.count(&line[strip.start..strip.start + strip.columns], by);
        }
    }
}

impl Banded<u8> for Histogram {
    fn level(&self) -> Level {
        self.level
    }

    fn band_rows(&self) -> usize {
        self.band_rows
    }

    #[inline(always)]
    fn band<S: Simd>(&self, simd: S, band: Band<u8>) {
        let Band { window, first, mut out, scratch: Scratch { ring, spare, .. }, .. } = band;
        let [_, rows, width] = self.op.size;
        let line = &mut spare.elements::<u8>(self.columns.stride())[..self.columns.stride()];
        for start in (0..self.columns.width).step_by(STRIP) {
            let results = STRIP.min(self.columns.width - start);
            let columns = results + width - 1;
            let memory = &mut ring.elements::<Counts>(17 * columns)[..17 * columns];
            memory.fill(Counts::zeroed());
            let (coarse, fine) = memory.split_at_mut(columns);
            let mut strip = Strip { start, columns, coarse, fine };
            for place in first..first + rows - 1 {
                self.count(window, &mut strip, line, place, 1);
            }
            for y in 0..out.height {
                self.count(window, &mut strip, line, first + y + rows - 1, 1);
                let (centre, row) = (window.centre(first + y), out.row_mut(y));
                let mut keys = [0; BLOCK];
                strip.row(width, self.op.rank as u16, |x, value| {
                    keys[x % BLOCK] = value;
                    if x % BLOCK == BLOCK - 1 || x + 1 == results {
                        let end = start + results;
                        self.last.put(simd, &keys, &centre[..end], start + x / BLOCK * BLOCK, &mut row[..end]);
                    }
                });
                self.count(window, &mut strip, line, first + y, u16::MAX);
            }
        }
    }
}
