//! Measured strengths of each shot, for a clip whose frames are read in any order; a thread measures them.

use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::thread;

use anyhow::{Context, Result};

use super::input;
use super::request::Request;
use super::shot::{self, Shots};
use crate::filter::Filter;
use crate::frame::{Frame, Pool};
use crate::source::{CancelToken, Source};

/// Measured filters of a chain, with the strengths of each shot as in a run.
pub(super) struct ShotMap {
    /// The measured filters as typed.
    typed: Vec<String>,
    state: Arc<Mutex<ShotMapState>>,
    interrupt: CancelToken,
}

#[derive(Default)]
struct ShotMapState {
    turns: Vec<ShotTurn>,
    /// The time up to which all turns are known, inclusive.
    known: Option<i64>,
    is_over: bool,
}

/// A shot and its strengths.
#[derive(Clone)]
pub(super) struct ShotTurn {
    /// Its number, from 0.
    pub(super) index: usize,
    /// The time of its first frame; none of the clip's first.
    pub(super) from: Option<i64>,
    /// The time of the first frame that is not its own, if there is one.
    pub(super) until: Option<i64>,
    /// False for an earlier shot that is used until the clip is measured up to the frame.
    pub(super) is_certain: bool,
    settled: Vec<Filter>,
    pub(super) finding: Option<String>,
}

impl Drop for ShotMap {
    fn drop(&mut self) {
        self.interrupt.cancel();
    }
}

impl ShotMap {
    /// Measures the beginning of the clip and starts a thread for the rest. Blocks for the beginning.
    ///
    /// # Errors
    /// If the clip cannot be read, or the system gives no thread.
    pub(super) fn start(request: &Request, filters: &[Filter]) -> Result<Self> {
        // Other cores are for the frames that are shown.
        let request = Request { threads: 1.into(), ..request.clone() };
        let interrupt = CancelToken::default();
        let source = input::open(&request, &interrupt)?.0;
        let mut shots = Shots::of_request(&request, source, filters, &interrupt)?;
        let state = Arc::new(Mutex::new(ShotMapState::default()));
        let map = Self { typed: texts(filters), state: state.clone(), interrupt: interrupt.clone() };
        map.lock().turns.push(ShotTurn::of(&shots, 0, None));
        let look = move || {
            if let Err(error) = follow(&mut shots, &state, &interrupt) {
                log::debug!("shots: {error:#}");
            }
            lock(&state).is_over = true;
        };
        thread::Builder::new().name("shots".into()).spawn(look).context("start a thread")?;
        Ok(map)
    }

    /// True if the chain has the same measured filters.
    pub(super) fn is_for(&self, filters: &[Filter]) -> bool {
        self.typed == texts(filters)
    }

    /// The shot of a frame, as far as is known. `last` is the last frame that is read for it; `None` after the clip's end.
    pub(super) fn at(&self, [frame, last]: [Option<&Frame>; 2]) -> Option<ShotTurn> {
        let state = self.lock();
        let is_own = |turn: &ShotTurn| {
            let begins = |frame: &Frame| turn.from.is_none_or(|from| from <= shot::time(frame));
            turn.index == 0 || frame.is_some_and(begins)
        };
        let index = state.turns.iter().rposition(is_own)?;
        let turn = state.turns.get(index)?.clone();
        let until = state.turns.get(index + 1).and_then(|next| next.from);
        let is_seen = |last: &Frame| state.known.is_some_and(|known| known >= shot::time(last));
        Some(ShotTurn { until, is_certain: state.is_over || last.is_some_and(is_seen), ..turn })
    }

    fn lock(&self) -> MutexGuard<'_, ShotMapState> {
        lock(&self.state)
    }
}

fn lock(state: &Mutex<ShotMapState>) -> MutexGuard<'_, ShotMapState> {
    state.lock().unwrap_or_else(PoisonError::into_inner)
}

fn texts(filters: &[Filter]) -> Vec<String> {
    filters.iter().filter(|filter| filter.is_measured()).map(|filter| filter.text.clone()).collect()
}

fn follow(shots: &mut Shots, state: &Mutex<ShotMapState>, interrupt: &CancelToken) -> Result<()> {
    let (pool, mut turns) = (Pool::heap(), false);
    while !interrupt.is_cancelled() {
        match shots.next_frame(&pool)? {
            Some(frame) => {
                let (time, mut state) = (shot::time(&frame), lock(state));
                if std::mem::take(&mut turns) {
                    let turn = ShotTurn::of(shots, state.turns.len(), Some(time));
                    state.turns.push(turn);
                }
                state.known = Some(time);
            }
            None if shots.turn().is_some() => turns = true,
            None => break,
        }
    }
    Ok(())
}

impl ShotTurn {
    fn of(shots: &Shots, index: usize, from: Option<i64>) -> Self {
        let settled = shots.settled_filters();
        Self { index, from, until: None, is_certain: true, settled, finding: shots.finding() }
    }

    /// A chain with its measured filters replaced by those with strengths.
    pub(super) fn settle(&self, filters: &[Filter]) -> Vec<Filter> {
        let mut settled = self.settled.iter();
        let settle = |filter: &Filter| match filter.is_measured() {
            true => settled.next().unwrap_or(filter).clone(),
            false => filter.clone(),
        };
        filters.iter().map(settle).collect()
    }

    /// True for a frame of this shot.
    pub(super) fn has(&self, frame: &Frame) -> bool {
        let time = shot::time(frame);
        self.from.is_none_or(|from| from <= time) && !self.is_past(frame)
    }

    /// True for a frame of a later shot.
    pub(super) fn is_past(&self, frame: &Frame) -> bool {
        self.until.is_some_and(|until| until <= shot::time(frame))
    }
}
