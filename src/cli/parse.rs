//! Reads the command line, and answers mistakes that clap by itself passes over or answers vaguely.

use std::collections::BTreeMap;
use std::ffi::OsString;
use std::path::Path;

use clap::error::ErrorKind;
use clap::parser::ValueSource;
use clap::{Arg, ArgMatches, Command, CommandFactory, Error, FromArgMatches};

use super::complaint;
use super::filtering::Filtering;
use super::foreign::advice;
use super::misplaced;
use super::{Cli, WELCOME};
use crate::sequence::{FoundSequence, Pattern};
use crate::shell::quoted;

impl Cli {
    /// Reads a command line, the program's name first.
    ///
    /// # Errors
    /// What is wrong with it, or the help that was asked for, ready to be printed by [`Error::exit`].
    pub fn read(words: impl IntoIterator<Item = OsString>) -> Result<Self, Error> {
        let words: Vec<OsString> = words.into_iter().collect();
        let mut command = shown(Self::command(), &words);
        check_words(&mut command, &words)?;
        let matches = command.try_get_matches_from_mut(&words);
        let mut matches = matches.map_err(|error| explained(error, &command, &words))?;
        check_order(&mut command, &matches)?;
        let more =
            command.get_arguments().find(|argument| !is_of_description(argument) && is_typed(&matches, argument));
        let more = more.map(ToString::to_string);
        let first = |names: &[&str]| {
            let typed = command.get_arguments().filter(|argument| is_typed(&matches, argument));
            typed
                .map(|argument| (argument.get_id().as_str(), argument.to_string()))
                .find(|(id, _)| names.contains(id))
                .map(|(_, shown)| shown)
        };
        let (of_several, of_one) = (first(&SEVERAL), first(&ONE));
        let mut cli = Self::from_arg_matches_mut(&mut matches).map_err(|error| error.format(&mut command))?;
        cli.run.take_folder();
        cli.check_names(&words)?;
        cli.check_several(of_several, of_one)?;
        cli.check_output(more.as_deref(), &words)?;
        Ok(cli)
    }

    /// The long options of the main job without their dashes, and whether each takes a value.
    pub fn long_options() -> BTreeMap<String, bool> {
        let command = Self::command();
        let long = |argument: &Arg| Some((argument.get_long()?.to_owned(), argument.get_action().takes_values()));
        command.get_arguments().filter_map(long).collect()
    }

    /// Refuses an option for an output that is not named: without one the input is described. `more` is such an option.
    fn check_output(&self, more: Option<&str>, words: &[OsString]) -> Result<(), Error> {
        let Filtering { input: Some(input), output: None, .. } = &self.run else { return Ok(()) };
        let Some(option) = more.filter(|_| self.command.is_none() && self.run.several.into.is_none()) else {
            return Ok(());
        };
        let rest = words.iter().skip(1).filter_map(|word| word.to_str()).filter(|word| word != input);
        let rest: Vec<String> = rest.map(quoted).collect();
        let message = format!(
            "{input:?} has no output, which {option} needs; type warpreel {} OUTPUT {}",
            quoted(input),
            rest.join(" ")
        );
        Err(refusal(ErrorKind::MissingRequiredArgument, &message))
    }

    /// Refuses options for several inputs without a folder for their outputs, and reports of one job beside one. `several` and
    /// `one` are such options.
    fn check_several(&self, several: Option<String>, one: Option<String>) -> Result<(), Error> {
        match (&self.run.several.into, several, one) {
            (None, Some(option), _) if option == "--watch" => {
                let message =
                    "--watch takes a folder that exists, and one for the outputs; type warpreel --watch DIR OUTDIR/";
                Err(refusal(ErrorKind::MissingRequiredArgument, message))
            }
            (None, Some(option), _) => {
                let option = option.split(' ').next().unwrap_or_default();
                let message = format!("{option} is for several inputs; name a folder for their outputs: -o DIR");
                Err(refusal(ErrorKind::MissingRequiredArgument, &message))
            }
            (Some(folder), _, Some(option)) => {
                let message = format!("'{option}' is for one input; name a file instead of the folder {folder:?}");
                Err(refusal(ErrorKind::ArgumentConflict, &message))
            }
            _ => Ok(()),
        }
    }

