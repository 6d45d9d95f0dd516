//! Which pictures of a decoder are wanted, and packets that it has to be sent once more.

use std::collections::VecDeque;

use anyhow::Result;

use super::packet::Packet;

/// What a decoder is sent before all else, and which of its pictures are given.
#[derive(Default)]
pub(super) struct Replay {
    /// What was sent to a decoder on a device that could not go on, and what came behind it since.
    again: VecDeque<Packet>,
    /// Whether nothing comes behind that.
    is_ended: bool,
    /// Pictures shown up to then were given.
    given: Option<i64>,
    /// The same when it went on without the device.
    softened: Option<i64>,
    /// Pictures shown before are not wanted.
    from: Option<i64>,
    /// The key frame in the middle of the stream at which decoding began, until a picture has come that is whole.
    landing: Option<EntryPoint>,
}

/// A key frame in the middle of a stream at which decoding begins.
#[derive(Clone, Copy)]
struct EntryPoint {
    /// When it is shown. Pictures shown before may refer to pictures that were not decoded.
    pts: Option<i64>,
    /// Whether the decoder marks pictures as corrupt until those have recovered to which it refers.
    marks_recovery: bool,
}

impl Replay {
    /// What a decoder needs that goes on for this one with these packets.
    pub fn over(&self, again: VecDeque<Packet>) -> Self {
        let Self { is_ended, given, from, landing, .. } = *self;
        Self { again, is_ended, given, softened: given, from, landing }
    }

    /// Leaves out pictures that are shown before then.
    pub fn begin_at(&mut self, pts: i64) {
        self.from = Some(pts);
    }

    /// Leaves out pictures that are not whole because decoding begins at a key frame that is shown at `pts`.
    /// `marks_recovery` says whether the decoder marks as corrupt what it gives before its references have recovered.
    pub fn land(&mut self, pts: Option<i64>, marks_recovery: bool) {
        self.landing = Some(EntryPoint { pts, marks_recovery });
    }

    /// Whether a picture is whole although decoding began in the middle of the stream. From the first that is, all are:
    /// pictures come in the order in which they are shown.
    pub fn is_whole(&mut self, pts: Option<i64>, is_corrupt: bool) -> bool {
        let is_whole = self.landing.is_none_or(|landing| {
            let is_leading = pts.zip(landing.pts).is_some_and(|(pts, landing)| pts < landing);
            !(is_leading || is_corrupt && landing.marks_recovery)
        });
        if is_whole {
            self.landing = None;
        }
        is_whole
    }

    /// Keeps a packet, or that there is none, if others have to be sent before; `false` if it can be sent.
    ///
    /// # Errors
    /// If memory runs out.
    pub fn hold(&mut self, packet: Option<&Packet>) -> Result<bool> {
        self.is_ended |= packet.is_none();
        let is_first = self.again.is_empty();
        if let Some(packet) = packet.filter(|_| !is_first) {
            self.again.push_back(packet.share()?);
        }
        Ok(!is_first)
    }

    /// The packet that comes next, if one is held, and whether the end comes right behind it.
    pub fn next(&mut self) -> Option<(Packet, bool)> {
        let packet = self.again.pop_front()?;
        Some((packet, self.again.is_empty() && self.is_ended))
    }

    /// Takes note of a picture that is given. Whatever comes behind it is wanted, as pictures come in the order in which they
    /// are shown; where they do not, times begin again.
    pub fn give(&mut self, pts: Option<i64>) {
        if pts.is_some() {
            (self.given, self.softened, self.from) = (pts, None, None);
        }
    }

    /// Up to when pictures were given.
    pub fn given(&self) -> Option<i64> {
        self.given
    }

    /// Whether the decoder was told that nothing comes any more.
    pub fn is_ended(&self) -> bool {
        self.is_ended
    }

    /// Whether what is shown then is neither given nor left out.
    pub fn is_wanted(&self, pts: Option<i64>) -> bool {
        let is_new = self.softened.is_none_or(|given| pts.is_none_or(|pts| pts > given));
        is_new && self.from.is_none_or(|from| pts.is_none_or(|pts| pts >= from))
    }
}
