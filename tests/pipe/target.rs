//! Outputs that are never half-written.

use std::fs;
use std::io::Write;
use std::os::unix::fs::{PermissionsExt, symlink};
use std::path::Path;
use std::sync::Arc;

use warpreel::frame::{Format, Pixel, Rational};
use warpreel::sink::target::{remove_unfinished, same_place};
use warpreel::sink::{Output, Overwrite, Sink, Target, raw::Raw};

use super::{flat, folder, message};

fn write(target: &Target, bytes: &[u8]) {
    target.file().unwrap().write_all(bytes).unwrap();
}

/// The names in a folder, in order.
fn names(folder: &Path) -> Vec<String> {
    let mut names: Vec<_> =
        fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().file_name().into_string().unwrap()).collect();
    names.sort();
    names
}

fn mode(path: &Path) -> u32 {
    fs::metadata(path).unwrap().permissions().mode() & 0o777
}

#[test]
fn the_name_stands_when_the_file_is_complete() {
    let folder = folder();
    let path = folder.path().join("out.mp4");
    let target = Target::create(&path, Overwrite::Refuse).unwrap();
    write(&target, b"new");
    assert!(!path.exists());
    let name = target.write_path().file_name().unwrap().to_str().unwrap().to_owned();
    assert!(name.starts_with(".out.mp4.") && name.ends_with(".part"), "{name}");
    target.commit().unwrap();
    assert_eq!((fs::read(&path).unwrap(), names(folder.path())), (b"new".to_vec(), vec!["out.mp4".to_owned()]));
    let ordinary = folder.path().join("ordinary");
    fs::write(&ordinary, "").unwrap();
    assert_eq!(mode(&path), mode(&ordinary), "the permissions of any new file");
}

#[test]
fn what_is_not_complete_disappears() {
    let folder = folder();
    let target = Target::create(&folder.path().join("out"), Overwrite::Refuse).unwrap();
    write(&target, b"half");
    drop(target);
    let target = Target::sequence(&folder.path().join("out%d.png"), Overwrite::Refuse).unwrap();
    fs::write(target.write_path(), b"half").unwrap();
    drop(target);
    assert!(names(folder.path()).is_empty());
}

/// Plays both roles: the test, and the program that exits at once, which needs a process of its own.
#[test]
fn a_program_that_exits_at_once_leaves_nothing() {
    const ROLE: &str = "WARPREEL_TEST_EXITS_IN";

    if let Some(folder) = std::env::var_os(ROLE) {
        let folder = Path::new(&folder);
        let file = Target::create(&folder.join("out"), Overwrite::Refuse).unwrap();
        write(&file, b"half");
        let files = Target::sequence(&folder.join("%d"), Overwrite::Refuse).unwrap();
        sequence(&files, &["1"]);
        Target::create(&folder.join("complete"), Overwrite::Refuse).unwrap().commit().unwrap();
        assert_eq!(names(folder).len(), 3);
        remove_unfinished();
        std::process::exit(17);
    }
    let folder = folder();
    let mut program = std::process::Command::new(std::env::current_exe().unwrap());
    let test = "pipe::target::a_program_that_exits_at_once_leaves_nothing";
    let output = program.args(["--exact", test]).env(ROLE, folder.path()).output().unwrap();
    assert_eq!(output.status.code(), Some(17), "{output:?}");
    assert_eq!(names(folder.path()), ["complete"]);
}

#[test]
fn what_exists_survives() {
    let folder = folder();
    let path = folder.path().join("out");
    fs::write(&path, "old").unwrap();
    fs::set_permissions(&path, fs::Permissions::from_mode(0o640)).unwrap();
    let refusal = message(Target::create(&path, Overwrite::Refuse));
    assert!(refusal.contains("out\": it exists; add -y"), "{refusal}");
    let target = Target::create(&path, Overwrite::Replace).unwrap();
    write(&target, b"half");
    drop(target);
    assert_eq!(fs::read(&path).unwrap(), b"old");
    let target = Target::create(&path, Overwrite::Replace).unwrap();
    write(&target, b"new");
    assert_eq!(fs::read(&path).unwrap(), b"old");
    target.commit().unwrap();
    assert_eq!((fs::read(&path).unwrap(), mode(&path)), (b"new".to_vec(), 0o640));
    assert_eq!(names(folder.path()), ["out"]);
}

