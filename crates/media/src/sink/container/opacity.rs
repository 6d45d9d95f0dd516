//! Looks for the first frame that is not opaque, where the output cannot hold opacity.

use crate::frame::{Frame, Pixel, Sample};

/// A warning that waits for a frame with opacity.
pub(super) struct OpacityLoss(Option<String>);

impl OpacityLoss {
    /// Waits with `line`, which is printed once; does nothing where there is none.
    pub fn new(line: Option<String>) -> Self {
        Self(line)
    }

    /// Prints the line if a sample of the frame's opacity is not full. The samples of frames on a device are not known, so that it
    /// is printed for the first of them.
    pub fn watch(&mut self, frame: &Frame) {
        if let Some(line) = self.0.take_if(|_| !is_opaque(frame)) {
            log::warn!("{line}");
        }
    }
}

fn is_opaque(frame: &Frame) -> bool {
    let Pixel { sample, alpha, .. } = frame.format().pixel;
    let Ok(host) = frame.host() else { return !alpha };
    let last = frame.format().pixel.planes() - 1;
    let rows = 0..frame.format().plane_size(last).1;
    let peak = frame.format().pixel.peak();
    match sample {
        _ if !alpha => true,
        Sample::U8 => rows.into_iter().all(|y| host.plane::<u8>(last).row(y).iter().all(|value| *value == u8::MAX)),
        Sample::U16 => {
            rows.into_iter().all(|y| host.plane::<u16>(last).row(y).iter().all(|value| f32::from(*value) >= peak))
        }
        Sample::F32 => rows.into_iter().all(|y| host.plane::<f32>(last).row(y).iter().all(|value| *value >= 1.0)),
    }
}
