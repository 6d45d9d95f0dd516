//! The one thread that decodes and filters. Of what the same view of the page asks for, only the last is done.

use std::collections::VecDeque;
use std::future::Future;
use std::pin::Pin;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};
use std::task::{Poll, ready};
use std::thread;
use std::time::Instant;

use anyhow::{Context, Error, Result};
use tokio::sync::oneshot;

use crate::frame::Frame;
use crate::job::{Interrupted, ReelGauge, ReelLength, Scrubbed, Scrubber};
use crate::source::CancelToken;

/// What a view asks for.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Order {
    /// Who asks: a newer order of the same view takes the place of an older one.
    pub(super) view: String,
    pub(super) first: u64,
    pub(super) count: u64,
    /// `None` for frames as they are.
    pub(super) chain: Option<String>,
    /// The chain whose frames they are scaled to.
    pub(super) like: Option<String>,
}

/// What comes of it.
pub(super) enum OrderOutcome {
    Frames(MadeFrames),
    /// A newer order came, or too many did.
    Overtaken,
    Failed(Error),
}

/// Frames.
pub(super) struct MadeFrames {
    pub(super) scrubbed: Scrubbed,
    /// From order to frames, without waiting for its turn.
    pub(super) ms: f64,
}

/// What comes of an order. Dropped before that, for instance with the connection of who asked, it stops the work.
pub(super) struct Promise {
    receiver: oneshot::Receiver<OrderOutcome>,
    interrupt: CancelToken,
}

impl Future for Promise {
    type Output = OrderOutcome;

    fn poll(mut self: Pin<&mut Self>, context: &mut std::task::Context<'_>) -> Poll<OrderOutcome> {
        // Without an answer the studio is closed.
        Poll::Ready(ready!(Pin::new(&mut self.receiver).poll(context)).unwrap_or(OrderOutcome::Overtaken))
    }
}

impl Drop for Promise {
    fn drop(&mut self) {
        self.interrupt.cancel();
    }
}

/// Number of orders that are not done, of all clips; background work pauses above 0.
pub(super) type Occupation = Arc<AtomicUsize>;

/// Takes orders.
pub(super) struct Studio {
    inbox: Arc<Inbox>,
    gauge: ReelGauge,
}

impl Drop for Studio {
    fn drop(&mut self) {
        let mut state = self.inbox.lock();
        state.is_closed = true;
        state.waiting.clear();
        if let Some((_, interrupt)) = &state.current {
            interrupt.cancel();
        }
        self.inbox.count(&mut state);
        self.inbox.news.notify_all();
    }
}

struct Inbox {
    state: Mutex<InboxState>,
    news: Condvar,
    occupation: Occupation,
}

/// An order that nobody has begun, who waits for it, and what stops it.
struct Waiting {
    order: Order,
    sender: oneshot::Sender<OrderOutcome>,
    interrupt: CancelToken,
}

struct InboxState {
    waiting: VecDeque<Waiting>,
    /// The view whose order is under way, and what stops that.
    current: Option<(String, CancelToken)>,
    backend: Option<String>,
    /// Whether nobody orders any more.
    is_closed: bool,
    /// Share of this clip in the occupation.
    counted: usize,
}

impl Studio {
    /// The most orders that wait. The page has a handful of views.
    const MOST: usize = 32;

    /// Starts the thread. `occupation` is that of all clips.
    ///
    /// # Errors
    /// If the system does not give one.
    pub(super) fn start(scrubber: Scrubber, occupation: Occupation) -> Result<Self> {
        let state = InboxState { waiting: VecDeque::new(), current: None, backend: None, is_closed: false, counted: 0 };
        let gauge = scrubber.gauge();
        let inbox = Arc::new(Inbox { state: Mutex::new(state), news: Condvar::new(), occupation });
        let own = inbox.clone();
        thread::Builder::new().name("studio".into()).spawn(move || own.work(scrubber)).context("start a thread")?;
        Ok(Self { inbox, gauge })
    }

