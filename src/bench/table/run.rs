//! A run.

use std::{fmt, iter};

use comfy_table::Table;

use super::layout::{add, arrange, fit, indented, marked, table, wrapped};
use crate::bench::cpu::CpuTime;
use crate::bench::number::{clipped, ms, rounded, short};
use crate::bench::process::ProcessUsage;
use crate::bench::schema::{Bound, FirstCosts, GpuGain, Overhead, Repetition, Run};
use crate::bench::slow::SlowFrame;
use crate::bench::statistic::{Distribution, Ratio, median};

/// The meaning of the times of frames that no name of a column has room for.
const RECEIVING: &str = "decode: time of the call that receives a frame, while the decoder's threads work on others; \
                         decoder to output: from that call's end until the frame is written";

impl fmt::Display for Run {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { chain, input, output, format, output_format, backend, .. } = self;
        let chain = if chain.is_empty() { "no filter" } else { chain };
        let made = output_format.as_ref().map_or_else(String::new, |made| format!(" as {made}"));
        writeln!(f, "{chain}\n{}\n", wrapped(&format!("{input}, {format}, to {output}{made}; by {backend}")))?;
        writeln!(f, "{}", wrapped(&self.rate()))?;
        writeln!(f, "{}", wrapped(&self.opening()))?;
        if let Some(usage) = self.usage() {
            writeln!(f, "{}", wrapped(&usage))?;
        }
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
        if self.stages.iter().any(|stage| stage.name == "decode") && self.lead_frames == 0 {
            writeln!(f, "{}\n", wrapped(RECEIVING))?;
        }
        if let Some(cpu) = &self.cpu {
            writeln!(f, "{}\n", indented(&self.cpu_table(cpu)))?;
        }
        if !self.passes.is_empty() {
            writeln!(f, "{}\n", indented(&self.pass_table()))?;
        }
        if !self.bounds.is_empty() {
            writeln!(f, "{}\n", indented(&self.bound_table()))?;
        }
        if !self.slowest.is_empty() {
            writeln!(f, "{}\n", indented(&self.slow_table()))?;
        }
        writeln!(f, "{}", wrapped(&self.verdict))?;
        if let Some(overhead) = &self.overhead {
            writeln!(f, "{}", wrapped(&overhead.sentence()))?;
        }
        self.remarks.iter().try_for_each(|remark| writeln!(f, "{}", wrapped(&format!("note: {remark}"))))
    }
}

impl GpuGain {
    /// What several GPUs gain over the run on the first of them, if several filtered.
    pub(in crate::bench) fn of(shared: &Run, single: &Run) -> Option<Self> {
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
    /// Pairs from which on a cost that all of them have is none by chance, in seven cases of eight.
    const ENOUGH: usize = 3;

    /// The cost by one of both clocks: `none seen within ± 3.7 %`, `+6.5 % (+6.1 to +7.2 %)`.
    pub fn cost(&self, [median, least, most]: [f64; 3]) -> String {
        let percent = |ratio: f64| 100.0 * (ratio - 1.0);
        let spread = percent(least).abs().max(percent(most).abs());
        // Noise may make every pair slower with it where there are few, and faster at any number: neither is a cost.
        if self.pairs >= Self::ENOUGH && least > 1.0 {
            format!("{:+.1} % ({:+.1} to {:+.1} %)", percent(median), percent(least), percent(most))
        } else {
            format!("none seen within ± {spread:.1} %")
        }
    }

    /// The cost of measuring the times of frames, and whether it can be seen at all.
    pub fn sentence(&self) -> String {
        let (time, cpu, pairs) = (self.cost(self.time), self.cost(self.processor_time), self.pairs);
        let pairs = if pairs == 1 { "one pair".to_owned() } else { format!("{pairs} pairs") };
        format!("tracing cost: run time {time}, CPU time {cpu}, {pairs} of runs (fps are measured without tracing)")
    }
}

impl Run {
    /// `520 fps ± 1.2 % (511 … 530; standard deviation of a repetition), 5 repetitions, 660 frames`.
    pub(in crate::bench) fn rate(&self) -> String {
        let fps = &self.fps;
        let frames: u64 = self.repetitions.iter().map(|repetition| repetition.frames).sum();
        if fps.count < 2 {
            return format!("{} fps in 1 repetition, {frames} frames", short(fps.mean));
        }
        let relative = if fps.mean > 0.0 { 100.0 * fps.deviation / fps.mean } else { 0.0 };
        let (least, most) = (short(fps.min), short(fps.max));
        format!(
            "{} fps ± {relative:.1} % (standard deviation of a repetition; {least} … {most}), {} repetitions, {frames} frames",
            short(fps.mean),
            fps.count
        )
    }

