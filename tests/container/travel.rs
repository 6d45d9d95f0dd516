//! What travels with the pictures: times, cuts, sound, subtitles, chapters, tags, light, rotation.

use std::time::Duration;

use super::*;
use warpreel::frame::{FieldOrder, Range};
use warpreel::libav::Strictness;

fn show(folder: &Path, entries: &str, file: &str) -> String {
    let text = ffprobe(folder, &format!("-show_entries {entries} -of compact {file}"));
    text.split(['\n', '|']).filter(|word| !word.is_empty() && !word.contains("side_data")).collect::<Vec<_>>().join("|")
}

/// When the earliest stream begins, in seconds.
fn begin(file: &Path) -> f64 {
    let name = file.file_name().unwrap().to_str().unwrap();
    let text = ffprobe(file.parent().unwrap(), &format!("-show_entries format=start_time -of csv=p=0 {name}"));
    text.trim().parse().unwrap()
}

/// Where chapters begin and end, in seconds after the first picture.
fn chapters(file: &Path) -> Vec<[f64; 2]> {
    let first = times(file, "v")[0].0;
    let name = file.file_name().unwrap().to_str().unwrap();
    let text =
        ffprobe(file.parent().unwrap(), &format!("-show_entries chapter=start_time,end_time -of csv=p=0 {name}"));
    let moment = |text: &str| text.trim_end_matches(',').parse::<f64>().unwrap() - first;
    text.lines().filter_map(|line| line.split_once(',')).map(|(start, end)| [moment(start), moment(end)]).collect()
}

/// A quarter turn in the header of an mp4 file, whose matrix was the identity.
fn turn(file: &Path) {
    let mut bytes = std::fs::read(file).unwrap();
    let word = |number: i32| number.to_be_bytes();
    let plain = [1 << 16, 0, 0, 0, 1 << 16, 0, 0, 0, 1 << 30].map(word).concat();
    let turned = [0, 1 << 16, 0, -1 << 16, 0, 0, 0, 0, 1 << 30].map(word).concat();
    let header = bytes.windows(4).position(|window| window == b"tkhd").unwrap();
    let matrix = header + bytes[header..].windows(plain.len()).position(|window| window == plain).unwrap();
    bytes[matrix..matrix + plain.len()].copy_from_slice(&turned);
    std::fs::write(file, bytes).unwrap();
}

#[test]
fn variable_rates_keep_every_time() {
    let folder = tempfile::tempdir().unwrap();
    let path = |name: &str| folder.path().join(name);
    ffmpeg(
        folder.path(),
        "-f lavfi -i testsrc2=s=64x36:r=25:d=4 -vf settb=1/90000,setpts=N*N*40+N*1200 -fps_mode passthrough -enc_time_base 1:90000 -c:v libx264 -bf 2 -movflags negative_cts_offsets -use_editlist 0 -video_track_timescale 90000 vfr.mp4",
    );
    let moments = |name: &str| times(&path(name), "v").into_iter().map(|(pts, _)| pts).collect::<Vec<_>>();
    let expected = moments("vfr.mp4");
    assert_eq!(expected.len(), 100);
    for (name, encoding) in [
        ("a.mp4", quick()),
        ("b.mp4", Encoding { codec: Some("libx265".into()), ..quick() }),
        ("c.mp4", Encoding { codec: Some("libvpx-vp9".into()), preset: Some("8".into()), ..Encoding::default() }),
        ("d.mov", Encoding { codec: Some("prores_ks".into()), ..Encoding::default() }),
    ] {
        pass(&path("vfr.mp4"), Options::default(), &path(name), &encoding).unwrap();
        assert_eq!(expected, moments(name), "{name}");
    }
    // Matroska counts milliseconds.
    pass(&path("vfr.mp4"), Options::default(), &path("e.mkv"), &quick()).unwrap();
    for (wanted, found) in expected.iter().zip(moments("e.mkv")) {
        assert!((wanted - found).abs() <= 0.0006, "{wanted:?} {found:?}");
    }
}

