//! No two files import each other, also not by way of others.
//!
//! Imports are read from the text: `use` declarations and paths in code. A name that a module only hands on (`pub use`)
//! counts for the file that defines it, so that a `mod.rs` of declarations is in nobody's way.

use std::collections::{BTreeMap, BTreeSet};

use super::{CRATES, code, files};

/// A module by its path below the crate; the crate itself is empty.
type Module = Vec<String>;

/// A name that a file brings in.
struct Import {
    path: Vec<String>,
    /// What it is called here.
    name: String,
    is_public: bool,
}

struct File {
    imports: Vec<Import>,
    /// The code without its imports.
    rest: String,
}

struct Crate(BTreeMap<Module, File>);

fn is_word(c: char) -> bool {
    c.is_alphanumeric() || c == '_'
}

/// The names of a `use` tree such as `a::{b, c::{self, d as e}}`.
fn names(tree: &str, before: &[String], is_public: bool, found: &mut Vec<Import>) {
    let segments =
        |text: &str| text.split("::").map(|part| part.trim().to_owned()).filter(|part| !part.is_empty()).collect();
    if let Some(open) = tree.find('{') {
        let mut path = before.to_vec();
        let head: Vec<String> = segments(&tree[..open]);
        path.extend(head);
        let (mut depth, mut start) = (0, open + 1);
        let close = tree.rfind('}').expect("braces come in pairs");
        for (at, c) in tree[..close].char_indices().skip_while(|(at, _)| *at <= open).chain([(close, ',')]) {
            match c {
                '{' => depth += 1,
                '}' => depth -= 1,
                ',' if depth == 0 => {
                    names(&tree[start..at], &path, is_public, found);
                    start = at + 1;
                }
                _ => {}
            }
        }
        return;
    }
    let (typed, alias) = tree.split_once(" as ").map_or((tree, None), |(typed, alias)| (typed, Some(alias.trim())));
    let own: Vec<String> = segments(typed);
    let mut path = [before.to_vec(), own].concat();
    if path.last().is_some_and(|last| last == "self") && path.len() > 1 {
        path.pop();
    }
    let Some(last) = path.last().cloned() else { return };
    found.push(Import { path, name: alias.map_or(last, str::to_owned), is_public });
}

fn read(text: &str) -> File {
    // Tests at the end of a file may look at anything.
    let lines: Vec<&str> = code(text).take_while(|line| !line.contains("#[cfg(test)]")).collect();
    let (mut imports, mut rest, mut open) = (Vec::new(), String::new(), String::new());
    for line in lines {
        let begins = ["use ", "pub use ", "pub(crate) use ", "pub(super) use "];
        if open.is_empty() && !begins.iter().any(|word| line.trim_start().starts_with(word)) {
            rest += line;
            rest.push('\n');
            continue;
        }
        open += line.trim();
        open.push(' ');
        if let Some(end) = open.find(';') {
            let (head, tree) = open[..end].split_once("use ").expect("it begins so");
            names(tree, &[], head.contains("pub"), &mut imports);
            open.clear();
        }
    }
    File { imports, rest }
}

impl Crate {
    fn new(folder: &str) -> Self {
        let module = |path: &str| -> Option<Module> {
            let path = path.strip_prefix(folder)?.strip_prefix('/')?.strip_suffix(".rs")?;
            let mut parts: Module = path.split('/').map(str::to_owned).collect();
            match parts.last().map(String::as_str) {
                Some("mod") => _ = parts.pop(),
                Some("lib") if parts.len() == 1 => parts.clear(),
                _ => {}
            }
            Some(parts)
        };
        Self(files(folder, &["rs"]).iter().filter_map(|(path, text)| Some((module(path)?, read(text)))).collect())
    }

    /// A path as it is written in `from`, from the crate's root; `None` if it leads out of the crate.
    fn absolute(&self, from: &Module, path: &[String]) -> Option<Vec<String>> {
        let first = path.first()?.as_str();
        match first {
            "crate" => Some(path[1..].to_vec()),
            "self" => Some([from, &path[1..]].concat()),
            "super" => {
                let up = path.iter().take_while(|part| *part == "super").count();
                Some([&from[..from.len().checked_sub(up)?], &path[up..]].concat())
            }
            _ => {
                let here = [from, &path[..1]].concat();
                self.0.contains_key(&here).then(|| [from, path].concat())
            }
        }
    }

