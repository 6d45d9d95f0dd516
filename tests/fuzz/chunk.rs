//! Which chunk, as it is typed, and the records of chunks that are joined.

use std::fs;

use warpreel::job::{Choice, ChunkChoice, Job, Overwrite, Request};

use super::folder;

/// Two grey frames.
const CLIP: &[u8] = b"YUV4MPEG2 W2 H1 F25:1 Cmono\nFRAME\n12FRAME\n34";

pub fn run(bytes: &[u8]) {
    let (choice, bytes) = folder::choice(bytes);
    if let Ok(text) = str::from_utf8(bytes) {
        let _ = text.parse::<ChunkChoice>();
    }
    let clip = folder::write("clip.y4m", CLIP);
    let name = ["part1.nut", "part1.y4m", "part1.raw"][usize::from(choice % 3)];
    let chunk = folder::write(name, if choice % 3 == 0 { bytes } else { CLIP });
    if choice % 3 != 0 {
        fs::write(format!("{}.chunk", chunk.display()), bytes).expect("a record");
    }
    let pattern = folder::path(&name.replace('1', "%d"));
    let text = |path: &std::path::Path| path.to_str().expect("a name").to_owned();
    let request = Request {
        input: text(&clip),
        output: "null:".to_owned(),
        chunks_from: Some(text(&pattern)),
        backend: Choice::Cpu,
        overwrite: Overwrite::Replace,
        ..Request::default()
    };
    let outcome = Job::open(request, Default::default()).and_then(|job| job.run(&Default::default()));
    let _ = outcome.map_err(|error| format!("{error:#}"));
}
