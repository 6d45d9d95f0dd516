//! What takes a while to make is made in a thread of its own, one thing after the other.

use std::sync::Arc;
use std::sync::mpsc::{Receiver, RecvTimeoutError, Sender, channel};
use std::thread::{self, JoinHandle};
use std::time::{Duration, Instant};

use anyhow::{Context, Result, anyhow};

type Make<T> = Box<dyn FnOnce() -> Result<T> + Send>;

/// A thread that makes what was ordered last.
pub(super) struct Workshop<T> {
    /// `None` once it is closed.
    orders: Option<Sender<(Arc<str>, Make<T>)>>,
    made: Receiver<(Arc<str>, Result<T>)>,
    thread: Option<JoinHandle<()>>,
}

impl<T: Send + 'static> Workshop<T> {
    /// Starts the thread.
    ///
    /// # Errors
    /// If the system does not give one.
    pub(super) fn start() -> Result<Self> {
        let (orders, waiting) = channel::<(Arc<str>, Make<T>)>();
        let (sender, made) = channel();
        let work = move || {
            while let Ok(order) = waiting.recv() {
                // What was overtaken while it waited is not made.
                let (name, make) = waiting.try_iter().last().unwrap_or(order);
                if sender.send((name, make())).is_err() {
                    return;
                }
            }
        };
        let thread = thread::Builder::new().name("workshop".into()).spawn(work).context("start a thread")?;
        Ok(Self { orders: Some(orders), made, thread: Some(thread) })
    }

    /// Orders something by its name. What was ordered before and is not under way is not made. Does not block.
    pub(super) fn order(&self, name: &Arc<str>, make: impl FnOnce() -> Result<T> + Send + 'static) {
        // A thread that is gone is told of by `take`.
        let _ = self.orders.as_ref().map(|orders| orders.send((name.clone(), Box::new(make))));
    }

    /// What was ordered by that name, or why it could not be made; `None` if it is not done after `patience`. Whatever has
    /// another name is thrown away.
    pub(super) fn take(&self, name: &str, patience: Duration) -> Option<Result<T>> {
        let end = Instant::now() + patience;
        loop {
            match self.made.recv_timeout(end.saturating_duration_since(Instant::now())) {
                Ok((made, thing)) if *made == *name => return Some(thing),
                Ok(_) => {}
                Err(RecvTimeoutError::Timeout) => return None,
                Err(RecvTimeoutError::Disconnected) => {
                    return Some(Err(anyhow!("the backend preparation thread exited unexpectedly")));
                }
            }
        }
    }
}

impl<T> Drop for Workshop<T> {
    fn drop(&mut self) {
        self.orders = None;
        // A panic was said by the thread itself.
        let _ = self.thread.take().map(JoinHandle::join);
    }
}

#[cfg(test)]
mod tests {
    use std::sync::atomic::{AtomicUsize, Ordering};

    use super::*;

    const LONG: Duration = Duration::from_secs(60);

    #[test]
    fn what_is_done_is_taken_by_its_name() -> Result<()> {
        let workshop = Workshop::start()?;
        let [one, two] = [Arc::from("one"), Arc::from("two")];
        workshop.order(&one, || Ok(1));
        assert_eq!(workshop.take("one", LONG).transpose()?, Some(1));
        assert!(workshop.take("one", Duration::ZERO).is_none());
        workshop.order(&one, || Ok(1));
        workshop.order(&two, || Err(anyhow!("no room")));
        let error = workshop.take("two", LONG).context("an outcome")?.err().context("an error")?;
        assert_eq!(error.to_string(), "no room");
        Ok(())
    }

    /// While one thing is made, of all that is ordered only the last is made after it.
    #[test]
    fn what_is_overtaken_is_not_made() -> Result<()> {
        let workshop = Workshop::start()?;
        let (release, held) = channel::<()>();
        let (begun, beginning) = channel::<()>();
        let count = Arc::new(AtomicUsize::new(0));
        workshop.order(&Arc::from("first"), move || {
            begun.send(())?;
            held.recv()?;
            Ok(0)
        });
        beginning.recv()?;
        for number in 1..=9 {
            let count = count.clone();
            workshop.order(&Arc::from(number.to_string()), move || {
                count.fetch_add(1, Ordering::Relaxed);
                Ok(number)
            });
        }
        assert!(workshop.take("9", Duration::from_millis(5)).is_none(), "the first is not done");
        release.send(())?;
        assert_eq!(workshop.take("9", LONG).transpose()?, Some(9));
        assert_eq!(count.load(Ordering::Relaxed), 1);
        Ok(())
    }

    #[test]
    fn a_panic_is_an_error_and_ends_it() -> Result<()> {
        let workshop = Workshop::<()>::start()?;
        workshop.order(&Arc::from("bad"), || panic!("on purpose"));
        assert!(workshop.take("bad", LONG).is_some_and(|made| made.is_err()));
        Ok(())
    }
}
