//! What an address cannot do is refused in one line, before anything is opened.

use super::bench;

const INPUT: &str = "udp://127.0.0.1:9";

#[test]
fn what_needs_a_file_is_refused() {
    let bench = bench();
    for (arguments, said) in [
        (&[INPUT, "out.mkv", "--start", "2"][..], "--start does not go with"),
        (&[INPUT, "out.mkv", "--chunk", "1/2"], "--chunk does not go with"),
        (&[INPUT, "out.mkv", "--chunks-from", "a%d.nut"], "--chunks-from does not go with"),
        (&[INPUT, "out.mkv", "--gpus", "0,1"], "--gpus does not go with"),
        (&[INPUT, "out.mkv", "--raw", "gray:8x8@25"], "--raw does not go with"),
        (&[INPUT, "out.mkv", "--resume"], "a stream cannot be continued"),
        (&["clip.ts", INPUT, "--resume"], "a stream cannot be continued"),
        (&["clip.ts", INPUT, "--container", "y4m"], "takes a container"),
        (&["clip.ts", INPUT, "--chunk", "1/2"], "--chunk makes a file"),
        (&[INPUT, "-o", "out"], "is a stream"),
        (&[INPUT, "clip.ts", "-o", "out", "--jobs", "2"], "is a stream"),
        (&["preview", INPUT], "is a stream"),
        (&["metrics", INPUT, "clip.ts"], "is a stream"),
        (&["bench", INPUT], "is a stream"),
        (&["explain", INPUT], "is a stream"),
        (&[INPUT], "is a stream"),
    ] {
        let line = bench.refuse(arguments);
        assert!(line.contains(said), "{arguments:?}: {line}");
    }
    assert_eq!(bench.names(), ["clip.ts"]);
}

#[test]
fn options_for_addresses_need_one() {
    let bench = bench();
    for (arguments, option) in [
        (&["clip.ts", "null:", "--timeout", "3s"][..], "--timeout"),
        (&["clip.ts", "null:", "--reconnect", "3"], "--reconnect"),
        (&["clip.ts", INPUT, "--reconnect", "3"], "--reconnect"),
        (&["clip.ts", INPUT, "--drop-late"], "--drop-late"),
    ] {
        let line = bench.refuse(arguments);
        assert!(line.contains(&format!("{option} has no effect")), "{arguments:?}: {line}");
    }
    for wrong in ["0", "soon", "-1"] {
        let line = bench.refuse(&[INPUT, "null:", &format!("--timeout={wrong}")]);
        assert!(line.contains("--timeout"), "{line}");
    }
}

#[test]
fn cameras_and_screens_lead_to_a_pipe() {
    let bench = bench();
    for (name, device) in
        [("/dev/video97", "-f v4l2 -i /dev/video97"), (":0.0", "-f x11grab -i :0.0"), ("x11grab", "-f x11grab -i :0.0")]
    {
        let line = bench.refuse(&[name, "null:"]);
        assert!(line.contains(&format!("ffmpeg {device} -c copy -f nut - | warpreel -")), "{line}");
    }
}

#[test]
fn a_job_that_is_only_explained_connects_to_nothing() {
    let bench = bench();
    for to in ["tcp://127.0.0.1:9", "rtmp://127.0.0.1:9/a", "rtsp://127.0.0.1:9/a", "http://127.0.0.1:9/a.mkv"] {
        let text = String::from_utf8(bench.pass(&["explain", "clip.ts", to])).unwrap();
        assert!(text.contains("96x64"), "{text}");
    }
}
