//! Runs a kernel that a program computes, 3 by 3 pixels in 3 frames, beside a filter of the table.
//!
//!     cargo run --example own_kernel --no-default-features

use std::sync::Arc;

use anyhow::Result;
use warpreel::pass::{Arithmetic, Border, Combine, Dense, Finish, Kernel, Op, Pass, TimeBorder};
use warpreel::prelude::*;

fn main() -> Result<()> {
    let format = Arc::new(Format::new(Pixel::gray(16), 32, 32, Rational::new(25, 1)));
    // The Laplacian in x, y and t: its 26 neighbours against the sample itself.
    let weights = (0..27).map(|tap| if tap == 13 { 26.0 } else { -1.0 }).collect();
    let dense = Dense {
        kernels: vec![Kernel { size: [3, 3, 3], anchor: [1, 1, 1], weights }],
        combine: Combine::Sum,
        arithmetic: Arithmetic::Integer,
        border: Border::Reflect101,
        finish: Finish { scale: 1.0 / 26.0, dry: 0.0, bias: 32768.0 },
    };
    let plan = Plan::from_passes(
        &format,
        vec![Pass::new("laplacian in x, y and t", vec![Op::Dense(dense)], TimeBorder::Clamp)],
    )?;
    let pool = Pool::heap();
    let mut engine = Engine::new(Cpu::new(plan.passes(), format.clone(), pool, 0)?, plan)?;
    // A flash of one pixel in one frame.
    let frame = |number| {
        let samples = (0..32 * 32).map(|at| if number == 2 && at == 16 * 32 + 16 { 26000u16 } else { 0 }).collect();
        Frame::from_samples(&format, Timing::at(number), samples)
    };
    let frames = (0..5).map(frame).collect::<Result<Vec<_>>>()?;
    for frame in engine.clip(frames)? {
        println!("frame {}: {:?}", frame.timing.number, &frame.host()?.plane::<u16>(0).row(16)[14..19]);
    }
    Ok(())
}
