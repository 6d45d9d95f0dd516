//! The CUDA stage of a build without it: nothing is found, and nothing can be made. It stands in for `backend/cuda`, so that
//! what chooses and measures backends is written once.

use std::convert::Infallible;
use std::ops::Deref;
use std::sync::Arc;
use std::time::Instant;

use anyhow::{Result, bail};

use crate::frame::{
    Allocator, DecodingDevice, DecodingLane, EncodingDevice, EncodingLane, Format, Frame, Pixel, Pool, Sample,
};
use crate::pass::Pass;
use warpreel_filter::backend::{Backend, Inputs};

pub use warpreel_filter::backend::{
    Decodable, DecodingCapability, Delivery, DeviceSpan, Found, FoundCompiler, Probe, Tracing,
};

const ABSENT: &str = "this build has no CUDA support; build with the feature cuda, or type --backend cpu";

/// What would be known of a GPU.
#[derive(Clone, Debug)]
pub struct Properties {
    /// The driver's version, as 12040.
    pub driver: i32,
    /// Its number, from 0.
    pub ordinal: usize,
    /// What the vendor calls it.
    pub name: String,
    /// Compute capability.
    pub capability: (i32, i32),
    /// All of its memory.
    pub memory_bytes: usize,
    never: Infallible,
}

impl Properties {
    /// Finds none.
    ///
    /// # Errors
    /// Always.
    pub fn find(_: usize) -> Result<Self> {
        bail!(ABSENT)
    }

    /// Finds none.
    ///
    /// # Errors
    /// Always.
    pub fn find_all() -> Result<Vec<Self>> {
        bail!(ABSENT)
    }

    /// Opens none.
    ///
    /// # Errors
    /// None: there is nothing to call it on.
    pub fn open(self) -> Result<Device> {
        match self.never {}
    }

    /// Prepares nothing.
    ///
    /// # Errors
    /// None: there is nothing to call it on.
    pub fn prepare(&self, _: &Arc<[Pass]>, _: &Arc<Format>) -> Result<Prepared> {
        match self.never {}
    }
}

/// No GPU.
#[derive(Clone)]
pub struct Device(Properties);

impl Deref for Device {
    type Target = Properties;

    fn deref(&self) -> &Properties {
        &self.0
    }
}

impl Device {
    /// Opens none.
    ///
    /// # Errors
    /// Always.
    pub fn open(_: usize) -> Result<Self> {
        bail!(ABSENT)
    }

    /// No memory.
    pub fn allocator(&self) -> Box<dyn Allocator> {
        match self.0.never {}
    }

    /// No place for decoders.
    pub fn decoding(&self) -> Arc<DecodingGpu> {
        match self.0.never {}
    }

    /// No place for encoders.
    pub fn encoding(&self) -> Arc<EncodingGpu> {
        match self.0.never {}
    }

    /// Decodes nothing.
    ///
    /// # Errors
    /// None: there is nothing to call it on.
    pub fn decodable(&self, _: &str, _: Pixel, _: (usize, usize)) -> Result<Option<Decodable>> {
        match self.0.never {}
    }
}

/// No place for decoders.
pub struct DecodingGpu(Infallible);

impl DecodingGpu {
    /// Prepares nothing.
    ///
    /// # Errors
    /// None: there is nothing to call it on.
    pub fn prepare(&self, _: Sample) -> Result<()> {
        match self.0 {}
    }

    /// No memory.
    pub fn allocated_bytes(&self) -> usize {
        match self.0 {}
    }
}

impl DecodingDevice for DecodingGpu {
    fn lane(&self) -> Result<Box<dyn DecodingLane>> {
        match self.0 {}
    }

    fn room_bytes(&self) -> usize {
        match self.0 {}
    }
}

/// No place for encoders.
pub struct EncodingGpu(Infallible);

impl EncodingDevice for EncodingGpu {
    fn lane(&self, _: &Arc<Format>) -> Result<Box<dyn EncodingLane>> {
        match self.0 {}
    }
}

