//! Every recipe of docs/cookbook.md is typed as it stands, and leaves what it promises.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, PoisonError, Weak};
use std::{env, fs};

use pulldown_cmark::{Event, HeadingLevel, Parser, Tag, TagEnd};

use crate::program::{Bench, binary, sample};

/// A recipe, and the files that it leaves.
type Promise = (&'static str, &'static [(&'static str, &'static str)]);

/// What each recipe leaves: files, and their video's codec, size, pixel format and number of frames as `ffprobe` counts
/// them; or, of what is no video, nothing.
const LEFT: &[Promise] = &[
    ("A long exposure: motion flows, still parts stay sharp", &[("out.mp4", "h264,640,360,yuv420p,50")]),
    ("One picture with an exposure of two seconds", &[("out.png", "png,640,360,rgb24,1")]),
    ("Lamps that flicker, and a time lapse that jumps in brightness", &[("out.mp4", "h264,640,360,yuv420p,50")]),
    ("A steady hand", &[("out.mp4", "h264,640,360,yuv420p,50")]),
    ("Dust and drop-outs that last one frame", &[("out.mp4", "h264,640,360,yuv420p,50")]),
    ("Show motion", &[("out.mp4", "h264,640,360,yuv420p,50")]),
    (
        "Motion vectors, as a picture and as numbers",
        &[("seen.mp4", "h264,640,360,yuv420p,50"), ("out.mp4", "h264,640,360,yuv420p,50"), ("motion.jsonl", "")],
    ),
    ("Blur a number plate for some seconds", &[("out.mp4", "h264,640,360,yuv420p,50")]),
    ("Blur the background, through a mask", &[("out.mp4", "h264,640,360,yuv420p,50")]),
    (
        "A part of a clip, in seconds or in frames",
        &[("out.mp4", "h264,640,360,yuv420p,25"), ("frames.mp4", "h264,640,360,yuv420p,10")],
    ),
    ("Sharper, without coloured halos", &[("out.mp4", "h264,640,360,yuv420p,50")]),
    ("Sharper, where it is soft", &[("out.mp4", "h264,640,360,yuv420p,50")]),
    ("Chroma noise, without colours that bleed", &[("out.mp4", "h264,640,360,yuv420p,50")]),
    (
        "A sky in bands, made smooth",
        &[("out.mp4", "h264,640,360,yuv420p10le,50"), ("eight.mp4", "h264,640,360,yuv420p,50")],
    ),
    ("Blocks of strong compression, smoothed", &[("out.mp4", "h264,640,360,yuv420p,50")]),
    ("Film grain after denoising", &[("out.mp4", "h264,640,360,yuv420p,50")]),
    ("An ink drawing", &[("out.mp4", "h264,640,360,yuv420p,50")]),
    ("A kernel of your own, made by NumPy", &[("out.mp4", "h264,640,360,yuv420p,50")]),
    ("Before and after in one picture", &[("out.mp4", "h264,640,360,yuv420p,50")]),
    ("How much a filter changes", &[("out.mp4", "h264,640,360,yuv420p,50"), ("change.html", "")]),
    ("How much quality an encode lost", &[("small.mp4", "h264,640,360,yuv420p,50"), ("loss.csv", "")]),
    (
        "A folder of clips",
        &[("sharp/first.mp4", "h264,640,360,yuv420p,50"), ("sharp/second.mp4", "h264,640,360,yuv420p,50")],
    ),
    ("A long job that continues where it stopped", &[("out.mp4", "h264,640,360,yuv420p,50")]),
    ("Check streams before a run", &[]),
    ("HDR: keep ten bits and the light metadata", &[("out.mp4", "hevc,320,180,yuv420p10le,24")]),
    (
        "HDR to SDR for the web",
        &[
            ("web.mp4", "h264,320,180,yuv420p,24"),
            ("bright.mp4", "h264,320,180,yuv420p,24"),
            ("sdr10.mkv", "hevc,640,360,yuv420p10le,24"),
        ],
    ),
    ("ProRes for an editor", &[("out.mov", "prores,640,360,yuv422p10le,50")]),
    (
        "Pictures with opacity",
        &[("out.mov", "prores,640,360,yuva444p12le,10"), ("faded.mov", "prores,640,360,yuva444p12le,10")],
    ),
    ("A lossless master, and proof that it is one", &[("out.mkv", "ffv1,640,360,yuv420p,50"), ("stored.txt", "")]),
    ("An image sequence at 24 frames a second", &[("out.mp4", "h264,640,360,yuv420p,12")]),
    ("A GIF, with colours chosen from the clip", &[("out.gif", "gif,640,360,bgra,15")]),
    ("Interlaced clips", &[("out.ts", "h264,640,360,yuv420p,10"), ("fields.mp4", "h264,640,360,yuv420p,50")]),
    ("PAL tape to progressive", &[("progressive.mp4", "h264,640,360,yuv420p,10")]),
    ("Film out of NTSC", &[("film.mkv", "h264,640,360,yuv420p,8")]),
    ("A filter that only FFmpeg has", &[("out.mp4", "h264,640,360,yuv420p,50")]),
    ("To 720p for the web", &[("small.mp4", "h264,1280,720,yuv420p,50")]),
    ("Black bars off", &[("wide.mp4", "h264,640,270,yuv420p,50")]),
    ("On its side", &[("upright.mp4", "h264,360,640,yuv420p,50")]),
    ("A level horizon", &[("level.mp4", "h264,640,360,yuv420p,50")]),
    ("A screen filmed from the side", &[("screen.mp4", "h264,640,360,yuv420p,50")]),
    ("A LUT on log footage", &[("graded.mp4", "h264,640,360,yuv420p,50")]),
    (
        "Curves, and a table of tones",
        &[
            ("punchy.mp4", "h264,640,360,yuv420p,50"),
            ("faded.mp4", "h264,640,360,yuv420p,50"),
            ("toned.mp4", "h264,640,360,yuv420p,50"),
        ],
    ),
    ("BT.601 to BT.709 when going from SD to HD", &[("hd.mp4", "h264,1280,720,yuv420p,50")]),
    (
        "More colour, or none",
        &[
            ("vivid.mp4", "h264,640,360,yuv420p,50"),
            ("grey.mp4", "h264,640,360,yuv420p,50"),
            ("fresh.mp4", "h264,640,360,yuv420p,50"),
            ("turned.mp4", "h264,640,360,yuv420p,50"),
        ],
    ),
    ("Sepia, and warmer light", &[("sepia.mp4", "h264,640,360,yuv420p,50"), ("warm.mp4", "h264,640,360,yuv420p,50")]),
    ("Contrast, brightness and saturation in one call", &[("out.mp4", "h264,640,360,yuv420p,50")]),
    (
        "A logo in the corner",
        &[
            ("out.mp4", "h264,640,360,yuv420p,50"),
            ("small.mp4", "h264,640,360,yuv420p,50"),
            ("faint.mp4", "h264,640,360,yuv420p,50"),
        ],
    ),
    (
        "A logo that slides in, a banner that scrolls",
        &[("out.mp4", "h264,640,360,yuv420p,50"), ("banner.mp4", "h264,640,360,yuv420p,50")],
    ),
    (
        "A picture in the picture",
        &[
            ("out.mp4", "h264,640,360,yuv420p,50"),
            ("titled.mp4", "h264,640,360,yuv420p,50"),
            ("beside.mp4", "h264,1280,360,yuv420p,50"),
        ],
    ),
    (
        "Film dust, light leaks, a double exposure",
        &[("dusty.mp4", "h264,640,360,yuv420p,50"), ("both.mp4", "h264,640,360,yuv420p,50")],
    ),
    ("The loss of an encode, as a picture", &[("lost.mp4", "h264,640,360,yuv420p,50")]),
    ("Another frame rate", &[("film.mp4", "h264,640,360,yuv420p,48"), ("thumbnails001.png", "png,640,360,rgb24,1")]),
    ("30 to 60 frames a second by blending", &[("smooth.mp4", "h264,640,360,yuv420p,120")]),
    ("x264 at the end of a pipe", &[("out.264", "h264,640,360,yuv420p,50")]),
    ("Watch the result during the run", &[]),
    ("NumPy in the middle of a pipe", &[("out.mp4", "h264,640,360,yuv420p,50")]),
    ("A progress bar of your own", &[("out.mp4", "h264,640,360,yuv420p,50"), ("progress.txt", "")]),
    ("A camera's twelve-bit grey frames", &[("out.mkv", "ffv1,640,360,gray12le,50")]),
];

