//! The picture as in a mirror, or upside down.

use super::super::spec::{DcGain, Extent, Group, Spec, Terms};
use super::super::value::Values;
use super::map::turned;
use super::untouched;
use crate::frame::Turn;

pub(in super::super) const HORIZONTAL: Spec = Spec {
    name: "hflip",
    elsewhere: &["FlipHorizontal", "mirror"],
    group: Group::Shape,
    summary: "exchanges left and right",
    description: "Mirrors each frame about its vertical axis, as FFmpeg's hflip does.",
    own: &[],
    example: "hflip",
    extent: Extent::Picture,
    terms: Terms::Own,
    gain: DcGain::One,
    want: untouched,
    change: Some(|_: &Values, format| Ok(turned(format, Turn { mirrored: true, ..Turn::default() }, REASON))),
};

pub(in super::super) const VERTICAL: Spec = Spec {
    name: "vflip",
    elsewhere: &["FlipVertical"],
    summary: "exchanges top and bottom",
    description: "Mirrors each frame about its horizontal axis, as FFmpeg's vflip does.",
    example: "vflip",
    change: Some(|_: &Values, format| Ok(turned(format, Turn { flipped: true, ..Turn::default() }, REASON))),
    ..HORIZONTAL
};

const REASON: &str = "samples move";
