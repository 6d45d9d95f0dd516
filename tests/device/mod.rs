//! The GPU against the oracle and against the CPU stage, bit for bit, where there is a GPU. Where there is none, every
//! test says so and passes; `REQUIRE_CUDA=1` makes that a failure.

mod agreement;
mod bypass;
mod chosen;
mod decoding;
mod encoding;
mod gpu;
mod metrics;
mod run;
mod scene;
mod storage;

use std::sync::OnceLock;

use warpreel::backend::cuda::Device;

/// The first GPU; `None` where there is none that can be used.
pub fn device() -> Option<&'static Device> {
    static DEVICE: OnceLock<Option<Device>> = OnceLock::new();
    let device = DEVICE.get_or_init(|| match Device::open(0) {
        Ok(device) => Some(device),
        Err(error) => {
            assert!(std::env::var_os("REQUIRE_CUDA").is_none(), "REQUIRE_CUDA is set, but {error:#}");
            println!("skipped: {error:#}");
            None
        }
    });
    device.as_ref()
}
