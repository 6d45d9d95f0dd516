//! The advice for filters that only FFmpeg has: its command is run, and keeps what the clip has.

use std::env;

use crate::program::{Bench, binary};

/// A clip with three sounds, subtitles, a font, chapters and tags of HDR.
fn clip() -> Bench {
    let bench = Bench::new();
    std::fs::write(bench.path("s.srt"), "1\n00:00:00,100 --> 00:00:00,300\nHello\n").unwrap();
    std::fs::write(bench.path("font.ttf"), [0; 64]).unwrap();
    std::fs::write(bench.path("meta"), ";FFMETADATA1\ntitle=Bars\n[CHAPTER]\nTIMEBASE=1/10\nSTART=0\nEND=2\n").unwrap();
    let sound = ["-f", "lavfi", "-i", "sine=d=0.4"];
    let inputs = [&["-f", "lavfi", "-i", "testsrc2=s=64x36:r=25:d=0.4"][..], &sound, &sound, &sound].concat();
    let maps = "-i s.srt -i meta -map 0 -map 1 -map 2 -map 3 -map 4 -map_metadata 5 -attach font.ttf \
                -metadata:s:t mimetype=application/x-truetype-font -pix_fmt yuv420p10le -c:v libx264 \
                -color_trc smpte2084 -color_primaries bt2020 -colorspace bt2020nc in.mkv";
    bench.ffmpeg(&[&inputs[..], &maps.split_whitespace().collect::<Vec<_>>()].concat());
    bench
}

#[test]
fn the_command_for_a_filter_of_ffmpegs_keeps_streams_and_tags() {
    let bench = clip();
    let program = binary().parent().unwrap().to_str().unwrap().to_owned();
    for (chain, size) in [
        ("v360=flat:flat:w=32:h=18", "32x18"),
        ("v360=flat:flat:w=32:h=18,sobel", "32x18"),
        ("v360=input='flat':output=flat:w=96:h=54", "96x54"),
    ] {
        let refused = bench.warpreel(&["in.mkv", "out.mkv", "-f", chain]);
        let said = String::from_utf8(refused.stderr).unwrap();
        let line = said.lines().next().unwrap();
        let command = line.split_once("use FFmpeg first: ").expect(line).1;
        let command = command.replace(" -f …", "") + " -y -f box";
        let script = format!("export PATH='{program}:{}'\nset -euo pipefail\n{command}", env::var("PATH").unwrap());
        let done = bench.run("bash", &["-c", &script], b"");
        assert!(done.status.success(), "{script}: {}", String::from_utf8_lossy(&done.stderr));
        let fields =
            "stream=codec_type,pix_fmt,width,height,color_transfer,color_primaries:format_tags=title:chapter=id";
        let ask = ["-v", "error", "-show_entries", fields, "-show_chapters", "-of", "compact", "out.mkv"];
        let found = String::from_utf8(bench.run("ffprobe", &ask, b"").stdout).unwrap();
        let count = |wanted: &str| found.lines().filter(|line| line.contains(wanted)).count();
        let (width, height) = size.split_once('x').unwrap();
        assert_eq!(count(&format!("width={width}|height={height}|pix_fmt=yuv420p10le")), 1, "{chain}: {found}");
        assert_eq!(count("color_transfer=smpte2084"), 1, "{chain}: {found}");
        for (kind, number) in [("audio", 3), ("subtitle", 1), ("attachment", 1), ("video", 1)] {
            assert_eq!(count(&format!("codec_type={kind}")), number, "{chain}: {found}");
        }
        assert!(count("title=Bars") == 1 && count("chapter|") == 1, "{chain}: {found}");
    }
}

/// Matroska does not hold the subtitles of mp4 as they are.
#[test]
fn the_command_keeps_the_subtitles_of_mp4() {
    let bench = clip();
    let program = binary().parent().unwrap().to_str().unwrap().to_owned();
    let maps = ["-map", "0:v", "-map", "0:a:0", "-map", "0:s", "-c", "copy", "-c:s", "mov_text"];
    bench.ffmpeg(&[&["-i", "in.mkv"][..], &maps, &["in.mp4"]].concat());
    let refused = bench.warpreel(&["in.mp4", "out.mkv", "-f", "v360=flat:flat:w=32:h=18"]);
    let said = String::from_utf8(refused.stderr).unwrap();
    let command = said.lines().next().unwrap().split_once("use FFmpeg first: ").expect(&said).1;
    let command = command.replace(" IN ", " in.mp4 ").replace(" OUT -f …", " out.mkv -y -f box");
    let script = format!("export PATH='{program}:{}'\nset -euo pipefail\n{command}", env::var("PATH").unwrap());
    let done = bench.run("bash", &["-c", &script], b"");
    assert!(done.status.success(), "{script}: {}", String::from_utf8_lossy(&done.stderr));
    let ask = ["-v", "error", "-show_entries", "stream=codec_name", "-of", "csv=p=0", "out.mkv"];
    let found = String::from_utf8(bench.run("ffprobe", &ask, b"").stdout).unwrap();
    let subtitles: Vec<_> = found.lines().filter(|line| line.contains("subrip")).collect();
    assert_eq!((found.lines().count(), subtitles.len()), (3, 1), "{found}");
}
