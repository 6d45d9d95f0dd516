//! Runs the program itself, and FFmpeg beside it, each test in a folder of its own.

use std::io::Write;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Output, Stdio};
use std::sync::{OnceLock, mpsc};
use std::thread;
use std::time::Duration;

use tempfile::TempDir;

/// The program under test: `WARPREEL_BIN`, or the one that was just built.
pub fn binary() -> PathBuf {
    std::env::var_os("WARPREEL_BIN").map_or_else(|| env!("CARGO_BIN_EXE_warpreel").into(), PathBuf::from)
}

/// The program with signals as a terminal has them, also where the tests were started in the background with some of them
/// ignored, which children inherit.
#[cfg(unix)]
pub fn signalled() -> Command {
    let mut program = Command::new("env");
    program.arg("--default-signal=INT,TERM,HUP,QUIT").arg(binary());
    program
}

/// What a child says until it ends, which it must within two minutes.
pub fn ended(child: Child, what: &str) -> Output {
    let (pid, (done, outcome)) = (child.id(), mpsc::channel());
    thread::spawn(move || done.send(child.wait_with_output()));
    outcome.recv_timeout(Duration::from_secs(120)).map_or_else(
        |_| {
            Command::new("kill").args(["-KILL", &pid.to_string()]).status().ok();
            panic!("{what} has not ended after two minutes")
        },
        |output| output.unwrap_or_else(|error| panic!("{what}: {error}")),
    )
}

/// A file of the samples folder.
pub fn sample(name: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("samples").join(name)
}

/// A folder in which programs run; it goes away with the test.
pub struct Bench {
    folder: TempDir,
}

impl Bench {
    pub fn new() -> Self {
        Self { folder: TempDir::new().unwrap() }
    }

    pub fn path(&self, name: &str) -> PathBuf {
        self.folder.path().join(name)
    }

    /// All names in the folder, sorted.
    pub fn names(&self) -> Vec<String> {
        let entries = std::fs::read_dir(self.folder.path()).unwrap();
        let mut names: Vec<_> = entries.map(|e| e.unwrap().file_name().into_string().unwrap()).collect();
        names.sort();
        names
    }

    /// Runs `program` on `arguments`, `input` on its stdin.
    pub fn run(&self, program: impl AsRef<Path>, arguments: &[&str], input: &[u8]) -> Output {
        let mut child = Command::new(program.as_ref())
            .args(arguments)
            .current_dir(self.folder.path())
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            .spawn()
            .unwrap_or_else(|error| panic!("start {:?}: {error}", program.as_ref()));
        let mut stdin = child.stdin.take().unwrap();
        thread::scope(|scope| {
            // A program that has seen enough closes the pipe; that is its right.
            scope.spawn(move || stdin.write_all(input).ok());
            child.wait_with_output().unwrap()
        })
    }

    /// Runs warpreel without input, which must end by itself.
    pub fn watched(&self, arguments: &[&str]) -> Output {
        let mut program = Command::new(binary());
        program.args(arguments).current_dir(self.folder.path()).stdin(Stdio::null());
        let child = program.stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap();
        ended(child, &format!("{arguments:?}"))
    }

    /// Runs warpreel without input.
    pub fn warpreel(&self, arguments: &[&str]) -> Output {
        self.run(binary(), arguments, b"")
    }

    /// Runs warpreel, which must succeed; its stdout.
    pub fn pass(&self, arguments: &[&str]) -> Vec<u8> {
        succeeded(self.warpreel(arguments), arguments)
    }

    /// Runs warpreel, which must fail with one line and exit code 1; that line.
    pub fn fail(&self, arguments: &[&str]) -> String {
        self.stop(arguments, 1)
    }

    /// Runs warpreel, which must refuse what was typed with one line and exit code 2; that line.
    pub fn refuse(&self, arguments: &[&str]) -> String {
        self.stop(arguments, 2)
    }

