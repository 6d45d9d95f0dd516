//! Verdicts and predictions, computed from measurements that are made up.

use warpreel::bench::alone::Alone;
use warpreel::bench::cpu::{CountedCpu, CpuTime, StageCpu};
use warpreel::bench::evidence::Evidence;
use warpreel::bench::prediction::Prediction;
use warpreel::bench::schema::Stage;
use warpreel::bench::statistic::Distribution;
use warpreel::bench::thread::{StageKind, StageTime};
use warpreel::bench::verdict::{PaceLimit, pace, sentence};

const NAMES: [&str; 3] = ["decode", "filter", "encode"];

/// Threads that work for these parts of the time.
fn stages(busy: [f64; 3]) -> Vec<Stage> {
    let stage = |(name, busy): (&str, f64)| Stage {
        name: name.to_owned(),
        busy,
        starved: Some(1.0 - busy),
        blocked: Some(0.0),
        device: None,
        idle: Some(0.0),
        per_frame: Distribution::default(),
        share: None,
    };
    NAMES.into_iter().zip(busy).map(stage).collect()
}

/// Stages that use so many cores, with their own threads without a core for a part of the time.
fn cpu(cores: usize, used: [f64; 3], no_core: [f64; 3], others: f64) -> CpuTime {
    let all: f64 = used.iter().sum();
    let stage = |((name, cores), no_core): ((&str, f64), f64)| StageCpu {
        stage: name.to_owned(),
        share: cores / all,
        cores,
        threads: 3,
        busiest: cores.min(1.0),
        no_core: Some(no_core),
    };
    let stages = NAMES.into_iter().zip(used).zip(no_core).map(stage).collect();
    CpuTime { cores, used: all, others: Some(others), stages }
}

fn alone(rates: [f64; 3]) -> Vec<Alone> {
    let rates = NAMES.into_iter().zip(rates).filter(|(_, fps)| *fps > 0.0);
    rates.map(|(stage, fps)| Alone { stage: stage.to_owned(), frames: 100, seconds: 100.0 / fps, fps }).collect()
}

#[test]
fn the_cores_are_the_limit_where_none_is_left() {
    // The filter's thread works all the time, and decoding's helpers take as much of the cores.
    let stages = stages([0.37, 0.97, 0.01]);
    for (cpu, wanted) in [
        (cpu(2, [0.9, 0.95, 0.05], [0.2, 0.3, 0.0], 0.0), "cores"),
        (cpu(16, [7.0, 8.0, 0.1], [0.2, 0.3, 0.0], 0.0), "cores"),
        // 0.89 of all.
        (cpu(16, [6.0, 8.2, 0.05], [0.0; 3], 0.0), "filter"),
        (cpu(16, [1.0, 0.9, 0.1], [0.0; 3], 0.0), "filter"),
        // Other programs leave too little, and it shows.
        (cpu(2, [0.5, 0.4, 0.0], [0.4, 0.5, 0.0], 1.1), "cores"),
        // They use the rest, which nobody lacks.
        (cpu(2, [0.5, 0.4, 0.0], [0.02, 0.03, 0.0], 1.1), "filter"),
        (cpu(1, [0.1, 0.85, 0.0], [0.1, 0.1, 0.0], 0.0), "cores"),
    ] {
        let text = sentence(&stages, Some(&cpu), &[], 500.0);
        assert_eq!(pace(&stages, Some(&cpu)).expect("a limit").name(), wanted, "{text}");
        assert_eq!(text.contains("the limit: "), wanted == "cores", "{text}");
        assert_eq!(text.contains("filter (filtering) sets the pace: it works 97 %"), wanted == "filter", "{text}");
    }
    let text = sentence(&stages, Some(&cpu(2, [0.9, 0.95, 0.05], [0.0; 3], 0.0)), &[], 500.0);
    let wanted =
        "the cores are the limit: 95 % of the time of all 2 is used; CPU time: decode 47 %, filter 50 %, encode 3 %";
    assert_eq!(text, wanted);
    let text = sentence(&stages, Some(&cpu(2, [0.5, 0.4, 0.0], [0.4, 0.5, 0.0], 1.1)), &[], 500.0);
    assert!(text.contains("1.10 cores of it by other programs"), "{text}");
}

