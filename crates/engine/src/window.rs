//! The bookkeeping of temporal windows, once for every backend: fill, slide, borders at both ends of each scene, flush.

use std::collections::VecDeque;

use super::scene::Scene;
use crate::pass::TimeBorder;

/// The images around the next centre. One image pushed gives one window, `reach` images later.
///
/// A clip is cut into scenes, each of which is a clip of its own: what lies beyond its ends is the border's.
pub(super) struct Window<I> {
    reach: usize,
    border: TimeBorder,
    images: VecDeque<I>,
    /// The position in the clip of `images[0]`.
    first: usize,
    /// The position of the next centre.
    centre: usize,
    /// Where the scene of the next centre begins.
    start: usize,
    /// Where later scenes begin, as far as that is known; ascending.
    cuts: VecDeque<usize>,
    ended: bool,
}

impl<I> Window<I> {
    /// A window of `2·reach + 1` places over an empty clip.
    pub(super) fn new(reach: usize, border: TimeBorder) -> Self {
        let (images, cuts) = (VecDeque::new(), VecDeque::new());
        Self { reach, border, images, first: 0, centre: 0, start: 0, cuts, ended: false }
    }

    /// How many images were pushed.
    fn seen(&self) -> usize {
        self.first + self.images.len()
    }

    /// Adds the clip's next image.
    pub(super) fn push(&mut self, image: I, scene: Scene) {
        let at = self.seen();
        match scene {
            Scene::Begins if at == self.centre => self.start = at,
            Scene::Begins => self.cuts.push_back(at),
            Scene::GoesOn => {}
        }
        self.images.push_back(image);
    }

    /// No more images come: what lies beyond is the border's.
    pub(super) fn end(&mut self) {
        self.ended = true;
    }

    /// The places around the next centre, once all that they need is known. `None` in a place is a frame of zeros.
    pub(super) fn places(&self) -> Option<Vec<Option<&I>>> {
        let seen = self.seen();
        let end = self.cuts.front().copied().or(self.ended.then_some(seen));
        let enough = if end.is_some() { self.centre < seen } else { self.centre + self.reach < seen };
        if !enough {
            return None;
        }
        // Before the scene's end is known, `seen` stands for it: no place lies beyond it, and those before the start do
        // not depend on the length, because the scene is longer than the reach.
        let length = end.unwrap_or(seen) - self.start;
        let (centre, reach) = ((self.centre - self.start) as isize, self.reach as isize);
        let place = |index| {
            let index = self.border.index(index, length, self.reach)?;
            Some(&self.images[self.start + index - self.first])
        };
        Some((centre - reach..=centre + reach).map(place).collect())
    }

    /// The position of the next centre in the clip.
    pub(super) fn centre(&self) -> u64 {
        self.centre as u64
    }

    /// Whether the next centre begins a scene; known once it is pushed.
    pub(super) fn scene(&self) -> Scene {
        if self.centre == self.start { Scene::Begins } else { Scene::GoesOn }
    }

    /// Whether a scene ends with the next centre. Valid once [`Window::places`] has given its window, with a reach of at least 1.
    pub(super) fn ends(&self) -> bool {
        let end = self.cuts.front().copied().or(self.ended.then_some(self.seen()));
        end == Some(self.centre + 1)
    }

    /// Moves to the next centre and lets go of the images that no later window needs.
    pub(super) fn slide(&mut self) {
        self.centre += 1;
        if self.cuts.front() == Some(&self.centre) {
            self.cuts.pop_front();
            self.start = self.centre;
        }
        let needed = self.start.max(self.centre.saturating_sub(self.reach));
        while self.first < needed && self.images.pop_front().is_some() {
            self.first += 1;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const BORDERS: [TimeBorder; 4] =
        [TimeBorder::Clamp, TimeBorder::Reflect101, TimeBorder::Zero, TimeBorder::Lopsided];

    /// The windows of a clip in which frame `n` begins a scene where bit `n` of `cuts` is set.
    type Windows = Vec<(Scene, Vec<Option<usize>>)>;

    /// Feeds a clip of `length` numbered images and returns all windows.
    fn windows(length: usize, reach: usize, border: TimeBorder, cuts: usize) -> Windows {
        let mut window = Window::new(reach, border);
        let mut all = Vec::new();
        let mut drain = |window: &mut Window<usize>| {
            while let Some(places) = window.places() {
                all.push((window.scene(), places.into_iter().map(|place| place.copied()).collect()));
                window.slide();
            }
            // What is still to come needs the images before the centre; the ones behind it wait for it.
            assert!(window.images.len() <= 2 * reach, "with the next one a window holds no more than its places");
        };
        for image in 0..length {
            window.push(image, if cuts >> image & 1 == 1 { Scene::Begins } else { Scene::GoesOn });
            drain(&mut window);
        }
        window.end();
        drain(&mut window);
        all
    }

    /// The same from the definition: every scene is a clip.
    fn expected(length: usize, reach: usize, border: TimeBorder, cuts: usize) -> Windows {
        let starts: Vec<usize> = (0..length).filter(|&image| image == 0 || cuts >> image & 1 == 1).collect();
        let mut all = Vec::new();
        for (index, &start) in starts.iter().enumerate() {
            let scene = starts.get(index + 1).copied().unwrap_or(length) - start;
            for centre in 0..scene as isize {
                let reach = reach as isize;
                let place = |at| border.index(at, scene, reach as usize).map(|at| start + at);
                let first = if centre == 0 { Scene::Begins } else { Scene::GoesOn };
                all.push((first, (centre - reach..=centre + reach).map(place).collect()));
            }
        }
        all
    }

    #[test]
    fn every_length_reach_and_border_follows_the_definition() {
        for border in BORDERS {
            for (length, reach) in (0..9).flat_map(|length| (0..12).map(move |reach| (length, reach))) {
                let (got, wanted) = (windows(length, reach, border, 0), expected(length, reach, border, 0));
                assert_eq!(got, wanted, "{border:?} length {length} reach {reach}");
            }
        }
    }

    #[test]
    fn every_set_of_cuts_makes_clips() {
        for border in BORDERS {
            for (length, reach) in (0..9).flat_map(|length| (0..7).map(move |reach| (length, reach))) {
                for cuts in 0..1 << length {
                    let (got, wanted) = (windows(length, reach, border, cuts), expected(length, reach, border, cuts));
                    assert_eq!(got, wanted, "{border:?} length {length} reach {reach} cuts {cuts:b}");
                }
            }
        }
    }

    /// A window does not wait for frames behind a cut.
    #[test]
    fn a_cut_completes_the_windows_before_it() {
        let mut window = Window::new(3, TimeBorder::Clamp);
        window.push('a', Scene::GoesOn);
        window.push('b', Scene::GoesOn);
        assert_eq!(window.places(), None);
        window.push('c', Scene::Begins);
        let places = window.places().expect("the scene is complete");
        assert_eq!(places.into_iter().flatten().collect::<String>(), "aaaabbb");
        window.slide();
        window.slide();
        assert_eq!((window.places(), window.images.len()), (None, 1), "and what lies before it is let go");
    }
}
