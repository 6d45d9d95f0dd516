//! Rows and columns exchanged: pictures turned by a quarter.

use anyhow::{Result, ensure};

use super::super::change::Change;
use super::super::parameter::{Kind, Parameter, Preset};
use super::super::spec::Spec;
use super::super::value::Values;
use super::flip;
use super::map::{SampleMap, remap};
use super::shown::ShownFrames;
use crate::frame::{Format, Turn};
use crate::pass::Border;

pub(in super::super) const SPEC: Spec = Spec {
    name: "transpose",
    elsewhere: &["Transpose", "Turn90", "Turn270"],
    summary: "turns the picture by a quarter",
    description: "Exchanges rows and columns, and mirrors the result or not, as FFmpeg's transpose does. 4:2:2 becomes \
                  4:4:0, without loss; the shape of pixels is inverted.",
    own: &[
        Parameter::new(
            "dir",
            Kind::Word(&["cclock_flip", "clock", "cclock", "clock_flip"]),
            Preset::Is("cclock_flip"),
            "direction: clockwise or counter-clockwise by 90°; with _flip mirrored as well",
        ),
        Parameter::new(
            "passthrough",
            Kind::Word(&["none", "portrait", "landscape"]),
            Preset::Is("none"),
            "shape of pictures that stay as they are",
        ),
    ],
    example: "transpose=clock",
    change: Some(turned),
    ..flip::HORIZONTAL
};

fn turned(values: &Values, format: &Format) -> Result<Change> {
    let (width, height) = ShownFrames { format }.size();
    let stays = match values.word("passthrough") {
        "portrait" => height >= width,
        "landscape" => width >= height,
        _ => false,
    };
    if stays {
        return Ok(Change::none(format));
    }
    let (mirrored, flipped) = match values.word("dir") {
        "clock" => (true, false),
        "cclock" => (false, true),
        "clock_flip" => (true, true),
        _ => (false, false),
    };
    // Of the stored picture: mirrored as it is shown is flipped where it is stored on its side.
    let to = Turn { transposed: true, mirrored, flipped }.turned(format);
    let pixel = format.pixel;
    ensure!(
        !to.pixel.name().contains("4xx"),
        "{} on its side has no name; type scale=format=yuv444p before it",
        pixel.name()
    );
    let op = |plane| {
        let map = |_, after| SampleMap::mirrored(after, mirrored, flipped).then(SampleMap::transposed());
        (remap(format, &to, plane, Border::Clamp, map), "rows become columns".to_owned())
    };
    Ok(Change { planes: (0..pixel.planes()).map(op).collect(), format: to })
}
