//! Filters frames that lie on a GPU and leaves the results there, for programs that go on with them on the GPU.
//!
//!     cargo run --example gpu_frames --no-default-features

use std::sync::Arc;

use anyhow::Result;
use warpreel::backend::cuda::{Delivery, Device, Tracing};
use warpreel::frame::Storage;
use warpreel::prelude::*;

fn main() -> Result<()> {
    let device = match Device::open(0) {
        Ok(device) => device,
        Err(error) => {
            println!("no GPU here: {error:#}");
            return Ok(());
        }
    };
    let format = Arc::new(Format::try_new(Pixel::gray(8), 64, 48, Rational::new(25, 1))?);
    let mut engine = Engine::builder("gaussian=2", &format).build_on(|plan| {
        let prepared = device.prepare(&plan.passes(), plan.format())?;
        let pool = Pool::new(device.allocator());
        let cuda = Cuda::new(&device, prepared, pool, Cuda::IN_FLIGHT, Tracing::Off)?;
        Ok(cuda.delivering(Delivery::Device))
    })?;
    let frames = (0..10).map(|number| {
        let surface = device.block(&[7; 64 * 48])?;
        Frame::on_device(format.clone(), Timing::at(number), Layout::packed(&format), surface)
    });
    let filtered = engine.clip(frames.collect::<Result<Vec<_>>>()?)?;
    let on_device = filtered.iter().filter(|frame| matches!(frame.storage(), Storage::Device(_))).count();
    println!("{on_device} frames on the GPU");
    Ok(())
}
