//! A result as text for a terminal.

use std::fmt;

use comfy_table::{Cell, CellAlignment, ColumnConstraint, ContentArrangement, Table, presets};

use super::number::{clipped, ms, short};
use super::schema::{Bound, DecodeRate, GpuGain, Limits, Machine, Overhead, Record, Run, Rung};
use super::statistic::{Distribution, Ratio};

impl fmt::Display for Record {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for run in &self.runs {
            writeln!(f, "{run}")?;
        }
        if !self.ladder.is_empty() {
            writeln!(f, "{}", ladder(&self.ladder))?;
            self.remarks.iter().try_for_each(|remark| writeln!(f, "{}", wrapped(&format!("note: {remark}"))))?;
            writeln!(f)?;
        }
        if !self.decoding.is_empty() {
            return writeln!(f, "{}\n\n{}", decoding(&self.decoding), self.machine);
        }
        writeln!(f, "limits, measured in this run:\n{}", self.limits)?;
        write!(f, "{}", self.machine)
    }
}

impl fmt::Display for Run {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { chain, input, output, format, backend, fps, first, .. } = self;
        let chain = if chain.is_empty() { "no filter" } else { chain };
        writeln!(f, "{chain}\n{}\n", wrapped(&format!("{input}, {format}, to {output}; by {backend}")))?;
        let relative = if fps.mean > 0.0 { 100.0 * fps.deviation / fps.mean } else { 0.0 };
        let frames: u64 = self.repetitions.iter().map(|repetition| repetition.frames).sum();
        writeln!(
            f,
            "  {} fps ± {relative:.1} % ({} … {}), {} repetitions, {frames} frames",
            short(fps.mean),
            short(fps.min),
            short(fps.max),
            fps.count
        )?;
        if let Some(gain) = &self.gain {
            writeln!(f, "{}", wrapped(&gain.sentence()))?;
        }
        writeln!(
            f,
            "  {} Mpixel/s; the passes move {} GB/s and compute {} GFLOP/s\n",
            short(self.megapixel_s),
            short(self.gb_s),
            short(self.gop_s)
        )?;
        writeln!(f, "{}\n", indented(&self.stage_table()))?;
        if !self.passes.is_empty() {
            writeln!(f, "{}\n", indented(&self.pass_table()))?;
        }
        if !self.bounds.is_empty() {
            writeln!(f, "{}\n", indented(&self.bound_table()))?;
        }
        writeln!(f, "{}", wrapped(&self.verdict))?;
        writeln!(
            f,
            "  first run: opened in {}, first frame after {}; again: {}, {}",
            seconds(first.open_s),
            seconds(first.frame_s),
            seconds(first.open_again_s),
            seconds(first.frame_again_s)
        )?;
        if let Some(overhead) = &self.overhead {
            writeln!(f, "{}", wrapped(&overhead.sentence()))?;
        }
        self.remarks.iter().try_for_each(|remark| writeln!(f, "{}", wrapped(&format!("note: {remark}"))))
    }
}

impl GpuGain {
    /// What several GPUs gain over the run on the first of them, if several filtered.
    pub(super) fn of(shared: &Run, single: &Run) -> Option<Self> {
        let (gpus, ratio) = (shared.gpus.len(), Ratio::of(&shared.fps, &single.fps));
        let uncertainty = Some(ratio.uncertainty).filter(|width| width.is_finite());
        let gain = Self { gpus, speed_up: ratio.value, uncertainty, efficiency: ratio.value / gpus as f64 };
        (gpus > 1 && ratio.value.is_finite()).then_some(gain)
    }

    /// `2 GPUs are 1.953 ± 0.004 times as fast as the first of them alone: an efficiency of 97.7 %`.
    pub fn sentence(&self) -> String {
        let Self { gpus, speed_up, uncertainty, efficiency } = self;
        let width = uncertainty.map_or(String::new(), |width| format!(" ± {width:.3}"));
        let efficiency = 100.0 * efficiency;
        format!(
            "{gpus} GPUs are {speed_up:.3}{width} times as fast as the first of them alone: an efficiency of \
             {efficiency:.1} %"
        )
    }
}

