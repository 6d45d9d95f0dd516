//! `warpreel filters WORDS`, with the words that people have for their tasks.

use super::bench;

/// The words, the first filter or the beginning of the answer, and a part of what is to be typed.
const TASKS: &[(&str, &str, &str)] = &[
    ("vertical video", "  crop ", "crop=ih*9/16:ih"),
    ("square crop", "  crop ", "crop=ih:ih"),
    ("add black bars", "  pad ", "pad=1920:1080:-1:-1"),
    ("remove black bars", "  crop ", "crop="),
    ("remove black borders", "  crop ", "crop="),
    ("pillarbox", "  pad ", "pad="),
    ("aspect ratio", "  scale ", "scale="),
    ("convert 10 bit to 8 bit", "  scale ", "scale=depth=8:dither=ordered"),
    ("8 bit to 10 bit", "  scale ", "scale=depth=10"),
    ("10 bit", "  scale ", "scale=depth=10"),
    ("upscale 2x", "  scale ", "scale=iw*2:-2:lanczos"),
    ("make it bigger", "  scale ", "scale=iw*2:-2"),
    ("4k to 1080p", "  scale ", "scale=-2:1080"),
    ("half size", "  scale ", "scale=iw/2:-2"),
    ("super resolution", "  scale ", "cas=0.5"),
    ("zoom in", "  crop ", "crop=iw/2:ih/2,scale=2*iw:2*ih"),
    ("mirror image", "  hflip ", "\"hflip\""),
    ("upside down", "  hflip ", "\"hflip,vflip\""),
    ("rotate 90", "  transpose ", "transpose=clock"),
    ("rotate 180 degrees", "  hflip ", "\"hflip,vflip\""),
    ("rotate by 3 degrees", "  rotate ", "rotate="),
    ("underexposed", "  exposure ", "exposure=1"),
    ("low light", "  denoise ", "denoise,gamma"),
    ("day for night", "  exposure ", "exposure=-1.5"),
    ("remove rain", "  tmedian ", "tmedian=radius=2"),
    ("star trails", "  tmedian ", "percentile=1"),
    ("average frames", "  taverage ", "taverage=radius=2"),
    ("moire", "  gaussian ", "gaussian=0.7"),
    ("anti-aliasing", "  gaussian ", "gaussian=0.7"),
    ("ringing", "  bilateral ", "bilateral="),
    ("skin smoothing", "  bilateral ", "bilateral="),
    ("oil painting", "  bilateral ", "median=radius=4"),
    ("pencil sketch", "  sobel ", "\"sobel,invert\""),
    ("vintage look", "  lut3d ", "grain=6"),
    ("apply lut", "  lut3d ", "lut3d="),
    ("s-log3", "  lut3d ", "lut3d="),
    ("sepia tone", "  colorchannelmixer ", ".393:.769"),
    ("morphology", "  open ", "open=radius=2"),
    ("motion detection", "  tdiff ", "tdiff=abs=1"),
    ("optical flow", "  degrain ", "show=vectors"),
    ("motion vectors", "  degrain ", "vectors=motion.jsonl"),
    ("gaussian blur", "  gaussian ", "gaussian=sigma=2"),
    ("median filter", "  median ", "median=radius=2"),
    ("lens blur", "  disk ", "disk=radius=4.5"),
    ("24 fps", "  framerate ", "\"fps=24\""),
    ("60fps", "  framerate ", "\"framerate=60\""),
    ("29.97 to 23.976", "  fieldmatch ", "fieldmatch,decimate"),
    ("pal to ntsc", "  framerate ", "framerate=ntsc"),
    ("frame interpolation", "  framerate ", "framerate=50"),
    ("smooth motion", "  framerate ", "framerate=50"),
    ("How can I remove noise?", "  denoise ", "denoise"),
    ("speed up 4x", "No filter", "setpts=0.5*PTS"),
    ("slow motion 2x", "No filter", "--no-audio"),
    ("stabilize video", "  stabilize ", "stabilize"),
    ("loop", "No filter", "-stream_loop 3"),
    ("merge two clips", "No filter", "-f concat"),
    ("picture in picture", "  overlay ", "width=W/4"),
    ("overlay a second video", "  overlay ", "width=W/4"),
    ("side by side", "  overlay ", "pad=2*iw:ih,overlay="),
    ("animated logo", "  overlay ", "eof_action=pass"),
    ("moving logo", "  overlay ", "x='min(16,t*400-w)'"),
    ("a scrolling banner", "  overlay ", "x='W-mod(t*120,W+w)'"),
    ("heat map", "No filter", "pseudocolor"),
    ("histogram", "No filter", "histogram"),
    ("rainbow", "No filter", "dedot"),
    ("chromatic aberration", "No filter", "chromashift"),
    ("lens flare", "  blend ", "mode=screen"),
    ("light leak", "  blend ", "mode=screen"),
    ("night vision look", "  colorchannelmixer ", "exposure=1.5"),
    ("bokeh", "  disk ", "disk=radius=4.5"),
    ("tilt-shift", "  gaussian ", "mask="),
    ("soft glow", "  gaussian ", "mix=0.5"),
    ("pixel art", "  scale ", ":point"),
    ("VHS look", "  lut3d ", "planes=uv"),
    ("old film look", "  lut3d ", "grain=6"),
    ("remove fog", "  levels ", "levels="),
    ("underwater footage", "  colortemperature ", "colortemperature=4000"),
    ("colour cast", "  colortemperature ", "colortemperature=5000"),
    ("local contrast", "  unsharp ", "lx=23"),
    ("lift the shadows", "  gamma ", "gamma=1.3"),
    ("recover highlights", "  exposure ", "exposure=-0.5"),
    ("scan of colour negatives", "  invert ", "invert,levels"),
    ("dark frame subtraction", "  blend ", "mode=subtract"),
    ("difference of two videos", "  blend ", "mode=difference"),
    ("temporal median", "  tmedian ", "tmedian=radius=2"),
    ("moving average", "  tmedian ", "taverage=radius=2"),
    ("max over time", "  tmedian ", "percentile=1"),
    ("high pass", "  dog ", "dog="),
    ("low pass", "  lowpass ", "lowpass="),
    ("vfr to cfr", "  fps ", "fps=25"),
    ("chroma noise", "  denoise ", "planes=uv"),
    ("head switching noise", "  crop ", "pad=iw:ih+16:0:8"),
    ("stuck pixels", "  median ", "median=radius=1"),
    ("desqueeze anamorphic", "  scale ", "iw*sar"),
    ("16:9", "  pad ", "pad="),
    ("9:16", "  crop ", "crop=ih*9/16:ih"),
    ("letterbox", "  pad ", "pad="),
    ("blur faces", "  gaussian ", "roi="),
    ("blurring", "  gaussian ", "gaussian"),
    ("cropping", "  crop ", "crop"),
    ("reverse video", "No filter", "-filter:v:0 reverse"),
    ("speed ramp", "No filter", "'setpts=if(lt(T"),
    ("boomerang", "No filter", "concat"),
    ("green screen", "No filter", "chromakey=green[k]"),
    ("chroma key", "No filter", "chromakey"),
    ("remove background", "No filter", "chromakey"),
    ("split screen", "  overlay ", "pad=2*iw:ih"),
    ("crossfade of two files", "No filter", "xfade"),
    ("wipe transition", "No filter", "xfade"),
    ("stabilise", "  stabilize ", "stabilize"),
    ("handheld shake", "  stabilize ", "stabilize"),
    ("shake effect", "No filter", "crop=iw-32"),
    ("motion tracking", "No filter", "OpenCV"),
    ("face detection", "No filter", "OpenCV"),
    ("subtitles", "No filter", "subtitles=FILE.srt"),
    ("remove subtitles", "No filter", "--subtitles none"),
    ("add subtitles", "No filter", "-i FILE.srt"),
    ("lower third", "No filter", "drawtext"),
    ("burn timecode", "No filter", "%{pts}"),
    ("frame numbers", "No filter", "%{n}"),
    ("remove audio", "No filter", "--no-audio"),
    ("add music", "No filter", "-map 1:a"),
    ("normalize volume", "No filter", "loudnorm"),
    ("remove background noise", "No filter", "afftdn"),
    ("lip sync", "No filter", "-itsoffset"),
    ("photos to video", "No filter", "--fps 25"),
    ("video to images", "No filter", "frame%04d.png"),
    ("make a gif", "No filter", "OUT.gif"),
    ("reduce file size", "No filter", "--quality 60"),
    ("convert to mp4", "No filter", "OUT.mp4"),
    ("cut clip", "No filter", "--start TIME"),
    ("every 10th frame", "No filter", "framestep=10"),
    ("compare two videos", "No filter", "warpreel metrics A B"),
    ("scene detection", "No filter", "scdet"),
    ("auto white balance", "No filter", "grayworld"),
    ("selective colour", "No filter", "colorhold"),
    ("sdr to hdr", "No filter", "zscale"),
    ("remove motion blur", "No filter", "sharpening"),
    ("deblur", "No filter", "sharpening"),
    ("colourise black and white", "No filter", "colours are not guessed"),
    ("slow zoom", "No filter", "zoompan"),
    ("histogram equalization", "No filter", "histeq"),
    ("thermal camera", "No filter", "pseudocolor"),
    ("remove vignette", "No filter", "vignette=mode=backward"),
    ("make colours pop", "  saturation ", "saturation=1.4"),
    ("reduce glare", "  exposure ", "exposure=-0.5"),
    ("remove laser speckle", "  denoise ", "denoise"),
    ("blur background", "No filter", "OpenCV"),
    ("remove date stamp", "No filter", "delogo"),
    ("remove gate weave", "  stabilize ", "stabilize"),
    ("remove hair from the gate", "  denoise ", "denoise"),
    ("warm up skin tones", "  colortemperature ", "=5500"),
    ("bleach bypass", "  lut3d ", "saturation=0.4"),
    ("lift the blacks", "  gamma ", "gamma=1.3"),
    ("purple fringing", "No filter", "chromashift"),
    ("compress for WhatsApp", "No filter", "--quality 60"),
    ("tiktok", "  crop ", "crop=ih*9/16:ih"),
    ("youtube 4k", "  scale ", "scale=-2:2160"),
    ("histogram stretch", "No filter", "levels=in_low"),
    ("illumination correction", "  blend ", "mode=divide"),
    ("reduce strobing", "  deflicker ", "deflicker"),
    ("crop to 2.39", "  crop ", "crop=iw:iw/2.39"),
    ("double exposure", "  blend ", "mode=screen"),
    ("deinterlace VHS", "  bwdif ", "bwdif=mode=send_frame,denoise"),
    ("old cartoon restoration", "  denoise ", "denoise,deband"),
    ("remove static", "  denoise ", "denoise"),
    ("screen recording", "No filter", "x11grab"),
    ("stream to youtube", "No filter", "rtmp://SERVER"),
    ("autocrop", "No filter", "cropdetect"),
];