    fn stop(&self, arguments: &[&str], code: i32) -> String {
        let output = self.warpreel(arguments);
        let stderr = String::from_utf8(output.stderr).unwrap();
        assert_eq!(output.status.code(), Some(code), "{arguments:?}: {stderr}");
        let errors: Vec<_> = stderr.lines().filter(|line| line.starts_with("error: ")).collect();
        assert_eq!(errors.len(), 1, "{arguments:?}: {stderr}");
        assert!(!stderr.contains("panicked"), "{stderr}");
        errors[0].to_owned()
    }

    /// Runs ffmpeg, which must succeed; its stdout.
    pub fn ffmpeg(&self, arguments: &[&str]) -> Vec<u8> {
        let quiet = ["-hide_banner", "-loglevel", "error", "-nostdin", "-y"];
        let all = [&quiet, arguments].concat();
        succeeded(self.run("ffmpeg", &all, b""), &all)
    }
}

/// For which shapes FFmpeg's `convolution` mirrors the picture unevenly: it repeats the last sample at the right and at
/// the bottom.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Uneven {
    /// For none, as in 7.1.5 and 9.0.
    Never,
    /// For 3x3 squares alone, as in 5.1.
    Squares,
    /// For all shapes, as in 6.1 and 8.0.
    Always,
}

impl Uneven {
    /// What to add to a filter of ours, so that it mirrors as FFmpeg's does: nothing where the default does.
    pub fn border(self, is_3x3: bool) -> &'static str {
        match self {
            Self::Always => ":border=lopsided",
            Self::Squares if is_3x3 => ":border=lopsided",
            Self::Squares | Self::Never => "",
        }
    }
}

/// How the installed FFmpeg mirrors, which one frame tells.
pub fn uneven() -> Uneven {
    static UNEVEN: OnceLock<Uneven> = OnceLock::new();
    *UNEVEN.get_or_init(|| {
        let beyond = |options: &str| {
            let input = format!("nullsrc=size=2x1,format=gray,geq=lum=10+20*X,convolution={options}");
            let row = Bench::new().ffmpeg(&["-f", "lavfi", "-i", &input, "-frames:v", "1", "-f", "rawvideo", "-"]);
            *row.last().expect("two samples")
        };
        match (beyond("0m=0 0 0 0 0 1 0 0 0"), beyond("0m=0 0 1:0mode=row")) {
            (10, 10) => Uneven::Never,
            (30, 10) => Uneven::Squares,
            (30, 30) => Uneven::Always,
            other => panic!("FFmpeg puts {other:?} behind 10, 30"),
        }
    })
}

/// Whether the installed FFmpeg's `convolution` reads outside the picture where a kernel reaches farther than its size:
/// the versions that are uneven for all shapes mirror but once.
pub fn mirrors_once() -> bool {
    uneven() == Uneven::Always
}

/// The stdout of a program that must have succeeded.
pub fn succeeded(output: Output, arguments: &[&str]) -> Vec<u8> {
    let stderr = String::from_utf8_lossy(&output.stderr);
    assert!(output.status.success(), "{arguments:?}: {}: {stderr}", output.status);
    output.stdout
}

/// The rows of a framemd5 listing, without its header.
pub fn checksums(listing: &[u8]) -> Vec<String> {
    let text = String::from_utf8(listing.to_vec()).unwrap();
    text.lines().filter(|line| !line.starts_with('#')).map(str::to_owned).collect()
}

/// Rows of a listing: seconds, and the checksum.
pub fn timed_checksums(listing: &[u8]) -> Vec<(f64, String)> {
    let text = String::from_utf8_lossy(listing);
    let base = text.lines().find_map(|line| line.strip_prefix("#tb 0: ")).expect("a time base");
    let (num, den) = base.split_once('/').expect("a ratio");
    let unit = num.parse::<f64>().unwrap() / den.parse::<f64>().unwrap();
    let rows = text.lines().filter(|line| !line.starts_with('#'));
    let row = |line: &str| {
        let cells: Vec<&str> = line.split(',').map(str::trim).collect();
        (cells[2].parse::<f64>().unwrap() * unit, cells[5].to_owned())
    };
    rows.map(row).collect()
}
