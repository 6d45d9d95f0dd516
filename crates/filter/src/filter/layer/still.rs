//! A still picture as planes of a clip: its colours as samples, its opacity for each of them.

use std::ops::Range;
use std::sync::Arc;

use super::super::colour::{components, sample};
use super::super::picture::StillPicture;
use super::ShownFrames;
use crate::frame::{Format, Sample};
use crate::pass::{Guide, Op, Overlay, OverlayBase, OverlaySamples};

/// A picture at a place of frames as they are shown.
pub(super) struct PlacedPicture<'a> {
    pub(super) picture: &'a StillPicture,
    pub(super) frames: ShownFrames<'a>,
    /// Luma pixels to its left and above it, whole samples of chroma.
    pub(super) place: (isize, isize),
    /// The opacity of each of its pixels, 0 to 1: its own times what was typed. In the steps of whole samples, which are rounded.
    opacity: Vec<f64>,
}

impl<'a> PlacedPicture<'a> {
    pub(super) fn new(picture: &'a StillPicture, frames: ShownFrames<'a>, place: (isize, isize), share: f64) -> Self {
        let pixel = frames.format.pixel;
        let rounded = |opacity: f64| match pixel.sample {
            Sample::F32 => opacity,
            _ => (opacity * f64::from(pixel.peak())).round(),
        };
        let places = (0..picture.height).flat_map(|y| (0..picture.width).map(move |x| (x, y)));
        let opacity = places.map(|(x, y)| rounded(picture.rgba(x, y)[3] * share)).collect();
        Self { picture, frames, place, opacity }
    }

    /// The operation of a plane; a copy where the picture lies outside or cannot be seen.
    pub(super) fn op(&self, plane: usize) -> Op {
        let format = self.frames.format;
        let (turn, stored) = (format.turn, format.plane_size(plane));
        let shown = turn.size(stored);
        let (left, top) = self.origin(plane);
        let (width, height) = self.size(plane);
        let columns = visible(left, width, shown.0);
        let rows = visible(top, height, shown.1);
        if columns.is_empty() || rows.is_empty() {
            return Op::Copy;
        }
        let ends = [(columns.start, rows.start), (columns.end - 1, rows.end - 1)].map(|end| turn.stored(end, shown));
        let range = |[a, b]: [usize; 2]| a.min(b)..a.max(b) + 1;
        let (columns, rows) = (range(ends.map(|end| end.0)), range(ends.map(|end| end.1)));
        let places = rows.clone().flat_map(|y| columns.clone().map(move |x| (x, y)));
        let within = places.map(|place| {
            let (x, y) = turn.shown(place, stored);
            ((x as isize - left) as usize, (y as isize - top) as usize)
        });
        let within: Vec<(usize, usize)> = within.collect();
        let opacity: Vec<f64> = within.iter().map(|&place| self.opacity(plane, place)).collect();
        if opacity.iter().all(|opacity| *opacity == 0.0) {
            return Op::Copy;
        }
        let alpha = format.pixel.planes() - 1;
        let base = match format.pixel.alpha {
            false => OverlayBase::Opaque,
            true if plane == alpha => OverlayBase::Opacity,
            true => OverlayBase::Colour(Guide::of(format.pixel, plane, alpha)),
        };
        let seen: &[(usize, usize)] = if base == OverlayBase::Opacity { &[] } else { &within };
        let samples = seen.iter().map(|&place| sample(format, plane, self.component(plane, place)));
        let picture = match format.pixel.sample {
            Sample::F32 => OverlaySamples::Real {
                samples: samples.collect(),
                opacity: opacity.iter().map(|opacity| *opacity as f32).collect(),
            },
            _ => OverlaySamples::Whole {
                samples: samples.map(|sample| sample as u16).collect(),
                opacity: opacity.iter().map(|opacity| *opacity as u16).collect::<Arc<[u16]>>(),
            },
        };
        Op::Overlay(Overlay { columns, rows, picture, base })
    }

