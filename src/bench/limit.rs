//! What the machine can do at best: plain copies, plain multiply-adds, a plain pipe. The shares of all reports are
//! against these figures, measured in the same run.

use std::hint::black_box;
use std::io::{Read, Write};
use std::sync::Barrier;
use std::thread;
use std::time::{Duration, Instant};

use anyhow::{Context, Result};

use super::schema::{HostLimits, Limits};
use super::synthetic::Synthetic;
use crate::backend::cpu::simd::{Level, Simd, WithSimd};
use crate::backend::cuda::{self, Device};
use crate::pipe;
use crate::thread::cores;

/// A limit is the best of this many tries.
const TRIES: usize = 3;
/// How long a try takes.
const TRY: Duration = Duration::from_millis(60);
/// Copies of one thread go through pieces of this size too; a core's second-level cache holds them.
const PIECE_BYTES: usize = 64 << 10;

/// Bytes that no cache holds: they are copied to as many.
pub(super) const MEMORY_BYTES: usize = 128 << 20;
/// Blocks of a frame's size that are copied in turns, and those that they are copied to, which are used again at once, as
/// the pool's are.
const FRAMES: [usize; 2] = [Synthetic::FRAMES, 3];

/// Measures all limits: the processor's with `threads` threads (0 is one a core) and blocks of a frame's size, and the
/// GPU's where one is given. Blocks for one to three seconds.
///
/// # Errors
/// If memory or threads run out, or the GPU fails.
pub fn measure(block_bytes: usize, threads: usize, device: Option<&Device>) -> Result<Limits> {
    let threads = if threads == 0 { cores() } else { threads };
    let device = device.map(|device| cuda::limit::measure(device, block_bytes)).transpose();
    Ok(Limits { host: host(block_bytes, threads)?, device: device.context("measure the GPU's limits")? })
}

fn host(block_bytes: usize, threads: usize) -> Result<HostLimits> {
    Ok(HostLimits {
        block_bytes,
        copy_one_core_gb_s: copy_gb_s(block_bytes, 1),
        copy_all_cores_gb_s: copy_gb_s(block_bytes, threads),
        memory_gb_s: copies(threads, MEMORY_BYTES, MEMORY_BYTES, [1, 1]),
        real_one_core_gop_s: operations(1, Numbers::Real),
        real_all_cores_gop_s: operations(threads, Numbers::Real),
        integer_all_cores_gop_s: operations(threads, Numbers::Dot8),
        dot16_all_cores_gop_s: operations(threads, Numbers::Dot16),
        pipe_gb_s: through_pipe()?,
    })
}

/// What `threads` together copy, bytes read and written counted, in GB/s: blocks of a size, 12 in turns, whole or in
/// pieces, whichever is faster. Blocks for half a second.
pub fn copy_gb_s(block_bytes: usize, threads: usize) -> f64 {
    copies(threads, block_bytes, block_bytes, FRAMES).max(copies(threads, block_bytes, PIECE_BYTES, FRAMES))
}

/// How much all threads do in a second, best of several tries. Each has `work` of its own, made by `make` before the
/// clock starts; it returns how much a call did.
fn rate<W: FnMut() -> f64>(threads: usize, make: impl Fn() -> W + Sync) -> f64 {
    let barrier = Barrier::new(threads);
    let once = |mut work: W| {
        let mut best = Vec::new();
        for _ in 0..TRIES {
            barrier.wait();
            let (started, mut done) = (Instant::now(), 0.0);
            while started.elapsed() < TRY {
                done += work();
            }
            best.push(done / started.elapsed().as_secs_f64());
        }
        best
    };
    let rates: Vec<Vec<f64>> = thread::scope(|scope| {
        let threads: Vec<_> = (0..threads).map(|_| scope.spawn(|| once(make()))).collect();
        threads.into_iter().filter_map(|thread| thread.join().ok()).collect()
    });
    (0..TRIES).map(|attempt| rates.iter().map(|rates| rates[attempt]).sum()).fold(0.0, f64::max)
}

