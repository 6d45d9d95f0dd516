//! Means along motion: blocks of a frame, each with the blocks of other frames that look most like it, by how like they
//! are. What MVTools calls `MDegrain`, in whole numbers.

use std::sync::Arc;

use anyhow::{Result, ensure};

use super::arithmetic::Arithmetic;
use super::border::Border;
use super::cost::Operations;
use super::finish::Finish;
use super::guide::Guide;
use super::operation::{Operation, border_and_finish};
use super::reach::Reach;
use crate::frame::{BlockField, Format, Pixel, Sample, Vector};

/// A plane of blocks of `n × n` samples that overlap by half: with `s = n / 2`, block `(i, j)` covers the columns from
/// `(i − 1) s` on and the rows from `(j − 1) s` on, `i` from 0 to `⌈width / s⌉`, so that each sample lies in four. What lies
/// outside the plane is what the border says, also for blocks that it cuts.
///
/// **Motion.** For each of the frames before and after, each block has a vector, in half samples, and its `S`, the sum
/// of absolute differences along it. Both are found in 8 bits: an integer sample counts as `min(v / 2^(depth − 8), 255)`,
/// rounded down; a float as `clamp(v, 0, 1) · 255` in `f32`, to nearest, ties to even, NaN as 0. So all sums are exact in
/// any order. Seven by seven blocks, the first of them at a multiple of seven, are a group, which looks for its motion
/// alone, over the `4n × 4n` samples that its blocks cover. Of several candidates the one of least cost is taken, the
/// first of those in the order in which they stand here: `S` for one that was known before, `S + ⌊S · again / 256⌋` for
/// one around it; offsets are in rows, from the top left on.
///
/// 1. All samples of the group, of which 4 × 4 become one, `⌊(sum + 8) / 16⌋`: no motion; then around it whatever
///    lies up to `search` of these away in both directions.
/// 2. Each quarter of the group, of which 2 × 2 samples become one, `⌊(sum + 2) / 4⌋`: the motion of 1; no motion; then
///    whatever lies up to 2 away from the motion of 1.
/// 3. Each block, in samples: no motion; the motion of the four quarters, that at the top left first, then that at the top right;
///    then whatever lies up to 2 away from the first of these five, from the second, and so on.
/// 4. If `halves`, each block: the motion of 3; then the eight around it that are half a sample away.
///
/// Between the second and the third of the samples `a b c d` there lies `⌊(9 (b + c) − (a + d) + 8) / 16⌋` clamped to what
/// a sample can be, first along x, then along y of what x gave. Of float samples it is `(9 · (b + c) − (a + d)) · 1/16` in
/// `f32`, each operation rounded.
///
/// **Scenes.** A frame counts nothing if `256 · count > scene[1] · all`, where `count` of all blocks of the plane have an `S`
/// above `scene[0]`.
///
/// **Following.** A plane that follows another one has blocks where that has them, `n / k` samples wide and `n / l` high for
/// the `k` columns and `l` rows of the other that a place covers ([`Guide`]), and looks for no motion: a vector `(x, y)` of
/// the other is `(⌊x / k⌋, ⌊y / l⌋)` in half samples of its own, `S` is the other's, and so is which frames count nothing.
///
/// **Means.** `W = weights[S]` for each frame, and 0 for `S` beyond the table; `w = ⌊256 W / (256 + Σ W)⌋`. Of a sample `c` in
/// a block, with the samples `r` at its place along the vectors, over the frames with `w > 0` and ascending in time:
/// `e = Σ w (r − c)`. A block's share `f` of a sample is a product of two weights, along x and y, which are `(2p + 1) · 8 / s` at
/// the `p`-th place from either edge, `s` being half the block's side there: over the four blocks of a sample they sum to 256.
///
/// - Of integers, with the sum over the four blocks: `m = c + ⌊(Σ f e + 32768) / 65536⌋`, clamped to
///   `c − limit ..= c + limit`. All of it is exact in 32 bits modulo 2³², in any order.
/// - Of floats in `f32`, each operation rounded, from +0 on, blocks above first and then those on the left:
///   `e = e + w · (r − c)`, `sum = sum + f · e`, `m = c + clamp(sum · 2⁻¹⁶, −limit, limit)`; NaN is not clamped.
///
/// **Shown.** Instead of that a plane can show its motion, or that which it takes, towards the frame right before: of the
/// block `(⌊(x + s / 2) / s⌋, ⌊(y + t / 2) / t⌋)` for blocks from `s` to `s` and from `t` to `t`. With `v` the component that
/// is shown, in half samples of the plane that looked for it, and 0 where that frame counts nothing,
/// `m = middle + v · 2^(depth − 6)`, or of floats `m = middle + v / 64`; `middle` is `2^(depth − 1)`, of floats 0.5, and 0 for
/// how far blocks have come: `max(|x|, |y|)`.
///
/// `m` goes into the last step in place of a sum.
#[derive(Clone, Debug, PartialEq)]
pub struct Degrain {
    /// Frames on either side, 1 to [`Degrain::MAX_FRAMES`].
    pub frames: usize,
    /// Samples of a block along x and y: 8 or 16.
    pub block: usize,
    /// How far step 1 looks, in its samples; at most [`Degrain::MAX_SEARCH`].
    pub search: usize,
    /// Whether vectors end between samples too.
    pub halves: bool,
    /// What candidates cost that are not known before, in 1/256 of their `S`; at most 256.
    pub again: u32,
    /// Above which `S` a block has changed, and of how many of 256 blocks it takes more for another scene.
    pub scene: [u32; 2],
    /// Whose motion is taken; `None` to look for the plane's own. The op of that plane looks for its own as this one would
    /// ([`Degrain::looks_as`]).
    pub follows: Option<Guide>,
    /// Under which name the motion that is found goes along with the frame, where it does.
    pub told: Option<Arc<str>>,
    /// What is shown of vectors in place of the mean, if anything is.
    pub shown: Option<VectorPart>,
    /// Weights by `S`, at most 256 each, and at most [`Degrain::MAX_TABLE`] of them.
    pub weights: Arc<[u32]>,
    /// How far a mean may lie from the sample; a whole number where samples are, up to 65535.
    pub limit: f32,
    /// Outside the plane; for integer samples a constant is one that a sample can have.
    pub border: Border,
    /// The last step.
    pub finish: Finish,
}

