//! Messages of the program in Python's words: `--crf 18` is `crf=18` there, and `-y` is `overwrite=True`.

use std::collections::BTreeMap;

use warpreel::cli::Cli;

/// Words after which an option is an instruction, with a value behind it.
const INSTRUCTIONS: [&str; 9] = ["type", "take", "add", "with", "or", "use", "pass", "make", "raise"];

/// Words behind an option that are no value of it.
const JOINTS: [&str; 12] = ["and", "or", "to", "is", "for", "has", "are", "keeps", "cannot", "as", "in", "both"];

/// A message in one line, with keywords instead of options. Commands of a shell stay as they are.
pub fn in_python(text: &str) -> String {
    let mut reader = Reader { words: text.split_whitespace().collect(), at: 0, options: Cli::long_options() };
    let mut said: Vec<String> = Vec::new();
    let mut is_shell = false;
    while let Some(word) = reader.next() {
        is_shell |= ["ffmpeg", "ffprobe"].contains(&word) || word == "warpreel" && !reader.is_listing();
        let previous = said.last().map(|word| word.trim_start_matches(['(', '"', '\'']).to_lowercase());
        match is_shell {
            true => said.push(word.to_owned()),
            false => said.extend(reader.put(word, previous.as_deref().unwrap_or_default())),
        }
        is_shell &= !word.ends_with(';');
    }
    said.join(" ")
}

struct Reader<'a> {
    words: Vec<&'a str>,
    at: usize,
    options: BTreeMap<String, bool>,
}

impl<'a> Reader<'a> {
    fn next(&mut self) -> Option<&'a str> {
        let word = self.words.get(self.at).copied();
        self.at += 1;
        word
    }

    fn peek(&self) -> &'a str {
        self.words.get(self.at).copied().unwrap_or_default()
    }

    /// Whether the command that lists filters comes, of which the program's name was read.
    fn is_listing(&self) -> bool {
        self.peek().trim_end_matches([';', '.', ')']) == "filters"
    }

    /// A word as Python has it, with what belongs to it.
    fn put(&mut self, word: &'a str, previous: &str) -> Option<String> {
        let is_instruction = INSTRUCTIONS.contains(&previous) || previous.ends_with(',');
        if word == "warpreel" {
            let listing = self.next().unwrap_or_default();
            // The filter of which more is to be read.
            if self.at + 1 == self.words.len() {
                self.at += 1;
            }
            return Some(listing.replace("filters", "warpreel.filters()"));
        }
        if word == "-y" {
            return Some("overwrite=True".to_owned());
        }
        if word == "-f" {
            return Some(self.chain(previous, is_instruction));
        }
        let opening = word.len() - word.trim_start_matches(['(', '\'']).len();
        let Some(option) = word[opening..].strip_prefix("--") else { return Some(word.to_owned()) };
        let is_part = |letter: char| letter.is_ascii_alphanumeric() || letter == '-';
        let end = option.find(|letter| !is_part(letter)).unwrap_or(option.len());
        let (name, tail) = option.split_at(end);
        if !name.starts_with(|letter: char| letter.is_ascii_alphabetic()) {
            return Some(word.to_owned());
        }
        let key = name.replace('-', "_");
        // Of clap: '--crf <N>'.
        if word[..opening].ends_with('\'') {
            let rest = if tail.is_empty() && self.peek().starts_with('<') { self.next()? } else { tail };
            let rest = rest.trim_start_matches(|letter| letter != '\'').trim_start_matches('\'');
            return Some(format!("{}{key}{rest}", word[..opening].trim_end_matches('\'')));
        }
        let opening = &word[..opening];
        let takes_value = self.options.get(name).copied().unwrap_or(true);
        let pair = match (takes_value, tail.strip_prefix('='), tail) {
            (_, Some(value), _) => self.pair(&key, value, true),
            (false, None, _) if is_instruction => format!("{key}=True{tail}"),
            (true, None, "") => {
                let value = self.peek();
                let pair = self.pair(&key, value, is_instruction);
                // What was no value is a word of its own.
                if pair != key {
                    self.at += 1;
                }
                pair
            }
            _ => format!("{key}{tail}"),
        };
        Some(format!("{opening}{pair}"))
    }

    /// A key with a value; the key alone where that is none.
    fn pair(&mut self, key: &str, value: &str, is_instruction: bool) -> String {
        if value.starts_with('"') {
            return format!("{key}={value}");
        }
        let bare = value.trim_end_matches([',', ';', ':', ')', '.', '?']);
        let tail = &value[bare.len()..];
        if bare.parse::<f64>().is_ok() {
            return format!("{key}={bare}{tail}");
        }
        let is_name = bare.chars().all(|letter| letter.is_ascii_uppercase());
        if bare.is_empty() || JOINTS.contains(&bare) || !(is_instruction || tail.starts_with(':') || is_name) {
            return key.to_owned();
        }
        match bare.split_once('=') {
            Some((option, value)) if key == "encoder_option" => format!("{key}={{\"{option}\": \"{value}\"}}{tail}"),
            _ if is_name => format!("{key}={bare}{tail}"),
            _ => format!("{key}=\"{bare}\"{tail}"),
        }
    }

    /// What stands for `-f`, and the chain behind it where one is to be typed.
    fn chain(&mut self, previous: &str, is_instruction: bool) -> String {
        let value = self.peek();
        let is_word = value.is_empty() || JOINTS.contains(&value) || ["number", "at"].contains(&value);
        if is_word || !(is_instruction || previous.ends_with(':')) {
            return "chain".to_owned();
        }
        self.at += 1;
        if value.starts_with('"') {
            return value.to_owned();
        }
        let bare = value.trim_end_matches([',', ';', ')', '.']);
        format!("\"{bare}\"{}", &value[bare.len()..])
    }
}
