//! What a pass must do at the least, and the limits that this is held against.

use super::schema::Limits;
use crate::plan::{Operations, Plan, Roofline};

/// What one pass does for one frame.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Work {
    /// Bytes read and written: each frame of the window once, the result once.
    pub bytes: u64,
    /// Operations as the plan counts them: two for each tap.
    pub operations: u64,
    /// Of these, what no implementation can leave out.
    pub needed: Operations,
}

impl Work {
    /// The work of each pass of a plan, in order.
    pub fn of(plan: &Plan) -> Vec<Self> {
        let passes = plan.explain(None).passes.into_iter();
        passes.map(|pass| Self { bytes: pass.bytes, operations: pass.operations, needed: pass.needed }).collect()
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