/// Recipes that need VapourSynth: tests/vapoursynth types them.
const ELSEWHERE: &[&str] = &["A VapourSynth script before a pipe"];

/// The commands under each heading of the third level.
fn recipes() -> BTreeMap<String, String> {
    let text = fs::read_to_string(Path::new(env!("CARGO_MANIFEST_DIR")).join("docs/cookbook.md")).unwrap();
    let (mut recipes, mut title, mut place) = (BTreeMap::new(), String::new(), None);
    for event in Parser::new(&text) {
        match event {
            Event::Start(Tag::Heading { level: HeadingLevel::H3, .. }) => {
                title.clear();
                place = Some(false);
            }
            Event::Start(Tag::CodeBlock(_)) => place = Some(true),
            Event::End(TagEnd::Heading(_) | TagEnd::CodeBlock) => place = None,
            Event::Text(text) | Event::Code(text) if place == Some(false) => title.push_str(&text),
            Event::Text(text) if place == Some(true) => {
                *recipes.entry(title.clone()).or_insert_with(String::new) += &text
            }
            _ => {}
        }
    }
    recipes
}

/// A folder with the clips that the recipes begin from.
fn kitchen() -> Bench {
    let bench = Bench::new();
    let clip = sample("bigbuckbunny-720p.mp4");
    let clip = clip.to_str().unwrap();
    // The sound begins before the pictures, as it does in most files.
    let begin = ["-i", clip, "-t", "2", "-vf", "scale=640:360", "-preset", "veryfast", "-c:a", "aac", "in.mp4"];
    bench.ffmpeg(&begin);
    let interlaced =
        ["-i", "in.mp4", "-frames:v", "10", "-vf", "setfield=tff", "-c:v", "libx264", "-flags", "+ilme+ildct"];
    bench.ffmpeg(&[&interlaced[..], &["-an", "interlaced.ts"]].concat());
    let faint = ["-i", "in.mp4", "-frames:v", "10", "-vf", "format=yuva444p10,colorchannelmixer=aa=0.5", "-an"];
    bench.ffmpeg(&[&faint[..], &["-c:v", "prores_ks", "alpha.mov"]].concat());
    fs::copy(sample("ten-bit.mp4"), bench.path("hdr.mp4")).unwrap();
    fs::copy(sample("warm.cube"), bench.path("look.cube")).unwrap();
    fs::copy(sample("fade.cube"), bench.path("tones.cube")).unwrap();
    fs::copy(sample("logo.png"), bench.path("logo.png")).unwrap();
    let leak = ["-f", "lavfi", "-i", "gradients=size=320x180:rate=12:duration=1", "-pix_fmt", "yuv420p", "leak.mp4"];
    bench.ffmpeg(&leak);
    fs::write(bench.path("mpv.conf"), "vo=null\nao=null\n").unwrap();
    bench
}

