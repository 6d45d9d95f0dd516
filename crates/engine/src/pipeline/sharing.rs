//! How long runs are, and what becomes of those of a backend that fails.

use crate::plan::Plan;

/// What becomes of a job where one of several backends fails.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum WhenLost {
    /// It ends.
    #[default]
    Fail,
    /// The others filter what was left to it, as long as there are others. For that, the frames of a run are kept until
    /// all of it came out.
    GoOn,
}

/// How a clip is shared out.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Sharing {
    /// Frames of a run, at least 1.
    pub run_frames: u64,
    /// What becomes of a job where a backend fails.
    pub when_lost: WhenLost,
}

impl Sharing {
    /// The shortest run: as many frames as a GPU has under way.
    const FEWEST: u64 = 8;
    /// How many times as long as what is read around it a run is: what is read twice is one part in so many, and the
    /// least that a second GPU saves is half of all, so that a speed-up of 1.95 is left.
    const HALOS: u64 = 40;
    /// The most bytes of a run, but where what is read around it has more: as many GPUs as there are have that many
    /// under way. That is 172 frames at 4K, of 4:2:0 and 8 bits.
    const BYTES: u64 = 2 << 30;

    /// Runs so long that what is read around them, and uploaded twice, costs little: 40 times as many frames, at most
    /// those of 2 GiB; but never shorter than what is read around them, or 8 frames.
    pub fn of(plan: &Plan, when_lost: WhenLost) -> Self {
        let [before, behind] = plan.halo_of(0..plan.steps().len());
        // Such a chain is not shared: no run of its clip can be read by itself.
        let halo = before.checked_add(behind).unwrap_or(0);
        let largest = plan.formats().iter().map(|format| format.packed_bytes()).max().unwrap_or(1);
        let most = Self::BYTES / (largest as u64).max(1);
        let run_frames = halo.saturating_mul(Self::HALOS).min(most).max(halo).max(Self::FEWEST);
        Self { run_frames, when_lost }
    }

    /// How a clip would be shared out, and what of it is known only to who sees all of it.
    pub fn describe(&self, plan: &Plan) -> String {
        let [before, behind] = plan.halo_of(0..plan.steps().len());
        let run = self.run_frames;
        let halo = before.saturating_add(behind);
        let more = 100.0 * halo as f64 / run as f64;
        let around = match halo {
            0 => "no frame is uploaded twice".to_owned(),
            u64::MAX => "which all GPUs would have to see: leave out --gpus".to_owned(),
            _ => format!("with {before} frames before and {behind} after each run, {more:.1} % more uploads"),
        };
        let mut parts = vec![format!("each idle GPU takes the next run of {run} frames, {around}")];
        if plan.bypasses().iter().any(|bypass| bypass.enable.is_some()) {
            parts.push("enable= is evaluated once, in clip order".to_owned());
        }
        if plan.steps().iter().any(|step| step.guard.measures()) {
            parts.push("each GPU measures cuts and brightness of its own runs".to_owned());
        }
        parts.join("; ")
    }
}
