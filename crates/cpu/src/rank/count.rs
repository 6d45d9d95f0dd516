//! Large boxes of 16-bit samples: a histogram of the box slides along the row (Huang, Yang and Tang, 1979). Coarse
//! counts tell in which part of the values the rank lies, fine ones where in it.

use super::super::border::Columns;
use super::super::operation::Setting;
use super::super::scratch::Buffer;
use super::super::simd::Simd;
use super::super::walk::{LineFilter, Lines};
use super::super::window::PlaneWindow;
use super::around::{columns, first_frame};
use super::block::{BLOCK, Last, convert};
use crate::frame::PlaneMut;
use crate::pass::Rank;

/// A box of 16-bit samples.
pub struct Count {
    op: Rank,
    first_frame: usize,
    columns: Columns,
    constant: u16,
    last: Last,
    /// Low bits of a value that only the fine counts tell apart.
    fine_bits: u32,
}

impl Count {
    pub fn new(op: &Rank, setting: &Setting) -> Self {
        Self {
            op: op.clone(),
            first_frame: first_frame(op, setting),
            columns: columns(op, setting),
            constant: op.border.constant() as u16,
            last: Last::new(op, setting.pixel()),
            fine_bits: u32::from(setting.pixel().depth / 2),
        }
    }
}

/// How often each value stands in the box at hand.
struct Counts {
    coarse: Vec<u16>,
    fine: Vec<u16>,
    bits: u32,
    /// The coarse part that the last result lay in, and how many values lie in the parts before it.
    part: usize,
    before: usize,
}

impl Counts {
    fn new(bits: u32) -> Self {
        // Samples above the peak have counts too.
        Self { coarse: vec![0; (1 << 16) >> bits], fine: vec![0; 1 << 16], bits, part: 0, before: 0 }
    }

    fn clear(&mut self) {
        self.coarse.fill(0);
        self.fine.fill(0);
        (self.part, self.before) = (0, 0);
    }

    #[inline(always)]
    fn add(&mut self, value: u16) {
        let part = usize::from(value) >> self.bits;
        self.coarse[part] += 1;
        self.fine[usize::from(value)] += 1;
        self.before += usize::from(part < self.part);
    }

    #[inline(always)]
    fn remove(&mut self, value: u16) {
        let part = usize::from(value) >> self.bits;
        self.coarse[part] -= 1;
        self.fine[usize::from(value)] -= 1;
        self.before -= usize::from(part < self.part);
    }

    #[inline(always)]
    fn find(&mut self, rank: usize) -> u16 {
        while self.before > rank {
            self.part -= 1;
            self.before -= usize::from(self.coarse[self.part]);
        }
        while self.before + usize::from(self.coarse[self.part]) <= rank {
            self.before += usize::from(self.coarse[self.part]);
            self.part += 1;
        }
        let (start, mut below) = (self.part << self.bits, self.before);
        let within = self.fine[start..].iter().position(|&count| {
            below += usize::from(count);
            below > rank
        });
        (start + within.unwrap_or(0)) as u16
    }
}

impl LineFilter<u16> for Count {
    type Line = u16;

    fn shape(&self) -> (usize, usize) {
        (self.op.size[0], self.columns.stride())
    }

    #[inline(always)]
    fn prepare<S: Simd>(&self, _: S, window: &PlaneWindow<u16>, y: Option<usize>, lines: &mut [u16], _: &mut Buffer) {
        for (t, line) in lines.chunks_exact_mut(self.columns.stride()).enumerate() {
            let row = y.map(|y| window.row(self.first_frame + t, y));
            convert(row, &self.columns, self.constant, self.last.most, line);
        }
    }

    #[inline(always)]
    fn filter<S: Simd>(
        &self,
        simd: S,
        window: &PlaneWindow<u16>,
        y: usize,
        lines: &Lines<u16>,
        out: &mut PlaneMut<u16>,
        _: &mut Buffer,
    ) {
        let [frames, rows, columns] = self.op.size;
        // Small beside what two rows of a large box take.
        let mut counts = Counts::new(self.fine_bits);
        for row in 0..out.height {
            counts.clear();
            let met: Vec<&[u16]> = (0..frames).flat_map(|t| (0..rows).map(move |r| lines.line(t, row + r))).collect();
            met.iter().for_each(|line| line[..columns - 1].iter().for_each(|&value| counts.add(value)));
            let mut keys = [0; BLOCK];
            for x in 0..self.columns.width {
                met.iter().for_each(|line| counts.add(line[x + columns - 1]));
                keys[x % BLOCK] = counts.find(self.op.rank);
                met.iter().for_each(|line| counts.remove(line[x]));
                if x % BLOCK == BLOCK - 1 || x + 1 == self.columns.width {
                    self.last.put(simd, &keys, window.centre(y + row), x / BLOCK * BLOCK, out.row_mut(row));
                }
            }
        }
    }
}
