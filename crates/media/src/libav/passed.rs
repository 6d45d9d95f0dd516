//! A stream whose packets go into another file as they are, though its pictures stand for those of a clip.

use std::slice;
use std::sync::Arc;

use anyhow::{Context, Result};
use ffmpeg_next::codec::Id;
use ffmpeg_next::{StreamMut, ffi};

use super::colour;
use super::convert::coded_colour;
use super::fields::Fields as _;
use super::input::InputContext;
use super::packet::raw_rational;
use super::pixel::Stored;
use super::stream::{StreamProperties, VideoStream};
use crate::frame::{Colour, Format};

/// What a stream's packets are coded as.
pub(crate) struct PassedStream {
    properties: StreamProperties,
    /// What the pictures are, as the clip has it.
    format: Arc<Format>,
}

impl PassedStream {
    /// That of a stream of an input, which stands for a clip of this format.
    ///
    /// # Errors
    /// If memory runs out.
    pub fn of(input: &InputContext, index: usize, format: &Arc<Format>) -> Result<Self> {
        Ok(Self { properties: StreamProperties::of(&input.raw_stream(index))?, format: format.clone() })
    }

    /// What the packets are coded as.
    pub fn codec(&self) -> Id {
        self.properties.codec()
    }

    /// Width and height in pixels.
    pub fn size(&self) -> (usize, usize) {
        let fields = self.parameters();
        [fields.width, fields.height].map(|side| usize::try_from(side).unwrap_or(0)).into()
    }

    /// How the pixels are stored, where this program knows that.
    pub fn stored(&self) -> Option<Stored> {
        Stored::from_number(self.parameters().format)
    }

    /// How many packets come before the one that is shown first among them and those behind it, at the most.
    pub fn delay(&self) -> usize {
        usize::try_from(self.parameters().video_delay).unwrap_or(0)
    }

    /// Whether a decoder of one can go on with the packets of the other: the codec, the headers and the pixels are the same.
    pub fn is_like(&self, other: &Self) -> bool {
        let facts = |stream: &Self| {
            let fields = stream.parameters();
            (stream.codec(), stream.size(), fields.format, fields.profile, fields.video_delay)
        };
        facts(self) == facts(other) && self.headers() == other.headers()
    }

    /// The codec's headers.
    fn headers(&self) -> &[u8] {
        let fields = self.parameters();
        match usize::try_from(fields.extradata_size) {
            // SAFETY: the parameters belong to `self`, nobody writes to them, and their headers have that size where they are
            // not null.
            Ok(size) if size > 0 && !fields.extradata.is_null() => unsafe {
                slice::from_raw_parts(fields.extradata, size)
            },
            _ => &[],
        }
    }

    fn parameters(&self) -> &ffi::AVCodecParameters {
        self.properties.parameters().fields()
    }
}

impl VideoStream for PassedStream {
    fn describe(&self, to: &mut StreamMut<'_>) -> Result<()> {
        self.properties.give_parameters(to).context("describe the stream")?;
        let colour = self.stored().map_or(self.format.colour, |stored| coded_colour(stored, &self.format));
        // Only who encoded the chunks knows whether they have the clip's range.
        let range = colour::range_of_stream(to);
        colour::tag_stream(to, Colour { range, ..colour });
        let aspect = raw_rational(self.format.aspect);
        // SAFETY: nobody else uses the stream while it is borrowed, and it always has parameters; these are plain numbers.
        unsafe {
            let to = &mut *to.as_mut_ptr();
            to.sample_aspect_ratio = aspect.into();
            (*to.codecpar).sample_aspect_ratio = aspect.into();
        }
        if self.format.rate.value().is_some() {
            to.set_avg_frame_rate(raw_rational(self.format.rate));
            to.set_rate(raw_rational(self.format.rate));
        }
        Ok(())
    }

    fn codes_alpha_beside(&self) -> bool {
        false
    }

    fn is_turned_when_shown(&self) -> bool {
        !self.format.turn.is_none()
    }

    fn keeps_light(&self) -> bool {
        !self.format.colour.is_sdr()
    }
}
