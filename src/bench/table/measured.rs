//! Tables of what is measured beside runs: decoders, and the ladder.

use comfy_table::Table;

use super::layout::{add, fit, table};
use crate::bench::number::{ms, short};
use crate::bench::schema::{DecodeRate, Run, Rung};

/// How fast a file is decoded.
pub(super) fn decoding(rates: &[DecodeRate]) -> Table {
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

/// The speed by number of GPUs, of runs of which the last is that of one GPU.
pub(super) fn scaling(runs: &[Run]) -> Table {
    let mut table = table(&["GPUs", "fps", "times one", "efficiency %", "closest limit"]);
    for run in runs.iter().rev() {
        let [times, efficiency] = run.gain.map_or(["1".to_owned(), "100.0".to_owned()], |gain| {
            [format!("{:.2}", gain.speed_up), format!("{:.1}", 100.0 * gain.efficiency)]
        });
        let limit = run.bounds.first().map_or("–".to_owned(), |bound| {
            format!("{} ({:.0} % reached), {}", bound.name, 100.0 * bound.share, bound.limit)
        });
        add(&mut table, vec![run.gpus.len().max(1).to_string(), short(run.fps.mean), times, efficiency, limit]);
    }
    table
}

/// The ladder, a block for each size.
pub(super) fn ladder(rungs: &[Rung]) -> Table {
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
