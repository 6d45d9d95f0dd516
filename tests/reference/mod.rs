//! Other people's implementations: SciPy and OpenCV, run once by a script, and examples that books work out.
//!
//! The script needs the packages of `tests/requirements.txt` in `target/python`; without them the test says so and
//! passes, and `REQUIRE_REFERENCES=1` makes that a failure.

mod case;
mod worked;

use std::fs::{self, File};
use std::path::{Path, PathBuf};
use std::process::Command;

use npyz::WriterBuilder;
use serde_json::{Value, json};

use crate::stage::{float, format, run};
use case::{Bound, Case, INPUTS, Input, cases};

/// The unit of rounding: a single operation in `f32` is off by at most this part of its result.
const UNIT: f64 = 1.0 / (1u32 << 24) as f64;

/// The interpreter that has the packages; `None` where there is none.
fn python() -> Option<PathBuf> {
    let python = Path::new(env!("CARGO_MANIFEST_DIR")).join("target/python/bin/python");
    let found = Command::new(&python).args(["-c", "import numpy, scipy.ndimage, cv2"]).output();
    let problem = match found {
        Ok(output) if output.status.success() => return Some(python),
        Ok(output) => String::from_utf8_lossy(&output.stderr).lines().last().unwrap_or_default().to_owned(),
        Err(error) => error.to_string(),
    };
    let words = format!("{python:?} has no numpy, scipy and cv2 ({problem}); type: scripts/install test");
    assert!(std::env::var_os("REQUIRE_REFERENCES").is_none(), "REQUIRE_REFERENCES is set, but {words}");
    println!("skipped: {words}");
    None
}

/// A clip as an array with the axes t, y, x.
fn save(path: &Path, input: &Input, samples: impl Iterator<Item = f32>) {
    let shape = [input.frames, input.height, input.width].map(|size| size as u64);
    let file = File::create(path).expect("a file");
    fn write<T: npyz::AutoSerialize>(file: File, shape: &[u64], samples: impl Iterator<Item = T>) {
        let options = npyz::WriteOptions::new().default_dtype().shape(shape);
        let mut writer = options.writer(file).begin_nd().expect("a header");
        writer.extend(samples).expect("samples");
        writer.finish().expect("an end");
    }
    match input.pixel.depth {
        8 => write(file, &shape, samples.map(|sample| sample as u8)),
        32 => write(file, &shape, samples),
        _ => write(file, &shape, samples.map(|sample| sample as u16)),
    }
}

/// What the script makes of all cases, in their order.
fn references(python: &Path, cases: &[Case]) -> Vec<Vec<f64>> {
    let folder = tempfile::tempdir().expect("a folder");
    for input in &INPUTS {
        let clip = input.clip();
        save(&folder.path().join(format!("{}.npy", input.name)), input, clip.iter().flat_map(|frame| frame[0].clone()));
    }
    let list = cases.iter().enumerate().map(|(number, case)| {
        let mut call = case.arguments.clone();
        call["input"] = json!(format!("{}.npy", INPUTS[case.input].name));
        call["output"] = json!(format!("{number}.npy"));
        call["call"] = json!(case.call);
        call
    });
    let list = Value::from(list.collect::<Vec<_>>());
    fs::write(folder.path().join("cases.json"), list.to_string()).expect("a list of cases");
    let script = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/reference/reference.py");
    let output = Command::new(python).arg(script).arg(folder.path()).output().expect("Python starts");
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    let load = |number: usize| {
        let bytes = fs::read(folder.path().join(format!("{number}.npy"))).expect("an array");
        npyz::NpyFile::new(&bytes[..]).expect("an array").into_vec().expect("numbers of 64 bits")
    };
    (0..cases.len()).map(load).collect()
}

/// How far the sum before the last rounding may lie from the exact one: every operation in `f32`, taps included, is off
/// by at most a unit of its result, and no result is larger than `weight · largest + 1`. With integers a sum of whole
/// taps is exact, and so is what follows it where there is no factor.
fn error(bound: Bound, input: &Input, expected: f64) -> f64 {
    match bound {
        Bound::Same => 0.0,
        Bound::Sum { whole: true, .. } if input.pixel != float() => 0.0,
        // The sums are exact; square, sum, root and the half that is added last are rounded, and the root halves what its
        // operand is off by.
        Bound::Root { .. } if input.pixel != float() => 4.0 * UNIT * (expected.abs() + 1.0),
        // A product goes through no more roundings than there are taps, and the taps, square, sum, root, factor, offset
        // and the half that is added last are the rest.
        Bound::Sum { taps, weight, .. } | Bound::Root { taps, weight } => {
            (taps + 8) as f64 * UNIT * (weight * input.largest() + 1.0)
        }
    }
}

fn check(case: &Case, found: &[f32], expected: &[f64]) {
    let input = &INPUTS[case.input];
    assert_eq!(found.len(), expected.len());
    for (i, (&found, &expected)) in found.iter().zip(expected).enumerate() {
        let found = f64::from(found);
        let error = error(case.bound, input, expected);
        let agrees = if input.pixel == float() {
            // What is left of float64 itself.
            (found - expected).abs() <= error + 1e-12
        } else {
            let peak = f64::from(input.pixel.peak());
            let cut_off = expected > peak + error;
            assert!(error < 0.25 || cut_off, "a bound of {error} allows more than one step: {}", case.chain);
            let rounded = |value: f64| (value + 0.5).floor().clamp(0.0, peak);
            (rounded(expected - error - 1e-9)..=rounded(expected + error + 1e-9)).contains(&found)
        };
        let place = [i / (input.width * input.height), i / input.width % input.height, i % input.width];
        assert!(
            agrees,
            "{} of {} is {found} at {place:?} (t, y, x), and {} gives {expected}, where {error:e} apart is allowed",
            case.chain, input.name, case.call
        );
    }
}

#[test]
fn scipy_and_opencv_agree() {
    let Some(python) = python() else { return };
    let cases = cases();
    let references = references(&python, &cases);
    let clips = INPUTS.each_ref().map(Input::clip);
    for (case, expected) in cases.iter().zip(references) {
        let input = &INPUTS[case.input];
        let format = format(input.pixel, input.width, input.height);
        let found = run(&case.chain, &format, &clips[case.input]);
        let found: Vec<f32> = found.into_iter().flat_map(|mut planes| planes.remove(0)).collect();
        check(case, &found, &expected);
    }
}
