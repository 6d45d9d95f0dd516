//! Whole numbers about frames that a pass, or whoever runs it, decides by.

use std::ops::{BitOr, BitOrAssign};

/// A set of questions about the window of a pass whose work depends on what is in it ([`super::Fieldmatch`] and
/// [`super::Decimation`] have the definitions).
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Questions(u16);

impl Questions {
    /// No question.
    pub const NONE: Self = Self(0);
    /// How well a field fits two other ones, for each pair of [`super::FieldPair::COMPARED`].
    pub const COMPARES: [Self; 3] = [Self(1), Self(1 << 1), Self(1 << 2)];
    /// How much the frame in the middle differs from the one before, and from the one after.
    pub const DIFFERENCES: [Self; 2] = [Self(1 << 3), Self(1 << 4)];
    /// How combed a frame of two fields is, for each of [`super::FieldPair::ALL`].
    pub const COMBS: [Self; 5] = [Self(1 << 5), Self(1 << 6), Self(1 << 7), Self(1 << 8), Self(1 << 9)];

    /// How much the frame in the middle differs from the one before: in the block that differs most, and in all.
    pub const CHANGE: Self = Self(1 << 10);

    const ALL: u16 = (1 << 11) - 1;

    /// Those of both sets that are in this one and not in the other.
    #[must_use]
    pub fn without(self, other: Self) -> Self {
        Self(self.0 & !other.0)
    }

    /// Whether all questions of another set are in this one.
    pub fn holds(self, other: Self) -> bool {
        other.0 & !self.0 == 0
    }

    /// Whether there is none.
    pub fn is_empty(self) -> bool {
        self.0 == 0
    }

    /// Each question by itself.
    pub fn each(self) -> impl Iterator<Item = Self> {
        (0..u16::BITS).map(move |bit| Self(1 << bit & Self::ALL & self.0)).filter(|question| !question.is_empty())
    }

    /// Where the answers to a single question are among all.
    pub fn place(self) -> std::ops::Range<usize> {
        match self.0.trailing_zeros() as usize {
            pair @ 0..3 => 6 * pair..6 * pair + 6,
            sum @ 3..10 => 15 + sum..16 + sum,
            _ => 25..27,
        }
    }
}

impl BitOr for Questions {
    type Output = Self;

    fn bitor(self, other: Self) -> Self {
        Self(self.0 | other.0)
    }
}

impl BitOrAssign for Questions {
    fn bitor_assign(&mut self, other: Self) {
        self.0 |= other.0;
    }
}

impl FromIterator<Self> for Questions {
    fn from_iter<I: IntoIterator<Item = Self>>(all: I) -> Self {
        all.into_iter().fold(Self::NONE, Self::bitor)
    }
}

/// What is known of a window: numbers that do not depend on who counts.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Answers {
    known: Questions,
    values: [u64; Self::COUNT],
}

impl Answers {
    /// How many numbers there are at most.
    pub const COUNT: usize = 27;

    /// Nothing is known.
    pub const NONE: Self = Self { known: Questions::NONE, values: [0; Self::COUNT] };

    /// What is known.
    pub fn known(&self) -> Questions {
        self.known
    }

    /// The answers to a single question; `None` if they are not known.
    pub fn of(&self, question: Questions) -> Option<&[u64]> {
        self.known.holds(question).then(|| &self.values[question.place()])
    }

    /// Takes note of answers to a single question, as many as it has.
    pub fn set(&mut self, question: Questions, values: &[u64]) {
        self.known |= question;
        self.values[question.place()].copy_from_slice(values);
    }

    /// Takes note of all that another knows.
    pub fn merge(&mut self, other: &Self) {
        for question in other.known.each() {
            self.set(question, &other.values[question.place()]);
        }
    }
}
