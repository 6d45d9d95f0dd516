//! Parameters of a type in the device code, each by the name that it has there. A pair that is swapped, or one that is
//! missing, does not compile.

use std::fmt::{Display, Write as _};

/// The members of a struct in the device code.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Named(String);

impl Named {
    /// A whole number.
    pub fn int(self, name: &str, value: usize) -> Self {
        self.with(format_args!("static constexpr int {name}={value};"))
    }

    /// 32 bits, often those of a float.
    pub fn word(self, name: &str, value: u32) -> Self {
        self.with(format_args!("static constexpr u32 {name}={value:#x}u;"))
    }

    /// Yes or no.
    pub fn flag(self, name: &str, value: bool) -> Self {
        self.with(format_args!("static constexpr bool {name}={value};"))
    }

    /// A constant of the device code.
    pub fn constant(self, name: &str, value: &str) -> Self {
        self.with(format_args!("static constexpr auto {name}={value};"))
    }

    /// A type of the device code.
    pub fn kind(self, name: &str, kind: impl Display) -> Self {
        self.with(format_args!("typedef {kind} {name};"))
    }

    /// Parameters within these.
    pub fn part(self, name: &str, part: Self) -> Self {
        self.with(format_args!("struct {name}{{{}}};", part.0))
    }

    /// A template, with parameters of its own.
    pub fn made(self, name: &str, made: Made) -> Self {
        let Made { template, parameters } = made;
        if parameters.0.is_empty() {
            return self.kind(name, template);
        }
        self.with(format_args!("struct {name}_{{{}}};typedef {template}<{name}_> {name};", parameters.0))
    }

    /// Several parts, as a list of that name; each is called `one`, and numbered.
    pub fn parts(self, name: &str, one: &str, parts: impl IntoIterator<Item = Self>) -> Self {
        let (mut all, mut names) = (self, Vec::new());
        for (index, part) in parts.into_iter().enumerate() {
            names.push(format!("{one}{index}"));
            all = all.part(&names[index], part);
        }
        all.kind(name, format_args!("List<{}>", names.join(",")))
    }

    /// The same of templates.
    pub fn all_made(self, name: &str, one: &str, made: impl IntoIterator<Item = Made>) -> Self {
        let (mut all, mut names) = (self, Vec::new());
        for (index, made) in made.into_iter().enumerate() {
            names.push(format!("{one}{index}"));
            all = all.made(&names[index], made);
        }
        all.kind(name, format_args!("List<{}>", names.join(",")))
    }

    fn with(mut self, member: std::fmt::Arguments<'_>) -> Self {
        // Writing to a string cannot fail.
        let _ = self.0.write_fmt(member);
        self
    }
}

/// A template of the device code, and its parameters; without parameters a type.
#[derive(Clone, Debug, PartialEq)]
pub struct Made {
    template: String,
    parameters: Named,
}

impl Made {
    /// A template.
    pub fn of(template: &str, parameters: Named) -> Self {
        Self { template: template.to_owned(), parameters }
    }

    /// A type that has no parameters but perhaps one, which cannot be taken for another.
    pub fn kind(kind: impl Into<String>) -> Self {
        Self { template: kind.into(), parameters: Named::default() }
    }

    /// A struct of this name, which holds the parameters, and whose `Run` is the template. `width` and `height` are those of its
    /// tiles.
    pub fn text(&self, name: &str, [width, height]: [usize; 2]) -> String {
        let Self { template, parameters } = self;
        format!(
            "struct {name}{{typedef {template}<{name}> Run;static constexpr int WIDTH={width},HEIGHT={height};{}}};",
            parameters.0
        )
    }
}
