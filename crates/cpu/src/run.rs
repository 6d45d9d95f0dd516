//! Bands of rows: those of all planes of a frame are one job that the team shares.

use std::sync::Arc;
use std::time::Duration;

use anyhow::Result;

use super::measure;
use super::plane::PreparedPlane;
use super::scratch::{self, Buffer, Scratch};
use super::simd::{Level, Sample};
use super::team::Team;
use super::walk::JointBand;
use super::watch::{Ask, Watch};
use super::window::PlaneWindow;
use crate::backend::{Inputs, Reduction};
use crate::frame::{BlockField, Frame, FrameMut, Measured, PlaneMut, Vector};

/// Threads, and memory for each.
pub struct Workers {
    team: Team<Scratch>,
    /// For each plane, lines that are made before the first band.
    ahead: [Buffer; 4],
    /// What is asked meanwhile.
    watch: Option<Arc<Watch>>,
}

/// Lines that were made ahead, and the bytes of each.
type Lines<'a> = (&'a mut [u8], usize);

/// Makes the frame that a pass writes to.
pub type Make<'a> = &'a mut dyn FnMut() -> Result<FrameMut>;

/// A band of a plane, or of planes that are made together, which any of the threads takes.
struct Task<'a, U> {
    index: usize,
    first: usize,
    out: PlaneMut<'a, U>,
    /// The same rows of the planes that are made with it, or the rows at the same place of a smaller plane.
    beside: Vec<(usize, PlaneMut<'a, U>)>,
}

impl Workers {
    /// At least one thread; one is the calling one.
    ///
    /// # Errors
    /// If the system does not give them.
    pub fn new(threads: usize) -> Result<Self> {
        Ok(Self { team: Team::new("cpu", threads)?, ahead: Default::default(), watch: None })
    }

    /// Has a question put to the calling thread so often, while a frame is made.
    pub fn watch(&mut self, every: Duration, ask: Ask) {
        let watch = Arc::new(Watch::new(every, ask));
        for (thread, scratch) in self.team.states_mut().enumerate() {
            (scratch.watch, scratch.is_caller) = (Some(watch.clone()), thread == 0);
        }
        self.watch = Some(watch);
    }

    /// As [`Team::share_cores`].
    pub fn share_cores(&mut self) {
        self.team.share_cores();
    }

    /// How many threads there are, with the one that calls.
    pub fn threads(&self) -> usize {
        self.team.threads()
    }

    /// One frame of a window, in what `make` gives. Blocks until it is there; a frame of copies alone is the centre itself.
    ///
    /// # Errors
    /// If `make` fails, or there is no memory for what stages need beside the frame.
    pub fn frame<T: Sample, U: Sample>(
        &mut self,
        planes: &[PreparedPlane<T, U>],
        inputs: &Inputs<'_, Frame>,
        centre: &Frame,
        make: Make<'_>,
    ) -> Result<Frame> {
        if planes.iter().all(|plane| plane.stage.is_none()) {
            return Ok(centre.clone());
        }
        let Self { team, ahead, watch } = self;
        let mut frame = make()?;
        let images = inputs.images().into_iter().map(|frame| frame.map(Frame::host).transpose());
        let images = images.collect::<Result<Vec<_>>>()?;
        let window = |index: usize| PlaneWindow {
            planes: images.iter().map(|image| image.map(|image| image.plane(index))).collect(),
            neutral: &planes[index].neutral,
            factor: inputs.factor,
            number: inputs.number,
            correction: inputs.correction,
            place: inputs.place,
            scan: inputs.scan,
            guide: None,
        };
        let windows = planes.iter().enumerate().map(|(index, plane)| PlaneWindow {
            guide: plane.guide.map(|guide| Box::new(window(guide))),
            ..window(index)
        });
        let windows: Vec<PlaneWindow<T>> = windows.collect();
        let mut bands = Vec::new();
        let pixel = frame.format().pixel;
        for (index, out) in frame.planes_mut::<U>().into_iter().enumerate() {
            let lead = planes[index].lead.unwrap_or(index);
            let rows = planes[lead].stage.as_ref().map_or(out.height, |stage| stage.band_rows());
            // Bands are whole blocks of luma pixels where planes of several sizes are made together.
            let rows = rows >> (pixel.subsampling(index).1 - pixel.subsampling(lead).1);
            let cut = out.bands(rows).into_iter();
            if lead == index {
                bands.extend(cut.enumerate().map(|(n, out)| Task { index, first: n * rows, out, beside: Vec::new() }));
            } else {
                // The leader has as many bands.
                let with_lead = bands.iter_mut().filter(|task: &&mut Task<'_, U>| task.index == lead);
                with_lead.zip(cut).for_each(|(task, out)| task.beside.push((index, out)));
            }
        }
        // What this pass makes ahead for each plane, and no more of its memory: other passes may have needed more.
        let mut made = Vec::with_capacity(planes.len());
        for (plane, ahead) in planes.iter().zip(ahead) {
            let (rows, row_bytes) = plane.ahead();
            made.push((&mut ahead.try_elements::<u8>(rows * row_bytes)?[..rows * row_bytes], row_bytes));
        }
        let fill = |task: Task<'_, U>, own: &mut Scratch, made: &[Lines<'_>]| {
            let Task { index, first, mut out, mut beside } = task;
            let stage = &planes[index].stage;
            if let (Some(stage), Some(_)) = (stage, planes[index].lead) {
                beside.push((index, out));
                return stage.joint(JointBand { windows: &windows, first, outs: &mut beside, scratch: own });
            }
            let window = &windows[index];
            match stage {
                Some(stage) => {
                    // A stage without lines of its own may read those of its guide.
                    let plane = planes[index].guide.filter(|_| stage.ahead().is_none()).unwrap_or(index);
                    stage.band(window, &*made[plane].0, first, out, own);
                }
                // Planes that are copied keep their samples.
                None => (0..out.height)
                    .for_each(|y| out.row_mut(y).copy_from_slice(bytemuck::cast_slice(window.centre(first + y)))),
            }
        };
        let watch = watch.as_deref();
        watch.into_iter().for_each(Watch::begin);
        scratch::caught(|| {
            let mut rows = Vec::new();
            for (index, (plane, (lines, row_bytes))) in planes.iter().zip(&mut made).enumerate() {
                if let (Some(stage), 1..) = (&plane.stage, *row_bytes) {
                    rows.extend(
                        lines.chunks_exact_mut(*row_bytes).enumerate().map(|row| (stage, &windows[index], row)),
                    );
                }
            }
            if !rows.is_empty() {
                team.share(rows, |(stage, window, (row, lines)), own| {
                    if own.goes_on() {
                        stage.prepare(window, row, lines, own);
                    }
                });
            }
            team.share(bands, |task, own| {
                if own.goes_on() {
                    fill(task, own, &made);
                }
            });
        })?;
        watch.map_or(Ok(()), Watch::outcome)?;
        Ok(frame.freeze(centre.timing.clone()))
    }

