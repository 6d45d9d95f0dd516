//! The limits of a machine, and the machine.

use std::fmt;

use comfy_table::{Cell, CellAlignment, Table, presets};

use crate::bench::number::short;
use crate::bench::schema::{Limits, Machine};

impl fmt::Display for Limits {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let host = &self.host;
        let mut table = Table::new();
        table.load_style(presets::NOTHING);
        let mut line = |what: &str, value: f64, unit: &str| {
            // Not measured.
            if value == 0.0 {
                return;
            }
            let value = Cell::new(short(value)).set_alignment(CellAlignment::Right);
            table.add_row([Cell::new(format!("  {what}")), value, Cell::new(unit)]);
        };
        let block = format!("{:.2} MB", host.block_bytes as f64 / 1e6);
        line(&format!("copy of {block} blocks, one core"), host.copy_one_core_gb_s, "GB/s read and written");
        let place = if host.is_in_cache() { "GB/s read and written, in the cache" } else { "GB/s read and written" };
        line("  all threads", host.copy_all_cores_gb_s, place);
        line("copy of 128 MiB, all threads", host.memory_gb_s, "GB/s read and written");
        line("f32 multiply-adds, one core", host.real_one_core_gop_s, "GFLOP/s");
        line("  all threads", host.real_all_cores_gop_s, "GFLOP/s");
        line("8-bit multiply-adds, all threads", host.integer_all_cores_gop_s, "Gop/s");
        line("16-bit multiply-adds, all threads", host.dot16_all_cores_gop_s, "Gop/s");
        line("pipe", host.pipe_gb_s, "GB/s");
        if let Some(device) = &self.device {
            line("GPU memory, copy", device.copy_gb_s, "GB/s read and written");
            line("GPU f32 multiply-adds", device.real_gop_s, "GFLOP/s");
            line("GPU 8-bit dot products", device.integer_gop_s, "Gop/s");
            line("GPU 16-bit dot products", device.dot16_gop_s, "Gop/s");
            line("GPU 32-bit multiply-adds", device.word_gop_s, "Gop/s");
            line("launch", device.launch_us, "µs");
            line("pinned to GPU", device.pinned_up_gb_s, "GB/s");
            line("GPU to pinned", device.pinned_down_gb_s, "GB/s");
            line("both at once, each way", device.duplex_gb_s, "GB/s");
            line("pinned to GPU, 64 KiB pieces", device.piece_up_gb_s, "GB/s");
            line("ordinary memory to GPU", device.pageable_up_gb_s, "GB/s");
            line("GPU to ordinary memory", device.pageable_down_gb_s, "GB/s");
        }
        writeln!(f, "{}", table.trim_fmt())
    }
}

impl fmt::Display for Machine {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { processor, cores, instructions, system, .. } = self;
        writeln!(f, "{processor}, {cores} cores, {instructions}; {system}")?;
        match &self.gpu {
            Some(gpu) => {
                writeln!(f, "{}, compute capability {}, driver for CUDA {}", gpu.name, gpu.capability, gpu.driver)
            }
            None => Ok(()),
        }
    }
}