    /// Refuses a third name without a folder for several outputs.
    fn check_names(&self, words: &[OsString]) -> Result<(), Error> {
        let words: Vec<&str> = words.iter().skip(1).filter_map(|word| word.to_str()).collect();
        let names = self.run.inputs();
        let is_alone = self.command.is_none() && self.run.several.into.is_none() && names.len() > 1;
        if let Some(advice) = is_alone.then(|| misplaced::name(&names, &words)).flatten() {
            return Err(refusal(ErrorKind::UnknownArgument, &advice));
        }
        let Some(name) = self.run.more.first().filter(|_| self.run.several.into.is_none()) else { return Ok(()) };
        if let Some(advice) = self.images_of_shell() {
            return Err(refusal(ErrorKind::UnknownArgument, &advice));
        }
        let last = self.run.more.last().filter(|last| last.ends_with('/') || Path::new(last).is_dir());
        if let Some(folder) = last {
            let message =
                format!("several inputs need -o before the folder for their outputs; type -o {}", quoted(folder));
            return Err(refusal(ErrorKind::UnknownArgument, &message));
        }
        let message = format!(
            "unexpected argument {name:?}; quote a chain or a name that contains blanks, as in -f \"tmix=weights='1 2 1'\"; \
             for several inputs, name a folder: -o DIR"
        );
        Err(refusal(ErrorKind::UnknownArgument, &message))
    }

    /// The answer where a shell has named each image of a sequence, and an output behind them.
    fn images_of_shell(&self) -> Option<String> {
        let names = self.run.inputs();
        let (output, images) = names.split_last()?;
        let found = FoundSequence::around(Path::new(images.first()?))?;
        let pattern = Pattern::of(&found.pattern)?;
        let is_one = |name: &String| {
            let path = Path::new(name);
            let number = path.file_name().and_then(|name| pattern.number(name.to_str()?));
            path.parent() == found.pattern.parent() && number.is_some()
        };
        let are_images = images.len() > 1 && images.iter().all(is_one);
        are_images.then(|| format!("{} images are one sequence; {}", images.len(), found.advice(output)))
    }
}

/// The command with the help that suits what was typed: ten lines where that is nothing, and one screen for `-h`.
fn shown(command: Command, words: &[OsString]) -> Command {
    let words = words.get(1..).unwrap_or_default();
    if words.is_empty() {
        return command.override_help(WELCOME).arg_required_else_help(true);
    }
    match words.iter().any(|word| word == "-h") {
        true => command
            .mut_args(|argument| match argument.get_action().takes_values() {
                true => argument.hide_possible_values(true).hide_default_value(true),
                false => argument,
            })
            // Two headings for an option each take six lines.
            .mut_arg("filter", |argument| argument.help_heading(None))
            .mut_arg("into", |argument| argument.help_heading("Output"))
            .mut_subcommands(|command| {
                let is_rare = ["completions", "man"].contains(&command.get_name());
                command.hide(is_rare)
            }),
        false => command,
    }
}

/// What subcommands are called elsewhere.
const OTHER_WORDS: [(&[&str], &str); 3] =
    [(&["dry-run", "plan"], "explain"), (&["benchmark", "speed", "measure"], "bench"), (&["list", "ls"], "filters")];

