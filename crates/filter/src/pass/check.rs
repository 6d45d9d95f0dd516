//! Whether passes are what they say that they are, and frames what was promised, so that nothing that runs them has to
//! ask again.

use anyhow::{Context, Result, bail, ensure};

use super::{Finish, Op, Operation as _, Pass, PlaneOp};
use crate::frame::{Format, Frame};

/// Fails unless a frame is what was promised.
///
/// # Errors
/// If it has another pixel format or size; the message names the frame.
pub fn frame(frame: &Frame, format: &Format) -> Result<()> {
    ensure!(
        frame.format().planes_match(format),
        "frame {} is {}, and the clip is {format}",
        frame.timing.number,
        frame.format()
    );
    Ok(())
}

impl Pass {
    /// Fails unless it can be run on a format.
    ///
    /// # Errors
    /// If something in it contradicts itself or the format; the message names the pass and the plane.
    pub fn check(&self, format: &Format) -> Result<()> {
        let (name, ops) = (&self.name, self.planes.len());
        let target = self.target.as_deref().map_or(Ok(()), Format::check);
        format.check().and(target).with_context(|| name.clone())?;
        ensure!(self.fits(format), "{name}: {ops} ops for the {} planes of {format}", format.pixel.planes());
        let alike = !self.is_blend() || self.ops().all(|op| op.facts().second_input() || *op == Op::Copy);
        ensure!(alike, "{name}: a blend shares a pass with an operation that has another window");
        let own = || self.ops().filter_map(|op| op.facts().second_format());
        ensure!(own().zip(own().skip(1)).all(|(a, b)| a == b), "{name}: planes have second images of several formats");
        if let Some(matching) = self.matching() {
            let alike = |op: &Op| *op == Op::Copy || matches!(op, Op::Fieldmatch(op) if op == matching);
            ensure!(self.ops().all(alike), "{name}: planes of one frame have fields of their own");
        }
        if let Some(decimation) = &self.decimation {
            decimation.check().with_context(|| name.clone())?;
            let is_plain = self.target.is_none() && self.ops().all(|op| *op == Op::Copy);
            ensure!(is_plain, "{name}: it drops frames and changes others");
        }
        if let Some(companion) = &self.companion {
            let is_alone = self.is_blend() && self.reach() == 0 && self.decimation.is_none();
            ensure!(is_alone, "{name}: it reads {:?} and composes nothing with it", companion.path);
        }
        if let Some(target) = &self.target {
            let (planes, due) = (format.pixel.planes(), target.pixel.planes());
            ensure!(planes == due, "{name}: {format} becomes {target}");
            ensure!(self.reach() == 0 && !self.is_blend(), "{name}: it looks at other frames and changes the format");
        }
        for (plane, PlaneOp { op, after }) in self.planes.iter().enumerate() {
            let facts = op.facts();
            let (got, due) = (
                facts.size().unwrap_or_else(|| format.plane_size(plane)),
                self.target.as_deref().unwrap_or(format).plane_size(plane),
            );
            ensure!(got == due, "{name}, plane {plane}: {}x{} samples for {}x{}", got.0, got.1, due.0, due.1);
            let (made, due) =
                (facts.converts().unwrap_or(format.pixel), self.target.as_deref().unwrap_or(format).pixel);
            let is_due = (made.sample, made.depth) == (due.sample, due.depth);
            ensure!(is_due, "{name}, plane {plane}: samples of {} for {}", made.name(), due.name());
            let checked = facts.check(format, plane).and_then(|()| self.followed(op)).and_then(|()| {
                ensure!(facts.finish().is_none_or(Finish::is_number), "a number of the last step is NaN");
                let Some(points) = after else { return Ok(()) };
                let finishes = facts.finish().is_some();
                ensure!(finishes, "single samples after single samples, which are one operation");
                points.check(format, plane)
            });
            if let Err(error) = checked {
                bail!("{name}, plane {plane}: {error}");
            }
        }
        Ok(())
    }

    /// Fails unless a plane whose motion another takes looks for it, and as that one would. The plane was checked.
    fn followed(&self, op: &Op) -> Result<()> {
        let Op::Degrain(op) = op else { return Ok(()) };
        let Some(guide) = op.follows else { return Ok(()) };
        let looks =
            matches!(&self.planes[guide.plane].op, Op::Degrain(other) if other.follows.is_none() && op.looks_as(other));
        ensure!(looks, "it uses the motion of plane {}, which has no matching motion search", guide.plane);
        Ok(())
    }
}
