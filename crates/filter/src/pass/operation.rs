//! What is asked of every operation, whoever asks: the facts that each states in its own file.

use std::sync::Arc;

use anyhow::Result;

use super::arithmetic::Arithmetic;
use super::border::Border;
use super::cost::Operations;
use super::finish::Finish;
use super::guide::Guide;
use super::reach::Reach;
use super::scan::Deinterlacing;
use crate::frame::{Format, Pixel, Sample};

/// The facts of what is done to one plane. What most operations have in common need not be said.
pub trait Operation {
    /// One word for it: `separable`.
    fn kind(&self) -> &'static str;

    /// Fails unless it can be run on a plane of such frames, so that nothing that runs it has to ask again. Whatever else
    /// is asked of it may take that for granted.
    ///
    /// # Errors
    /// If something in it contradicts itself or the format.
    fn check(&self, format: &Format, plane: usize) -> Result<()>;

    /// What no implementation can leave out for a plane of so many samples: a box in whole numbers is a running sum,
    /// whatever its size; ranks and points look at each sample, and more depends on the method.
    fn least(&self, sample: Sample, samples: u64) -> Operations;

    /// Width and height of the plane that it makes; `None` for those of the plane that goes in.
    fn size(&self) -> Option<(usize, usize)> {
        None
    }

    /// Pixels of the plane that it makes, of which sample type and depth count; `None` for those of the plane that goes in.
    fn converts(&self) -> Option<Pixel> {
        None
    }

    /// How far it looks around each sample, where the result has the size of the plane.
    fn reach(&self) -> Reach {
        Reach::default()
    }

    /// Whether the result depends on the frame's number in the clip.
    fn counts(&self) -> bool {
        false
    }

    /// Whether it makes one frame of two: of the one in the window, and of what went into the filter; or of as many more as
    /// the window has. A pass of such an operation holds nothing else but copies.
    fn second_input(&self) -> bool {
        false
    }

    /// The format of its second image; `None` for that of the frames in the window.
    fn second_format(&self) -> Option<&Arc<Format>> {
        None
    }

    /// Which field it rebuilds in which frames, if it is a deinterlacer: it reads facts of each frame ([`super::Scan`]).
    fn deinterlacing(&self) -> Option<Deinterlacing> {
        None
    }

    /// True if it looks at all planes of colour, as they are before the pass.
    fn couples(&self) -> bool {
        false
    }

    /// True if it couples planes and makes those of any size together, by whole blocks of luma pixels with one sample of chroma.
    fn joins_sizes(&self) -> bool {
        false
    }

    /// The plane that it looks at beside its own. Whoever puts ops of several steps into one pass has to leave that plane
    /// as it was.
    fn guide(&self) -> Option<Guide> {
        None
    }

    /// In which numbers it computes; `None` where samples are only compared or looked up.
    fn arithmetic(&self) -> Option<Arithmetic> {
        None
    }

    /// What lies outside the plane, where it looks there.
    fn border(&self) -> Option<Border> {
        None
    }

    /// The same, to be changed.
    fn border_mut(&mut self) -> Option<&mut Border> {
        None
    }

    /// The last step, of operations that have one. Only these can have something after them in the same pass.
    fn finish(&self) -> Option<&Finish> {
        None
    }

    /// The same, to be changed.
    fn finish_mut(&mut self) -> Option<&mut Finish> {
        None
    }

    /// The size of what is done, in few words: `13 x + 13 y`, `2 of 3x3`; empty where there is nothing to say.
    fn shape(&self) -> String {
        String::new()
    }

    /// [`Operation::kind`] and [`Operation::shape`] in one.
    fn words(&self) -> String {
        format!("{} {}", self.kind(), self.shape()).trim_end().to_owned()
    }

    /// Taps that are run, or samples that are looked at, for each sample.
    fn taps(&self) -> usize {
        0
    }

    /// Bytes read and written for a plane of so many samples.
    fn bytes(&self, sample: Sample, samples: u64) -> u64 {
        samples * (self.reach().size()[0] as u64 + 1) * sample.bytes() as u64
    }

    /// Operations for a plane of so many samples, a multiply-add counted as two.
    fn operations(&self, samples: u64) -> u64 {
        2 * self.taps() as u64 * samples
    }
}

/// What is done to a plane that passes through.
pub(super) struct Untouched;

impl Operation for Untouched {
    fn kind(&self) -> &'static str {
        "copy"
    }

    fn check(&self, _: &Format, _: usize) -> Result<()> {
        Ok(())
    }

    fn least(&self, _: Sample, _: u64) -> Operations {
        Operations::NONE
    }
}

/// A box of t, y, x samples, as people write it: `3x3`, `3x3x5` with frames last.
pub(super) fn size_text([t, y, x]: [usize; 3]) -> String {
    if t == 1 { format!("{x}x{y}") } else { format!("{x}x{y}x{t}") }
}

/// The border and the last step of an operation that has fields of these names.
macro_rules! border_and_finish {
    () => {
        fn border(&self) -> Option<$crate::pass::Border> {
            Some(self.border)
        }

        fn border_mut(&mut self) -> Option<&mut $crate::pass::Border> {
            Some(&mut self.border)
        }

        $crate::pass::operation::finish!();
    };
}

/// The last step of an operation that has a field of this name.
macro_rules! finish {
    () => {
        fn finish(&self) -> Option<&$crate::pass::Finish> {
            Some(&self.finish)
        }

        fn finish_mut(&mut self) -> Option<&mut $crate::pass::Finish> {
            Some(&mut self.finish)
        }
    };
}
pub(super) use {border_and_finish, finish};
