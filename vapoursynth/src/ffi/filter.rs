//! Filters: what VapourSynth calls to have a frame made.

use std::ffi::{c_int, c_void};
use std::marker::PhantomData;

use anyhow::{Context, Result};

use super::api::{Api, Dependency, VSCore, VSFrame, VSFrameContext, VideoInfo};
use super::frame::Picture;
use super::node::{Core, NONE, Node};
use super::{c_text, guarded};

/// Makes frames, in any thread and in any order, several at once.
pub trait Filter: Send + Sync + 'static {
    /// Says which frames of its sources frame `n` is made of.
    ///
    /// # Errors
    /// If it cannot be made.
    fn request(&self, n: c_int, context: &mut FrameContext<'_>) -> Result<()>;

    /// Makes frame `n`, whose sources are there.
    ///
    /// # Errors
    /// If it cannot be made.
    fn make(&self, n: c_int, context: &FrameContext<'_>, core: Core<'_>) -> Result<Picture>;
}

/// How a filter asks for frames of a source.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Requests {
    /// Any.
    General,
    /// Frame `n` for frame `n`, and no other.
    Same,
}

/// A filter at work on a frame.
pub struct FrameContext<'a> {
    api: &'static Api,
    raw: *mut VSFrameContext,
    call: PhantomData<&'a mut ()>,
}

impl FrameContext<'_> {
    /// Requests a frame.
    pub fn request(&mut self, node: &Node, n: c_int) {
        // SAFETY: the node lives and is a source of the filter; the context lives through the call.
        unsafe { (self.api.request_frame_filter)(n, node.raw.as_ptr(), self.raw) };
    }

    /// A frame that was requested.
    ///
    /// # Errors
    /// If it was not.
    pub fn frame(&self, node: &Node, n: c_int) -> Result<Picture> {
        // SAFETY: as above; the reference is the caller's.
        let frame = unsafe { Picture::owning(self.api, (self.api.get_frame_filter)(n, node.raw.as_ptr(), self.raw)) };
        frame.with_context(|| format!("frame {n} was not requested"))
    }
}

/// A node whose frames a filter makes. `name` is what it is called in messages.
///
/// # Errors
/// If VapourSynth refuses.
pub fn filter<F: Filter>(
    core: Core<'_>,
    name: &str,
    info: &VideoInfo,
    filter: F,
    sources: &[(&Node, Requests)],
) -> Result<Node> {
    /// Frames are made in any order, several at once: `fmParallel`.
    const PARALLEL: c_int = 0;
    let source = |(node, requests): &(&Node, Requests)| Dependency {
        source: node.raw.as_ptr(),
        request_pattern: if *requests == Requests::Same { 2 } else { 0 },
    };
    let sources: Vec<Dependency> = sources.iter().map(source).collect();
    let count = c_int::try_from(sources.len()).context("a filter has too many sources")?;
    let instance = Box::into_raw(Box::new(Instance { name: name.to_owned(), filter })).cast::<c_void>();
    let label = c_text(name);
    // SAFETY: all that is pointed to lives through the call, and the instance until `free` gets it. If VapourSynth makes no
    // node, nobody knows whether it has freed the instance, which is then left alone.
    unsafe {
        let raw = (core.api.create_video_filter2)(
            label.as_ptr(),
            info,
            get_frame::<F>,
            free::<F>,
            PARALLEL,
            sources.as_ptr(),
            count,
            instance,
            core.raw,
        );
        Node::owning(core.api, raw).context("VapourSynth made no filter")
    }
}

/// The data of a node.
struct Instance<F> {
    name: String,
    filter: F,
}

unsafe extern "system" fn get_frame<F: Filter>(
    n: c_int,
    reason: c_int,
    instance: *mut c_void,
    _: *mut *mut c_void,
    context: *mut VSFrameContext,
    core: *mut VSCore,
    api: *const Api,
) -> *const VSFrame {
    /// `arInitial`.
    const INITIAL: c_int = 0;
    /// `arAllFramesReady`.
    const READY: c_int = 1;
    // SAFETY: the instance is what `filter` made for this function, which nobody changes; the core, the context and the
    // table are those of this call.
    let (instance, core, table) = unsafe { (&*instance.cast::<Instance<F>>(), Core::new(api, core), &*api) };
    let made = guarded(|| {
        let mut context = FrameContext { api: table, raw: context, call: PhantomData };
        match reason {
            INITIAL => instance.filter.request(n, &mut context).map(|()| None),
            READY => instance.filter.make(n, &context, core).map(Some),
            // A source failed, which VapourSynth reports itself.
            _ => Ok(None),
        }
    });
    match made {
        Ok(picture) => picture.map_or(NONE, Picture::into_raw),
        Err(error) => {
            let text = c_text(&format!("{}: {error:#}", instance.name));
            // SAFETY: the context and the text live through the call.
            unsafe { (table.set_filter_error)(text.as_ptr(), context) };
            NONE
        }
    }
}

unsafe extern "system" fn free<F: Filter>(instance: *mut c_void, _: *mut VSCore, _: *const Api) {
    // SAFETY: the instance is what `filter` made, and VapourSynth frees it once, when no call uses it.
    let instance = unsafe { Box::from_raw(instance.cast::<Instance<F>>()) };
    // There is nobody to tell.
    let _ = guarded(|| {
        drop(instance);
        Ok(())
    });
}
