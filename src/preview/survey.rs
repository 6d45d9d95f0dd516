//! Thumbnails and cuts, found by a thread that gives way to all else, and keeps what it decodes on disk.

use std::sync::atomic::Ordering;
use std::sync::{Arc, Mutex, PoisonError};
use std::thread;
use std::time::Duration;

use anyhow::{Context, Result};
use serde::Serialize;

use super::studio::Occupation;
use crate::frame::Format;
use crate::job::{FrameStore, Request, Survey, Thumbnail};
use crate::source::CancelToken;

/// How much has been found.
#[derive(Clone, Debug, Default, Serialize)]
pub(super) struct SurveyAnswer {
    /// Frames from one thumbnail to the next.
    every: u64,
    width: usize,
    height: usize,
    /// Thumbnails that are there.
    ready: usize,
    /// Numbers of frames, estimated, of which there is a thumbnail at `thumbs/key/INDEX` until all others are there.
    keys: Vec<u64>,
    /// Frames that begin a shot.
    cuts: Vec<u64>,
    /// Frames that were looked at.
    frames: u64,
    /// Bytes of decoded frames on disk.
    stored_bytes: u64,
    done: bool,
}

/// What has been found.
#[derive(Clone)]
pub(super) struct SurveyBoard {
    state: Arc<Mutex<SurveyState>>,
    store: Option<Arc<FrameStore>>,
}

#[derive(Default)]
struct SurveyState {
    answer: SurveyAnswer,
    thumbnails: Vec<Thumbnail>,
    /// Those of `keys`.
    outline: Vec<Thumbnail>,
}

impl SurveyBoard {
    /// Seconds from one thumbnail to the next.
    const EVERY_S: f64 = 1.0;
    /// The most thumbnails, of 21 kB at the most each; every second goes where there would be more.
    const MOST: usize = 512;
    /// From so many thumbnails on key frames are shown first.
    const LONG: u64 = 20;
    /// The most key frames.
    const KEYS: u64 = 24;
    /// How long it waits for orders to end.
    const NAP: Duration = Duration::from_millis(30);
    /// The most cuts that are told.
    const MOST_CUTS: usize = 10_000;

    /// Starts to look through the clip, unless it comes through a pipe, and keeps its frames in a store. It waits while there
    /// are orders.
    ///
    /// # Errors
    /// If the system does not give a thread.
    pub(super) fn start(
        request: &Request,
        format: &Arc<Format>,
        store: Option<Arc<FrameStore>>,
        occupations: [Occupation; 2],
        interrupt: &CancelToken,
    ) -> Result<Self> {
        let rate = format.rate.value().unwrap_or(25.0);
        let (width, height) = Survey::size(format);
        let is_pipe = request.input == "-";
        let every = ((rate * Self::EVERY_S).round() as u64).max(1);
        let answer = SurveyAnswer { every, width, height, done: is_pipe, ..SurveyAnswer::default() };
        let board = Self { state: Arc::new(Mutex::new(SurveyState { answer, ..SurveyState::default() })), store };
        if !is_pipe {
            let (own, request, interrupt) = (board.clone(), request.clone(), interrupt.clone());
            let look = move || {
                if let Err(error) = own.look(&request, every, &occupations, &interrupt) {
                    log::debug!("thumbnails: {error:#}");
                }
                own.with(|state| state.answer.done = true);
            };
            thread::Builder::new().name("survey".into()).spawn(look).context("start a thread")?;
        }
        Ok(board)
    }

    /// What has been found.
    pub(super) fn answer(&self) -> SurveyAnswer {
        let stored_bytes = self.store.as_ref().map_or(0, |store| store.bytes());
        self.with(|state| SurveyAnswer { ready: state.thumbnails.len(), stored_bytes, ..state.answer.clone() })
    }

    /// A thumbnail.
    pub(super) fn thumbnail(&self, number: usize) -> Option<Vec<u8>> {
        self.with(|state| state.thumbnails.get(number).map(|thumbnail| thumbnail.rgb.clone()))
    }

    /// The thumbnail of a key frame.
    pub(super) fn key_thumbnail(&self, index: usize) -> Option<Vec<u8>> {
        self.with(|state| state.outline.get(index).map(|thumbnail| thumbnail.rgb.clone()))
    }

    fn with<T>(&self, look: impl FnOnce(&mut SurveyState) -> T) -> T {
        look(&mut self.state.lock().unwrap_or_else(PoisonError::into_inner))
    }

    fn look(&self, request: &Request, every: u64, occupations: &[Occupation], interrupt: &CancelToken) -> Result<()> {
        let wait = || {
            while !interrupt.is_cancelled() && occupations.iter().any(|it| it.load(Ordering::Relaxed) > 0) {
                thread::sleep(Self::NAP);
            }
        };
        let mut survey = Survey::open(request, every, interrupt)?;
        if survey.length().is_some_and(|length| length > Self::LONG * every) {
            let mut outline = Survey::open(request, every, interrupt)?.outline(Self::KEYS);
            loop {
                wait();
                let Some((number, thumbnail)) = outline.next().filter(|_| !interrupt.is_cancelled()) else { break };
                self.with(|state| {
                    state.answer.keys.push(number);
                    state.outline.push(thumbnail);
                });
            }
        }
        if let Some(store) = &self.store {
            survey.keep_in(store.clone());
        }
        loop {
            wait();
            if interrupt.is_cancelled() {
                break;
            }
            let Some(found) = survey.look()? else { break };
            self.with(|state| state.note(found.is_cut, found.thumbnail));
        }
        Ok(())
    }
}

impl SurveyState {
    fn note(&mut self, is_cut: bool, thumbnail: Option<Thumbnail>) {
        let Self { answer, thumbnails, .. } = self;
        if is_cut && answer.cuts.len() < SurveyBoard::MOST_CUTS {
            answer.cuts.push(answer.frames);
        }
        // Where they have become fewer, not all that are made are wanted.
        if answer.frames.is_multiple_of(answer.every) {
            thumbnails.extend(thumbnail);
        }
        if thumbnails.len() > SurveyBoard::MOST {
            let mut number = 0;
            thumbnails.retain(|_| {
                number += 1;
                number % 2 == 1
            });
            answer.every *= 2;
        }
        answer.frames += 1;
    }
}
