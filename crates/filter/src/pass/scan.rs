//! Fields: which of the two an op rebuilds, from what was typed and from the frame's own flags, which a pass gets when it
//! runs.

use crate::frame::FrameFields;

/// Facts of the frame in the middle of a window, known when its pass runs.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Scan {
    /// Fields of the frame before, of the frame itself, and of the frame after it. At an end of the clip, or of a scene that
    /// is a clip of its own, they are those of the frame itself.
    pub fields: [FrameFields; 3],
    /// No frame of the clip or scene is before it.
    pub begins: bool,
    /// No frame of the clip or scene is after it.
    pub ends: bool,
    /// The frame is made of its second field, in a window that runs backwards: facts and images of the frame after it are in
    /// the place of those of the frame before, and the other way about. What is true of the first field and the past is then
    /// true of the second and the future, so that ops know no difference but which rows they rebuild.
    pub is_second: bool,
    /// Rows that [`super::Fieldmatch`] takes from another frame; `None` leaves the frame as it is.
    pub weave: Option<Weave>,
}

/// A frame of rows of two frames.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Weave {
    /// Rows `y` with `y mod 2` equal to this are those of another frame.
    pub rows: usize,
    /// That is the frame after; else it is the one before.
    pub from_next: bool,
}

impl Scan {
    /// The same frame as its second field has it.
    #[must_use]
    pub fn second(self) -> Self {
        let [before, own, after] = self.fields;
        Self { fields: [after, own, before], begins: self.ends, ends: self.begins, is_second: true, ..self }
    }
}

/// The field that was taken first.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Parity {
    /// The one that the frame's flags name; the top field in frames that are not marked as interlaced.
    #[default]
    Auto,
    /// Rows 0, 2, 4, …
    Top,
    /// Rows 1, 3, 5, …
    Bottom,
}

/// Which frames are deinterlaced, and which of their fields stay.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Deinterlacing {
    /// The first field stays, the other is rebuilt.
    pub parity: Parity,
    /// Another frame is made behind it, in which the second field stays.
    pub both: bool,
    /// Frames that are not marked as interlaced pass through.
    pub marked_only: bool,
    /// With `marked_only`, so do frames beside one that is progressive and repeats a field.
    pub spares_pulldown: bool,
}

/// Work on one frame.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct FieldTask {
    /// Rows `y` with `y mod 2` equal to this are rebuilt; the others are copied.
    pub rebuilt: usize,
    /// The frame begins its clip or scene and does not end it, so that no field before it is known.
    pub opens: bool,
}

/// Advice where a frame of each field would be blended with one frame.
pub const ONE_FOR_ONE: &str = "mix, roi and mask blend one frame with one, and two come of each; leave them out, or type \
                               mode=send_frame (w3fdif: mode=frame)";

impl Deinterlacing {
    /// Work on a frame; `None` if it passes through.
    pub fn task(&self, scan: &Scan) -> Option<FieldTask> {
        let [before, own, after] = scan.fields;
        let repeats = |beside: FrameFields| !beside.is_interlaced && beside.repeats;
        let is_spared = !own.is_interlaced || self.spares_pulldown && (repeats(before) || repeats(after));
        if self.marked_only && is_spared {
            return None;
        }
        let top_first = match self.parity {
            Parity::Auto => !own.is_interlaced || own.top_first,
            Parity::Top => true,
            Parity::Bottom => false,
        };
        let opens = scan.begins && (scan.is_second || !scan.ends);
        Some(FieldTask { rebuilt: usize::from(top_first != scan.is_second), opens })
    }

    /// A few words for it: `top field first, marked frames`.
    pub fn words(&self) -> String {
        let parity = match self.parity {
            Parity::Auto => "parity of each frame",
            Parity::Top => "top field first",
            Parity::Bottom => "bottom field first",
        };
        let which = if self.marked_only { "interlaced frames" } else { "all frames" };
        let both = if self.both { ", two frames for one" } else { "" };
        format!("{which}, {parity}{both}")
    }
}

/// The row of the other field that stands for row `y`, one row outside at the most, of a plane of `height` rows: row 1 for −1,
/// row `height − 2` for `height`. A plane of one row has no other field, and its row stands for all.
pub fn beside(y: isize, height: usize) -> usize {
    let last = height as isize - 1;
    let inside = if y < 0 {
        -y
    } else if y > last {
        2 * last - y
    } else {
        y
    };
    inside.clamp(0, last) as usize
}
