//! What is asked about windows before their pass runs: the counts of `kernels/survey.cu`.

use std::sync::Arc;

use anyhow::{Context, Result};
use bytemuck::{Pod, Zeroable};
use cudarc::driver::CudaFunction;

use crate::frame::Format;
use crate::pass::{FieldPair, Fieldmatch, Questions, Scan};

use super::answer::{AnswerMemory, AnswerSlot};
use super::device::Device;
use super::image::Image;
use super::kernel::{Kernels, queue};
use super::launch::SourcePlane;
use super::stream::{StreamRole, Streams};

const THREADS: usize = 256;
/// Columns of a tile.
const WIDTH: usize = 64;
/// Rows of a tile of compared fields, of which every other row of the plane is one.
const HALVES: usize = 16;
/// Rows of a tile in which combs are counted.
const COMB_ROWS: usize = 32;
/// More blocks than these take turns: a GPU does not run more of them at a time.
const MOST_BLOCKS: usize = 1024;

/// All arguments of a launch; `Launch` in `kernels/survey.cu`.
#[repr(C)]
#[derive(Clone, Copy, Zeroable, Pod)]
struct Arguments {
    frames: [[SourcePlane; 3]; 3],
    width: [u32; 3],
    height: [u32; 3],
    planes: u32,
    top: u32,
    pair: [u32; 2],
    band: [[u32; 2]; 3],
    other: u32,
    rows: u32,
    threshold: i32,
    across: u32,
    down: u32,
    cells: u32,
    cell_rows: u32,
    unused: u32,
    smaller: [[u32; 2]; 3],
    counts: u64,
    answers: u64,
}

/// The kernels, and the memory that they write to.
pub(super) struct Surveyor {
    op: Fieldmatch,
    format: Arc<Format>,
    compare: CudaFunction,
    difference: CudaFunction,
    combs: CudaFunction,
    most: CudaFunction,
    /// Half boxes are counted on the way.
    memory: AnswerMemory,
}

/// A window that is looked at.
pub(super) struct SurveyedWindow<'a> {
    /// The frame before, the frame, and the frame after.
    pub(super) images: [&'a Image; 3],
    pub(super) scan: Scan,
    pub(super) questions: Questions,
}

impl Surveyor {
    /// Compiles the kernels, or finds them in the user's cache.
    pub(super) fn new(device: &Device, format: &Arc<Format>, op: &Fieldmatch) -> Result<Self> {
        let kernels = Kernels::new(device, |compiler| compiler.survey(format.pixel))?;
        let [cells, rows] = half_boxes(format, op);
        let memory = AnswerMemory::new(device, cells * rows * size_of::<u32>())?;
        Ok(Self {
            op: *op,
            format: format.clone(),
            compare: kernels.function("survey_compare")?,
            difference: kernels.function("survey_difference")?,
            combs: kernels.function("survey_combs")?,
            most: kernels.function("survey_most")?,
            memory,
        })
    }

    /// Memory on the GPU.
    pub(super) fn bytes(&self) -> usize {
        self.memory.bytes()
    }

    /// Starts to count, in the compute stream, which has been told to wait for the images. The answers are in the slot when an
    /// event that is recorded after this is done.
    pub(super) fn start(&self, device: &Device, streams: &Streams, window: &SurveyedWindow<'_>) -> Result<AnswerSlot> {
        let mut slot = self.memory.begin(device, streams)?;
        for question in window.questions.each() {
            self.ask(streams, window, question)?;
        }
        self.memory.end(streams, &mut slot)?;
        Ok(slot)
    }

