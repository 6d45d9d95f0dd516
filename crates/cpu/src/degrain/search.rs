//! The motion of a group's blocks: sums of absolute differences, of whole pictures in which candidates lie one after
//! another, and of all blocks of the group at once where all have the same candidates.

use super::super::scratch::Scratch;
use super::super::simd::{Simd, WithSimd};
use super::super::window::PlaneWindow;
use super::interpolate::{along, down};
use super::mean::Moved;
use super::plane::Degrained;
use super::window::{ByteRows, keys, shrink, strip};
use crate::frame::Vector;
use crate::pass::Degrain;

/// Cells of a group along an axis: a block is two of them.
const CELLS: usize = Degrain::GROUP + 1;
/// The most samples along the side of a block, and of what a group's blocks cover.
const BLOCK: usize = 16;
const SIDE: usize = 4 * BLOCK;
/// How far steps 2 and 3 look around what they know.
const AROUND: usize = 2;

/// The best of several candidates: its number below what it costs, so that of equal ones the first is the least.
#[derive(Clone, Copy)]
struct Best<const BITS: u32>(u32);

impl<const BITS: u32> Best<BITS> {
    const NONE: Self = Self(u32::MAX);

    #[inline(always)]
    fn meet(&mut self, cost: u32, index: usize) {
        self.0 = self.0.min(cost << BITS | index as u32);
    }

    fn index(self) -> usize {
        (self.0 & ((1 << BITS) - 1)) as usize
    }
}

/// What a candidate costs that was not known.
#[inline(always)]
fn again(sum: u32, again: u32) -> u32 {
    sum + ((sum * again) >> 8)
}

/// The sum of absolute differences of bytes, a multiple of the bytes of a vector.
#[inline(always)]
fn difference<S: Simd>(simd: S, one: &[u8], other: &[u8]) -> u32 {
    let mut sum = simd.splat_i32(0);
    for (one, other) in one.chunks_exact(4 * S::LANES).zip(other.chunks_exact(4 * S::LANES)) {
        sum = added(simd, sum, one, other);
    }
    let mut lanes = [0u32; 8];
    simd.store_integers(sum, &mut lanes);
    lanes.iter().sum()
}

/// Adds to each lane the absolute differences of its four bytes.
#[inline(always)]
fn added<S: Simd>(simd: S, sum: S::I32, one: &[u8], other: &[u8]) -> S::I32 {
    let (one, other) = (simd.load_integers(one), simd.load_integers(other));
    let difference = simd.sub_i32(simd.max_u8(one, other), simd.min_u8(one, other));
    simd.dot_u8(sum, difference, simd.splat_i32(0x0101_0101))
}

#[inline(always)]
fn row_difference<const N: usize>(one: &[u8; N], other: &[u8; N]) -> u32 {
    let mut sum = 0;
    for (one, other) in one.iter().zip(other) {
        sum += u32::from(one.abs_diff(*other));
    }
    sum
}

/// The first `N` bytes.
#[inline(always)]
fn first<const N: usize>(bytes: &[u8]) -> &[u8; N] {
    bytes.first_chunk().expect("rows end beyond what is looked at")
}

/// The left half and the right one of a group in quarters, columns of `N` samples.
type Halves = [[u8; HALF]; 2];
const HALF: usize = SIDE * BLOCK / 2;

/// Makes them of a picture from a place on.
#[inline(always)]
fn halves<const N: usize>(from: ByteRows, at: [usize; 2], picture: &mut [u8], to: &mut Halves) {
    let side = 2 * N;
    shrink::<2>(from, at, side, side, picture);
    for (half, to) in to.iter_mut().enumerate() {
        strip::<N>(ByteRows { bytes: picture, pitch: side }, [half * N, 0], side, &mut to[..side * N]);
    }
}

/// What a group looks at.
struct GroupPair<'a> {
    /// What its blocks cover.
    own: ByteRows<'a>,
    /// The same of the other frame, and `margin` around it.
    other: ByteRows<'a>,
    margin: usize,
}

impl GroupPair<'_> {
    /// The place in the other frame, by whole samples.
    #[inline(always)]
    fn at(&self, [x, y]: [usize; 2], [dx, dy]: [isize; 2]) -> [usize; 2] {
        [(x + self.margin).wrapping_add_signed(dx), (y + self.margin).wrapping_add_signed(dy)]
    }
}

