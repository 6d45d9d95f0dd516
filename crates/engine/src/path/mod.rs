//! The path of the camera, and how far each frame lies from the smooth one. Motion is found in small pictures
//! ([`Reduction`]) and added up in whole numbers, so that a part of a clip has the corrections of the whole.

mod motion;
mod picture;

use std::collections::VecDeque;

use super::scene::Scene;
use super::window::Window;
use crate::backend::Reduction;
use crate::frame::Format;
use crate::pass::{Correction, TimeBorder};
use motion::motion;
use picture::SmallPicture;

/// Where the camera looks: right and down in 1/65536 of a pixel, and clockwise in 2⁻³² radians, all of what is seen.
type Position = [i64; 3];

/// Units of a [`Position`].
const UNITS: [f64; 3] = [65536.0, 65536.0, 4_294_967_296.0];

/// How the camera moved from one frame to the next, by what both show.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct CameraMotion(Position);

impl CameraMotion {
    /// Between two frames of a format, from the sums over their cells ([`crate::backend::Backend::cells`]); `None` if they show
    /// nothing that both have.
    pub fn between(format: &Format, before: &[u32], after: &[u32]) -> Option<Self> {
        let reduction = Reduction::of(format);
        let [before, after] = [before, after].map(|cells| SmallPicture::new(reduction, format.pixel, cells));
        Self::found(reduction, &before, &after)
    }

    fn found(reduction: Reduction, before: &SmallPicture, after: &SmallPicture) -> Option<Self> {
        let found = motion(before, after)?;
        let side = f64::from(1u32 << reduction.log2_side);
        let moved = [found.shift[0] * side, found.shift[1] * side, found.angle];
        Some(Self([0, 1, 2].map(|axis| (moved[axis] * UNITS[axis]).round_ties_even() as i64)))
    }

    /// A place, once the camera has moved on, or before it came there.
    fn moved(self, from: Position, sign: i64) -> Position {
        [0, 1, 2].map(|axis| from[axis] + sign * self.0[axis])
    }
}

/// By how much a frame is moved whose camera's path is smoothed over the frames around: `before` holds the motion that led to
/// the frame and, before it, those that led to the frames before; `after` the next ones, oldest first; as many as frames count
/// on a side, or fewer at the ends of the clip. A path ends where there is no motion.
pub fn camera_correction(radius: usize, before: &[Option<CameraMotion>], after: &[Option<CameraMotion>]) -> Correction {
    let mut places = vec![None; 2 * radius + 1];
    places[radius] = Some([0; 3]);
    let mut place = [0; 3];
    for (far, motion) in before.iter().rev().take(radius).map_while(|motion| *motion).enumerate() {
        place = motion.moved(place, -1);
        places[radius - 1 - far] = Some(place);
    }
    place = [0; 3];
    for (far, motion) in after.iter().take(radius).map_while(|motion| *motion).enumerate() {
        place = motion.moved(place, 1);
        places[radius + 1 + far] = Some(place);
    }
    correction(&weights(radius), &places.iter().map(Option::as_ref).collect::<Vec<_>>())
}

/// Images that wait for the motion of the frames behind them.
pub(super) struct CameraPath<I> {
    reduction: Reduction,
    format: Format,
    /// Weights of the frames at a distance of 1 and more, of which the sum over both sides and 1 is 1.
    weights: Vec<f64>,
    before: Option<SmallPicture>,
    position: Position,
    positions: Window<Position>,
    images: VecDeque<(I, Scene)>,
}

impl<I> CameraPath<I> {
    /// Over `radius` frames on each side, of frames of a format.
    pub(super) fn new(radius: usize, format: &Format) -> Self {
        Self {
            reduction: Reduction::of(format),
            format: format.clone(),
            weights: weights(radius),
            before: None,
            position: [0; 3],
            // Frames that are not there are none.
            positions: Window::new(radius, TimeBorder::Zero),
            images: VecDeque::new(),
        }
    }

    /// Adds the clip's next image, with the sums over its cells.
    pub(super) fn push(&mut self, image: I, scene: Scene, cells: &[u32]) {
        let picture = SmallPicture::new(self.reduction, self.format.pixel, cells);
        let found = self.before.as_ref().map(|before| CameraMotion::found(self.reduction, before, &picture));
        let own = match found {
            Some(Some(motion)) => {
                self.position = motion.moved(self.position, 1);
                Scene::GoesOn
            }
            // Nothing that both frames show: another path begins.
            Some(None) => Scene::Begins,
            None => Scene::GoesOn,
        };
        self.before = Some(picture);
        self.positions.push(self.position, own);
        self.images.push_back((image, scene));
    }

    /// No more images come.
    pub(super) fn end(&mut self) {
        self.positions.end();
    }

    /// The next image and its correction, once that is known.
    pub(super) fn next(&mut self) -> Option<(I, Scene, Correction)> {
        let places = self.positions.places()?;
        let correction = correction(&self.weights, &places);
        self.positions.slide();
        let (image, scene) = self.images.pop_front()?;
        Some((image, scene, correction))
    }
}

/// Weights at a distance of 1 and more of a Gaussian whose sigma is half the radius.
fn weights(radius: usize) -> Vec<f64> {
    let sigma = radius as f64 / 2.0;
    let weights: Vec<f64> = (1..=radius).map(|far| libm::exp(-((far * far) as f64) / (2.0 * sigma * sigma))).collect();
    let sum = 1.0 + 2.0 * weights.iter().sum::<f64>();
    weights.into_iter().map(|weight| weight / sum).collect()
}

/// From the camera's place to the mean of the places around. Beyond an end of the path, the camera goes on as it came, so that
/// frames count in pairs: those of which one is missing cancel out.
fn correction(weights: &[f64], places: &[Option<&Position>]) -> Correction {
    let middle = places.len() / 2;
    let own = places[middle].copied().unwrap_or_default();
    let mut sums = [0.0; 3];
    for (far, weight) in weights.iter().enumerate() {
        let pair = [places[middle - far - 1], places[middle + far + 1]];
        let [Some(before), Some(after)] = pair else { continue };
        for axis in 0..3 {
            sums[axis] += weight * ((before[axis] - own[axis]) + (after[axis] - own[axis])) as f64;
        }
    }
    let [x, y, angle] = [0, 1, 2].map(|axis| sums[axis] / UNITS[axis]);
    Correction { shift: [x, y], sine: libm::sin(angle), cosine: libm::cos(angle) }
}

#[cfg(test)]
mod tests;
