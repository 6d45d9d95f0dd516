//! NVRTC as Python's packages bring it.

use std::path::{Path, PathBuf};

use warpreel::backend::cuda::library::Nvrtc;

/// Every NVRTC below the folder of packages that holds the one that the tests use.
fn installed() -> Vec<PathBuf> {
    let named = std::env::var_os("WARPREEL_NVRTC").map(PathBuf::from);
    let packages = named.as_deref().and_then(|path| path.ancestors().nth(3)).map(Path::to_owned);
    let files = ["cuda_nvrtc/lib/libnvrtc.so.12", "cu13/lib/libnvrtc.so.13"];
    files.iter().filter_map(|file| Some(packages.as_ref()?.join(file))).filter(|path| path.is_file()).collect()
}

/// Version 13 does not find its declarations by itself, which shows only when something is compiled.
#[test]
fn packages_of_both_versions_compile() {
    let installed = installed();
    if installed.len() < 2 {
        assert!(std::env::var_os("REQUIRE_NVRTC").is_none(), "REQUIRE_NVRTC is set, but only {installed:?} is there");
        println!("skipped: {} of two versions are installed", installed.len());
        return;
    }
    for (path, major) in installed.iter().zip([12, 13]) {
        let nvrtc = Nvrtc::open(path).unwrap_or_else(|error| panic!("{error:#}"));
        assert_eq!(nvrtc.version.0, major, "{}", path.display());
        let options = ["--gpu-architecture=sm_90".to_owned()];
        let source = "__global__ void none(float *to) { *to = __fmaf_rn(*to, *to, 1.0f); }";
        let cubin = nvrtc.compile("none.cu", source, &options);
        let cubin = cubin.unwrap_or_else(|error| panic!("{}: {error:#}", path.display()));
        assert!(cubin.starts_with(b"\x7fELF"), "machine code is an ELF file");
    }
}