#[test]
fn cuts_are_exact_and_keep_sound_in_step() {
    let folder = tempfile::tempdir().unwrap();
    let path = |name: &str| folder.path().join(name);
    let clip = "-f lavfi -i testsrc2=s=64x36:r=25:d=6 -f lavfi -i sine=d=6 -c:v libx264 -g 50 -bf 3 -c:a aac";
    for input in ["in.mp4", "in.mkv", "in.ts"] {
        ffmpeg(folder.path(), &format!("{clip} {input}"));
        let whole = sums(&framemd5(folder.path(), &format!("-i {input} -map 0:v")));
        let sound = framemd5(folder.path(), &format!("-i {input} -map 0:a -c copy -bsf:a aac_adtstoasc"));
        let sound = sums(&sound);
        let sounds: Vec<_> = times(&path(input), "a").into_iter().map(|(pts, _)| pts).collect();
        let begin = begin(&path(input));
        let moments: Vec<_> = times(&path(input), "v").into_iter().map(|(pts, _)| pts - begin).collect();
        for (start, length) in [(1.3, 2.0), (0.0, 1.0), (3.02, 1.0), (5.5, 9.0)] {
            let first = moments.iter().position(|time| *time >= start - 0.0005).unwrap();
            let wanted = start - 0.0005..start + length - 0.0005;
            let count = moments.iter().filter(|time| wanted.contains(*time)).count() as u64;
            let options = Options {
                start: Some(Duration::from_secs_f64(start)),
                duration: Some(Duration::from_secs_f64(length)),
                ..Options::default()
            };
            assert_eq!(pass(&path(input), options, &path("out.mkv"), &lossless()).unwrap().0, count, "{input} {start}");
            let found = framemd5(folder.path(), "-i out.mkv -map 0:v");
            assert_eq!(sums(&found), whole[first..first + count as usize], "{input} {start}");
            let found = sums(&framemd5(folder.path(), "-i out.mkv -map 0:a -c copy"));
            let at = sound.windows(found.len()).position(|window| window == found);
            let at = at.unwrap_or_else(|| panic!("{input} {start}: other sound"));
            let packets = (length.min(6.0 - start) * 44100.0 / 1024.0) as usize;
            assert!((packets..=packets + 3).contains(&found.len()), "{input} {start}: {} packets", found.len());
            let shift = times(&path("out.mkv"), "a")[0].0 - times(&path("out.mkv"), "v")[0].0;
            let expected = sounds[at] - begin - moments[first];
            assert!((shift - expected).abs() < 0.002, "{input} {start}: sound is off by {} s", shift - expected);
        }
        let options = Options { frames: Some(10), ..Options::default() };
        assert_eq!(pass(&path(input), options, &path("out.mp4"), &quick()).unwrap().0, 10);
        let end = times(&path("out.mp4"), "a").last().map(|(pts, duration)| pts + duration).unwrap();
        assert!((0.4..0.45).contains(&end), "{input}: {end}");
    }
}

