//! NVRTC, NVIDIA's run-time compiler: finding its library and calling it.
//!
//! cudarc's own loader tries fixed names only and panics where none is found, so the nine functions that are needed
//! are called here through `libloading`, from whatever path the search turns up.

use std::env;
use std::ffi::{CStr, CString, c_char, c_int, c_void};
use std::mem::ManuallyDrop;
use std::path::{Path, PathBuf};
use std::ptr;

use anyhow::{Context, Result, bail, ensure};
use libloading::Library;

/// What to type where no NVRTC was found.
const INSTALL: &str = "install it with: pip install nvidia-cuda-nvrtc-cu12 (or set WARPREEL_NVRTC to its path)";
/// File names to look for, the newest first.
const NAMES: [&str; 3] = ["libnvrtc.so.13", "libnvrtc.so.12", "libnvrtc.so"];

type Code = c_int;
type Handle = *mut c_void;

/// The functions of `nvrtc.h` that are called, with its signatures.
struct Functions {
    version: unsafe extern "C" fn(*mut c_int, *mut c_int) -> Code,
    arch_count: unsafe extern "C" fn(*mut c_int) -> Code,
    archs: unsafe extern "C" fn(*mut c_int) -> Code,
    create: unsafe extern "C" fn(
        *mut Handle,
        *const c_char,
        *const c_char,
        c_int,
        *const *const c_char,
        *const *const c_char,
    ) -> Code,
    destroy: unsafe extern "C" fn(*mut Handle) -> Code,
    compile: unsafe extern "C" fn(Handle, c_int, *const *const c_char) -> Code,
    log_bytes: unsafe extern "C" fn(Handle, *mut usize) -> Code,
    log: unsafe extern "C" fn(Handle, *mut c_char) -> Code,
    cubin_bytes: unsafe extern "C" fn(Handle, *mut usize) -> Code,
    cubin: unsafe extern "C" fn(Handle, *mut c_char) -> Code,
}

/// A loaded NVRTC.
pub struct Nvrtc {
    functions: Functions,
    /// Where it was found; a bare name if the system's loader found it.
    pub path: PathBuf,
    /// Major and minor version.
    pub version: (i32, i32),
    /// What it compiles for, as `90` for compute capability 9.0.
    pub archs: Vec<i32>,
    // Never unloaded, so that the functions above never outlive it, nor any thread that it may have started.
    _library: ManuallyDrop<Library>,
    // The declarations that it knows without a header, in a library that it looks for by name while it compiles.
    _declarations: Option<ManuallyDrop<Library>>,
}

impl Nvrtc {
    /// The first library that is of version 12 up to `newest` (a driver loads no code of a later one) and compiles
    /// for `arch`. Both may be left open. The places are: `WARPREEL_NVRTC` (a file or a folder), beside the program,
    /// the system's loader, CUDA's folders, Python's site-packages.
    ///
    /// # Errors
    /// If there is none; the message says what was found instead, and what to install.
    pub fn find(newest: Option<i32>, arch: Option<i32>) -> Result<Self> {
        if let Some(named) = env::var_os("WARPREEL_NVRTC") {
            let named = PathBuf::from(named);
            let found = within(&named).into_iter().chain([named.clone()]).find_map(|path| Self::open(&path).ok());
            return found.with_context(|| format!("WARPREEL_NVRTC={} is not NVRTC 12 or 13", named.display()));
        }
        let mut rejected = None;
        for path in candidates() {
            let Ok(nvrtc) = Self::open(&path) else { continue };
            let serves = newest.is_none_or(|newest| nvrtc.version.0 <= newest)
                && arch.is_none_or(|arch| nvrtc.target(arch).is_some());
            if serves {
                return Ok(nvrtc);
            }
            rejected.get_or_insert(nvrtc);
        }
        let Some(nvrtc) = rejected else { bail!("no NVRTC was found; {INSTALL}") };
        let (major, minor) = nvrtc.version;
        let path = nvrtc.path.display();
        bail!("NVRTC {major}.{minor} ({path}) does not support this driver and GPU; {INSTALL}")
    }

