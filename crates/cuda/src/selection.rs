//! Code without branches that finds the sample of a rank in four neighbouring boxes at once: each step is the smaller
//! or the larger of two values, and what several boxes need is made once. Pure arithmetic, tested without a GPU.
//!
//! The boxes are those of four samples side by side. Their columns are sorted, and then merged: first the columns that
//! all four share, then the two that only a pair of them shares, and last one column a box. A merged list keeps only
//! what can still be the result: of `count` values, while `rest` more of the box are to come, those of the places
//! `rank − rest` to `rank`.

use std::collections::HashMap;

use crate::backend::network::{Comparator, chosen, merged, tree};

/// One step: a new value from two others.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct MinMax {
    /// The values, which are those of the boxes' columns or of steps before: the smaller number first.
    pub of: [usize; 2],
    /// Whether the larger is taken, else the smaller.
    pub larger: bool,
}

/// Steps in order. Values are numbered: first the samples of all columns, column after column, then one a step.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Selection {
    /// Run in order.
    pub steps: Vec<MinMax>,
    /// The values that are wanted, of each box one.
    pub results: Vec<usize>,
}

impl Selection {
    /// The value of place `rank`, ascending from 0, of four neighbouring boxes of two or more `columns` of `length`
    /// samples each, which together have `columns + 3` columns. `rank` is below the number of a box's samples.
    pub fn new(columns: usize, length: usize, rank: usize) -> Self {
        let mut graph = Graph { samples: (columns + 3) * length, steps: Vec::new(), known: HashMap::new() };
        let sorted = |column| List::sorted(column * length..(column + 1) * length, &mut graph);
        let sorted: Vec<List> = (0..columns + 3).map(sorted).collect();
        let wanted = OrderStatistic { count: columns * length, rank };
        let result = |first: usize| match columns {
            2 => wanted.of(&sorted[first], &sorted[first + 1], &mut graph),
            _ => {
                let core = wanted.join(&sorted[3..columns], &mut graph);
                let pair = if first < 2 { 1..3 } else { columns..columns + 2 };
                let single = [0, columns, 2, columns + 2][first];
                let pair = wanted.join(&sorted[pair], &mut graph);
                let most = wanted.merged(&core, &pair, &mut graph);
                wanted.of(&most, &sorted[single], &mut graph)
            }
        };
        let results = (0..4).map(result).collect();
        graph.needed(results)
    }

    /// The value of place `rank` of one box of one column of `length` samples: boxes of one column share none.
    pub fn column(length: usize, rank: usize) -> Self {
        let mut graph = Graph { samples: length, steps: Vec::new(), known: HashMap::new() };
        let [first, second] = [0..length / 2, length / 2..length].map(|half| List::sorted(half, &mut graph));
        let result = OrderStatistic { count: length, rank }.of(&first, &second, &mut graph);
        graph.needed(vec![result])
    }

    /// Samples of all columns.
    pub fn samples(columns: usize, length: usize) -> usize {
        (columns + 3) * length
    }
}

/// A sorted list of what can still be the result.
#[derive(Clone, Debug, Default)]
struct List {
    values: Vec<usize>,
    /// Samples that went into it.
    count: usize,
    /// Values that were left out because they lie below the result.
    dropped: usize,
}

impl List {
    fn sorted(samples: std::ops::Range<usize>, graph: &mut Graph) -> Self {
        let count = samples.len();
        Self { values: tree(samples.map(|sample| vec![sample]).collect(), graph), count, dropped: 0 }
    }
}

/// What is looked for: the value of place `rank` among `count`.
#[derive(Clone, Copy)]
struct OrderStatistic {
    count: usize,
    rank: usize,
}

impl OrderStatistic {
    /// All lists as one.
    fn join(self, lists: &[List], graph: &mut Graph) -> List {
        match lists {
            [] => List::default(),
            [list] => self.kept(list.clone()),
            _ => {
                let (first, second) = lists.split_at(lists.len().div_ceil(2));
                let (first, second) = (self.join(first, graph), self.join(second, graph));
                self.merged(&first, &second, graph)
            }
        }
    }

    fn merged(self, first: &List, second: &List, graph: &mut Graph) -> List {
        self.kept(List {
            values: merged(first.values.clone(), second.values.clone(), graph),
            count: first.count + second.count,
            dropped: first.dropped + second.dropped,
        })
    }

