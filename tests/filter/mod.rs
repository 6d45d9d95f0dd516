//! The table of filters, the chain grammar, kernel files.

mod bilateral;
mod bm3d;
mod boxes;
pub mod call;
mod cas;
mod colour;
mod deband;
mod deblock;
mod degrain;
mod denoise;
mod depth;
mod docs;
mod drawing;
mod edit;
#[cfg(feature = "cli")]
mod error;
#[cfg(feature = "cli")]
mod grain;
mod grammar;
mod kernel;
mod mask;
mod property;
mod recipe;
mod registry;
mod strength;
mod symmetry;
#[cfg(feature = "cli")]
mod unit;
#[cfg(feature = "cli")]
mod value;

use warpreel::filter::{Filter, Matrix, Shape, Want, parse};
use warpreel::frame::{Family, Pixel, Sample};

/// Pixels of every kind that filters tell apart.
pub fn pixels() -> Vec<Pixel> {
    let float = Pixel { sample: Sample::F32, depth: 32, ..Pixel::gray(16) };
    vec![
        Pixel::gray(8),
        Pixel { alpha: true, ..Pixel::gray(16) },
        Pixel::yuv420p(8),
        Pixel::yuv420p(10),
        Pixel::integer(Family::Yuv, 2, 0, 8),
        Pixel::integer(Family::Yuv, 0, 1, 12),
        Pixel { alpha: true, ..Pixel::integer(Family::Yuv, 0, 0, 16) },
        Pixel::integer(Family::Rgb, 0, 0, 9),
        Pixel { family: Family::Rgb, alpha: true, ..float },
        float,
    ]
}

/// A chain that must be right.
pub fn chain(text: &str) -> Vec<Filter> {
    parse(text, &super::companion::defaults()).unwrap_or_else(|err| panic!("{text}: {err}"))
}

/// The only filter of a chain.
pub fn only(text: &str) -> Filter {
    let mut chain = chain(text);
    assert_eq!(chain.len(), 1, "{text}");
    chain.remove(0)
}

/// The one kernel that a filter wants of the first plane of `pixel`.
fn matrix(filter: &Filter, pixel: Pixel) -> Matrix {
    match filter.wanted(pixel, 0).expect("wanted").want {
        Want::Stencil(stencil) => match stencil.shape {
            Shape::Kernels(mut kernels, _) if kernels.len() == 1 => kernels.remove(0),
            Shape::Product { t, y, x } => Matrix::product(&t, &y, &x),
            shape => panic!("several kernels: {shape:?}"),
        },
        want => panic!("{}: {want:?}", filter.text),
    }
}