/// The filters, the chain, and that the chain runs on a clip and changes it.
#[test]
fn tasks_in_words_are_answered() {
    let bench = bench();
    let mut clip = b"YUV4MPEG2 W64 H48 F25:1 Ip A1:1 C420jpeg\n".to_vec();
    let mut state = 3u32;
    for _ in 0..6 {
        clip.extend(b"FRAME\n");
        for at in 0..64 * 48 * 3 / 2 {
            state = state.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
            clip.push(60 + at as u8 % 64 + (state >> 29) as u8);
        }
    }
    std::fs::write(bench.path("noisy.y4m"), clip).unwrap();
    let before = bench.pass(&["noisy.y4m", "hash:", "-q"]);
    let mut tried = Vec::new();
    for (words, first, typed) in TASKS {
        let words: Vec<&str> = words.split(' ').collect();
        let said = String::from_utf8(bench.pass(&[&["filters"], &words[..]].concat())).unwrap();
        let line = if first.starts_with(' ') { said.lines().nth(1).unwrap_or_default() } else { &said };
        assert!(line.starts_with(first) && said.contains(typed), "{words:?}: {said}");
        let Some((_, chain)) = said.split_once("Example: warpreel in.mp4 out.mp4 -f \"") else { continue };
        let chain = chain.split('"').next().unwrap().to_owned();
        // The samples are in no folder of a test, a file of motion changes no picture, and a rectangle is too large for it.
        if ["samples/", "vectors=", "roi="].iter().any(|part| chain.contains(part)) || tried.contains(&chain) {
            continue;
        }
        let after = bench.pass(&["noisy.y4m", "hash:", "-q", "-f", &chain]);
        // Of a clip of 8 bits that is progressive.
        let is_idle = [
            "fieldmatch,decimate",
            "scale=depth=8:dither=ordered",
            "scale=iw*sar:ih",
            "fps=25",
            "deflicker=size=9:scene=0.3",
            "stabilize=radius=20:zoom=6",
        ]
        .contains(&chain.as_str());
        assert!(after != before || is_idle, "{words:?}: {chain}");
        tried.push(chain);
    }
    assert!(tried.len() > 30, "{tried:?}");
}