#[test]
fn copied_streams_metadata_and_chapters_come_along() {
    let folder = tempfile::tempdir().unwrap();
    let path = |name: &str| folder.path().join(name);
    std::fs::write(
        path("s.srt"),
        "1\n00:00:00,200 --> 00:00:01,150\nfirst\n\n2\n00:00:01,500 --> 00:00:02,500\nsecond\n",
    )
    .unwrap();
    std::fs::write(
        path("meta"),
        ";FFMETADATA1\ntitle=A title\nartist=Somebody\n[CHAPTER]\nTIMEBASE=1/1000\nSTART=0\nEND=1000\ntitle=one\n[CHAPTER]\nTIMEBASE=1/1000\nSTART=1000\nEND=3000\ntitle=two\n",
    )
    .unwrap();
    std::fs::write(path("font.ttf"), [7; 999]).unwrap();
    let clip = "-f lavfi -i testsrc2=s=64x36:r=25:d=3 -f lavfi -i sine=d=3 -i s.srt -i meta -map 0 -map 1 -map 1 -map 2 -map_metadata 3 -c:v libx264 -c:a:0 aac -c:a:1 mp3 -metadata:s:a:0 language=ger -metadata:s:a:1 language=eng -metadata:s:s:0 language=fre -metadata:s:v:0 title=moving -disposition:a:1 default -disposition:a:0 comment";
    ffmpeg(
        folder.path(),
        &format!("{clip} -c:s srt -attach font.ttf -metadata:s:t mimetype=application/x-truetype-font in.mkv"),
    );
    ffmpeg(folder.path(), &format!("{clip} -c:s mov_text in.mp4"));
    for kind in ["mkv", "mp4"] {
        let (input, output) = (format!("in.{kind}"), format!("out.{kind}"));
        pass(
            &path(&input),
            Options { strict: Strictness::Strict, ..Options::default() },
            &path(&output),
            &Encoding { strict: Strictness::Strict, ..quick() },
        )
        .unwrap();
        for stream in ["a:0", "a:1", "s:0"] {
            let packets = |file: &str| framemd5(folder.path(), &format!("-i {file} -map 0:{stream} -c copy"));
            assert_eq!(packets(&input), packets(&output), "{kind} {stream}");
        }
        let entries = "format_tags=title,artist:stream=codec_type:stream_tags=language,title,filename,mimetype:stream_disposition=default,comment,forced:chapter_tags=title";
        assert_eq!(show(folder.path(), entries, &input), show(folder.path(), entries, &output), "{kind}");
        let found = chapters(&path(&output));
        assert_eq!(found.len(), 2, "{kind}");
        for (wanted, found) in chapters(&path(&input)).into_iter().flatten().zip(found.into_iter().flatten()) {
            assert!((wanted - found).abs() < 0.0015, "{kind}: a chapter at {found} instead of {wanted}");
        }
    }
    // A container that cannot hold a stream in any way says so, or refuses; subtitles become text that it holds.
    let strict = Encoding { strict: Strictness::Strict, ..quick() };
    let message = format!("{:#}", pass(&path("in.mkv"), Options::default(), &path("x.mp4"), &strict).unwrap_err());
    assert!(message.contains("is dropped") && message.contains("attachment"), "{message}");
    pass(&path("in.mkv"), Options::default(), &path("x.mp4"), &quick()).unwrap();
    assert!(show(folder.path(), "stream=codec_name", "x.mp4").contains("mov_text"));
    assert!(show(folder.path(), "stream_tags=language", "x.mp4").contains("fre"));
    // Chapters and subtitles are cut with the clip.
    let options = Options { start: Some(Duration::from_millis(1100)), ..Options::default() };
    pass(&path("in.mkv"), options, &path("cut.mkv"), &quick()).unwrap();
    assert_eq!(
        show(folder.path(), "chapter=start_time:chapter_tags=title", "cut.mkv"),
        "chapter|start_time=0.000000|tag:title=two"
    );
    // The picture at which the input is cut, and the same picture in the output.
    let pictures = times(&path("in.mkv"), "v");
    let begin = begin(&path("in.mkv"));
    let cut = pictures.iter().map(|(pts, _)| *pts).find(|pts| *pts >= begin + 1.0995).unwrap();
    let first = times(&path("cut.mkv"), "v")[0].0;
    let (wanted, found) = (chapters(&path("in.mkv"))[1][1] + pictures[0].0 - cut, chapters(&path("cut.mkv"))[0][1]);
    assert!((wanted - found).abs() < 0.0015, "{wanted} {found}");
    // The first, which ends a little after the start, is shown for what is left of it.
    let (before, after) = (times(&path("in.mkv"), "s"), times(&path("cut.mkv"), "s"));
    assert!(after.len() == 2 && after[0].0 == 0.0 && after[0].1 < 0.1, "{after:?}");
    assert!(((after[1].0 - first) - (before[1].0 - cut)).abs() < 0.002, "{before:?} {after:?}");
}