impl Overhead {
    /// What repetitions take more, or less, where the times of all frames are measured.
    pub fn sentence(&self) -> String {
        let percent = |ratio: f64| format!("{:+.2}", 100.0 * (ratio - 1.0));
        let spread = |[median, least, most]: [f64; 3]| {
            format!("{} % (from {} to {} %)", percent(median), percent(least), percent(most))
        };
        let (time, cores) = (spread(self.time), spread(self.processor_time));
        format!(
            "frames per second are measured without frame times; measuring those changes the run time by {time} and the CPU time by {cores} (median of {} pairs)",
            self.pairs
        )
    }
}

impl Run {
    fn stage_table(&self) -> Table {
        let part = |part: Option<f64>| part.map_or(String::new(), |part| format!("{:.1}", 100.0 * part));
        // Only where a GPU filters is there something to wait for, and a bus.
        let has_device = self.stages.iter().any(|stage| stage.device.is_some());
        let mut head = vec!["stage", "busy %", "starved %", "blocked %"];
        head.extend(has_device.then_some("gpu %"));
        head.extend(["idle %", "p50 ms", "p90", "p99", "max", "mean ± dev"]);
        head.extend(has_device.then_some("of bus %"));
        let mut table = table(&head);
        for stage in &self.stages {
            let mut row = vec![stage.name.clone(), part(Some(stage.busy)), part(stage.starved), part(stage.blocked)];
            row.extend(has_device.then(|| part(stage.device)));
            row.push(part(stage.idle));
            row.extend(times(&stage.per_frame));
            row.extend(has_device.then(|| part(stage.share)));
            add(&mut table, row);
        }
        fit(&mut table, &["max", "p90", "p99", "mean ± dev"]);
        table
    }

    fn bound_table(&self) -> Table {
        let mut table = table(&["limit", "allows fps", "reached %", "limit"]);
        for Bound { name, limit, fps, share } in &self.bounds {
            add(&mut table, vec![name.clone(), short(*fps), format!("{:.1}", 100.0 * share), limit.clone()]);
        }
        arrange(&mut table);
        table
    }

    fn pass_table(&self) -> Table {
        let head = [
            "pass",
            "p50 ms",
            "p90",
            "p99",
            "max",
            "mean ± dev",
            "GB/s",
            "GFLOP/s",
            "least ms",
            "of limit %",
            "bound by",
        ];
        let mut table = table(&head);
        for pass in &self.passes {
            let mut row = vec![clipped(&pass.name)];
            row.extend(times(&pass.per_frame));
            let share = format!("{:.1}", 100.0 * pass.share);
            row.extend([short(pass.gb_s), short(pass.gop_s), ms(pass.least_ms), share, pass.bound.clone()]);
            add(&mut table, row);
        }
        fit(&mut table, &["max", "p90", "p99", "mean ± dev", "GB/s", "least ms", "GFLOP/s"]);
        table
    }
}

/// How fast a file is decoded.
fn decoding(rates: &[DecodeRate]) -> Table {
    let mut table =
        table(&["decoder", "lanes", "the file, fps", "each all of it, fps together", "share %", "× one lane"]);
    for rate in rates {
        let one = rates.iter().find(|other| other.decoder == rate.decoder && other.lanes == 1);
        let times = one.map_or(String::new(), |one| format!("{:.2}", rate.fps.median / one.fps.median));
        add(
            &mut table,
            vec![
                rate.decoder.clone(),
                rate.lanes.to_string(),
                short(rate.fps.median),
                short(rate.apart_fps.median),
                format!("{:.1}", 100.0 * rate.share),
                times,
            ],
        );
    }
    table
}

