//! What a step has to know of the frames around one: which there are in its scene, how bright they are, and how the camera moves.

use std::collections::BTreeMap;
use std::sync::{Mutex, PoisonError};

use anyhow::{Context, Result};
use warpreel_engine::{CameraMotion, Scores, brightness, brightness_factor, camera_correction};
use warpreel_filter::backend::Backend;
use warpreel_filter::pass::{Correction, Scan};
use warpreel_filter::plan::Plan;
use warpreel_frame::{Format, FrameFields};

use crate::graph::{self, Beside};

/// The frames of a value as a backend has them, and what VapourSynth says of them.
pub trait Images {
    /// What has them.
    type Backend: Backend;

    /// The backend.
    fn backend(&mut self) -> &mut Self::Backend;

    /// Frame `n` of a value, one of those that [`Steps::wanted`] names.
    ///
    /// # Errors
    /// If it cannot be made.
    fn image(&mut self, value: usize, n: i32) -> Result<<Self::Backend as Backend>::Image>;

    /// Whether frame `n` begins a scene, where its property `_SceneChangePrev` says so.
    fn begins(&self, value: usize, n: i32) -> Option<bool>;

    /// The fields of frame `n`, where its property `_FieldBased` says.
    fn fields(&self, value: usize, n: i32) -> Option<FrameFields>;
}

/// What was measured, kept so that frames in order are measured once.
#[derive(Default)]
pub struct Sums {
    sums: Mutex<BTreeMap<(usize, i32, bool), u64>>,
    motions: Mutex<BTreeMap<(usize, i32), Option<CameraMotion>>>,
}

impl Sums {
    /// More than any window has twice.
    const MOST: usize = 8192;

    /// The sum of a frame's samples, or of the differences from the frame before.
    fn of<I: Images>(&self, images: &mut I, value: usize, n: i32, is_difference: bool) -> Result<u64> {
        let key = (value, n, is_difference);
        let known = self.sums.lock().unwrap_or_else(PoisonError::into_inner).get(&key).copied();
        if let Some(sum) = known {
            return Ok(sum);
        }
        let image = images.image(value, n)?;
        let before = if is_difference { Some(images.image(value, n - 1)?) } else { None };
        let backend = images.backend();
        let measure = backend.measure(&image, before.as_ref())?;
        let sum = backend.read(measure)?;
        keep(&self.sums, key, sum);
        Ok(sum)
    }

    /// How the camera moved from the frame before to a frame.
    fn motion<I: Images>(&self, images: &mut I, format: &Format, value: usize, n: i32) -> Result<Option<CameraMotion>> {
        let known = self.motions.lock().unwrap_or_else(PoisonError::into_inner).get(&(value, n)).copied();
        if let Some(motion) = known {
            return Ok(motion);
        }
        let mut cells = Vec::with_capacity(2);
        for n in [n - 1, n] {
            let image = images.image(value, n)?;
            let backend = images.backend();
            let asked = backend.reduce(&image)?;
            cells.push(backend.cells(asked)?);
        }
        let motion = CameraMotion::between(format, &cells[0], &cells[1]);
        keep(&self.motions, (value, n), motion);
        Ok(motion)
    }
}

/// Keeps what was measured; at some time all goes, so that it does not grow with the clip.
fn keep<K: Ord, V>(known: &Mutex<BTreeMap<K, V>>, key: K, value: V) {
    let mut known = known.lock().unwrap_or_else(PoisonError::into_inner);
    if known.len() >= Sums::MOST {
        known.clear();
    }
    known.insert(key, value);
}

/// The window of a step around a frame.
#[derive(Clone, Debug, PartialEq)]
pub struct Window {
    /// The frames, the centre in the middle; `None` for one of no light and no colour.
    pub places: Vec<Option<i32>>,
    /// What brightness is multiplied by.
    pub factor: f32,
    /// By how much the frame is moved.
    pub correction: Correction,
    /// What deinterlacers look at.
    pub scan: Scan,
}

/// A step of a plan over a clip. Frames are numbered as they go into the step; of a value before steps that make two frames
/// of one they are fewer, and frame `n` is then made of frame `n / 2` there.
pub struct Step<'a> {
    pub plan: &'a Plan,
    pub k: usize,
    /// How many go in.
    pub frames: i32,
}

