//! Languages of streams: as tags of files name them, by ISO 639-2, and as people type them.

/// Both codes of ISO 639-2, that of ISO 639-1, and the English name.
const LANGUAGES: [[&str; 4]; 30] = [
    ["ara", "ara", "ar", "arabic"],
    ["bul", "bul", "bg", "bulgarian"],
    ["ces", "cze", "cs", "czech"],
    ["dan", "dan", "da", "danish"],
    ["deu", "ger", "de", "german"],
    ["ell", "gre", "el", "greek"],
    ["eng", "eng", "en", "english"],
    ["est", "est", "et", "estonian"],
    ["fin", "fin", "fi", "finnish"],
    ["fra", "fre", "fr", "french"],
    ["heb", "heb", "he", "hebrew"],
    ["hin", "hin", "hi", "hindi"],
    ["hrv", "hrv", "hr", "croatian"],
    ["hun", "hun", "hu", "hungarian"],
    ["ind", "ind", "id", "indonesian"],
    ["ita", "ita", "it", "italian"],
    ["jpn", "jpn", "ja", "japanese"],
    ["kor", "kor", "ko", "korean"],
    ["nld", "dut", "nl", "dutch"],
    ["nor", "nor", "no", "norwegian"],
    ["pol", "pol", "pl", "polish"],
    ["por", "por", "pt", "portuguese"],
    ["ron", "rum", "ro", "romanian"],
    ["rus", "rus", "ru", "russian"],
    ["spa", "spa", "es", "spanish"],
    ["swe", "swe", "sv", "swedish"],
    ["tur", "tur", "tr", "turkish"],
    ["ukr", "ukr", "uk", "ukrainian"],
    ["vie", "vie", "vi", "vietnamese"],
    ["zho", "chi", "zh", "chinese"],
];

/// A language as people type it: a code of two or three letters, such as `en` or `eng`, or an English name.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Language(String);

impl Language {
    /// Reads a code, or a name that is known.
    pub fn parse(text: &str) -> Option<Self> {
        let text = text.to_ascii_lowercase();
        let is_code = (2..=3).contains(&text.len()) && text.bytes().all(|byte| byte.is_ascii_lowercase());
        (is_code || known(&text).is_some()).then_some(Self(text))
    }

    /// True of a stream's tag that names it: `ger` and `deu`, and `de-AT` too, are `german`.
    pub fn is(&self, tag: &str) -> bool {
        let tag = tag.to_ascii_lowercase();
        let tag = tag.split(['-', '_']).next().unwrap_or_default();
        tag == self.0 || known(&self.0).is_some_and(|names| names.contains(&tag))
    }
}

impl std::fmt::Display for Language {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(&self.0)
    }
}

/// All names of a language.
fn known(name: &str) -> Option<&'static [&'static str; 4]> {
    LANGUAGES.iter().find(|names| names.contains(&name))
}

#[cfg(test)]
mod tests {
    use super::Language;

    #[test]
    fn codes_and_names_mean_the_same_language() {
        for typed in ["de", "deu", "ger", "German"] {
            let german = Language::parse(typed).expect(typed);
            assert!(["ger", "deu", "de", "de-AT", "GER"].iter().all(|tag| german.is(tag)), "{typed}");
            assert!(!german.is("eng") && !german.is("und"), "{typed}");
        }
        assert!(Language::parse("gsw").expect("a code").is("gsw"));
        assert!(
            ["", "1", "all", "klingon", "e"].iter().filter(|typed| Language::parse(typed).is_some()).eq(["all"].iter())
        );
    }
}
