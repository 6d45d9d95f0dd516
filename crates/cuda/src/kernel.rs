//! Kernels other than passes: a module of them, and queueing one. Each takes one argument by value, a struct of its own.

use std::ffi::c_void;
use std::sync::Arc;

use anyhow::{Context, Result};
use bytemuck::Pod;
use cudarc::driver::{CudaFunction, CudaModule, result, sys};
use cudarc::nvrtc::Ptx;

use super::compile::{Cache, Compiler};
use super::device::Device;
use super::error::Explained;
use super::library::Nvrtc;

/// Machine code on a GPU.
pub(super) struct Kernels(Arc<CudaModule>);

impl Kernels {
    /// Compiles them, or finds them in the user's cache.
    ///
    /// # Errors
    /// If there is no NVRTC, or the driver refuses the code.
    pub(super) fn new(device: &Device, compile: impl FnOnce(&Compiler) -> Result<Vec<u8>>) -> Result<Self> {
        let nvrtc = Nvrtc::find(Some(device.driver / 1000), Some(device.arch()))?;
        let target = nvrtc.target(device.arch()).context("NVRTC cannot compile for this GPU")?;
        let cubin = compile(&Compiler::new(&nvrtc, target, Cache::of_user()))?;
        device.bind()?;
        Self::load(device, cubin)
    }

    /// Brings machine code to a GPU whose context is bound.
    ///
    /// # Errors
    /// If the driver refuses the code.
    pub(super) fn load(device: &Device, cubin: Vec<u8>) -> Result<Self> {
        let module = device.context.load_module(Ptx::from_binary(cubin)).explain().context("load a kernel")?;
        Ok(Self(module))
    }

    /// The kernel of a name.
    ///
    /// # Errors
    /// If there is none.
    pub(super) fn function(&self, name: &str) -> Result<CudaFunction> {
        self.0.load_function(name).explain().with_context(|| format!("find kernel {name}"))
    }
}

/// Queues a kernel in a stream, in `grid` blocks of `threads` in x and y; nothing if there are none. Does not block.
///
/// # Errors
/// If the driver refuses.
///
/// # Safety
/// The stream must be live, and the kernel take one argument by value, of the layout of `A`. Addresses in it must be of memory as large
/// as the kernel reads and writes, which is kept until an event that the caller records in the stream after this, and that is used in
/// this stream alone or only read.
pub(super) unsafe fn queue<A: Pod>(
    stream: sys::CUstream,
    function: &CudaFunction,
    grid: [usize; 3],
    threads: [usize; 2],
    mut argument: A,
) -> Result<()> {
    if grid.contains(&0) {
        return Ok(());
    }
    let ([x, y, z], [across, down]) = (grid.map(|blocks| blocks as u32), threads.map(|threads| threads as u32));
    // SAFETY: the driver copies the argument before it returns; the caller vouches for the rest.
    let queued = unsafe {
        result::launch_kernel(
            function.cu_function(),
            (x, y, z),
            (across, down, 1),
            0,
            stream,
            &mut [std::ptr::from_mut(&mut argument).cast::<c_void>()],
        )
    };
    queued.explain()
}
