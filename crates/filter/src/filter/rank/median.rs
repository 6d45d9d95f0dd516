//! Medians in space, in time and in both, and other percentiles.

use anyhow::{Result, ensure};

use super::super::parameter::{Kind, Parameter, Preset};
use super::super::pick::Pick;
use super::super::spec::{DcGain, Extent, FormatPlane, Group, Spec, Terms};
use super::super::value::Values;
use super::super::want::Want;
use super::radii;
use crate::pass::Rank;

pub(super) const RADIUS: Parameter =
    Parameter::new("radius", Kind::Count(0, 127), Preset::Is("1"), "samples to the left and to the right")
        .unit("luma pixels");
pub(super) const RADIUS_V: Parameter =
    Parameter::new("radius_v", Kind::Count(0, 127), Preset::Derived("as radius"), "samples above and below")
        .unit("luma pixels")
        .or(&["radiusV"]);
pub(super) const RADIUS_T: Parameter =
    Parameter::new("radius_t", Kind::Count(0, 127), Preset::Is("1"), "frames on either side").unit("frames");
const PERCENTILE: Parameter = Parameter::new(
    "percentile",
    Kind::Number(0.0, 1.0),
    Preset::Is("0.5"),
    "share of the samples below the result: 0 the smallest, 1 the largest",
);

pub(in super::super) const SPEC: Spec = Spec {
    name: "median",
    elsewhere: &["Median", "medianBlur", "CTMF"],
    group: Group::Rank,
    summary: "median, or another percentile, of the samples around",
    description: "Removes specks and keeps edges. FFmpeg's filter of this name gives the same bytes with border=clamp \
                  if chroma is not subsampled; if it is, FFmpeg uses luma's radius in chroma.",
    own: &[RADIUS, RADIUS_V, PERCENTILE],
    example: "median=radius=2",
    extent: Extent::Space,
    terms: Terms::Own,
    gain: DcGain::One,
    want: |values, target| {
        let [down, across] = radii(values, target);
        Ok(picked(Pick::percentile([0, down, across], values.number("percentile"))))
    },
    change: None,
};

pub(in super::super) const IN_TIME: Spec = Spec {
    name: "tmedian",
    elsewhere: &["TemporalMedian", "xmedian"],
    summary: "median, or another percentile, of successive frames",
    description: "Removes what appears in few frames: dirt, rain, passers-by. Centred, where FFmpeg's filter drops the \
                  first radius frames.",
    own: &[Parameter { name: "radius", help: "frames on either side", unit: "frames", ..RADIUS }, PERCENTILE],
    example: "tmedian=radius=2",
    extent: Extent::Time,
    want: |values, _| Ok(picked(Pick::percentile([values.count("radius"), 0, 0], values.number("percentile")))),
    ..SPEC
};

pub(in super::super) const IN_SPACE_AND_TIME: Spec = Spec {
    name: "median3d",
    elsewhere: &[],
    summary: "median, or another percentile, of the samples in x, y and t",
    description: "The box may hold up to 65535 samples.",
    own: &[RADIUS, RADIUS_V, RADIUS_T, PERCENTILE],
    example: "median3d=radius=1:radius_t=1",
    extent: Extent::Time,
    want: |values, target| {
        let pick = Pick::percentile(all_radii(values, target), values.number("percentile"));
        check(&pick)?;
        Ok(picked(pick))
    },
    ..SPEC
};

/// Fails if a box is too large.
pub(super) fn check(pick: &Pick) -> Result<()> {
    let (samples, most) = (pick.samples(), Rank::MAX_SAMPLES);
    ensure!(samples <= most, "the box holds {samples} samples, more than {most}; type a smaller radius or radius_t");
    Ok(())
}

fn picked(pick: Pick) -> Want {
    if pick.samples() == 1 { Want::Copy } else { Want::Picks(vec![pick]) }
}

/// The radii in time, down and across of a filter that has all three.
pub(super) fn all_radii(values: &Values, target: FormatPlane) -> [usize; 3] {
    let [down, across] = radii(values, target);
    [values.count("radius_t"), down, across]
}
