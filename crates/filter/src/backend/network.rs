//! Comparator networks that find a sample of a given rank: which two registers are compared next does not depend on
//! what they hold, so that many samples can be sorted side by side. Made of Batcher's odd-even merges.

/// One comparator between two registers.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Exchange {
    /// The first becomes the smaller, the second the larger.
    Both(usize, usize),
    /// The first becomes the smaller; the second is not needed any more.
    Low(usize, usize),
    /// The second becomes the larger; the first is not needed any more.
    High(usize, usize),
}

impl Exchange {
    /// Both registers.
    pub fn registers(self) -> (usize, usize) {
        let (Self::Both(a, b) | Self::Low(a, b) | Self::High(a, b)) = self;
        (a, b)
    }
}

/// What becomes of two values that are compared: steps that are written down, or nodes of a graph. A value goes by a
/// number.
pub trait Comparator {
    /// The smaller and the larger.
    fn both(&mut self, a: usize, b: usize) -> (usize, usize);
    /// The smaller alone.
    fn low(&mut self, a: usize, b: usize) -> usize;
    /// The larger alone.
    fn high(&mut self, a: usize, b: usize) -> usize;
}

/// In place: a value goes by the register that holds it.
impl Comparator for Vec<Exchange> {
    fn both(&mut self, a: usize, b: usize) -> (usize, usize) {
        self.push(Exchange::Both(a, b));
        (a, b)
    }

    fn low(&mut self, a: usize, b: usize) -> usize {
        self.push(Exchange::Low(a, b));
        a
    }

    fn high(&mut self, a: usize, b: usize) -> usize {
        self.push(Exchange::High(a, b));
        b
    }
}

/// Steps in order, and where the results then stand.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Network {
    /// Run in order.
    pub steps: Vec<Exchange>,
    /// Registers, ascending by what they hold.
    pub results: Vec<usize>,
}

impl Network {
    /// Sorts registers `0 .. count`.
    pub fn sort(count: usize) -> Self {
        let mut steps = Vec::new();
        let results = tree((0..count).map(|register| vec![register]).collect(), &mut steps);
        Self { steps, results }
    }

    /// The value of place `rank`, ascending from 0, of `lists · length` registers, of which each `length` neighbours
    /// are sorted already. `rank` is below their number.
    pub fn select(lists: usize, length: usize, rank: usize) -> Self {
        let mut steps = Vec::new();
        let mut lists: Vec<Vec<usize>> =
            (0..lists).map(|list| (list * length..(list + 1) * length).collect()).collect();
        let rest = lists.split_off(lists.len().div_ceil(2));
        let (first, second) = (tree(lists, &mut steps), tree(rest, &mut steps));
        let result = chosen(&first, &second, rank, &mut steps);
        let mut network = Self { steps, results: vec![result] };
        network.prune();
        network
    }

    /// Some places, ascending, of `lists · length` registers, of which each `length` neighbours are sorted already.
    pub fn middle(lists: usize, length: usize, places: std::ops::Range<usize>) -> Self {
        let mut steps = Vec::new();
        let lists = (0..lists).map(|list| (list * length..(list + 1) * length).collect()).collect();
        let sorted = tree(lists, &mut steps);
        let mut network = Self { steps, results: sorted[places].to_vec() };
        network.prune();
        network
    }

    /// The value of place `rank` of `sorted` registers that are, and then `unsorted` ones that are not.
    pub fn pick(sorted: usize, unsorted: usize, rank: usize) -> Self {
        let mut steps = Vec::new();
        let rest = tree((sorted..sorted + unsorted).map(|register| vec![register]).collect(), &mut steps);
        let result = chosen(&(0..sorted).collect::<Vec<_>>(), &rest, rank, &mut steps);
        let mut network = Self { steps, results: vec![result] };
        network.prune();
        network
    }

    /// Leaves out what no result depends on.
    fn prune(&mut self) {
        let registers = self.steps.iter().map(|step| step.registers().0.max(step.registers().1) + 1).max().unwrap_or(0);
        let mut needed = vec![false; registers.max(self.results.iter().max().map_or(0, |last| last + 1))];
        self.results.iter().for_each(|&register| needed[register] = true);
        let mut kept = Vec::new();
        for &step in self.steps.iter().rev() {
            let (a, b) = step.registers();
            let low = needed[a] && !matches!(step, Exchange::High(..));
            let high = needed[b] && !matches!(step, Exchange::Low(..));
            kept.extend(match (low, high) {
                (true, true) => Some(Exchange::Both(a, b)),
                (true, false) => Some(Exchange::Low(a, b)),
                (false, true) => Some(Exchange::High(a, b)),
                (false, false) => None,
            });
            if low || high {
                (needed[a], needed[b]) = (true, true);
            }
        }
        kept.reverse();
        self.steps = kept;
    }
}

