//! Mistakes that clap finds, each in one line that says what to type, in place of its lines with the usage behind them.

use std::error::Error as _;
use std::path::Path;

use clap::error::{ContextKind, ContextValue, ErrorKind};
use clap::{Arg, Command, Error};

use super::answer;
use super::misplaced;
use crate::filter::find;

/// The line for a mistake among `words`, the program's name left out; `None` for what is none, such as `--help`.
pub(super) fn line(error: &Error, command: &Command, words: &[&str]) -> Option<String> {
    let root = command;
    // The command that was typed, which may be one of another: `warpreel bench copy`.
    let (mut command, mut path) = (root, "warpreel".to_owned());
    for word in words {
        if let Some(found) = command.find_subcommand(word) {
            command = found;
            path = path + " " + word;
        }
    }
    let names = texts(error, ContextKind::InvalidArg);
    let name = names.first().map_or("", String::as_str);
    let argument = command.get_arguments().find(|argument| argument.to_string() == name);
    let bare = name.split([' ', '=']).next().unwrap_or_default().trim_matches(['<', '>']);
    let value = texts(error, ContextKind::InvalidValue).into_iter().next().unwrap_or_default();
    Some(match error.kind() {
        ErrorKind::DisplayHelp
        | ErrorKind::DisplayVersion
        | ErrorKind::DisplayHelpOnMissingArgumentOrSubcommand
        | ErrorKind::InvalidUtf8 => return None,
        ErrorKind::InvalidValue if value.is_empty() => format!("{bare} has no value; type {}", wanted(argument, name)),
        ErrorKind::InvalidValue => format!("{bare} {value:?} is unknown; type {}", wanted(argument, name)),
        ErrorKind::ValueValidation => {
            format!("{bare} {value:?} {}; type {}", fault(error, &value), wanted(argument, name))
        }
        ErrorKind::TooManyValues | ErrorKind::WrongNumberOfValues => {
            format!("{bare} takes no value, and has {value:?}; type {bare}")
        }
        ErrorKind::ArgumentConflict => match texts(error, ContextKind::PriorArg).first() {
            Some(prior) if prior == name => format!("'{name}' cannot be used multiple times; leave one of them out"),
            Some(prior) => format!("'{name}' cannot be used with '{prior}'; leave one of them out"),
            None => format!("'{name}' cannot be used here; leave it out"),
        },
        ErrorKind::MissingRequiredArgument => missing(&names, command, words),
        ErrorKind::UnknownArgument => unknown(error, name, &path, words),
        ErrorKind::InvalidSubcommand => no_command(root, words),
        _ => {
            let text = error.to_string();
            let first = text.lines().next().unwrap_or_default();
            format!("{}; see warpreel --help", first.strip_prefix("error: ").unwrap_or(first))
        }
    })
}

/// Texts of one kind that clap has put in an error.
fn texts(error: &Error, kind: ContextKind) -> Vec<String> {
    match error.get(kind) {
        Some(ContextValue::String(text)) => vec![text.clone()],
        Some(ContextValue::Strings(texts)) => texts.clone(),
        _ => Vec::new(),
    }
}

/// An argument as it is typed, and its help: `--quality N (constant quality from 1 to 100, the best; default 80)`.
fn wanted(argument: Option<&Arg>, name: &str) -> String {
    let plain = name.replace(['<', '>', '[', ']'], "");
    let Some(argument) = argument else { return plain };
    let values = argument.get_possible_values();
    let values: Vec<&str> = values.iter().filter(|value| !value.is_hide_set()).map(|value| value.get_name()).collect();
    if let [rest @ .., last] = &values[..] {
        let option = argument.get_long().map_or_else(String::new, |long| format!("--{long} "));
        return format!("{option}{} or {last}", rest.join(", "));
    }
    let help = argument.get_help().map(ToString::to_string).unwrap_or_default();
    let mut letters = help.chars();
    let begins_small = letters.clone().nth(1).is_some_and(char::is_lowercase);
    let help = match letters.next() {
        Some(first) if begins_small => first.to_lowercase().collect::<String>() + letters.as_str(),
        _ => help,
    };
    if help.is_empty() { plain } else { format!("{plain} ({help})") }
}

