//! Greyscale morphology with a rectangle, or a box in space and time.

use anyhow::Result;

use super::super::parameter::{Parameter, Preset};
use super::super::pick::Pick;
use super::super::spec::{Extent, FormatPlane, Spec};
use super::super::value::Values;
use super::super::want::Want;
use super::median::{self, RADIUS, RADIUS_T, RADIUS_V, all_radii};

const OWN: &[Parameter] = &[RADIUS, RADIUS_V, Parameter { preset: Preset::Is("0"), ..RADIUS_T }];

pub(in super::super) const ERODE: Spec = Spec {
    name: "erode",
    elsewhere: &["erosion", "Minimum"],
    summary: "minimum of the neighbours: thins bright areas",
    description: "Of a rectangle, or with radius_t of a box in space and time. FFmpeg's erosion gives the same bytes \
                  if chroma is not subsampled; if it is, FFmpeg uses luma's radius in chroma.",
    own: OWN,
    example: "erode=radius=2",
    extent: Extent::Time,
    want: |values, target| morphology(values, target, &[0.0]),
    ..median::SPEC
};

pub(in super::super) const DILATE: Spec = Spec {
    name: "dilate",
    elsewhere: &["dilation", "Maximum", "Inflate"],
    summary: "maximum of the neighbours: thickens bright areas",
    description: "As erode, with the largest.",
    example: "dilate=radius=2",
    want: |values, target| morphology(values, target, &[1.0]),
    ..ERODE
};

pub(in super::super) const OPEN: Spec = Spec {
    name: "open",
    elsewhere: &["opening"],
    summary: "erode, then dilate: removes small bright details",
    description: "Removes details that are brighter than their surroundings and smaller than the rectangle; the rest \
                  keeps its size.",
    example: "open=radius=2",
    want: |values, target| morphology(values, target, &[0.0, 1.0]),
    ..ERODE
};

pub(in super::super) const CLOSE: Spec = Spec {
    name: "close",
    elsewhere: &["closing"],
    summary: "dilate, then erode: removes small dark details",
    description: "Removes details that are darker than their surroundings and smaller than the rectangle; the rest \
                  keeps its size.",
    example: "close=radius=2",
    want: |values, target| morphology(values, target, &[1.0, 0.0]),
    ..ERODE
};

/// The smallest (0) or largest (1), one after another.
fn morphology(values: &Values, target: FormatPlane, percentiles: &[f64]) -> Result<Want> {
    let radius = all_radii(values, target);
    let picks: Vec<Pick> = percentiles.iter().map(|&percentile| Pick::percentile(radius, percentile)).collect();
    median::check(&picks[0])?;
    Ok(if picks[0].samples() == 1 { Want::Copy } else { Want::Picks(picks) })
}
