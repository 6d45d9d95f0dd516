//! Meters of metrics whose machine is chosen at run time.

use std::sync::Arc;

use anyhow::Result;
use warpreel_metric::{Metric, QualityMeter};

use super::any::brief_reason;
use super::choice::Choice;
use super::cuda::{Device, PairMeter};
use crate::frame::{Format, Pool};

/// A meter on the CPU or on a GPU, with the same digits.
///
/// ```
/// use std::sync::Arc;
/// use warpreel::backend::{Choice, ChosenMeter};
/// use warpreel::metrics::Metric;
/// use warpreel::prelude::*;
///
/// let format = Arc::new(Format::try_new(Pixel::gray(8), 16, 16, Rational::new(25, 1))?);
/// let mut chosen = ChosenMeter::make(Choice::Auto, 0, &format, &[Metric::Ssim], 1)?;
/// println!("measured by {}", chosen.name);
/// let frame = Frame::from_samples(&format, Timing::at(0), vec![90u8; 256])?;
/// assert_eq!(chosen.meter.measure(&frame, &frame)?[0].values.all, Some(1.0));
/// # anyhow::Ok(())
/// ```
pub struct ChosenMeter {
    /// The meter.
    pub meter: QualityMeter,
    /// What measures, and why: `cpu, 8 threads, avx2 (no NVIDIA driver was found …)`, or `cuda, NVIDIA L4`.
    pub name: String,
    /// The same, its reason in four words at the most.
    pub brief: String,
    /// Pool of frames that the machine reads best.
    pub pool: Pool,
}

impl ChosenMeter {
    /// A meter of a choice, for frames of a format: [`Choice::Auto`] falls back to the CPU where no GPU works. `device` is the number of the
    /// GPU, and `threads` is for the CPU, 0 for one a core. Blocks while kernels are compiled for a GPU.
    ///
    /// # Errors
    /// With [`Choice::Cuda`] if the GPU cannot be used; if threads cannot be started.
    pub fn make(
        choice: Choice,
        device: usize,
        format: &Arc<Format>,
        metrics: &[Metric],
        threads: usize,
    ) -> Result<Self> {
        let gpu = || {
            let device = Device::open(device)?;
            let pool = Pool::new(device.allocator());
            let summer = PairMeter::new(&device, &QualityMeter::wants(format, metrics), pool.clone())?;
            let meter = QualityMeter::on(format, metrics, Box::new(summer));
            Ok(Self { name: meter.name(), brief: meter.name(), meter, pool })
        };
        let cpu = |reason: Option<&str>| {
            let meter = QualityMeter::new(format, metrics, threads)?;
            let because = |reason: Option<&str>| reason.map_or(String::new(), |reason| format!(" ({reason})"));
            let [name, brief] =
                [reason, reason.map(brief_reason)].map(|reason| format!("{}{}", meter.name(), because(reason)));
            Ok(Self { meter, name, brief, pool: Pool::heap() })
        };
        choice.make(None, gpu, cpu)
    }
}
