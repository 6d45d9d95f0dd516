//! Measures the CUDA stage alone, pinned memory to pinned memory, beside plain copies of the same frames both ways.
//!
//! `cargo run --release --example device MODE [TEXT…]` prints a line for each kernel whose name holds one of the texts.
//! Modes: `copies`, `stage`, `kernels`, and `profile`, which only launches each a few times for a profiler to watch.

use std::collections::VecDeque;
use std::sync::Arc;
use std::time::{Duration, Instant};

use anyhow::{Context, Result};
use cudarc::driver::{CudaContext, result};
use warpreel::backend::cuda::{Device, Tracing};
use warpreel::backend::{Backend, Cuda};
use warpreel::frame::{Format, Frame, Layout, Pixel, Pool, Rational, Timing};
use warpreel::pass::{Arithmetic, Border, Combine, Dense, Finish, Kernel, Op, Pass, Separable, Taps, TimeBorder};

/// Frames of different content that take turns.
const FRAMES: usize = 12;

fn dense(size: [usize; 3], arithmetic: Arithmetic) -> Op {
    let count: usize = size.iter().product();
    let weight = |i: usize| match arithmetic {
        Arithmetic::Integer => (i * 7 % 11) as f32 - 3.0,
        Arithmetic::Real => (i * 7 % 11) as f32 * 0.0137 - 0.03,
    };
    let kernel = Kernel { size, anchor: size.map(|size| size / 2), weights: (0..count).map(weight).collect() };
    Op::Dense(Dense {
        kernels: vec![kernel],
        combine: Combine::Sum,
        arithmetic,
        border: Border::Reflect101,
        finish: Finish { scale: 1.0 / count as f32, ..Finish::PLAIN },
    })
}

fn separable([t, y, x]: [usize; 3], arithmetic: Arithmetic) -> Op {
    let taps = |count: usize| match (count, arithmetic) {
        (1, _) => Taps::identity(),
        (_, Arithmetic::Integer) => Taps { weights: vec![1.0; count], anchor: count / 2 },
        _ => Taps { weights: (0..count).map(|i| 1.0 / (i + count) as f32).collect(), anchor: count / 2 },
    };
    let scale = if arithmetic == Arithmetic::Integer { 1.0 / (t * y * x) as f32 } else { 1.0 };
    Op::Separable(Separable {
        t: taps(t),
        x: taps(x),
        y: taps(y),
        arithmetic,
        border: Border::Reflect101,
        finish: Finish { scale, ..Finish::PLAIN },
    })
}

fn ops() -> Vec<(String, Op)> {
    let mut ops = Vec::new();
    for (name, arithmetic) in [("integer", Arithmetic::Integer), ("real", Arithmetic::Real)] {
        for size in [3, 5, 7, 9, 15, 31] {
            ops.push((format!("dense {size}x{size} {name}"), dense([1, size, size], arithmetic)));
        }
        for size in [3, 5, 7] {
            ops.push((format!("dense {size}x{size}x{size} {name}"), dense([size; 3], arithmetic)));
        }
        for size in [7, 15, 31] {
            ops.push((format!("separable {size}+{size} {name}"), separable([1, size, size], arithmetic)));
        }
    }
    ops.push(("tmix 5".to_owned(), separable([5, 1, 1], Arithmetic::Integer)));
    ops.push(("copy".to_owned(), Op::Copy));
    ops
}

fn format(pixel: Pixel, width: usize, height: usize) -> Arc<Format> {
    Arc::new(Format::new(pixel, width, height, Rational::new(25, 1)))
}

fn frames(format: &Arc<Format>, pool: &Pool) -> Result<Vec<Frame>> {
    let mut state = 1u32;
    let mut made = Vec::new();
    for number in 0..FRAMES {
        // As pipes give them: for common sizes the rows are aligned all the same.
        let mut frame = pool.frame_in(format, Layout::packed(format))?;
        for byte in frame.bytes_mut() {
            state = state.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
            *byte = (state >> 24) as u8;
        }
        made.push(frame.freeze(Timing { number: number as u64, ..Timing::default() }));
    }
    Ok(made)
}

fn median(mut values: Vec<f64>) -> f64 {
    values.sort_by(f64::total_cmp);
    values[values.len() / 2]
}

/// Frames a second of plain copies, up and down at once.
fn copies(bytes: usize) -> Result<f64> {
    let context = CudaContext::new(0)?;
    let (up, down) = (context.new_stream()?, context.new_stream()?);
    let mut runs = Vec::new();
    // SAFETY: memory of the given size on both sides, kept until the streams are empty, and freed once.
    unsafe {
        let mut hosts = Vec::new();
        let mut devices = Vec::new();
        for _ in 0..2 * FRAMES {
            let host = result::malloc_host(bytes, 0)?.cast::<u8>();
            host.write_bytes(7, bytes);
            hosts.push(host);
            devices.push(result::malloc_sync(bytes)?);
        }
        let count = (20_000_000_000 / bytes).min(8000);
        for _ in 0..4 {
            let started = Instant::now();
            for i in 0..count {
                let (a, b) = (i % FRAMES, FRAMES + i % FRAMES);
                let from = std::slice::from_raw_parts(hosts[a], bytes);
                result::memcpy_htod_async(devices[a], from, up.cu_stream())?;
                let to = std::slice::from_raw_parts_mut(hosts[b], bytes);
                result::memcpy_dtoh_async(to, devices[b], down.cu_stream())?;
            }
            up.synchronize()?;
            down.synchronize()?;
            runs.push(count as f64 / started.elapsed().as_secs_f64());
        }
        for (host, device) in hosts.into_iter().zip(devices) {
            result::free_host(host.cast())?;
            result::free_sync(device)?;
        }
    }
    Ok(median(runs.split_off(1)))
}

