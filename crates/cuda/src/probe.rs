//! What a machine has for this backend, for `doctor` and for the choice between backends.

use cudarc::driver::sys::CUdevice_attribute as Attribute;
use cudarc::driver::{result, sys};

use super::device::{self, Device};
use super::library::Nvrtc;
use crate::backend::{Found, FoundCompiler, Probe};

/// Looks for the driver, the GPUs and the compiler. Takes some tenths of a second where there is a driver; changes
/// nothing and never fails.
pub fn probe() -> Probe {
    let driver = device::driver_version();
    let mut devices = Vec::new();
    let mut arch = None;
    if driver.is_ok() {
        let count = device::device_count().unwrap_or(0);
        for ordinal in 0..count {
            let found = Found { peers: peers(ordinal, count), ..examine(ordinal) };
            if found.trouble.is_none() {
                arch.get_or_insert(10 * found.capability.0 + found.capability.1);
            }
            devices.push(found);
        }
    }
    let newest = driver.as_ref().ok().map(|version| version / 1000);
    let nvrtc = Nvrtc::find(newest, arch)
        .map(|nvrtc| FoundCompiler { path: nvrtc.path.display().to_string(), version: nvrtc.version });
    Probe {
        driver: driver
            .map(|version| format!("{}.{}", version / 1000, version % 1000 / 10))
            .map_err(|error| format!("{error:#}")),
        devices,
        nvrtc: nvrtc.map_err(|error| format!("{error:#}")),
    }
}

/// The GPUs whose memory one can reach; there are `count`.
fn peers(ordinal: usize, count: usize) -> Vec<usize> {
    let reaches = |other: &usize| {
        let (Ok(from), Ok(to)) = (result::device::get(ordinal as i32), result::device::get(*other as i32)) else {
            return false;
        };
        let mut can_reach = 0;
        // SAFETY: both handles are those that the driver gave, and the pointer is to an integer that lives through the
        // call.
        let asked = unsafe { sys::cuDeviceCanAccessPeer(&mut can_reach, from, to) };
        *other != ordinal && asked == sys::CUresult::CUDA_SUCCESS && can_reach != 0
    };
    (0..count).filter(reaches).collect()
}

fn examine(ordinal: usize) -> Found {
    let unknown = || Found {
        ordinal,
        name: "unknown".to_owned(),
        capability: (0, 0),
        memory_bytes: 0,
        multiprocessors: 0,
        pci: String::new(),
        trouble: None,
        decodes: Vec::new(),
        peers: Vec::new(),
    };
    let Ok(raw) = result::device::get(ordinal as i32) else {
        return Found { trouble: Some(format!("GPU {ordinal} does not respond")), ..unknown() };
    };
    // SAFETY: the handle is the one that the driver gave.
    let attribute = |what| unsafe { result::device::get_attribute(raw, what) }.unwrap_or(0);
    let pci = format!(
        "{:04x}:{:02x}:{:02x}.0",
        attribute(Attribute::CU_DEVICE_ATTRIBUTE_PCI_DOMAIN_ID),
        attribute(Attribute::CU_DEVICE_ATTRIBUTE_PCI_BUS_ID),
        attribute(Attribute::CU_DEVICE_ATTRIBUTE_PCI_DEVICE_ID)
    );
    let capability = (
        attribute(Attribute::CU_DEVICE_ATTRIBUTE_COMPUTE_CAPABILITY_MAJOR),
        attribute(Attribute::CU_DEVICE_ATTRIBUTE_COMPUTE_CAPABILITY_MINOR),
    );
    let device = Device::open(ordinal);
    let decodes = device.as_ref().map_or(Vec::new(), Device::decoding_capabilities);
    Found {
        name: result::device::get_name(raw).unwrap_or_else(|_| "unknown".to_owned()),
        capability,
        // SAFETY: as above.
        memory_bytes: unsafe { result::device::total_mem(raw) }.unwrap_or(0),
        multiprocessors: attribute(Attribute::CU_DEVICE_ATTRIBUTE_MULTIPROCESSOR_COUNT),
        pci,
        trouble: device.err().map(|error| format!("{error:#}")),
        decodes,
        ..unknown()
    }
}
