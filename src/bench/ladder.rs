//! The ladder: one kernel on planes of 8 bits, from the textbook's first version to the production kernel, each checked
//! before it is timed, with the CPU stage beside them.

use std::sync::Arc;
use std::time::{Duration, Instant};

use anyhow::{Context, Result, bail, ensure};

use super::limit;
use super::schema::{Limits, Rung};
use super::statistic::Distribution;
use super::synthetic::noise;
use super::work::{Work, roofline};
use crate::backend::cuda::ladder::{Ladder, RUNGS};
use crate::backend::cuda::{Device, Tracing};
use crate::backend::{Backend, Cpu, Cuda, Inputs};
use crate::filter::Filter;
use crate::frame::{Format, Frame, Pixel, Pool, Rational};
use crate::pass::{Combine, Dense, Kernel, Op, Pass, TimeBorder};
use crate::plan::{Operations, Plan, Roofline, Step, plan};

/// Planes that take turns.
const PLANES: u32 = 8;
/// Launches are timed in batches, because one takes no longer than an event.
const BATCHES: usize = 30;
/// How long a batch, or all runs of the CPU, should take.
const BATCH: Duration = Duration::from_millis(2);
const CPU: Duration = Duration::from_millis(300);

/// The kernel of a chain of one filter on grey planes, as one dense kernel: what the rungs do.
///
/// # Errors
/// If it is not one filter of one 2-D kernel.
pub fn dense(plan: &Plan) -> Result<Dense> {
    let ([Step { pass: Pass { planes, name, .. }, .. }], [_] | []) = (plan.steps(), plan.filters()) else {
        let count = plan.filters().len().max(plan.steps().len());
        bail!("the ladder takes one filter, and this chain has {count}; type -f box=radius=1")
    };
    match planes.first().map(|plane| &plane.op) {
        Some(Op::Dense(op)) => Ok(op.clone()),
        Some(Op::Separable(op)) => {
            ensure!(op.t.is_identity(), "the ladder takes kernels of one frame, not \"{name}\"");
            let weights = op.y.weights.iter().flat_map(|y| op.x.weights.iter().map(move |x| y * x)).collect();
            let kernel = Kernel {
                size: [1, op.y.weights.len(), op.x.weights.len()],
                anchor: [0, op.y.anchor, op.x.anchor],
                weights,
            };
            let (arithmetic, border, finish) = (op.arithmetic, op.border, op.finish);
            Ok(Dense { kernels: vec![kernel], combine: Combine::Sum, arithmetic, border, finish })
        }
        _ => bail!("\"{name}\" changes nothing in a grey plane; type another filter"),
    }
}

/// Measures all rungs on planes of each size, the GPU's only where there is one. Blocks for some seconds.
///
/// # Errors
/// If the chain is none for the ladder, a rung gives other bytes than the CPU stage, or the device fails.
pub fn climb(
    chain: &[Filter],
    sizes: &[(usize, usize)],
    device: Option<&Device>,
    threads: usize,
    limits: &Limits,
) -> Result<Vec<Rung>> {
    let mut rungs = Vec::new();
    for &(width, height) in sizes {
        let format = Arc::new(Format::new(Pixel::gray(8), width, height, Rational::new(25, 1)));
        let plan = plan(chain, &format)?;
        let site = Site { dense: dense(&plan)?, plan, format, threads };
        if let Some(device) = device {
            rungs.extend(site.classical(device, limits)?);
            rungs.push(site.production(device, limits)?);
        }
        rungs.push(site.cpu(limits)?);
    }
    Ok(rungs)
}

/// One kernel on planes of one size.
struct Site {
    plan: Plan,
    dense: Dense,
    format: Arc<Format>,
    threads: usize,
}

impl Site {
    fn planes(&self, pool: &Pool) -> Result<Vec<Frame>> {
        (0..PLANES).map(|seed| noise(&self.format, pool, seed)).collect()
    }

    fn stage(&self, passes: Arc<[Pass]>) -> Result<Cpu> {
        Cpu::new(passes, self.format.clone(), Pool::heap(), self.threads)
    }

    /// What the dense kernel makes of a plane, by the CPU stage.
    fn wanted(&self, plane: &Frame) -> Result<Vec<u8>> {
        let ops = vec![Op::Dense(self.dense.clone())];
        let pass = Pass::new("ladder", ops, TimeBorder::Clamp);
        samples(&self.stage([pass].into())?.run(0, &Inputs::new(&[Some(plane)]))?)
    }

    fn classical(&self, device: &Device, limits: &Limits) -> Result<Vec<Rung>> {
        let planes = self.planes(&Pool::heap())?;
        let bytes = planes.iter().map(samples).collect::<Result<Vec<_>>>()?;
        let ladder = Ladder::new(device, &self.dense, self.format.width, self.format.height, &bytes)?;
        let wanted = self.wanted(&planes[0])?;
        let taps = self.dense.kernels[0].weights.len() as u64;
        let samples = self.format.samples() as u64;
        let operations = 2 * taps * samples;
        let is_real = self.dense.arithmetic == crate::pass::Arithmetic::Real;
        // They multiply and add one sample at a time, whole numbers in 32 bits.
        let (word, real) = if is_real { (0, operations) } else { (operations, 0) };
        let needed = Operations { word, real, ..Operations::default() };
        let work = Work { bytes: 2 * samples, operations, needed, runs: 1.0 };
        RUNGS
            .into_iter()
            .map(|name| {
                check(name, &ladder.run(name)?, &wanted, self.format.width)?;
                let times = batches(|batches, launches| ladder.times_us(name, batches, launches))?;
                Ok(self.rung(name, times, &work, &roofline(limits)))
            })
            .collect()
    }

