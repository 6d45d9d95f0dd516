//! Passes made ready for a kind of GPU, before one is open.

use std::sync::Arc;

use anyhow::{Context, Result};

use crate::frame::Format;
use crate::pass::{self, Pass};

use super::compile::{Cache, Compiler};
use super::device::Properties;
use super::library::Nvrtc;
use super::program::Program;

/// Passes as machine code for one kind of GPU and frames of one format.
pub struct Prepared {
    pub(super) format: Arc<Format>,
    pub(super) passes: Vec<CompiledPass>,
}

/// A pass and what was compiled for it.
pub(super) struct CompiledPass {
    pub(super) pass: Pass,
    pub(super) program: Program,
    pub(super) cubin: Vec<u8>,
}

impl Properties {
    /// Compiles all passes for this kind of GPU, which need not be open yet: some tenths of a second for passes that
    /// this user has not run before, and some milliseconds for the others.
    ///
    /// # Errors
    /// If there is a pass and no NVRTC, or a pass does not fit the format.
    pub fn prepare(&self, passes: &Arc<[Pass]>, format: &Arc<Format>) -> Result<Prepared> {
        if passes.is_empty() {
            return Ok(Prepared { format: format.clone(), passes: Vec::new() });
        }
        let nvrtc = Nvrtc::find(Some(self.driver / 1000), Some(self.arch()))?;
        let target = nvrtc.target(self.arch()).context("NVRTC cannot compile for this GPU")?;
        let formats = pass::formats(passes.iter(), format);
        let program = |(pass, format): (&Pass, &Arc<Format>)| {
            pass.check(format)?;
            Ok(Program::new(pass, format.pixel, self.limits))
        };
        let programs = passes.iter().zip(&formats).map(program).collect::<Result<Vec<_>>>()?;
        let cubins = Compiler::new(&nvrtc, target, Cache::of_user()).cubins(&programs);
        let compiled = |((pass, program), cubin): ((&Pass, _), Result<_>)| {
            let cubin = cubin.with_context(|| format!("prepare {}", pass.name))?;
            Ok(CompiledPass { pass: pass.clone(), program, cubin })
        };
        let passes = passes.iter().zip(programs).zip(cubins).map(compiled).collect::<Result<_>>()?;
        Ok(Prepared { format: format.clone(), passes })
    }
}
