//! Who may import whom, and where the sharp tools may lie: invariants that are the absence of something.

mod circle;
#[cfg(all(target_arch = "x86_64", target_os = "linux"))]
mod instruction;
mod name;

use std::fs;
use std::path::{Path, PathBuf};

fn root() -> PathBuf {
    PathBuf::from(env!("CARGO_MANIFEST_DIR"))
}

/// Every file below `folder` with one of these extensions, its path relative to the project and its text.
fn files(folder: &str, extensions: &[&str]) -> Vec<(String, String)> {
    let mut found = Vec::new();
    let mut folders = vec![root().join(folder)];
    while let Some(folder) = folders.pop() {
        for entry in fs::read_dir(&folder).into_iter().flatten().flatten() {
            let path = entry.path();
            if path.is_dir() {
                folders.push(path);
            } else if path.extension().is_some_and(|e| extensions.iter().any(|wanted| e == *wanted)) {
                let text = fs::read_to_string(&path).unwrap();
                found.push((relative(&path), text));
            }
        }
    }
    found
}

fn relative(path: &Path) -> String {
    path.strip_prefix(root()).unwrap().to_string_lossy().into_owned()
}

/// The code of a file without its comments.
fn code(text: &str) -> impl Iterator<Item = &str> {
    text.lines().map(|line| line.split("//").next().unwrap_or_default())
}

/// The crates, and where their sources are.
const CRATES: [(&str, &str); 9] = [
    ("frame", "crates/frame/src"),
    ("ffmpeg", "crates/ffmpeg/src"),
    ("filter", "crates/filter/src"),
    ("cpu", "crates/cpu/src"),
    ("cuda", "crates/cuda/src"),
    ("engine", "crates/engine/src"),
    ("media", "crates/media/src"),
    ("metric", "crates/metric/src"),
    ("warpreel", "src"),
];

/// The sources of all crates.
fn sources() -> Vec<(String, String)> {
    CRATES.iter().flat_map(|(_, folder)| files(folder, &["rs"])).collect()
}

/// Dependencies between crates are the compiler's matter; this is about the modules of one crate.
#[test]
fn imports_go_one_way() {
    const FILTER: &[(&str, &[&str])] = &[
        // An exported macro has its path at the root.
        ("pass", &["frame", "modules", "operations"]),
        ("backend", &["pass", "frame"]),
        ("filter", &["frame", "pass"]),
        ("plan", &["filter", "pass", "frame"]),
        ("noise", &["frame"]),
    ];
    const MEDIA: &[(&str, &[&str])] = &[
        ("pipe", &["frame"]),
        ("shell", &[]),
        ("sequence", &["shell"]),
        ("y4m", &["frame"]),
        ("still", &["frame"]),
        ("libav", &["frame", "shell", "still", "strictness"]),
        ("source", &["frame", "gauge", "libav", "pipe", "y4m", "sequence", "still", "strictness"]),
        ("sink", &["frame", "libav", "pipe", "y4m", "sequence", "shell", "still", "strictness"]),
    ];
    const ENGINE: &[(&str, &[&str])] = &[];
    const PROGRAM: &[(&str, &[&str])] = &[
        ("doctor", &["backend", "libav"]),
        // Its answers name filters and sequences.
        ("cli", &["filter", "sequence", "shell", "thread"]),
        ("backend", &["engine", "frame", "pass", "plan"]),
    ];
    let mut wrong = Vec::new();
    for (name, folder) in CRATES {
        let may_import = match name {
            "filter" => FILTER,
            "media" => MEDIA,
            "warpreel" => PROGRAM,
            _ => ENGINE,
        };
        let sources = files(folder, &["rs"]);
        assert!(!sources.is_empty(), "{folder} has sources");
        for (path, text) in sources {
            let module = path[folder.len() + 1..].split(['/', '.']).next().unwrap();
            let Some((_, allowed)) = may_import.iter().find(|(name, _)| *name == module) else { continue };
            for line in code(&text) {
                for import in line.split("crate::").skip(1) {
                    let target = import.split(|c: char| !c.is_alphanumeric() && c != '_').next().unwrap();
                    if target != module && !allowed.contains(&target) && !target.is_empty() {
                        wrong.push(format!("{path} imports {target}"));
                    }
                }
            }
        }
    }
    assert_eq!(wrong, Vec::<String>::new());
}

/// The module that a file is: `src/bench/html/mod.rs` is `bench::html`.
fn module(path: &str) -> Vec<&str> {
    let path = path.trim_start_matches("src/").trim_end_matches(".rs").trim_end_matches("/mod");
    path.split('/').collect()
}

