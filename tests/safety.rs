//! What others wrote, files, names and streams, opens nothing, shows nothing and changes nothing but what the user named.

use std::fs::{self, File};
use std::os::unix::fs::{PermissionsExt, symlink};
use std::process::{Command, Output, Stdio};

use crate::program::{Bench, binary, ended, sample};

const SDP: &str = "v=0\r\no=- 0 0 IN IP4 127.0.0.1\r\ns=x\r\nc=IN IP4 127.0.0.1\r\nt=0 0\r\nm=video 45678 RTP/AVP 96\r\n\
                   a=rtpmap:96 H264/90000\r\n";

/// A folder with a small clip.
fn bench() -> Bench {
    let bench = Bench::new();
    let frames: Vec<u8> = (0..4).flat_map(|n| [&b"FRAME\n"[..], &[40 * n; 4096]].concat()).collect();
    fs::write(bench.path("in.y4m"), [&b"YUV4MPEG2 W64 H64 F25:1 Ip A1:1 Cmono\n"[..], &frames].concat()).unwrap();
    bench
}

/// Runs the program with a file on its stdin.
fn piped(bench: &Bench, file: &str, arguments: &[&str]) -> Output {
    let mut program = Command::new(binary());
    program.args(arguments).current_dir(bench.path("")).stdin(File::open(bench.path(file)).unwrap());
    ended(program.stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap(), file)
}

#[test]
fn content_opens_no_sockets_and_no_other_files() {
    let bench = bench();
    fs::copy(sample("odd-size.mkv"), bench.path("clip.mkv")).unwrap();
    let list = "ffconcat version 1.0\nfile clip.mkv\nfile clip.mkv\n";
    let hls = "#EXTM3U\n#EXT-X-TARGETDURATION:1\n#EXTINF:1,\nclip.mkv\n#EXT-X-ENDLIST\n";
    let vobsub =
        "# VobSub index file, v7\nsize: 720x576\nid: en, index: 0\ntimestamp: 00:00:01:000, filepos: 000000000\n";
    for (content, names) in [
        (SDP, &["a.sdp", "a.mp4", "a"][..]),
        (list, &["list.txt", "list.mkv", "list"]),
        (hls, &["a.m3u8", "a.ts"]),
        (vobsub, &["a.idx"]),
    ] {
        for name in names {
            fs::write(bench.path(name), content).unwrap();
            let direct = bench.watched(&[name, "null:"]);
            for (output, how) in [(direct, "named"), (piped(&bench, name, &["-", "null:"]), "piped")] {
                let stderr = String::from_utf8(output.stderr).unwrap();
                assert_eq!(output.status.code(), Some(1), "{name} {how}: {stderr}");
                let reasons = ["it names other files", "it is a playlist", "it describes streams of other hosts"];
                assert!(reasons.iter().any(|reason| stderr.contains(reason)), "{name} {how}: {stderr}");
            }
        }
    }
    // A list by its own name is what the user wants to be opened, and that is said.
    fs::write(bench.path("list.ffconcat"), list).unwrap();
    let output = bench.watched(&["list.ffconcat", "null:"]);
    let stderr = String::from_utf8(output.stderr).unwrap();
    assert!(output.status.success() && stderr.contains("is a list of files"), "{stderr}");
    let through_pipe = piped(&bench, "list.ffconcat", &["-", "null:"]);
    assert_eq!(through_pipe.status.code(), Some(1));
}

/// Names are shown with their control characters spelt out, so that they write to no terminal and begin no line.
#[test]
fn names_write_to_no_terminal() {
    let bench = bench();
    let name = "a\x1b[31m\x07\nerror: nothing is wrong.y4m";
    fs::copy(bench.path("in.y4m"), bench.path(name)).unwrap();
    let out = format!("out{name}");
    for arguments in [
        &[name, &out, "-v"][..],
        &[name, "null:", "--progress", "json"],
        &[name, "in.y4m", "-o", "out", "-f", "invert"],
        &["explain", name, "new.y4m"],
        &[name, "null:", "-f", "mask\x1b[0m"],
        &[name, "null:", "-f", "invert=mask=no\x1b]0;title\x07.png"],
        &["missing\x1b[2J.y4m", "null:"],
    ] {
        let output = bench.watched(arguments);
        for said in [&output.stdout, &output.stderr] {
            let said = String::from_utf8_lossy(said);
            assert!(!said.contains(['\x1b', '\x07']), "{arguments:?}: {said:?}");
            assert!(!said.lines().any(|line| line.starts_with("error: nothing")), "{arguments:?}: {said:?}");
        }
    }
}

#[test]
fn files_that_are_no_kernels_are_not_shown() {
    let bench = bench();
    for name in ["shadow", "shadow.txt", "shadow.csv", "shadow.json", "shadow.npy"] {
        fs::write(bench.path(name), "root:secret:19000:0:99999:7:::\n").unwrap();
        for chain in [format!("kernel=file={name}"), format!("lut={name}"), format!("kernel={name}")] {
            let output = bench.watched(&["in.y4m", "null:", "-f", &chain]);
            let stderr = String::from_utf8_lossy(&output.stderr);
            assert!(!output.status.success() && !stderr.contains("secret"), "{chain}: {stderr}");
        }
    }
}

#[test]
fn a_replaced_file_gives_no_rights_away() {
    let bench = bench();
    let out = bench.path("out.y4m");
    fs::write(&out, "").unwrap();
    fs::set_permissions(&out, fs::Permissions::from_mode(0o6755)).unwrap();
    bench.pass(&["in.y4m", "out.y4m", "-y"]);
    assert_eq!(out.metadata().unwrap().permissions().mode() & 0o7777, 0o755);
}

#[test]
fn a_link_to_nothing_is_followed_with_y_alone() {
    let bench = bench();
    symlink("elsewhere.y4m", bench.path("out.y4m")).unwrap();
    let line = bench.fail(&["in.y4m", "out.y4m"]);
    assert!(line.contains("it is a link to \"elsewhere.y4m\", where there is no file; add -y"), "{line}");
    assert_eq!(bench.names(), ["in.y4m", "out.y4m"]);
    bench.pass(&["in.y4m", "out.y4m", "-y"]);
    assert_eq!(fs::read(bench.path("elsewhere.y4m")).unwrap(), fs::read(bench.path("in.y4m")).unwrap());
}

/// The system sends a signal that would end the program, and its temporary files would stay.
#[test]
fn files_beyond_their_largest_size_are_an_error() {
    let bench = bench();
    for name in ["out.y4m", "out.raw", "out.mkv"] {
        let command = format!("ulimit -f 1; exec '{}' in.y4m {name} --lossless", binary().display());
        let command = if name == "out.mkv" { command } else { command.replace(" --lossless", "") };
        let mut shell = Command::new("sh");
        shell.args(["-c", &command]).current_dir(bench.path("")).stdin(Stdio::null());
        let output = ended(shell.stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap(), name);
        let stderr = String::from_utf8(output.stderr).unwrap();
        assert_eq!(output.status.code(), Some(1), "{name}: {}: {stderr}", output.status);
        assert!(stderr.contains(name) && stderr.to_lowercase().contains("too large"), "{name}: {stderr}");
        assert_eq!(bench.names(), ["in.y4m"], "{name}");
    }
}