/// A task in the place of a filter is answered as well.
#[test]
fn tasks_in_chains_are_answered() {
    let bench = bench();
    for (typed, wanted) in [
        ("bokeh", "type \"disk=radius=4.5\"; for others: warpreel filters bokeh"),
        ("remove noise", "chroma=4\"; for others: warpreel filters 'remove noise'"),
        ("box=2,lens flare", "mode=screen"),
        ("ringing", "type \"bilateral="),
        ("fog", "type \"levels="),
        ("slideshow", "--fps 25"),
        ("mute", "type --no-audio"),
        ("hum", "-af highpass=f=100"),
        ("crossfade", "xfade"),
        ("green screen", "chromakey"),
        ("vignette", "ffmpeg -i in.y4m -filter:v:0 vignette"),
        ("level", "did you mean \"levels\"?"),
        ("16:9", "type \"scale=fit=1920x1080,pad="),
        ("8mm", "grain=6"),
        ("every", "list them with: warpreel filters"),
        ("1,2", "commas separate filters"),
        ("blurr", "type \"gaussian=sigma=2\""),
    ] {
        let line = bench.refuse(&["in.y4m", "null:", "-f", typed]);
        assert!(line.contains(wanted), "{typed}: {line}");
    }
}

/// Words that are not understood are named, where others lead to filters.
#[test]
fn unknown_words_are_named() {
    let bench = bench();
    let said = |words: &str| String::from_utf8(bench.pass(&["filters", words])).unwrap();
    assert!(
        said("sharpen my passport")
            .starts_with("Filters for \"sharpen my passport\", where nothing is known for \"passport\"\n")
    );
    assert!(said("old grainy tape").starts_with("Filters for \"old grainy tape\"\n"));
}

