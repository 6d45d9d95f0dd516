//! Samples between samples: `kernels/warp.cu`.

use super::super::geometry::{THREAD_ROWS, TILE_WIDTH};
use super::builder::{Builder, Class, SourceFile, Written, source};
use super::named::{Made, Named};
use crate::pass::{Affine, Interpolation, Placement, Projective, Stabilized, Warp, WarpEdge};

impl Written for Warp {
    const SOURCES: &'static [SourceFile] = &[source!("warp.cu")];

    fn class(&self, builder: &mut Builder, _: Made) -> (Made, Class) {
        let Self { from, turn, placement, interpolation, fill, .. } = self;
        let made = Named::default().int("FROM_W", from.0).int("FROM_H", from.1).flag("TRANSPOSED", turn.transposed);
        let made = made.flag("MIRRORED", turn.mirrored).flag("FLIPPED", turn.flipped);
        let made = made.word("FILL", fill.to_bits());
        let (taps, weights) = match interpolation {
            Interpolation::Nearest => (1, None),
            Interpolation::Linear => (2, None),
            Interpolation::Weighted { taps, weights } => (*taps, Some(weights)),
        };
        let words = weights.map(|weights| weights.iter().map(|weight| weight.to_bits()).collect::<Vec<_>>());
        let made = made.int("TAPS", taps).flag("WEIGHTED", words.is_some());
        let made = made.int("WEIGHTS", words.map_or(0, |words| builder.looked_up(&words)));
        let class = Class { tile_width: TILE_WIDTH, tile_height: 4 * THREAD_ROWS, blocks: 4, rows_before: None };
        (Made::of("Warp", made.made("Place", place(placement))), class)
    }
}

/// Placement of samples.
fn place(placement: &Placement) -> Made {
    match placement {
        Placement::Affine(Affine { first, across, down }) => {
            let pairs = [("FIRST", first), ("ACROSS", across), ("DOWN", down)];
            let made = pairs.into_iter().flat_map(|(name, pair)| {
                ["X", "Y"].into_iter().zip(pair).map(move |(axis, value)| (format!("{name}_{axis}"), *value as u64))
            });
            Made::of("Affine", made.fold(Named::default(), |made, (name, value)| halves(made, &name, value)))
        }
        Placement::Projective(Projective { terms, finer: [x, y] }) => {
            let made = Named::default().int("FINER_X", usize::from(*x)).int("FINER_Y", usize::from(*y));
            let terms = terms.iter().flatten().enumerate();
            let made = terms.fold(made, |made, (n, term)| halves(made, &format!("TERM_{n}"), term.to_bits()));
            Made::of("Projective", made)
        }
        Placement::Stabilized(Stabilized { edge, .. }) => {
            let made =
                Named::default().flag("ENDING", *edge == WarpEdge::Fill).flag("MIRROR", *edge == WarpEdge::Mirror);
            Made::of("Stabilized", made)
        }
    }
}

/// 64 bits as two words.
fn halves(made: Named, name: &str, bits: u64) -> Named {
    made.word(&format!("{name}_HIGH"), (bits >> 32) as u32).word(&format!("{name}_LOW"), bits as u32)
}