/// One kitchen for the parts that run at the same time; it goes away with the last of them.
fn shared_kitchen() -> Arc<Bench> {
    static KITCHEN: Mutex<Weak<Bench>> = Mutex::new(Weak::new());
    let mut kept = KITCHEN.lock().unwrap_or_else(PoisonError::into_inner);
    kept.upgrade().unwrap_or_else(|| {
        let made = Arc::new(kitchen());
        *kept = Arc::downgrade(&made);
        made
    })
}

/// The programs of this build, of Python, and of the system.
fn programs() -> String {
    let python = Path::new(env!("CARGO_MANIFEST_DIR")).join("target/python/bin");
    let own = [binary().parent().unwrap().to_owned(), python];
    let all = own.into_iter().chain(env::split_paths(&env::var_os("PATH").unwrap())).collect::<Vec<PathBuf>>();
    env::join_paths(all).unwrap().into_string().unwrap()
}

/// Types a recipe in a folder of its own, and looks at what it leaves.
fn cook(kitchen: &Bench, title: &str, commands: &str, promised: &[(&str, &str)]) {
    let bench = Bench::new();
    for name in kitchen.names() {
        fs::hard_link(kitchen.path(&name), bench.path(&name)).unwrap();
    }
    let home = bench.path("");
    let setting = [("PATH", programs()), ("MPV_HOME", home.to_str().unwrap().to_owned())];
    let setting: String = setting.iter().map(|(name, value)| format!("export {name}='{value}'\n")).collect();
    let script = format!("{setting}set -euo pipefail\n{commands}");
    let done = bench.run("bash", &["-c", &script], b"");
    assert!(done.status.success(), "{title}: {}", String::from_utf8_lossy(&done.stderr));
    for (file, wanted) in promised {
        assert!(fs::metadata(bench.path(file)).is_ok_and(|found| found.len() > 0), "{title}: {file}");
        if !wanted.is_empty() {
            let fields = "stream=codec_name,width,height,pix_fmt,nb_read_frames";
            let ask = ["-v", "error", "-select_streams", "v:0", "-count_frames", "-show_entries", fields];
            let found = bench.run("ffprobe", &[&ask[..], &["-of", "csv=p=0", file]].concat(), b"").stdout;
            let found = String::from_utf8(found).unwrap();
            let found = found.lines().next().unwrap_or_default().trim_end_matches(',');
            assert_eq!(found, *wanted, "{title}: {file}");
        }
    }
}

