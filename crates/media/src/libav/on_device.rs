//! What a decoder has beside it that works on a device, and when it has to go on without.

use super::error;
use super::hardware::Hardware;
use super::log;
use super::outcome::Outcome;
use super::picture::Picture;
use super::retained::RetainedPackets;

/// A device, what was sent to the decoder there, and why that is not enough.
pub(super) struct OnDevice {
    pub hardware: Hardware,
    pub sent: RetainedPackets,
    /// Why it cannot go on.
    pub refusal: Option<String>,
}

impl OnDevice {
    /// A device to which nothing was sent.
    pub fn new(hardware: Hardware) -> Self {
        Self { hardware, sent: RetainedPackets::default(), refusal: None }
    }

    /// What becomes of an outcome: whatever is wrong is decoded again without the device, where it may be mended.
    pub fn judged(&mut self, outcome: Outcome, is_wanted: bool, picture: Option<&Picture>) -> Outcome {
        let complaint = log::codec_complaint();
        let refusal = match (outcome, picture) {
            (Outcome::Damaged(code), _) => Some(complaint.unwrap_or_else(|| error::text(code))),
            (_, Some(picture)) if !picture.is_on_device() => {
                Some(complaint.unwrap_or_else(|| "the GPU does not support this kind of stream".to_owned()))
            }
            (_, Some(picture)) if picture.is_damaged() => Some("it is damaged".to_owned()),
            (Outcome::Done, _) => complaint,
            _ => None,
        };
        match refusal {
            Some(_) if !is_wanted => Outcome::Done,
            Some(refusal) => {
                self.refusal = Some(refusal);
                Outcome::Refused
            }
            None => outcome,
        }
    }
}
