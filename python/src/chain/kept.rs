//! Stages of a chain, made where they are needed and kept for the next call.

use std::mem;
use std::process;
use std::sync::atomic::Ordering;
use std::sync::{Arc, PoisonError};

use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;
use warpreel::frame::Format;
use warpreel::job::{Choice, FieldPlan, Request};

use super::Chain;
use crate::error::{raised, refused};
use crate::stage::Stage;

impl Chain {
    /// As many stages are kept; each has memory of its own.
    const IDLE: usize = 4;

    /// A stage for frames of a format. Blocks while it is prepared.
    ///
    /// # Errors
    /// If the chain does not fit the format, or the backend cannot be had.
    pub fn stage(&self, format: &Format) -> PyResult<Stage> {
        let mut idle = self.idle.lock().unwrap_or_else(PoisonError::into_inner);
        // A process that was forked has none of the threads of its parent's stages, which are left alone.
        if self.process.swap(process::id(), Ordering::Relaxed) != process::id() {
            mem::forget(mem::take(&mut *idle));
        }
        let found = idle.iter().rposition(|stage| **stage.format() == *format);
        if let Some(index) = found {
            return Ok(idle.swap_remove(index));
        }
        drop(idle);
        Stage::new(self.planned(format)?, self.machine).map_err(raised)
    }

    /// What becomes of the chain for a format.
    pub(super) fn planned(&self, format: &Format) -> PyResult<FieldPlan> {
        let request = Request { fields: self.fields, ..Request::default() };
        let planned = FieldPlan::of(&self.filters, &Arc::new(format.clone()), &request).map_err(refused)?;
        planned.plan.check_one_for_one("a filter of frames and arrays").map_err(refused)?;
        Ok(planned)
    }

    /// A stage for frames where they lie: on the GPU of that number, or on the host. Blocks while it is prepared.
    ///
    /// # Errors
    /// As [`Chain::stage`] and [`Chain::stage_on_device`].
    pub fn stage_at(&self, format: &Format, gpu: Option<usize>) -> PyResult<Stage> {
        gpu.map_or_else(|| self.stage(format), |number| self.stage_on_device(format, number))
    }

    /// Keeps such a stage for the next call.
    pub fn give_back_at(&self, stage: Stage, gpu: Option<usize>) {
        match gpu {
            Some(number) => self.give_back_on_device(stage, number),
            None => self.give_back(stage),
        }
    }

    /// Keeps a stage for the next call.
    pub fn give_back(&self, stage: Stage) {
        let mut idle = self.idle.lock().unwrap_or_else(PoisonError::into_inner);
        idle.push(stage);
        let surplus = (idle.len() > Self::IDLE).then(|| idle.remove(0));
        drop(idle);
        drop(surplus);
    }

    /// A stage for frames that lie on a GPU. Blocks while it is prepared.
    ///
    /// # Errors
    /// If the chain does not fit the format, or is for the CPU.
    pub fn stage_on_device(&self, format: &Format, number: usize) -> PyResult<Stage> {
        if self.machine.choice == Choice::Cpu {
            let message = format!("backend=\"cpu\" needs arrays on the host, got one on GPU {number}");
            return Err(PyValueError::new_err(message));
        }
        let mut idle = self.idle_on_device.lock().unwrap_or_else(PoisonError::into_inner);
        let found = idle.iter().rposition(|(device, stage)| *device == number && **stage.format() == *format);
        if let Some(index) = found {
            return Ok(idle.swap_remove(index).1);
        }
        drop(idle);
        Stage::on_device(&self.planned(format)?, number).map_err(raised)
    }

    /// Keeps such a stage for the next call.
    pub fn give_back_on_device(&self, stage: Stage, number: usize) {
        let mut idle = self.idle_on_device.lock().unwrap_or_else(PoisonError::into_inner);
        idle.push((number, stage));
        let surplus = (idle.len() > Self::IDLE).then(|| idle.remove(0));
        drop(idle);
        drop(surplus);
    }
}
