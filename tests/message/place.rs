//! Inputs and outputs that cannot be meant: terminals, `/dev/null`, raw frames, files that do not stream, pictures.

use std::process::Stdio;

use crate::program::{binary, sample};

use super::bench;

#[test]
fn dev_null_is_answered() {
    let bench = bench();
    let line = bench.fail(&["/dev/null", "null:"]);
    assert_eq!(line, "error: \"/dev/null\" is empty; name a clip, or pipe one in");
    let line = bench.refuse(&["in.y4m", "/dev/null"]);
    assert!(line.contains("type null: for /dev/null"), "{line}");
    bench.pass(&["in.y4m", "/dev/null", "--container", "raw"]);
}

#[test]
fn a_clip_that_is_not_there_leads_to_one_that_is() {
    let bench = bench();
    let line = bench.fail(&["im.y4m", "null:"]);
    assert_eq!(line, "error: open \"im.y4m\": there is no such file; did you mean \"in.y4m\"?");
    let line = bench.fail(&["holiday.mov", "null:"]);
    assert_eq!(line, "error: open \"holiday.mov\": there is no such file; list the folder with: ls .");
    let line = bench.fail(&["nowhere/holiday.mov", "null:"]);
    assert!(line.ends_with("there is no folder \"nowhere\"; name a file that exists"), "{line}");
}

#[test]
fn a_folder_as_output_leads_to_the_option_for_it() {
    let bench = bench();
    std::fs::create_dir(bench.path("there")).unwrap();
    for folder in ["there", "there/", "nowhere/"] {
        let line = bench.fail(&["in.y4m", folder]);
        assert!(line.ends_with(&format!("is a folder; to keep the input's name in it, type -o {folder}")), "{line}");
    }
}

#[test]
fn raw_frames_without_their_format_are_asked_for_it() {
    let bench = bench();
    std::fs::write(bench.path("frames.yuv"), [0; 4096]).unwrap();
    let line = bench.refuse(&["frames.yuv", "null:"]);
    assert!(line.contains("raw frames need --raw FORMAT:WxH@FPS, as --raw yuv420p:1280x720@25"), "{line}");
    bench.pass(&["frames.yuv", "null:", "--raw", "gray:64x64@25"]);
    std::fs::copy(bench.path("in.y4m"), bench.path("in.yuv")).unwrap();
    bench.pass(&["in.yuv", "null:"]);
    let output = bench.run(binary(), &["-", "null:"], &[7; 4096]);
    let stderr = String::from_utf8(output.stderr).unwrap();
    assert!(stderr.contains("raw frames need --raw FORMAT:WxH@FPS"), "{stderr}");
}

#[test]
fn an_mp4_with_its_index_at_the_end_is_told_from_raw_frames() {
    let bench = bench();
    let clip = sample("bigbuckbunny-720p.mp4");
    bench.ffmpeg(&["-i", clip.to_str().unwrap(), "-c", "copy", "late.mp4"]);
    let bytes = std::fs::read(bench.path("late.mp4")).unwrap();
    let output = bench.run(binary(), &["-", "null:", "--frames", "1"], &bytes);
    let stderr = String::from_utf8(output.stderr).unwrap();
    assert_eq!(output.status.code(), Some(1), "{stderr}");
    assert!(stderr.contains("with its index at the end cannot be read from a pipe: name the file"), "{stderr}");
}

#[test]
fn a_large_gif_is_read_from_a_file() {
    let bench = bench();
    bench.ffmpeg(&["-f", "lavfi", "-i", "testsrc2=s=160x90:r=25:d=3,noise=alls=8:allf=t", "in.gif"]);
    let bytes = std::fs::read(bench.path("in.gif")).unwrap();
    let output = bench.run(binary(), &["-", "null:"], &bytes);
    let stderr = String::from_utf8(output.stderr).unwrap();
    assert!(
        !output.status.success() && stderr.contains("only small GIFs from a pipe; name the file instead"),
        "{stderr}"
    );
    bench.pass(&["in.gif", "null:"]);
}

#[test]
fn a_terminal_is_no_clip() {
    let Ok(program) = std::process::Command::new("script").arg("--version").stdout(Stdio::null()).status() else {
        return;
    };
    assert!(program.success());
    let command = format!("{} - null:", binary().display());
    // Where the terminal is waited for, the time runs out.
    let output = bench().run("timeout", &["20", "script", "-qec", &command, "/dev/null"], b"");
    let told = String::from_utf8(output.stdout).unwrap();
    assert!(told.contains("stdin is a terminal; name a clip, or pipe one in"), "{told}");
    assert_eq!(output.status.code(), Some(2), "{told}");
}

