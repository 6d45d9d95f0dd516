//! How pictures are shown otherwise than they are stored: on their side, upside down, as in a mirror.

use std::fmt;

/// How a picture is turned when it is shown, by whole quarters, and mirrored.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct Turn {
    /// Whether rows of the stored picture are shown as columns.
    pub transposed: bool,
    /// Whether left and right change places, after that.
    pub mirrored: bool,
    /// Whether top and bottom change places, after that.
    pub flipped: bool,
}

impl Turn {
    /// The turn of a matrix that takes a stored place (x, y) to (ax + cy, bx + dy); `None` where it is no turn by whole
    /// quarters.
    pub fn of_matrix([a, b, c, d]: [i32; 4]) -> Option<Self> {
        match (a, b, c, d) {
            (1.. | ..=-1, 0, 0, 1.. | ..=-1) => Some(Self { transposed: false, mirrored: a < 0, flipped: d < 0 }),
            (0, 1.. | ..=-1, 1.. | ..=-1, 0) => Some(Self { transposed: true, mirrored: c < 0, flipped: b < 0 }),
            _ => None,
        }
    }

    /// The matrix that [`Turn::of_matrix`] reads.
    pub fn matrix(self) -> [i32; 4] {
        let sign = |is_negative| if is_negative { -1 } else { 1 };
        let (across, down) = (sign(self.mirrored), sign(self.flipped));
        if self.transposed { [0, down, across, 0] } else { [across, 0, 0, down] }
    }

    /// Whether pictures are shown not turned.
    pub fn is_none(self) -> bool {
        self == Self::default()
    }

    /// The turn that takes a shown picture back to the stored one.
    #[must_use]
    pub fn inverse(self) -> Self {
        match self.transposed {
            true => Self { mirrored: self.flipped, flipped: self.mirrored, ..self },
            false => self,
        }
    }

    /// Width and height of a stored picture as it is shown, and the other way round.
    pub fn size(self, (width, height): (usize, usize)) -> (usize, usize) {
        if self.transposed { (height, width) } else { (width, height) }
    }

    /// Where a place (x, y) of a shown picture of this size lies in the stored one.
    pub fn stored(self, (x, y): (usize, usize), (width, height): (usize, usize)) -> (usize, usize) {
        let (across, down) =
            (if self.mirrored { width - 1 - x } else { x }, if self.flipped { height - 1 - y } else { y });
        if self.transposed { (down, across) } else { (across, down) }
    }

    /// Where a place (x, y) of a stored picture of this size is shown.
    pub fn shown(self, (x, y): (usize, usize), size: (usize, usize)) -> (usize, usize) {
        let (width, height) = self.size(size);
        let (across, down) = if self.transposed { (y, x) } else { (x, y) };
        (if self.mirrored { width - 1 - across } else { across }, if self.flipped { height - 1 - down } else { down })
    }

    /// What chroma's place is called in the turned picture; 0, unspecified, where it has no name.
    pub(super) fn siting(self, code: u8) -> u8 {
        /// Twice the distance from the left and the top pixel, by code.
        const PLACES: [(u8, u8); 6] = [(0, 1), (1, 1), (0, 0), (1, 0), (0, 2), (1, 2)];

        let Some((x, y)) = code.checked_sub(1).and_then(|index| PLACES.get(usize::from(index))) else { return code };
        let (x, y) = if self.transposed { (*y, *x) } else { (*x, *y) };
        let turned = (if self.mirrored { 2 - x } else { x }, if self.flipped { 2 - y } else { y });
        PLACES.iter().position(|place| *place == turned).map_or(0, |index| index as u8 + 1)
    }
}

impl fmt::Display for Turn {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match (self.transposed, self.mirrored, self.flipped) {
            (false, false, false) => "not turned",
            (false, true, true) => "turned by 180°",
            (true, true, false) => "turned by 90° clockwise",
            (true, false, true) => "turned by 90° counter-clockwise",
            (false, true, false) => "mirrored",
            (false, false, true) => "upside down",
            (true, false, false) => "turned by 90° clockwise and mirrored",
            (true, true, true) => "turned by 90° counter-clockwise and mirrored",
        })
    }
}
