//! What `metrics` answers where clips do not fit each other.

use std::fs;

use super::grey;
use crate::program::{Bench, sample};

/// Clips of grey frames in files.
fn clips(bench: &Bench, clips: &[(&str, (usize, usize), &[u8])]) {
    for (name, size, samples) in clips {
        fs::write(bench.path(name), grey(*size, samples)).unwrap();
    }
}

#[test]
fn other_sizes_formats_and_rates_are_errors_that_say_what_to_type() {
    let bench = Bench::new();
    clips(&bench, &[("a.y4m", (32, 16), &[1, 2]), ("b.y4m", (16, 16), &[1, 2])]);
    let error = bench.fail(&["metrics", "a.y4m", "b.y4m"]);
    let wanted = "a.y4m has frames of 32x16 and b.y4m of 16x16; \
                  type warpreel b.y4m - -f scale=32:16 | warpreel metrics a.y4m -";
    assert_eq!(error, format!("error: {wanted}"));

    let header = |head: &str, bytes: usize| [head.as_bytes(), b"\nFRAME\n", &vec![0; bytes]].concat();
    fs::write(bench.path("c.y4m"), header("YUV4MPEG2 W32 H16 F25:1 C420jpeg", 32 * 16 * 3 / 2)).unwrap();
    let error = bench.fail(&["metrics", "a.y4m", "c.y4m"]);
    assert!(
        error.contains("a.y4m has gray frames and c.y4m yuv420p frames; type ffmpeg -i c.y4m -pix_fmt gray"),
        "{error}"
    );

    fs::write(bench.path("d.y4m"), header("YUV4MPEG2 W32 H16 F30:1 Cmono", 32 * 16)).unwrap();
    let error = bench.fail(&["metrics", "a.y4m", "d.y4m"]);
    let wanted = "a.y4m has 25 fps and d.y4m 30 fps; type warpreel d.y4m - -f fps=25 | warpreel metrics a.y4m -";
    assert_eq!(error, format!("error: {wanted}"));
}

/// The commands that errors name do what they promise.
#[cfg(unix)]
#[test]
fn the_commands_of_the_errors_work() {
    let bench = Bench::new();
    bench.ffmpeg(&["-f", "lavfi", "-i", "testsrc=size=64x48:rate=25:duration=1", "-pix_fmt", "yuv420p", "a.mkv"]);
    bench.ffmpeg(&["-f", "lavfi", "-i", "testsrc=size=32x24:rate=25:duration=1", "-pix_fmt", "yuv420p", "small.mkv"]);
    bench.ffmpeg(&["-f", "lavfi", "-i", "testsrc=size=64x48:rate=50:duration=1", "-pix_fmt", "yuv420p", "fast.mkv"]);
    bench.ffmpeg(&[
        "-f",
        "lavfi",
        "-i",
        "testsrc=size=64x48:rate=25:duration=1",
        "-pix_fmt",
        "yuv444p10le",
        "deep.mkv",
    ]);
    for name in ["small.mkv", "fast.mkv", "deep.mkv"] {
        let error = bench.fail(&["metrics", "a.mkv", name]);
        let (_, command) = error.split_once("type ").unwrap_or_else(|| panic!("{error}"));
        let program = crate::program::binary();
        let command = command.replace("warpreel", program.to_str().unwrap());
        let output = bench.run("sh", &["-c", &command], b"");
        let said = String::from_utf8_lossy(&output.stdout).into_owned() + &String::from_utf8_lossy(&output.stderr);
        assert!(output.status.success() && said.contains("25 frames"), "{command}: {said}");
    }
}