fn stage(device: &Device, format: &Arc<Format>, op: &Op, in_flight: usize) -> Result<Cuda> {
    let pass =
        Pass { name: "measured".to_owned(), ops: vec![op.clone(); format.pixel.planes()], border_t: TimeBorder::Clamp };
    Cuda::new(device, &[pass], format, Pool::new(device.allocator()), in_flight, Tracing::Off)
}

/// Frames a second through the stage.
fn through(device: &Device, format: &Arc<Format>, op: &Op, in_flight: usize) -> Result<f64> {
    let pool = Pool::new(device.allocator());
    let frames = frames(format, &pool)?;
    let mut cuda = stage(device, format, op, in_flight)?;
    let reach = op.reach_t();
    let count = (12_000_000_000 / format.packed_bytes()).min(6000);
    let (mut runs, mut waited) = (Vec::new(), Duration::ZERO);
    for _ in 0..3 {
        let (mut window, mut pending) = (VecDeque::new(), VecDeque::new());
        let started = Instant::now();
        for i in 0..count {
            window.push_back(cuda.upload(frames[i % FRAMES].clone())?);
            if window.len() <= 2 * reach {
                continue;
            }
            let image = cuda.run(0, &window.iter().map(Some).collect::<Vec<_>>())?;
            window.pop_front();
            pending.push_back(cuda.download(image)?);
            if pending.len() > in_flight {
                let from = Instant::now();
                drop(cuda.wait(pending.pop_front().context("one is pending")?)?);
                waited += from.elapsed();
            }
        }
        for last in pending {
            drop(cuda.wait(last)?);
        }
        runs.push(count as f64 / started.elapsed().as_secs_f64());
    }
    let waited_us = waited.as_secs_f64() * 1e6 / (3 * count) as f64;
    log::debug!("{} bytes on the GPU, {waited_us:.1} us of waiting a frame", cuda.allocated_bytes());
    Ok(median(runs))
}

/// Milliseconds of one launch, from many in a row.
fn launch(device: &Device, format: &Arc<Format>, op: &Op, launches: usize) -> Result<f64> {
    let pool = Pool::new(device.allocator());
    let mut cuda = stage(device, format, op, 1)?;
    let images = frames(format, &pool)?.into_iter().map(|frame| cuda.upload(frame)).collect::<Result<Vec<_>>>()?;
    let window = 2 * op.reach_t() + 1;
    let mut runs = Vec::new();
    for _ in 0..5 {
        let started = Instant::now();
        let mut last = None;
        for i in 0..launches {
            let window: Vec<_> = (0..window).map(|t| Some(&images[(i + t) % FRAMES])).collect();
            last = Some(cuda.run(0, &window)?);
        }
        let pending = cuda.download(last.context("there were launches")?)?;
        cuda.wait(pending)?;
        runs.push(started.elapsed().as_secs_f64() * 1e3 / launches as f64);
    }
    Ok(median(runs))
}

fn main() -> Result<()> {
    env_logger::init();
    let mut words = std::env::args().skip(1);
    let mode = words.next().context("name a mode: copies, stage, kernels or profile")?;
    let texts: Vec<String> = words.collect();
    let asked = |name: &String| texts.is_empty() || texts.iter().any(|text| name.contains(text));
    let ops: Vec<_> = ops().into_iter().filter(|(name, _)| asked(name)).collect();
    let device = Device::open(0)?;
    println!("{}, compute capability {}.{}", device.name, device.capability.0, device.capability.1);
    let plane = format(Pixel::gray(8), 3840, 2160);
    let sizes = [("1080p", 1920, 1080), ("4K", 3840, 2160), ("1918x1078", 1918, 1078)];
    let sizes = sizes.map(|(name, width, height)| (name, format(Pixel::yuv420p(8), width, height)));
    match mode.as_str() {
        "kernels" => {
            for (name, op) in &ops {
                let started = Instant::now();
                stage(&device, &plane, op, 1)?;
                let prepared = started.elapsed().as_secs_f64();
                println!(
                    "{name:28} {:8.4} ms a launch, prepared in {prepared:.2} s",
                    launch(&device, &plane, op, 200)?
                );
            }
        }
        "profile" => {
            for (name, op) in &ops {
                println!("{name}");
                launch(&device, &plane, op, 2)?;
            }
        }
        "copies" => {
            for (size, format) in &sizes {
                println!("{size} copies both ways {:8.0} fps", copies(format.packed_bytes())?);
            }
        }
        "stage" => {
            for (size, format) in &sizes {
                let ceiling = copies(format.packed_bytes())?;
                println!("{size} copies both ways {ceiling:8.0} fps");
                for (name, op) in &ops {
                    print!("{size} {name:28}");
                    for in_flight in [4, 8, 16] {
                        let rate = through(&device, format, op, in_flight)?;
                        print!(" {rate:8.0} ({:.1} %)", 100.0 * rate / ceiling);
                    }
                    println!(" fps with 4, 8, 16 in flight");
                }
                println!("{size} copies both ways {:8.0} fps", copies(format.packed_bytes())?);
            }
        }
        _ => anyhow::bail!("there is no mode {mode:?}"),
    }
    Ok(())
}