/// No passes.
pub struct Prepared(Infallible);

/// No stage.
pub struct Cuda(Infallible);

impl Cuda {
    /// How many frames would be under way.
    pub const IN_FLIGHT: usize = 8;

    /// Makes none.
    ///
    /// # Errors
    /// None: there is nothing to call it with.
    pub fn new(_: &Device, prepared: Prepared, _: Pool, _: usize, _: Tracing) -> Result<Self> {
        match prepared.0 {}
    }

    /// Delivers nothing.
    #[must_use]
    pub fn delivering(self, _: Delivery) -> Self {
        match self.0 {}
    }

    /// Prepares nothing.
    ///
    /// # Errors
    /// None: there is nothing to call it on, as below.
    pub fn prepare_measuring(&mut self) -> Result<()> {
        match self.0 {}
    }

    /// No GPU.
    pub fn device(&self) -> &Device {
        match self.0 {}
    }

    /// No memory.
    pub fn allocated_bytes(&self) -> usize {
        match self.0 {}
    }

    /// No clock.
    pub fn trace_started(&self) -> Option<Instant> {
        match self.0 {}
    }

    /// No work.
    ///
    /// # Errors
    /// None.
    pub fn spans(&mut self) -> Result<Vec<DeviceSpan>> {
        match self.0 {}
    }

    /// No times.
    ///
    /// # Errors
    /// None.
    pub fn times_us(&mut self, _: usize, _: &[Frame], _: usize, _: usize) -> Result<Vec<f64>> {
        match self.0 {}
    }
}

impl Backend for Cuda {
    type Image = Frame;
    type Pending = Frame;
    type Measure = u64;

    fn upload(&mut self, _: Frame) -> Result<Frame> {
        match self.0 {}
    }

    fn run(&mut self, _: usize, _: &Inputs<'_, Frame>) -> Result<Frame> {
        match self.0 {}
    }

    fn measure(&mut self, _: &Frame, _: Option<&Frame>) -> Result<u64> {
        match self.0 {}
    }

    fn read(&mut self, _: u64) -> Result<u64> {
        match self.0 {}
    }

    fn download(&mut self, _: Frame) -> Result<Frame> {
        match self.0 {}
    }

    fn wait(&mut self, _: Frame) -> Result<Frame> {
        match self.0 {}
    }

    fn in_flight(&self) -> usize {
        match self.0 {}
    }
}

/// Looks for nothing, and says so.
pub fn probe() -> Probe {
    Probe { driver: Err(ABSENT.to_owned()), devices: Vec::new(), nvrtc: Err(ABSENT.to_owned()) }
}

/// What a GPU would allow.
pub mod limit {
    use anyhow::Result;

    pub use super::warpreel_filter::backend::DeviceLimits;

    /// Measures nothing.
    ///
    /// # Errors
    /// None: there is nothing to call it on.
    pub fn measure(device: &super::Device, _: usize) -> Result<DeviceLimits> {
        match device.0.never {}
    }
}

/// The ladder of kernels, without a GPU to climb it.
pub mod ladder {
    use anyhow::Result;

    use crate::pass::Dense;

    /// No rungs.
    pub const RUNGS: [&str; 0] = [];

    /// No ladder.
    pub struct Ladder(std::convert::Infallible);

    impl Ladder {
        /// Builds none.
        ///
        /// # Errors
        /// None: there is nothing to call it with.
        pub fn new(device: &super::Device, _: &Dense, _: usize, _: usize, _: &[Vec<u8>]) -> Result<Self> {
            match device.0.never {}
        }

        /// Runs nothing.
        ///
        /// # Errors
        /// None.
        pub fn run(&self, _: &str) -> Result<Vec<u8>> {
            match self.0 {}
        }

        /// No times.
        ///
        /// # Errors
        /// None.
        pub fn times_us(&self, _: &str, _: usize, _: usize) -> Result<Vec<f64>> {
            match self.0 {}
        }
    }
}
