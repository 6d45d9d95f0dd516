//! Pipes by themselves: slow ones, broken ones, and those that never end.

use std::fs::File;
use std::io::{ErrorKind, Read, Write};
use std::os::fd::OwnedFd;
use std::sync::Arc;

use proptest::prelude::*;
use warpreel::frame::{Format, Pixel, Pool, Rational};
use warpreel::sink::{Output, Sink, y4m::Y4m};
use warpreel::source::{self, CancelToken, Cut, Input, Salvage, Source};

use super::{flat, folder, frames, input, message, open, piped, samples};

const CLIP: &[u8] = b"YUV4MPEG2 W4 H2 F25:1 Cmono\nFRAME\n01234567FRAME Ip\nabcdefghFRAME\nABCDEFGH";

#[test]
fn bytes_that_dribble_are_put_together() {
    for piece in [1, 2, 3, 7, 64] {
        let mut input = piped(CLIP.to_vec(), piece);
        assert!(source::y4m::Y4m::recognise(&mut input).unwrap());
        let mut source = source::y4m::Y4m::open(input, Cut::default(), Salvage::Off).unwrap();
        assert_eq!(source.length(), None, "a pipe does not tell");
        let all: Vec<_> = frames(&mut source).unwrap().iter().map(samples).collect();
        assert_eq!(all, [b"01234567", b"abcdefgh", b"ABCDEFGH"]);
    }
}

#[test]
fn what_is_no_y4m_is_not_recognised_and_not_taken() {
    for bytes in [b"".as_slice(), b"YUV4MPEG2", b"YUV4MPEG3 W1", b"\x1aE\xdf\xa3 and a lot more"] {
        let mut input = input(bytes);
        assert!(!source::y4m::Y4m::recognise(&mut input).unwrap());
        let mut rest = Vec::new();
        input.read_to_end(&mut rest).unwrap();
        assert_eq!(rest, bytes);
    }
}

#[test]
fn an_interrupt_ends_the_clip_after_the_last_whole_frame() {
    let header = CLIP.iter().position(|&byte| byte == b'\n').unwrap() + 1;
    // The pipe stays open, so that only the interrupt can end the clip.
    for length in [header, header + 3, header + 10, header + 14, header + 18, CLIP.len() - 1, CLIP.len()] {
        let (reader, mut writer) = std::io::pipe().unwrap();
        writer.write_all(&CLIP[..length]).unwrap();
        let interrupt = CancelToken::default();
        let input = Input::new(File::from(OwnedFd::from(reader)), "pipe".to_owned(), interrupt.clone()).unwrap();
        let mut source = source::y4m::Y4m::open(input, Cut::default(), Salvage::Off).unwrap();
        let pool = Pool::heap();
        let whole = [header + 14, header + 31, CLIP.len()].iter().filter(|&&end| end <= length).count();
        for _ in 0..whole {
            assert!(source.next_frame(&pool).unwrap().is_some());
        }
        let reading = std::thread::spawn(move || source.next_frame(&pool).map(|frame| frame.is_some()));
        interrupt.cancel();
        assert!(!reading.join().unwrap().unwrap(), "{length} bytes");
        drop(writer);
    }
}

/// A container's reader gets what lies in the pipe, so that it can complete what it has begun, but does not wait for
/// ever for more.
#[test]
fn an_interrupted_container_is_read_on_for_a_while() {
    let (reader, mut writer) = std::io::pipe().unwrap();
    writer.write_all(b"whole").unwrap();
    let interrupt = CancelToken::default();
    let mut input = Input::new(File::from(OwnedFd::from(reader)), "pipe".to_owned(), interrupt.clone()).unwrap();
    interrupt.cancel();
    let mut found = Vec::new();
    input.read_to_end(&mut found).unwrap();
    assert_eq!(found, b"whole");
    // What comes later belongs to nobody.
    writer.write_all(b"late").unwrap();
    assert_eq!(input.read(&mut [0; 8]).unwrap(), 0);
}

#[test]
fn an_interrupt_ends_files_too() {
    let folder = folder();
    let path = folder.path().join("clip.y4m");
    std::fs::write(&path, CLIP).unwrap();
    let interrupt = CancelToken::default();
    let input = Input::file(&path, interrupt.clone()).unwrap();
    let mut source = source::y4m::Y4m::open(input, Cut::default(), Salvage::Off).unwrap();
    assert!(source.next_frame(&Pool::heap()).unwrap().is_some());
    interrupt.cancel();
    assert!(source.next_frame(&Pool::heap()).unwrap().is_none());
}