/// The paths that a piece of code names after `super::`, `self::` and the like, groups in braces taken apart.
fn named(code: &str, found: &mut Vec<Vec<String>>, before: &[String]) {
    let code = code.trim_start();
    if let Some(group) = code.strip_prefix('{') {
        let (mut depth, mut from) = (1, 0);
        for (at, sign) in group.char_indices() {
            depth += i32::from(sign == '{') - i32::from(sign == '}');
            if depth == 0 || (depth == 1 && sign == ',') {
                named(&group[from..at], found, before);
                from = at + 1;
            }
            if depth == 0 {
                return;
            }
        }
        return;
    }
    let word: String = code.chars().take_while(|sign| sign.is_alphanumeric() || *sign == '_').collect();
    let path = [before, std::slice::from_ref(&word)].concat();
    match code[word.len()..].strip_prefix("::") {
        Some(rest) => named(rest, found, &path),
        None => found.push(path),
    }
}

/// The modules out of `all` that a file's code names, itself and what lies around it left out.
fn imports<'a>(own: &[&str], text: &str, all: &[Vec<&'a str>]) -> Vec<Vec<&'a str>> {
    let code = code(text).collect::<Vec<_>>().join("\n");
    let mut paths: Vec<Vec<String>> = Vec::new();
    let base = |depth: usize| own[..depth].iter().map(|&word| word.to_owned()).collect::<Vec<_>>();
    for (start, depth) in [("crate::", 0), ("self::", own.len()), ("super::", own.len() - 1)] {
        for (at, _) in code.match_indices(start).filter(|(at, _)| !code[..*at].ends_with("super::")) {
            let rest = code[at + start.len()..].trim_start_matches("super::");
            let further = (code[at + start.len()..].len() - rest.len()) / "super::".len();
            named(rest, &mut paths, &base(depth.saturating_sub(further)));
        }
    }
    // A folder names its files without `self::`.
    for child in all.iter().filter(|module| module.len() == own.len() + 1 && module.starts_with(own)) {
        let start = format!("use {}::", child[own.len()]);
        for (at, _) in code.match_indices(&start) {
            named(&code[at + "use ".len()..], &mut paths, &base(own.len()));
        }
    }
    let known = |path: &Vec<String>| {
        (1..=path.len()).rev().find_map(|length| all.iter().find(|module| path[..length] == module[..]).cloned())
    };
    paths.iter().filter_map(known).filter(|module| module != own).collect()
}

#[test]
fn files_of_a_folder_import_one_way_too() {
    let sources = files("src", &["rs"]);
    let all: Vec<Vec<&str>> = sources.iter().map(|(path, _)| module(path)).collect();
    for folder in ["bench", "cli"] {
        let mut left: Vec<(Vec<&str>, Vec<Vec<&str>>)> = sources
            .iter()
            .map(|(path, text)| (module(path), text))
            .filter(|(own, _)| own[0] == folder)
            .map(|(own, text)| (own.clone(), imports(&own, text, &all)))
            .collect();
        assert!(
            folder != "bench" || left.iter().any(|(own, of)| own == &["bench", "html"] && of.len() > 2),
            "{left:?}"
        );
        // What imports nothing that is left is on no circle.
        loop {
            let names: Vec<Vec<&str>> = left.iter().map(|(own, _)| own.clone()).collect();
            let before = left.len();
            left.retain(|(_, of)| of.iter().any(|module| names.contains(module)));
            if left.len() == before {
                break;
            }
        }
        let circle: Vec<String> = left.iter().map(|(own, _)| own.join("::")).collect();
        assert_eq!(circle, Vec::<String>::new(), "these import each other, or what does");
    }
}

