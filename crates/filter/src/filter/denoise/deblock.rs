//! Deblocking, with FFmpeg's parameters.

use super::super::parameter::{Kind, Parameter, Preset};
use super::super::spec::{DcGain, Extent, FormatPlane, Group, Spec, Terms};
use super::super::value::Values;
use super::super::want::Want;
use crate::frame::Sample;
use crate::pass::{Deblock, Op};

/// The limits of distances.
const LIMITS: [&str; 4] = ["alpha", "beta", "gamma", "delta"];

const LIMIT: Parameter = Parameter::new(
    LIMITS[0],
    Kind::Number(0.0, 1.0),
    Preset::Is("0.098"),
    "difference across an edge from which it stays; 0 changes nothing",
)
.unit("full scale");

const INNER: Parameter = Parameter {
    name: LIMITS[1],
    preset: Preset::Is("0.05"),
    help: "difference of the two samples before an edge from which it stays",
    ..LIMIT
};

const STRONG: &str = "strong";

pub(in super::super) const SPEC: Spec = Spec {
    name: "deblock",
    elsewhere: &["Deblock"],
    group: Group::Denoise,
    summary: "removes blocking: smooths the edges of compression blocks",
    description: "Moves the samples on both sides of each edge of a grid of blocks towards each other where they differ by less than \
                  the limits: the steps that strong compression leaves dissolve, larger ones are picture and stay. FFmpeg's \
                  filter of this name gives the same bytes at 8 to 16 bits, its peculiarities included: the grid is the same in \
                  all planes, whatever the subsampling; the lowest edge stays where at most a block of rows is below it; and on a \
                  vertical edge the first row that stays ends the block. One difference: a vertical edge with fewer than 2 (weak) \
                  or 3 (strong) columns right of it stays, where FFmpeg reads the padding of its rows. Floats, which FFmpeg does \
                  not take, are neither rounded nor clamped. VapourSynth's Deblock is H.264's loop filter, a different one. The grid \
                  starts at the upper left corner: deblock before crop and scale.",
    own: &[
        Parameter::new(
            "filter",
            Kind::Word(&["weak", STRONG]),
            Preset::Is(STRONG),
            "samples that change on either side of an edge: 2 (weak) or 3 (strong)",
        ),
        Parameter::new(
            "block",
            Kind::Count(Deblock::MIN_BLOCK, Deblock::MAX_BLOCK),
            Preset::Is("8"),
            "distance of edges, across and down",
        )
        .unit("samples of the plane"),
        LIMIT,
        INNER,
        Parameter {
            name: LIMITS[2],
            help: "the same behind it: of the two nearest samples (weak), or of the second and the third (strong)",
            ..INNER
        },
        Parameter { name: LIMITS[3], help: "strong only: the same, of the two nearest samples behind it", ..INNER },
        Parameter::new(
            "planes",
            Kind::Planes,
            Preset::Derived("--planes, or all"),
            "planes to filter; the others are unchanged",
        ),
    ],
    example: "deblock=weak:block=4",
    extent: Extent::Sample,
    terms: Terms::Ffmpeg,
    gain: DcGain::One,
    want: |values, target| Ok(want(values, target)),
    change: None,
};

fn want(values: &Values, FormatPlane { pixel, .. }: FormatPlane) -> Want {
    let limits = LIMITS.map(|name| {
        let typed = values.number(name) as f32;
        match pixel.sample {
            Sample::F32 => typed,
            Sample::U8 | Sample::U16 => (pixel.peak() * typed).trunc(),
        }
    });
    let (strong, block) = (values.word("filter") == STRONG, values.count("block"));
    Want::Operation(Op::Deblock(Deblock { strong, block, limits }))
}
