//! Results as Markdown: one for `--markdown`, and result files together as `docs/benchmarks.md`.

use std::fmt::Write;
use std::path::Path;

use super::number::{clipped, ms, short};
use super::schema::{Machine, PassTimes, Record};

use super::bound;
use super::compare::Comparison;
use super::verdict::{self, PaceLimit};

/// Explanation of the figures of a run.
const WORDS: &str = "\
- **fps**: frames written a second; opening is left out. ± is the standard deviation of a repetition.
- **Mpixel/s**, **GB/s**, **GFLOP/s**: samples of luma, bytes that the passes read and write, and operations that they need, a second.
- **busy**, **starved**, **blocked**, **idle**: parts of the time in which a thread worked, waited for the stage before, waited for the stage after, or had not begun or was done.
- **p50** to **p99.9**: milliseconds that so many of 100 frames did not exceed; – where there are too few frames for it.
- **no core**: part of the time in which a stage's thread could have run but had no core.
- **least ms**, **of limit**: time that memory or arithmetic of this machine allows a pass at least, and the part of it that is reached.
- **allows fps**: speed if only this limit held, measured in the same call.
- **slowest frames**: the frames for which the output waited longest, the stage that worked meanwhile, whether its thread had no core or
  pages of memory had to be found, and whether the frame is a key frame or begins a shot.
";

/// A result with its words, as a page of its own.
pub fn report(record: &Record, comparison: Option<&Comparison>) -> String {
    let comparison = comparison.map(|comparison| format!("{comparison}"));
    let blocks = [comparison.unwrap_or_default(), record.tables(), format!("{}\n{}", record.limits, record.machine)];
    let blocks = blocks.iter().map(|text| text.trim_end()).filter(|text| !text.is_empty());
    let mut parts =
        vec![format!("# warpreel bench\n\n{}, {}: `{}`", record.date, record.program, record.command.join(" "))];
    parts.extend(record.runs.iter().map(|run| run.markdown()));
    parts.extend(blocks.map(|text| format!("```\n{text}\n```")));
    if !record.runs.is_empty() {
        parts.push(format!("## Words\n\n{WORDS}"));
    }
    parts.join("\n\n").trim_end().to_owned() + "\n"
}

/// The page of some results, each with the name of its file. Results of one machine stand together, in their order. Runs
/// during which the machine was not quiet are left out.
pub fn page(records: &[(String, Record)]) -> String {
    let mut page = "# Benchmarks\n\nReports of `warpreel bench` on each machine, made from result files by `cargo run --example report`; \
                    [bench-schema.md](bench-schema.md) explains the figures. `benches/measure NAME` makes the files.\n\
                    Runs on a machine that was not quiet are left out.\n"
        .to_owned();
    let mut machines: Vec<&Machine> = Vec::new();
    for (_, record) in records {
        if !machines.contains(&&record.machine) {
            machines.push(&record.machine);
        }
    }
    for machine in machines {
        let is_quiet = |record: &Record| record.runs.is_empty() || record.runs.iter().any(verdict::is_quiet);
        let is_shown = |record: &Record| is_quiet(record) && verdict::is_quiet_beside(record);
        let mine: Vec<&(String, Record)> =
            records.iter().filter(|(_, record)| record.machine == *machine && is_shown(record)).collect();
        if mine.is_empty() {
            continue;
        }
        // Writing into a string cannot fail.
        let _ = section(&mut page, machine, &mine);
    }
    page
}