impl Step<'_> {
    fn reach(&self) -> i32 {
        // Passes and windows look at some hundred frames at most.
        i32::try_from(graph::reach(self.plan, self.k)).unwrap_or(i32::MAX / 4)
    }

    /// Frames from one to another that there are.
    fn within(&self, from: i32, to: i32) -> impl Iterator<Item = i32> {
        from.max(0)..=to.min(self.frames - 1)
    }

    /// The frames of its value, of its second one, and of that in which cuts are looked for, which are needed for frame `n`.
    pub fn wanted(&self, n: i32) -> Vec<(usize, i32)> {
        let (reach, Beside { second, cuts }) = (self.reach(), graph::beside(self.plan, self.k));
        let measures = self.plan.steps()[self.k].guard.measures() || cuts.is_some();
        let own: Vec<i32> = match measures {
            true => self.within(n.saturating_sub(reach), n.saturating_add(reach)).collect(),
            false => self.places(n, [0, self.frames]).into_iter().flatten().collect(),
        };
        let mut wanted: Vec<(usize, i32)> = own.iter().map(|&n| (self.k, n)).collect();
        wanted.extend(second.into_iter().flat_map(|value| own.iter().map(move |&n| (value, n))));
        if let Some((value, _)) = cuts {
            // Whether a frame begins a scene is said by how it differs from the one before, and that from the one before that.
            let splits = graph::splits(self.plan, value..self.k);
            let (low, high) = (n.saturating_sub(reach) >> splits, n.saturating_add(reach) >> splits);
            let around = (low - 2).max(0)..=high.min((self.frames >> splits) - 1);
            wanted.extend(around.map(|n| (value, n)));
        }
        wanted.sort_unstable();
        wanted.dedup();
        wanted
    }

    /// The frames of the pass's window around `n` in a scene from one frame to before another.
    fn places(&self, n: i32, [start, end]: [i32; 2]) -> Vec<Option<i32>> {
        let pass = &self.plan.steps()[self.k].pass;
        self.around(n, [start, end], pass.reach())
    }

    fn around(&self, n: i32, [start, end]: [i32; 2], reach: usize) -> Vec<Option<i32>> {
        let border = self.plan.steps()[self.k].pass.border_t;
        let (centre, length) = ((n - start) as isize, (end - start).max(1) as usize);
        let place = |index: isize| Some(start + border.index(index, length, reach)? as i32);
        (centre - reach as isize..=centre + reach as isize).map(place).collect()
    }

    /// Its window around frame `n`.
    ///
    /// # Errors
    /// If frames cannot be made or measured.
    pub fn window<I: Images>(&self, n: i32, images: &mut I, sums: &Sums) -> Result<Window> {
        let scene = self.scene(n, images, sums)?;
        let factor = match self.plan.steps()[self.k].guard.steady {
            None => 1.0,
            Some(steady) => {
                let samples = graph::format(self.plan, self.k).brightness_samples();
                let around = self.around(n, scene, steady.reach());
                let mut levels = Vec::with_capacity(around.len());
                for place in around {
                    levels.push(match place {
                        Some(at) => brightness(&steady, samples, sums.of(images, self.k, at, false)?),
                        None => 0.0,
                    });
                }
                let own = *levels.get(steady.reach()).context("the window has no centre")?;
                levels.truncate(steady.size);
                brightness_factor(&steady, own, &levels)
            }
        };
        let correction = self.correction(n, images, sums)?;
        Ok(Window { places: self.places(n, scene), factor, correction, scan: self.scan(n, scene, images) })
    }

    /// By how much frame `n` is moved against the motion of the camera.
    fn correction<I: Images>(&self, n: i32, images: &mut I, sums: &Sums) -> Result<Correction> {
        let Some(radius) = self.plan.steps()[self.k].guard.smoothing else { return Ok(Correction::NONE) };
        let (format, reach) = (graph::format(self.plan, self.k), i32::try_from(radius)?);
        let mut motions = |from: i32, to: i32| {
            self.within(from.max(1), to).map(|n| sums.motion(images, format, self.k, n)).collect::<Result<Vec<_>>>()
        };
        let before = motions(n.saturating_sub(reach) + 1, n)?;
        let after = motions(n + 1, n.saturating_add(reach))?;
        Ok(camera_correction(radius, &before, &after))
    }

    /// The fields of the frames around frame `n` of a scene.
    fn scan<I: Images>(&self, n: i32, [start, end]: [i32; 2], images: &I) -> Scan {
        let pass = &self.plan.steps()[self.k].pass;
        if pass.matching().is_none() && pass.ops().all(|op| op.facts().deinterlacing().is_none()) {
            return Scan::default();
        }
        let (begins, ends) = (n == start, n + 1 == end);
        let is_progressive = self.plan.deinterlacer().is_some_and(|deinterlacer| deinterlacer < self.k);
        let of = |n: i32| match is_progressive {
            true => FrameFields::default(),
            false => images.fields(self.k, n).unwrap_or(FrameFields::from(self.plan.format().fields)),
        };
        let fields = [if begins { n } else { n - 1 }, n, if ends { n } else { n + 1 }].map(of);
        Scan { fields, begins, ends, is_second: false, weave: None }
    }

    /// The scene of frame `n`, as far as the step looks.
    fn scene<I: Images>(&self, n: i32, images: &mut I, sums: &Sums) -> Result<[i32; 2]> {
        let Some((value, threshold)) = graph::beside(self.plan, self.k).cuts else { return Ok([0, self.frames]) };
        let reach = self.reach();
        let (low, high) = (n.saturating_sub(reach).max(0), n.saturating_add(reach).min(self.frames - 1));
        let mut start = low;
        for at in (low..=n).rev() {
            if at == 0 || self.begins(at, (value, threshold), images, sums)? {
                start = at;
                break;
            }
        }
        for at in n + 1..=high {
            if self.begins(at, (value, threshold), images, sums)? {
                return Ok([start, at]);
            }
        }
        Ok([start, if high == self.frames - 1 { self.frames } else { high + 1 }])
    }

    /// Whether frame `n`, not the first, begins a scene.
    fn begins<I: Images>(&self, n: i32, (value, threshold): (usize, f64), images: &mut I, sums: &Sums) -> Result<bool> {
        let splits = graph::splits(self.plan, value..self.k);
        // A scene begins with a first field.
        if n.trailing_zeros() < splits {
            return Ok(false);
        }
        let n = n >> splits;
        if let Some(begins) = images.begins(value, n) {
            return Ok(begins);
        }
        let mut scores = Scores::new(graph::format(self.plan, value));
        if n > 1 {
            scores.next(sums.of(images, value, n - 1, true)?);
        }
        Ok(scores.next(sums.of(images, value, n, true)?) > threshold)
    }
}
