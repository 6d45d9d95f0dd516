//! Filters whose strength follows the noise of a clip, once that is known, and typed strengths far from it.

use super::chain::Filter;
use super::parameter::{Kind, Parameter, Preset, Strength};
use super::strength::{LEAST, MOST, Noise};
use super::value::Value;
use crate::frame::Pixel;

/// Noise below this is hardly visible, so that no typed strength is too weak for it.
const VISIBLE: f64 = 1.5;

/// The least noise that a typed strength is measured against, since encoders leave less of it than there was.
const COMMON: f64 = 1.0;

impl Filter {
    /// Whether a strength of this filter follows the noise of the clip: who has the clip measures it, and asks for
    /// [`Filter::settled`].
    pub fn is_measured(&self) -> bool {
        self.measured().next().is_some()
    }

    /// The scene score above which a frame is to be measured anew, where that was typed; 0 for never.
    pub fn cut(&self) -> Option<f64> {
        self.values().typed("scene").filter(|_| self.is_given("scene"))
    }

    /// The same for planes as noisy as `deviations` says, one number for each, in steps of 8 bits.
    #[must_use]
    pub fn settled(&self, pixel: Pixel, deviations: &[f64]) -> Self {
        noise(pixel, deviations).map_or_else(|| self.clone(), |noise| self.with(self.strengths(noise)))
    }

    /// The same for the least noise, or the most, that any clip has.
    pub fn settled_for_any(&self) -> [Self; 2] {
        [LEAST, MOST].map(|noise| self.with(self.strengths(Noise { luma: noise, chroma: Some(noise) })))
    }

    /// The same call with the strengths that it has for a clip that nobody measures, as text.
    pub fn fixed(&self) -> String {
        self.with(self.strengths(Noise::ASSUMED)).to_string()
    }

    /// Whether its strength was typed, or is a number by default, and could follow the noise.
    pub fn has_typed_strength(&self) -> bool {
        strengths(self.spec.own).next().is_some_and(|(lead, _)| !self.is_auto(lead))
    }

    /// One line on a typed strength that removes next to none of the noise of a clip, or much more, and what to type
    /// instead. `None` where there is nothing to say.
    pub fn strength_remark(&self, pixel: Pixel, deviations: &[f64]) -> Option<String> {
        let noise = noise(pixel, deviations).filter(|noise| noise.luma >= LEAST && self.filters(pixel, 0))?;
        let leading = strengths(self.spec.own).filter(|(_, strength)| strength.leads());
        let parts =
            leading.map(|(parameter, strength)| Some((parameter, strength, self.part(parameter, strength, noise)?)));
        let parts = parts.collect::<Option<Vec<_>>>()?;
        let weak = parts.iter().find(|(_, strength, part)| noise.luma >= VISIBLE && *part < strength.weak);
        let strong = parts.first().filter(|_| parts.iter().all(|(_, strength, part)| *part > strength.strong));
        let (parameter, effect) = match (weak, strong) {
            (Some((parameter, ..)), _) => (parameter, "removes little"),
            (None, Some((parameter, ..))) => (parameter, "removes detail too"),
            (None, None) => return None,
        };
        let (name, typed) = (parameter.name, self.values().number(parameter.name));
        let (auto, has_lead) = self.automatic();
        let other = if has_lead { ", or denoise" } else { "" };
        let call = self.spec.name;
        Some(format!("{call}: the noise measures {:.1} and {name}={typed} {effect}; type {auto}{other}", noise.luma))
    }

    /// The numbers that a noise sets.
    pub(super) fn strengths(&self, noise: Noise) -> Vec<(&'static str, f64)> {
        let number = |(parameter, strength): (&'static Parameter, Strength)| {
            let number = (strength.of)(self.values(), noise)?;
            Some((parameter.name, rounded(within(number, parameter.kind))))
        };
        self.measured().filter_map(number).collect()
    }

    /// The parameters that the noise of the clip sets.
    fn measured(&self) -> impl Iterator<Item = (&'static Parameter, Strength)> {
        let follow = strengths(self.spec.own).next().is_some_and(|(lead, _)| self.is_auto(lead));
        let is_set = move |parameter: &Parameter| self.is_auto(parameter) || follow && !self.is_given(parameter.name);
        strengths(self.spec.own).filter(move |(parameter, _)| is_set(parameter))
    }

    fn is_auto(&self, parameter: &Parameter) -> bool {
        match self.given(parameter.name) {
            Some(value) => *value == Value::AUTO,
            None => is_auto_unless_typed(parameter),
        }
    }

    /// A typed number over that which the noise asks for; `None` where it follows the noise, or does nothing.
    fn part(&self, parameter: &Parameter, strength: Strength, noise: Noise) -> Option<f64> {
        let typed = self.values().typed(parameter.name).filter(|typed| *typed > 0.0 && !self.is_auto(parameter))?;
        let noise = Noise { luma: noise.luma.max(COMMON), ..noise };
        Some(typed / within((strength.of)(self.values(), noise)?, parameter.kind))
    }

    /// The same call with strengths that follow the noise, and whether that had to be typed.
    fn automatic(&self) -> (String, bool) {
        let lead = strengths(self.spec.own).next().map(|(lead, _)| lead).filter(|lead| !is_auto_unless_typed(lead));
        let by_noise = |name: &str| strengths(self.spec.own).any(|(parameter, _)| parameter.name == name);
        (self.with_lead(lead.map(|lead| (lead.name, Value::AUTO)), by_noise), lead.is_some())
    }
}

fn strengths(own: &'static [Parameter]) -> impl Iterator<Item = (&'static Parameter, Strength)> {
    own.iter().filter_map(|parameter| Some((parameter, parameter.strength?)))
}

fn is_auto_unless_typed(parameter: &Parameter) -> bool {
    matches!(parameter.preset, Preset::Is(preset) if parameter.kind.read(preset) == Ok(Value::AUTO))
}

/// The noise of a clip out of that of its planes.
fn noise(pixel: Pixel, deviations: &[f64]) -> Option<Noise> {
    let most = |is_chroma: bool| {
        let planes = deviations.iter().enumerate();
        let kind = planes.filter(|(plane, _)| pixel.is_chroma(*plane) == is_chroma && !pixel.is_alpha(*plane));
        kind.map(|(_, deviation)| deviation.min(MOST)).reduce(f64::max)
    };
    Some(Noise { luma: most(false)?, chroma: most(true) })
}

fn within(number: f64, kind: Kind) -> f64 {
    match kind {
        Kind::Number(low, high) | Kind::Strength(low, high) => number.clamp(low, high),
        _ => number,
    }
}

/// Three digits, which is more than a measurement has.
fn rounded(number: f64) -> f64 {
    format!("{number:.2e}").parse().unwrap_or(number)
}