    /// Asks for frames. Does not block; the outcome comes later.
    pub(super) fn order(&self, order: Order) -> Promise {
        let ((sender, receiver), interrupt) = (oneshot::channel(), CancelToken::default());
        let promise = Promise { receiver, interrupt: interrupt.clone() };
        let mut state = self.inbox.lock();
        let old = state.waiting.iter().position(|waiting| waiting.order.view == order.view);
        let overtaken = old.and_then(|at| state.waiting.remove(at)).map(|waiting| waiting.sender);
        let sender = match overtaken {
            Some(overtaken) => {
                let _ = overtaken.send(OrderOutcome::Overtaken);
                Some(sender)
            }
            None if state.waiting.len() >= Self::MOST => {
                let _ = sender.send(OrderOutcome::Overtaken);
                None
            }
            None => Some(sender),
        };
        if let Some((_, interrupt)) = state.current.as_ref().filter(|(view, _)| *view == order.view) {
            interrupt.cancel();
        }
        if let Some(sender) = sender {
            state.waiting.push_back(Waiting { order, sender, interrupt });
            self.inbox.count(&mut state);
            self.inbox.news.notify_one();
        }
        promise
    }

    /// How long the clip is, and who filtered last.
    pub(super) fn standing(&self) -> (ReelLength, Option<String>) {
        (self.gauge.length(), self.inbox.lock().backend.clone())
    }
}

impl Inbox {
    fn lock(&self) -> MutexGuard<'_, InboxState> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Adds what has changed since the last call to the occupation.
    fn count(&self, state: &mut InboxState) {
        let now = state.waiting.len() + usize::from(state.current.is_some());
        self.occupation.fetch_add(now.wrapping_sub(state.counted), Ordering::Relaxed);
        state.counted = now;
    }

    /// Does what is ordered, one after the other, for as long as there is somebody who orders.
    fn work(&self, mut scrubber: Scrubber) {
        loop {
            let is_idle = |state: &mut InboxState| state.waiting.is_empty() && !state.is_closed;
            let mut state = self.news.wait_while(self.lock(), is_idle).unwrap_or_else(PoisonError::into_inner);
            if state.is_closed {
                return;
            }
            let Some(Waiting { order, sender, interrupt }) = state.waiting.pop_front() else { continue };
            state.current = Some((order.view.clone(), interrupt.clone()));
            drop(state);
            // Who asked may be gone, also by now.
            if !interrupt.is_cancelled() {
                let _ = sender.send(made(&mut scrubber, &order, &interrupt));
            }
            let mut state = self.lock();
            state.current = None;
            state.backend = scrubber.backend().map(str::to_owned);
            self.count(&mut state);
        }
    }
}

fn made(scrubber: &mut Scrubber, order: &Order, interrupt: &CancelToken) -> OrderOutcome {
    let (began, wanted) = (Instant::now(), order.first..order.first.saturating_add(order.count));
    let plain = |frames| Scrubbed { frames, costs: Vec::new(), finding: None, remark: None, is_provisional: false };
    let outcome = match (&order.chain, &order.like) {
        (Some(chain), Some(like)) => scrubber.filtered_like([chain, like], wanted, interrupt),
        (Some(chain), None) => scrubber.filtered(chain, wanted, interrupt),
        (None, Some(like)) => scrubber.matched(like, wanted).map(plain),
        (None, None) => scrubber.frames(wanted).map(plain),
    };
    match outcome {
        Ok(scrubbed) => OrderOutcome::Frames(MadeFrames { scrubbed, ms: began.elapsed().as_secs_f64() * 1e3 }),
        Err(error) if error.is::<Interrupted>() => OrderOutcome::Overtaken,
        Err(error) => OrderOutcome::Failed(error),
    }
}

/// The samples of frames one after the other, those planes of each in that order, without padding.
///
/// # Errors
/// If a frame is not on the host.
pub(super) fn packed(frames: &[Frame], planes: &[usize]) -> Result<Vec<u8>> {
    let mut bytes = Vec::with_capacity(frames.iter().map(|frame| frame.format().packed_bytes()).sum());
    for frame in frames {
        let host = frame.host()?;
        for row in planes.iter().flat_map(|plane| host.rows(*plane)) {
            bytes.extend_from_slice(row);
        }
    }
    Ok(bytes)
}
