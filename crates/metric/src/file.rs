//! Values of frames as JSON lines and as CSV.

use std::collections::BTreeMap;

use anyhow::{Context, Result};
use serde::{Serialize, Serializer};
use serde_json::{Map, Value, json};

use super::series::{QualityRow, QualitySeries};
use super::summary::QualitySummary;

impl QualitySeries {
    /// A line of JSON for each frame, and one of the summary. Values that are infinite or do not exist are null.
    ///
    /// # Errors
    /// If a line cannot be put together.
    pub fn json(&self, summary: &QualitySummary) -> Result<String> {
        let mut text = String::new();
        let mut add = |line: &Value| -> Result<()> {
            text += &serde_json::to_string(line).context("print metrics")?;
            text.push('\n');
            Ok(())
        };
        for row in self.rows() {
            let values =
                self.columns().iter().zip(&row.values).map(|(column, value)| (column.name.clone(), json!(value)));
            let head = [("frame".to_owned(), json!(row.frame)), ("time".to_owned(), json!(row.time_s))];
            add(&Value::Object(head.into_iter().chain(values).collect::<Map<_, _>>()))?;
        }
        add(&json!(summary))?;
        Ok(text)
    }

    /// A line of CSV for each frame: an infinite value is `inf`, and one that does not exist is empty.
    ///
    /// # Errors
    /// If a line cannot be put together.
    pub fn csv(&self) -> Result<String> {
        let wrong = "print metrics";
        let mut csv = csv::Writer::from_writer(Vec::new());
        let names = self.columns().iter().map(|column| column.name.as_str());
        csv.write_record(["frame", "time"].into_iter().chain(names)).context(wrong)?;
        for QualityRow { frame, time_s, values } in self.rows() {
            let values = values.iter().map(|value| value.map_or(String::new(), |value| format!("{value:.6}")));
            csv.write_record([frame.to_string(), format!("{time_s:.6}")].into_iter().chain(values)).context(wrong)?;
        }
        String::from_utf8(csv.into_inner().context(wrong)?).context(wrong)
    }
}

impl Serialize for QualitySummary {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let figures: BTreeMap<_, _> = self.columns.iter().map(|column| (&column.name, column)).collect();
        let worst: BTreeMap<_, _> = self.worst.iter().map(|(name, frames)| (name, frames)).collect();
        json!({ "format": self.format, "frames": self.frames, "summary": figures, "worst": worst })
            .serialize(serializer)
    }
}
