//! Chains by name, for the clips that people have most: `@vhs`.

use super::table::nearest;

/// A chain that is known by its name.
#[derive(Debug)]
pub struct NamedRecipe {
    /// What is typed behind `@`.
    pub name: &'static str,
    /// One line: the clips that it is for, and what it does to them.
    pub summary: &'static str,
    /// The chain, as a file would have it.
    pub text: &'static str,
}

/// All of them. What each gains is measured by `scripts/recipes`, whose table is in docs/recipes.md.
pub static RECIPES: &[NamedRecipe] = &[
    NamedRecipe {
        name: "vhs",
        summary: "tape: interlaced frames become progressive, noise goes",
        text: "# Frames that are not marked as interlaced stay as they are; leave out deint=interlaced if the mark is missing.\n\
               bwdif=mode=send_frame:deint=interlaced\n\
               # The strength is that of the noise, by shot.\n\
               denoise\n",
    },
    NamedRecipe {
        name: "film-grain",
        summary: "film: grain goes along the motion, detail stays",
        text: "# Blocks are followed over two frames on either side; the threshold follows the grain, by shot.\n\
               degrain=thsad=auto\n",
    },
    NamedRecipe {
        name: "webcam",
        summary: "dim rooms and small sensors: strong noise goes",
        text: "# Similar blocks of three frames, filtered together: the best of the denoisers, and the slowest.\n\
               bm3d=sigma=auto:radius=1\n",
    },
    NamedRecipe {
        name: "timelapse",
        summary: "exposures that jump from picture to picture become even",
        text: "# Frames have the mean brightness of nine; a cut begins anew.\n\
               deflicker=size=9:scene=0.3\n",
    },
    NamedRecipe {
        name: "anime",
        summary: "drawings shot on film: grain goes, lines stay",
        text: "# Drawings are held for some frames, over which grain averages out.\n\
               degrain=thsad=auto\n",
    },
];

/// The recipe of that name.
pub(super) fn known(name: &str) -> Option<&'static NamedRecipe> {
    RECIPES.iter().find(|recipe| recipe.name == name)
}

/// The names, as they are typed.
pub(super) fn names() -> String {
    RECIPES.iter().map(|recipe| format!("@{}", recipe.name)).collect::<Vec<_>>().join(", ")
}

/// The text of `warpreel filters recipes`.
pub(super) fn listed() -> String {
    let line = |recipe: &NamedRecipe| format!("  @{:11} {}\n", recipe.name, recipe.summary);
    let all: String = RECIPES.iter().map(line).collect();
    format!("Recipes\n{all}\nExample: warpreel in.mp4 out.mp4 -f @vhs\nDescribe one: warpreel filters @NAME\n")
}

/// What to type for a name that is no file.
pub(super) fn advice(name: &str) -> String {
    let lowered = name.to_lowercase();
    let first = lowered.split([',', '=', ':', ' ']).next().unwrap_or_default();
    if let Some(recipe) = known(first).filter(|_| first.len() < name.len()) {
        let rest = name[first.len()..].trim_start_matches([',', ' ']);
        return match name.as_bytes()[first.len()] {
            b',' if !rest.is_empty() && !rest.contains('\'') => {
                format!("a recipe stands by itself: type -f @{} -f \"{rest}\"", recipe.name)
            }
            _ => format!("a recipe takes no values: type @{}", recipe.name),
        };
    }
    match nearest(&lowered, RECIPES.iter().map(|recipe| recipe.name)) {
        Some(near) => format!("did you mean \"@{near}\"? Recipes: {}", names()),
        None => format!("type @ and the name of a text file with filters, or a recipe: {}", names()),
    }
}
