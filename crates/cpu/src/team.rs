//! The threads that share a job: the one that calls, and helpers.
//!
//! The caller works too. Handing a job to helpers alone wakes one of them, who wakes the others, and puts the caller to sleep, once for
//! each pass of each frame. Beside a decoder, 16 cores make 1.1 to 1.5 times as many frames since the caller works, two cores 1.03 to
//! 1.07 times as many. What is left on two cores is the system's: it wakes a helper on a core that is taken while the other is idle.
//!
//! Each thread has a lane of neighbouring parts, the same for each job of as many parts: what it wrote in one pass is in its cache in
//! the next. It takes them from the front; a thread without parts takes those of others from the back.

use std::collections::VecDeque;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use anyhow::{Context, Result};
use rayon::{Scope, ThreadPool, ThreadPoolBuilder, current_thread_index};

use super::budget::{Budget, thread_time};

/// Threads that share jobs, and a state for each, as memory that it works in: the first is that of the caller.
///
/// ```
/// use warpreel_cpu::Team;
///
/// let team = Team::<Vec<u8>>::new("worker", 3)?;
/// let squares = team.map(vec![1, 2, 3, 4], |number, _| number * number);
/// assert_eq!(squares, [1, 4, 9, 16]);
/// # anyhow::Ok(())
/// ```
#[derive(Debug)]
pub struct Team<S> {
    /// Twice as many in each group as in the one before, but for the last: who helps with a small job is the same thread each time.
    helpers: Vec<ThreadPool>,
    states: Vec<Mutex<S>>,
    /// Where not all threads are woken for each job.
    budget: Option<Mutex<Budget>>,
}

/// Parts that a thread takes first.
type Lane<P> = Mutex<VecDeque<P>>;

impl<S: Default + Send> Team<S> {
    /// The caller, and as many helpers as there are more threads than one, named `name-0` and on.
    ///
    /// # Errors
    /// If the system does not give them.
    pub fn new(name: &'static str, threads: usize) -> Result<Self> {
        let mut helpers = Vec::new();
        let mut first = 0;
        while first + 1 < threads {
            let count = (first + 1).min(threads - 1 - first);
            let pool =
                ThreadPoolBuilder::new().num_threads(count).thread_name(move |n| format!("{name}-{}", first + n));
            helpers.push(pool.build().context("start threads that help")?);
            first += count;
        }
        let states = Vec::from_iter((0..threads.max(1)).map(|_| Mutex::default()));
        Ok(Self { helpers, states, budget: None })
    }

    /// Leaves cores to the other threads of the process from now on: no more threads are woken for a job than it takes for the team not to
    /// be what those wait for. A team that has the process to itself still wakes all.
    pub fn share_cores(&mut self) {
        self.budget = Some(Mutex::new(Budget::new()));
    }

    /// How many threads there are, with the caller.
    pub fn threads(&self) -> usize {
        self.states.len()
    }

    /// The state of each thread, that of the caller first.
    pub fn states_mut(&mut self) -> impl Iterator<Item = &mut S> {
        self.states.iter_mut().map(|state| state.get_mut().unwrap_or_else(PoisonError::into_inner))
    }

    /// Does work for each part. Blocks until all is done; a panic of any thread is one of the caller.
    pub fn share<P: Send>(&self, parts: Vec<P>, work: impl Fn(P, &mut S) + Sync) {
        let Some(budget) = &self.budget else { return self.share_among(self.threads(), parts, work, |lane| lane()) };
        let budget = || budget.lock().unwrap_or_else(PoisonError::into_inner);
        let nanoseconds = AtomicU64::new(0);
        let threads = budget().threads(self.threads());
        self.share_among(threads, parts, work, |lane| {
            let began = thread_time();
            lane();
            nanoseconds.fetch_add(thread_time().saturating_sub(began).as_nanos() as u64, Ordering::Relaxed);
        });
        budget().spend(Duration::from_nanos(nanoseconds.into_inner()));
    }

    /// Runs `around` once in each of `most` threads, or of as many as there are parts; the thread takes parts while the function that
    /// `around` is given runs.
    fn share_among<P: Send>(
        &self,
        most: usize,
        parts: Vec<P>,
        work: impl Fn(P, &mut S) + Sync,
        around: impl Fn(&dyn Fn()) + Sync,
    ) {
        let count = parts.len().min(most).max(1);
        let lanes = Vec::from_iter(lanes(parts, count));
        let run = |thread: usize| {
            around(&|| {
                let mut state = self.state(thread);
                while let Some(part) = next(&lanes, thread % count) {
                    work(part, &mut state);
                }
            });
        };
        help(&self.helpers, count, 1, &run);
    }

