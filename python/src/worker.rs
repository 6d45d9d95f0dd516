//! The threads that copy arrays whose samples do not lie as frames have them.

use std::sync::{Arc, Mutex, PoisonError};
use std::{mem, process};

use anyhow::{Context, Result};
use rayon::prelude::*;
use rayon::{ThreadPool, ThreadPoolBuilder};

/// The threads, and the process that has them.
static THREADS: Mutex<Option<(u32, Arc<ThreadPool>)>> = Mutex::new(None);

/// Does all tasks, which together copy so many samples; by all cores where that is worth it.
///
/// # Errors
/// If threads cannot be started.
pub fn share<T: Send>(tasks: Vec<T>, samples: usize, work: impl Fn(T) + Sync + Send) -> Result<()> {
    /// What one core copies in the time that it takes to wake others.
    const FEW: usize = 1 << 16;

    if samples < FEW {
        tasks.into_iter().for_each(work);
    } else {
        threads()?.install(|| tasks.into_par_iter().for_each(work));
    }
    Ok(())
}

/// The threads of this process. A process that was forked has none of its parent's; what is known of them is left alone.
fn threads() -> Result<Arc<ThreadPool>> {
    let mut known = THREADS.lock().unwrap_or_else(PoisonError::into_inner);
    if let Some((process, threads)) = &*known
        && *process == process::id()
    {
        return Ok(threads.clone());
    }
    let made = ThreadPoolBuilder::new().thread_name(|n| format!("copy-{n}")).build().context("start threads")?;
    let made = Arc::new(made);
    mem::forget(known.replace((process::id(), made.clone())));
    Ok(made)
}