#[test]
fn waiting_for_a_core_is_no_work() {
    // Both are inside a call for most of the time; one of them because it has no core.
    let stages = stages([0.95, 0.9, 0.1]);
    let none = cpu(4, [0.3, 0.9, 0.1], [0.6, 0.0, 0.0], 0.5);
    assert!(matches!(pace(&stages, Some(&none)), Some(PaceLimit::Stage(stage)) if stage.name == "filter"));
    assert_eq!(
        pace(&stages, None).expect("a limit").name(),
        "decode",
        "without CPU times there is nothing else to go by"
    );
}

#[test]
fn decoders_that_share_a_file_are_one_stage() {
    let mut stages = stages([0.8, 0.3, 0.1]);
    for (number, busy) in [0.77, 0.92, 0.85].into_iter().enumerate() {
        stages.push(Stage { name: format!("decoder {number}"), busy, ..stages[0].clone() });
    }
    assert_eq!(pace(&stages, None).expect("a limit").name(), "decode");
    let text = sentence(&stages, None, &[], 500.0);
    let wanted =
        "decode (reading and decoding) sets the pace: it works 80 % of the time, and its 3 decoders 77 to 92 %; ";
    assert!(text.starts_with(wanted) && !text.contains("decoder 1"), "{text}");
    let text = sentence(&stages[..4], None, &[], 500.0);
    assert!(text.contains("works 80 % of the time, and its decoder 77 %; "), "{text}");
    stages[1].busy = 0.95;
    let text = sentence(&stages, None, &[], 500.0);
    let wanted = "filter (filtering) sets the pace: it works 95 % of the time; decode works 80 %, and its 3 decoders 77 to 92 %; ";
    assert!(text.starts_with(wanted), "{text}");
}

#[test]
fn where_nobody_is_busy_nobody_is_blamed() {
    let stages = stages([0.3, 0.4, 0.1]);
    let cpu = cpu(8, [0.3, 0.4, 0.1], [0.0; 3], 0.0);
    assert!(matches!(pace(&stages, Some(&cpu)), Some(PaceLimit::Nothing(stage)) if stage.name == "filter"));
    let text = sentence(&stages, Some(&cpu), &[], 500.0);
    assert!(text.starts_with("no stage is always busy") && text.contains("0.80 of 8 cores"), "{text}");
    assert_eq!(sentence(&[], None, &[], 0.0), "nothing was measured");
    assert_eq!(pace(&[], None), None);
}

fn found(fps: f64, busy: [f64; 3], cpu: &CpuTime, rates: [f64; 3]) -> Vec<Prediction> {
    Evidence { fps, stages: &stages(busy), cpu: Some(cpu), alone: &alone(rates), without: &[] }.predictions()
}

fn assert_prediction(found: &[Prediction], without: &str, fps: f64, limit: &str) {
    let one = found.iter().find(|one| one.without == without).unwrap_or_else(|| panic!("{without}: {found:#?}"));
    assert!((one.fps - fps).abs() < 1e-6 * fps && one.limit == limit, "{one:?} is not {fps} by {limit}");
}

#[test]
fn a_free_stage_leaves_its_cores_to_the_others() {
    // Two cores: 520 fps, of which decoding takes half. The filter alone would make 1,050.
    let cpu = cpu(2, [0.95, 0.9, 0.05], [0.0; 3], 0.0);
    let found = found(520.0, [0.4, 0.97, 0.02], &cpu, [780.0, 1050.0, 0.0]);
    // Of 1.9 cores 0.95 are left.
    assert_prediction(&found, "decode", 520.0 * 1.9 / 0.95, "cores");
    assert_prediction(&found, "filter", 780.0, "decode");
    // Nothing else is the limit then, and encoding is not what took the cores.
    assert_prediction(&found, "encode", 520.0 * 1.9 / 1.85, "cores");
}

