//! The classical rungs of a 2-D kernel, from `kernels/ladder.cu`: compiled, run and timed for `bench ladder`.

use std::ffi::c_void;

use anyhow::{Context, Result, ensure};
use bytemuck::{Pod, Zeroable};
use cudarc::driver::{CudaFunction, result};

use crate::pass::{Arithmetic, Border, Dense};

use super::device::Device;
use super::error::Explained;
use super::kernel::Kernels;
use super::library::Nvrtc;
use super::limit;
use super::memory::DeviceBuffer;
use super::stream::{StreamRole, Streams, Timed};

/// The device code, for whoever compiles it without a GPU.
pub const SOURCE: &str = include_str!("../kernels/ladder.cu");

/// The rungs, slowest first as the textbook has them.
pub const RUNGS: [&str; 4] = ["basic", "constant", "tiled", "cached"];

/// The most taps along an axis: with their halo, tiles still fit into the shared memory that every block has.
pub const LARGEST: usize = 127;

const TILE: (u32, u32) = (32, 16);

/// `Plane` in `kernels/ladder.cu`.
#[repr(C)]
#[derive(Clone, Copy, Zeroable, Pod)]
struct LadderPlane {
    samples: u64,
    width: i32,
    height: i32,
}

/// What the compiler is told of a kernel.
///
/// # Errors
/// If it is not one kernel of one frame, or too large.
pub fn defines(op: &Dense) -> Result<Vec<String>> {
    let [kernel] = &op.kernels[..] else { anyhow::bail!("the ladder takes one kernel, not {}", op.kernels.len()) };
    let [frames, height, width] = kernel.size;
    ensure!(frames == 1, "the ladder takes kernels of one frame, not of {frames}");
    ensure!(
        width.max(height) <= LARGEST,
        "the ladder takes kernels of up to {LARGEST} taps a side, not {width}x{height}"
    );
    let (acc, taps): (_, Vec<String>) = match op.arithmetic {
        Arithmetic::Integer => ("int", kernel.weights.iter().map(|tap| format!("{}", *tap as i32)).collect()),
        Arithmetic::Real => ("float", kernel.weights.iter().map(|tap| format!("{tap:e}f")).collect()),
    };
    let border = match op.border {
        Border::Constant(_) => 0,
        Border::Clamp => 1,
        Border::Reflect101 => 2,
        Border::Reflect => 3,
        Border::Wrap => 4,
        Border::Lopsided => 5,
    };
    let [scale, dry, bias] = [op.finish.scale, op.finish.dry, op.finish.bias].map(f32::to_bits);
    Ok(vec![
        format!("-DKW={width}"),
        format!("-DKH={height}"),
        format!("-DAX={}", kernel.anchor[2]),
        format!("-DAY={}", kernel.anchor[1]),
        format!("-DACC={acc}"),
        format!("-DTAPS={}", taps.join(",")),
        format!("-DBORDER={border}"),
        format!("-DOUTSIDE={}", op.border.constant() as i32),
        format!("-DSCALE={scale:#x}u"),
        format!("-DDRY={dry:#x}u"),
        format!("-DBIAS={bias:#x}u"),
    ])
}

/// The rungs of one kernel, ready to run on planes of one size.
pub struct Ladder {
    device: Device,
    streams: Streams,
    kernels: Kernels,
    taps: DeviceBuffer,
    width: usize,
    height: usize,
    planes: Vec<DeviceBuffer>,
    out: Vec<DeviceBuffer>,
}