    /// `opening 37 ms (not in fps; 349 fps with it), first frame after 12 ms; in the first run 90 ms and 20 ms`.
    pub(in crate::bench) fn opening(&self) -> String {
        let FirstCosts { open_s, open_again_s, frame_s, frame_again_s } = self.first;
        let sum = |of: fn(&Repetition) -> f64| self.repetitions.iter().map(of).sum::<f64>();
        let with = sum(|one| one.frames as f64) / sum(|one| one.seconds + one.open_s).max(1e-9);
        // The filter stage alone is a part of a run, whose opening counts for more frames.
        let with = if self.lead_frames == 0 { format!("; {} fps with it", short(with)) } else { String::new() };
        let (open, frame) = (seconds(open_again_s), seconds(frame_again_s));
        let first = format!("; in the first run {} and {}", seconds(open_s), seconds(frame_s));
        let first = if open_s == open_again_s { String::new() } else { first };
        format!("opening {open} (not in fps{with}), first frame after {frame}{first}")
    }

    /// `user 1.20 s, system 0.10 s (medians of a repetition); 212 MB of memory at most`.
    pub(in crate::bench) fn usage(&self) -> Option<String> {
        let usages: Vec<ProcessUsage> = self.repetitions.iter().filter_map(|repetition| repetition.usage).collect();
        let peak = usages.iter().map(|usage| usage.peak_memory_bytes).max()?;
        let middle = |of: fn(&ProcessUsage) -> f64| median(&usages.iter().map(of).collect::<Vec<_>>());
        let (user, system) = (middle(|usage| usage.user_s), middle(|usage| usage.system_s));
        let of = if usages.len() > 1 { " (medians of a repetition)" } else { "" };
        Some(format!("user {user:.2} s, system {system:.2} s{of}; {} MB of memory at most", rounded(peak as f64 / 1e6)))
    }

    /// The run as a section of Markdown.
    pub(in crate::bench) fn markdown(&self) -> String {
        let Self { chain, input, output, format, backend, .. } = self;
        let chain = if chain.is_empty() { "No filter".to_owned() } else { format!("`{chain}`") };
        let head = format!("## {chain}\n\n{input}, {format}, to {output}; by {backend}");
        let mut lines = vec![self.rate(), self.opening()];
        lines.extend(self.usage());
        lines.extend(self.gain.map(|gain| gain.sentence()));
        let (moved, computed) = (short(self.gb_s), short(self.gop_s));
        lines.push(format!(
            "{} Mpixel/s; the passes move {moved} GB/s and compute {computed} GFLOP/s",
            short(self.megapixel_s)
        ));
        lines.push(self.verdict.clone());
        lines.extend(self.overhead.map(|overhead| overhead.sentence()));
        lines.extend(self.remarks.iter().map(|remark| format!("note: {remark}")));
        let lines: Vec<String> = lines.into_iter().map(|line| format!("- {line}")).collect();
        let tables = [
            Some(self.stage_table()),
            self.cpu.as_ref().map(|cpu| self.cpu_table(cpu)),
            (!self.passes.is_empty()).then(|| self.pass_table()),
            (!self.bounds.is_empty()).then(|| self.bound_table()),
            (!self.slowest.is_empty()).then(|| self.slow_table()),
        ];
        let tables = tables.into_iter().flatten().map(|table| marked(&table));
        [head, lines.join("\n")].into_iter().chain(tables).collect::<Vec<_>>().join("\n\n")
    }

    fn cpu_table(&self, cpu: &CpuTime) -> Table {
        let mut table =
            table(&["CPU time", "share %", "cores", "ms a frame", "threads", "busiest thread %", "no core %"]);
        let percent = |part: f64| format!("{:.1}", 100.0 * part);
        for stage in &cpu.stages {
            let a_frame = ms(1e3 * stage.cores / self.fps.mean.max(1e-9));
            let (cores, threads) = (short(stage.cores), stage.threads.to_string());
            let no_core = stage.no_core.map_or("–".to_owned(), percent);
            let row =
                [stage.stage.clone(), percent(stage.share), cores, a_frame, threads, percent(stage.busiest), no_core];
            add(&mut table, row.into());
        }
        fit(&mut table, &["threads", "busiest thread %"]);
        table
    }

