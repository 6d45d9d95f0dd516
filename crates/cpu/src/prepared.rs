//! All passes, ready to run, whatever samples each of them takes and makes.

use std::sync::Arc;

use anyhow::{Context, Result, bail};

use super::operation::{Converting, Setting};
use super::plane::{Operand, PreparedPlane, Stage, finished};
use super::run::{Make, Workers};
use super::simd::{Level, Sample};
use crate::backend::Inputs;
use crate::frame::{self, BlockField, Format, Frame, Vector};
use crate::pass::{Op, Pass, PlaneOp};

/// A pass, ready to run, whatever its samples are.
pub trait PreparedPass: Send + Sync {
    /// As [`Workers::frame`].
    ///
    /// # Errors
    /// Likewise.
    fn frame(&self, workers: &mut Workers, inputs: &Inputs<'_, Frame>, centre: &Frame, make: Make<'_>)
    -> Result<Frame>;
    /// As [`Workers::motion`].
    fn motion(&self, workers: &Workers, blocks: &[BlockField], references: usize, to: &mut [Vector]);
}

impl<T: Sample, U: Sample> PreparedPass for Vec<PreparedPlane<T, U>> {
    fn frame(
        &self,
        workers: &mut Workers,
        inputs: &Inputs<'_, Frame>,
        centre: &Frame,
        make: Make<'_>,
    ) -> Result<Frame> {
        workers.frame(self, inputs, centre, make)
    }

    fn motion(&self, workers: &Workers, blocks: &[BlockField], references: usize, to: &mut [Vector]) {
        workers.motion(self, blocks, references, to);
    }
}

/// All passes, each on frames of its own format: one more format than passes, the last that of the frames that come out.
///
/// # Errors
/// If a pass does not fit the format or contradicts itself.
pub fn prepare(
    passes: &[Pass],
    formats: &[Arc<Format>],
    threads: usize,
    level: Level,
) -> Result<Vec<Box<dyn PreparedPass>>> {
    let pass = |(pass, formats): (&Pass, &[Arc<Format>])| {
        pass.check(&formats[0])?;
        let machine = (threads, level);
        match formats[0].pixel.sample {
            frame::Sample::U8 => onto::<u8>(pass, formats, machine),
            frame::Sample::U16 => onto::<u16>(pass, formats, machine),
            frame::Sample::F32 => onto::<f32>(pass, formats, machine),
        }
    };
    passes.iter().zip(formats.windows(2)).map(pass).collect()
}

/// A pass on samples `T`, by the type of those that come out.
fn onto<T: Operand>(pass: &Pass, formats: &[Arc<Format>], machine: (usize, Level)) -> Result<Box<dyn PreparedPass>> {
    let (format, to) = (&formats[0], formats[1].pixel.sample);
    if to == format.pixel.sample {
        let finished = |PlaneOp { op, after }: &PlaneOp, setting: &Setting| {
            T::stage(op, setting).and_then(|stage| finished(stage, after.as_ref(), setting.level))
        };
        return Ok(Box::new(planes(pass, format, machine, finished)?));
    }
    Ok(match to {
        frame::Sample::U8 => Box::new(planes(pass, format, machine, converted::<T, u8>)?),
        frame::Sample::U16 => Box::new(planes(pass, format, machine, converted::<T, u16>)?),
        frame::Sample::F32 => Box::new(planes(pass, format, machine, converted::<T, f32>)?),
    })
}

/// The stage of an operation that makes other samples.
fn converted<T: Sample, U: Sample>(plane: &PlaneOp, setting: &Setting) -> Result<Stage<T, U>> {
    match &plane.op {
        Op::Requantize(op) => Ok(Some(Converting::<T, U>::converting(op, setting))),
        Op::Colorspace(op) => Ok(Some(Converting::<T, U>::converting(op, setting))),
        op => bail!("{} does not convert samples", op.facts().kind()),
    }
}

/// The planes of a pass, with the stage that each gets.
fn planes<T: Sample, U: Sample>(
    pass: &Pass,
    format: &Format,
    (threads, level): (usize, Level),
    staged: impl Fn(&PlaneOp, &Setting) -> Result<Stage<T, U>>,
) -> Result<Vec<PreparedPlane<T, U>>> {
    let lead = |index: usize, plane: &PlaneOp| plane.op.facts().couples().then(|| pass.lead(format.pixel, index));
    let mut samples = vec![0; pass.planes.len()];
    for (index, plane) in pass.planes.iter().enumerate().filter(|(_, plane)| !matches!(plane.op, Op::Copy)) {
        let (width, height) = format.plane_size(index);
        samples[lead(index, plane).unwrap_or(index)] += width * height;
    }
    let all = samples.iter().sum::<usize>().max(1);
    let plane = |(index, plane): (usize, &PlaneOp)| {
        let op = &plane.op;
        // Planes are made at the same time, each by as many of the threads as it is large: bands of chroma are as high as those of luma.
        let threads = (threads * samples[index]).div_ceil(all).max(1);
        let setting = Setting { format, plane: index, threads, level, reach: pass.reach() };
        let lead = lead(index, plane);
        let stage = match lead {
            Some(lead) if lead != index => Ok(None),
            _ => staged(plane, &setting),
        };
        let stage = stage.with_context(|| format!("{}, plane {index}", pass.name))?;
        let neutral = vec![T::of(format.pixel.neutral(index)); setting.width()];
        let guide = op.facts().guide().map(|guide| guide.plane);
        Ok(PreparedPlane { neutral, stage, guide, lead })
    };
    pass.planes.iter().enumerate().map(plane).collect()
}
