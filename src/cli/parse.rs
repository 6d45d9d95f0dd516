//! Reading the command line, where clap by itself would be silent or vague.

use std::collections::BTreeMap;
use std::ffi::OsString;
use std::path::Path;

use clap::error::{ContextKind, ContextValue, ErrorKind};
use clap::parser::ValueSource;
use clap::{Arg, ArgMatches, Command, CommandFactory, Error, FromArgMatches};

use super::Cli;
use super::foreign::advice;

impl Cli {
    /// Reads a command line, the program's name first.
    ///
    /// # Errors
    /// What is wrong with it, or the help that was asked for, ready to be printed by [`Error::exit`].
    pub fn read(words: impl IntoIterator<Item = OsString>) -> Result<Self, Error> {
        let words: Vec<OsString> = words.into_iter().collect();
        let mut command = Self::command();
        check_words(&mut command, &words)?;
        let mut matches = command.try_get_matches_from_mut(&words).map_err(|error| explained(error, &words))?;
        check_order(&mut command, &matches)?;
        let cli = Self::from_arg_matches_mut(&mut matches).map_err(|error| error.format(&mut command))?;
        cli.check_names(&mut command)?;
        Ok(cli)
    }

    /// The long options of the main job without their dashes, and whether each takes a value.
    pub fn long_options() -> BTreeMap<String, bool> {
        let command = Self::command();
        let long = |argument: &Arg| Some((argument.get_long()?.to_owned(), argument.get_action().takes_values()));
        command.get_arguments().filter_map(long).collect()
    }

    /// Refuses a third name where no folder is there for several.
    fn check_names(&self, command: &mut Command) -> Result<(), Error> {
        let Some(name) = self.run.more.first().filter(|_| self.run.several.into.is_none()) else { return Ok(()) };
        let message = format!(
            "{name:?} is one name too many; filters stand behind -f, each with its values as one word: -f gaussian=2; \
             several inputs go into a folder, -o DIR; a name with blanks in it takes quotes"
        );
        Err(command.error(ErrorKind::UnknownArgument, message))
    }
}

/// What subcommands are called elsewhere.
const OTHER_WORDS: [(&[&str], &str); 3] = [
    (&["info", "probe", "inspect", "analyze", "analyse", "dry-run", "plan"], "explain"),
    (&["benchmark", "speed", "measure"], "bench"),
    (&["list", "ls"], "filters"),
];

/// Refuses options of FFmpeg's and names that are nearly those of subcommands, which clap would take for something else.
fn check_words(command: &mut Command, words: &[OsString]) -> Result<(), Error> {
    let words: Vec<&str> = words.iter().skip(1).map(|word| word.to_str().unwrap_or_default()).collect();
    command.build();
    let shorts: Vec<char> = command.get_arguments().filter_map(Arg::get_short).collect();
    if let Some(message) = advice(&words, |letter| shorts.contains(&letter)) {
        return Err(command.error(ErrorKind::UnknownArgument, message));
    }
    let Some(first) = words.first().filter(|word| !word.starts_with('-') && !Path::new(word).exists()) else {
        return Ok(());
    };
    let names: Vec<String> = command.get_subcommands().map(|command| command.get_name().to_owned()).collect();
    let meant = OTHER_WORDS.iter().find(|(words, _)| words.contains(first)).map(|(_, name)| *name);
    let like = |name: &&String| {
        meant == Some(name.as_str()) || name.len() > 3 && strsim::damerau_levenshtein(first, name) <= 2
    };
    match names.iter().find(like).filter(|_| names.iter().all(|name| name != first)) {
        Some(name) => {
            let message = format!("{first:?} is no file; did you mean: warpreel {name}");
            Err(command.error(ErrorKind::InvalidSubcommand, message))
        }
        None => Ok(()),
    }
}

/// Refuses what stands before a subcommand, which would not hear of it.
fn check_order(command: &mut Command, matches: &ArgMatches) -> Result<(), Error> {
    let Some((name, behind)) = matches.subcommand() else { return Ok(()) };
    let is_typed = |argument: &&Arg| {
        let source = matches.value_source(argument.get_id().as_str());
        !argument.is_global_set() && source == Some(ValueSource::CommandLine)
    };
    let typed = command.get_arguments().find(is_typed).map(ToString::to_string);
    if let Some(argument) = typed {
        let message = format!("{argument} stands before {name}, which takes no notice of it; type it behind {name}");
        return Err(command.error(ErrorKind::ArgumentConflict, message));
    }
    command.find_subcommand_mut(name).map_or(Ok(()), |command| check_order(command, behind))
}

/// Names the word that clap does not.
fn explained(mut error: Error, words: &[OsString]) -> Error {
    let words = words.iter().skip(1);
    match error.kind() {
        ErrorKind::InvalidUtf8 => {
            let Some(word) = words.into_iter().find(|word| word.to_str().is_none()) else { return error };
            let message = format!("{word:?} is not UTF-8; rename the file, or make a link to it with another name");
            Cli::command().error(ErrorKind::InvalidUtf8, message)
        }
        ErrorKind::UnknownArgument => {
            let is_file =
                |word: &&str| word.starts_with('-') && !word.starts_with("--") && Path::new(word).extension().is_some();
            if let Some(file) = words.filter_map(|word| word.to_str()).find(is_file) {
                let tip = format!("a file of that name is typed './{file}'").into();
                error.insert(ContextKind::Suggested, ContextValue::StyledStrs(vec![tip]));
            }
            error
        }
        _ => error,
    }
}
