//! Chains that lie in files.

use std::path::Path;

use tempfile::TempDir;
use warpreel::filter::{Defaults, Filter, RECIPES, SyntaxError, describe, files, list, parse};
use warpreel::frame::Pixel;

use super::chain;

/// What the file becomes, read as a chain.
fn read(text: &str) -> (String, Result<Vec<Filter>, SyntaxError>) {
    let folder = TempDir::new().expect("a folder");
    let path = folder.path().join("chain.txt");
    std::fs::write(&path, text).expect("a file");
    let name = format!("@{}", path.display());
    (path.display().to_string(), parse(&name, &Defaults::default()))
}

fn same(text: &str, typed: &str) {
    let (_, read) = read(text);
    // A kernel is compared without the text that it was read from.
    let pixel = Pixel::yuv420p(8);
    let meaning = |filter: Filter| (filter.spec.name, filter.wanted(pixel, 0).expect("wanted"));
    let read = read.unwrap_or_else(|error| panic!("{text:?}: {error}")).into_iter().map(meaning);
    assert_eq!(read.collect::<Vec<_>>(), chain(typed).into_iter().map(meaning).collect::<Vec<_>>(), "{text:?}");
}

#[test]
fn lines_are_filters() {
    same("gaussian=2", "gaussian=2");
    same("gaussian=2,box=1\n", "gaussian=2,box=1");
    same("gaussian=2\nbox=1\n", "gaussian=2,box=1");
    same("gaussian=2,\nbox=1,\n\nsobel", "gaussian=2,box=1,sobel");
    same("\u{feff}gaussian=2\r\nbox=1\r\n", "gaussian=2,box=1");
    same("\n\n  gaussian=2  \n\n\n  box=1\n\n", "gaussian=2,box=1");
}

#[test]
fn a_filter_may_take_several_lines() {
    same("unsharp\n,box", "unsharp,box");
    same("gaussian=\n  sigma=2:\n  border=zero\nbox", "gaussian=sigma=2:border=zero,box");
    same("gaussian=sigma=2\n  :border=zero\nbox", "gaussian=sigma=2:border=zero,box");
    same("kernel=0 -1 0;\n-1 5 -1;\n0 -1 0\nbox", "kernel=0 -1 0; -1 5 -1; 0 -1 0,box");
    same("kernel='\n0 -1 0\n-1 5 -1\n0 -1 0'\nbox", "kernel='\n0 -1 0\n-1 5 -1\n0 -1 0',box");
    for end in ["\n", "\r\n"] {
        same(&format!("kernel=1 2 \\{end} 1\nbox"), "kernel=1 2      1,box");
    }
}

#[test]
fn comments_end_with_the_line_and_begin_outside_quotes() {
    same("# äöü, 'it''s: nothing\ngaussian=2 # wide\n#box\nsobel # 'last", "gaussian=2,sobel");
    same("gaussian=2, # first\nbox", "gaussian=2,box");
    same("kernel='1 2 1 # taps\n'\nbox", "kernel='1 2 1 # taps\n',box");
    same("box # \\\nsobel", "box,sobel");
}

#[test]
fn errors_name_the_file_and_its_line() {
    let (path, read) = read("# ä comment\nbox=2,\n  gausian=2 # oh\n");
    let error = read.expect_err("no such filter");
    let line = error.to_string();
    let start = format!("unknown filter \"gausian\" at line 3, character 3 of {path}; did you mean");
    assert!(line.starts_with(&start), "{line}");
    assert_eq!(error.caret(), "  gausian=2 # oh\n  ^^^^^^^");
}

#[test]
fn files_without_a_filter_are_refused() {
    for (text, fault) in
        [("", "holds no filter"), (" \n# nothing\n", "holds no filter"), ("\u{feff}", "holds no filter")]
    {
        let (path, read) = read(text);
        let line = read.expect_err("no filter").to_string();
        assert!(line.starts_with(&format!("the chain file \"{path}\" {fault}; type @")), "{line}");
    }
    for (name, fault) in [
        ("no/such.txt", "cannot be read: no such file or directory"),
        ("", "cannot be read"),
        (".", "cannot be read: is a"),
    ] {
        let line = parse(&format!("@{name}"), &Defaults::default()).expect_err("no file").to_string();
        assert!(line.contains(&format!("the chain file \"{name}\" {fault}")), "{line}");
        assert!(line.ends_with("; type @ and the name of a text file with filters, or a recipe: @vhs, @film-grain, @webcam, @timelapse, @anime"), "{line}");
    }
    let folder = TempDir::new().expect("a folder");
    let path = folder.path().join("binary");
    std::fs::write(&path, b"\xff\xfe").expect("a file");
    let line = parse(&format!("@{}", path.display()), &Defaults::default()).expect_err("binary").to_string();
    assert!(line.contains("is not text"), "{line}");
    let line = parse("@/dev/zero", &Defaults::default()).expect_err("endless").to_string();
    assert!(line.contains("is longer than"), "{line}");
}

#[test]
fn the_files_of_a_chain_are_those_in_its_file_too() {
    let folder = TempDir::new().expect("a folder");
    let path = folder.path().join("chain.txt");
    std::fs::write(&path, "kernel=taps.txt # and\nbox:\nbox=mask=m.png\n").expect("a file");
    let path = path.display().to_string();
    assert_eq!(files(&format!("@{path}")), [path.as_str(), "taps.txt"]);
    std::fs::write(&path, "kernel=taps.txt # and\nbox=mask=m.png\n").expect("a file");
    assert_eq!(files(&format!("@{path}")), [path.as_str(), "taps.txt", "m.png"]);
    assert_eq!(files("@no/such.txt"), ["no/such.txt"]);
    assert!(Path::new(&path).exists());
}

#[test]
fn recipes_have_names() {
    for recipe in RECIPES {
        let name = format!("@{}", recipe.name);
        let named = parse(&name, &Defaults::default()).unwrap_or_else(|error| panic!("{name}: {error}"));
        let (_, read) = read(recipe.text);
        let texts = |filters: Vec<Filter>| filters.into_iter().map(|filter| filter.to_string()).collect::<Vec<_>>();
        assert_eq!(texts(named), texts(read.expect(recipe.name)), "{name}");
        assert!(files(&name).is_empty(), "{name} reads no file");
        assert!(list().contains(&name), "{name} is listed");
        let page = describe(&name).expect(recipe.name);
        assert!(page.starts_with(&format!("{name}: {}", recipe.summary)) && page.contains(recipe.text), "{page}");
        let docs = include_str!(concat!(env!("CARGO_MANIFEST_DIR"), "/docs/recipes.md"));
        assert!(docs.contains(&format!("| `{name}` | ")) && docs.contains(&format!("recipes/{}.jpg", recipe.name)));
    }
    for (typed, hint) in [("@vsh", "did you mean \"@vhs\"?"), ("@zzz", "or a recipe: @vhs, @film-grain, @webcam")] {
        let error = parse(typed, &Defaults::default()).expect_err(typed).to_string();
        assert!(error.contains(hint), "{error}");
    }
}
