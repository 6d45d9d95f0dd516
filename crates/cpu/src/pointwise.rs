//! Samples one by one: tables of integers, steps on floats.

use std::array::from_fn;

use anyhow::{Context, Result};

use super::operation::{Setting, Staged};
use super::scratch::Scratch;
use super::simd::{Level, Sample, Simd, quiet};
use super::walk::{Band, BandFilter, Banded, PlaneStage};
use super::window::PlaneWindow;
use crate::frame::Vector;
use crate::pass::{self, PointStep};

/// Samples, and how one becomes another.
pub trait Map: Sample {
    /// All that has to be known for it.
    type Table: Send + Sync;

    /// The table of an op; `None` if it is for another sample type.
    fn table(op: &pass::Pointwise) -> Option<Self::Table>;
    /// What becomes of a row.
    fn map<S: Simd>(simd: S, table: &Self::Table, from: &[Self], to: &mut [Self]);
}

/// What sample `i` becomes: beyond the end of the op's table, what its last entry says.
fn entry(op: &pass::Pointwise, i: usize) -> Option<u16> {
    match op {
        pass::Pointwise::Table(table) => table.get(i).or(table.last()).copied(),
        pass::Pointwise::Steps { .. } => None,
    }
}

impl Map for u8 {
    type Table = [u8; 256];

    fn table(op: &pass::Pointwise) -> Option<[u8; 256]> {
        entry(op, 0)?;
        Some(from_fn(|i| entry(op, i).unwrap_or(0) as u8))
    }

    #[inline(always)]
    fn map<S: Simd>(simd: S, table: &[u8; 256], from: &[u8], to: &mut [u8]) {
        simd.look_up(table, from, to);
    }
}

impl Map for u16 {
    type Table = Vec<u16>;

    fn table(op: &pass::Pointwise) -> Option<Vec<u16>> {
        (0..1 << 16).map(|i| entry(op, i)).collect()
    }

    #[inline(always)]
    fn map<S: Simd>(_: S, table: &Vec<u16>, from: &[u16], to: &mut [u16]) {
        let table = &table[..1 << 16];
        to.iter_mut().zip(from).for_each(|(to, &from)| *to = table[usize::from(from)]);
    }
}

/// Steps on floats.
pub struct Steps {
    steps: Vec<PointStep>,
    wet: f32,
    dry: f32,
}

impl Map for f32 {
    type Table = Steps;

    fn table(op: &pass::Pointwise) -> Option<Steps> {
        match op {
            pass::Pointwise::Table(_) => None,
            pass::Pointwise::Steps { steps, wet, dry } => Some(Steps { steps: steps.clone(), wet: *wet, dry: *dry }),
        }
    }

    #[inline(always)]
    fn map<S: Simd>(_: S, table: &Steps, from: &[f32], to: &mut [f32]) {
        to.copy_from_slice(from);
        for step in &table.steps {
            to.iter_mut().for_each(|v| *v = step.apply(*v));
        }
        to.iter_mut().for_each(|v| *v *= table.wet);
        if table.dry != 0.0 {
            to.iter_mut().zip(from).for_each(|(v, &sample)| *v += sample * table.dry);
        }
        to.iter_mut().for_each(|v| *v = quiet(*v));
    }
}

/// A plane whose samples are mapped.
pub struct Pointwise<T: Map> {
    table: T::Table,
}

/// An op's stage, and what becomes of its finished samples: band by band, while they are in the cache.
pub struct Finished<T: Map> {
    stage: Box<dyn PlaneStage<T>>,
    table: T::Table,
    level: Level,
}

impl<T: Map> Finished<T> {
    /// After a stage; `None` if the op is for other samples.
    pub fn new(stage: Box<dyn PlaneStage<T>>, op: &pass::Pointwise, level: Level) -> Option<Self> {
        Some(Self { stage, table: T::table(op)?, level })
    }
}

impl<T: Map> Banded<T> for Finished<T> {
    fn level(&self) -> Level {
        self.level
    }

    fn ahead(&self) -> Option<(usize, usize)> {
        self.stage.ahead()
    }

    fn prepare<S: Simd>(&self, _: S, window: &PlaneWindow<T>, row: usize, lines: &mut [u8], scratch: &mut Scratch) {
        self.stage.prepare(window, row, lines, scratch);
    }

    fn band_rows(&self) -> usize {
        self.stage.band_rows()
    }

    fn motion(&self, ahead: &[u8], to: &mut [Vector]) {
        self.stage.motion(ahead, to);
    }

    #[inline(always)]
    fn band<S: Simd>(&self, simd: S, band: Band<T>) {
        const PIECE: usize = 512;
        let Band { window, ahead, first, mut out, scratch } = band;
        self.stage.band(window, ahead, first, out.reborrow(), scratch);
        let mut before = [T::zeroed(); PIECE];
        for y in 0..out.height {
            for piece in out.row_mut(y).chunks_mut(PIECE) {
                let before = &mut before[..piece.len()];
                before.copy_from_slice(piece);
                T::map(simd, &self.table, before, piece);
            }
        }
    }
}

impl<T: Map> BandFilter<T> for Pointwise<T> {
    #[inline(always)]
    fn band<S: Simd>(&self, simd: S, band: Band<T>) {
        let Band { window, first, mut out, .. } = band;
        for y in 0..out.height {
            T::map(simd, &self.table, window.centre(first + y), out.row_mut(y));
        }
    }
}

impl<T: Map> Staged<T> for pass::Pointwise {
    fn stage(&self, setting: &Setting) -> Result<Box<dyn PlaneStage<T>>> {
        let table = T::table(self).context("it is for another sample type")?;
        Ok(setting.bands(Pointwise { table }))
    }
}