impl Ladder {
    /// Compiles the rungs, and brings `planes` of `width · height` samples to the GPU, which take turns.
    ///
    /// # Errors
    /// If the kernel is none for the ladder, there is no NVRTC, or memory runs out.
    pub fn new(device: &Device, op: &Dense, width: usize, height: usize, planes: &[Vec<u8>]) -> Result<Self> {
        ensure!(
            !planes.is_empty() && planes.iter().all(|plane| plane.len() == width * height),
            "a plane is missing or has another size"
        );
        device.bind()?;
        let nvrtc = Nvrtc::find(Some(device.driver / 1000), Some(device.arch()))?;
        let target = nvrtc.target(device.arch()).context("NVRTC cannot compile for this GPU")?;
        let mut options = limit::options(target);
        options.extend(defines(op)?);
        let cubin = nvrtc.compile("ladder.cu", SOURCE, &options)?;
        let weights = &op.kernels[0].weights;
        let words: Vec<u32> = match op.arithmetic {
            Arithmetic::Integer => weights.iter().map(|tap| *tap as i32 as u32).collect(),
            Arithmetic::Real => weights.iter().map(|tap| tap.to_bits()).collect(),
        };
        let place = |bytes: &[u8]| DeviceBuffer::holding(&device.context, bytes);
        Ok(Self {
            device: device.clone(),
            streams: Streams::new(device, Timed::Yes)?,
            kernels: Kernels::load(device, cubin)?,
            taps: place(bytemuck::cast_slice(&words))?,
            width,
            height,
            planes: planes.iter().map(|plane| place(plane)).collect::<Result<_>>()?,
            out: planes.iter().map(|plane| DeviceBuffer::new(&device.context, plane.len())).collect::<Result<_>>()?,
        })
    }

    /// What a rung makes of the first plane. Blocks.
    ///
    /// # Errors
    /// If there is no such rung or the device fails.
    pub fn run(&self, rung: &str) -> Result<Vec<u8>> {
        self.device.bind()?;
        let function = self.function(rung)?;
        let mut made = vec![0xA5; self.width * self.height];
        self.out[0].fill(&made)?;
        self.launch(&function, 0)?;
        self.streams.drain()?;
        // SAFETY: the buffer holds as many bytes, and the copy is done when the call returns.
        unsafe { result::memcpy_dtoh_sync(&mut made, self.out[0].address) }.explain()?;
        Ok(made)
    }

    /// Microseconds of a launch, the mean of each of `batches` batches of `launches`, by the GPU's clock. Blocks.
    ///
    /// # Errors
    /// As [`Ladder::run`].
    pub fn times_us(&self, rung: &str, batches: usize, launches: usize) -> Result<Vec<f64>> {
        self.device.bind()?;
        let function = self.function(rung)?;
        let batch = || {
            let begin = self.streams.record(StreamRole::Compute)?;
            for turn in 0..launches {
                self.launch(&function, turn % self.planes.len())?;
            }
            let end = self.streams.record(StreamRole::Compute)?;
            end.wait()?;
            Ok(end.ms_since(&begin)? * 1e3 / launches as f64)
        };
        batch()?;
        (0..batches).map(|_| batch()).collect()
    }

    fn function(&self, rung: &str) -> Result<CudaFunction> {
        self.kernels.function(rung)
    }

    fn launch(&self, function: &CudaFunction, turn: usize) -> Result<()> {
        let (width, height) = (self.width as i32, self.height as i32);
        let mut plane = LadderPlane { samples: self.planes[turn].address, width, height };
        let (mut out, mut taps) = (self.out[turn].address, self.taps.address);
        let pointers: &mut [*mut c_void] = &mut [
            std::ptr::from_mut(&mut plane).cast(),
            std::ptr::from_mut(&mut out).cast(),
            std::ptr::from_mut(&mut taps).cast(),
        ];
        let blocks = ((self.width as u32).div_ceil(TILE.0), (self.height as u32).div_ceil(TILE.1), 1);
        // SAFETY: the arguments are those of every rung; the planes hold width · height samples and the taps as many as
        // the kernel was compiled for, and all live until the stream is drained, which dropping a buffer waits for.
        let launched = unsafe {
            let stream = self.streams.raw(StreamRole::Compute);
            result::launch_kernel(function.cu_function(), blocks, (TILE.0, TILE.1, 1), 0, stream, pointers)
        };
        launched.explain()
    }
}
