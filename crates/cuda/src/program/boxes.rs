//! Sums over boxes: `kernels/boxes.cu`.

use super::super::geometry::{THREAD_ROWS, TILE_WIDTH};
use super::super::range::SumBounds;
use super::builder::{Builder, Class, RowsBefore, SourceFile, Written, border, source};
use super::named::{Made, Named};
use crate::pass::{BoxStep, Boxes, Operation as _};

/// Shared memory of a block, of which four then have room on a multiprocessor.
const USUAL_BYTES: usize = 46 << 10;
/// What a warp reads of a line at once, and what stands between two lines, in samples.
const CHUNK: usize = 128;
const GAP: usize = 4;

impl Written for Boxes {
    const SOURCES: &'static [SourceFile] = &[source!("boxes.cu")];

    fn class(&self, builder: &mut Builder, after: Made) -> (Made, Class) {
        let steps = self.steps(builder.pixel);
        let most = f64::from(steps.most);
        let known = SumBounds { range: [0.0, most], bound: most, taps: self.taps() };
        let made = Named::default().kind("Border", border(self.border));
        let made = made.part("Last", builder.finish(self.finish, known, after));
        let made = made.word("CONSTANT", steps.constant(self.border.constant() as u32));
        let [down, across] = [&steps.y, &steps.x].map(|steps| builder.boxes(steps));
        let made = made.part("Down", down).part("Across", across);
        (
            Made::of("Boxes", made),
            Class {
                tile_width: TILE_WIDTH,
                tile_height: THREAD_ROWS,
                blocks: 4,
                rows_before: Some(RowsBefore::unrounded(0)),
            },
        )
    }

    fn is_long(&self, _: &Builder) -> bool {
        true
    }
}

impl Builder {
    /// An axis.
    fn boxes(&mut self, steps: &[BoxStep]) -> Named {
        let words: Vec<u32> = steps.iter().flat_map(|step| [step.width as u32, step.shift]).collect();
        let at = self.literal(&words);
        let reach = steps.iter().map(|step| step.width - 1).sum();
        let lines = SharedLines::new(reach, self.limits.shared_bytes);
        self.share(lines.bytes());
        let axis = Named::default().int("COUNT", steps.len()).int("AT", at).int("SPAN", reach);
        axis.int("LINES", lines.count).int("LENGTH", lines.length).int("OUTPUTS", lines.outputs(reach))
    }
}

/// Lines in shared memory.
#[derive(Clone, Copy)]
struct SharedLines {
    count: usize,
    /// Samples of each, a multiple of [`CHUNK`].
    length: usize,
}

impl SharedLines {
    /// For boxes that reach so far: as many as there are warps, unless lines then hold more of what boxes reach than of
    /// what they make.
    fn new(reach: usize, shared_bytes: usize) -> Self {
        let usual = USUAL_BYTES.min(shared_bytes);
        let of = |(bytes, count): (usize, usize)| {
            let length = (bytes / 4 / count - GAP) / CHUNK * CHUNK;
            Self { count, length }
        };
        let choices = [(usual, 8), (shared_bytes, 8), (shared_bytes, 4), (shared_bytes, 2), (shared_bytes, 1)].map(of);
        choices.into_iter().find(|lines| lines.length > 2 * reach + CHUNK).unwrap_or(choices[4])
    }

    /// Samples that a line makes at once: one running sum more than there are samples has room in it.
    fn outputs(self, reach: usize) -> usize {
        (self.length - 1).saturating_sub(reach) / 4 * 4
    }

    fn bytes(self) -> usize {
        4 * self.count * (self.length + GAP)
    }
}