/// Words that nothing serves are answered in a line, without a place in a chain.
#[test]
fn words_for_nothing_are_answered() {
    let bench = bench();
    for words in ["make coffee", "quantum flux", "tax return 2024"] {
        let line = bench.refuse(&["filters", words]);
        let wanted = format!("error: no filter is known for {words:?}; type other words, as in: warpreel filters");
        assert!(line.starts_with(&wanted), "{line}");
        let output = bench.warpreel(&["filters", words]);
        assert!(!String::from_utf8(output.stderr).unwrap().contains('^'), "{words}");
    }
    // What names a filter is a chain with a mistake.
    assert!(bench.refuse(&["filters", "gaussian 2"]).contains("type gaussian=2"));
    assert!(bench.refuse(&["filters", "GAUSSIAN"]).contains("did you mean \"gaussian\"? as in gaussian=sigma=2"));
}

#[test]
fn recipes_are_listed() {
    let bench = bench();
    let said = String::from_utf8(bench.pass(&["filters", "recipes"])).unwrap();
    for name in ["@vhs", "@film-grain", "@webcam", "@timelapse", "@anime"] {
        assert!(said.contains(name), "{said}");
        bench.pass(&["in.y4m", "null:", "-q", "-f", name]);
    }
    for (typed, wanted) in [
        ("@vhs,box=2", "a recipe stands by itself: type -f @vhs -f \"box=2\""),
        ("@vhs=2", "a recipe takes no values: type @vhs"),
        ("@VHS", "did you mean \"@vhs\"?"),
    ] {
        let line = bench.refuse(&["in.y4m", "null:", "-f", typed]);
        assert!(line.contains(wanted), "{typed}: {line}");
    }
    bench.pass(&["in.y4m", "null:", "-q", "-f", "@vhs", "-f", "box=2"]);
}