    fn production(&self, device: &Device, limits: &Limits) -> Result<Rung> {
        let pool = Pool::new(device.allocator());
        let prepared = device.prepare(&self.plan.passes(), &self.format)?;
        let mut cuda = Cuda::new(device, prepared, pool.clone(), 1, Tracing::On)?;
        let planes = self.planes(&pool)?;
        let images = planes.iter().map(|plane| cuda.upload(plane.clone())).collect::<Result<Vec<_>>>()?;
        let image = cuda.run(0, &Inputs::new(&[Some(&images[0])]))?;
        let pending = cuda.download(image)?;
        let made = samples(&cuda.wait(pending)?)?;
        let wanted = samples(&self.stage(self.plan.passes())?.run(0, &Inputs::new(&[Some(&planes[0])]))?)?;
        check("production", &made, &wanted, self.format.width)?;
        let times = batches(|batches, launches| cuda.times_us(0, &images, batches, launches))?;
        Ok(self.rung("production", times, &self.work(), &roofline(limits)))
    }

    /// The CPU stage's time, against limits of the processor for planes of this size.
    fn cpu(&self, limits: &Limits) -> Result<Rung> {
        let mut cpu = self.stage(self.plan.passes())?;
        let planes = self.planes(&Pool::heap())?;
        let (mut times, mut turn) = (Vec::new(), 0);
        let started = Instant::now();
        while started.elapsed() < CPU || times.len() < BATCHES {
            let begun = Instant::now();
            let made = cpu.run(0, &Inputs::new(&[Some(&planes[turn % planes.len()])]))?;
            // The first runs make memory.
            if turn >= planes.len() {
                times.push(begun.elapsed().as_secs_f64() * 1e6);
            }
            drop(made);
            turn += 1;
        }
        let copy_all_cores_gb_s = limit::copy_gb_s(self.format.packed_bytes(), cpu.threads());
        let host = super::schema::HostLimits { copy_all_cores_gb_s, ..limits.host };
        Ok(self.rung("cpu", times, &self.work(), &roofline(&Limits { host, device: None })))
    }

    /// What the production kernels must do; the operations that are reported are those of all taps.
    fn work(&self) -> Work {
        let least = Work::of(&self.plan).into_iter().next();
        let taps = self.dense.kernels[0].weights.len() as u64;
        let samples = self.format.samples() as u64;
        let least =
            least.unwrap_or(Work { bytes: 2 * samples, operations: 0, needed: Operations::default(), runs: 1.0 });
        Work { operations: 2 * taps * samples, ..least }
    }

    fn rung(&self, name: &str, times_us: Vec<f64>, work: &Work, roof: &Roofline) -> Rung {
        let per_plane = Distribution::of_us(times_us);
        let ms = per_plane.p50_ms.max(1e-9);
        let (memory_ms, arithmetic_ms) = (roof.memory_ms(work.bytes), roof.arithmetic_ms(&work.needed));
        Rung {
            name: name.to_owned(),
            kernel: self.plan.steps().first().map(|step| step.pass.name.clone()).unwrap_or_default(),
            width: self.format.width,
            height: self.format.height,
            megapixel_s: self.format.samples() as f64 / (ms * 1e3),
            gb_s: work.bytes as f64 / (ms * 1e6),
            gop_s: work.operations as f64 / (ms * 1e6),
            needed: work.needed,
            operations_per_byte: work.operations as f64 / work.bytes.max(1) as f64,
            memory_share: memory_ms / ms,
            arithmetic_share: arithmetic_ms / ms,
            per_plane,
        }
    }
}

fn samples(frame: &Frame) -> Result<Vec<u8>> {
    Ok(frame.host()?.rows(0).flatten().copied().collect())
}

fn check(rung: &str, made: &[u8], wanted: &[u8], width: usize) -> Result<()> {
    ensure!(made.len() == wanted.len(), "{rung} returned {} samples of {}", made.len(), wanted.len());
    if let Some(at) = (0..made.len()).find(|&at| made[at] != wanted[at]) {
        let (x, y) = (at % width, at / width);
        bail!("{rung} returned {} at x {x}, y {y}; {} is right; please report this", made[at], wanted[at]);
    }
    Ok(())
}

/// Times in batches that are long enough.
fn batches(mut times_us: impl FnMut(usize, usize) -> Result<Vec<f64>>) -> Result<Vec<f64>> {
    let one = times_us(1, 8)?.into_iter().next().context("a batch was not timed")?;
    let launches = (BATCH.as_secs_f64() * 1e6 / one.max(0.1)).clamp(2.0, 2000.0) as usize;
    times_us(BATCHES, launches)
}
