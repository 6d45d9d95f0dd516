//! Which outputs have the limit of a plain pipe: those that the job writes as samples, by whatever name.

use std::fs::OpenOptions;
use std::io::{Read, Write};
use std::process::{Command, Stdio};

use warpreel::bench::bound::{Pipes, decoding_faults, pipes};
use warpreel::bench::partner::PartnerWatch;
use warpreel::bench::schema::DecodeRate;
use warpreel::bench::statistic::Estimate;
use warpreel::job::{Encoding, OutputKind, Request};

use crate::program::Bench;

#[test]
fn every_plain_output_into_a_pipe_is_held_against_one() {
    let folder = Bench::new();
    for (name, container, wanted) in [
        ("a.y4m", None, OutputKind::Y4m),
        ("b.Y4M", None, OutputKind::Y4m),
        ("c.yuv", None, OutputKind::Raw),
        ("d.raw", None, OutputKind::Raw),
        ("e.rgb", None, OutputKind::Raw),
        ("f.gray", None, OutputKind::Raw),
        ("g", Some("y4m"), OutputKind::Y4m),
        ("h", Some("yuv4mpegpipe"), OutputKind::Y4m),
        ("i", Some("raw"), OutputKind::Raw),
        ("j", Some("rawvideo"), OutputKind::Raw),
        ("k.mkv", None, OutputKind::Container),
        ("l.y4m", Some("nut"), OutputKind::Container),
    ] {
        let path = folder.path(name);
        assert!(Command::new("mkfifo").arg(&path).status().expect("mkfifo").success());
        let encoding = Encoding { container: container.map(str::to_owned), ..Encoding::default() };
        let request = Request { output: path.display().to_string(), encoding, ..Request::default() };
        assert_eq!(request.kind(), wanted, "{name}, {container:?}");
        let piped = Pipes { input: false, output: wanted.is_plain() };
        assert_eq!(pipes(&request, false), piped, "{name}, {container:?}");
        let file = Request { output: folder.path(&format!("file-{name}")).display().to_string(), ..request };
        assert_eq!(pipes(&file, false), Pipes::default(), "{name} is no pipe");
    }
    for (output, wanted) in [("null:", OutputKind::Null), ("hash:", OutputKind::Hash), ("hash:a.y4m", OutputKind::Hash)]
    {
        let request = Request { output: output.to_owned(), ..Request::default() };
        assert_eq!((request.kind(), pipes(&request, false)), (wanted, Pipes::default()), "{output}");
    }
}

/// A program that reads the output belongs to the job: what it uses of the cores is counted.
#[test]
fn a_reader_at_the_other_end_is_no_other_program() {
    let folder = Bench::new();
    let pipe = folder.path("out.y4m");
    assert!(Command::new("mkfifo").arg(&pipe).status().expect("mkfifo").success());
    // It works only when it is asked to, says when it has, and stays until the pipe ends.
    let work = "exec 3<\"$0\"; read ask <&3; i=0; while [ $i -lt 400000 ]; do i=$((i + 1)); done; echo; cat <&3";
    let mut reader = Command::new("sh").args(["-c", work]).arg(&pipe).stdout(Stdio::piped()).spawn().expect("a shell");
    let mut writer = OpenOptions::new().write(true).open(&pipe).expect("a reader");
    let watch = PartnerWatch::start(&Request { output: pipe.display().to_string(), ..Request::default() });
    writer.write_all(b"go\n").expect("a reader");
    reader.stdout.as_mut().expect("a pipe").read_exact(&mut [0]).expect("a word");
    let used_s = watch.finish();
    drop(writer);
    assert!(reader.wait().expect("an end").success());
    assert!(used_s > 0.0, "{used_s} s were seen");
    let none = PartnerWatch::start(&Request { output: "null:".to_owned(), ..Request::default() });
    assert_eq!(none.finish(), 0.0, "without a pipe nobody is at its other end");
}

#[test]
fn decoding_above_its_limit_is_pointed_out() {
    let rate = |share| DecodeRate {
        decoder: "software".to_owned(),
        lanes: 2,
        fps: Estimate::default(),
        apart_fps: Estimate::default(),
        share,
    };
    let faults = decoding_faults(&[rate(0.9), rate(1.04), rate(1.12)]);
    assert!(faults.len() == 1 && faults[0].starts_with("decoding (software, lanes: 2) reaches 112 %"), "{faults:?}");
}
