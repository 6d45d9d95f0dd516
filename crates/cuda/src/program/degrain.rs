//! Means along motion: `kernels/motion.cu`, `kernels/degrain.cu`.

use super::super::geometry::{THREAD_ROWS, TILE_WIDTH};
use super::super::range::SumBounds;
use super::builder::{Builder, Class, RowsBefore, SourceFile, Written, border, source};
use super::named::{Made, Named};
use crate::pass::{Degrain, Operation as _};

impl Written for Degrain {
    const SOURCES: &'static [SourceFile] = &[source!("motion.cu"), source!("degrain.cu")];

    fn class(&self, builder: &mut Builder, after: Made) -> (Made, Class) {
        let highest = f64::from(builder.pixel.highest());
        // A mean lies between the samples, but for its roundings; what is shown of motion need not.
        let range = if self.shown.is_some() { [-4.0 * highest, 4.0 * highest] } else { [0.0, highest] };
        let known = SumBounds { range, bound: range[1], taps: self.taps() };
        let made = Named::default().kind("Border", border(self.border));
        let made = made.part("Last", builder.finish(self.finish, known, after));
        let made = made.int("N", self.block).int("SEARCH", self.search).int("FRAMES", self.frames);
        let made = made.flag("HALVES", self.halves).word("AGAIN", self.again);
        let made = made.word("CHANGED", self.scene[0]).word("MOST", self.scene[1]);
        let made = made.int("AT", builder.looked_up(&self.weights)).int("WEIGHTS", self.weights.len());
        let made = made.word("LIMIT", self.limit.to_bits()).int("DEPTH", builder.pixel.depth.into());
        let [across, down] = self.finer().map(|power| power as usize);
        let made =
            made.flag("FOLLOWS", self.follows.is_some()).int("GUIDE", self.follows.map_or(0, |guide| guide.plane));
        let made = made.int("ACROSS", across).int("DOWN", down);
        let component = self.shown.map_or(0, |component| component as usize);
        let made = made.flag("SHOWN", self.shown.is_some()).int("COMPONENT", component);
        let [middle, shade] = [self.middle(builder.pixel), Self::shade(builder.pixel)].map(f32::to_bits);
        let made = made.word("MIDDLE", middle).word("SHADE", shade);
        builder.share(shared_bytes(self));
        let rows_before = self.follows.is_none().then(|| rows_before(self));
        let class = Class { tile_width: TILE_WIDTH, tile_height: THREAD_ROWS, blocks: 4, rows_before };
        (Made::of("Degrain", made), class)
    }

    fn is_long(&self, _: &Builder) -> bool {
        true
    }
}

/// Words of a row of so many bytes, by which rows of blocks lie in different banks of shared memory.
fn pitch(bytes: usize) -> usize {
    (bytes / 4 + 5) / 8 * 8 + 2
}

/// What a group looks at, in shared memory: its samples, those around them in the other frame, fewer of both, and
/// behind these candidates and what is found.
fn shared_bytes(op: &Degrain) -> usize {
    let (side, wide) = (4 * op.block, 4 * op.block + 2 * op.margin());
    let small = op.block + 2 * op.search;
    let whole = side * pitch(side) + wide * pitch(wide);
    let sixteenths = op.block * op.block / 4 + small * (small / 4 + 2);
    let quarters = 2 * op.block * op.block + (2 * op.block + 4).pow(2) / 4;
    // Of the last picture one word beyond its end is read.
    4 * (whole + sixteenths + quarters + 4 + 128 + 64 * 10 + 16)
}

/// Room for two words of each block and a byte of each group, against all frames: no plane has more than
/// `(width / 4 + 2) (height / 4 + 2)` blocks, and rows are padded to 16 samples or more.
fn rows_before(op: &Degrain) -> RowsBefore {
    RowsBefore::each(op.frames.div_ceil(2), 4 * op.frames)
}