    fn ask(&self, streams: &Streams, window: &SurveyedWindow<'_>, question: Questions) -> Result<()> {
        let mut arguments = self.arguments(window, question);
        let at = |all: &[Questions]| all.iter().position(|known| *known == question);
        let (width, height) = self.format.plane_size(0);
        let [columns, rows] = [arguments.cells as usize, arguments.cell_rows as usize];
        if let Some(pair) = at(&Questions::COMPARES) {
            let places = FieldPair::COMPARED[pair].map(|pair| (pair.place() + 1) as u32);
            arguments.pair = places;
            let planes = self.planes(self.op.mchroma);
            let halves = height.saturating_sub(1) / 2;
            let grid = [width.div_ceil(WIDTH), halves.div_ceil(HALVES).max(1), planes];
            return launch(streams, &self.compare, grid, arguments);
        }
        if let Some(after) = at(&Questions::DIFFERENCES) {
            arguments.pair = [1, 2 * after as u32];
            let blocks = height.div_ceil(THREADS / 32).min(MOST_BLOCKS);
            return launch(streams, &self.difference, [blocks, 1, 1], arguments);
        }
        let pair = at(&Questions::COMBS).context("a question that has kernels")?;
        let pair = FieldPair::ALL[pair];
        let [is_top, _] = self.op.fields(window.scan.fields[1]);
        if let Some(weave) = pair.weave(is_top) {
            (arguments.other, arguments.rows) = ((pair.place() + 1) as u32, weave.rows as u32);
        }
        self.memory.clear_counts(streams, columns * rows * size_of::<u32>())?;
        let grid = [width.div_ceil(WIDTH), height.div_ceil(COMB_ROWS), 1];
        launch(streams, &self.combs, grid, arguments)?;
        let blocks = (columns * rows).div_ceil(THREADS).clamp(1, MOST_BLOCKS);
        launch(streams, &self.most, [blocks, 1, 1], arguments)
    }

    /// Planes of colour, of which the first alone is looked at unless `all`.
    fn planes(&self, all: bool) -> usize {
        let pixel = self.format.pixel;
        if all { pixel.planes() - usize::from(pixel.alpha) } else { 1 }
    }

    fn arguments(&self, window: &SurveyedWindow<'_>, question: Questions) -> Arguments {
        let Self { op, format, .. } = self;
        let [is_top, _] = op.fields(window.scan.fields[1]);
        let half = op.block.map(|size| size / 2);
        let [cells, cell_rows] = half_boxes(format, op);
        let mut arguments = Arguments {
            planes: self.planes(op.chroma) as u32,
            top: is_top.into(),
            band: [[1, 0]; 3],
            other: 1,
            threshold: op.cthresh,
            across: half[0].trailing_zeros(),
            down: half[1].trailing_zeros(),
            cells: cells as u32,
            cell_rows: cell_rows as u32,
            counts: self.memory.counts(),
            answers: self.memory.answers(question),
            ..Arguments::zeroed()
        };
        for plane in 0..self.planes(true) {
            let (width, height) = format.plane_size(plane);
            let (across, down) = format.pixel.subsampling(plane);
            (arguments.width[plane], arguments.height[plane]) = (width as u32, height as u32);
            arguments.smaller[plane] = [across.into(), down.into()];
            if op.band[0] != op.band[1] {
                arguments.band[plane] = op.band.map(|row| row >> down);
            }
            for (sources, image) in arguments.frames.iter_mut().zip(window.images) {
                sources[plane] = image.source(plane);
            }
        }
        arguments
    }
}

/// How many half boxes there are across and down.
fn half_boxes(format: &Format, op: &Fieldmatch) -> [usize; 2] {
    let (width, height) = format.plane_size(0);
    let [x, y] = op.block.map(|size| size as usize / 2);
    [width.div_ceil(x), height.div_ceil(y)]
}

fn launch(streams: &Streams, function: &CudaFunction, grid: [usize; 3], arguments: Arguments) -> Result<()> {
    // SAFETY: all kernels take one argument by value, of the layout of `Arguments`, which the driver copies before it returns.
    // The images' buffers rest no earlier than the event that the surveyor's caller records, and hold planes of the format's
    // size; the surveyor's memory holds the answers and as many counts as there are half boxes, and is used in this stream
    // alone.
    unsafe { queue(streams.raw(StreamRole::Compute), function, grid, [THREADS, 1], arguments) }
}

// As the kernels lay them out.
const _: () = assert!(size_of::<Arguments>() == 280 && size_of::<SourcePlane>() == 16);
