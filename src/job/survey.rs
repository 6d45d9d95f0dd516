//! Looking through a clip for what it is about: where its shots begin, and small pictures of some frames.

use std::sync::Arc;

use anyhow::Result;

use super::input;
use super::request::Request;
use super::store::{FrameStore, Integrity};
use crate::backend::{Backend, Cpu};
use crate::engine::Scores;
use crate::frame::{Format, Frame, FrameMut, Plane, Pool, Sample, Turner};
use crate::libav::{Converter, Stored};
use crate::source::{CancelToken, Source};

/// A clip that is being looked through, frame by frame, by one thread.
pub struct Survey {
    source: Box<dyn Source>,
    judge: Cpu,
    scores: Scores,
    before: Option<Frame>,
    pool: Pool,
    shrinker: Shrinker,
    /// Every so many frames there is a thumbnail.
    every: u64,
    number: u64,
    store: Option<Arc<FrameStore>>,
    /// How often the clip was damaged so far.
    damage: u64,
}

/// What a frame showed.
#[derive(Clone, Debug, Default)]
pub struct SurveyFindings {
    /// Whether it begins a shot: its scene score is above [`Survey::CUT`].
    pub is_cut: bool,
    /// A small picture of it, if it is one of those that get one.
    pub thumbnail: Option<Thumbnail>,
}

/// A small picture.
#[derive(Clone, Debug)]
pub struct Thumbnail {
    /// Red, green and blue of each pixel, row by row, without padding.
    pub rgb: Vec<u8>,
}

impl Survey {
    /// The scene score above which a frame begins a shot.
    pub const CUT: f64 = 0.35;

    /// Begins to look through the input of a request, with a thumbnail of every so many frames.
    ///
    /// # Errors
    /// As [`super::Job::open`], where the input is concerned.
    pub fn open(request: &Request, every: u64, interrupt: &CancelToken) -> Result<Self> {
        let request = Request { threads: 1.into(), ..request.clone() };
        let source = input::open(&request, interrupt)?.0;
        let format = source.format().clone();
        Ok(Self {
            judge: Cpu::new(Arc::from([]), format.clone(), Pool::heap(), 1)?,
            scores: Scores::new(&format),
            before: None,
            pool: Pool::heap(),
            shrinker: Shrinker::new(&format)?,
            every: every.max(1),
            number: 0,
            store: None,
            damage: 0,
            source,
        })
    }

    /// Keeps the frames in a store that was made for the same request, as they come; none where the clip's samples lie in
    /// the file as they are, since that is read as quickly. Called before [`Survey::look`].
    pub fn keep_in(&mut self, store: Arc<FrameStore>) {
        self.store = Some(store).filter(|_| !self.source.is_plain());
    }

    /// Width and height of thumbnails of a clip of that format after rotation: the larger is [`Survey::SIDE`].
    pub fn size(format: &Format) -> (usize, usize) {
        let aspect = format.aspect.value().unwrap_or(1.0);
        let (wide, high) = (format.width as f64 * aspect, format.height as f64);
        let scale = Self::SIDE as f64 / wide.max(high);
        let side = |length: f64| ((length * scale).round() as usize).clamp(1, Self::SIDE);
        format.turn.size((side(wide), side(high)))
    }

    /// The larger side of a thumbnail, in pixels.
    pub const SIDE: usize = 96;

    /// Pictures of key frames at up to `count` places of the whole clip, evenly spread, before it is looked through: each with the
    /// estimated number of its frame. None where the clip has no key frames, or its length is unknown. Blocks while `next` is asked.
    pub fn outline(mut self, count: u64) -> impl Iterator<Item = (u64, Thumbnail)> {
        let length = self.source.length().unwrap_or(0);
        (0..count.min(length)).map_while(move |place| {
            let frame = self.source.key_frame_before((2 * place + 1) * length / (2 * count), &self.pool).ok()??;
            Some((frame.timing.number, self.shrinker.shrink(&frame, &self.pool).ok()?))
        })
    }

    /// Number of frames, where it is known or can be estimated.
    pub fn length(&self) -> Option<u64> {
        self.source.length()
    }

    /// Looks at the next frame; `None` at the end. Blocks while it is decoded, and while the disk of the store does.
    ///
    /// # Errors
    /// If it cannot be.
    pub fn look(&mut self) -> Result<Option<SurveyFindings>> {
        let Some(frame) = self.source.next_frame(&self.pool)? else { return Ok(None) };
        if let Some(store) = &self.store {
            let damage = self.source.defects();
            let damage = damage.damaged_packets + damage.concealed_frames;
            let integrity = if damage > self.damage { Integrity::Damaged } else { Integrity::Whole };
            self.damage = damage;
            store.put(&frame, integrity);
        }
        let mut findings = SurveyFindings::default();
        if let Some(before) = &self.before {
            let measure = self.judge.measure(&frame, Some(before))?;
            findings.is_cut = self.scores.next(self.judge.read(measure)?) > Self::CUT;
        }
        if self.number.is_multiple_of(self.every) {
            findings.thumbnail = Some(self.shrinker.shrink(&frame, &self.pool)?);
        }
        self.before = Some(frame);
        self.number += 1;
        Ok(Some(findings))
    }
}

/// Makes thumbnails: the nearest samples, and then their colours.
struct Shrinker {
    /// Format before rotation.
    small: Arc<Format>,
    turner: Option<Turner>,
    converter: Converter,
}

impl Shrinker {
    fn new(format: &Arc<Format>) -> Result<Self> {
        let (width, height) = format.turn.size(Survey::size(format));
        let small = Arc::new(Format { width, height, ..format.as_ref().clone() });
        let turner = Turner::new(&small);
        let shown = turner.as_ref().map_or(&small, Turner::format);
        Ok(Self { converter: Converter::from_planar(Stored::parse("rgb24")?, shown)?, turner, small })
    }

    fn shrink(&mut self, frame: &Frame, pool: &Pool) -> Result<Thumbnail> {
        let mut small = pool.frame(&self.small)?;
        for plane in 0..self.small.pixel.planes() {
            match self.small.pixel.sample {
                Sample::U8 => nearest::<u8>(frame.host()?.plane(plane), &mut small, plane),
                Sample::U16 => nearest::<u16>(frame.host()?.plane(plane), &mut small, plane),
                Sample::F32 => nearest::<f32>(frame.host()?.plane(plane), &mut small, plane),
            }
        }
        let mut rgb = vec![0; 3 * self.small.width * self.small.height];
        let small = small.freeze(frame.timing.clone());
        let shown = self.turner.as_ref().map(|turner| turner.run(&small)).transpose()?;
        self.converter.pack(shown.as_ref().unwrap_or(&small), &mut rgb)?;
        Ok(Thumbnail { rgb })
    }
}

/// Fills a small plane with samples out of the middle of what each stands for.
fn nearest<T: bytemuck::Pod>(from: Plane<'_, T>, small: &mut FrameMut, plane: usize) {
    let Some(mut to) = small.planes_mut::<T>().into_iter().nth(plane) else { return };
    for y in 0..to.height {
        let row = from.row((2 * y + 1) * from.height / (2 * to.height));
        let width = to.width;
        for (x, sample) in to.row_mut(y).iter_mut().enumerate() {
            *sample = row[(2 * x + 1) * from.width / (2 * width)];
        }
    }
}
