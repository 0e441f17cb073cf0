use noslip::card::Card;
#[cfg(test)]
use schemars::JsonSchema;
use serde::Serialize;

/// `noslip forms`: the forms of the equations of motion.
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(test, derive(JsonSchema))]
pub struct Forms {
    /// In the order of the registry.
    #[cfg_attr(test, schemars(length(min = 1)))]
    pub forms: Vec<Entry>,
}

/// A form of the equations of motion, or a subject beyond them.
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(test, derive(JsonSchema))]
pub struct Entry {
    /// What `--form` takes, or the name of a command.
    #[cfg_attr(test, schemars(regex(pattern = r"^[a-z-]+$")))]
    pub id: &'static str,
    /// Its name.
    pub name: &'static str,
    /// Other names that are taken for it.
    pub aliases: Vec<&'static str>,
    /// Where it is treated.
    pub source: &'static str,
    /// What it needs, in one line.
    pub needs: &'static str,
}

impl From<&Card> for Entry {
    fn from(card: &Card) -> Entry {
        let aliases = card.aliases.to_vec();
        Entry { id: card.id, name: card.name, aliases, source: card.source, needs: card.needs }
    }
}

/// `noslip explain`: a form, or a subject beyond the equations of motion.
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(test, derive(JsonSchema))]
pub struct Explanation {
    /// What it is called.
    #[serde(flatten)]
    pub entry: Entry,
    /// The documentation as plain text: what it is, unknowns, equation, when valid, sources.
    #[cfg_attr(test, schemars(length(min = 1)))]
    pub about: String,
}

/// `noslip demo`: the gallery, or one model of it.
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(test, derive(JsonSchema))]
#[serde(untagged)]
pub enum Demo {
    /// Without a name.
    List {
        /// By name.
        #[cfg_attr(test, schemars(length(min = 1)))]
        models: Vec<GalleryEntry>,
    },
    /// With a name.
    One {
        /// Its name.
        name: String,
        /// The text of the model file.
        model: String,
    },
}

/// A model of the gallery.
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(test, derive(JsonSchema))]
pub struct GalleryEntry {
    /// What commands take in place of a file.
    pub name: String,
    /// Its title.
    pub title: String,
    /// Where it comes from.
    pub source: Option<String>,
    /// What it is.
    pub description: Option<String>,
}
