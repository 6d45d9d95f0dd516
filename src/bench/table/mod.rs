//! A result as text for a terminal.

mod layout;
mod limit;
mod measured;
mod run;

use std::fmt;

use super::schema::Record;
use layout::wrapped;

impl Record {
    /// What was measured beside runs: several GPUs, the ladder, decoders, and remarks on all of it.
    pub(super) fn tables(&self) -> String {
        let mut parts = Vec::new();
        if self.runs.iter().filter(|run| run.gain.is_some()).count() > 1 {
            parts.push(format!("{}\n", measured::scaling(&self.runs)));
        }
        if !self.ladder.is_empty() {
            parts.push(measured::ladder(&self.ladder).to_string());
        }
        if !self.decoding.is_empty() {
            parts.push(measured::decoding(&self.decoding).to_string());
        }
        parts.extend(self.remarks.iter().map(|remark| wrapped(&format!("note: {remark}"))));
        parts.iter().map(|part| format!("{part}\n")).collect()
    }
}

impl fmt::Display for Record {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for run in &self.runs {
            writeln!(f, "{run}")?;
        }
        f.write_str(&self.tables())?;
        if !(self.ladder.is_empty() && self.decoding.is_empty() && self.remarks.is_empty()) {
            writeln!(f)?;
        }
        if !self.decoding.is_empty() {
            return writeln!(f, "{}", self.machine);
        }
        writeln!(f, "limits, measured in this run:\n{}", self.limits)?;
        write!(f, "{}", self.machine)
    }
}
