//! What was found on this machine, and how to install what is missing.

use std::fmt::Write;
use std::fs;
use std::num::NonZero;
use std::thread::available_parallelism;

use crate::backend::cpu::simd::Level;
use crate::backend::cuda::{self, DecodingCapability};
use crate::libav;

/// Encoders that `--codec` is most often asked for, and what brings them.
const ENCODERS: [(&str, &str); 10] = [
    ("libx264", "an FFmpeg with libx264, such as Debian's"),
    ("libx265", "an FFmpeg with libx265, such as Debian's"),
    ("libsvtav1", "an FFmpeg with SVT-AV1, such as Debian's"),
    ("libaom-av1", "an FFmpeg with libaom, such as Debian's"),
    ("libvpx-vp9", "an FFmpeg with libvpx, such as Debian's"),
    ("ffv1", "any FFmpeg"),
    ("prores_ks", "any FFmpeg"),
    ("h264_nvenc", "an FFmpeg with nv-codec-headers, and an NVIDIA driver"),
    ("hevc_nvenc", "an FFmpeg with nv-codec-headers, and an NVIDIA driver"),
    ("av1_nvenc", "an FFmpeg 6.0 or later with nv-codec-headers, and an NVIDIA driver"),
];

/// A report for people. Takes some tenths of a second where there is a GPU driver; changes nothing.
pub fn examine() -> String {
    let mut report = format!("warpreel {}\n", env!("CARGO_PKG_VERSION"));
    let mut line = |label: &str, text: &str| writeln!(report, "{label:<10}{text}").unwrap_or_default();

    let cores = available_parallelism().map_or(1, NonZero::get);
    line("cpu", &format!("{}, {cores} cores, {}", processor(), Level::best()));
    line("ffmpeg", &libav::version());
    let (found, missing): (Vec<_>, Vec<_>) = ENCODERS.iter().partition(|(name, _)| libav::encoder_works(name));
    line("encoders", &found.iter().map(|(name, _)| *name).collect::<Vec<_>>().join(" "));
    for (name, source) in missing {
        line("", &format!("no {name}: it needs {source}"));
    }

    let probe = cuda::probe();
    match &probe.driver {
        Ok(driver) => line("cuda", &format!("driver for CUDA {driver}")),
        Err(error) => line("cuda", error),
    }
    for gpu in &probe.devices {
        let (major, minor) = gpu.capability;
        let memory_gib = gpu.memory_bytes as f64 / f64::from(1 << 30);
        let trouble = gpu.trouble.as_ref().map_or(String::new(), |trouble| format!("; {trouble}"));
        let peers = match (probe.devices.len(), &gpu.peers[..]) {
            (..2, _) => String::new(),
            (_, []) => ", no peer access".to_owned(),
            (_, peers) => format!(", peer access to {}", numbers(peers)),
        };
        let text = format!("{}, sm_{major}{minor}, {memory_gib:.0} GiB, {}{peers}{trouble}", gpu.name, gpu.pci);
        line(&format!("gpu {}", gpu.ordinal), &text);
        for text in decodes(&gpu.decodes) {
            line("", &text);
        }
    }
    match &probe.nvrtc {
        Ok(nvrtc) => line("nvrtc", &format!("{}.{}, {}", nvrtc.version.0, nvrtc.version.1, nvrtc.path)),
        Err(error) => line("nvrtc", error),
    }
    match probe.trouble(0) {
        None => line("so", "--backend auto filters on GPU 0"),
        Some(_) => line("so", "--backend auto filters on the CPU"),
    }
    let usable = probe.devices.iter().map(|gpu| gpu.ordinal).filter(|gpu| probe.trouble(*gpu).is_none());
    let usable: Vec<usize> = usable.collect();
    if usable.len() > 1 {
        line("", &format!("--gpus all shares a clip among {}", numbers(&usable)));
    }
    report
}

/// What a GPU decodes, a line for each codec: `decodes h264 4:2:0 8 bit, 4096x4096, on 7 engines`.
fn decodes(capabilities: &[DecodingCapability]) -> Vec<String> {
    let alike = |one: &DecodingCapability, other: &DecodingCapability| one.codec == other.codec;
    let tell = |group: &[DecodingCapability]| {
        let kinds: Vec<_> = group
            .chunk_by(|one, other| one.chroma == other.chroma)
            .map(|kind| {
                let depths: Vec<_> = kind.iter().map(|each| each.depth.to_string()).collect();
                format!("{} {} bit", kind[0].chroma, depths.join("/"))
            })
            .collect();
        let DecodingCapability { codec, engines, width, height, .. } = &group[0];
        let plural = if *engines == 1 { "" } else { "s" };
        format!("decodes {codec} {}, up to {width}x{height}, on {engines} engine{plural}", kinds.join(", "))
    };
    capabilities.chunk_by(alike).map(tell).collect()
}

/// `GPUs 0, 1, 2`.
fn numbers(gpus: &[usize]) -> String {
    let numbers = gpus.iter().map(usize::to_string).collect::<Vec<_>>().join(", ");
    format!("GPU{} {numbers}", if gpus.len() == 1 { "" } else { "s" })
}

/// What the processor calls itself.
pub fn processor() -> String {
    let text = fs::read_to_string("/proc/cpuinfo").unwrap_or_default();
    let model = text.lines().find_map(|line| line.strip_prefix("model name")?.split_once(':'));
    model.map_or_else(|| std::env::consts::ARCH.to_owned(), |(_, name)| name.trim().to_owned())
}