fn section(page: &mut String, machine: &Machine, records: &[&(String, Record)]) -> std::fmt::Result {
    let gpu = machine.gpu.as_ref().map(|gpu| format!("{}, ", gpu.name)).unwrap_or_default();
    let Machine { processor, cores, instructions, system, .. } = machine;
    writeln!(
        page,
        "\n## {gpu}{processor}, {cores} cores\n\n{instructions}; {system}; {}.",
        machine.libraries.join(", ")
    )?;
    if let Some(gpu) = &machine.gpu {
        writeln!(page, "Compute capability {}, driver for CUDA {}.", gpu.capability, gpu.driver)?;
    }

    let all = records.iter().flat_map(|(path, record)| record.runs.iter().map(move |run| (stem(path), run)));
    let runs: Vec<_> = all.filter(|(_, run)| verdict::is_quiet(run)).collect();
    if !runs.is_empty() {
        writeln!(page, "\n### Jobs and filter stages\n")?;
        writeln!(
            page,
            "| run | chain | input | fps | Mpixel/s | GB/s | Gop/s | pace | its p50 / p99 ms | nearest limit | passes, of their limits | tracing costs |"
        )?;
        writeln!(page, "|---|---|---|---|---|---|---|---|---|---|---|---|")?;
        for (name, run) in &runs {
            let pace = verdict::pace(&run.stages, run.cpu.as_ref());
            let times = match pace {
                Some(PaceLimit::Stage(stage) | PaceLimit::Nothing(stage)) => {
                    format!("{} / {}", ms(stage.per_frame.p50_ms), ms(stage.per_frame.p99_ms))
                }
                _ => String::new(),
            };
            let share = |pass: &PassTimes| format!("{} {}", pass.bound, percent(pass.share));
            let shares: Vec<String> = run.passes.iter().map(share).collect();
            let measuring = run.overhead.map_or(String::new(), |overhead| overhead.cost(overhead.time));
            writeln!(
                page,
                "| {} | {} | {}, {} | {} ± {} | {} | {} | {} | {} | {times} | {} | {} | {measuring} |",
                cell(name),
                if run.chain.is_empty() { "none".to_owned() } else { format!("`{}`", cell(&clipped(&run.chain))) },
                cell(&run.input),
                run.format,
                short(run.fps.mean),
                short(run.fps.deviation),
                short(run.megapixel_s),
                short(run.gb_s),
                short(run.gop_s),
                pace.as_ref().map_or("", PaceLimit::name),
                bound::binding(run),
                shares.join(", "),
            )?;
        }
        for (name, run) in &runs {
            run.remarks.iter().try_for_each(|remark| writeln!(page, "\n{name}: {remark}."))?;
        }
    }

    for (path, record) in records.iter().filter(|(_, record)| !record.ladder.is_empty()) {
        writeln!(page, "\n### The ladder: `{}`, run {}\n", cell(&record.ladder[0].kernel), stem(path))?;
        writeln!(
            page,
            "| plane | rung | p50 ms | Mpixel/s | GB/s | GFLOP/s | op/byte | of memory | of arithmetic | × cpu |"
        )?;
        writeln!(page, "|---|---|---|---|---|---|---|---|---|---|---|")?;
        for rung in &record.ladder {
            let size = |rung: &super::schema::Rung| (rung.width, rung.height);
            let cpu = record.ladder.iter().find(|other| other.name == "cpu" && size(other) == size(rung));
            writeln!(
                page,
                "| {}x{} | {} | {} | {} | {} | {} | {:.1} | {} | {} | {} |",
                rung.width,
                rung.height,
                rung.name,
                ms(rung.per_plane.p50_ms),
                short(rung.megapixel_s),
                short(rung.gb_s),
                short(rung.gop_s),
                rung.operations_per_byte,
                percent(rung.memory_share),
                percent(rung.arithmetic_share),
                cpu.map_or(String::new(), |cpu| short(cpu.per_plane.p50_ms / rung.per_plane.p50_ms)),
            )?;
        }
        record.remarks.iter().try_for_each(|remark| writeln!(page, "\n{}: {remark}.", stem(path)))?;
    }

    if let Some((path, record)) = records.first() {
        writeln!(page, "\n### Limits, as run {} measured them\n\n```\n{}```", stem(path), record.limits)?;
    }
    writeln!(page, "\n### Files and commands\n")?;
    for (path, record) in records {
        writeln!(page, "- `{path}`, {}, {}: `{}`", record.date, record.program, record.command.join(" "))?;
    }
    Ok(())
}

/// What a run is called: its file's name without the ending.
fn stem(path: &str) -> &str {
    Path::new(path).file_stem().and_then(|stem| stem.to_str()).unwrap_or(path)
}

fn percent(part: f64) -> String {
    format!("{:.1} %", 100.0 * part)
}

/// Text that may stand in a cell.
fn cell(text: &str) -> String {
    text.replace('|', "\\|")
}