#[test]
fn a_picture_of_another_kind_is_refused() {
    let bench = bench();
    let line = bench.refuse(&["filters", "gaussian", "--svg", "k.png"]);
    assert_eq!(
        line,
        "error: --svg does not write png files; type --svg k.svg, then convert it: rsvg-convert k.svg -o k.png"
    );
    assert!(!bench.path("k.png").exists());
    bench.pass(&["filters", "gaussian", "--svg", "k.svg"]);
}

/// The full reason stands in `doctor` and with `-v`.
#[test]
fn the_reason_for_the_cpu_takes_four_words() {
    let bench = bench();
    let told = |arguments: &[&str]| {
        let stderr = String::from_utf8(bench.warpreel(arguments).stderr).unwrap();
        stderr.lines().find(|line| line.contains("filtered by")).unwrap().to_owned()
    };
    let (brief, full) = (told(&["in.y4m", "null:", "-f", "box"]), told(&["in.y4m", "null:", "-f", "box", "-v"]));
    if brief.contains("filtered by cpu") {
        assert!(brief.ends_with(" (no GPU; see -v)") && brief.len() <= 80, "{brief}");
        assert!(full.len() > brief.len() && !full.contains("see -v"), "{full}");
        let doctor = String::from_utf8(bench.pass(&["doctor"])).unwrap();
        assert!(doctor.contains("; install it"), "{doctor}");
    }
    assert!(told(&["in.y4m", "null:"]).ends_with("(nothing to filter)"));
    assert!(told(&["in.y4m", "null:", "-f", "scale=-1:0"]).ends_with("(scale=-1:0 changes nothing)"));
}

/// Folders, patterns of shells and numbers that are not there lead to the sequence that is.
#[test]
fn several_images_lead_to_their_sequence() {
    let bench = bench();
    for (folder, start) in [("jpg", "1234"), ("gap", "10")] {
        std::fs::create_dir(bench.path(folder)).unwrap();
        let name = format!("{folder}/IMG_%d.JPG");
        bench.ffmpeg(&["-f", "lavfi", "-i", "testsrc=s=64x48", "-frames:v", "5", "-start_number", start, &name]);
    }
    std::fs::remove_file(bench.path("gap/IMG_12.JPG")).unwrap();
    let whole = "type warpreel jpg/IMG_%d.JPG null: (5 images, 1234 to 1238)";
    let broken = "type warpreel gap/IMG_%d.JPG null: --conceal (4 images, 10 to 14, where 12 is missing";
    for (typed, advice) in [
        ("jpg", whole),
        ("jpg/*.JPG", whole),
        ("jpg/IMG_*.JPG", whole),
        ("jpg/IMG_123?.JPG", whole),
        ("jpg/IMG_%06d.JPG", whole),
        ("gap", broken),
        ("gap/*", broken),
    ] {
        let said = bench.fail(&[typed, "null:"]);
        assert!(said.contains(advice), "{typed}: {said}");
    }
    // What is advised works.
    bench.pass(&["jpg/IMG_%d.JPG", "null:"]);
    let output = bench.warpreel(&["gap/IMG_%d.JPG", "null:", "--conceal"]);
    let said = String::from_utf8(output.stderr).unwrap();
    assert!(said.contains("5 frames") && said.contains("are missing"), "{said}");
    assert!(bench.fail(&["gap/IMG_%d.JPG", "null:"]).contains("or --conceal to repeat the image before"));
    let named: Vec<String> = (1234..1239).map(|number| format!("jpg/IMG_{number}.JPG")).collect();
    let named: Vec<&str> = named.iter().map(String::as_str).chain(["out.mkv"]).collect();
    let said = bench.refuse(&named);
    assert!(said.contains("5 images are one sequence; type warpreel jpg/IMG_%d.JPG out.mkv"), "{said}");
    assert!(bench.fail(&["jpg"]).ends_with("type warpreel jpg/IMG_%d.JPG (5 images, 1234 to 1238)"));
    std::fs::create_dir(bench.path("my clips")).unwrap();
    assert!(bench.fail(&["my clips", "null:"]).ends_with("is a folder without numbered images; name a clip"));
    for name in ["my clips/one.mkv", "my clips/two.mkv"] {
        bench.ffmpeg(&["-f", "lavfi", "-i", "testsrc=s=64x48:d=0.2", name]);
    }
    std::fs::write(bench.path("my clips/about.txt"), "text").unwrap();
    let said = bench.fail(&["my clips", "null:"]);
    let (_, typed) = said.split_once("type warpreel ").unwrap();
    assert_eq!(typed, "\"my clips\" OUTDIR/");
    let output = bench.run("sh", &["-c", &format!("{} {typed}", crate::program::binary().to_str().unwrap())], b"");
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    assert!(bench.path("OUTDIR/one.mkv").exists() && bench.path("OUTDIR/two.mkv").exists());
    assert!(bench.fail(&["*.gif", "null:"]).contains("no numbered images fit \"*.gif\""));
}

