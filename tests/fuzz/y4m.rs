//! y4m in pieces of any size: what a pipe gives is what a file gives.

use std::fs::File;
use std::io::Write;
use std::thread;

use warpreel::frame::Pool;
use warpreel::source::y4m::Y4m;
use warpreel::source::{Cut, Input, Salvage, Source};

use super::folder;

/// Longest time for which an input is read, in frames.
const FRAMES: usize = 32;

fn read(input: File, salvage: Salvage) -> Result<Vec<Vec<u8>>, String> {
    let look = || -> anyhow::Result<_> {
        let mut input = Input::new(input, "in.y4m".to_owned(), Default::default())?;
        Y4m::recognise(&mut input)?;
        let mut source = Y4m::open(input, Cut::default(), salvage)?;
        let pool = Pool::heap();
        let mut frames = Vec::new();
        while let Some(frame) = source.next_frame(&pool)?.filter(|_| frames.len() < FRAMES) {
            frames.push(frame.host()?.pieces().flatten().copied().collect());
        }
        Ok(frames)
    };
    look().map_err(|error| format!("{error:#}"))
}

pub fn run(bytes: &[u8]) {
    let (choice, bytes) = folder::choice(bytes);
    let salvage = if choice % 2 == 0 { Salvage::Off } else { Salvage::On };
    let path = folder::write("in.y4m", bytes);
    let from_file = read(File::open(path).expect("the file"), salvage);
    let (reader, mut writer) = std::io::pipe().expect("a pipe");
    let from_pipe = thread::scope(|scope| {
        scope.spawn(move || {
            // Pieces of 1 to 64 bytes, as the first byte says.
            let mut size = usize::from(choice) % 64 + 1;
            let mut rest = bytes;
            while !rest.is_empty() {
                let (piece, after) = rest.split_at(size.min(rest.len()));
                if writer.write_all(piece).is_err() {
                    return;
                }
                (rest, size) = (after, size * 5 % 67 + 1);
            }
        });
        read(File::from(std::os::fd::OwnedFd::from(reader)), salvage)
    });
    match (from_file, from_pipe) {
        (Ok(file), Ok(pipe)) => assert_eq!(file, pipe),
        (Err(_), Err(_)) => {}
        (file, pipe) => panic!("a file gives {file:?}, a pipe {pipe:?}"),
    }
}