#[test]
fn each_library_has_its_corner() {
    let corners: [(&str, &[&str]); 6] = [
        (
            "ffmpeg",
            &[
                "crates/ffmpeg",
                "crates/media/src/libav",
                "crates/media/src/source/container",
                "crates/media/src/sink/container",
            ],
        ),
        ("cudarc", &["crates/cuda"]),
        ("crossbeam_channel", &["crates/engine/src/pipeline", "crates/engine/src/session.rs"]),
        ("clap", &["src/cli.rs", "src/cli/"]),
        ("svg", &["crates/filter/src/filter/drawing"]),
        (
            "unsafe ",
            &[
                "crates/ffmpeg",
                "crates/media/src/libav",
                "crates/cuda",
                "crates/cpu",
                "crates/frame/src/decoding.rs",
                "crates/frame/src/encoding.rs",
                "crates/frame/src/memory.rs",
                "crates/frame/src/storage.rs",
                "python/src/foreign.rs",
                "python/src/memory.rs",
                "python/src/tensor.rs",
                "vapoursynth/src/ffi",
            ],
        ),
    ];
    let mut wrong = Vec::new();
    for (path, text) in [sources(), files("python/src", &["rs"]), files("vapoursynth/src", &["rs"])].concat() {
        for (word, homes) in corners {
            let named = |line: &str| match word {
                "unsafe " => line.contains(word),
                "ffmpeg" => ["ffmpeg_next", "ffmpeg_sys_next", " ffmpeg::"].iter().any(|name| line.contains(name)),
                library => line.contains(&format!("{library}::")) || line.contains(&format!("use {library}")),
            };
            if code(&text).any(named) && !homes.iter().any(|home| path.starts_with(home)) {
                wrong.push(format!("{path} names {word}"));
            }
        }
    }
    assert_eq!(wrong, Vec::<String>::new());
}

#[test]
fn nothing_but_the_program_prints_or_exits() {
    let mut wrong = Vec::new();
    for (path, text) in sources() {
        if ["src/main.rs", "src/signal.rs"].contains(&path.as_str()) {
            continue;
        }
        for word in ["println!", "print!(", "eprint!", "process::exit", "dbg!", "todo!", "unimplemented!"] {
            if code(&text).any(|line| line.contains(word)) {
                wrong.push(format!("{path} says {word}"));
            }
        }
    }
    assert_eq!(wrong, Vec::<String>::new());
}

#[test]
fn files_stay_readable() {
    let all = [sources(), files("tests", &["rs"]), files("kernels", &["cu", "cuh"]), files("python", &["rs", "py"])];
    let all = all.concat();
    let long: Vec<_> =
        all.iter().filter(|(_, text)| text.lines().count() > 420).map(|(path, _)| path.as_str()).collect();
    assert_eq!(long, Vec::<&str>::new(), "which room should be two?");
}

#[test]
fn every_file_says_what_it_holds() {
    let silent: Vec<_> = [sources(), files("tests", &["rs"]), files("python", &["rs"])]
        .concat()
        .into_iter()
        .filter(|(_, text)| !text.starts_with("//!"))
        .map(|(path, _)| path)
        .collect();
    assert_eq!(silent, Vec::<String>::new());
}

/// The crate of `fuzz` shares files of the tests by their paths, and nothing here builds it: it has each module that they name.
#[test]
fn the_fuzz_crate_has_the_modules_that_its_files_name() {
    let main = fs::read_to_string(root().join("fuzz/src/main.rs")).unwrap();
    let modules: Vec<_> = main.lines().filter_map(|line| line.strip_prefix("mod ")?.split([' ', ';']).next()).collect();
    let paths =
        main.lines().filter_map(|line| line.strip_prefix("#[path = \"../../tests/")?.split(['/', '\"', '.']).next());
    let shared: Vec<_> = paths.map(|name| format!("tests/{name}")).collect();
    let shared = files("tests", &["rs"]).into_iter().filter(|(path, _)| {
        let top = path.trim_end_matches(".rs");
        shared.iter().any(|shared| top == shared || top.starts_with(&format!("{shared}/")))
    });
    let mut missing = Vec::new();
    for (path, text) in shared {
        for line in code(&text) {
            let named = line.split("crate::").skip(1).filter_map(|rest| rest.split([':', ';', ' ', '(']).next());
            let named = named.filter(|name| !modules.contains(name)).map(|name| format!("{path}: {name}"));
            missing.extend(named);
        }
    }
    assert!(modules.len() > 3, "there is something to look at");
    assert_eq!(missing, Vec::<String>::new());
}

/// Unit tests of a library that says it has none would never run.
#[test]
fn libraries_without_tests_have_none() {
    for (name, folder) in CRATES.iter().copied().chain([("python", "python/src"), ("vapoursynth", "vapoursynth/src")]) {
        let manifest = root().join(folder).parent().unwrap().join("Cargo.toml");
        let manifest = fs::read_to_string(manifest).unwrap();
        let library = manifest.split("\n[").find(|section| section.starts_with("lib]")).unwrap_or_default();
        let tested = files(folder, &["rs"]).into_iter().filter(|(_, text)| text.contains("#[cfg(test)]"));
        let tested: Vec<_> = tested.map(|(path, _)| path).collect();
        assert!(
            !library.lines().any(|line| line == "test = false") || tested.is_empty(),
            "{name} never runs the tests of {tested:?}"
        );
    }
}