impl<T: Moved, const N: usize> Degrained<T, N> {
    /// The motion of a row of groups against the frame at place `place`.
    #[inline(always)]
    pub fn search<S: Simd>(
        &self,
        simd: S,
        window: &PlaneWindow<T>,
        place: usize,
        group: usize,
        motion: &mut [Vector],
        Scratch { ring, spare, .. }: &mut Scratch,
    ) {
        let (side, margin) = (4 * N, self.op.margin());
        let reach = side + 2 * margin;
        let strips = (2 * self.op.search + 1) * (N + 2 * self.op.search) * N;
        let line = &mut spare.elements::<T>(reach)[..reach];
        let bytes: &mut [u8] = ring.elements(side * side + reach * reach + strips);
        let (own, bytes) = bytes.split_at_mut(side * side);
        let (other, strips) = bytes.split_at_mut(reach * reach);
        let step = self.op.step() as isize;
        let corner = |group: usize| (group * Degrain::GROUP) as isize * step - step;
        let [blocks, rows] = self.grid.blocks;
        let rows = Degrain::GROUP.min(rows - group * Degrain::GROUP);
        for across in 0..self.grid.groups[0] {
            let (x, y) = (corner(across), corner(group));
            for (row, to) in own.chunks_exact_mut(side).enumerate() {
                keys(self, window, window.planes.len() / 2, [x, y + row as isize], &mut line[..side], to);
            }
            let far = margin as isize;
            for (row, to) in other.chunks_exact_mut(reach).enumerate() {
                keys(self, window, place, [x - far, y - far + row as isize], line, to);
            }
            let own = ByteRows { bytes: own, pitch: side };
            let group = GroupPair { own, other: ByteRows { bytes: other, pitch: reach }, margin };
            let mut found = [Vector::default(); Degrain::GROUP * Degrain::GROUP];
            simd.run(GroupSearch::<N> { op: &self.op, group, strips, found: &mut found });
            let first = across * Degrain::GROUP;
            let columns = Degrain::GROUP.min(blocks - first);
            for (row, found) in found.chunks_exact(Degrain::GROUP).take(rows).enumerate() {
                motion[row * blocks + first..][..columns].copy_from_slice(&found[..columns]);
            }
        }
    }
}

/// The search of a group, compiled once for samples of any type: it looks at bytes alone.
struct GroupSearch<'a, const N: usize> {
    op: &'a Degrain,
    group: GroupPair<'a>,
    strips: &'a mut [u8],
    found: &'a mut [Vector],
}

impl<const N: usize> WithSimd for GroupSearch<'_, N> {
    #[inline(always)]
    fn work<S: Simd>(self, simd: S) {
        let Self { op, group, strips, found } = self;
        let steps = SearchSteps::<N> { op };
        let whole = steps.whole(simd, &group, strips);
        let known = steps.quarters(simd, &group, whole);
        steps.each(simd, &group, known, found);
    }
}

/// The steps of a search.
struct SearchSteps<'a, const N: usize> {
    op: &'a Degrain,
}