#[test]
fn colours_light_rotation_shape_and_fields_come_along() {
    let folder = tempfile::tempdir().unwrap();
    let path = |name: &str| folder.path().join(name);
    let colours = "-color_range tv -color_primaries bt2020 -color_trc smpte2084 -colorspace bt2020nc";
    ffmpeg(
        folder.path(),
        &format!(
            "-f lavfi -i testsrc2=s=64x36:r=25:d=0.4 -vf setsar=4/3 -pix_fmt yuv420p10le {colours} -c:v libx265 -x265-params log-level=none:hdr10=1:colorprim=bt2020:transfer=smpte2084:colormatrix=bt2020nc:chromaloc=2:master-display=G(13250,34500)B(7500,3000)R(34000,16000)WP(15635,16450)L(10000000,50):max-cll=1000,400 hdr.mp4"
        ),
    );
    let source = open(path("hdr.mp4"), Options::default()).unwrap();
    let colour = source.format().colour;
    assert_eq!((colour.range, colour.primaries, colour.transfer, colour.matrix), (Range::Limited, 9, 16, 9));
    let tags =
        "stream=color_range,color_space,color_transfer,color_primaries,chroma_location,sample_aspect_ratio,pix_fmt";
    let light = "-show_frames -read_intervals %+#1 -select_streams v -show_entries frame=side_data_list -of compact";
    let wanted = ffprobe(folder.path(), &format!("{light} hdr.mp4"));
    assert!(wanted.contains("max_content=1000") && wanted.contains("10000000/10000"), "{wanted}");
    for (name, codec) in [("a.mp4", "libx265"), ("b.mkv", "libx264"), ("c.mkv", "ffv1"), ("d.mp4", "libx264")] {
        let encoding = Encoding { codec: Some(codec.into()), ..Encoding::default() };
        pass(&path("hdr.mp4"), Options::default(), &path(name), &encoding).unwrap();
        assert_eq!(show(folder.path(), tags, "hdr.mp4"), show(folder.path(), tags, name), "{name}");
        let found = format!(
            "{}{}",
            ffprobe(folder.path(), &format!("{light} {name}")),
            show(folder.path(), "stream_side_data", name)
        );
        assert!(
            found.contains("max_content=1000")
                && (found.contains("red_x=34000/50000") || found.contains("red_x=17/25")),
            "{name}: {found}"
        );
    }
    ffmpeg(folder.path(), "-f lavfi -i testsrc2=s=64x36:r=25:d=0.4 -c:v libx264 turned.mp4");
    turn(&path("turned.mp4"));
    pass(&path("turned.mp4"), Options::default(), &path("r.mp4"), &quick()).unwrap();
    let turned = show(folder.path(), "stream=width:stream_side_data=rotation", "turned.mp4");
    assert!(turned.contains("rotation=") && turned.contains("width=64"), "{turned}");
    assert_eq!(turned, show(folder.path(), "stream=width:stream_side_data=rotation", "r.mp4"));

    ffmpeg(
        folder.path(),
        "-f lavfi -i testsrc2=s=64x64:r=50:d=0.4 -vf interlace -c:v libx264 -flags +ildct+ilme fields.mp4",
    );
    assert_eq!(open(path("fields.mp4"), Options::default()).unwrap().format().fields, FieldOrder::TopFirst);
    pass(&path("fields.mp4"), Options::default(), &path("f.mp4"), &quick()).unwrap();
    let order =
        "-read_intervals %+#1 -show_entries frame=interlaced_frame,top_field_first:stream=field_order -of compact";
    assert_eq!(
        ffprobe(folder.path(), &format!("{order} fields.mp4")),
        ffprobe(folder.path(), &format!("{order} f.mp4"))
    );
}