    /// The list without what cannot be the result.
    fn kept(self, mut list: List) -> List {
        let (rank, rest) = (self.rank - list.dropped, self.count - list.count);
        list.values.truncate(rank + 1);
        let below = rank.saturating_sub(rest).min(list.values.len());
        list.values.drain(..below);
        list.dropped += below;
        list
    }

    /// The value itself, of two lists that hold all.
    fn of(self, first: &List, second: &List, graph: &mut Graph) -> usize {
        let (first, second) = (self.kept(first.clone()), self.kept(second.clone()));
        chosen(&first.values, &second.values, self.rank - first.dropped - second.dropped, graph)
    }
}

/// Steps of which none is written down twice.
struct Graph {
    samples: usize,
    steps: Vec<MinMax>,
    known: HashMap<MinMax, usize>,
}

impl Graph {
    fn step(&mut self, a: usize, b: usize, larger: bool) -> usize {
        let step = MinMax { of: [a.min(b), a.max(b)], larger };
        let (steps, next) = (&mut self.steps, self.samples + self.known.len());
        *self.known.entry(step).or_insert_with(|| {
            steps.push(step);
            next
        })
    }

    /// Leaves out what no result depends on.
    fn needed(self, mut results: Vec<usize>) -> Selection {
        let samples = self.samples;
        let mut needed = vec![false; samples + self.steps.len()];
        results.iter().for_each(|&value| needed[value] = true);
        for (index, step) in self.steps.iter().enumerate().rev() {
            if needed[samples + index] {
                step.of.iter().for_each(|&value| needed[value] = true);
            }
        }
        let mut name: Vec<usize> = (0..samples).collect();
        let mut steps = Vec::new();
        for (index, step) in self.steps.into_iter().enumerate() {
            name.push(samples + steps.len());
            if needed[samples + index] {
                steps.push(MinMax { of: step.of.map(|value| name[value]), ..step });
            }
        }
        results.iter_mut().for_each(|value| *value = name[*value]);
        Selection { steps, results }
    }
}

impl Comparator for Graph {
    fn both(&mut self, a: usize, b: usize) -> (usize, usize) {
        (self.low(a, b), self.high(a, b))
    }

    fn low(&mut self, a: usize, b: usize) -> usize {
        self.step(a, b, false)
    }

    fn high(&mut self, a: usize, b: usize) -> usize {
        self.step(a, b, true)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The sizes that there are tests of: columns and their lengths.
    const SIZES: [(usize, usize); 16] = [
        (1, 1),
        (1, 2),
        (1, 9),
        (1, 27),
        (2, 1),
        (2, 7),
        (3, 1),
        (3, 3),
        (3, 9),
        (4, 4),
        (5, 3),
        (5, 5),
        (6, 2),
        (7, 1),
        (7, 7),
        (9, 1),
    ];

    /// What finds the right place among zeros and ones finds it among all values.
    #[test]
    fn every_rank_is_found() {
        let mut state = 1u64;
        for (columns, length) in SIZES {
            let count = columns * length;
            let samples = if columns == 1 { length } else { Selection::samples(columns, length) };
            let every = if count > 30 { 5 } else { 1 };
            for rank in (0..count).step_by(every) {
                let selection = match columns {
                    1 => Selection::column(length, rank),
                    _ => Selection::new(columns, length, rank),
                };
                for round in 0..60 * every as u64 {
                    // 64 cases side by side, with more and with fewer ones.
                    let mut values: Vec<u64> = (0..samples)
                        .map(|_| {
                            let mut word = || {
                                state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1);
                                state ^ state >> 29
                            };
                            match round % 3 {
                                0 => word(),
                                1 => word() & (word() | word()),
                                _ => word() | (word() & word()),
                            }
                        })
                        .collect();
                    for step in &selection.steps {
                        let [a, b] = step.of.map(|value| values[value]);
                        values.push(if step.larger { a | b } else { a & b });
                    }
                    for (first, &result) in selection.results.iter().enumerate() {
                        let inside = &values[first * length..first * length + count];
                        for case in 0..64 {
                            let zeros = inside.iter().filter(|word| *word >> case & 1 == 0).count();
                            let found = values[result] >> case & 1;
                            assert_eq!(found, u64::from(rank >= zeros), "{columns} columns of {length}, rank {rank}");
                        }
                    }
                }
            }
        }
    }
}