/// What is shown of a vector.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum VectorPart {
    /// How far it leads to the right.
    Right,
    /// How far it leads down.
    Down,
    /// The longer of the two, in either direction.
    Length,
}

impl VectorPart {
    /// Of a vector.
    pub fn of(self, vector: Vector) -> f32 {
        f32::from(match self {
            Self::Right => vector.x,
            Self::Down => vector.y,
            Self::Length => vector.x.abs().max(vector.y.abs()),
        })
    }
}

/// How many of what a plane has.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct BlockGrid {
    /// Blocks along x and y.
    pub blocks: [usize; 2],
    /// Groups along x and y.
    pub groups: [usize; 2],
}

impl Degrain {
    /// The most frames on either side.
    pub const MAX_FRAMES: usize = 6;
    /// The farthest that step 1 looks, in its samples.
    pub const MAX_SEARCH: usize = 16;
    /// The longest table: one for every sum over a block of 16.
    pub const MAX_TABLE: usize = 16 * 16 * 255 + 1;
    /// Blocks of a group along x and y.
    pub const GROUP: usize = 7;

    /// Whether it would find the same motion, and takes as many frames.
    pub fn looks_as(&self, other: &Self) -> bool {
        let motion = |op: &Self| (op.frames, op.block, op.search, op.halves, op.again, op.scene);
        motion(self) == motion(other)
    }

    /// By how many powers of two the plane whose motion is taken is finer, along x and y.
    pub fn finer(&self) -> [u32; 2] {
        self.follows.map_or([0; 2], |guide| guide.finer)
    }

    /// From one block to the next where motion is looked for, in samples.
    pub fn step(&self) -> usize {
        self.block / 2
    }

    /// How many samples around a group its candidates are looked for in, those between samples included.
    pub fn margin(&self) -> usize {
        4 * self.search + 8
    }

    /// The blocks of a plane of `width × height` samples that looks for its own motion.
    pub fn grid(&self, (width, height): (usize, usize)) -> BlockGrid {
        let blocks = [width, height].map(|length| length.div_ceil(self.step()) + 1);
        BlockGrid { blocks, groups: blocks.map(|count| count.div_ceil(Self::GROUP)) }
    }

