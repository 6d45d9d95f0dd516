//! Engines without a GPU.

use std::sync::Arc;

use anyhow::Result;

use super::Engine;
use crate::filter::{self, Defaults};
use crate::frame::{Format, Pool};
use crate::plan;
use warpreel_cpu::Cpu;

impl Engine<Cpu> {
    /// A chain on all cores of this machine; every frame has to be of `format`. Kernel files and masks that the chain names
    /// are read here.
    ///
    /// # Errors
    /// What is wrong with the chain, and where; or that it does not fit the format, or threads cannot be started.
    ///
    /// ```
    /// use std::sync::Arc;
    /// use warpreel_engine::Engine;
    /// use warpreel_frame::{Format, Frame, Pixel, Rational, Timing};
    ///
    /// let format = Arc::new(Format::new(Pixel::gray(8), 4, 1, Rational::new(25, 1)));
    /// let mut engine = Engine::cpu("tmix=3", &format)?;
    /// let mut ready = Vec::new();
    /// for number in 0..3 {
    ///     let samples = vec![30 * number as u8; 4];
    ///     engine.push(Frame::from_samples(&format, Timing::at(number), samples)?, &mut ready)?;
    /// }
    /// engine.finish(&mut ready)?;
    /// let first = |frame: &Frame| anyhow::Ok(frame.host()?.plane::<u8>(0).row(0)[0]);
    /// assert_eq!(ready.iter().map(first).collect::<Result<Vec<_>, _>>()?, [10, 30, 50]);
    /// # anyhow::Ok(())
    /// ```
    pub fn cpu(chain: &str, format: &Arc<Format>) -> Result<Self> {
        let plan = plan::plan(&filter::parse(chain, &Defaults::default())?, format)?;
        Self::new(Cpu::new(plan.passes(), format.clone(), Pool::heap(), 0)?, plan)
    }
}
