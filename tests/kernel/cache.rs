//! Compiled kernels on disk: kept, found again, and not believed when damaged.

use warpreel::backend::cuda::compile::{Cache, Compiler};
use warpreel::backend::cuda::program::Program;
use warpreel::frame::Pixel;
use warpreel::pass::{Arithmetic, Border};

use super::compile::nvrtc;
use super::op::{LIMITS, pass, separable};

#[test]
fn entries() {
    let folder = tempfile::tempdir().expect("a folder");
    let cache = Cache::at(&folder.path().join("kernels"));
    assert_eq!(cache.read("a"), None, "nothing was written");
    cache.write("a", b"machine code").expect("an entry");
    assert_eq!(cache.read("a").as_deref(), Some(&b"machine code"[..]));
    cache.write("a", b"better code").expect("another");
    assert_eq!(cache.read("a").as_deref(), Some(&b"better code"[..]));

    let path = cache.path("a");
    let whole = std::fs::read(&path).expect("the entry");
    for cut in [0, 7, 32, whole.len() - 1] {
        std::fs::write(&path, &whole[..cut]).expect("a cut");
        assert_eq!(cache.read("a"), None, "cut to {cut} bytes");
    }
    let mut damaged = whole.clone();
    damaged[40] ^= 1;
    std::fs::write(&path, &damaged).expect("damage");
    assert_eq!(cache.read("a"), None);
}

#[test]
fn a_damaged_entry_is_compiled_again() {
    let Some(nvrtc) = nvrtc() else { return };
    let folder = tempfile::tempdir().expect("a folder");
    let target = nvrtc.target(90).expect("sm_90");
    let program = Program::new(
        &pass(vec![separable([1, 3, 3], 1.0, Arithmetic::Integer, Border::Clamp)]),
        Pixel::gray(8),
        LIMITS,
    );
    let compile = || Compiler::new(&nvrtc, target, Some(Cache::at(folder.path()))).cubin(&program).expect("code");
    let first = compile();
    let entry = folder.path().read_dir().expect("a folder").next().expect("an entry").expect("an entry").path();
    std::fs::write(&entry, b"nonsense").expect("damage");
    assert_eq!(compile(), first);
    assert!(std::fs::metadata(&entry).expect("the entry").len() > first.len() as u64, "it was replaced");
}

/// A folder that cannot be written, a file in its place, an entry that is a folder: kernels are compiled each time.
#[test]
fn a_cache_that_cannot_be_written_is_none() {
    let Some(nvrtc) = nvrtc() else { return };
    let folder = tempfile::tempdir().expect("a folder");
    let file = folder.path().join("file");
    std::fs::write(&file, b"no folder").expect("a file");
    let target = nvrtc.target(90).expect("sm_90");
    let op = separable([1, 3, 3], 1.0, Arithmetic::Integer, Border::Clamp);
    let program = Program::new(&pass(vec![op]), Pixel::gray(8), LIMITS);
    let compile = |cache: Cache| Compiler::new(&nvrtc, target, Some(cache)).cubin(&program).expect("code");
    let first = compile(Cache::at(&folder.path().join("good")));
    for place in [file.clone(), file.join("below"), "/proc/self/none".into(), "/dev/full/none".into()] {
        let cache = Cache::at(&place);
        assert!(cache.write("a", b"code").is_err() && cache.read("a").is_none(), "{place:?}");
        assert_eq!(compile(cache), first, "{place:?}");
    }
    let good = folder.path().join("good");
    let entry = good.read_dir().expect("a folder").next().expect("an entry").expect("an entry").path();
    std::fs::remove_file(&entry).expect("the entry");
    std::fs::create_dir_all(entry.join("full")).expect("a folder");
    assert_eq!(compile(Cache::at(&good)), first);
}
