//! Many times in a few figures. The counting is `hdrhistogram`'s and the arithmetic `statrs`'.

use hdrhistogram::Histogram;
use serde::{Deserialize, Serialize};
use statrs::distribution::{ContinuousCDF, StudentsT};
use statrs::statistics::{Data, Median, Statistics};

/// How times are distributed, in milliseconds.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Distribution {
    /// How many there are.
    pub count: u64,
    /// Their mean.
    pub mean_ms: f64,
    /// Their standard deviation.
    pub deviation_ms: f64,
    /// Half of them are at most this.
    pub p50_ms: f64,
    /// Nine of ten are at most this.
    pub p90_ms: f64,
    /// 99 of 100 are at most this.
    pub p99_ms: f64,
    /// 999 of 1,000 are at most this; left out of files that were written without it.
    #[serde(default, skip_serializing_if = "is_unknown")]
    pub p999_ms: f64,
    /// The largest.
    pub max_ms: f64,
    /// How many fall into each of a row of equal bins.
    pub bins: Bins,
}

/// Whether a figure was not measured.
pub(crate) fn is_unknown(figure: &f64) -> bool {
    *figure == 0.0
}

/// A histogram: a row of equal bins from the smallest time to beyond the 99th percentile. The last holds all that are
/// larger, up to [`Distribution::max_ms`].
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(from = "WrittenBins")]
pub struct Bins {
    /// Where the first begins, in milliseconds.
    pub from_ms: f64,
    /// How wide each is.
    pub step_ms: f64,
    /// How many times fall into each, empty bins included; none if there are no times.
    pub counts: Vec<u64>,
}

/// Bins as files hold them: a row, or in version 1 of the layout each with its end.
#[derive(Deserialize)]
#[serde(untagged)]
enum WrittenBins {
    Row { from_ms: f64, step_ms: f64, counts: Vec<u64> },
    Each(Vec<Bin>),
}

#[derive(Deserialize)]
struct Bin {
    to_ms: f64,
    count: u64,
}

impl From<WrittenBins> for Bins {
    fn from(written: WrittenBins) -> Self {
        match written {
            WrittenBins::Row { from_ms, step_ms, counts } => Self { from_ms, step_ms, counts },
            WrittenBins::Each(bins) => {
                // To a nanosecond, as they were counted.
                let ns = |ms: f64| (ms * 1e6).round() / 1e6;
                let (from_ms, step_ms) = match &bins[..] {
                    [first, second, ..] => (ns(2.0 * first.to_ms - second.to_ms), ns(second.to_ms - first.to_ms)),
                    _ => (0.0, bins.first().map_or(0.0, |bin| bin.to_ms)),
                };
                Self { from_ms, step_ms, counts: bins.iter().map(|bin| bin.count).collect() }
            }
        }
    }
}

impl Distribution {
    /// Bars of a histogram.
    const BINS: u64 = 40;

    /// The distribution of times in microseconds, NaN left out; all zero if there are none. Kept to three digits.
    pub fn of_us(times: impl IntoIterator<Item = f64>) -> Self {
        let Ok(mut histogram) = Histogram::<u64>::new(3) else { return Self::default() };
        for time in times.into_iter().filter(|time| !time.is_nan()) {
            // It grows as needed; only running out of memory could lose a time.
            histogram.record((time * 1e3).round().max(1.0) as u64).ok();
        }
        if histogram.is_empty() {
            return Self::default();
        }
        let ms = |ns: u64| ns as f64 / 1e6;
        let low = histogram.min();
        let high = histogram.value_at_quantile(0.99);
        let step = ((high - low) / (Self::BINS - 2) + 1).max(1);
        let mut counts = vec![0; Self::BINS as usize];
        for recorded in histogram.iter_recorded() {
            let bin = (recorded.value_iterated_to().saturating_sub(low) / step).min(Self::BINS - 1);
            counts[bin as usize] += recorded.count_at_value();
        }
        Self {
            count: histogram.len(),
            mean_ms: histogram.mean() / 1e6,
            deviation_ms: histogram.stdev() / 1e6,
            p50_ms: ms(histogram.value_at_quantile(0.5)),
            p90_ms: ms(histogram.value_at_quantile(0.9)),
            p99_ms: ms(histogram.value_at_quantile(0.99)),
            p999_ms: ms(histogram.value_at_quantile(0.999)),
            max_ms: ms(histogram.max()),
            bins: Bins { from_ms: ms(low), step_ms: ms(step), counts },
        }
    }
}