    /// Loads one library.
    ///
    /// # Errors
    /// If its name does not begin as NVRTC's, it is no NVRTC, or not of version 12 or 13.
    pub fn open(path: &Path) -> Result<Self> {
        let is_named = path.file_name().is_some_and(|name| name.as_encoded_bytes().starts_with(b"libnvrtc.so"));
        ensure!(is_named, "{} is not named libnvrtc.so, as NVRTC is", path.display());
        // SAFETY: loading runs the initialisers of a library whose name says that it is NVRTC; it has none that
        // touch this program's memory.
        let library = unsafe { Library::new(path) }.with_context(|| format!("load {}", path.display()))?;
        macro_rules! function {
            ($name:literal) => {
                // SAFETY: the field that this initialises has the signature that `nvrtc.h` of versions 12 and 13
                // gives for the symbol, and the library is never unloaded.
                *unsafe { library.get(concat!($name, "\0").as_bytes()) }
                    .with_context(|| format!("{} lacks {}", path.display(), $name))?
            };
        }
        let functions = Functions {
            version: function!("nvrtcVersion"),
            arch_count: function!("nvrtcGetNumSupportedArchs"),
            archs: function!("nvrtcGetSupportedArchs"),
            create: function!("nvrtcCreateProgram"),
            destroy: function!("nvrtcDestroyProgram"),
            compile: function!("nvrtcCompileProgram"),
            log_bytes: function!("nvrtcGetProgramLogSize"),
            log: function!("nvrtcGetProgramLog"),
            cubin_bytes: function!("nvrtcGetCUBINSize"),
            cubin: function!("nvrtcGetCUBIN"),
        };
        let (mut major, mut minor, mut count) = (0, 0, 0);
        // SAFETY: the pointers are to integers that live through the calls.
        let codes = unsafe { [(functions.version)(&mut major, &mut minor), (functions.arch_count)(&mut count)] };
        ensure!(codes == [0, 0], "{} does not report its version", path.display());
        ensure!((12..=13).contains(&major), "{} is NVRTC {major}.{minor}; 12 and 13 are supported", path.display());
        let mut archs = vec![0; count.max(0) as usize];
        // SAFETY: the array has as many places as the library said that it fills.
        let code = unsafe { (functions.archs)(archs.as_mut_ptr()) };
        ensure!(code == 0, "{} does not report its targets", path.display());
        Ok(Self {
            functions,
            path: path.to_owned(),
            version: (major, minor),
            archs,
            _library: ManuallyDrop::new(library),
            _declarations: declarations(path, (major, minor)).map(ManuallyDrop::new),
        })
    }

    /// What to compile for so that a GPU of `arch` can run it: the same, or else the latest before it of the same
    /// generation, whose machine code it runs too.
    pub fn target(&self, arch: i32) -> Option<i32> {
        self.archs.iter().copied().filter(|&known| known / 10 == arch / 10 && known <= arch).max()
    }

    /// Machine code of `source`. Takes some tenths of a second. May be called from several threads.
    ///
    /// # Errors
    /// If the source does not compile; the message holds the compiler's log.
    pub fn compile(&self, name: &str, source: &str, options: &[String]) -> Result<Vec<u8>> {
        let texts = [source, name].map(CString::new);
        let [Ok(source), Ok(name)] = texts else { bail!("{name} contains a zero byte") };
        let options = options.iter().map(|option| CString::new(option.as_str())).collect::<Result<Vec<_>, _>>()?;
        let pointers: Vec<*const c_char> = options.iter().map(|option| option.as_ptr()).collect();
        let mut program = Running { handle: ptr::null_mut(), functions: &self.functions };
        // SAFETY: all strings end in zero and live through the calls; the handle is the one that was created.
        let code = unsafe {
            let code = (self.functions.create)(
                &mut program.handle,
                source.as_ptr(),
                name.as_ptr(),
                0,
                ptr::null(),
                ptr::null(),
            );
            ensure!(code == 0, "NVRTC failed to start ({code})");
            (self.functions.compile)(program.handle, pointers.len() as c_int, pointers.as_ptr())
        };
        if code != 0 {
            let log = program.bytes(self.functions.log_bytes, self.functions.log).unwrap_or_default();
            let log = CStr::from_bytes_until_nul(&log).map(CStr::to_string_lossy).unwrap_or_default();
            bail!("compile {} ({code}):\n{}", name.to_string_lossy(), log.trim_end());
        }
        program.bytes(self.functions.cubin_bytes, self.functions.cubin).context("read the compiled kernel")
    }
}

/// A program of the compiler, which is destroyed in the end.
struct Running<'a> {
    handle: Handle,
    functions: &'a Functions,
}

