//! The bookkeeping of temporal windows, once for every backend: fill, slide, borders at both ends, flush.

use std::collections::VecDeque;

use crate::pass::TimeBorder;

/// The images around the next centre. One image pushed gives one window, `reach` images later.
pub(super) struct Window<I> {
    reach: usize,
    border: TimeBorder,
    images: VecDeque<I>,
    /// The position in the clip of `images[0]`.
    first: usize,
    /// The position of the next centre.
    centre: usize,
    ended: bool,
}

impl<I> Window<I> {
    /// A window of `2·reach + 1` places over an empty clip.
    pub(super) fn new(reach: usize, border: TimeBorder) -> Self {
        Self { reach, border, images: VecDeque::new(), first: 0, centre: 0, ended: false }
    }

    /// Adds the clip's next image.
    pub(super) fn push(&mut self, image: I) {
        self.images.push_back(image);
    }

    /// No more images come: what lies beyond is the border's.
    pub(super) fn end(&mut self) {
        self.ended = true;
    }

    /// The places around the next centre, once all that they need is known. `None` in a place is a frame of zeros.
    pub(super) fn places(&self) -> Option<Vec<Option<&I>>> {
        let seen = self.first + self.images.len();
        let enough = if self.ended { self.centre < seen } else { self.centre + self.reach < seen };
        if !enough {
            return None;
        }
        // Before the end is known, `seen` stands for the clip's length: no place lies beyond it, and those before the
        // start do not depend on the length, because the clip is longer than the reach.
        let (centre, reach) = (self.centre as isize, self.reach as isize);
        let place = |index| self.border.index(index, seen).map(|index| &self.images[index - self.first]);
        Some((centre - reach..=centre + reach).map(place).collect())
    }

    /// The position of the next centre in the clip.
    pub(super) fn centre(&self) -> u64 {
        self.centre as u64
    }

    /// Moves to the next centre and lets go of the images that no later window needs.
    pub(super) fn slide(&mut self) {
        self.centre += 1;
        while self.first + self.reach < self.centre && !self.images.is_empty() {
            self.images.pop_front();
            self.first += 1;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Feeds a clip of `length` numbered images and returns all windows.
    fn windows(length: usize, reach: usize, border: TimeBorder) -> Vec<Vec<Option<usize>>> {
        let mut window = Window::new(reach, border);
        let mut all = Vec::new();
        let mut drain = |window: &mut Window<usize>| {
            while let Some(places) = window.places() {
                all.push(places.into_iter().map(|place| place.copied()).collect());
                window.slide();
                assert!(window.images.len() <= 2 * reach + 1, "a window holds no more than its places");
            }
        };
        for image in 0..length {
            window.push(image);
            drain(&mut window);
        }
        window.end();
        drain(&mut window);
        all
    }

    #[test]
    fn every_length_reach_and_border_follows_the_definition() {
        for border in [TimeBorder::Clamp, TimeBorder::Reflect101, TimeBorder::Zero] {
            for length in 0..9 {
                for reach in 0..12 {
                    let expected: Vec<Vec<_>> = (0..length as isize)
                        .map(|centre| {
                            let reach = reach as isize;
                            (centre - reach..=centre + reach).map(|index| border.index(index, length)).collect()
                        })
                        .collect();
                    assert_eq!(windows(length, reach, border), expected, "{border:?} length {length} reach {reach}");
                }
            }
        }
    }
}
