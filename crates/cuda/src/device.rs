//! One GPU, opened.

use std::ops::Deref;
use std::sync::Arc;

use anyhow::{Context, Result, bail, ensure};
use cudarc::driver::sys::{self, CUdevice_attribute as Attribute};
use cudarc::driver::{CudaContext, result};

use super::error::Explained;
use super::program::BlockLimits;

/// The version of the CUDA driver, as 12040 for 12.4; also says that the driver can be used at all.
///
/// # Errors
/// If there is no driver or it is too old; the message says what to install.
pub fn driver_version() -> Result<i32> {
    // SAFETY: loading the driver's library runs its initialisers, which is what every CUDA program does.
    let present = unsafe { sys::is_culib_present() };
    ensure!(present, "no NVIDIA driver was found (libcuda.so.1); install it, or type --backend cpu");
    let mut version = 0;
    // SAFETY: the pointer is to an integer that lives through the call; the function exists in every driver.
    unsafe { sys::cuDriverGetVersion(&mut version) }.result().explain().context("read the driver's version")?;
    ensure!(
        version >= Properties::OLDEST_DRIVER,
        "the NVIDIA driver supports CUDA {}.{} only; install driver 525 or later (CUDA 12), or type --backend cpu",
        version / 1000,
        version % 1000 / 10
    );
    result::init().explain().context("start the NVIDIA driver")?;
    Ok(version)
}

/// How many GPUs there are. The driver must have been found usable with [`driver_version`].
pub(super) fn device_count() -> Result<usize> {
    Ok(result::device::get_count().explain().context("count the GPUs")?.max(0) as usize)
}

/// What is known of a GPU before it is opened.
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
    /// What the choice of kernels depends on.
    pub limits: BlockLimits,
}

impl Properties {
    /// The oldest driver that serves everything that is called.
    const OLDEST_DRIVER: i32 = 12_000;
    /// Shared memory that kernels declare, whatever they ask for when they start: more than any does.
    const DECLARED_BYTES: usize = 1 << 10;
    /// The oldest GPUs that the kernels compile for: Volta.
    const OLDEST_CAPABILITY: (i32, i32) = (7, 0);

    /// Looks up the GPU of a number. Takes some tenths of a second the first time, while the driver starts.
    ///
    /// # Errors
    /// If there is no driver, no such GPU, or it is too old; the message says what to do.
    pub fn find(ordinal: usize) -> Result<Self> {
        let driver = driver_version()?;
        match device_count()? {
            0 => bail!("the NVIDIA driver finds no GPU; type --backend cpu"),
            1 => ensure!(ordinal == 0, "there is no GPU {ordinal}; the only one is 0"),
            count => ensure!(ordinal < count, "there is no GPU {ordinal}; they are 0 to {}", count - 1),
        }
        let examined = || format!("examine GPU {ordinal}");
        let raw = result::device::get(ordinal as i32).explain().with_context(examined)?;
        // SAFETY: the handle is the one that the driver gave; here and below.
        let attribute = |what| unsafe { result::device::get_attribute(raw, what) }.explain().with_context(examined);
        let shared_bytes = attribute(Attribute::CU_DEVICE_ATTRIBUTE_MAX_SHARED_MEMORY_PER_BLOCK_OPTIN)?;
        let capability = (
            attribute(Attribute::CU_DEVICE_ATTRIBUTE_COMPUTE_CAPABILITY_MAJOR)?,
            attribute(Attribute::CU_DEVICE_ATTRIBUTE_COMPUTE_CAPABILITY_MINOR)?,
        );
        let name = result::device::get_name(raw).explain().with_context(examined)?;
        ensure!(
            capability >= Self::OLDEST_CAPABILITY,
            "GPU {ordinal}, {name}, has compute capability {}.{}; 7.0 or later is needed, or type --backend cpu",
            capability.0,
            capability.1
        );
        // SAFETY: as above.
        let memory_bytes = unsafe { result::device::total_mem(raw) }.explain().with_context(examined)?;
        let limits = BlockLimits { shared_bytes: (shared_bytes.max(0) as usize).saturating_sub(Self::DECLARED_BYTES) };
        Ok(Self { driver, ordinal, name, capability, memory_bytes, limits })
    }

    /// Looks up all GPUs that can be used, at least one.
    ///
    /// # Errors
    /// If there is none; the message says what to do.
    pub fn find_all() -> Result<Vec<Self>> {
        driver_version()?;
        let mut found = (0..device_count()?.max(1)).map(Self::find);
        let first = found.find(Result::is_ok);
        let Some(first) = first else { return Self::find(0).map(|one| vec![one]) };
        Ok([first?].into_iter().chain(found.flatten()).collect())
    }

    /// Opens the GPU. Takes some tenths of a second.
    ///
    /// # Errors
    /// If the driver refuses; the message says what to do.
    pub fn open(self) -> Result<Device> {
        let context = CudaContext::new(self.ordinal).explain().with_context(|| format!("open GPU {}", self.ordinal))?;
        Ok(Device { context, properties: self })
    }

    /// The compute capability as one number: 90 for 9.0.
    pub fn arch(&self) -> i32 {
        10 * self.capability.0 + self.capability.1
    }
}

/// An opened GPU. Clones share it.
#[derive(Clone)]
pub struct Device {
    pub(super) context: Arc<CudaContext>,
    properties: Properties,
}

impl Deref for Device {
    type Target = Properties;

    fn deref(&self) -> &Properties {
        &self.properties
    }
}

impl Device {
    /// Opens the GPU of a number.
    ///
    /// # Errors
    /// If there is no driver, no such GPU, or it is too old; the message says what to do.
    pub fn open(ordinal: usize) -> Result<Self> {
        Properties::find(ordinal)?.open()
    }

    /// The first error of the driver that nobody was told of: of something that was given back.
    ///
    /// # Errors
    /// If there was one.
    pub fn check(&self) -> Result<()> {
        self.context.check_err().explain().with_context(|| format!("release the memory of GPU {}", self.ordinal))
    }

    /// Makes the GPU the calling thread's current one.
    pub(super) fn bind(&self) -> Result<()> {
        self.context.bind_to_thread().explain().with_context(|| format!("use GPU {}", self.ordinal))
    }
}
