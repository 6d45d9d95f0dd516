//! Fields of the same picture put together again, as FFmpeg's `fieldmatch` does it.

mod choice;

use anyhow::{Result, ensure};

use super::cost::Operations;
use super::operation::Operation;
use super::reach::Reach;
use super::scan::Parity;
use crate::frame::{Format, Sample};

pub use choice::{FieldPair, MatchChoice};

/// A frame of one field of the frame in the middle of the window and of another field that fits it: that of the frame itself, or
/// of the one before or after ([`FieldPair`]). Whoever runs the pass chooses ([`Fieldmatch::choose`]) by what it asks a
/// backend ([`super::Questions`]), and says in [`super::Scan::weave`] which rows come from which frame. Rows are copied, so that
/// samples of all formats stay as they are. A frame beyond the ends of the clip is the frame itself.
///
/// All numbers are counted on bytes: an integer sample is the highest 8 bits of its format's, at most 255; a float sample
/// `clamp(v, 0, 1) · 255` to the nearest, ties to even, NaN 0. Opacity does not count. `F` is 1 if `field` is the top one,
/// else 0; rows `y` with `y mod 2 = F` are those of the opposite field. `p`, `c`, `n` are the frames of the window.
///
/// **Compared frames** `A`, `B`, in planes of `w × h`: the first plane alone unless `mchroma`. Six sums over planes, three for
/// `A`, then three for `B`. For `y = 2, 4, …` below `h − 2`, but for those from `y0` to `y1` (luma rows) where the two differ,
/// `S = y + 1 − F`, and columns from luma column 8 to as many before the end:
/// `v = |3 (A[S−1] + A[S+1]) − c[S−2] − 4 c[S] − c[S+2]|`, and `m` what the map of `A` and `B` has in row `S − 1` or
/// `S + 1`. Added up are `v > 23` where `m` has 1, `v > 42` where it has 2, and `v > 42` where it has 4. Where row `S + 2` is
/// not there, `S` stands for it.
///
/// **The map** is 0 but in rows `R = y + F`, `y` as above. `D` is `|A − B|` in rows `F`, `F + 2`, …, `h / 2` of them, and 0
/// elsewhere; `near(k)` is whether `D[R + k] > 19` within 4 columns. The map has 1 where `D > 3`, there and in another place of
/// the 3 × 3 around it, rows being two apart; and where also `D > 19`, there and in three others, it has 2 if `near(−2)` and
/// `near(2)`, or `near(−2)` and `near(−4)`, or `near(2)` and `near(4)`; else 4 if `D > 19` in five others.
///
/// **Differences** of the middle from the frame before and after: `Σ |c − p|` and `Σ |c − n|` of the first plane.
///
/// **Combs** of a frame: the most samples in a box of `blockx × blocky` of four grids, which begin at 0 or half a box before,
/// across and down, where the mask has the sample and those above and below. The mask has samples `v` of row `y` with
/// `|v − v[y−1]| > cthresh`, `|v − v[y+1]| > cthresh` and `|4 v − 3 (v[y−1] + v[y+1]) + v[y−2] + v[y+2]| > 6 cthresh`, rows
/// outside being those as far on the other side of `y`, or `y` itself; all samples if `cthresh` is −1. With `chroma` it has
/// those too that lie at a sample of another plane, not at its edge, that is in the mask of that plane beside another; where that plane has
/// fewer rows, also one row more: above those of an odd row, below those of an even one.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Fieldmatch {
    /// Which field is first in time.
    pub order: Parity,
    /// The field that another is looked for: in p, c and n it stays.
    pub field: Parity,
    /// Which fields may be taken.
    pub mode: MatchMode,
    /// When combed frames are looked for.
    pub combs: CombSearch,
    /// Whether all planes of colour are compared.
    pub mchroma: bool,
    /// Rows that are not compared, from the one to the other, if they differ.
    pub band: [u32; 2],
    /// How much a frame differs from the next at a scene change: percent of white.
    pub scene: f64,
    /// How much a combed sample differs from those above and below; −1 for all.
    pub cthresh: i32,
    /// Whether other planes may be combed too.
    pub chroma: bool,
    /// Width and height of the boxes in which combed samples are counted, powers of two from 4 to 512.
    pub block: [u32; 2],
    /// From how many of them on a frame is combed.
    pub combpel: u32,
}

/// Which fields may be taken.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum MatchMode {
    /// p or c.
    Pc,
    /// p or c, and n where that is combed.
    PcN,
    /// p or c, and u where that is combed.
    PcU,
    /// p or c, and n, u, b where that is combed.
    PcNUb,
    /// p, c or n.
    Pcn,
    /// p, c or n, and u, b where that is combed.
    PcnUb,
}

/// When combed frames are looked for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum CombSearch {
    /// Never.
    Never,
    /// At scene changes.
    Scenes,
    /// In all frames.
    Always,
}

impl Operation for Fieldmatch {
    fn kind(&self) -> &'static str {
        "fieldmatch"
    }

    fn check(&self, _: &Format, _: usize) -> Result<()> {
        let is_block = |size: u32| (4..=512).contains(&size) && size.is_power_of_two();
        let [x, y] = self.block;
        ensure!(is_block(x) && is_block(y), "blocks of {x}x{y}: type powers of two from 4 to 512");
        ensure!((-1..=255).contains(&self.cthresh), "a comb threshold of {}: type -1 to 255", self.cthresh);
        ensure!((0.0..=100.0).contains(&self.scene), "a scene threshold of {} %: type 0 to 100", self.scene);
        Ok(())
    }

    /// Copies, and what is counted before: some thirty sums and comparisons of bytes for half of the samples.
    fn least(&self, _: Sample, samples: u64) -> Operations {
        Operations { dot8: self.operations(samples), ..Operations::NONE }
    }

    fn reach(&self) -> Reach {
        Reach { before: [1, 0, 0], after: [1, 0, 0] }
    }

    fn shape(&self) -> String {
        let mode = match self.mode {
            MatchMode::Pc => "p, c",
            MatchMode::PcN => "p, c, combed: n",
            MatchMode::PcU => "p, c, combed: u",
            MatchMode::PcNUb => "p, c, combed: n, u, b",
            MatchMode::Pcn => "p, c, n",
            MatchMode::PcnUb => "p, c, n, combed: u, b",
        };
        let combs = match self.combs {
            CombSearch::Never => "never",
            CombSearch::Scenes => "at scene changes",
            CombSearch::Always => "always",
        };
        format!("{mode}, combs {combs}")
    }

    /// Both frames that are compared, and then the result and what it is copied from.
    fn bytes(&self, sample: Sample, samples: u64) -> u64 {
        4 * samples * sample.bytes() as u64
    }

    fn operations(&self, samples: u64) -> u64 {
        30 * samples / 2
    }
}
