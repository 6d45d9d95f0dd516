//! Each target over its corpus, and over mutations from a fixed seed, under a watchdog.

use std::fs;
use std::path::Path;
use std::sync::mpsc::{RecvTimeoutError, channel};
use std::sync::{Arc, Mutex};
use std::thread;
use std::time::Duration;

use super::mutation::mutated;
use super::{TARGETS, Target};
use crate::agreement::Random;

/// No input takes so long.
const PATIENCE: Duration = Duration::from_secs(120);

fn corpus(name: &str) -> Vec<Vec<u8>> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("fuzz/corpus").join(name);
    let entries = fs::read_dir(&folder).unwrap_or_else(|error| panic!("{folder:?}: {error}"));
    let mut paths: Vec<_> = entries.map(|entry| entry.unwrap().path()).collect();
    paths.sort();
    paths.iter().map(|path| fs::read(path).unwrap()).collect()
}

fn replay(Target { name, run, mutations }: &Target) {
    let corpus = corpus(name);
    assert!(!corpus.is_empty(), "{name} has no corpus");
    let (done, ended) = channel();
    let last = Arc::new(Mutex::new(Vec::new()));
    let (run, mutations, shared) = (*run, *mutations, last.clone());
    let thread = thread::spawn(move || {
        let mut random = Random::new(20_261_125);
        let inputs = corpus.clone().into_iter().chain((0..mutations).map(|_| mutated(&corpus, &mut random)));
        for input in inputs {
            shared.lock().unwrap().clone_from(&input);
            run(&input);
            done.send(()).unwrap();
        }
    });
    loop {
        match ended.recv_timeout(PATIENCE) {
            Ok(()) => {}
            Err(RecvTimeoutError::Disconnected) => break,
            Err(RecvTimeoutError::Timeout) => panic!("{name} hangs at {}", last.lock().unwrap().escape_ascii()),
        }
    }
    if thread.join().is_err() {
        panic!("{name} fails at {}", last.lock().unwrap().escape_ascii());
    }
}

macro_rules! replays {
    ($($name:ident)*) => {
        $(#[test]
        fn $name() {
            replay(TARGETS.iter().find(|target| target.name == stringify!($name)).expect("a target"));
        })*

        #[test]
        fn every_target_is_replayed() {
            let replayed = [$(stringify!($name)),*];
            assert_eq!(TARGETS.iter().map(|target| target.name).collect::<Vec<_>>(), replayed);
        }
    };
}

replays! { chain kernel mask timeline y4m raw sequence cache chunk page container structure }
