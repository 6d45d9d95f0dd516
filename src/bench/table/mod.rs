//! A result as text for a terminal.

mod layout;
mod limit;
mod measured;
mod run;

use std::fmt;

use super::schema::Record;
use layout::wrapped;

impl fmt::Display for Record {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for run in &self.runs {
            writeln!(f, "{run}")?;
        }
        if self.runs.iter().filter(|run| run.gain.is_some()).count() > 1 {
            writeln!(f, "{}\n", measured::scaling(&self.runs))?;
        }
        if !self.ladder.is_empty() {
            writeln!(f, "{}", measured::ladder(&self.ladder))?;
        }
        if !self.decoding.is_empty() {
            writeln!(f, "{}", measured::decoding(&self.decoding))?;
        }
        self.remarks.iter().try_for_each(|remark| writeln!(f, "{}", wrapped(&format!("note: {remark}"))))?;
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
