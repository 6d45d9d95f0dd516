//! Rows and columns exchanged: pictures turned by a quarter.

use anyhow::{Result, ensure};

use super::super::change::Change;
use super::super::parameter::{Kind, Parameter, Preset};
use super::super::spec::Spec;
use super::super::value::Values;
use super::flip;
use super::map::turned;
use super::shown::ShownFrames;
use crate::frame::{Format, Pixel, Turn};

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
    change: Some(transposed),
    ..flip::HORIZONTAL
};

fn transposed(values: &Values, format: &Format) -> Result<Change> {
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
    let change = turned(format, Turn { transposed: true, mirrored, flipped }, "rows become columns");
    let Pixel { log2_chroma_w, log2_chroma_h, .. } = change.format.pixel;
    ensure!(
        log2_chroma_h < 2 || log2_chroma_w == log2_chroma_h,
        "{} on its side has no name; put scale=chroma=444 before it",
        format.pixel.name()
    );
    Ok(change)
}
