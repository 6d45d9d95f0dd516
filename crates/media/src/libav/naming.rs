//! Names of the threads that codecs start, so that whoever looks at the program's threads knows what they work for.

use std::ffi::CStr;

/// Name of a decoder's threads.
pub(super) const DECODER: &CStr = c"decoder";
/// Name of an encoder's threads.
pub(super) const ENCODER: &CStr = c"encoder";

/// Does `work` while the calling thread has another name: on Linux threads inherit it, unless the library names them.
#[cfg(target_os = "linux")]
pub(super) fn naming<T>(name: &CStr, work: impl FnOnce() -> T) -> T {
    use rustix::thread::{name as current, set_name};

    let before = current().ok().filter(|_| set_name(name).is_ok());
    let result = work();
    if let Some(before) = before {
        // It had that name before.
        set_name(&before).ok();
    }
    result
}

/// Other systems give threads no name to inherit.
#[cfg(not(target_os = "linux"))]
pub(super) fn naming<T>(_name: &CStr, work: impl FnOnce() -> T) -> T {
    work()
}
