//! What a GPU and its bus can do at best, measured with plain copies and the kernels of `kernels/limit.cu`.

use std::ffi::c_void;
use std::time::{Duration, Instant};

use anyhow::{Context, Result};
use cudarc::driver::sys::CUdevice_attribute as Attribute;
use cudarc::driver::{CudaFunction, result};

use crate::frame::Memory;

use super::device::Device;
use super::error::Explained;
use super::kernel::Kernels;
use super::library::Nvrtc;
use super::memory::{DeviceBuffer, Pinned};
use super::stream::{StreamRole, Streams, Timed};
pub use crate::backend::DeviceLimits;

/// The device code, for whoever compiles it without a GPU.
pub const SOURCE: &str = include_str!("../kernels/limit.cu");

/// A limit is the best of at least this many tries.
const TRIES: usize = 4;
/// A GPU that has rested takes some tenths of a second to raise its clock.
const AWAKE: Duration = Duration::from_millis(150);
/// Blocks that take turns.
const BLOCKS: usize = 4;
/// Far more than the caches hold.
const LARGE_BYTES: usize = 128 << 20;
const PIECE_BYTES: usize = 64 << 10;
/// Bytes over the bus in one try.
const TRY_BYTES: usize = 1 << 30;

/// Measures; blocks for about a second. `block_bytes` is the size of a frame.
///
/// # Errors
/// If there is no NVRTC, memory runs out, or the device fails.
pub fn measure(device: &Device, block_bytes: usize) -> Result<DeviceLimits> {
    device.bind()?;
    let block_bytes = block_bytes.max(1);
    let meter = LimitMeter { device, streams: Streams::new(device, Timed::Yes)? };
    let buffers =
        |bytes: usize| (0..2 * BLOCKS).map(|_| DeviceBuffer::new(&device.context, bytes)).collect::<Result<Vec<_>>>();
    let copy_gb_s =
        meter.device_copies(&buffers(LARGE_BYTES)?, 16)?.max(meter.device_copies(&buffers(block_bytes)?, 200)?);
    let Rates { real_gop_s, word_gop_s, dot8_gop_s, dot16_gop_s, launch_us } = meter.kernels()?;

    let on_device = buffers(block_bytes.max(PIECE_BYTES))?;
    let hosts = (0..2 * BLOCKS)
        .map(|_| Pinned::new(&device.context, block_bytes.max(PIECE_BYTES)))
        .collect::<Result<Vec<_>>>()?;
    let mut up = hosts;
    let mut down = up.split_off(BLOCKS);
    let (up_buffers, down_buffers) = on_device.split_at(BLOCKS);
    let one_way = |streams: &[StreamRole], down: &mut [Pinned], bytes| {
        meter.bus(streams, &up, down, up_buffers, down_buffers, bytes)
    };
    let pinned_up_gb_s = one_way(&[StreamRole::Upload], &mut down, block_bytes)?;
    let pinned_down_gb_s = one_way(&[StreamRole::Download], &mut down, block_bytes)?;
    let duplex_gb_s = one_way(&[StreamRole::Upload, StreamRole::Download], &mut down, block_bytes)?;
    let piece_up_gb_s = one_way(&[StreamRole::Upload], &mut down, PIECE_BYTES)?;
    let (pageable_up_gb_s, pageable_down_gb_s) = pageable(&on_device[0], block_bytes)?;
    Ok(DeviceLimits {
        copy_gb_s,
        real_gop_s,
        integer_gop_s: dot8_gop_s,
        dot16_gop_s,
        word_gop_s,
        launch_us,
        block_bytes,
        pinned_up_gb_s,
        pinned_down_gb_s,
        duplex_gb_s,
        piece_up_gb_s,
        pageable_up_gb_s,
        pageable_down_gb_s,
    })
}

/// What the kernels do: 10⁹ operations a second, and microseconds a launch.
struct Rates {
    real_gop_s: f64,
    word_gop_s: f64,
    dot8_gop_s: f64,
    dot16_gop_s: f64,
    launch_us: f64,
}

struct LimitMeter<'a> {
    device: &'a Device,
    streams: Streams,
}