/// The fault of a value, where its parser named it.
fn fault(error: &Error, value: &str) -> String {
    let source = error.source().map(ToString::to_string).unwrap_or_default();
    if let Some((_, range)) = source.split_once(" is not in ") {
        return format!("is not from {}", range.replacen("..=", " to ", 1));
    }
    let is_number = value.parse::<f64>().is_ok();
    match source.as_str() {
        "invalid digit found in string" if is_number => "is not a whole number from 0".to_owned(),
        "invalid digit found in string" | "invalid float literal" => "is not a number".to_owned(),
        "" => "is wrong".to_owned(),
        _ => format!("is wrong: {source}"),
    }
}

/// The answer to `help` with a word that is no command.
fn no_command(root: &Command, words: &[&str]) -> String {
    if let Some(name) = words.iter().find(|word| find(word).is_some()) {
        return format!("{name} is a filter and no command; type warpreel filters {name}");
    }
    let word = words.last().copied().unwrap_or_default();
    if word.starts_with('@') || word == "recipes" {
        return format!("recipes are listed with the filters; type warpreel filters {word}");
    }
    let bare = word.trim_start_matches('-').replace('_', "-");
    match root.get_arguments().find(|argument| argument.get_long() == Some(&bare)) {
        Some(argument) => {
            let typed = wanted(Some(argument), &argument.to_string());
            format!("{word} is an option and no command; type {typed}; see warpreel --help")
        }
        None => format!("there is no command {word:?}; list them with warpreel --help"),
    }
}

/// The answer where something has to be typed as well.
fn missing(names: &[String], command: &Command, words: &[&str]) -> String {
    if names.iter().any(|name| name == "--watch") {
        return "--settle is for --watch; type warpreel --watch DIR OUTDIR/ --settle SECONDS".to_owned();
    }
    if names.iter().any(|name| name.starts_with("--metrics ")) {
        return "--metrics-file is for --metrics; type --metrics psnr,ssim --metrics-file FILE.csv".to_owned();
    }
    let plain = |name: &String| name.replace(['<', '>', '[', ']', '.'], "");
    let mut names: Vec<String> = names.iter().map(plain).collect();
    let subcommands = words.iter().take_while(|word| !word.starts_with('-')).copied();
    let mut program = vec!["warpreel"];
    if command.get_name() == "warpreel" {
        names = vec!["INPUT".to_owned(), "OUTPUT".to_owned()];
    } else {
        program.extend(subcommands);
    }
    let rest = words.iter().find(|word| word.starts_with('-')).map_or_else(String::new, |word| format!(" {word} …"));
    let verb = if names.len() == 1 { "is" } else { "are" };
    format!("{} {verb} missing; type {} {}{rest}", names.join(" and "), program.join(" "), names.join(" "))
}

/// The answer to an argument that clap does not know.
fn unknown(error: &Error, name: &str, path: &str, words: &[&str]) -> String {
    if let Some(answer) = answer::unknown(name, words).or_else(|| misplaced::option(words)) {
        return answer;
    }
    let is_file =
        |word: &&&str| word.starts_with('-') && !word.starts_with("--") && Path::new(word).extension().is_some();
    if let Some(file) = words.iter().find(is_file) {
        return format!("there is no option {file}; type './{file}' for a file of that name");
    }
    let help = format!("{path} --help");
    if !name.starts_with('-') {
        return format!("unexpected argument {name:?}; quote what contains blanks, or see {help}");
    }
    match texts(error, ContextKind::SuggestedArg).first() {
        Some(near) => format!("there is no option {name}; did you mean {near}? All options: {help}"),
        None => format!("there is no option {name}; list them with {help}"),
    }
}
