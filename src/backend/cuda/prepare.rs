//! Passes made ready for a kind of GPU, before one is open.

use std::sync::Arc;

use anyhow::{Context, Result};

use crate::frame::Format;
use crate::pass::Pass;

use super::compile::{Cache, Compiler};
use super::device::Properties;
use super::library::Nvrtc;
use super::program::Program;

/// Passes as machine code for one kind of GPU and frames of one format.
pub struct Prepared {
    pub(super) passes: Arc<[Pass]>,
    pub(super) format: Arc<Format>,
    pub(super) programs: Vec<Program>,
    pub(super) cubins: Vec<Vec<u8>>,
}

impl Properties {
    /// Compiles all passes for this kind of GPU, which need not be open yet: some tenths of a second for passes that
    /// this user has not run before, and some milliseconds for the others.
    ///
    /// # Errors
    /// If there is no NVRTC, or a pass does not fit the format.
    pub fn prepare(&self, passes: &Arc<[Pass]>, format: &Arc<Format>) -> Result<Prepared> {
        let nvrtc = Nvrtc::find(Some(self.driver / 1000), Some(self.arch()))?;
        let target = nvrtc.target(self.arch()).context("NVRTC does not compile for this GPU")?;
        let program = |pass: &Pass| {
            pass.check(format)?;
            Ok(Program::new(pass, format.pixel, self.limits))
        };
        let programs = passes.iter().map(program).collect::<Result<Vec<_>>>()?;
        let cubins = Compiler::new(&nvrtc, target, Cache::of_user()).cubins(&programs);
        let named = |(cubin, pass): (Result<_>, &Pass)| cubin.with_context(|| format!("prepare {}", pass.name));
        let cubins = cubins.into_iter().zip(passes.iter()).map(named).collect::<Result<Vec<_>>>()?;
        Ok(Prepared { passes: passes.clone(), format: format.clone(), programs, cubins })
    }
}