impl<const N: usize> SearchSteps<'_, N> {
    /// Step 1: in sixteenths.
    #[inline(always)]
    fn whole<S: Simd>(&self, simd: S, group: &GroupPair, strips: &mut [u8]) -> [isize; 2] {
        let search = self.op.search;
        let (side, count) = (N + 2 * search, 2 * search + 1);
        let mut own = [0; BLOCK * BLOCK];
        let own = &mut own[..N * N];
        shrink::<4>(group.own, [0; 2], N, N, own);
        let mut small = [0; (BLOCK + 2 * Degrain::MAX_SEARCH) * (BLOCK + 2 * Degrain::MAX_SEARCH)];
        let margin = group.margin - 4 * search;
        shrink::<4>(group.other, [margin; 2], side, side, &mut small[..side * side]);
        let small = ByteRows { bytes: &small[..side * side], pitch: side };
        let mut best = Best::<11>::NONE;
        for dx in 0..count {
            let strip = &mut strips[..side * N];
            self::strip::<N>(small, [dx, 0], side, strip);
            for dy in 0..count {
                let sum = difference(simd, own, &strip[dy * N..][..N * N]);
                if [dx, dy] == [search; 2] {
                    best.meet(sum, 0);
                }
                best.meet(again(sum, self.op.again), 1 + dy * count + dx);
            }
        }
        let Some(index) = best.index().checked_sub(1) else { return [0; 2] };
        [index % count, index / count].map(|place| place as isize - search as isize)
    }

    /// Step 2: in quarters, of each quarter of the group; the motion of step 3's candidates, in samples.
    #[inline(always)]
    fn quarters<S: Simd>(&self, simd: S, group: &GroupPair, whole: [isize; 2]) -> [[isize; 2]; 4] {
        const LONG: usize = 2 * BLOCK + 2 * AROUND;
        let (side, count) = (2 * N, 2 * AROUND + 1);
        let long = side + 2 * AROUND;
        let (mut picture, mut own, mut still) = ([0; LONG * LONG], [[0; HALF]; 2], [[0; HALF]; 2]);
        halves::<N>(group.own, [0; 2], &mut picture, &mut own);
        halves::<N>(group.other, [group.margin; 2], &mut picture, &mut still);
        let known = whole.map(|length| 2 * length);
        let at = group.at([0; 2], known.map(|length| 2 * (length - AROUND as isize)));
        shrink::<2>(group.other, at, long, long, &mut picture);
        let picture = ByteRows { bytes: &picture, pitch: long };
        let mut best = [Best::<6>::NONE; 4];
        for (index, best) in best.iter_mut().enumerate() {
            let below = index / 2 * N * N;
            best.meet(difference(simd, &own[index % 2][below..][..N * N], &still[index % 2][below..][..N * N]), 1);
        }
        let mut strip = [0; LONG * BLOCK];
        for dx in 0..count {
            for half in 0..2 {
                self::strip::<N>(picture, [half * N + dx, 0], long, &mut strip[..long * N]);
                for (below, dy) in (0..2).flat_map(|below| (0..count).map(move |dy| (below, dy))) {
                    let own = &own[half][below * N * N..][..N * N];
                    let sum = difference(simd, own, &strip[(below * N + dy) * N..][..N * N]);
                    let best = &mut best[2 * below + half];
                    if [dx, dy] == [AROUND; 2] {
                        best.meet(sum, 0);
                    }
                    best.meet(again(sum, self.op.again), 2 + dy * count + dx);
                }
            }
        }
        best.map(|best| {
            let around = |place: usize| place as isize - AROUND as isize;
            let [x, y] = known;
            let [x, y] = match best.index() {
                0 => known,
                1 => [0; 2],
                index => [x + around((index - 2) % count), y + around((index - 2) / count)],
            };
            [2 * x, 2 * y]
        })
    }

    /// Steps 3 and 4: each block.
    #[inline(always)]
    fn each<S: Simd>(&self, simd: S, group: &GroupPair, quarters: [[isize; 2]; 4], found: &mut [Vector]) {
        const COUNT: usize = 2 * AROUND + 1;
        let mut known = [[0; 2]; 5];
        known[1..].copy_from_slice(&quarters);
        let mut best = [[simd.splat_i32(i32::MAX); 2]; Degrain::GROUP];
        for (index, &vector) in known.iter().enumerate() {
            if !known[..index].contains(&vector) {
                self.meet(simd, group, vector, (0, index), &mut best);
            }
        }
        for (index, [x, y]) in known.into_iter().enumerate() {
            for place in 0..COUNT * COUNT {
                let around = |place: usize| place as isize - AROUND as isize;
                let vector = [x + around(place % COUNT), y + around(place / COUNT)];
                // What an earlier one has around it costs no less here, and comes later.
                let is_near = |known: &[isize; 2]| (0..2).all(|axis| vector[axis].abs_diff(known[axis]) <= AROUND);
                if !known[..index].iter().any(is_near) && vector != [x, y] {
                    let number = known.len() + index * COUNT * COUNT + place;
                    self.meet(simd, group, vector, (self.op.again, number), &mut best);
                }
            }
        }
        let step = self.op.step();
        for (row, best) in best.into_iter().enumerate() {
            let mut lanes = [0u32; BLOCK + 8];
            for (best, lanes) in best.into_iter().zip(lanes.chunks_exact_mut(S::LANES)).take(N / S::LANES) {
                simd.store_integers(best, lanes);
            }
            for column in 0..Degrain::GROUP {
                let index = (lanes[column * N / CELLS] & 0xff) as usize;
                let vector = match index.checked_sub(known.len()) {
                    None => known[index],
                    Some(index) => {
                        let [x, y] = known[index / (COUNT * COUNT)];
                        let around = |place: usize| place as isize - AROUND as isize;
                        [x + around(index % COUNT), y + around(index % (COUNT * COUNT) / COUNT)]
                    }
                };
                found[row * Degrain::GROUP + column] = self.refined(group, [column * step, row * step], vector);
            }
        }
    }

    /// A candidate of all blocks. Its lanes lie as those of a row of cells do.
    #[inline(always)]
    fn meet<S: Simd>(
        &self,
        simd: S,
        group: &GroupPair,
        vector: [isize; 2],
        (again, index): (u32, usize),
        best: &mut [[S::I32; 2]; Degrain::GROUP],
    ) {
        let (step, vectors) = (N / 2, N / S::LANES);
        let [x, y] = group.at([0; 2], vector);
        let mut cells = [0i32; (CELLS + 1) * BLOCK];
        for (row, cells) in cells.chunks_exact_mut(N).take(CELLS).enumerate() {
            for (v, cells) in cells.chunks_exact_mut(S::LANES).enumerate() {
                let mut sum = simd.splat_i32(0);
                let column = v * 4 * S::LANES;
                for row in row * step..(row + 1) * step {
                    sum = added(simd, sum, group.own.row(column, row), group.other.row(x + column, y + row));
                }
                simd.store_integers(sum, cells);
            }
        }
        for (row, best) in best.iter_mut().enumerate() {
            for (v, best) in best.iter_mut().enumerate().take(vectors) {
                let at = row * N + v * S::LANES;
                let mut sum = simd.splat_i32(0);
                for lane in 0..N / 4 {
                    let (above, below) =
                        (simd.load_integers(&cells[at + lane..]), simd.load_integers(&cells[at + N + lane..]));
                    sum = simd.add_i32(sum, simd.add_i32(above, below));
                }
                if again > 0 {
                    let more = simd.mul_i32(sum, simd.splat_i32(again as i32));
                    sum = simd.add_i32(sum, simd.down_i32(more, simd.splat_i32(8)));
                }
                let numbered = simd.or_i32(simd.up_by_8(sum), simd.splat_i32(index as i32));
                *best = simd.min_i32(*best, numbered);
            }
        }
    }

    /// Step 4, and the sum of what is found.
    #[inline(always)]
    fn refined(&self, group: &GroupPair, at: [usize; 2], vector: [isize; 2]) -> Vector {
        const ROWS: usize = BLOCK + 4;
        let [x, y] = group.at(at, vector);
        // Of the block, and of the other frame from two rows above on.
        let (mut own, mut other) = ([&[0; N]; BLOCK], [&[0; N]; ROWS]);
        for (row, own) in own[..N].iter_mut().enumerate() {
            *own = first(group.own.row(at[0], at[1] + row));
        }
        for (row, other) in other[..N + 4].iter_mut().enumerate() {
            *other = first(group.other.row(x, y + row - 2));
        }
        let mut still = 0;
        for (own, other) in own[..N].iter().zip(&other[2..]) {
            still += row_difference(own, other);
        }
        let [dx, dy] = [2 * vector[0] as i16, 2 * vector[1] as i16];
        let whole = Vector { x: dx, y: dy, sum: still };
        if !self.op.halves || still == 0 {
            return whole;
        }
        let mut sums = [0; 9];
        let mut sides = [[[0; N]; ROWS]; 2];
        for (side, rows) in sides.iter_mut().enumerate() {
            for (row, to) in rows[..N + 4].iter_mut().enumerate() {
                *to = along(group.other.row(x - 2, y + row - 2), side, 255);
            }
            for (own, row) in own[..N].iter().zip(&rows[2..]) {
                sums[3 + 2 * side] += row_difference(own, row);
            }
        }
        let [left, right] = &sides;
        for row in 0..=N {
            let between = [
                down([&left[row], &left[row + 1], &left[row + 2], &left[row + 3]], 255),
                down([other[row], other[row + 1], other[row + 2], other[row + 3]], 255),
                down([&right[row], &right[row + 1], &right[row + 2], &right[row + 3]], 255),
            ];
            for (column, between) in between.iter().enumerate() {
                if row < N {
                    sums[column] += row_difference(own[row], between);
                }
                if row > 0 {
                    sums[6 + column] += row_difference(own[row - 1], between);
                }
            }
        }
        let mut best = Best::<4>::NONE;
        best.meet(still, 0);
        for (place, &sum) in sums.iter().enumerate().filter(|(place, _)| *place != 4) {
            best.meet(again(sum, self.op.again), 1 + place);
        }
        let Some(place) = best.index().checked_sub(1) else { return whole };
        Vector { x: dx + (place % 3) as i16 - 1, y: dy + (place / 3) as i16 - 1, sum: sums[place] }
    }
}
