//! Which field a frame gets: from sums that a backend counts, in whole numbers and a few divisions in `f32`, each rounded.

use super::{CombSearch, Fieldmatch, MatchMode};
use crate::frame::{Format, FrameFields};
use crate::pass::{Answers, Parity, Questions, Weave};

/// The two fields of a frame, by FFmpeg's letters: which is that of the middle frame, and where the other comes from.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum FieldPair {
    /// p: the opposite of [`Fieldmatch::field`] is that of the frame before.
    Before,
    /// c: both are those of the middle frame.
    Own,
    /// n: the opposite field is that of the frame after.
    After,
    /// b: the field itself is that of the frame before.
    OtherBefore,
    /// u: the field itself is that of the frame after.
    OtherAfter,
}

use FieldPair::{After, Before, OtherAfter, OtherBefore, Own};

impl FieldPair {
    /// All, in the order of [`Questions::COMBS`].
    pub const ALL: [Self; 5] = [Before, Own, After, OtherBefore, OtherAfter];

    /// The pairs that are compared, in the order of [`Questions::COMPARES`].
    pub const COMPARED: [[Self; 2]; 3] = [[Own, Before], [Own, After], [Before, After]];

    /// Which rows of which other frame are taken, if the top field is matched or the bottom one; `None` for the frame as it is.
    pub fn weave(self, top: bool) -> Option<Weave> {
        let (itself, opposite) = (usize::from(!top), usize::from(top));
        match self {
            Own => None,
            Before => Some(Weave { rows: opposite, from_next: false }),
            After => Some(Weave { rows: opposite, from_next: true }),
            OtherBefore => Some(Weave { rows: itself, from_next: false }),
            OtherAfter => Some(Weave { rows: itself, from_next: true }),
        }
    }

    /// How far from the middle of the window the other frame is: −1, 0 or 1.
    pub fn place(self) -> isize {
        match self {
            Before | OtherBefore => -1,
            Own => 0,
            After | OtherAfter => 1,
        }
    }

    fn combs(self) -> Questions {
        Questions::COMBS[self as usize]
    }

    /// The same where the field is not the first in time: what comes from before comes from after.
    fn turned(self, is_turned: bool) -> Self {
        match self {
            Before if is_turned => After,
            After if is_turned => Before,
            OtherBefore if is_turned => OtherAfter,
            OtherAfter if is_turned => OtherBefore,
            other => other,
        }
    }
}

/// A frame of two fields that fit.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct MatchChoice {
    /// Which.
    pub pair: FieldPair,
    /// What the frame is marked as: interlaced where it was found to be combed still.
    pub fields: FrameFields,
}

impl Fieldmatch {
    /// Whether the field that is matched is the top one, and whether it is the first in time, in a frame with these flags.
    pub fn fields(&self, own: FrameFields) -> [bool; 2] {
        let is_top = |parity: Parity, auto: bool| match parity {
            Parity::Auto => auto,
            Parity::Top => true,
            Parity::Bottom => false,
        };
        let order = is_top(self.order, !own.is_interlaced || own.top_first);
        let field = is_top(self.field, order);
        [field, field == order]
    }

    /// All that may be asked before a frame can be chosen, so that nobody has to wait for one answer to ask for the next; but
    /// how combed frames are at scene changes, which are rare.
    pub fn all_questions(&self, own: FrameFields) -> Questions {
        let [_, is_first] = self.fields(own);
        let mut all = compared([Own, Before.turned(!is_first)]).0;
        if self.takes_three() {
            all = Questions::COMPARES.into_iter().collect();
        }
        match self.combs {
            CombSearch::Never => {}
            CombSearch::Scenes => Questions::DIFFERENCES.into_iter().for_each(|difference| all |= difference),
            CombSearch::Always => {
                let usual = [Own, Before.turned(!is_first), After.turned(!is_first)];
                let usual = &usual[..if self.takes_three() { 3 } else { 2 }];
                let more = usual.iter().flat_map(|pair| self.tried(*pair, is_first));
                more.chain(usual.iter().copied()).for_each(|pair| all |= pair.combs());
            }
        }
        all
    }

    /// What is asked first where nobody waits for answers; [`Fieldmatch::choose`] says what is missing.
    pub fn first_questions(&self, own: FrameFields) -> Questions {
        let [_, is_first] = self.fields(own);
        let mut first = compared([Own, Before.turned(!is_first)]).0;
        if self.combs == CombSearch::Scenes {
            Questions::DIFFERENCES.into_iter().for_each(|difference| first |= difference);
        }
        first
    }

    fn takes_three(&self) -> bool {
        matches!(self.mode, MatchMode::Pcn | MatchMode::PcnUb)
    }

