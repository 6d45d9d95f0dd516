//! Pairs of frames, measured metric by metric.

use std::collections::VecDeque;
use std::sync::Arc;

use anyhow::{Context, Result, ensure};
use warpreel_filter::backend::{PairSummer, PairSums, PairWants};

use super::activity::Active;
use super::block::BlockSummed;
use super::metric::Metric;
use super::psnr::{self, SquaredError};
use super::score::{ClipMean, MetricScores, PlaneScores};
use super::ssim::{self, SimilaritySum};
use super::ssimulacra2::{self, Ssimulacra2};
use super::worker::MetricThreads;
use super::xpsnr::{self, Xpsnr};
use crate::frame::{Format, Frame, Sample as SampleType};
use crate::simd::Level;

/// Measures pairs of frames of one format.
///
/// ```
/// use std::sync::Arc;
/// use warpreel_frame::{Format, Frame, Pixel, Rational, Timing};
/// use warpreel_metric::{Metric, QualityMeter};
///
/// let format = Arc::new(Format::new(Pixel::gray(8), 16, 16, Rational::new(25, 1)));
/// let frame = |sample: u8| Frame::from_samples(&format, Timing::at(0), vec![sample; 256]);
/// let mut meter = QualityMeter::new(&format, &[Metric::Psnr, Metric::Ssim], 1)?;
/// let scores = meter.measure(&frame(100)?, &frame(110)?)?;
/// assert_eq!(scores[0].metric, Metric::Psnr);
/// assert!(scores[0].values.all.is_some_and(|db| (db - 28.13).abs() < 0.005));
/// assert_eq!(meter.of_clip(), scores);
/// # anyhow::Ok(())
/// ```
pub struct QualityMeter {
    format: Arc<Format>,
    /// Each metric, and what it averages over the clip.
    metrics: Vec<(Metric, ClipMean)>,
    machine: MeterMachine,
}

/// Machine that forms the sums.
enum MeterMachine {
    /// Threads of the CPU.
    Cpu(Box<CpuMeter>),
    /// Another machine, and what follows from its sums.
    Other(Box<dyn PairSummer>, Box<Xpsnr>),
}

/// Measures on the CPU.
struct CpuMeter {
    threads: MetricThreads,
    xpsnr: Xpsnr,
    ssimulacra2: Ssimulacra2,
    /// Figures of the pairs that were begun.
    ready: VecDeque<Vec<PlaneScores>>,
}

/// Samples that all metrics take.
trait Measurable: SquaredError + BlockSummed<Total: SimilaritySum> + Active {}

impl<T: SquaredError + BlockSummed<Total: SimilaritySum> + Active> Measurable for T {}

impl QualityMeter {
    /// Of frames of a format. `threads` 0 is one a core.
    ///
    /// # Errors
    /// If threads cannot be started.
    pub fn new(format: &Arc<Format>, metrics: &[Metric], threads: usize) -> Result<Self> {
        Self::with_level(format, metrics, threads, Level::best())
    }

    /// The same with other instructions.
    ///
    /// # Errors
    /// As [`QualityMeter::new`].
    pub fn with_level(format: &Arc<Format>, metrics: &[Metric], threads: usize, level: Level) -> Result<Self> {
        let threads = MetricThreads::new(threads.min(format.height), level)?;
        let cpu = CpuMeter {
            threads,
            xpsnr: Xpsnr::new(format),
            ssimulacra2: Ssimulacra2::new(format),
            ready: VecDeque::new(),
        };
        Ok(Self::made(format, metrics, MeterMachine::Cpu(Box::new(cpu))))
    }

    /// The same with sums that another machine forms, of what is [wanted](QualityMeter::wants) for these metrics.
    pub fn on(format: &Arc<Format>, metrics: &[Metric], summer: Box<dyn PairSummer>) -> Self {
        Self::made(format, metrics, MeterMachine::Other(summer, Box::new(Xpsnr::new(format))))
    }

    fn made(format: &Arc<Format>, metrics: &[Metric], machine: MeterMachine) -> Self {
        let metrics = metrics.iter().map(|&metric| (metric, ClipMean::default())).collect();
        Self { format: format.clone(), metrics, machine }
    }

    /// The sums from which metrics of frames of a format follow.
    pub fn wants(format: &Arc<Format>, metrics: &[Metric]) -> PairWants {
        let is_wanted = |metric| metrics.contains(&metric);
        PairWants {
            format: format.clone(),
            errors: is_wanted(Metric::Psnr),
            similarity: is_wanted(Metric::Ssim).then(|| ssim::plan(format)),
            blocks: is_wanted(Metric::Xpsnr).then(|| Xpsnr::new(format).plan()),
            perception: is_wanted(Metric::Ssimulacra2).then(|| ssimulacra2::plan(format)),
        }
    }

    /// Name of what measures: `cpu, 8 threads, avx2`, or `cuda, NVIDIA L4`.
    pub fn name(&self) -> String {
        match &self.machine {
            MeterMachine::Cpu(cpu) => cpu.threads.name(),
            MeterMachine::Other(summer, _) => summer.name().to_owned(),
        }
    }

    /// Number of pairs that may be under way: begun, and not yet finished.
    pub fn in_flight(&self) -> usize {
        match &self.machine {
            MeterMachine::Cpu(_) => 1,
            MeterMachine::Other(summer, _) => summer.in_flight(),
        }
    }

