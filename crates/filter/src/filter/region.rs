//! The part of a picture that a filter changes, as it is typed.

use std::fmt;
use std::ops::Range;

use anyhow::{Result, ensure};

use crate::frame::Format;

/// A rectangle of luma pixels, not empty, as it is shown.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Region {
    /// Pixels to its left.
    pub x: usize,
    /// Rows above it.
    pub y: usize,
    /// Pixels in a row.
    pub width: usize,
    /// Rows.
    pub height: usize,
}

impl Region {
    /// What may be typed.
    pub const HELP: &'static str = "WxH+X+Y, as 640x360+0+90, or 'X Y W H'";

    /// Reads one of the forms in [`Region::HELP`]; colons, commas and `|` separate as white space does.
    ///
    /// # Errors
    /// What is wrong with it, worded to follow the text.
    pub fn parse(text: &str) -> Result<Self, String> {
        let number = |word: &str| word.trim().parse().ok().filter(|&number: &usize| number <= Format::MAX_SIDE);
        let numbers = |words: &[&str]| words.iter().map(|word| number(word)).collect::<Option<Vec<_>>>();
        let sized = text.split_once('x').and_then(|(width, rest)| {
            let rest: Vec<&str> = rest.split('+').collect();
            numbers(&[&[width], &rest[..]].concat())
        });
        let listed = || {
            let separates = |c: char| c.is_whitespace() || ":|,".contains(c);
            numbers(&text.split(separates).filter(|word| !word.is_empty()).collect::<Vec<_>>())
        };
        let region = match (sized.as_deref(), listed().as_deref()) {
            (Some(&[width, height, x, y]), _) | (_, Some(&[x, y, width, height])) => Self { x, y, width, height },
            _ => return Err("is not a rectangle".to_owned()),
        };
        if region.width == 0 || region.height == 0 {
            return Err("is empty".to_owned());
        }
        Ok(region)
    }

    /// Refuses a rectangle that exceeds such frames.
    ///
    /// # Errors
    /// The rectangle and the size of the frames.
    pub fn check(&self, format: &Format) -> Result<()> {
        let (width, height) = format.turn.size((format.width, format.height));
        let place = if self.x >= width || self.y >= height { "is outside" } else { "exceeds" };
        ensure!(
            self.x + self.width <= width && self.y + self.height <= height,
            "roi={self} {place} the frames, which are {width}x{height}; type a rectangle within {width}x{height}+0+0"
        );
        Ok(())
    }

    /// The columns and rows of a plane, as it is stored, whose pixels begin inside as they are shown. The rectangle lies
    /// within the frames.
    pub fn within(&self, format: &Format, plane: usize) -> (Range<usize>, Range<usize>) {
        let turn = format.turn;
        let (across, down) = format.pixel.subsampling(plane);
        let (across, down) = if turn.transposed { (down, across) } else { (across, down) };
        let range = |start: usize, length: usize, shift: u8| {
            let first = |pixel: usize| pixel.div_ceil(1 << shift);
            first(start)..first(start + length)
        };
        let (width, height) = turn.size(format.plane_size(plane));
        let from_end = |range: Range<usize>, size: usize| size - range.end..size - range.start;
        let (mut columns, mut rows) = (range(self.x, self.width, across), range(self.y, self.height, down));
        if turn.mirrored {
            columns = from_end(columns, width);
        }
        if turn.flipped {
            rows = from_end(rows, height);
        }
        if turn.transposed { (rows, columns) } else { (columns, rows) }
    }
}

impl fmt::Display for Region {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}x{}+{}+{}", self.width, self.height, self.x, self.y)
    }
}
