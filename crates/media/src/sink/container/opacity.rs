//! Looks for the first frame whose opacity the output cannot hold.

use crate::frame::{Frame, Pixel, Sample};

/// A warning that waits for a frame whose opacity is lost.
#[derive(Default)]
pub(super) struct OpacityLoss {
    line: Option<String>,
    /// Whether the output has pixels that are wholly transparent, as GIF has.
    keeps_clear: bool,
}

impl OpacityLoss {
    /// Of an output without opacity: `line` is printed once.
    pub fn whole(line: Option<String>) -> Self {
        Self { line, keeps_clear: false }
    }

    /// Of an output whose pixels are either opaque or transparent: `line` is printed once.
    pub fn partial(line: String) -> Self {
        Self { line: Some(line), keeps_clear: true }
    }

    /// Whether the output is without opacity.
    pub fn is_whole(&self) -> bool {
        self.line.is_some() && !self.keeps_clear
    }

    /// Prints the line if a sample of the frame's opacity is lost. The samples of frames on a device are not known, so that it
    /// is printed for the first of them.
    pub fn watch(&mut self, frame: &Frame) {
        let keeps_clear = self.keeps_clear;
        if let Some(line) = self.line.take_if(|_| !is_kept(frame, keeps_clear)) {
            log::warn!("{line}");
        }
    }
}

/// Whether each sample of opacity is full, or 0 where that is kept too.
fn is_kept(frame: &Frame, keeps_clear: bool) -> bool {
    let Pixel { sample, alpha, .. } = frame.format().pixel;
    let Ok(host) = frame.host() else { return !alpha };
    let last = frame.format().pixel.planes() - 1;
    let mut rows = 0..frame.format().plane_size(last).1;
    let peak = frame.format().pixel.peak();
    let holds = |value: f32, full: f32| value >= full || keeps_clear && value <= 0.0;
    match sample {
        _ if !alpha => true,
        Sample::U8 => rows.all(|y| host.plane::<u8>(last).row(y).iter().all(|value| holds(f32::from(*value), 255.0))),
        Sample::U16 => rows.all(|y| host.plane::<u16>(last).row(y).iter().all(|value| holds(f32::from(*value), peak))),
        Sample::F32 => rows.all(|y| host.plane::<f32>(last).row(y).iter().all(|value| holds(*value, 1.0))),
    }
}