#[test]
fn a_clip_that_ends_early_is_an_error_and_leaves_no_report() {
    let bench = Bench::new();
    clips(&bench, &[("a.y4m", (16, 16), &[1, 2, 3, 4]), ("b.y4m", (16, 16), &[1, 2, 3]), ("none.y4m", (16, 16), &[])]);
    for (arguments, ended, other) in [(["a.y4m", "b.y4m"], "b.y4m", "a.y4m"), (["b.y4m", "a.y4m"], "b.y4m", "a.y4m")] {
        let error = bench.fail(&[&["metrics"], &arguments[..], &["--json", "out.jsonl", "--csv", "out.csv"]].concat());
        assert!(error.contains(&format!("{ended:?} ends after 3 frames, and {other:?} does not")), "{error}");
        assert!(error.contains("--frames 3"), "{error}");
    }
    assert_eq!(bench.names(), ["a.y4m", "b.y4m", "none.y4m"]);
    bench.pass(&["metrics", "a.y4m", "b.y4m", "--frames", "3"]);
    let error = bench.fail(&["metrics", "a.y4m", "none.y4m"]);
    assert!(error.contains("none.y4m"), "{error}");
    let error = bench.fail(&["metrics", "none.y4m", "none.y4m"]);
    assert!(error.contains("none.y4m"), "{error}");
}

#[test]
fn a_damaged_clip_is_an_error_that_names_it() {
    let bench = Bench::new();
    clips(&bench, &[("a.y4m", (16, 16), &[1, 2, 3])]);
    let whole = fs::read(bench.path("a.y4m")).unwrap();
    fs::write(bench.path("cut.y4m"), &whole[..whole.len() - 100]).unwrap();
    let error = bench.fail(&["metrics", "a.y4m", "cut.y4m"]);
    assert!(error.contains("cut.y4m"), "{error}");
    let error = bench.fail(&["metrics", "cut.y4m", "a.y4m"]);
    assert!(error.contains("cut.y4m"), "{error}");
    fs::write(bench.path("noise.mp4"), b"this is no clip at all").unwrap();
    let error = bench.fail(&["metrics", "a.y4m", "noise.mp4"]);
    assert!(error.contains("noise.mp4"), "{error}");
    let error = bench.fail(&["metrics", "a.y4m", "missing.mp4"]);
    assert!(error.contains("missing.mp4"), "{error}");
}

#[test]
fn what_was_typed_wrongly_is_refused() {
    let bench = Bench::new();
    clips(&bench, &[("a.y4m", (16, 16), &[1])]);
    let error = bench.refuse(&["metrics", "-", "-"]);
    assert!(error.contains("only one clip can be stdin"), "{error}");
    bench.refuse(&["metrics", "a.y4m", "a.y4m", "--chunk", "1/2"]);
    bench.refuse(&["metrics", "a.y4m"]);
    bench.refuse(&["metrics", "a.y4m", "a.y4m", "--metric", "vmaf"]);
    let error = bench.fail(&["metrics", "a.y4m", "a.y4m", "--json", "a.y4m", "-y"]);
    assert!(error.contains("would replace"), "{error}");
}

/// No machine has a GPU of this number.
#[test]
fn without_the_gpu_the_cpu_measures_or_an_error_says_what_to_type() {
    let bench = Bench::new();
    clips(&bench, &[("a.y4m", (16, 16), &[1, 2]), ("b.y4m", (16, 16), &[2, 3])]);
    let own = ["metrics", "a.y4m", "b.y4m", "--device", "4711", "-m", "psnr"];
    let error = bench.fail(&[&own[..], &["--backend", "cuda"]].concat());
    assert!(error.contains("--backend cpu") || error.contains("there is no GPU 4711"), "{error}");
    let auto = bench.warpreel(&own);
    let told = String::from_utf8_lossy(&auto.stderr);
    assert!(auto.status.success() && told.contains("measured by cpu, ") && told.contains("(no GPU; see -v)"), "{told}");
    let wordy = bench.warpreel(&[&own[..], &["-v"]].concat());
    let told = String::from_utf8_lossy(&wordy.stderr);
    assert!(told.contains("no NVIDIA driver was found") || told.contains("there is no GPU 4711"), "{told}");
    let cpu = bench.warpreel(&[&own[..], &["--backend", "cpu"]].concat());
    let told = String::from_utf8_lossy(&cpu.stderr);
    assert!(told.contains("measured by cpu, ") && !told.contains("GPU"), "{told}");
    assert_eq!(auto.stdout, cpu.stdout);
    bench.refuse(&[&own[..], &["--backend", "gpu"]].concat());
}