    /// Measures two frames, the reference first: the values of each metric, in the order in which they were asked for. Blocks until
    /// that is done. Metrics that look at differences in time take the frames as a clip, in their order. No other pair may be under way.
    ///
    /// # Errors
    /// If a frame has other planes than the meter's format, or is not on the host.
    pub fn measure(&mut self, reference: &Frame, other: &Frame) -> Result<Vec<MetricScores>> {
        self.start(reference, other)?;
        self.finish()
    }

    /// Begins to measure two frames, the reference first; [`QualityMeter::finish`] has the values. Of metrics on the CPU it blocks
    /// until that is done. At most [`QualityMeter::in_flight`] pairs are under way.
    ///
    /// # Errors
    /// As [`QualityMeter::measure`].
    pub fn start(&mut self, reference: &Frame, other: &Frame) -> Result<()> {
        for frame in [reference, other] {
            let (own, format) = (&self.format, frame.format());
            ensure!(own.planes_match(format), "a frame of {format} among frames of {own}");
        }
        let Self { format, metrics, machine } = self;
        let pair = [reference, other];
        match machine {
            MeterMachine::Cpu(cpu) => {
                let means = match format.pixel.sample {
                    SampleType::U8 => cpu.means::<u8>(format, metrics, pair)?,
                    SampleType::U16 => cpu.means::<u16>(format, metrics, pair)?,
                    SampleType::F32 => cpu.means::<f32>(format, metrics, pair)?,
                };
                cpu.ready.push_back(means);
                Ok(())
            }
            MeterMachine::Other(summer, _) => summer.start(pair),
        }
    }

    /// The values of the oldest pair that is under way, as [`QualityMeter::measure`] returns them. Blocks until they are there.
    ///
    /// # Errors
    /// If no pair is under way, or the machine that measures failed.
    pub fn finish(&mut self) -> Result<Vec<MetricScores>> {
        let Self { format, metrics, machine } = self;
        let means = match machine {
            MeterMachine::Cpu(cpu) => cpu.ready.pop_front().context("no pair of frames is being measured")?,
            MeterMachine::Other(summer, xpsnr) => {
                let sums = summer.finish()?;
                metrics.iter().map(|(metric, _)| means_of(*metric, format, xpsnr, &sums)).collect()
            }
        };
        self.metrics.iter_mut().zip(&means).for_each(|((_, clip), means)| clip.add(means));
        let all = self.metrics.iter().zip(means);
        Ok(all.map(|(&(metric, _), means)| MetricScores { metric, values: self.values(metric, means) }).collect())
    }

    /// The same of all frames that were measured: PSNR of the mean of their squared errors, XPSNR of the mean of the roots of their
    /// weighted errors, and the mean of the others.
    pub fn of_clip(&self) -> Vec<MetricScores> {
        let of = |(metric, clip): &(Metric, ClipMean)| MetricScores {
            metric: *metric,
            values: self.values(*metric, clip.mean()),
        };
        self.metrics.iter().map(of).collect()
    }

    /// The values of a metric, of the figures that are averaged for it.
    fn values(&self, metric: Metric, means: PlaneScores) -> PlaneScores {
        let format = &self.format;
        match metric {
            Metric::Psnr => means.map(|error| psnr::decibels(error, format.pixel.peak().into())),
            Metric::Ssim | Metric::Ssimulacra2 => means,
            Metric::Xpsnr => {
                let of = |(plane, root): (usize, Option<f64>)| {
                    root.map(|root| xpsnr::decibels(root, format.plane_size(plane), format.pixel))
                };
                let planes: Vec<Option<f64>> = means.planes.into_iter().enumerate().map(of).collect();
                let all = planes.iter().flatten().copied().reduce(f64::min);
                PlaneScores { planes, all }
            }
        }
    }
}

impl CpuMeter {
    /// Figures of a pair of frames that each metric averages over a clip.
    fn means<T: Measurable>(
        &mut self,
        format: &Format,
        metrics: &[(Metric, ClipMean)],
        pair: [&Frame; 2],
    ) -> Result<Vec<PlaneScores>> {
        let Self { threads, xpsnr, ssimulacra2, .. } = self;
        let hosts = [pair[0].host()?, pair[1].host()?];
        let mean = |(metric, _): &(Metric, ClipMean)| match metric {
            Metric::Psnr => Ok(PlaneScores::weighted(format, psnr::errors::<T>(threads, format, hosts))),
            Metric::Ssim => Ok(PlaneScores::weighted(format, ssim::similarities::<T>(threads, format, hosts))),
            Metric::Xpsnr => xpsnr.roots::<T>(threads, pair),
            Metric::Ssimulacra2 => Ok(PlaneScores::of_frame(ssimulacra2.score::<T>(threads, hosts))),
        };
        metrics.iter().map(mean).collect()
    }
}

/// Figures that a metric averages over a clip, of sums over a pair of frames.
fn means_of(metric: Metric, format: &Format, xpsnr: &Xpsnr, sums: &PairSums) -> PlaneScores {
    match metric {
        Metric::Psnr => PlaneScores::weighted(format, psnr::means(format, &sums.errors)),
        Metric::Ssim => PlaneScores::weighted(format, ssim::means(format, &sums.similarities)),
        Metric::Xpsnr => xpsnr.roots_of(&sums.blocks),
        Metric::Ssimulacra2 => PlaneScores::of_frame(ssimulacra2::score_of(format, &sums.scales)),
    }
}