#[test]
fn what_appears_in_the_meantime_survives_and_nothing_is_lost() {
    let folder = folder();
    let path = folder.path().join("out");
    let target = Target::create(&path, Overwrite::Refuse).unwrap();
    write(&target, b"ours");
    fs::write(&path, "theirs").unwrap();
    let kept = target.write_path().to_owned();
    let refusal = message(target.commit());
    assert!(refusal.contains("the finished part is kept as"), "{refusal}");
    assert!(refusal.contains(kept.file_name().unwrap().to_str().unwrap()), "{refusal}");
    assert_eq!((fs::read(&path).unwrap(), fs::read(&kept).unwrap()), (b"theirs".to_vec(), b"ours".to_vec()));
}

#[test]
fn links_stay_links() {
    let folder = folder();
    let (real, link) = (folder.path().join("real"), folder.path().join("link"));
    symlink("real", &link).unwrap();
    assert!(message(Target::create(&link, Overwrite::Refuse)).contains("it is a link to"));
    for (overwrite, bytes) in [(Overwrite::Replace, b"first"), (Overwrite::Replace, b"again")] {
        let target = Target::create(&link, overwrite).unwrap();
        write(&target, bytes);
        target.commit().unwrap();
        assert!(link.symlink_metadata().unwrap().is_symlink());
        assert_eq!(fs::read(&real).unwrap(), bytes);
    }
    symlink("loop", folder.path().join("loop")).unwrap();
    assert!(!message(Target::create(&folder.path().join("loop"), Overwrite::Replace)).is_empty());
}

#[test]
fn what_cannot_be_written_is_named() {
    let folder = folder();
    let directory = message(Target::create(folder.path(), Overwrite::Replace));
    assert!(directory.contains("it is a directory"), "{directory}");
    let missing = message(Target::create(&folder.path().join("no/out.mp4"), Overwrite::Refuse));
    assert!(missing.contains("does not exist; make it with: mkdir -p"), "{missing}");
    let file = folder.path().join("file");
    fs::write(&file, "").unwrap();
    let under = message(Target::create(&file.join("out.mp4"), Overwrite::Refuse));
    assert!(under.contains("Not a directory"), "{under}");
    let slash = message(Target::create(&folder.path().join("out/"), Overwrite::Refuse));
    assert!(slash.contains("no file name"), "{slash}");
    // Even root may not make files here.
    let system = message(Target::create(Path::new("/proc/out.mp4"), Overwrite::Refuse));
    assert!(system.contains("write into folder \"/proc\""), "{system}");
}

#[test]
fn long_names_are_possible() {
    let folder = folder();
    let path = folder.path().join("x".repeat(255));
    Target::create(&path, Overwrite::Refuse).unwrap().commit().unwrap();
    assert!(path.exists());
}

#[test]
fn devices_are_written_directly() {
    for path in ["/dev/null", "/dev/full"].map(Path::new) {
        let target = Target::create(path, Overwrite::Refuse).unwrap();
        assert_eq!(target.write_path(), path);
        target.file().unwrap();
        target.commit().unwrap();
        assert!(path.exists());
    }
}

#[test]
fn a_full_disk_is_named() {
    let format = Arc::new(Format::new(Pixel::gray(8), 64, 64, Rational::new(25, 1)));
    let output = Output::file(Target::create(Path::new("/dev/full"), Overwrite::Refuse).unwrap()).unwrap();
    let refusal = message(Raw::create(output).unwrap().put(flat(&format, 0, 7)));
    assert!(refusal.starts_with("write frame 7 of \"/dev/full\": No space left on device"), "{refusal}");
}

