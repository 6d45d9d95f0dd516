//! What a pass must do at the least, and the limits that this is held against.
//!
//! Frames of a run are those that leave the chain. Where it changes how many there are, a pass runs more often than that, or less.

use super::schema::Limits;
use crate::frame::Format;
use crate::plan::{Operations, PassReport, Plan, Roofline, Step};

/// Bytes of frames for each that leaves the chain.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Traffic {
    /// Of those that come in for it.
    pub incoming: f64,
    /// Its own.
    pub outgoing: f64,
}

impl Traffic {
    /// Frames that stay as many and as large.
    pub fn even(bytes: usize) -> Self {
        Self { incoming: bytes as f64, outgoing: bytes as f64 }
    }

    /// The same for each frame that comes in, of `bytes`.
    pub fn of_incoming(self, bytes: usize) -> Self {
        let frames = if self.incoming > 0.0 { bytes as f64 / self.incoming } else { 1.0 };
        Self { incoming: frames * self.incoming, outgoing: frames * self.outgoing }
    }

    /// Frames of a plan.
    pub fn of(plan: &Plan) -> Self {
        const FRAMES: u64 = 1 << 20;
        let incoming = FRAMES as f64 / plan.length(FRAMES).max(1) as f64;
        let bytes = |format: &Format| format.packed_bytes() as f64;
        Self { incoming: incoming * bytes(plan.format()), outgoing: bytes(&plan.output()) }
    }
}

/// What a run of one pass does: for one frame, or for both that it makes of one.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Work {
    /// Bytes read and written: each frame of the window once, the result once.
    pub bytes: u64,
    /// Operations as the plan counts them: two for each tap.
    pub operations: u64,
    /// Of these, what no implementation can leave out.
    pub needed: Operations,
    /// How often it runs for each frame that leaves the chain.
    pub runs: f64,
}

impl Work {
    /// The work of each pass of a plan, in order.
    pub fn of(plan: &Plan) -> Vec<Self> {
        let explained = plan.explain(None);
        let passes = plan.steps().iter().zip(explained.passes).zip(plan.runs());
        let work = |((step, pass), runs): ((&Step, PassReport), f64)| {
            let made = if step.pass.splits_fields() { 2 } else { 1 };
            let needed = std::iter::repeat_n(pass.needed, made as usize).sum();
            Self { bytes: made * pass.bytes, operations: made * pass.operations, needed, runs }
        };
        passes.map(work).collect()
    }
}

/// The limits of the GPU where there is one, else of the processor. What can be done on whole numbers can be done in
/// `f32` too, where the sums are small, and on wider ones.
pub fn roofline(limits: &Limits) -> Roofline {
    let host = limits.host;
    let (memory_gb_s, real_gop_s, dot8, dot16, word) = match limits.device {
        Some(device) => {
            (device.copy_gb_s, device.real_gop_s, device.integer_gop_s, device.dot16_gop_s, device.word_gop_s)
        }
        None => {
            let (dot8, dot16) = (host.integer_all_cores_gop_s, host.dot16_all_cores_gop_s);
            // Where other programs run too, one core alone may have been the faster.
            let memory_gb_s = host.copy_all_cores_gb_s.max(host.copy_one_core_gb_s);
            (memory_gb_s, host.real_all_cores_gop_s.max(host.real_one_core_gop_s), dot8, dot16, 0.0)
        }
    };
    let dot16_gop_s = dot16.max(word).max(real_gop_s);
    let word_gop_s = if word > 0.0 { word } else { dot16_gop_s };
    Roofline { memory_gb_s, dot8_gop_s: dot8.max(dot16_gop_s), dot16_gop_s, word_gop_s, real_gop_s }
}
