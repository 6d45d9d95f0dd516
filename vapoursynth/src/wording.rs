//! Advice of the library, which is for command lines, in the words of scripts.

/// The text with arguments in place of options.
pub fn reworded(text: &str) -> String {
    const WORDS: [(&str, &str); 6] = [
        ("type --backend cpu", "pass backend=\"cpu\""),
        ("type --fields frame", "pass fields=\"frame\""),
        ("type --in-flight", "pass in_flight="),
        ("; type a ", "; pass a "),
        ("; type ", "; pass "),
        ("build with the feature libav", "leave it out, and choose frames in the script"),
    ];
    WORDS.iter().fold(text.to_owned(), |text, (from, to)| text.replace(from, to))
}
