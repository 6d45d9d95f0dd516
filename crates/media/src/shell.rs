//! Names in command lines that messages advise.

/// A word as a shell takes it, in quotes if it needs them.
pub fn quoted(word: &str) -> String {
    let is_plain = |letter: char| letter.is_alphanumeric() || ".:/=_@%+-".contains(letter);
    match word {
        _ if !word.is_empty() && word.chars().all(is_plain) => word.to_owned(),
        _ if word.contains(['"', '$', '`', '\\', '!']) => format!("'{}'", word.replace('\'', r"'\''")),
        _ => format!("\"{word}\""),
    }
}

#[cfg(test)]
mod tests {
    use super::quoted;

    #[test]
    fn a_shell_reads_words_back() {
        for word in ["in.mp4", "f%03d.png", "a b", "it's", "a\"b", "$HOME", "a'b\"c", "", "tête/ä.mkv", "x;y", "*"] {
            let read = std::process::Command::new("sh").args(["-c", &format!("printf %s {}", quoted(word))]).output();
            assert_eq!(String::from_utf8(read.expect("a shell").stdout).expect("text"), word);
        }
        assert_eq!([quoted("f%03d.png"), quoted("a b")], ["f%03d.png", "\"a b\""]);
    }
}