#[test]
fn a_still_has_no_rate() {
    let bench = bench();
    bench.ffmpeg(&["-f", "lavfi", "-i", "testsrc=s=64x48", "-frames:v", "1", "in.png"]);
    let output = bench.warpreel(&["in.png", "out.jpg", "-f", "box"]);
    let said = String::from_utf8(output.stderr).unwrap();
    assert!(output.status.success() && !said.contains("fps") && said.contains("1 frame in "), "{said}");
    assert!(!said.to_lowercase().contains("audio") && !said.contains("sound"), "{said}");
}

#[test]
fn a_file_alone_is_described() {
    let bench = bench();
    let clip = sample("bigbuckbunny-720p.mp4");
    let told = |arguments: &[&str]| String::from_utf8(bench.pass(arguments)).unwrap();
    let said = told(&[clip.to_str().unwrap()]);
    for fact in [
        "132 frames, 5.28 s",
        "yuv420p 1280x720 at 25 fps, limited range",
        "stream 1 (audio, aac)",
        "  noise ",
        "  cuts ",
        "Three things to do with it:",
    ] {
        assert!(said.contains(fact), "{fact}: {said}");
    }
    assert_eq!(said.lines().filter(|line| line.trim_start().starts_with("warpreel ")).count(), 3, "{said}");
    bench.ffmpeg(&["-f", "lavfi", "-i", "testsrc=s=64x48", "-frames:v", "1", "still.png"]);
    let said = told(&["still.png"]);
    assert!(said.contains("warpreel still.png out.png -f unsharp") && !said.contains("fps"), "{said}");
    // Noise, fields and a cut, each with what to do about it.
    let noisy = "testsrc2=s=320x240:r=25:d=1,noise=alls=20:allf=t";
    let other = "color=gray:s=320x240:r=25:d=1,noise=alls=20:allf=t";
    bench.ffmpeg(&[
        "-f",
        "lavfi",
        "-i",
        noisy,
        "-f",
        "lavfi",
        "-i",
        other,
        "-filter_complex",
        "concat=n=2,fieldorder=tff,setfield=tff",
        "-flags",
        "+ildct+ilme",
        "-c:v",
        "ffv1",
        "-field_order",
        "tt",
        "tape.mkv",
    ]);
    let said = told(&["tape.mkv"]);
    assert!(said.contains("interlaced, top field first") && said.contains("-f bwdif=mode=send_frame"), "{said}");
    assert!(said.contains("strong (") && said.contains("tape.mkv out.mkv -f denoise"), "{said}");
    assert!(said.contains("1: at 1.00 s"), "{said}");
    // What colours mean, and times.
    let said = told(&[sample("ten-bit.mp4").to_str().unwrap()]);
    assert!(said.contains("HDR10 (PQ)") && said.contains("-f sdr") && said.contains("(video, hevc)"), "{said}");
    let said = told(&[sample("variable-rate.mkv").to_str().unwrap()]);
    assert!(said.contains("52 frames, 2.00 s") && said.contains(", at uneven times,"), "{said}");
    assert!(said.contains("-f fps=25"), "{said}");
    assert!(told(&[sample("one-frame.mp4").to_str().unwrap()]).contains(": 1 frame, "));
    assert!(told(&[sample("logo.png").to_str().unwrap()]).contains("with opacity"));
    assert!(bench.fail(&["nosuch.mp4"]).contains("nosuch.mp4"));
    assert!(!bench.path("out.mkv").exists());
}