    /// Samples of the plane to the left of the picture and above it.
    fn origin(&self, plane: usize) -> (isize, isize) {
        let (across, down) = self.frames.subsampling(plane);
        (self.place.0 >> across, self.place.1 >> down)
    }

    /// Samples of the picture in the plane, across and down.
    fn size(&self, plane: usize) -> (usize, usize) {
        let (across, down) = self.frames.subsampling(plane);
        (self.picture.width.div_ceil(1 << across), self.picture.height.div_ceil(1 << down))
    }

    /// The picture's pixels of a sample of the plane.
    fn pixels(&self, plane: usize, (x, y): (usize, usize)) -> impl Iterator<Item = (usize, usize)> + Clone {
        let (across, down) = self.frames.subsampling(plane);
        let range = |at: usize, shift: u8, end: usize| at << shift..((at + 1) << shift).min(end);
        let columns = range(x, across, self.picture.width);
        range(y, down, self.picture.height).flat_map(move |y| columns.clone().map(move |x| (x, y)))
    }

    fn alpha(&self, x: usize, y: usize) -> f64 {
        self.opacity[y * self.picture.width + x]
    }

    /// The colour of a sample, from 0 to 1, or of chroma from -1/2 to 1/2: of several pixels their mean, each weighted by its
    /// opacity, so that colours nobody sees count for nothing.
    fn component(&self, plane: usize, place: (usize, usize)) -> f64 {
        let format: &Format = self.frames.format;
        let colour = |(x, y): (usize, usize)| {
            let [r, g, b, _] = self.picture.rgba(x, y);
            components(format, [r, g, b])[plane]
        };
        let pixels = self.pixels(plane, place);
        if self.frames.subsampling(plane) == (0, 0) {
            return colour(place);
        }
        let weight: f64 = pixels.clone().map(|(x, y)| self.alpha(x, y)).sum();
        match weight > 0.0 {
            true => pixels.map(|(x, y)| colour((x, y)) * self.alpha(x, y)).sum::<f64>() / weight,
            false => 0.0,
        }
    }

    /// The opacity of a sample. In subsampled planes of whole numbers it is that of FFmpeg's `overlay`, which is cut off, and takes
    /// the last column and row by themselves.
    fn opacity(&self, plane: usize, (x, y): (usize, usize)) -> f64 {
        let pixel = self.frames.format.pixel;
        let (across, down) = self.frames.subsampling(plane);
        if (across, down) == (0, 0) {
            return self.alpha(x, y);
        }
        let is_real = pixel.sample == Sample::F32;
        if is_real || across > 1 || down > 1 {
            let pixels = self.pixels(plane, (x, y));
            let count = pixels.clone().count() as f64;
            let mean = pixels.map(|(x, y)| self.alpha(x, y)).sum::<f64>() / count;
            return if is_real { mean } else { mean.floor() };
        }
        let (width, height) = self.size(plane);
        let (is_pair, is_double) = (across > 0 && x + 1 < width, down > 0 && y + 1 < height);
        let (x, y) = (x << across, y << down);
        // Above 8 bits FFmpeg's second row is the one after the next.
        let next = y + if pixel.sample == Sample::U8 { 1 } else { 2 };
        let first = self.alpha(x, y);
        if is_pair && is_double {
            let sum = first + self.alpha(x, next) + self.alpha(x + 1, y) + self.alpha(x + 1, next);
            return (sum / 4.0).floor();
        }
        let beside = if is_pair { ((first + self.alpha(x + 1, y)) / 2.0).floor() } else { first };
        let below = if is_double { ((first + self.alpha(x, next)) / 2.0).floor() } else { first };
        ((beside + below) / 2.0).floor()
    }
}

/// The part of so many samples from `first` on that lies within `end`.
fn visible(first: isize, length: usize, end: usize) -> Range<usize> {
    let inside = |at: isize| at.clamp(0, end as isize) as usize;
    inside(first)..inside(first + length as isize)
}
