//! Camera data and resolution of stills, which encoders leave out, put into the files that they write.

use std::collections::BTreeMap;
use std::sync::Arc;

use anyhow::{Context, Result};
use ffmpeg_next::ffi;

use crate::frame::{Format, Turn};
use crate::libav::Strictness;
use crate::libav::muxer::Muxer;
use crate::libav::packet::Packet;
use crate::libav::picture::Carried;
use crate::libav::source_info::SourceInfo;
use crate::sink::lose;
use crate::still::{self, StillKind, StillMetadata};

/// What is put into the files of stills.
pub(super) struct StillWriter {
    /// The format of the files, where it holds any of it.
    kind: Option<StillKind>,
    /// FFmpeg's name of it.
    name: String,
    /// How pictures were turned to be stored as they are shown, and how large they are then.
    turn: Turn,
    size: (usize, usize),
    /// Of pictures that are being encoded, by their time.
    waiting: BTreeMap<i64, Extra>,
    /// Whether more than one picture makes an animation, of which the parts are no files.
    may_be_animation: bool,
    is_animation: bool,
    has_begun: bool,
    /// The first packet, until it is known whether others follow.
    held: Option<Packet>,
    strict: Strictness,
    is_loss_told: bool,
    is_profile_told: bool,
    is_turn_told: bool,
}

/// What one file gets.
struct Extra {
    still: Option<Arc<StillMetadata>>,
    /// The profile of its colours.
    profile: Option<Vec<u8>>,
}

impl StillWriter {
    const ADVICE: &str = "take .jpg, .png, .tif or .webp";

    /// For frames of a format that were turned so; `None` where the output has no files of stills.
    ///
    /// # Errors
    /// With [`Strictness::Strict`] if the files cannot hold what the first still of the input has.
    pub fn new(
        muxer: Muxer,
        codec: &str,
        format: &Format,
        turn: Turn,
        source_info: Option<&SourceInfo>,
        strict: Strictness,
    ) -> Result<Option<Self>> {
        let may_be_animation = muxer.name() == "webp";
        if !muxer.is_images() && !["image2pipe", "webp", "gif", "apng", "avif"].contains(&muxer.name()) {
            return Ok(None);
        }
        let mut writer = Self {
            kind: StillKind::of_codec(codec),
            name: codec.to_owned(),
            turn,
            size: (format.width, format.height),
            waiting: BTreeMap::new(),
            may_be_animation,
            is_animation: false,
            has_begun: false,
            held: None,
            strict,
            is_loss_told: false,
            is_profile_told: false,
            is_turn_told: false,
        };
        if let Some(still) = source_info.and_then(|source_info| source_info.still.as_ref()) {
            writer.tell_loss(still)?;
        }
        Ok(Some(writer))
    }

    /// What the files cannot hold of a still, in words.
    pub fn loss(&self, still: &StillMetadata) -> Option<String> {
        still.loss(self.kind)
    }

    /// Says once what the files cannot hold.
    fn tell_loss(&mut self, still: &StillMetadata) -> Result<()> {
        match still.loss(self.kind).filter(|_| !self.is_loss_told) {
            Some(loss) => {
                self.is_loss_told = true;
                let verb = if loss.contains(", ") { "are" } else { "is" };
                let loss = format!("{loss} of the image {verb} dropped: {} files cannot hold it", self.name);
                lose(&loss, Some(Self::ADVICE), self.strict)
            }
            None => Ok(()),
        }
    }

    /// Takes what came with a frame that is encoded next.
    ///
    /// # Errors
    /// As [`StillWriter::new`].
    pub fn take(&mut self, time: i64, carried: Option<&Carried>) -> Result<()> {
        self.is_animation |= self.may_be_animation && std::mem::replace(&mut self.has_begun, true);
        let Some(carried) = carried else { return Ok(()) };
        if let Some(still) = &carried.still {
            self.tell_loss(still)?;
        }
        let kind = ffi::AVFrameSideDataType::AV_FRAME_DATA_ICC_PROFILE;
        let profile = carried.properties.as_ref().and_then(|properties| properties.side_data(kind));
        let holds_profile = self.kind.is_some_and(StillKind::holds_profile);
        if profile.is_some() && !holds_profile && !std::mem::replace(&mut self.is_profile_told, true) {
            let loss = format!("the colour profile of the image is dropped: {} files cannot hold it", self.name);
            lose(&loss, Some(Self::ADVICE), self.strict)?;
        }
        let extra = Extra { still: carried.still.clone(), profile: profile.map(<[u8]>::to_vec) };
        if self.kind.is_some() && (extra.still.is_some() || extra.profile.is_some()) {
            self.waiting.insert(time, extra);
        }
        Ok(())
    }

    /// Takes the packet of the picture of a time; gives those that can be written now.
    ///
    /// # Errors
    /// If the encoder's file is not what its format demands, or memory runs out.
    pub fn pass(&mut self, mut packet: Packet, time: i64) -> Result<Vec<Packet>> {
        if self.may_be_animation && !self.is_animation {
            // Whether another follows is not known yet.
            self.held = Some(packet);
            return Ok(Vec::new());
        }
        if let Some(extra) = self.waiting.remove(&time).filter(|_| !self.is_animation) {
            self.complete(&mut packet, &extra)?;
        }
        Ok(self.held.take().into_iter().chain([packet]).collect())
    }

    /// The packet that waited for others, of which none came.
    ///
    /// # Errors
    /// As [`StillWriter::pass`].
    pub fn end(&mut self) -> Result<Option<Packet>> {
        let Some(mut packet) = self.held.take() else { return Ok(None) };
        if let Some((_, extra)) = self.waiting.pop_first() {
            self.complete(&mut packet, &extra)?;
        }
        Ok(Some(packet))
    }

    fn complete(&mut self, packet: &mut Packet, extra: &Extra) -> Result<()> {
        let turned = extra.still.as_deref().map(|still| self.upright(still)).unwrap_or_default();
        let file = still::write(&turned, packet.data(), extra.profile.as_deref());
        packet.replace_data(&file.with_context(|| format!("add EXIF to the {} file", self.name))?)
    }

    /// Camera data that are true of the picture as it is stored.
    fn upright(&mut self, still: &StillMetadata) -> StillMetadata {
        let own = still.turn().unwrap_or_default();
        if own != self.turn && self.turn.is_none() {
            // It was not turned, and is when it is shown.
            return still.clone();
        }
        if own != self.turn && !std::mem::replace(&mut self.is_turn_told, true) {
            log::warn!("images of other orientations than the first are stored {}, as that one is", self.turn);
        }
        still.upright(self.turn, self.size)
    }
}
