//! How far something looks.

/// How many samples something looks at around a sample, in t, y and x.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Reach {
    /// Before it.
    pub before: [usize; 3],
    /// After it.
    pub after: [usize; 3],
}

impl Reach {
    /// Of a box of so many samples, of which `anchor` is the index of the sample itself.
    pub fn of(size: [usize; 3], anchor: [usize; 3]) -> Self {
        Self { before: anchor, after: [0, 1, 2].map(|axis| size[axis].saturating_sub(1).saturating_sub(anchor[axis])) }
    }

    /// What both look at.
    pub fn union(self, other: Self) -> Self {
        let larger = |a: [usize; 3], b: [usize; 3]| [0, 1, 2].map(|axis| a[axis].max(b[axis]));
        Self { before: larger(self.before, other.before), after: larger(self.after, other.after) }
    }

    /// How many samples that are along each axis.
    pub fn size(&self) -> [usize; 3] {
        [0, 1, 2].map(|axis| self.before[axis].saturating_add(self.after[axis]).saturating_add(1))
    }

    /// How many frames to either side.
    pub fn frames(&self) -> usize {
        self.before[0].max(self.after[0])
    }
}