    /// What a plane of such pixels that shows motion holds where there is none.
    pub fn middle(&self, pixel: Pixel) -> f32 {
        match pixel.sample {
            _ if self.shown == Some(VectorPart::Length) => 0.0,
            Sample::F32 => 0.5,
            _ => f32::from(1u16 << (pixel.depth - 1)),
        }
    }

    /// By how much that becomes more for half a sample.
    pub fn shade(pixel: Pixel) -> f32 {
        match pixel.sample {
            Sample::F32 => 1.0 / 64.0,
            _ => f32::from(1u16 << (pixel.depth - 6)),
        }
    }

    /// The blocks of a plane of such frames, as they are told of.
    pub fn blocks(&self, format: &Format, plane: usize) -> BlockField {
        let BlockGrid { blocks, .. } = self.grid(format.plane_size(plane));
        BlockField { plane, side: self.block, step: self.step(), count: blocks }
    }

    /// The table of MVTools: `⌊256 (T² − S²) / (T² + S²)⌋` for sums below `most`, here `T`.
    pub fn weights(most: u32) -> Arc<[u32]> {
        let square = |sum: u32| u64::from(sum) * u64::from(sum);
        (0..most).map(|sum| (256 * (square(most) - square(sum)) / (square(most) + square(sum))) as u32).collect()
    }
}

impl Operation for Degrain {
    fn kind(&self) -> &'static str {
        "degrain"
    }

    fn check(&self, format: &Format, plane: usize) -> Result<()> {
        let Self { frames, block, search, again, weights, limit, follows, .. } = self;
        follows.map_or(Ok(()), |guide| guide.check(format, plane))?;
        ensure!((1..=Self::MAX_FRAMES).contains(frames), "{frames} frames are not 1 to {}", Self::MAX_FRAMES);
        ensure!([8, 16].contains(block), "blocks of {block} are neither 8 nor 16 samples wide");
        ensure!(*search <= Self::MAX_SEARCH, "a search of {search} is beyond {}", Self::MAX_SEARCH);
        ensure!(*again <= 256, "candidates cost {again} of 256 more");
        let count = weights.len();
        ensure!(count <= Self::MAX_TABLE, "{count} weights are more than {}", Self::MAX_TABLE);
        ensure!(weights.iter().all(|weight| *weight <= 256), "a weight is above 256");
        ensure!(*limit >= 0.0, "the limit {limit} is negative or no number");
        if format.pixel.sample == Sample::F32 {
            return Ok(());
        }
        ensure!(limit.fract() == 0.0 && *limit <= 65535.0, "the limit {limit} is not whole, or above 65535");
        self.border.check(format.pixel.peak())
    }

    /// Each sample against one candidate a frame, of which a search needs far more.
    fn least(&self, _: Sample, samples: u64) -> Operations {
        Operations { dot16: 2 * self.frames as u64 * samples, ..Operations::NONE }
    }

    fn reach(&self) -> Reach {
        let far = self.margin() + 4 * self.block;
        Reach::of([2 * self.frames + 1, 2 * far + 1, 2 * far + 1], [self.frames, far, far])
    }

    fn guide(&self) -> Option<Guide> {
        self.follows
    }

    fn arithmetic(&self) -> Option<Arithmetic> {
        Some(Arithmetic::Integer)
    }

    border_and_finish!();

    fn shape(&self) -> String {
        let Self { frames, block, search, halves, .. } = self;
        if let Some(Guide { plane, .. }) = self.follows {
            return format!("{frames} + {frames} frames, blocks of {block}, the motion of plane {plane}");
        }
        let precision = if *halves { "half" } else { "whole" };
        format!("{frames} + {frames} frames, blocks of {block}, {} samples far, {precision} samples", 4 * search)
    }

    /// Candidates that are compared, of which step 1 looks at a sixteenth of the samples and step 2 at a quarter.
    fn taps(&self) -> usize {
        if self.follows.is_some() {
            return 2 * self.frames;
        }
        let first = (2 * self.search + 1).pow(2) / 16;
        2 * self.frames * (first + 26 / 4 + 125 + if self.halves { 8 } else { 0 })
    }
}
