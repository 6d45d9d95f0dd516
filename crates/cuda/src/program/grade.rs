//! Colours mapped to colours: `kernels/grade.cu`.

use super::super::geometry::{THREAD_ROWS, TILE_WIDTH};
use super::builder::{Builder, Class, SourceFile, Written, source};
use super::named::{Made, Named};
use crate::frame::{Pixel, Sample};
use crate::pass::{ColourMap, ColourMatrix, Grade, Lattice, LatticeMode, ToneCurves, Vibrance};

impl Written for Grade {
    const SOURCES: &'static [SourceFile] = &[source!("grade.cu")];

    fn class(&self, builder: &mut Builder, _: Made) -> (Made, Class) {
        let pixel = builder.pixel;
        let map = match &self.map {
            ColourMap::Lattice(lattice, mode) => points(builder, lattice, *mode),
            ColourMap::Curves(curves) => pieces(builder, curves),
            ColourMap::Vibrance(vibrance) => saturation(vibrance),
        };
        let made = sizes(pixel).made("Map", map);
        let made = made.flag("MIXES", self.strength != 1.0).word("WET", self.strength.to_bits());
        let made = made.word("DRY", (1.0 - self.strength).to_bits());
        let planes = match &self.matrix {
            None => {
                let unit = if pixel.sample == Sample::F32 { 1.0 } else { 1.0 / pixel.peak() };
                Made::of("Primaries", Named::default().word("UNIT", unit.to_bits()))
            }
            Some(matrix) => Made::of("Differences", numbers(sizes(pixel), matrix)),
        };
        let class = Class { tile_width: TILE_WIDTH, tile_height: 4 * THREAD_ROWS, blocks: 4, rows_before: None };
        (Made::of("Grade", made.made("Planes", planes)), class)
    }
}

/// The sizes of the planes. A closure that is given an empty list twice would not do: rustc 1.77 to 1.96 hands it the same memory both
/// times where it optimises, and what was written there is freed twice (rust-lang/rust#155241).
fn sizes(pixel: Pixel) -> Named {
    let (across, down) = pixel.subsampling(1);
    let made = Named::default().int("COLOURS", pixel.planes() - usize::from(pixel.alpha));
    made.int("ACROSS", across.into()).int("DOWN", down.into())
}

/// Names of red, green and blue among the parameters.
const COLOURS: [&str; 3] = ["R", "G", "B"];

/// Words of red, green and blue.
fn each(made: Named, name: &str, numbers: &[f32; 3]) -> Named {
    COLOURS
        .into_iter()
        .zip(numbers)
        .fold(made, |made, (colour, number)| made.word(&format!("{name}_{colour}"), number.to_bits()))
}

/// A lattice, its points as words.
fn points(builder: &mut Builder, lattice: &Lattice, mode: LatticeMode) -> Made {
    let Lattice { size, points, low, scale } = lattice;
    let mode = match mode {
        LatticeMode::Tetrahedral => 0,
        LatticeMode::Trilinear => 1,
        LatticeMode::Nearest => 2,
    };
    // Points of nothing behind the last, which those at the edge meet with a weight of 0.
    let beyond = size * size + size + 1;
    let words = points.iter().flat_map(|[r, g, b]| [r.to_bits(), g.to_bits(), b.to_bits(), 0]);
    let words: Vec<u32> = words.chain(std::iter::repeat_n(0, 4 * beyond)).collect();
    let made = Named::default().int("SIZE", *size).int("POINTS", builder.looked_up(&words)).int("MODE", mode);
    Made::of("LatticePoints", each(each(made, "LOW", low), "SCALE", scale))
}

/// Curves, their pieces as words.
fn pieces(builder: &mut Builder, curves: &ToneCurves) -> Made {
    let ToneCurves { size, pieces, low, scale, ahead } = curves;
    let words: Vec<u32> = pieces.iter().flatten().map(|number| number.to_bits()).collect();
    let made = Named::default().int("SIZE", *size).int("PIECES", builder.looked_up(&words));
    Made::of("Curves", each(each(made, "LOW", low), "SCALE", scale).word("AHEAD", ahead.to_bits()))
}

/// The numbers of vibrance.
fn saturation(vibrance: &Vibrance) -> Made {
    let Vibrance { intensity, turn, weights } = vibrance;
    let made = each(each(Named::default(), "INTENSITY", intensity), "TURN", turn);
    Made::of("Vibrance", each(made, "WEIGHT", weights))
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