#[test]
fn a_named_pipe_is_opened_before_its_writer() {
    let folder = folder();
    let path = folder.path().join("pipe");
    let made = std::process::Command::new("mkfifo").arg(&path).status().unwrap();
    assert!(made.success());
    let input = Input::file(&path, CancelToken::default()).unwrap();
    let writing = std::thread::spawn(move || File::create(path).unwrap().write_all(CLIP).unwrap());
    let mut source = source::y4m::Y4m::open(input, Cut::default(), Salvage::Off).unwrap();
    assert_eq!(frames(&mut source).unwrap().len(), 3);
    writing.join().unwrap();
}

#[test]
fn what_cannot_be_opened_is_named() {
    let folder = folder();
    let directory = Input::file(folder.path(), CancelToken::default());
    assert!(message(directory).contains("is a directory"));
    let missing = Input::file(&folder.path().join("no such clip"), CancelToken::default());
    let message = message(missing);
    assert!(message.contains("no such clip\"") && message.contains("No such file"), "{message}");
}

/// An output into a pipe that somebody made non-blocking, as programs do that share a terminal.
fn output(writer: impl Into<OwnedFd>) -> Output {
    let file = File::from(writer.into());
    rustix::fs::fcntl_setfl(&file, rustix::fs::OFlags::NONBLOCK).unwrap();
    Output::new(file, "pipe".to_owned())
}

#[test]
fn a_reader_that_goes_away_is_a_broken_pipe() {
    let (reader, writer) = std::io::pipe().unwrap();
    let format = Arc::new(Format::new(Pixel::gray(8), 64, 64, Rational::new(25, 1)));
    let mut sink = Y4m::create(output(writer), &format).unwrap();
    sink.put(flat(&format, 0, 0)).unwrap();
    drop(reader);
    let error = sink.put(flat(&format, 0, 1)).unwrap_err();
    let cause = error.chain().find_map(|cause| cause.downcast_ref::<std::io::Error>()).unwrap();
    assert_eq!(cause.kind(), ErrorKind::BrokenPipe);
}

#[test]
fn a_slow_reader_gets_everything() {
    let (mut reader, writer) = std::io::pipe().unwrap();
    let format = Arc::new(Format::new(Pixel::gray(8), 1021, 1019, Rational::new(25, 1)));
    let reading = std::thread::spawn(move || {
        let (mut all, mut piece) = (Vec::new(), [0; 4099]);
        loop {
            match reader.read(&mut piece).unwrap() {
                0 => return all,
                count => all.extend_from_slice(&piece[..count]),
            }
        }
    });
    let mut sink = Box::new(Y4m::create(output(writer), &format).unwrap());
    for pts in 0..4 {
        sink.put(flat(&format, b'a' + pts as u8, pts)).unwrap();
    }
    sink.finish(None).unwrap();
    let read = reading.join().unwrap();
    let mut source = open(&read).unwrap();
    for (frame, value) in frames(&mut source).unwrap().iter().zip(b'a'..) {
        assert!(samples(frame).iter().all(|&sample| sample == value));
    }
    assert_eq!(source.length(), Some(4));
}

proptest! {
    /// Whatever is asked for in whatever order, the bytes come once each and in order.
    #[test]
    fn bytes_come_in_order(
        length in 0usize..2000,
        piece in 1usize..300,
        steps in prop::collection::vec((0u8..5, 0usize..400), 0..30),
        from_pipe in any::<bool>(),
    ) {
        let bytes: Vec<u8> = (0..length).map(|index| (index % 11) as u8).collect();
        let mut input = if from_pipe { piped(bytes.clone(), piece) } else { input(&bytes) };
        let mut at = 0;
        for (step, count) in steps {
            let left = &bytes[at..];
            let fits = count.min(left.len());
            match step {
                0 => prop_assert_eq!(input.peek(count).unwrap(), &left[..fits]),
                1 => {
                    let mut dst = vec![0; count];
                    prop_assert_eq!(input.fill(&mut dst).unwrap(), fits);
                    prop_assert_eq!(&dst[..fits], &left[..fits]);
                    at += fits;
                }
                2 => {
                    prop_assert_eq!(input.skip(count as u64).unwrap(), fits as u64);
                    at += fits;
                }
                3 => {
                    let end = left.iter().position(|&byte| byte == b'\n');
                    prop_assert_eq!(input.line(1000).unwrap(), end.map(|end| left[..end].to_vec()));
                    at += end.map_or(0, |end| end + 1);
                }
                _ => {
                    let mut dst = vec![0; count];
                    let read = input.read(&mut dst).unwrap();
                    prop_assert!(read > 0 || fits == 0);
                    prop_assert_eq!(&dst[..read], &left[..read]);
                    at += read;
                }
            }
            if !from_pipe {
                prop_assert_eq!(input.remaining(), Some((length - at) as u64));
            }
        }
    }
}
