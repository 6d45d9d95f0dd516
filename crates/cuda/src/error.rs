//! The driver's errors as text.

use std::ffi::CStr;

use anyhow::{Result, anyhow};
use cudarc::driver::result::DriverError;
use cudarc::driver::sys;

/// The driver's errors as one line of text.
pub(super) trait Explained<T> {
    /// The value, or the error as its text and name.
    fn explain(self) -> Result<T>;
}

impl<T> Explained<T> for Result<T, DriverError> {
    fn explain(self) -> Result<T> {
        self.map_err(|error| {
            let hint = match error.0 {
                sys::CUresult::CUDA_ERROR_OUT_OF_MEMORY => {
                    "; free memory on the GPU, or type --in-flight 1, or --backend cpu"
                }
                _ => "",
            };
            anyhow!("{}{hint}", wording(error))
        })
    }
}

/// An error's text and name.
pub(super) fn wording(error: DriverError) -> String {
    let [text, name] = [error.error_string(), error.error_name()]
        .map(|text| text.map_or_else(|_| "unknown error".into(), CStr::to_string_lossy));
    format!("{text} ({name})")
}