/// Refuses options of FFmpeg's and names that are nearly those of subcommands, which clap would take for something else.
fn check_words(command: &mut Command, words: &[OsString]) -> Result<(), Error> {
    let words: Vec<&str> = words.iter().skip(1).map(|word| word.to_str().unwrap_or_default()).collect();
    command.build();
    let shorts: Vec<char> = command.get_arguments().filter_map(Arg::get_short).collect();
    if let Some(message) = advice(&words, |letter| shorts.contains(&letter)) {
        return Err(refusal(ErrorKind::UnknownArgument, &message));
    }
    let Some(first) = words.first().filter(|word| !word.starts_with('-') && !Path::new(word).exists()) else {
        return Ok(());
    };
    if *first == "version" {
        let message = "no file is called \"version\"; did you mean: warpreel --version";
        return Err(refusal(ErrorKind::InvalidSubcommand, message));
    }
    if ["info", "probe", "inspect", "identify", "analyze", "analyse", "describe", "show"].contains(first) {
        let input =
            words.get(1).filter(|word| !word.starts_with('-')).map_or_else(|| "INPUT".to_owned(), |word| quoted(word));
        let message = format!("no file is called {first:?}; type warpreel {input}, which describes a clip");
        return Err(refusal(ErrorKind::InvalidSubcommand, &message));
    }
    let names: Vec<String> = command.get_subcommands().map(|command| command.get_name().to_owned()).collect();
    let meant = OTHER_WORDS.iter().find(|(words, _)| words.contains(first)).map(|(_, name)| *name);
    let like = |name: &&String| {
        meant == Some(name.as_str()) || name.len() > 3 && strsim::damerau_levenshtein(first, name) <= 2
    };
    match names.iter().find(like).filter(|_| names.iter().all(|name| name != first)) {
        Some(name) => {
            let message = format!("no file is called {first:?}; did you mean: warpreel {name}");
            Err(refusal(ErrorKind::InvalidSubcommand, &message))
        }
        None => Ok(()),
    }
}

/// True of an argument that was typed, and belongs to this command alone.
fn is_typed(matches: &ArgMatches, argument: &Arg) -> bool {
    !argument.is_global_set() && matches.value_source(argument.get_id().as_str()) == Some(ValueSource::CommandLine)
}

/// Options for several inputs.
const SEVERAL: [&str; 4] = ["skip_existing", "recursive", "watch", "jobs"];

/// Options of one job.
const ONE: [&str; 5] = ["stats", "metrics_file", "trace", "live", "resume"];

/// True of an argument for the clip, or the part of it, that is described.
fn is_of_description(argument: &Arg) -> bool {
    const READING: [&str; 9] = ["input", "raw", "fps", "start", "end", "duration", "frames", "salvage", "conceal"];
    READING.contains(&argument.get_id().as_str())
}

/// Refuses options before a subcommand, where they have no effect.
fn check_order(command: &mut Command, matches: &ArgMatches) -> Result<(), Error> {
    let Some((name, behind)) = matches.subcommand() else { return Ok(()) };
    let typed = command.get_arguments().find(|argument| is_typed(matches, argument)).map(ToString::to_string);
    if let Some(argument) = typed {
        let message = format!("{argument} has no effect before {name}; type it behind {name}");
        return Err(refusal(ErrorKind::ArgumentConflict, &message));
    }
    command.find_subcommand_mut(name).map_or(Ok(()), |command| check_order(command, behind))
}

/// An error that says what to type, and therefore no usage.
fn refusal(kind: ErrorKind, message: &str) -> Error {
    Error::raw(kind, format!("{message}\n"))
}

/// The same mistake in one line that says what to type.
fn explained(error: Error, command: &Command, words: &[OsString]) -> Error {
    let words = words.iter().skip(1);
    let texts: Vec<&str> = words.clone().filter_map(|word| word.to_str()).collect();
    if let (ErrorKind::InvalidUtf8, Some(word)) = (error.kind(), words.into_iter().find(|word| word.to_str().is_none()))
    {
        let message = format!("{word:?} is not UTF-8; rename the file, or link it under another name");
        return refusal(ErrorKind::InvalidUtf8, &message);
    }
    complaint::line(&error, command, &texts).map_or(error, |line| refusal(ErrorKind::UnknownArgument, &line))
}