    /// The motion that was found for the last frame, of each of some planes against so many frames.
    pub fn motion<T: Sample, U: Sample>(
        &self,
        planes: &[PreparedPlane<T, U>],
        blocks: &[BlockField],
        references: usize,
        mut to: &mut [Vector],
    ) {
        for blocks in blocks {
            let (here, rest) = to.split_at_mut(references * blocks.all());
            if let Some(stage) = &planes[blocks.plane].stage {
                let (rows, row_bytes) = planes[blocks.plane].ahead();
                stage.motion(self.ahead[blocks.plane].first(rows * row_bytes), here);
            }
            to = rest;
        }
    }

    /// What comes of each of some parts of a job, which the threads share.
    ///
    /// # Errors
    /// If there is no memory for what a part needs.
    pub fn each<P: Send, R: Send>(
        &self,
        parts: Vec<P>,
        work: impl Fn(P, &mut Scratch) -> R + Sync,
    ) -> Result<Vec<R>, scratch::OutOfMemory> {
        let mut all = Vec::new();
        scratch::caught(|| all = self.team.map(parts, work))?;
        Ok(all)
    }

    /// The sum over the planes that make up brightness: of all samples, or of the differences from `before`.
    ///
    /// # Errors
    /// If an image is not on the host.
    pub fn sum<T: Measured + Sample>(&self, image: &Frame, before: Option<&Frame>, level: Level) -> Result<u64> {
        let format = image.format();
        let (image, before) = (image.host()?, before.map(Frame::host).transpose()?);
        let planes = 0..format.pixel.brightness_planes();
        let bands: Vec<_> = planes
            .flat_map(|index| {
                let (_, height) = format.plane_size(index);
                let rows = height.div_ceil(4 * self.threads());
                (0..height).step_by(rows).map(move |first| (index, first, rows.min(height - first)))
            })
            .collect();
        let band = |(index, first, count), _: &mut Scratch| {
            let before = before.map(|before| before.plane::<T>(index));
            measure::sum(level, image.plane::<T>(index), before, first, count)
        };
        Ok(self.team.map(bands, band).into_iter().sum())
    }

    /// The sums over the cells of an image, of the planes that make up brightness.
    ///
    /// # Errors
    /// If the image is not on the host.
    pub fn cells<T: Measured + Sample>(&self, image: &Frame, level: Level) -> Result<Vec<u32>> {
        let reduction = Reduction::of(image.format());
        let planes = image.format().pixel.brightness_planes();
        let image = image.host()?;
        let mut cells = vec![0; reduction.cells()];
        if cells.is_empty() {
            return Ok(cells);
        }
        let rows = reduction.rows.div_ceil(4 * self.threads());
        let shape = (reduction.log2_side, reduction.columns);
        let bands = cells.chunks_mut(rows * reduction.columns).enumerate().collect();
        self.team.share(bands, |(index, cells): (usize, &mut [u32]), _| {
            for plane in 0..planes {
                measure::add_cells(level, image.plane::<T>(plane), index * rows, shape, cells);
            }
        });
        Ok(cells)
    }
}
