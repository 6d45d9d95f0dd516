//! VapourSynth's C interface, and all `unsafe` of the plugin: outside of this folder there are only safe types.
//!
//! What VapourSynth promises, and every `SAFETY` line here relies on:
//!
//! - The table of functions ([`api::Api`]) that a callback gets lives for as long as the library is loaded, and so do the
//!   functions in it; those of frames, nodes and maps may be called from any thread.
//! - A core lives for as long as a call that got it, or longer. A [`Core`] has the lifetime of the call.
//! - A node, or a frame, lives for as long as somebody holds a reference. [`Node`], [`Picture`] and [`Canvas`] each hold
//!   one, and give it back when they are dropped, once.
//! - The planes of a frame that was given out are written by nobody. Those of a new frame are seen by nobody else until it
//!   is given out. Each plane is `height` rows of `stride` bytes from its pointer on, and planes lie apart.
//! - The maps and the frame context of a call live until it returns. [`Arguments`], [`Results`] and [`FrameContext`] have
//!   its lifetime.
//! - The data of a filter is freed once, after its last call has returned.
//!
//! What the plugin promises in turn: no panic leaves a callback (each runs in [`guarded`]), frames of a source are fetched
//! only after they were requested in the call before, and each reference that is given away is not used again.

mod api;
mod filter;
mod frame;
mod map;
mod node;
mod plugin;

pub use api::VideoInfo;
pub use filter::{Filter, FrameContext, Requests, filter};
pub use frame::{Canvas, Picture, Property};
pub use map::{Arguments, Results};
pub use node::{Core, Node};
pub use plugin::Function;

use std::ffi::CString;
use std::panic::{AssertUnwindSafe, catch_unwind};

use anyhow::{Result, bail};

/// Does something that must not panic through foreign code: a panic becomes an error.
fn guarded<T>(act: impl FnOnce() -> Result<T>) -> Result<T> {
    match catch_unwind(AssertUnwindSafe(act)) {
        Ok(outcome) => outcome,
        Err(panic) => {
            let text = panic.downcast_ref::<String>().map(String::as_str);
            let text = text.or_else(|| panic.downcast_ref::<&str>().copied()).unwrap_or("panic");
            bail!("internal error, please report it: {text}")
        }
    }
}

/// A line of text for VapourSynth, which ends at a zero.
fn c_text(text: &str) -> CString {
    CString::new(text.replace(['\0', '\n', '\r'], " ")).unwrap_or_default()
}
