//! The frames of chunks whose chain changes their size or shape, in the words of records.

use std::sync::Arc;

use anyhow::{Context, Result, ensure};
use serde::{Deserialize, Serialize};

use crate::frame::{FieldOrder, Format, Rational};
use crate::libav::Stored;

/// What a chain makes of the frames of a clip, where it changes their size or shape. The rest is that of the clip.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct ChunkFormat {
    /// The name of a [`crate::frame::Pixel`].
    pixel: String,
    width: usize,
    height: usize,
    /// Width of a pixel over its height.
    aspect: (i32, i32),
    /// Order of fields: `top`, `bottom`, `mixed`, `none`, or nothing where it is unknown.
    fields: String,
    /// Place of chroma, as in [`crate::frame::Colour`].
    siting: u8,
}

const ORDERS: [(FieldOrder, &str); 5] = [
    (FieldOrder::Unspecified, ""),
    (FieldOrder::Progressive, "none"),
    (FieldOrder::TopFirst, "top"),
    (FieldOrder::BottomFirst, "bottom"),
    (FieldOrder::Mixed, "mixed"),
];

impl ChunkFormat {
    /// For chunks of a clip; `None` where their frames are those of the clip.
    pub fn of(clip: &Format, output: &Format) -> Option<Self> {
        (output != clip).then(|| Self {
            pixel: output.pixel.name(),
            width: output.width,
            height: output.height,
            aspect: (output.aspect.num, output.aspect.den),
            fields: ORDERS.iter().find(|(order, _)| *order == output.fields).map_or("", |(_, name)| name).to_owned(),
            siting: output.colour.siting,
        })
    }

    /// The format of the frames of chunks of a clip.
    ///
    /// # Errors
    /// If there are no such frames.
    pub(super) fn format(&self, clip: &Format) -> Result<Arc<Format>> {
        let Self { pixel, width, height, aspect, fields, siting } = self;
        let known = |name: &str| Stored::all().iter().map(|stored| stored.pixel()).find(|known| known.name() == name);
        let pixel = known(pixel).with_context(|| format!("the record names unknown pixels, {pixel:?}"))?;
        let sides = 1..=Format::MAX_SIDE;
        ensure!(sides.contains(width) && sides.contains(height), "the record has frames of {width}x{height}");
        let mut format = Format { pixel, width: *width, height: *height, ..clip.clone() };
        format.aspect = Rational::new(aspect.0, aspect.1);
        format.colour.siting = *siting;
        let order = ORDERS.iter().find(|(_, name)| name == fields).map(|(order, _)| *order);
        format.fields = order.with_context(|| format!("the record names an unknown order of fields, {fields:?}"))?;
        Ok(Arc::new(format))
    }
}