impl LimitMeter<'_> {
    /// The least milliseconds that `work`, put into the compute stream, takes.
    fn least_ms(&self, mut work: impl FnMut() -> Result<()>) -> Result<f64> {
        let (started, mut tries, mut best) = (Instant::now(), 0, f64::INFINITY);
        while tries < TRIES || started.elapsed() < AWAKE {
            let begin = self.streams.record(StreamRole::Compute)?;
            work()?;
            let end = self.streams.record(StreamRole::Compute)?;
            end.wait()?;
            best = best.min(end.ms_since(&begin)?);
            tries += 1;
        }
        Ok(best)
    }

    fn device_copies(&self, buffers: &[DeviceBuffer], copies: usize) -> Result<f64> {
        let bytes = buffers[0].bytes;
        let ms = self.least_ms(|| {
            for i in 0..copies {
                let (from, to) = (&buffers[i % BLOCKS], &buffers[BLOCKS + i % BLOCKS]);
                // SAFETY: both buffers have the length and outlive the work, which is waited for.
                unsafe {
                    result::memcpy_dtod_async(to.address, from.address, bytes, self.streams.raw(StreamRole::Compute))
                }
                .explain()?;
            }
            Ok(())
        })?;
        Ok(2.0 * (bytes * copies) as f64 / (ms * 1e6))
    }

    /// GB/s each way of copies in all of `streams` at once.
    fn bus(
        &self,
        streams: &[StreamRole],
        up: &[Pinned],
        down: &mut [Pinned],
        up_buffers: &[DeviceBuffer],
        down_buffers: &[DeviceBuffer],
        bytes: usize,
    ) -> Result<f64> {
        let copies = (TRY_BYTES / bytes).clamp(8, 4096);
        let mut best = 0.0f64;
        for _ in 0..TRIES {
            self.streams.drain()?;
            let started = Instant::now();
            for i in (0..copies).map(|i| i % BLOCKS) {
                for &stream in streams {
                    // SAFETY: every block and buffer has the length, and outlives the copies, which are drained below;
                    // nothing reads the blocks meanwhile.
                    let copy = unsafe {
                        match stream {
                            StreamRole::Download => result::memcpy_dtoh_async(
                                &mut down[i].bytes_mut()[..bytes],
                                down_buffers[i].address,
                                self.streams.raw(stream),
                            ),
                            _ => result::memcpy_htod_async(
                                up_buffers[i].address,
                                &up[i].bytes()[..bytes],
                                self.streams.raw(stream),
                            ),
                        }
                    };
                    copy.explain()?;
                }
            }
            self.streams.drain()?;
            best = best.max((copies * bytes) as f64 / started.elapsed().as_secs_f64() / 1e9);
        }
        Ok(best)
    }

    fn kernels(&self) -> Result<Rates> {
        const THREADS: u32 = 256;
        const CHAINS: usize = 16;
        let device = self.device;
        let nvrtc = Nvrtc::find(Some(device.driver / 1000), Some(device.arch()))?;
        let target = nvrtc.target(device.arch()).context("NVRTC cannot compile for this GPU")?;
        let cubin = nvrtc.compile("limit.cu", SOURCE, &options(target))?;
        let kernels = Kernels::load(device, cubin)?;
        let processors = device.context.attribute(Attribute::CU_DEVICE_ATTRIBUTE_MULTIPROCESSOR_COUNT).explain()?;
        let blocks = 16 * processors.max(1) as u32;
        let out = DeviceBuffer::new(&device.context, (blocks * THREADS) as usize * 4)?;

        let (mut address, mut rounds) = (out.address, 4096i32);
        let (mut real, mut real_term, mut whole, mut term, mut weights) =
            (0.999f32, 0.1f32, 3i32, 1i32, 0x0102_0304i32);
        let products = blocks as usize * THREADS as usize * CHAINS * rounds as usize;
        // Products that one step sums, each a multiplication and an addition.
        let mut rate = |name: &str, width: usize, middle: &mut [*mut c_void]| -> Result<f64> {
            let mut arguments = vec![pointer(&mut address)];
            arguments.extend_from_slice(middle);
            arguments.push(pointer(&mut rounds));
            let ms = self.timed(&kernels.function(name)?, blocks, THREADS, 1, &mut arguments)?;
            Ok((2 * width * products) as f64 / (ms * 1e6))
        };
        let real_gop_s = rate("real", 1, &mut [pointer(&mut real), pointer(&mut real_term)])?;
        let word_gop_s = rate("word", 1, &mut [pointer(&mut whole), pointer(&mut term)])?;
        let dot8_gop_s = rate("dot8", 4, &mut [pointer(&mut weights)])?;
        let dot16_gop_s = rate("dot16", 2, &mut [pointer(&mut weights)])?;
        const LAUNCHES: usize = 2000;
        let nothing_ms = self.timed(&kernels.function("nothing")?, 1, 32, LAUNCHES, &mut [])?;
        let launch_us = nothing_ms * 1e3 / LAUNCHES as f64;
        Ok(Rates { real_gop_s, word_gop_s, dot8_gop_s, dot16_gop_s, launch_us })
    }

    fn timed(
        &self,
        function: &CudaFunction,
        blocks: u32,
        threads: u32,
        launches: usize,
        arguments: &mut [*mut c_void],
    ) -> Result<f64> {
        self.least_ms(|| {
            for _ in 0..launches {
                // SAFETY: the arguments are those of the kernel, live through the call, and the memory that they name
                // holds one number a thread and is waited for before it is freed.
                let launched = unsafe {
                    let stream = self.streams.raw(StreamRole::Compute);
                    result::launch_kernel(function.cu_function(), (blocks, 1, 1), (threads, 1, 1), 0, stream, arguments)
                };
                launched.explain()?;
            }
            Ok(())
        })
    }
}

/// What the kernels are compiled with.
pub fn options(target: i32) -> Vec<String> {
    vec![format!("--gpu-architecture=sm_{target}"), "--fmad=false".into(), "--std=c++17".into()]
}

fn pointer<T>(value: &mut T) -> *mut c_void {
    std::ptr::from_mut(value).cast()
}

/// GB/s between ordinary memory and the GPU, there and back.
fn pageable(buffer: &DeviceBuffer, bytes: usize) -> Result<(f64, f64)> {
    let mut host = vec![1u8; bytes];
    let copies = (TRY_BYTES / 4 / bytes).clamp(4, 1024);
    let (mut up, mut down) = (0.0f64, 0.0f64);
    let rate = |started: Instant| (copies * bytes) as f64 / started.elapsed().as_secs_f64() / 1e9;
    for _ in 0..TRIES {
        let started = Instant::now();
        for _ in 0..copies {
            // SAFETY: the buffer holds the bytes, and the call returns when they are copied.
            unsafe { result::memcpy_htod_sync(buffer.address, &host) }.explain()?;
        }
        // What is small may still be under way when the call returns.
        result::ctx::synchronize().explain()?;
        up = up.max(rate(started));
        let started = Instant::now();
        for _ in 0..copies {
            // SAFETY: as above.
            unsafe { result::memcpy_dtoh_sync(&mut host, buffer.address) }.explain()?;
        }
        down = down.max(rate(started));
    }
    Ok((up, down))
}
