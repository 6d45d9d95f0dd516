//! Pairs of frames, measured metric by metric.

use std::sync::Arc;

use anyhow::{Result, ensure};

use super::activity::Active;
use super::block::BlockSummed;
use super::metric::Metric;
use super::psnr::{self, SquaredError};
use super::score::{ClipMean, MetricScores, PlaneScores};
use super::ssim::{self, SimilaritySum};
use super::ssimulacra2::Ssimulacra2;
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
    threads: MetricThreads,
    /// Each metric, and what it averages over the clip.
    metrics: Vec<(Metric, ClipMean)>,
    xpsnr: Xpsnr,
    ssimulacra2: Ssimulacra2,
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
        let metrics = metrics.iter().map(|&metric| (metric, ClipMean::default())).collect();
        Ok(Self {
            format: format.clone(),
            threads,
            metrics,
            xpsnr: Xpsnr::new(format),
            ssimulacra2: Ssimulacra2::new(format),
        })
    }

    /// Measures two frames, the reference first: the values of each metric, in the order in which they were asked for. Blocks until
    /// that is done. Metrics that look at differences in time take the frames as a clip, in their order.
    ///
    /// # Errors
    /// If a frame has other planes than the meter's format, or is not on the host.
    pub fn measure(&mut self, reference: &Frame, other: &Frame) -> Result<Vec<MetricScores>> {
        for frame in [reference, other] {
            let (own, format) = (&self.format, frame.format());
            ensure!(own.planes_match(format), "a frame of {format} among frames of {own}");
        }
        let pair = [reference, other];
        let means = match self.format.pixel.sample {
            SampleType::U8 => self.means::<u8>(pair)?,
            SampleType::U16 => self.means::<u16>(pair)?,
            SampleType::F32 => self.means::<f32>(pair)?,
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

    /// Figures of a pair of frames that each metric averages over a clip.
    fn means<T: Measurable>(&mut self, pair: [&Frame; 2]) -> Result<Vec<PlaneScores>> {
        let Self { format, threads, metrics, xpsnr, ssimulacra2 } = self;
        let hosts = [pair[0].host()?, pair[1].host()?];
        let mean = |(metric, _): &(Metric, ClipMean)| match metric {
            Metric::Psnr => Ok(PlaneScores::weighted(format, psnr::errors::<T>(threads, format, hosts))),
            Metric::Ssim => Ok(PlaneScores::weighted(format, ssim::similarities::<T>(threads, format, hosts))),
            Metric::Xpsnr => xpsnr.roots::<T>(threads, pair),
            Metric::Ssimulacra2 => {
                let all = ssimulacra2.score::<T>(threads, hosts);
                Ok(PlaneScores { planes: Vec::new(), all })
            }
        };
        metrics.iter().map(mean).collect()
    }
}