#[test]
fn clips_of_one_rate_that_containers_round_are_compared() {
    let bench = Bench::new();
    let sample = sample("bigbuckbunny-720p.mp4");
    let sample = sample.to_str().unwrap();
    for (name, rate) in [("a.mkv", "30000/1001"), ("b.avi", "2997/100")] {
        bench.ffmpeg(&["-r", rate, "-i", sample, "-frames:v", "6", "-s", "64x36", "-c:v", "ffv1", name]);
    }
    bench.pass(&["metrics", "a.mkv", "b.avi"]);
}

/// A pipe without an end keeps nobody.
#[test]
fn a_pipe_that_stays_open_does_not_hold_up_an_error() {
    let bench = Bench::new();
    clips(&bench, &[("a.y4m", (16, 16), &[1])]);
    let mut program = std::process::Command::new(crate::program::binary());
    program.args(["metrics", "a.y4m", "-"]).current_dir(bench.path("."));
    program.stdin(std::process::Stdio::piped()).stdout(std::process::Stdio::piped());
    let mut child = program.stderr(std::process::Stdio::piped()).spawn().unwrap();
    let mut pipe = child.stdin.take().unwrap();
    std::io::Write::write_all(&mut pipe, &grey((16, 16), &[1, 2])).unwrap();
    let output = crate::program::ended(child, "metrics");
    let said = String::from_utf8(output.stderr).unwrap();
    assert!(said.contains("\"a.y4m\" ends after 1 frames"), "{said}");
    drop(pipe);
}

#[test]
fn align_finds_the_offset_and_says_it() {
    let bench = Bench::new();
    let frames: Vec<u8> = (0..40u32).map(|n| (n * n * 37 % 251) as u8).collect();
    let near: Vec<u8> = frames.iter().map(|sample| sample ^ 1).collect();
    clips(&bench, &[("a.y4m", (32, 16), &frames[..30]), ("b.y4m", (32, 16), &near[7..])]);
    for (arguments, said, first) in [
        (["a.y4m", "b.y4m"], "\"a.y4m\" begins 7 frames (0.280 s) before \"b.y4m\"", 7),
        (["b.y4m", "a.y4m"], "\"a.y4m\" begins 7 frames (0.280 s) before \"b.y4m\"", 0),
        (["a.y4m", "a.y4m"], "begin with the same frame", 0),
    ] {
        let output = bench.warpreel(&[&["metrics", "--align", "--csv", "-", "-m", "psnr"], &arguments[..]].concat());
        let stderr = String::from_utf8(output.stderr).unwrap();
        assert!(output.status.success() && stderr.contains(said), "{arguments:?}: {stderr}");
        let text = String::from_utf8(output.stdout).unwrap();
        let rows: Vec<&str> = text.lines().skip(1).collect();
        let (count, value) = if arguments[1] == arguments[0] { (30, "inf") } else { (23, "48.130804") };
        assert_eq!(rows.len(), count, "{text}");
        assert!(rows[0].starts_with(&format!("{first},")) && rows.iter().all(|row| row.ends_with(value)), "{text}");
    }
    // Neither without it, nor of clips that have nothing in common, nor of a pipe.
    bench.fail(&["metrics", "a.y4m", "b.y4m"]);
    let other: Vec<u8> = (0..30u32).map(|n| if n % 2 == 0 { 255 } else { 0 }).collect();
    clips(&bench, &[("dark.y4m", (32, 16), &[90; 30]), ("other.y4m", (32, 16), &other)]);
    let error = bench.fail(&["metrics", "--align", "dark.y4m", "other.y4m"]);
    assert!(error.contains("not alike at any offset"), "{error}");
    let error = bench.refuse(&["metrics", "--align", "a.y4m", "-"]);
    assert!(error.contains("reads both clips twice"), "{error}");
}