#[test]
fn every_recipe_is_typed() {
    let mut recipes = recipes();
    for title in ELSEWHERE {
        assert!(recipes.remove(*title).is_some(), "{title}");
    }
    let mut promised: Vec<_> = LEFT.iter().map(|(title, _)| *title).collect();
    promised.sort_unstable();
    assert_eq!(recipes.keys().collect::<Vec<_>>(), promised);
    let mut typed: Vec<_> = (0..PARTS).flat_map(part_of).map(|(title, _)| *title).collect();
    typed.sort_unstable();
    assert_eq!(typed, promised);
}

/// Recipes in parts, which run side by side.
const PARTS: usize = 8;

/// What the recipes of a part leave.
fn part_of(number: usize) -> impl Iterator<Item = &'static Promise> {
    LEFT.iter().skip(number).step_by(PARTS)
}

/// The recipes of a part leave what they promise.
fn part(number: usize) {
    let (recipes, kitchen) = (recipes(), shared_kitchen());
    for (title, promised) in part_of(number) {
        let commands = recipes.get(*title).unwrap_or_else(|| panic!("docs/cookbook.md has no recipe {title:?}"));
        cook(&kitchen, title, commands, promised);
    }
}

macro_rules! parts {
    ($($name:ident $number:literal)*) => {
        $(#[test] fn $name() { part($number) })*
        #[test]
        fn every_part_is_typed() {
            assert!([$($number),*].into_iter().eq(0..PARTS));
        }
    };
}
parts!(part_0 0 part_1 1 part_2 2 part_3 3 part_4 4 part_5 5 part_6 6 part_7 7);