impl Distribution {
    /// True if there are no times.
    pub(super) fn is_empty(&self) -> bool {
        self.count == 0
    }

    /// The percentiles 50, 90, 99 and 99.9; `None` where there are too few times for one: where less than one is above it.
    pub fn percentiles(&self) -> [Option<f64>; 4] {
        let values = [(2, self.p50_ms), (10, self.p90_ms), (100, self.p99_ms), (1000, self.p999_ms)];
        values.map(|(least, value)| Some(value).filter(|value| self.count >= least && *value > 0.0))
    }
}

/// A figure that was measured several times.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Estimate {
    /// How often.
    pub count: usize,
    /// Mean.
    pub mean: f64,
    /// Standard deviation of a single measurement; 0 if there is only one.
    pub deviation: f64,
    /// Smallest.
    pub min: f64,
    /// Median.
    pub median: f64,
    /// Largest.
    pub max: f64,
}

impl Estimate {
    /// Of some measurements; all zero if there are none.
    pub fn of(values: &[f64]) -> Self {
        if values.is_empty() {
            return Self::default();
        }
        Self {
            count: values.len(),
            mean: values.mean(),
            deviation: if values.len() > 1 { values.std_dev() } else { 0.0 },
            min: Statistics::min(values),
            median: median(values),
            max: Statistics::max(values),
        }
    }

    /// The deviation of the mean, relative to it.
    fn relative_error(&self) -> f64 {
        if self.mean > 0.0 { self.deviation / (self.count.max(1) as f64).sqrt() / self.mean } else { 0.0 }
    }
}

/// How much larger one figure is than another.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Ratio {
    /// First over second.
    pub value: f64,
    /// Half the width of the interval in which the true ratio lies with 95 % confidence; infinite if one of them was
    /// measured only once.
    pub uncertainty: f64,
}

impl Ratio {
    /// `first / second`, by Welch's degrees of freedom and Student's t.
    pub fn of(first: &Estimate, second: &Estimate) -> Self {
        let value = if second.mean > 0.0 { first.mean / second.mean } else { f64::INFINITY };
        let errors = [first, second].map(Estimate::relative_error);
        let squares = errors.map(|error| error * error);
        let total: f64 = squares.iter().sum();
        if first.count < 2 || second.count < 2 {
            return Self { value, uncertainty: f64::INFINITY };
        }
        let each: f64 = squares.iter().zip([first, second]).map(|(s, e)| s * s / (e.count - 1) as f64).sum();
        let freedom = if each > 0.0 { total * total / each } else { 1.0 };
        let t = StudentsT::new(0.0, 1.0, freedom.max(1.0)).map_or(f64::INFINITY, |t| t.inverse_cdf(0.975));
        Self { value, uncertainty: value * total.sqrt() * t }
    }
}

/// The median; 0 of nothing.
pub fn median(values: &[f64]) -> f64 {
    if values.is_empty() { 0.0 } else { Data::new(values.to_vec()).median() }
}

/// Median deviations from the median that make an outlier: ten standard deviations, as the median deviation estimates
/// them (Iglewicz and Hoaglin 1993). This is hyperfine's rule too.
const FAR: f64 = 10.0 * 1.4826;

/// The positions of outliers: further from the median than `FAR` median deviations, and by more than 5 %, because
/// repetitions that are much alike make every other one an outlier.
pub fn outliers(values: &[f64]) -> Vec<usize> {
    let middle = median(values);
    let away: Vec<f64> = values.iter().map(|value| (value - middle).abs()).collect();
    let usual = median(&away);
    let far = |away: f64| away > FAR * usual && away > 0.05 * middle;
    away.iter().enumerate().filter(|(_, away)| far(**away)).map(|(index, _)| index).collect()
}
