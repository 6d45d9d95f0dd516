//! Numbered images: which numbers there are behind a pattern such as `frame%04d.png`, and which images cannot be read.

use std::collections::VecDeque;
use std::path::{Path, PathBuf};

use anyhow::{Context, Result, ensure};

use crate::frame::Rational;
use crate::libav::input::InputContext;
use crate::sequence::{self, Pattern};

/// The numbers that a pattern stands for, and how far they have been read.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct Sequence {
    /// The smallest number.
    pub first: u64,
    /// How many follow each other without a gap, from `first` on.
    pub length: u64,
    /// The first number that is missing although larger ones exist.
    pub gap: Option<u64>,
    /// Images a second, where that was said.
    pub rate: Option<Rational>,
    /// All numbers, in order.
    numbers: Vec<u64>,
    /// The image that is read next, by its place among them.
    next: usize,
    /// By how much later images are shown than their reader says, which was opened behind the first image.
    base: i64,
    /// Images that were sent to the decoder, and of which no picture came yet.
    sent: VecDeque<u64>,
}

impl Sequence {
    /// Looks for the files behind a pattern.
    ///
    /// # Errors
    /// If the folder cannot be read or no file fits.
    pub fn find(path: &Path) -> Result<Self> {
        let pattern = Pattern::of(path).context(sequence::EXPECTED)?;
        let folder = path.parent().filter(|parent| !parent.as_os_str().is_empty());
        let folder = folder.map_or_else(|| PathBuf::from("."), Path::to_path_buf);
        let mut numbers = Vec::new();
        for entry in std::fs::read_dir(&folder).with_context(|| format!("read the folder {folder:?}"))? {
            let entry = entry.with_context(|| format!("read the folder {folder:?}"))?;
            numbers.extend(entry.file_name().to_str().and_then(|name| pattern.number(name)));
        }
        ensure!(!numbers.is_empty(), "no file in {folder:?} matches {:?}", path.file_name().unwrap_or_default());
        numbers.sort_unstable();
        let first = numbers[0];
        let length = (first..).zip(&numbers).take_while(|(wanted, found)| wanted == *found).count() as u64;
        let gap = (length < numbers.len() as u64).then_some(first + length);
        Ok(Self { first, length, gap, rate: None, numbers, next: 0, base: 0, sent: VecDeque::new() })
    }

    /// Opens the images from the next on.
    ///
    /// # Errors
    /// If that cannot be read.
    pub fn open(&mut self, path: &Path) -> Result<InputContext> {
        let number = self.numbers.get(self.next).copied().unwrap_or(self.first);
        let input = InputContext::open_path(&sequence::for_ffmpeg(path), Some((number, self.rate)))?;
        self.base = i64::try_from(number - self.first).unwrap_or(i64::MAX);
        Ok(input)
    }

    /// Begins again at the first image.
    pub fn rewind(&mut self) {
        (self.next, self.base) = (0, 0);
        self.sent.clear();
    }

    /// The image that is shown at `time` by its reader is next.
    pub fn land(&mut self, time: i64) {
        let number = self.number(time);
        self.next = self.numbers.partition_point(|known| *known < number);
        self.sent.clear();
    }

    /// Whether images that are read have later times than their reader says.
    pub fn is_moved(&self) -> bool {
        self.base != 0
    }

    /// An image was read, which its reader says is shown at `time`; gives when it is shown.
    pub fn read(&mut self, time: i64) -> i64 {
        let time = time.saturating_add(self.base);
        let number = self.number(time);
        self.next = self.numbers.partition_point(|known| *known <= number);
        self.sent.push_back(number);
        time
    }

    /// The next number, if there is one: `true` where those before it are missing.
    pub fn due(&self) -> Option<(u64, bool)> {
        let number = *self.numbers.get(self.next)?;
        let before = self.next.checked_sub(1).and_then(|place| self.numbers.get(place));
        Some((number, before.is_some_and(|before| before + 1 < number)))
    }

    /// Whether images follow the next.
    pub fn remains(&self) -> bool {
        self.next + 1 < self.numbers.len()
    }

    /// Passes over the next image.
    pub fn skip(&mut self) {
        self.next += 1;
    }

    /// The next image whose decoding has failed.
    pub fn failed(&mut self) -> Option<u64> {
        self.sent.pop_front()
    }

    /// The picture of an image came, which is shown at `time`, or with `None` the last of all; gives the first image before
    /// it of which no picture has come.
    pub fn came(&mut self, time: Option<i64>) -> Option<u64> {
        let number = time.map(|time| self.number(time));
        let front = *self.sent.front()?;
        if number.is_none_or(|number| front < number) {
            return self.sent.pop_front();
        }
        self.sent.retain(|sent| Some(*sent) != number);
        None
    }

    /// The number of the image that is shown at `time`.
    pub fn number(&self, time: i64) -> u64 {
        self.first.saturating_add(u64::try_from(time.max(0)).unwrap_or(0))
    }

    /// The images at the decoder, behind one that is shown at `time`.
    pub fn suspects(&self, time: i64) -> Vec<u64> {
        let number = self.number(time);
        std::iter::once(number).chain(self.sent.iter().copied()).collect()
    }

    /// How many frames there are, up to the last number.
    pub fn span(&self) -> u64 {
        self.numbers.last().map_or(0, |last| last - self.first + 1)
    }
}
