//! A clip through source and sink: every frame, every time, every sample.

use super::*;

#[test]
fn the_sample_comes_through() {
    let folder = tempfile::tempdir().unwrap();
    let out = folder.path().join("out.mp4");
    let (count, defects) = pass(&sample(), Options::default(), &out, &quick()).unwrap();
    assert_eq!(count, 132);
    assert_eq!((defects.damaged_packets, defects.concealed_frames, defects.truncated), (0, 0, false));
    assert_eq!(times(&sample(), "v"), times(&out, "v"));
    let sample = sample().display().to_string();
    let audio = |name: &str| framemd5(folder.path(), &format!("-i {name} -map 0:a -c copy"));
    assert_eq!(audio(&sample), audio("out.mp4"));
    let tags = |name: &str| {
        let entries = "stream=time_base,r_frame_rate,avg_frame_rate,sample_aspect_ratio,display_aspect_ratio,color_range,\
            color_space,color_transfer,color_primaries,chroma_location,field_order,pix_fmt,nb_frames,start_pts,width,height\
            :stream_tags:format_tags:stream_disposition";
        let text = ffprobe(folder.path(), &format!("-show_entries {entries} -of json {name}"));
        let differs = ["encoder", "creation_time", "compatible_brands"];
        let lines = text.lines().filter(|line| !differs.iter().any(|key| line.contains(key)));
        lines.map(|line| line.trim_end_matches(',').to_owned()).collect::<Vec<_>>()
    };
    assert_eq!(tags(&sample), tags("out.mp4"));
}

#[test]
fn decoded_frames_are_ffmpegs() {
    let sample = sample().display().to_string();
    let expected = sums(&framemd5(Path::new("/"), &format!("-i {sample} -map 0:v")));
    let folder = tempfile::tempdir().unwrap();
    pass(Path::new(&sample), Options::default(), &folder.path().join("a.mkv"), &lossless()).unwrap();
    assert_eq!(expected, sums(&framemd5(folder.path(), "-i a.mkv -map 0:v")));
}