    /// The pairs that are tried in turn where one is combed.
    fn tried(&self, pair: FieldPair, is_first: bool) -> Vec<FieldPair> {
        let turn = |pair: FieldPair| pair.turned(!is_first);
        let tried = match self.mode {
            MatchMode::Pc | MatchMode::Pcn if pair == turn(Before) => vec![Own],
            MatchMode::Pc | MatchMode::Pcn => vec![Before],
            MatchMode::PcN => vec![After],
            MatchMode::PcU => vec![OtherAfter],
            MatchMode::PcNUb => vec![After, OtherAfter, OtherBefore],
            MatchMode::PcnUb => vec![OtherAfter, OtherBefore],
        };
        tried.into_iter().map(turn).collect()
    }

    /// The choice for a frame of a format with these flags, from what is known of its window.
    ///
    /// # Errors
    /// If something is not known: what has to be asked.
    pub fn choose(&self, format: &Format, own: FrameFields, answers: &Answers) -> Result<MatchChoice, Questions> {
        let [top, is_first] = self.fields(own);
        let turn = |pair: FieldPair| pair.turned(!is_first);
        let mut pair = better(answers, [Own, turn(Before)])?;
        if self.takes_three() {
            pair = better(answers, [pair, turn(After)])?;
        }
        if self.looks_for_combs(format, answers)? {
            for other in self.tried(pair, is_first) {
                pair = self.less_combed(answers, pair, other)?;
            }
        }
        let is_interlaced = answers.of(pair.combs()).is_some_and(|combs| combs[0] >= self.combpel.into());
        // A frame of which nobody asked is not marked, whoever else answered.
        let is_interlaced = is_interlaced && self.looks_for_combs(format, answers)?;
        Ok(MatchChoice { pair, fields: FrameFields { is_interlaced, top_first: is_interlaced && top, repeats: false } })
    }

    /// Whether combed frames are looked for in this one.
    fn looks_for_combs(&self, format: &Format, answers: &Answers) -> Result<bool, Questions> {
        let (width, height) = format.plane_size(0);
        let most = ((width * height) as f64 * 255.0 * self.scene / 100.0) as u64;
        match self.combs {
            CombSearch::Never => Ok(false),
            CombSearch::Always => Ok(true),
            CombSearch::Scenes => {
                for question in Questions::DIFFERENCES {
                    if answers.of(question).ok_or(question)?[0] > most {
                        return Ok(true);
                    }
                }
                Ok(false)
            }
        }
    }

    /// The second of two, where the first is combed and the second much less.
    fn less_combed(&self, answers: &Answers, first: FieldPair, second: FieldPair) -> Result<FieldPair, Questions> {
        let missing = [first, second].map(FieldPair::combs).into_iter().collect::<Questions>().without(answers.known());
        let (Some(a), Some(b)) = (answers.of(first.combs()), answers.of(second.combs())) else { return Err(missing) };
        let (a, b, most) = (a[0], b[0], u64::from(self.combpel));
        let is_less = 3 * b < a || 2 * b < a && a > most;
        Ok(if is_less && a - b >= 30 && b < most { second } else { first })
    }
}

/// The question that compares two frames, and whether they have changed places in it.
fn compared(pair: [FieldPair; 2]) -> (Questions, bool) {
    let at = FieldPair::COMPARED.iter().position(|known| *known == pair || [known[1], known[0]] == pair);
    let at = at.unwrap_or(0);
    (Questions::COMPARES[at], FieldPair::COMPARED[at] != pair)
}

/// The frame whose field fits better, the first where both fit alike.
fn better(answers: &Answers, pair: [FieldPair; 2]) -> Result<FieldPair, Questions> {
    let (question, is_swapped) = compared(pair);
    let sums = answers.of(question).ok_or(question)?;
    let [first, second] = if is_swapped { [&sums[3..], &sums[..3]] } else { [&sums[..3], &sums[3..]] };
    Ok(if is_second_better(first, second) { pair[1] } else { pair[0] })
}

/// From the sums of two frames: of all that differs, of what moves, and of what moves in small spots.
fn is_second_better(first: &[u64], second: &[u64]) -> bool {
    let sixth = |sum: u64| (sum as f32 / 6.0 + 0.5) as u64;
    let mut moving = [first[1], second[1]];
    let spots = [first[2], second[2]];
    let (most, least) = (spots[0].max(spots[1]), spots[0].min(spots[1]));
    if moving.iter().all(|sum| *sum < 500) && most >= 500 && most > 3 * least {
        moving = spots;
    }
    let (plain, moving) = ([first[0], second[0]].map(sixth), moving.map(sixth));
    let bounds = |sums: [u64; 2]| [sums[0].min(sums[1]), sums[0].max(sums[1])];
    let ([low, high], [least, most]) = (bounds(moving), bounds(plain));
    let ratio = |a: u64, b: u64| a as f32 / b.max(1) as f32;
    let is_told_by_motion = high >= 500 && 2 * low < high
        || high >= 1000 && 3 * low < 2 * high
        || high >= 2000 && 5 * low < 4 * high
        || high >= 4000 && ratio(high, low) > ratio(most, least)
        || f64::from(ratio(high, most)) > 0.005 && high > 150 && 2 * low < high;
    let [one, other] = if is_told_by_motion { moving } else { plain };
    one > other
}
