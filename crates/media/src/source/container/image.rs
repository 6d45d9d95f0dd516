//! Images of a sequence that cannot be read or decoded: an error that names the file, unless `--salvage` leaves them out or
//! `--conceal` repeats the image before.

use std::path::{Path, PathBuf};

use anyhow::{Result, bail};

use super::Container;
use crate::libav::decoder::Decoder;
use crate::libav::error;
use crate::libav::input::{InputContext, ReadOutcome};
use crate::libav::outcome::Outcome;
use crate::libav::packet::Packet;
use crate::libav::picture::Picture;
use crate::sequence::{self, Pattern};
use crate::source::{Concealing, Salvage};

impl Container {
    /// Whether images that cannot be read are passed over.
    fn passes_images(&self) -> bool {
        self.options.salvage == Salvage::On || self.options.conceal == Concealing::On
    }

    /// The file of an image of the sequence.
    pub(super) fn image_file(&self, number: u64) -> PathBuf {
        self.path.as_deref().map_or_else(PathBuf::new, |path| file(path, number))
    }

    /// Nothing more was read of a sequence. Goes on behind what cannot be read, if there is more; `false` at its end, and
    /// where the images behind a missing number are not wanted.
    ///
    /// # Errors
    /// If an image is there that cannot be read, unless that is to be passed over.
    pub(super) fn pass_image(&mut self, progress: ReadOutcome) -> Result<bool> {
        let Some(path) = self.path.clone() else { return Ok(false) };
        loop {
            let Some((number, is_gap)) = self.sequence.as_ref().and_then(|sequence| sequence.due()) else {
                return Ok(false);
            };
            if is_gap && self.options.conceal == Concealing::Off || self.is_interrupted() {
                return Ok(false);
            }
            if is_gap {
                self.defects.damaged_packets += 1;
                self.report(format!("images before {:?} are missing", self.image_file(number)))?;
            } else {
                self.lose_image(number, &why(&self.image_file(number), progress))?;
                if let Some(sequence) = &mut self.sequence {
                    sequence.skip();
                }
            }
            let Some(sequence) = self.sequence.as_mut().filter(|sequence| sequence.due().is_some()) else {
                return Ok(false);
            };
            if sequence.due().is_some_and(|(_, is_gap)| is_gap) && !is_gap {
                continue;
            }
            match sequence.open(&path) {
                Ok(input) => {
                    self.input = input;
                    return Ok(true);
                }
                // It is the next that cannot be read.
                Err(_) if is_gap => {
                    let number = sequence.due().map_or(number, |(number, _)| number);
                    sequence.skip();
                    self.lose_image(number, &why(&file(&path, number), progress))?;
                }
                Err(_) => {}
            }
        }
    }

    /// Gives the packet of an image its time in the sequence.
    pub(super) fn place_image(&mut self) {
        if let (Some(sequence), Some(time)) = (&mut self.sequence, self.packet.pts().or(self.packet.dts())) {
            let time = sequence.read(time);
            self.packet.set_times(Some(time), Some(time));
        }
    }

    /// No picture comes of an image.
    ///
    /// # Errors
    /// That, unless it is to be passed over.
    pub(super) fn lose_image(&mut self, number: u64, reason: &str) -> Result<()> {
        let file = self.image_file(number);
        self.defects.damaged_packets += 1;
        if !self.passes_images() {
            bail!(
                "image {file:?} cannot be read: {reason}; make it again, leave it out with --salvage, or repeat the image \
                 before it with --conceal"
            );
        }
        let fate = if self.options.conceal == Concealing::On { "the image before it is repeated" } else { "left out" };
        self.report(format!("image {file:?} cannot be read: {reason}; {fate}"))
    }

    /// Images whose pictures should have come before this one did not.
    ///
    /// # Errors
    /// As [`Container::lose_image`].
    pub(super) fn miss_images(&mut self, time: Option<i64>) -> Result<()> {
        while let Some(number) = self.sequence.as_mut().and_then(|sequence| sequence.came(time)) {
            self.lose_image(number, "no picture can be decoded")?;
        }
        Ok(())
    }

    /// The decoder had to make up a part of an image.
    ///
    /// # Errors
    /// That, with the name of the file, unless damage is to be passed over.
    pub(super) fn mend_image(&self) -> Result<()> {
        let Some(sequence) = self.sequence.as_ref().filter(|_| !self.passes_images()) else { return Ok(()) };
        let suspects = sequence.suspects(self.picture.pts().unwrap_or(0));
        let broken = suspects.iter().find(|number| !self.is_sound(**number)).or(suspects.first());
        let file = self.image_file(broken.copied().unwrap_or(sequence.first));
        bail!("image {file:?} is damaged; make it again, or keep what can be decoded of it with --salvage");
    }

    /// Whether an image can be decoded by itself without an error.
    fn is_sound(&self, number: u64) -> bool {
        let look = || -> Result<bool> {
            let Some(path) = &self.path else { return Ok(true) };
            let mut input = InputContext::open_path(&sequence::for_ffmpeg(path), Some((number, None)))?;
            let mut decoder = Decoder::open(&input, self.video, 1)?;
            let (mut packet, mut picture) = (Packet::new(), Picture::new());
            if input.read(&mut packet) != ReadOutcome::Packet || decoder.send(Some(&packet))? != Outcome::Done {
                return Ok(false);
            }
            decoder.send(None)?;
            Ok(decoder.receive(&mut picture)? == Outcome::Done && decoder.concealed() == 0 && !picture.is_damaged())
        };
        look().unwrap_or(false)
    }
}

/// The file of a number.
fn file(path: &Path, number: u64) -> PathBuf {
    Pattern::of(path).map_or_else(|| path.to_owned(), |pattern| path.with_file_name(pattern.name(number)))
}

/// Why an image could not be read.
fn why(file: &Path, progress: ReadOutcome) -> String {
    match (file.metadata(), progress) {
        (Err(error), _) => error.to_string(),
        (Ok(found), _) if found.is_dir() => "it is a folder".to_owned(),
        (Ok(found), _) if found.len() == 0 => "the file is empty".to_owned(),
        (_, ReadOutcome::Failed(code)) => error::text(code),
        _ => "it holds no image".to_owned(),
    }
}
