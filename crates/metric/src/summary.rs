//! Values of frames in a few figures: mean, smallest, percentiles, and the worst frames.

use serde::Serialize;

use super::series::QualitySeries;

/// Figures of one column; those that are infinite or do not exist are none in JSON.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct ColumnSummary {
    /// Name of the column.
    #[serde(skip)]
    pub name: String,
    /// Digits behind the point that are worth printing.
    #[serde(skip)]
    pub digits: usize,
    /// Of the whole clip, as FFmpeg has it: PSNR of the mean squared error of all frames, XPSNR of the mean of
    /// the roots of their weighted errors, the mean of the others.
    pub clip: Option<f64>,
    /// Mean over frames.
    pub mean: Option<f64>,
    /// Smallest.
    pub min: Option<f64>,
    /// One frame of a hundred is at most this.
    pub p1: Option<f64>,
    /// One frame of twenty.
    pub p5: Option<f64>,
    /// One of two.
    pub p50: Option<f64>,
}

impl ColumnSummary {
    /// Names of the figures.
    pub const FIGURES: [&str; 6] = ["clip", "mean", "min", "p1", "p5", "p50"];

    /// The figures in words.
    pub fn figures(&self) -> [String; 6] {
        let Self { clip, mean, min, p1, p5, p50, .. } = self;
        [clip, mean, min, p1, p5, p50].map(|value| value.map_or("–".to_owned(), |value| self.words(value)))
    }

    /// A value of the column in words.
    pub fn words(&self, value: f64) -> String {
        format!("{value:.*}", self.digits)
    }
}

/// A frame that differs much.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct WorstFrame {
    /// Its number.
    pub frame: u64,
    /// Its time, in seconds.
    #[serde(rename = "time")]
    pub time_s: f64,
    /// Its value.
    pub value: f64,
}

/// Figures of a clip.
#[derive(Clone, Debug, PartialEq)]
pub struct QualitySummary {
    /// Format of the reference, in words.
    pub format: String,
    /// Number of frames.
    pub frames: usize,
    /// Figures of each column.
    pub columns: Vec<ColumnSummary>,
    /// Of each metric the frames with the smallest values, the worst first; those without an error are left out.
    pub worst: Vec<(String, Vec<WorstFrame>)>,
}

impl WorstFrame {
    /// Its value, number and time in words.
    pub fn words(&self, column: &ColumnSummary) -> [String; 3] {
        [column.words(self.value), format!("#{}", self.frame), format!("{:.3} s", self.time_s)]
    }
}

impl QualitySummary {
    /// Number of worst frames that are listed.
    const WORST: usize = 10;

    /// The figures of a column.
    pub fn column(&self, name: &str) -> Option<&ColumnSummary> {
        self.columns.iter().find(|column| column.name == name)
    }

    /// A line for each metric: its value of the clip and of each plane, and the frame with the smallest.
    pub fn lines(&self) -> Vec<String> {
        let line = |(name, worst): &(String, Vec<WorstFrame>)| {
            let value = |column: &ColumnSummary| column.clip.map_or("–".to_owned(), |value| column.words(value));
            let overall = self.column(name)?;
            let planes = self.columns.iter().filter_map(|column| {
                let letter = column.name.strip_prefix(name)?.strip_prefix('_')?;
                Some(format!("{letter} {}", value(column)))
            });
            let planes = planes.collect::<Vec<_>>().join(", ");
            let planes = if planes.is_empty() { planes } else { format!(" ({planes})") };
            let lowest = worst.first().map_or_else(String::new, |frame| {
                let [value, number, time] = frame.words(overall);
                format!(", lowest {value} at frame {number} ({time})")
            });
            Some(format!("{name} {}{planes}{lowest}", value(overall)))
        };
        self.worst.iter().filter_map(line).collect()
    }

    /// Of the values of frames.
    pub fn of(series: &QualitySeries) -> Self {
        let sorted = |index: usize| {
            let mut values: Vec<f64> = series.rows().iter().filter_map(|row| row.values[index]).collect();
            values.sort_by(f64::total_cmp);
            values
        };
        let columns = series.columns().iter().enumerate().map(|(index, column)| {
            let sorted = sorted(index);
            let at = |percent: f64| percentile(&sorted, percent);
            ColumnSummary {
                name: column.name.clone(),
                digits: column.metric.digits(),
                clip: series.clip().get(index).copied().flatten(),
                mean: (!sorted.is_empty()).then(|| sorted.iter().sum::<f64>() / sorted.len() as f64),
                min: at(0.0),
                p1: at(1.0),
                p5: at(5.0),
                p50: at(50.0),
            }
        });
        let overall = series.columns().iter().enumerate().filter(|(_, column)| column.is_overall);
        let worst = overall.map(|(index, column)| (column.name.clone(), worst(series, index)));
        let format = series.format().to_owned();
        Self { format, frames: series.rows().len(), columns: columns.collect(), worst: worst.collect() }
    }
}

/// The smallest value that so many of a hundred do not exceed.
fn percentile(sorted: &[f64], percent: f64) -> Option<f64> {
    let rank = (percent / 100.0 * sorted.len() as f64).ceil() as usize;
    sorted.get(rank.saturating_sub(1)).copied()
}

/// The frames with the smallest values of a column.
fn worst(series: &QualitySeries, column: usize) -> Vec<WorstFrame> {
    let finite = series.rows().iter().filter_map(|row| {
        let value = row.values[column].filter(|value| value.is_finite())?;
        Some(WorstFrame { frame: row.frame, time_s: row.time_s, value })
    });
    let mut frames: Vec<WorstFrame> = finite.collect();
    frames.sort_by(|a, b| a.value.total_cmp(&b.value).then(a.frame.cmp(&b.frame)));
    frames.truncate(QualitySummary::WORST);
    frames
}
