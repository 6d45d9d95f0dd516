//! The values of all frames, in columns.

use warpreel_filter::filter::letter;

use super::metric::Metric;
use super::score::MetricScores;
use crate::frame::{Format, Frame};

/// Values of one frame.
#[derive(Clone, Debug, PartialEq)]
pub struct QualityRow {
    /// Its number in the reference, from 0.
    pub frame: u64,
    /// Its time there, in seconds.
    pub time_s: f64,
    /// A value a column: infinite where a metric finds no error; none where planes are too small to be measured.
    pub values: Vec<Option<f64>>,
}

/// A metric of all planes or of one.
#[derive(Clone, Debug, PartialEq)]
pub struct QualityColumn {
    /// The metric.
    pub metric: Metric,
    /// Name: `psnr`, `psnr_y`.
    pub name: String,
    /// True of the value of all planes.
    pub is_overall: bool,
}

/// Values of all frames, and of the clip.
#[derive(Clone, Debug)]
pub struct QualitySeries {
    /// Format of the reference, in words.
    format: String,
    columns: Vec<QualityColumn>,
    rows: Vec<QualityRow>,
    unit_s: f64,
    /// Of the clip, a value a column.
    clip: Vec<Option<f64>>,
}

impl QualitySeries {
    /// An empty one, for frames of a format.
    pub fn new(format: &Format, metrics: &[Metric]) -> Self {
        let columns = metrics.iter().flat_map(|&metric| {
            let overall = QualityColumn { metric, name: metric.name().to_owned(), is_overall: true };
            let count = metric.planes(format.pixel);
            // A single plane is all there is.
            let planes = (0..count).filter(move |_| count > 1);
            let name = move |plane| format!("{metric}_{}", letter(format.pixel, plane));
            let each = planes.map(move |plane| QualityColumn { metric, name: name(plane), is_overall: false });
            [overall].into_iter().chain(each)
        });
        let unit_s = format.time_base.value().unwrap_or_default();
        Self { format: format.to_string(), columns: columns.collect(), rows: Vec::new(), unit_s, clip: Vec::new() }
    }

    /// The same without values.
    #[must_use]
    pub fn emptied(&self) -> Self {
        let (format, columns) = (self.format.clone(), self.columns.clone());
        Self { format, columns, rows: Vec::new(), unit_s: self.unit_s, clip: Vec::new() }
    }

    /// Adds the values of a frame of the reference.
    pub fn push(&mut self, frame: &Frame, scores: &[MetricScores]) {
        let timing = &frame.timing;
        let time_s = timing.pts.saturating_add(timing.offset) as f64 * self.unit_s;
        self.rows.push(QualityRow { frame: timing.number, time_s, values: values(scores) });
    }

    /// Adds the values of the clip.
    pub fn end(&mut self, scores: Vec<MetricScores>) {
        self.clip = values(&scores);
    }

    /// Format of the reference, in words.
    pub fn format(&self) -> &str {
        &self.format
    }

    /// Names of the values.
    pub fn columns(&self) -> &[QualityColumn] {
        &self.columns
    }

    /// Values of each frame.
    pub fn rows(&self) -> &[QualityRow] {
        &self.rows
    }

    /// Values of the clip, a value a column.
    pub fn clip(&self) -> &[Option<f64>] {
        &self.clip
    }
}

/// All values in a row: of each metric the overall one first.
fn values(scores: &[MetricScores]) -> Vec<Option<f64>> {
    let of = |scores: &MetricScores| {
        let planes = scores.values.planes.clone();
        let is_alone = planes.len() < 2;
        [scores.values.all].into_iter().chain(planes.into_iter().filter(move |_| !is_alone))
    };
    scores.iter().flat_map(of).collect()
}