/// The ladder, a block for each size.
fn ladder(rungs: &[Rung]) -> Table {
    let mut table = table(&[
        "plane",
        "rung",
        "p50 ms",
        "± dev",
        "Mpixel/s",
        "GB/s",
        "GFLOP/s",
        "op/byte",
        "of memory %",
        "of arithmetic %",
        "× cpu",
    ]);
    for (index, rung) in rungs.iter().enumerate() {
        let size = |rung: &Rung| format!("{}x{}", rung.width, rung.height);
        let same = |other: &&Rung| size(other) == size(rung);
        let is_new = index == 0 || size(&rungs[index - 1]) != size(rung);
        let cpu = rungs.iter().find(|other| other.name == "cpu" && same(other));
        let times = cpu.map_or(String::new(), |cpu| format!("{:.2}", cpu.per_plane.p50_ms / rung.per_plane.p50_ms));
        add(
            &mut table,
            vec![
                if is_new { size(rung) } else { String::new() },
                rung.name.clone(),
                ms(rung.per_plane.p50_ms),
                ms(rung.per_plane.deviation_ms),
                short(rung.megapixel_s),
                short(rung.gb_s),
                short(rung.gop_s),
                format!("{:.1}", rung.operations_per_byte),
                format!("{:.1}", 100.0 * rung.memory_share),
                format!("{:.1}", 100.0 * rung.arithmetic_share),
                times,
            ],
        );
    }
    fit(&mut table, &["± dev", "op/byte", "GFLOP/s", "GB/s"]);
    table
}

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
        line("  all threads", host.copy_all_cores_gb_s, "GB/s read and written");
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

fn table(head: &[&str]) -> Table {
    let mut table = Table::new();
    table.load_style(presets::NOTHING).set_header(head);
    table
}

/// Adds a row; what is a number stands on the right.
fn add(table: &mut Table, row: Vec<String>) {
    let starts_as_number = |text: &str| text.starts_with(|first: char| first.is_ascii_digit());
    table.add_row(row.into_iter().enumerate().map(|(index, text)| {
        let align = if index > 0 && starts_as_number(&text) { CellAlignment::Right } else { CellAlignment::Left };
        Cell::new(text).set_alignment(align)
    }));
}

/// Columns at the left of everything that belongs to a run.
const INDENT: u16 = 2;

/// Leaves out columns, in this order, until the table fits on the terminal; does nothing where there is none.
fn fit(table: &mut Table, spare: &[&str]) {
    for name in spare {
        let widest = table.trim_fmt().lines().map(|line| line.chars().count()).max().unwrap_or(0);
        if table.width().is_none_or(|width| widest + usize::from(INDENT) <= usize::from(width)) {
            return;
        }
        let head = table.header().map(|row| row.cell_iter().map(Cell::content).collect::<Vec<_>>()).unwrap_or_default();
        if let Some(column) = head.iter().position(|head| head == name).and_then(|index| table.column_mut(index)) {
            column.set_constraint(ColumnConstraint::Hidden);
        }
    }
}

/// Lets long cells go on in the next line where the terminal ends.
fn arrange(table: &mut Table) {
    if let Some(width) = table.width() {
        table.set_content_arrangement(ContentArrangement::Dynamic).set_width(width.saturating_sub(INDENT));
    }
}

/// A sentence, indented, in as many lines as the terminal needs.
fn wrapped(text: &str) -> String {
    let mut table = Table::new();
    table.load_style(presets::NOTHING).add_row([text]);
    arrange(&mut table);
    let trimmed = table.trim_fmt();
    trimmed.lines().map(|line| format!("  {}", line.trim())).collect::<Vec<_>>().join("\n")
}

fn indented(table: &Table) -> String {
    table.trim_fmt().lines().map(|line| format!("  {}", line.trim_end())).collect::<Vec<_>>().join("\n")
}

fn times(times: &Distribution) -> [String; 5] {
    let Distribution { p50_ms, p90_ms, p99_ms, max_ms, mean_ms, deviation_ms, .. } = times;
    [ms(*p50_ms), ms(*p90_ms), ms(*p99_ms), ms(*max_ms), format!("{} ± {}", ms(*mean_ms), ms(*deviation_ms))]
}

fn seconds(value: f64) -> String {
    if value < 1.0 { format!("{:.1} ms", 1e3 * value) } else { format!("{value:.2} s") }
}
