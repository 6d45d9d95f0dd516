//! Threads that share what is to be measured.

use std::num::NonZero;

use anyhow::Result;
use warpreel_cpu::Team;

use crate::simd::Level;

/// Threads, and the instructions that they use.
#[derive(Debug)]
pub struct MetricThreads {
    team: Team<()>,
    /// The instructions.
    pub level: Level,
}

impl MetricThreads {
    /// At least one thread; 0 is one a core.
    ///
    /// # Errors
    /// If the system does not give them.
    pub fn new(threads: usize, level: Level) -> Result<Self> {
        let count = match threads {
            0 => std::thread::available_parallelism().map_or(1, NonZero::get),
            threads => threads,
        };
        Ok(Self { team: Team::new("metric", count)?, level })
    }

    /// Their number and their instructions: `cpu, 8 threads, avx2`.
    pub fn name(&self) -> String {
        let count = self.team.threads();
        let plural = if count == 1 { "" } else { "s" };
        format!("cpu, {count} thread{plural}, {}", self.level)
    }

    /// Rows of a piece where a plane of so many rows is cut evenly, at least `fewest`. Several pieces
    /// a thread even out what other work does to one of them.
    pub fn piece(&self, rows: usize, fewest: usize) -> usize {
        rows.div_ceil(4 * self.team.threads()).max(fewest)
    }

    /// Does each piece of work, and returns the results in its order.
    pub fn map<T: Sync, R: Send>(&self, pieces: &[T], work: impl Fn(&T) -> R + Sync) -> Vec<R> {
        self.team.map(pieces.iter().collect(), |piece, ()| work(piece))
    }

    /// Does each piece of work.
    pub fn each<T: Send>(&self, pieces: Vec<T>, work: impl Fn(T) + Sync) {
        self.team.share(pieces, |piece, ()| work(piece));
    }

    /// The sums of the rows of each plane, which `work` forms from a first one on: planes have so many `rows`, cut into pieces of at
    /// least `fewest`.
    pub fn row_sums(
        &self,
        rows: &[usize],
        fewest: usize,
        work: impl Fn(usize, usize, &mut [f64]) + Sync,
    ) -> Vec<Vec<f64>> {
        let mut pieces = Vec::new();
        for (plane, &rows) in rows.iter().enumerate() {
            let step = self.piece(rows, fewest);
            pieces.extend((0..rows).step_by(step).map(|first| (plane, first, step.min(rows - first))));
        }
        let sums = self.map(&pieces, |&(plane, first, count)| {
            let mut sums = vec![0.0; count];
            work(plane, first, &mut sums);
            sums
        });
        let mut planes: Vec<Vec<f64>> = rows.iter().map(|rows| Vec::with_capacity(*rows)).collect();
        pieces.iter().zip(sums).for_each(|((plane, ..), sums)| planes[*plane].extend(sums));
        planes
    }
}