    /// The file that defines what an absolute path leads to; `None` if it is in another crate.
    fn home(&self, path: &[String], depth: usize) -> Option<Module> {
        let mut module = Module::new();
        for (at, part) in path.iter().enumerate() {
            module.push(part.clone());
            if self.0.contains_key(&module) {
                continue;
            }
            module.pop();
            let import = self.0.get(&module).and_then(|file| file.imports.iter().find(|import| import.name == *part));
            let Some(import) = import.filter(|_| depth < 8) else { return Some(module) };
            let target = self.absolute(&module, &import.path)?;
            return self.home(&[&target[..], &path[at + 1..]].concat(), depth + 1);
        }
        Some(module)
    }

    /// The files that a file imports from.
    fn imported(&self, from: &Module) -> BTreeSet<Module> {
        let file = &self.0[from];
        let mentions = |name: &str| file.rest.split(|c| !is_word(c)).any(|word| word == name);
        let used = file.imports.iter().filter(|import| !import.is_public || mentions(&import.name));
        let mut paths: Vec<Vec<String>> = used.map(|import| import.path.clone()).collect();
        // Paths in code, such as `crate::pass::Op` or `super::wording`.
        for word in file.rest.split(|c| !is_word(c) && c != ':').filter(|word| word.contains("::")) {
            let path: Vec<String> = word.split("::").filter(|part| !part.is_empty()).map(str::to_owned).collect();
            let alias = file.imports.iter().find(|import| path.first() == Some(&import.name));
            paths.push(alias.map_or_else(|| path.clone(), |import| [&import.path[..], &path[1..]].concat()));
        }
        let homes = paths.iter().filter_map(|path| self.absolute(from, path)).filter_map(|path| self.home(&path, 0));
        homes.filter(|home| home != from).collect()
    }

    /// What is left when files are taken away that import nothing that is left, and those that nothing left imports.
    fn circles(&self) -> Vec<String> {
        let mut edges: BTreeMap<&Module, BTreeSet<Module>> =
            self.0.keys().map(|module| (module, self.imported(module))).collect();
        loop {
            let left: BTreeSet<Module> = edges.keys().map(|module| (*module).clone()).collect();
            let imported: BTreeSet<Module> = edges.values().flatten().cloned().collect();
            let before = edges.len();
            edges.retain(|module, to| to.iter().any(|to| left.contains(to)) && imported.contains(*module));
            if edges.len() == before {
                break;
            }
        }
        let left: BTreeSet<Module> = edges.keys().map(|module| (*module).clone()).collect();
        let line = |(module, to): (&&Module, &BTreeSet<Module>)| {
            let to: Vec<String> = to.intersection(&left).map(|to| to.join("/")).collect();
            format!("{} -> {}", module.join("/"), to.join(", "))
        };
        edges.iter().map(line).collect()
    }
}

#[test]
fn imports_make_no_circle() {
    let of = |path: &str| path.split('/').map(str::to_owned).collect::<Module>();
    for (name, folder) in CRATES {
        let all = Crate::new(folder);
        assert!(!all.0.is_empty(), "{folder} has sources");
        if name == "engine" {
            assert!(all.imported(&of("pipeline/filter")).contains(&of("pipeline/message")), "it sees a neighbour");
        }
        if name == "filter" {
            assert!(
                all.imported(&of("plan/chain")).contains(&of("filter/chain")),
                "also through a module that re-exports"
            );
        }
        assert_eq!(all.circles(), Vec::<String>::new(), "in {folder}");
    }
}

/// The finder finds what it is there for.
#[test]
fn a_circle_is_found() {
    let file = |path: &str, text: &str| (path.split('/').map(str::to_owned).collect::<Module>(), read(text));
    let mut all = Crate(BTreeMap::from([
        file("a", "mod b;\npub mod c;\npub use b::B;\n"),
        file("a/b", "use super::c::{self, C};\nstruct B;\n"),
        file("a/c", "fn f() -> crate::a::B { todo() }\nstruct C;\n"),
        file("d", "use crate::a::B;\n"),
    ]));
    assert_eq!(all.circles(), ["a/b -> a/c", "a/c -> a/b"]);
    all.0.extend([file("a/c", "// crate::a::B\nstruct C;\n")]);
    assert_eq!(all.circles(), Vec::<String>::new());
}
