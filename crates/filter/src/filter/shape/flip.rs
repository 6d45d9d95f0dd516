//! The picture as in a mirror, or upside down.

use super::super::change::Change;
use super::super::spec::{DcGain, Extent, Group, Spec, Terms};
use super::super::value::Values;
use super::map::{SampleMap, remap};
use super::untouched;
use crate::frame::{Format, Turn};
use crate::pass::Border;

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
    change: Some(|_: &Values, format| Ok(flipped(format, true, false))),
};

pub(in super::super) const VERTICAL: Spec = Spec {
    name: "vflip",
    elsewhere: &["FlipVertical"],
    summary: "exchanges top and bottom",
    description: "Mirrors each frame about its horizontal axis, as FFmpeg's vflip does.",
    example: "vflip",
    change: Some(|_: &Values, format| Ok(flipped(format, false, true))),
    ..HORIZONTAL
};

fn flipped(format: &Format, across: bool, down: bool) -> Change {
    let turn = match format.turn.transposed {
        true => Turn { transposed: false, mirrored: down, flipped: across },
        false => Turn { transposed: false, mirrored: across, flipped: down },
    };
    let to = turn.turned(format);
    let op = |plane| {
        let op = remap(format, &to, plane, Border::Clamp, |from, _| SampleMap::mirrored(from, across, down));
        (op, "samples move".to_owned())
    };
    Change { planes: (0..format.pixel.planes()).map(op).collect(), format: to }
}