    fn stage_table(&self) -> Table {
        let part = |part: Option<f64>| part.map_or(String::new(), |part| format!("{:.1}", 100.0 * part));
        // Only where a GPU filters is there something to wait for, and a bus.
        let has_device = self.stages.iter().any(|stage| stage.device.is_some());
        let mut head = vec!["stage", "busy %", "starved %", "blocked %"];
        head.extend(has_device.then_some("gpu %"));
        head.push("idle %");
        head.extend(TIMES);
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
        if self.latency.count > 0 {
            let gaps = if has_device { 5 } else { 4 };
            let mut row = vec!["decoder to output".to_owned()];
            row.extend(iter::repeat_n(String::new(), gaps));
            row.extend(times(&self.latency));
            add(&mut table, row);
        }
        fit(&mut table, &["p99.9", "max", "p90", "p99", "mean ± dev"]);
        table
    }

    /// The slowest frames, with the reason.
    fn slow_table(&self) -> Table {
        let mut table = table(&["slowest frames", "ms", "repetition", "why"]);
        for SlowFrame { frame, repetition, ms: took, usual_ms, why, is_key, packet_bytes, is_cut, .. } in &self.slowest
        {
            let key = if *is_key == Some(true) { "; a key frame" } else { "" };
            let cut = if *is_cut == Some(true) { "; a shot begins with it" } else { "" };
            // Elsewhere it says nothing.
            let packet_bytes = packet_bytes.filter(|_| why.contains("decoding"));
            let packet =
                packet_bytes.map_or(String::new(), |bytes| format!("; a packet of {} kB", short(bytes as f64 / 1e3)));
            let why = format!("{why}{key}{cut}{packet} (usually {} ms from frame to frame)", ms(*usual_ms));
            add(&mut table, vec![frame.to_string(), ms(*took), repetition.to_string(), why]);
        }
        arrange(&mut table);
        table
    }

    fn bound_table(&self) -> Table {
        let mut table = table(&["closest limits", "reached %", "allows fps", "measured as"]);
        let is_far = |bound: &&Bound| bound.share < Bound::FAR;
        for Bound { name, limit, fps, share } in self.bounds.iter().filter(|bound| !is_far(bound)) {
            add(&mut table, vec![name.clone(), format!("{:.1}", 100.0 * share), rounded(*fps), limit.clone()]);
        }
        let far: Vec<&str> = self.bounds.iter().filter(is_far).map(|bound| bound.name.as_str()).collect();
        if !far.is_empty() {
            add(&mut table, vec![far.join(", "), "< 1".to_owned()]);
        }
        arrange(&mut table);
        table
    }

    fn pass_table(&self) -> Table {
        let head = [&["pass"], &TIMES[..], &["GB/s", "GFLOP/s", "least ms", "of limit %", "bound by"]].concat();
        let mut table = table(&head);
        for pass in &self.passes {
            let mut row = vec![clipped(&pass.name)];
            row.extend(times(&pass.per_frame));
            let share = format!("{:.1}", 100.0 * pass.share);
            row.extend([short(pass.gb_s), short(pass.gop_s), ms(pass.least_ms), share, pass.bound.clone()]);
            add(&mut table, row);
        }
        fit(&mut table, &["p99.9", "max", "p90", "p99", "mean ± dev", "GB/s", "least ms", "GFLOP/s"]);
        table
    }
}

/// Heads of the columns of [`times`].
const TIMES: [&str; 6] = ["p50 ms", "p90", "p99", "p99.9", "max", "mean ± dev"];

fn times(times: &Distribution) -> Vec<String> {
    let known = |value: Option<f64>| value.map_or("–".to_owned(), ms);
    let mut cells: Vec<String> = times.percentiles().map(known).into();
    cells.extend([ms(times.max_ms), format!("{} ± {}", ms(times.mean_ms), ms(times.deviation_ms))]);
    cells
}

fn seconds(value: f64) -> String {
    if value < 1.0 { format!("{:.1} ms", 1e3 * value) } else { format!("{value:.2} s") }
}