impl Running<'_> {
    /// Something of the program that is asked for by size first.
    fn bytes(
        &self,
        size: unsafe extern "C" fn(Handle, *mut usize) -> Code,
        fill: unsafe extern "C" fn(Handle, *mut c_char) -> Code,
    ) -> Result<Vec<u8>> {
        let mut length = 0;
        // SAFETY: the handle is live until this is dropped, and `length` outlives the call.
        let code = unsafe { size(self.handle, &mut length) };
        ensure!(code == 0, "NVRTC failed ({code})");
        let mut bytes = vec![0u8; length];
        // SAFETY: the buffer has the length that the library asked for.
        let code = unsafe { fill(self.handle, bytes.as_mut_ptr().cast()) };
        ensure!(code == 0, "NVRTC failed ({code})");
        Ok(bytes)
    }
}

impl Drop for Running<'_> {
    fn drop(&mut self) {
        if !self.handle.is_null() {
            // SAFETY: the handle was created by the same library and is destroyed once.
            unsafe { (self.functions.destroy)(&mut self.handle) };
        }
    }
}

/// Loads what NVRTC loads by its name alone: the name is then known, even where the system would not look beside NVRTC
/// for it, as with Python's packages of version 13.
fn declarations(nvrtc: &Path, (major, minor): (i32, i32)) -> Option<Library> {
    let path = nvrtc.parent()?.join(format!("libnvrtc-builtins.so.{major}.{minor}"));
    // SAFETY: it holds text only; it has no initialisers that touch this program's memory.
    path.is_file().then(|| unsafe { Library::new(&path) }.ok()).flatten()
}

/// The library's possible files in a folder.
fn within(folder: &Path) -> Vec<PathBuf> {
    NAMES.iter().map(|name| folder.join(name)).filter(|path| path.is_file()).collect()
}

/// Everything that might be an NVRTC, in the order of preference.
fn candidates() -> Vec<PathBuf> {
    let mut found = Vec::new();
    if let Some(folder) = env::current_exe().ok().as_deref().and_then(Path::parent) {
        for folder in [folder.to_owned(), folder.join("lib"), folder.join("../lib")] {
            found.extend(within(&folder));
        }
    }
    found.extend(NAMES.iter().map(PathBuf::from));
    let mut roots: Vec<PathBuf> = ["CUDA_PATH", "CUDA_HOME"].iter().filter_map(env::var_os).map(Into::into).collect();
    roots.extend(entries(Path::new("/usr/local"), "cuda"));
    roots.push("/opt/cuda".into());
    for root in roots {
        for folder in ["lib64", "lib", "bin", "targets/x86_64-linux/lib", "targets/sbsa-linux/lib"] {
            found.extend(within(&root.join(folder)));
        }
    }
    for packages in site_packages() {
        for folder in ["nvidia/cu13/lib", "nvidia/cuda_nvrtc/lib"] {
            found.extend(within(&packages.join(folder)));
        }
    }
    found
}

/// Python's folders of installed packages, in the order in which they are likely meant.
fn site_packages() -> Vec<PathBuf> {
    let mut prefixes: Vec<PathBuf> =
        ["VIRTUAL_ENV", "CONDA_PREFIX"].iter().filter_map(env::var_os).map(Into::into).collect();
    for folder in env::split_paths(&env::var_os("PATH").unwrap_or_default()) {
        let python = folder.join("python3");
        if python.is_file() {
            let real = python.canonicalize().unwrap_or_else(|_| python.clone());
            prefixes.extend([python, real].iter().filter_map(|path| path.parent()?.parent().map(Path::to_owned)));
        }
    }
    let home = env::var_os("HOME").map(PathBuf::from);
    prefixes.extend(home.iter().map(|home| home.join(".local")));
    let pyenv = env::var_os("PYENV_ROOT").map(PathBuf::from).or_else(|| home.map(|home| home.join(".pyenv")));
    prefixes.extend(pyenv.iter().flat_map(|root| entries(&root.join("versions"), "")));
    prefixes.extend(["/usr/local", "/usr"].map(PathBuf::from));
    let mut folders: Vec<PathBuf> = Vec::new();
    for prefix in prefixes {
        for python in entries(&prefix.join("lib"), "python3") {
            for packages in ["site-packages", "dist-packages"] {
                let folder = python.join(packages);
                if !folders.contains(&folder) {
                    folders.push(folder);
                }
            }
        }
    }
    folders
}

/// What in a folder starts with `prefix`, the last in the alphabet first.
fn entries(folder: &Path, prefix: &str) -> Vec<PathBuf> {
    let Ok(list) = folder.read_dir() else { return Vec::new() };
    let mut found: Vec<PathBuf> = list
        .flatten()
        .filter(|entry| entry.file_name().to_string_lossy().starts_with(prefix))
        .map(|entry| entry.path())
        .collect();
    found.sort();
    found.reverse();
    found
}