#[test]
fn the_slowest_of_the_others_is_the_limit_where_cores_are_left() {
    let cpu = cpu(16, [2.0, 1.0, 0.02], [0.0; 3], 0.0);
    let found = found(300.0, [0.99, 0.3, 0.001], &cpu, [305.0, 1000.0, 0.0]);
    assert_prediction(&found, "decode", 1000.0, "filter");
    assert_prediction(&found, "filter", 305.0, "decode");
    assert_eq!(found.len(), 2, "an output that costs nothing is no stage: {found:#?}");
}

#[test]
fn what_was_not_measured_alone_goes_by_its_thread() {
    // An encoder behind a pipe: its thread works for half of the time, a fifth of which it had no core.
    let cpu = cpu(16, [1.0, 1.0, 0.5], [0.0, 0.0, 0.1], 0.0);
    let found = found(100.0, [0.98, 0.2, 0.5], &cpu, [101.0, 500.0, 0.0]);
    assert_prediction(&found, "decode", 100.0 / 0.4, "encode");
    assert_prediction(&found, "encode", 101.0, "decode");
    let slower = Evidence {
        fps: 100.0,
        stages: &stages([0.98, 0.2, 0.5]),
        cpu: None,
        alone: &alone([90.0, 50.0, 0.0]),
        without: &[],
    };
    assert_prediction(&slower.predictions(), "decode", 100.0, "filter");
}

#[test]
fn predictions_are_part_of_the_verdict() {
    let one = |without: &str, fps, limit: &str| Prediction { without: without.into(), fps, limit: limit.into() };
    let both = [one("decode", 1040.0, "filter"), one("filter", 505.0, "decode")];
    let text = sentence(&stages([0.5, 0.97, 0.0]), None, &both, 500.0);
    let wanted = "Predicted: without decode 1,040 fps (2.08 times), limited by filter; without filter no faster";
    assert!(text.ends_with(wanted), "{text}");
}

#[test]
fn repetitions_are_added_up_and_the_rest_is_nobodys() {
    let time = |kind, cpu_s, no_core_s| StageTime { kind, cpu_s, busiest_s: cpu_s / 2.0, threads: 2, no_core_s };
    let counted = |times: f64| CountedCpu {
        wall_s: times,
        process_s: 1.6 * times,
        stages: vec![
            time(StageKind::Decode, 0.8 * times, Some(0.1 * times)),
            time(StageKind::Filter, 0.4 * times, Some(0.2 * times)),
            time(StageKind::Encode, 0.2 * times, None),
            time(StageKind::Other, 0.1 * times, None),
        ],
    };
    let cpu = CpuTime::of(&[counted(1.0), counted(3.0)], 2, 1.5, Some(0.25)).expect("a time");
    let share = |name: &str| cpu.stage(name).expect("a stage").share;
    for (name, wanted) in [("decode", 0.5), ("filter", 0.25), ("encode", 0.125), ("other", 0.125)] {
        assert!((share(name) - wanted).abs() < 1e-9, "{name}: {cpu:#?}");
    }
    let decode = cpu.stage("decode").expect("a stage");
    assert!((decode.cores - 0.75).abs() < 1e-9 && (decode.busiest - 0.4).abs() < 1e-9, "{cpu:#?}");
    assert!(
        decode.no_core.is_some_and(|part| (part - 0.1).abs() < 1e-9) && cpu.stage("encode").unwrap().no_core.is_none()
    );
    assert_eq!((cpu.remark(), CpuTime::of(&[], 2, 1.5, None)), (None, None));
    let mut coarse = counted(1.0);
    coarse.stages.iter_mut().for_each(|time| time.no_core_s = None);
    let coarse = CpuTime::of(&[coarse], 2, 1.5, None).expect("a time");
    assert!(coarse.remark().is_some_and(|remark| remark.contains("schedstat")), "{coarse:#?}");
    assert!(coarse.stage("decode").unwrap().no_core.is_none());
}
