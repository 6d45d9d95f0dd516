//! The README and the pages beside it: every command that is printed there runs, every link leads somewhere, and every page
//! begins with a sentence about itself.

use std::path::{Path, PathBuf};
use std::{env, fs};

use pulldown_cmark::{CodeBlockKind, Event, HeadingLevel, Parser, Tag, TagEnd};

use crate::program::{Bench, binary, sample};

fn root() -> &'static Path {
    Path::new(env!("CARGO_MANIFEST_DIR"))
}

fn text(page: &str) -> String {
    fs::read_to_string(root().join(page)).unwrap_or_else(|error| panic!("{page}: {error}"))
}

/// The README, the changelog and all pages of the docs.
fn pages() -> Vec<String> {
    let docs =
        fs::read_dir(root().join("docs")).unwrap().map(|entry| entry.unwrap().file_name().into_string().unwrap());
    let docs = docs.filter(|name| name.ends_with(".md")).map(|name| format!("docs/{name}"));
    let others = ["README.md", "CHANGELOG.md", "CONTRIBUTING.md", "samples/README.md"].map(str::to_owned);
    others.into_iter().chain(docs).collect()
}

/// The shell's blocks of a page, without those that build the project.
fn blocks(page: &str) -> Vec<String> {
    let text = text(page);
    let (mut blocks, mut is_shell) = (Vec::new(), false);
    for event in Parser::new(&text) {
        match event {
            Event::Start(Tag::CodeBlock(CodeBlockKind::Fenced(language))) => is_shell = &*language == "sh",
            Event::End(TagEnd::CodeBlock) => is_shell = false,
            Event::Text(text) if is_shell && !text.starts_with("make ") => blocks.push(text.to_string()),
            _ => {}
        }
    }
    blocks
}

/// The programs of this build and of the system.
fn programs() -> String {
    let own = binary().parent().unwrap().to_owned();
    let all = [own].into_iter().chain(env::split_paths(&env::var_os("PATH").unwrap())).collect::<Vec<PathBuf>>();
    env::join_paths(all).unwrap().into_string().unwrap()
}

/// Runs every block of `page` in a folder of its own that `prepare` fills. A page in the browser waits for its reader.
fn run(page: &str, least: usize, prepare: impl Fn(&Bench)) {
    let blocks = blocks(page);
    assert!(blocks.len() >= least, "{page} has {} blocks", blocks.len());
    for block in blocks {
        let bench = Bench::new();
        prepare(&bench);
        let lines: Vec<_> = block.lines().filter(|line| !line.starts_with("warpreel preview ")).collect();
        let script = format!("export PATH='{}'\nset -euo pipefail\n{}", programs(), lines.join("\n"));
        let done = bench.run("bash", &["-c", &script], b"");
        assert!(done.status.success(), "{page}: {block}{}", String::from_utf8_lossy(&done.stderr));
    }
}

#[test]
fn every_example_of_the_readme_runs() {
    let made = Bench::new();
    let tones = ["-f", "lavfi", "-i", "sine", "-t", "102", "-pix_fmt", "yuv420p", "-preset", "ultrafast"];
    let long = [&["-f", "lavfi", "-i", "testsrc2=size=64x48:rate=5"], &tones[..]].concat();
    made.ffmpeg(&[&long[..], &["in.mp4"]].concat());
    let short = ["-i", "in.mp4", "-t", "1", "-c", "copy"];
    made.ffmpeg(&[&short[..], &["in.mkv"]].concat());
    made.ffmpeg(&[&short[..], &["clip.mov"]].concat());
    run("README.md", 6, |bench| {
        fs::create_dir(bench.path("holiday")).unwrap();
        for (from, to) in
            [("in.mp4", "in.mp4"), ("in.mkv", "in.mkv"), ("clip.mov", "holiday/a.mov"), ("clip.mov", "holiday/b.mov")]
        {
            fs::hard_link(made.path(from), bench.path(to)).unwrap();
        }
    });
}

#[test]
fn every_command_of_the_docs_runs() {
    let made = Bench::new();
    let clip = sample("bigbuckbunny-720p.mp4");
    let few = ["-i", clip.to_str().unwrap(), "-frames:v", "4", "-preset", "ultrafast", "-c:a", "copy"];
    for name in ["in.mp4", "in.mkv", "clip.mov"] {
        made.ffmpeg(&[&few[..], &[name]].concat());
    }
    made.ffmpeg(&["-i", "in.mp4", "-frames:v", "2", "-vf", "scale=64:48", "still%04d.png"]);
    for page in ["docs/choosing.md", "docs/outputs.md"] {
        run(page, 1, |bench| {
            std::os::unix::fs::symlink(root().join("samples"), bench.path("samples")).unwrap();
            for folder in ["holiday", "shot1", "shot2"] {
                fs::create_dir(bench.path(folder)).unwrap();
            }
            let stills = [("still0001.png", "shot1/0001.png"), ("still0002.png", "shot2/0001.png")];
            let clips = [("in.mp4", "in.mp4"), ("in.mkv", "in.mkv"), ("clip.mov", "holiday/a.mov")];
            for (from, to) in stills.into_iter().chain(clips) {
                fs::hard_link(made.path(from), bench.path(to)).unwrap();
            }
        });
    }
}

#[test]
fn the_readme_is_short() {
    let lines = text("README.md").lines().count();
    assert!(lines <= 150, "the README has {lines} lines; at most 150, the rest belongs into docs");
}

#[test]
fn every_filter_is_on_the_page_for_choosing() {
    let page = text("docs/choosing.md");
    for spec in warpreel::filter::FILTERS {
        assert!(page.contains(&format!("`{}`", spec.name)), "docs/choosing.md lacks {}", spec.name);
    }
    let count = format!("lists {} filters", warpreel::filter::FILTERS.len());
    assert!(text("README.md").contains(&count), "the README does not say \"{count}\"");
}

#[test]
fn every_link_leads_somewhere() {
    for page in pages() {
        let text = text(&page);
        for event in Parser::new(&text) {
            if let Event::Start(Tag::Link { dest_url, .. } | Tag::Image { dest_url, .. }) = event {
                let file = dest_url.split('#').next().unwrap();
                let place = root().join(&page).parent().unwrap().join(file);
                assert!(file.starts_with("http") || file.is_empty() || place.exists(), "{page} links to {dest_url}");
            }
        }
    }
}

#[test]
fn every_page_is_in_the_index_and_begins_with_a_sentence() {
    let index = text("docs/README.md");
    for page in pages().iter().filter_map(|page| page.strip_prefix("docs/")) {
        let text = text(&format!("docs/{page}"));
        let mut events = Parser::new(&text);
        let first = events.next();
        assert!(matches!(first, Some(Event::Start(Tag::Heading { level: HeadingLevel::H1, .. }))), "{page}: no title");
        let next = events.skip_while(|event| !matches!(event, Event::End(TagEnd::Heading(_)))).nth(1);
        assert!(matches!(next, Some(Event::Start(Tag::Paragraph))), "{page}: a sentence comes before anything else");
        assert!(page == "README.md" || index.contains(&format!("({page})")), "docs/README.md lacks {page}");
    }
}
