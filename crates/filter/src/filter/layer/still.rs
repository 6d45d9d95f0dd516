//! A still picture as planes of a clip: its colours as samples, its opacity for each of them.

use std::sync::Arc;

use super::super::colour::{components, sample};
use super::super::picture::StillPicture;
use super::place::PicturePlace;
use crate::frame::{Format, Sample};
use crate::pass::{Op, Overlay, OverlayBase, OverlaySamples};

/// A picture at a place of frames as they are shown.
pub(super) struct PlacedPicture<'a> {
    pub(super) picture: &'a StillPicture,
    pub(super) place: PicturePlace<'a>,
    /// The opacity of each of its pixels, 0 to 1: its own times what was typed. In the steps of whole samples, which are rounded.
    opacity: Vec<f64>,
}

impl<'a> PlacedPicture<'a> {
    pub(super) fn new(picture: &'a StillPicture, place: PicturePlace<'a>, share: f64) -> Self {
        let pixel = place.frames.format.pixel;
        let rounded = |opacity: f64| match pixel.sample {
            Sample::F32 => opacity,
            _ => (opacity * f64::from(pixel.peak())).round(),
        };
        let places = (0..picture.height).flat_map(|y| (0..picture.width).map(move |x| (x, y)));
        let opacity = places.map(|(x, y)| rounded(picture.rgba(x, y)[3] * share)).collect();
        Self { picture, place, opacity }
    }

    /// The operation of a plane; a copy where the picture lies outside or cannot be seen.
    pub(super) fn op(&self, plane: usize) -> Op {
        let format = self.place.frames.format;
        let Some((columns, rows)) = self.place.covered(plane) else { return Op::Copy };
        let (turn, stored, (left, top)) = (format.turn, self.place.ground(plane), self.place.origin(plane));
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
        let base = OverlayBase::of(format.pixel, plane);
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
        Op::Overlay(Overlay { columns, rows, motion: self.place.motion(plane), picture, base })
    }

    /// The picture's pixels of a sample of the plane.
    fn pixels(&self, plane: usize, (x, y): (usize, usize)) -> impl Iterator<Item = (usize, usize)> + Clone {
        let (across, down) = self.place.frames.subsampling(plane);
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
        let format: &Format = self.place.frames.format;
        let colour = |(x, y): (usize, usize)| {
            let [r, g, b, _] = self.picture.rgba(x, y);
            components(format, [r, g, b])[plane]
        };
        let pixels = self.pixels(plane, place);
        if self.place.frames.subsampling(plane) == (0, 0) {
            return colour(place);
        }
        let weight: f64 = pixels.clone().map(|(x, y)| self.alpha(x, y)).sum();
        match weight > 0.0 {
            true => pixels.map(|(x, y)| colour((x, y)) * self.alpha(x, y)).sum::<f64>() / weight,
            false => 0.0,
        }
    }

    /// The opacity of a sample.
    fn opacity(&self, plane: usize, place: (usize, usize)) -> f64 {
        let (subsampling, size) = (self.place.frames.subsampling(plane), self.place.size);
        Overlay::covering(self.place.frames.format.pixel.sample, subsampling, size, |x, y| self.alpha(x, y), place)
    }
}