#[test]
fn video_is_not_written_to_a_terminal() {
    // The master side of a pseudo-terminal is one too.
    let output = Output::file(Target::create(Path::new("/dev/ptmx"), Overwrite::Refuse).unwrap()).unwrap();
    let refusal = message(Raw::create(output));
    assert!(refusal.contains("is a terminal and cannot show video"), "{refusal}");
}

#[test]
fn the_same_file_is_recognised() {
    let folder = folder();
    let path = |name| folder.path().join(name);
    fs::write(path("a"), "").unwrap();
    fs::write(path("b"), "").unwrap();
    fs::hard_link(path("a"), path("hard")).unwrap();
    symlink("a", path("soft")).unwrap();
    for other in ["a", "hard", "soft"] {
        assert!(same_place(&path("a"), &path(other)), "{other}");
    }
    assert!(!same_place(&path("a"), &path("b")) && !same_place(&path("a"), &path("none")));
    assert!(!same_place(Path::new("/dev/null"), Path::new("/dev/null")));
    symlink("new", path("to")).unwrap();
    symlink(".", path("here")).unwrap();
    for other in ["new", "to", "./new", "here/here/new"] {
        assert!(same_place(&path("new"), &path(other)) && same_place(&path(other), &path("new")), "{other}");
    }
    assert!(!same_place(&path("new"), &path("none")) && !same_place(&path("no/new"), &path("no/new")));
}

fn sequence(target: &Target, names: &[&str]) {
    for name in names {
        fs::write(target.write_path().with_file_name(name), name).unwrap();
    }
}

#[test]
fn sequences_are_moved_when_complete() {
    let folder = folder();
    let pattern = folder.path().join("out%04d.png");
    fs::write(folder.path().join("out1.png"), "not one of them").unwrap();
    let target = Target::sequence(&pattern, Overwrite::Refuse).unwrap();
    assert_eq!(target.write_path().file_name(), pattern.file_name());
    assert!(!target.write_path().parent().unwrap().to_str().unwrap().contains('%'));
    sequence(&target, &["out0001.png", "out0002.png"]);
    target.commit().unwrap();
    assert_eq!(names(folder.path()), ["out0001.png", "out0002.png", "out1.png"]);
    let refusal = message(Target::sequence(&pattern, Overwrite::Refuse));
    assert!(refusal.contains("exists; add -y"), "{refusal}");
    let target = Target::sequence(&pattern, Overwrite::Replace).unwrap();
    fs::write(target.write_path().with_file_name("out0001.png"), "again").unwrap();
    target.commit().unwrap();
    assert_eq!(fs::read(folder.path().join("out0001.png")).unwrap(), b"again");
    assert_eq!(names(folder.path()).len(), 3);
}

#[test]
fn sequences_lose_nothing_to_names_that_appear() {
    let folder = folder();
    let target = Target::sequence(&folder.path().join("%d.png"), Overwrite::Refuse).unwrap();
    sequence(&target, &["1.png", "2.png"]);
    fs::write(folder.path().join("2.png"), "theirs").unwrap();
    let written = target.write_path().with_file_name("1.png");
    let refusal = message(target.commit());
    assert!(refusal.contains("\"2.png\" exists now; the output is kept in"), "{refusal}");
    assert_eq!(fs::read(folder.path().join("2.png")).unwrap(), b"theirs");
    assert!(written.exists());
}

#[test]
fn names_without_a_place_for_a_number_are_no_sequence() {
    let folder = folder();
    for name in ["out.png", "out%.png", "out%s.png", "out%+4d.png", "out%04d%d.png", "out%999999999999999999999d.png"] {
        let refusal = message(Target::sequence(&folder.path().join(name), Overwrite::Refuse));
        assert!(refusal.contains("frame%04d.png"), "{name}: {refusal}");
    }
}