/// All lists as one, ascending.
pub fn tree(mut lists: Vec<Vec<usize>>, steps: &mut impl Comparator) -> Vec<usize> {
    match lists.len() {
        0 => Vec::new(),
        1 => lists.remove(0),
        count => {
            let rest = lists.split_off(count.div_ceil(2));
            let (first, second) = (tree(lists, steps), tree(rest, steps));
            merged(first, second, steps)
        }
    }
}

/// Two sorted lists as one. Both are filled up with places that hold nothing, which stands for the largest of all.
pub fn merged(first: Vec<usize>, second: Vec<usize>, steps: &mut impl Comparator) -> Vec<usize> {
    let length = first.len().max(second.len()).next_power_of_two();
    let padded = |list: Vec<usize>| {
        let missing = length - list.len();
        list.into_iter().map(Some).chain(std::iter::repeat_n(None, missing))
    };
    let mut places: Vec<Option<usize>> = padded(first).chain(padded(second)).collect();
    merge(&mut places, 0, 1, steps);
    places.into_iter().flatten().collect()
}

/// Merges the two halves of every `step`-th place from `start` on.
fn merge(places: &mut [Option<usize>], start: usize, step: usize, steps: &mut impl Comparator) {
    let count = places.len();
    if 2 * step < count {
        merge(places, start, 2 * step, steps);
        merge(places, start + step, 2 * step, steps);
        for at in (start + step..count - step).step_by(2 * step) {
            compare(places, at, at + step, steps);
        }
    } else {
        compare(places, start, start + step, steps);
    }
}

fn compare(places: &mut [Option<usize>], low: usize, high: usize, steps: &mut impl Comparator) {
    match (places[low], places[high]) {
        (Some(a), Some(b)) => {
            let (least, most) = steps.both(a, b);
            (places[low], places[high]) = (Some(least), Some(most));
        }
        (None, Some(_)) => places.swap(low, high),
        _ => {}
    }
}

/// The value of place `rank` in two sorted lists together: the least, over all ways to take `rank + 1` values from
/// their beginnings, of the largest that is taken.
pub fn chosen(first: &[usize], second: &[usize], rank: usize, steps: &mut impl Comparator) -> usize {
    let fewest = (rank + 1).saturating_sub(first.len());
    let mut result: Option<usize> = None;
    for from_second in fewest..=(rank + 1).min(second.len()) {
        let from_first = rank + 1 - from_second;
        let largest = match (from_first.checked_sub(1), from_second.checked_sub(1)) {
            (Some(a), Some(b)) => steps.high(first[a], second[b]),
            (Some(a), None) => first[a],
            (None, Some(b)) => second[b],
            (None, None) => continue,
        };
        result = Some(match result {
            Some(least) => steps.low(least, largest),
            None => largest,
        });
    }
    result.unwrap_or(0)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn run(network: &Network, registers: &mut [u8]) {
        for &step in &network.steps {
            let (a, b) = step.registers();
            let (low, high) = (registers[a].min(registers[b]), registers[a].max(registers[b]));
            match step {
                Exchange::Both(..) => (registers[a], registers[b]) = (low, high),
                // What is not needed any more is spoilt.
                Exchange::Low(..) => (registers[a], registers[b]) = (low, 99),
                Exchange::High(..) => (registers[a], registers[b]) = (99, high),
            }
        }
    }

    /// A network that sorts all zeros and ones sorts everything.
    #[test]
    fn zeros_and_ones_are_sorted() {
        for count in 1..=13 {
            let network = Network::sort(count);
            for pattern in 0..1u32 << count {
                let mut registers: Vec<u8> = (0..count).map(|bit| (pattern >> bit & 1) as u8).collect();
                run(&network, &mut registers);
                let sorted: Vec<u8> = network.results.iter().map(|&register| registers[register]).collect();
                assert!(sorted.is_sorted(), "{count} values, pattern {pattern:b}");
            }
        }
    }

    /// Of sorted lists of zeros and ones only the number of ones in each matters.
    #[test]
    fn every_rank_is_found() {
        for (lists, length) in [(1, 1), (1, 7), (2, 3), (3, 3), (5, 1), (5, 3), (9, 1), (4, 5), (3, 9), (7, 2)] {
            for rank in 0..lists * length {
                let network = Network::select(lists, length, rank);
                for pattern in 0..(length + 1usize).pow(lists as u32) {
                    let ones = |list: u32| pattern / (length + 1).pow(list) % (length + 1);
                    let mut registers: Vec<u8> = (0..lists as u32)
                        .flat_map(|list| (0..length).map(move |place| u8::from(place + ones(list) >= length)))
                        .collect();
                    let zeros = registers.iter().filter(|value| **value == 0).count();
                    run(&network, &mut registers);
                    let wanted = u8::from(rank >= zeros);
                    assert_eq!(registers[network.results[0]], wanted, "{lists} of {length}, rank {rank}");
                }
            }
        }
    }
}
