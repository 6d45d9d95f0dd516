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
