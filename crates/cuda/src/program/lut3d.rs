//! Colours looked up in a lattice: `kernels/lut3d.cu`.

use super::super::geometry::{THREAD_ROWS, TILE_WIDTH};
use super::builder::{Builder, Class, SourceFile, Written, source};
use super::named::{Made, Named};
use crate::frame::Sample;
use crate::pass::{ColourMatrix, Lattice, LatticeMode, Lut3d};

impl Written for Lut3d {
    const SOURCES: &'static [SourceFile] = &[source!("lut3d.cu")];

    fn class(&self, builder: &mut Builder, _: Made) -> (Made, Class) {
        let Lattice { size, points, low, scale } = &*self.lattice;
        let mode = match self.mode {
            LatticeMode::Tetrahedral => 0,
            LatticeMode::Trilinear => 1,
            LatticeMode::Nearest => 2,
        };
        // Points of nothing behind the last, which those at the edge meet with a weight of 0.
        let beyond = size * size + size + 1;
        let words = points.iter().flat_map(|[r, g, b]| [r.to_bits(), g.to_bits(), b.to_bits(), 0]);
        let words: Vec<u32> = words.chain(std::iter::repeat_n(0, 4 * beyond)).collect();
        let pixel = builder.pixel;
        let sizes = |made: Named| {
            let (across, down) = pixel.subsampling(1);
            let made = made.int("COLOURS", pixel.planes() - usize::from(pixel.alpha));
            made.int("ACROSS", across.into()).int("DOWN", down.into())
        };
        let made =
            sizes(Named::default().int("SIZE", *size).int("POINTS", builder.looked_up(&words)).int("MODE", mode));
        let axes = ["R", "G", "B"].into_iter().zip(low.iter().zip(scale));
        let made = axes.fold(made, |made, (axis, (low, scale))| {
            made.word(&format!("LOW_{axis}"), low.to_bits()).word(&format!("SCALE_{axis}"), scale.to_bits())
        });
        let made = made.flag("MIXES", self.strength != 1.0).word("WET", self.strength.to_bits());
        let made = made.word("DRY", (1.0 - self.strength).to_bits());
        let planes = match &self.matrix {
            None => {
                let unit = if pixel.sample == Sample::F32 { 1.0 } else { 1.0 / pixel.peak() };
                Made::of("Primaries", Named::default().word("UNIT", unit.to_bits()))
            }
            Some(matrix) => Made::of("Differences", numbers(sizes(Named::default()), matrix)),
        };
        let class = Class { tile_width: TILE_WIDTH, tile_height: 4 * THREAD_ROWS, blocks: 4, rows_before: None };
        (Made::of("Lut3d", made.made("Planes", planes)), class)
    }
}

/// The numbers of a matrix.
fn numbers(made: Named, matrix: &ColourMatrix) -> Named {
    let ColourMatrix { black, span, luma, middle, chroma_span, chroma, red, green, blue, weights, back, siting } =
        matrix;
    let made = made.int("SITING_X", siting[0]).int("SITING_Y", siting[1]);
    let numbers = [
        ("BLACK", black),
        ("SPAN", span),
        ("LUMA", luma),
        ("MIDDLE", middle),
        ("CHROMA_SPAN", chroma_span),
        ("CHROMA", chroma),
        ("RED", red),
        ("GREEN_U", &green[0]),
        ("GREEN_V", &green[1]),
        ("BLUE", blue),
        ("WEIGHT_R", &weights[0]),
        ("WEIGHT_G", &weights[1]),
        ("WEIGHT_B", &weights[2]),
        ("BACK_U", &back[0]),
        ("BACK_V", &back[1]),
    ];
    numbers.into_iter().fold(made, |made, (name, number)| made.word(name, number.to_bits()))
}
