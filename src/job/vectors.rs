//! The files of motion that a chain asks for beside the output, and what they must not be.

use std::path::Path;
use std::sync::Arc;

use anyhow::{Result, anyhow, ensure};

use super::kind::Destination;
use super::request::Request;
use super::usage::Usage;
use crate::pass::Op;
use crate::plan::Plan;
use crate::sink::target::same_place;
use crate::sink::{Sink, Target, Vectors};

/// The names of the files, and what they are written beside.
pub(super) struct VectorFiles(Vec<Arc<str>>);

impl VectorFiles {
    /// Those of a plan, which can be written.
    ///
    /// # Errors
    /// If one is another file of the job, is asked for twice, or cannot be written or replaced.
    pub(super) fn of(request: &Request, plan: &Plan) -> Result<Self> {
        let mut names: Vec<Arc<str>> = Vec::new();
        for step in plan.steps() {
            let mut told: Vec<Arc<str>> = step.pass.ops().filter_map(Op::told).collect();
            // All planes of a pass write into one file.
            told.dedup();
            for name in told {
                let path = Path::new(name.as_ref());
                let twice = names.iter().any(|known| same_place(Path::new(known.as_ref()), path));
                ensure!(!twice, Usage::of(anyhow!("two filters write vectors to {name:?}; name a file for each")));
                let others = match request.destination() {
                    Destination::Path(output) => vec![Path::new(&request.input), output],
                    Destination::Nowhere | Destination::Stdout | Destination::Address(_) => {
                        vec![Path::new(&request.input)]
                    }
                };
                ensure!(
                    !others.into_iter().any(|other| same_place(other, path)),
                    Usage::of(anyhow!(
                        "the vectors would replace {name:?}, which is the input or the output; name another file"
                    ))
                );
                let mut files = request.files_read();
                if let Destination::Path(output) = request.destination() {
                    files.add(output, request.writes_sequence());
                }
                ensure!(
                    files.find(path, false).is_none(),
                    Usage::of(anyhow!(
                        "the vectors would replace {name:?}, which the job reads or writes; name another file"
                    ))
                );
                Target::check(path, false, request.overwrite)?;
                names.push(name);
            }
        }
        Ok(Self(names))
    }

    /// Whether there is none.
    pub(super) fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// The sink with the files beside it.
    pub(super) fn join(self, sink: Box<dyn Sink>, request: &Request) -> Box<dyn Sink> {
        if self.0.is_empty() { sink } else { Box::new(Vectors::new(sink, self.0, request.overwrite)) }
    }
}