/// Bytes read and written by copies, in GB/s: `threads` share each block, and copy it in pieces. So many blocks take turns,
/// and so many are written.
fn copies(threads: usize, block_bytes: usize, piece_bytes: usize, [sources, targets]: [usize; 2]) -> f64 {
    let share = block_bytes.div_ceil(threads).max(1);
    rate(threads, || {
        let blocks: Vec<Vec<u8>> = (0..sources).map(|i| vec![i as u8 + 1; share]).collect();
        // Memory that was never written is one page of zeros.
        let mut written = vec![vec![1u8; share]; targets];
        let mut turn = 0;
        move || {
            let (from, to) = (&blocks[turn % sources], &mut written[turn % targets]);
            turn += 1;
            for (from, to) in from.chunks(piece_bytes).zip(to.chunks_mut(piece_bytes)) {
                to.copy_from_slice(black_box(from));
            }
            black_box(to);
            2.0 * share as f64 / 1e9
        }
    })
}

#[derive(Clone, Copy)]
enum Numbers {
    Real,
    Dot8,
    Dot16,
}

/// Multiply-adds, two operations each, in 10⁹ a second.
fn operations(threads: usize, numbers: Numbers) -> f64 {
    rate(threads, || {
        let level = Level::best();
        move || {
            let mut done = 0.0;
            level.run(ArithmeticLoop { numbers, done: &mut done });
            done / 1e9
        }
    })
}

/// Independent chains of multiply-adds: enough to hide the latency, few enough for the registers of AVX2.
const CHAINS: usize = 12;
/// How often each chain is lengthened.
const ROUNDS: usize = 2000;

struct ArithmeticLoop<'a> {
    numbers: Numbers,
    done: &'a mut f64,
}

impl WithSimd for ArithmeticLoop<'_> {
    #[inline(always)]
    fn work<S: Simd>(self, simd: S) {
        let products = match self.numbers {
            Numbers::Real => {
                let (factor, term) = (simd.splat(black_box(0.999)), simd.splat(black_box(0.1)));
                let mut sums = [simd.splat(1.0); CHAINS];
                for _ in 0..ROUNDS {
                    for sum in &mut sums {
                        *sum = simd.mul_add(*sum, factor, term);
                    }
                }
                let mut out = [0.0; 64];
                sums.into_iter().for_each(|sum| simd.store(sum, &mut out));
                black_box(&out);
                S::LANES
            }
            Numbers::Dot8 => {
                let (samples, weights) = (black_box([7u8; 256]), simd.splat_i32(black_box(0x0102_0304)));
                whole(simd, |sum, at| simd.dot_u8(sum, simd.load_integers(&samples[at..]), weights));
                4 * S::LANES
            }
            Numbers::Dot16 => {
                let (samples, weights) = (black_box([7i16; 128]), simd.splat_i32(black_box(0x0002_0003)));
                whole(simd, |sum, at| simd.dot_i16(sum, simd.load_integers(&samples[at..]), weights));
                2 * S::LANES
            }
        };
        *self.done = (2 * products * CHAINS * ROUNDS) as f64;
    }
}

/// Chains of sums in whole numbers, side by side. Each step begins at another of 16 places, so that no product is
/// formed once for several sums.
#[inline(always)]
fn whole<S: Simd>(simd: S, step: impl Fn(S::I32, usize) -> S::I32) {
    let mut sums = [simd.splat_i32(1); CHAINS];
    for round in 0..ROUNDS {
        for (chain, sum) in sums.iter_mut().enumerate() {
            *sum = step(*sum, (round + chain) % 16);
        }
    }
    let mut out = [0; 64];
    sums.into_iter().for_each(|sum| simd.store_integers(sum, &mut out));
    black_box(&out);
}

/// GB/s from one thread to another.
fn through_pipe() -> Result<f64> {
    const BYTES: usize = 256 << 20;
    let mut best = 0.0f64;
    for _ in 0..TRIES {
        let (mut reader, mut writer) = std::io::pipe().context("create a pipe")?;
        pipe::enlarge(&reader);
        let started = Instant::now();
        let read = thread::scope(|scope| {
            scope.spawn(move || {
                let block = vec![1u8; 1 << 20];
                (0..BYTES / block.len()).try_for_each(|_| writer.write_all(&block)).ok();
            });
            let (mut block, mut read) = (vec![0u8; 1 << 20], 0);
            loop {
                match reader.read(&mut block) {
                    Ok(0) => return Ok(read),
                    Ok(count) => read += count,
                    Err(error) => return Err(error).context("read a pipe"),
                }
            }
        })?;
        best = best.max(read as f64 / started.elapsed().as_secs_f64() / 1e9);
    }
    Ok(best)
}