    /// Results of the parts, in their order.
    pub fn map<P: Send, R: Send>(&self, parts: Vec<P>, work: impl Fn(P, &mut S) -> R + Sync) -> Vec<R> {
        let mut made = Vec::from_iter(parts.iter().map(|_| None));
        let places = parts.into_iter().zip(&mut made).collect();
        self.share(places, |(part, place), state| *place = Some(work(part, state)));
        made.into_iter().flatten().collect()
    }

    fn state(&self, thread: usize) -> MutexGuard<'_, S> {
        self.states[thread].lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// Parts by lane, as many or one fewer in each as in the one before.
fn lanes<P>(parts: Vec<P>, count: usize) -> impl Iterator<Item = Lane<P>> {
    let all = parts.len();
    let mut parts = parts.into_iter();
    (0..count).map(move |lane| {
        let own = all / count + usize::from(lane < all % count);
        Mutex::new(parts.by_ref().take(own).collect())
    })
}

/// The next part of a lane, or the last of another.
fn next<P>(lanes: &[Lane<P>], own: usize) -> Option<P> {
    let lane = |index: usize| lanes[index].lock().unwrap_or_else(PoisonError::into_inner);
    let first = lane(own).pop_front();
    first.or_else(|| (1..lanes.len()).find_map(|far| lane((own + far) % lanes.len()).pop_back()))
}

/// Has helpers run from number `first` on, so that `count` threads run with the caller.
fn help(helpers: &[ThreadPool], count: usize, first: usize, run: &(dyn Fn(usize) + Sync)) {
    let Some((group, others)) = helpers.split_first().filter(|_| first < count) else { return run(0) };
    let run_one = || run(current_thread_index().map_or(0, |index| first + index));
    group.in_place_scope(|scope| {
        wake(scope, group.current_num_threads().min(count - first), &run_one);
        help(others, count, first + group.current_num_threads(), run);
    });
}

/// Wakes so many helpers, each of which wakes half of those that are left: no thread wakes all.
fn wake<'scope>(scope: &Scope<'scope>, mut count: usize, help: &'scope (dyn Fn() + Sync)) {
    while count > 0 {
        let half = count.div_ceil(2);
        scope.spawn(move |scope| {
            wake(scope, half - 1, help);
            help();
        });
        count -= half;
    }
}

#[cfg(test)]
mod tests {
    use std::sync::atomic::{AtomicUsize, Ordering};

    use super::super::scratch::{Buffer, OutOfMemory, Scratch, caught};
    use super::*;

    #[test]
    fn each_part_is_done_once_and_in_its_place() {
        for threads in [1, 2, 3, 8] {
            let team = Team::<()>::new("test", threads).expect("threads");
            assert_eq!(team.threads(), threads);
            for count in [0, 1, 2, 7, 8, 9, 100] {
                let done = AtomicUsize::new(0);
                let made = team.map(Vec::from_iter(0..count), |part, _| {
                    done.fetch_add(1, Ordering::Relaxed);
                    part * part
                });
                assert_eq!(made, Vec::from_iter((0..count).map(|part| part * part)), "{threads} threads");
                assert_eq!(done.into_inner(), count);
            }
        }
    }

    #[test]
    fn helpers_are_in_groups() {
        for (threads, sizes) in
            [(1, vec![]), (2, vec![1]), (3, vec![1, 1]), (8, vec![1, 2, 4]), (17, vec![1, 2, 4, 8, 1])]
        {
            let team = Team::<()>::new("test", threads).expect("threads");
            assert_eq!(Vec::from_iter(team.helpers.iter().map(ThreadPool::current_num_threads)), sizes, "{threads}");
            let run = Mutex::new(vec![0; threads]);
            help(&team.helpers, threads, 1, &|thread| run.lock().expect("the counts")[thread] += 1);
            assert_eq!(run.into_inner().expect("the counts").iter().sum::<usize>(), threads, "each is asked once");
        }
    }

    #[test]
    fn lanes_are_neighbours_and_the_others_are_taken_from_their_end() {
        let lanes = Vec::from_iter(lanes(Vec::from_iter(0..8), 3));
        let taken = [(1, 3), (1, 4), (1, 5), (1, 7), (0, 0), (1, 6), (1, 2), (0, 1)];
        for (own, part) in taken {
            assert_eq!(next(&lanes, own), Some(part));
        }
        assert_eq!(next(&lanes, 2), None);
    }

    #[test]
    fn memory_that_is_not_there_is_an_error_of_the_caller() {
        let team = Team::<Scratch>::new("test", 2).expect("threads");
        let ask = |_, _: &mut Scratch| assert!(Buffer::default().elements::<u64>(usize::MAX / 16).is_empty());
        let asked = caught(|| team.share(vec![0; 4], ask)).expect_err("too much");
        assert!(matches!(asked, OutOfMemory::System { bytes } if bytes == usize::MAX / 16 * 8), "{asked}");
        assert!(caught(|| team.share(vec![0; 4], |_, _| ())).is_ok());
    }
}
