//! Filters, values and small words that were typed where none belong, and the command without that mistake.

use std::path::Path;

use crate::filter::find;
use crate::shell::quoted;

/// Verbs before the input and prepositions before the output, as other programs have them.
const VERBS: [&str; 9] = ["convert", "filter", "run", "process", "encode", "transcode", "apply", "render", "ffmpeg"];
const LINKS: [&str; 5] = ["to", "into", "as", "->", "=>"];

/// The answer where more names were typed than an input and an output, or a filter among them: the whole command. `names` are
/// those that belong to no option, `words` all that was typed.
pub(super) fn name(names: &[String], words: &[&str]) -> Option<String> {
    let is_name = |word: &&str| names.iter().any(|name| name == *word);
    // A value behind the filter that it is for: `-f gaussian 2`.
    let value = words.windows(3).position(|three| {
        ["-f", "--filter"].contains(&three[0])
            && find(three[1]).is_some()
            && is_name(&three[2])
            && three[2].parse::<f64>().is_ok()
    });
    if let Some(at) = value {
        let (before, behind) = (&words[..=at], &words[at + 3..]);
        let call = format!("{}={}", words[at + 1], words[at + 2]);
        return Some(format!("a filter's value follows =; {}", typed(&[before, &[&call], behind].concat())));
    }
    // With its container named, an output may be called as it likes.
    let is_open = names.len() > 2 || !words.contains(&"--container");
    let chain = words.iter().copied().filter(is_name).find(|word| is_open && is_chain(word));
    if let Some(chain) = chain {
        let mut rest: Vec<&str> = words.iter().copied().filter(|word| *word != chain).collect();
        // The name beside it is an input where there is such a file.
        if let (2, Some(at)) = (names.len(), rest.iter().position(is_name)) {
            match Path::new(rest[at]).exists() || rest[at] == "-" {
                true => rest.insert(at + 1, "OUTPUT"),
                false => rest.insert(at, "INPUT"),
            }
        }
        return Some(format!("filters follow -f; {}", typed(&[&rest[..], &["-f", chain]].concat())));
    }
    let needless = words.iter().copied().filter(is_name).enumerate().find(|(at, word)| {
        let is_one = if *at == 0 { VERBS.contains(word) } else { LINKS.contains(word) };
        is_one && names.len() > 2 && !Path::new(word).exists()
    });
    let (_, needless) = needless?;
    let rest: Vec<&str> = words.iter().copied().filter(|word| *word != needless).collect();
    Some(format!("leave {needless:?} out; {}", typed(&rest)))
}

/// The answer to an unknown option that is a filter, `--gaussian 2`.
pub(super) fn option(words: &[&str]) -> Option<String> {
    let call = |word: &&str| word.strip_prefix('-').map(|rest| rest.trim_start_matches('-').to_owned());
    let (at, call) =
        words.iter().enumerate().find_map(|(at, word)| Some((at, call(word)?)).filter(|(_, call)| is_chain(call)))?;
    let value = words.get(at + 1).filter(|value| value.parse::<f64>().is_ok() && !call.contains('='));
    let chain = value.map_or_else(|| call.clone(), |value| format!("{call}={value}"));
    let name = call.split(['=', ',']).next().unwrap_or_default();
    Some(format!("{name} is a filter; type -f {}", quoted(&chain)))
}

/// True of filters that are no file's name.
fn is_chain(word: &str) -> bool {
    let name = word.split(['=', ',']).next().unwrap_or_default();
    find(name).is_some() && !Path::new(word).exists()
}

/// A command to type.
fn typed(words: &[&str]) -> String {
    let words: Vec<String> = words.iter().map(|word| quoted(word)).collect();
    format!("type warpreel {}", words.join(" "))
}
