//! Samples at other places of the plane: cropped, padded, mirrored, transposed.

use anyhow::{Result, ensure};

use super::border::Border;
use super::cost::Operations;
use super::operation::Operation;
use super::reach::Reach;
use crate::frame::{Format, Sample};

/// Each sample of the result is a sample of the centre frame, or one outside it: the sample at `(x, y)` is that of the
/// source at `(columns.at(x), rows.at(y))`, or where axes are exchanged at `(columns.at(y), rows.at(x))`.
#[derive(Clone, Debug, PartialEq)]
pub struct Remap {
    /// Width and height of the plane that goes in.
    pub from: (usize, usize),
    /// Width and height of the plane that comes out.
    pub size: (usize, usize),
    /// Whether rows of the source become columns.
    pub transposed: bool,
    /// Which columns of the source are read, in order.
    pub columns: Course,
    /// Which rows of the source are read, in order.
    pub rows: Course,
    /// Outside the source.
    pub border: Border,
}

/// Places along an axis: from the first on, forwards or backwards.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Course {
    /// The first place, which may lie outside.
    pub first: isize,
    /// Whether the places descend.
    pub backwards: bool,
}

impl Course {
    /// All places of an axis in order.
    pub const ALL: Self = Self { first: 0, backwards: false };

    /// The place of that index.
    pub fn at(self, index: usize) -> isize {
        if self.backwards { self.first - index as isize } else { self.first + index as isize }
    }

    /// The places of this axis at the places of `next`, which lie inside.
    fn along(self, next: Self) -> Self {
        Self { first: self.at(next.first as usize), backwards: self.backwards != next.backwards }
    }
}

impl Remap {
    /// Nothing outside the source is read.
    pub fn is_inside(&self) -> bool {
        let (width, height) = self.across();
        let inside = |course: Course, count: usize, length: usize| {
            [course.at(0), course.at(count - 1)].iter().all(|place| (0..length as isize).contains(place))
        };
        inside(self.columns, width, self.from.0) && inside(self.rows, height, self.from.1)
    }

    /// Whether each sample stays where it is.
    pub fn is_identity(&self) -> bool {
        let courses = self.columns == Course::ALL && self.rows == Course::ALL;
        courses && !self.transposed && self.from == self.size
    }

    /// This and then `next` as one; `None` where `next` reads outside of what this one makes.
    pub fn then(&self, next: &Self) -> Option<Self> {
        if self.size != next.from || !next.is_inside() {
            return None;
        }
        let (across, down) = if self.transposed { (next.rows, next.columns) } else { (next.columns, next.rows) };
        let (columns, rows) = (self.columns.along(across), self.rows.along(down));
        let transposed = self.transposed != next.transposed;
        Some(Self { from: self.from, size: next.size, transposed, columns, rows, border: self.border })
    }

    /// How many columns and rows of the source are read.
    pub fn across(&self) -> (usize, usize) {
        let (width, height) = self.size;
        if self.transposed { (height, width) } else { (width, height) }
    }
}

impl Operation for Remap {
    fn kind(&self) -> &'static str {
        "remap"
    }

    fn check(&self, format: &Format, plane: usize) -> Result<()> {
        let (got, due) = (self.from, format.plane_size(plane));
        ensure!(got == due, "it is for planes of {}x{}, not of {}x{}", got.0, got.1, due.0, due.1);
        let (width, height) = self.size;
        ensure!(width > 0 && height > 0, "it leaves no samples");
        let most = 2 * Format::MAX_SIDE as isize;
        let near = |course: Course| (-most..=most).contains(&course.first);
        ensure!(near(self.columns) && near(self.rows), "it begins too far outside");
        if format.pixel.sample == Sample::F32 { Ok(()) } else { self.border.check(format.pixel.peak()) }
    }

    fn size(&self) -> Option<(usize, usize)> {
        Some(self.size)
    }

    fn least(&self, _: Sample, _: u64) -> Operations {
        Operations::NONE
    }

    fn reach(&self) -> Reach {
        Reach::default()
    }

    fn shape(&self) -> String {
        let turned = if self.transposed { ", transposed" } else { "" };
        let flip = |course: Course, word: &'static str| if course.backwards { word } else { "" };
        let flips = [flip(self.columns, ", columns mirrored"), flip(self.rows, ", rows mirrored")].concat();
        let place = |course: Course| course.first;
        let from = match self.columns.backwards || self.rows.backwards || self.transposed {
            true => String::new(),
            false => format!(" from {:+}{:+}", place(self.columns), place(self.rows)),
        };
        format!("{}x{}{from}{turned}{flips}", self.size.0, self.size.1)
    }

    fn bytes(&self, sample: Sample, _: u64) -> u64 {
        2 * (self.size.0 * self.size.1 * sample.bytes()) as u64
    }

    fn operations(&self, _: u64) -> u64 {
        0
    }
}
