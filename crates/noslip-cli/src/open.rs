//! Reading models: from a file, from standard input, or from the gallery.

use crate::failure::{Failure, problem};
use crate::files;
use crate::options::{ModelArgs, named, number, unknown};
use crate::picture::{Figure, Picture, mistakes};
use crate::terminal::complain;
use noslip::expr::near_miss::derivative;
use noslip::expr::{Declared, Expr, parse_expression};
use noslip::model::{Claims, Initial, Model, Overrides, State, render_note, render_warning};
use noslip::{Error, Limits};

/// A model that has been read.
#[derive(Clone)]
pub struct Opened {
    /// The model.
    pub model: Model,
    /// The text it was read from.
    pub text: String,
    /// What to call the file in messages.
    pub name: String,
}

impl Opened {
    /// The text of the plain model.
    pub fn plain(&self) -> &str {
        self.model.plain.as_ref().map_or(&self.text, |plain| &plain.file)
    }

    /// Errors that point into the model file.
    pub fn refuse(&self, errors: &[Error]) -> Failure {
        Failure::at(errors, &self.name, &self.text)
    }

    /// The name of the file without its extension; `other` for standard input.
    pub fn stem(&self, other: &str) -> String {
        let stem = std::path::Path::new(&self.name).file_stem().map(|s| s.to_string_lossy().into_owned());
        stem.filter(|s| s != "<stdin>").unwrap_or_else(|| other.to_owned())
    }

    /// The completed initial state.
    pub fn initial_state(&mut self) -> Result<State, Failure> {
        self.model.initial_state(&Overrides::default()).map_err(|e| self.refuse(&[e]))
    }

    /// The initial state where contacts may slide or be open.
    pub fn switching_state(&mut self) -> Result<State, Failure> {
        let mut w = self.model.workbench();
        noslip::contact::switching::initial_state(&mut w, &Overrides::default()).map_err(|e| self.refuse(&[e]))
    }

    /// An expression given as an option; all names of the model may stand in it.
    pub fn expression(&mut self, option: &str, text: &str) -> Result<Expr, Failure> {
        if let Some(at) = text.find(['<', '>', '≤', '≥']).filter(|_| option == "--stop") {
            let side = |text: &str| text.trim_matches(|c: char| c.is_whitespace() || "<>=≤≥".contains(c)).to_owned();
            let (left, right) = (side(&text[..at]), side(&text[at..]));
            let right = if right.contains(['+', '-']) { format!("({right})") } else { right };
            let error = Error::input("a run stops where an expression crosses zero, not where an inequality holds");
            let error = error.at(at..text.len()).hint(format!("write --stop \"{left} - {right}\""));
            return Err(Failure::at(&[error], option, text));
        }
        let claim = Claims::equation(text, &mut self.model, &Limits::default());
        claim.map(|c| c.expr).map_err(|errors| Failure::at(&errors, option, text))
    }

    /// What is drawn of the model.
    pub fn picture(&mut self) -> Result<Picture, Failure> {
        Picture::of(&mut self.model, &self.text).map_err(|e| self.refuse(&e))
    }

    /// The plots that the model asks for.
    pub fn figures(&mut self) -> Result<Vec<Figure>, Failure> {
        Figure::all(&mut self.model, &self.text).map_err(|e| self.refuse(&e))
    }

    /// Forces by coordinates from options `NAME=EXPR`; zero where nothing is given.
    pub fn forces(&mut self, option: &str, list: &[String]) -> Result<Vec<Expr>, Failure> {
        let mut forces = vec![self.model.arena.zero(); self.model.system.n()];
        for text in list {
            let (name, rest) = named(option, text)?;
            let e = self.expression(option, rest)?;
            let model = &mut self.model;
            let known: Vec<&str> = model.system.coordinates.iter().map(|&s| model.arena.name(s)).collect();
            let Some(i) = known.iter().position(|&n| n == name) else {
                return Err(unknown(&format!("`{option} {text}`: "), "coordinate", name, &known).into());
            };
            forces[i] = model.arena.add(forces[i], e);
        }
        Ok(forces)
    }

    /// The index of a constraint by its name; `place` says where that was given.
    pub fn constraint(&self, place: &str, name: &str) -> Result<usize, Failure> {
        let known: Vec<&str> = self.model.system.constraints.iter().map(|c| c.name.as_str()).collect();
        let found = known.iter().position(|&n| n == name);
        found.ok_or_else(|| unknown(place, "constraint", name, &known).into())
    }
}

/// Reads at most `limit` bytes: a longer input is refused before it fills the memory.
pub fn read_bytes(path: &str, limit: usize) -> Result<Vec<u8>, Failure> {
    let fail = |e: std::io::Error| {
        let hint = match e.kind() {
            std::io::ErrorKind::NotFound => match nearest_file(path) {
                Some(near) => format!("did you mean `{near}`?"),
                None => "check the path".to_owned(),
            },
            std::io::ErrorKind::IsADirectory => "give a file in it".to_owned(),
            std::io::ErrorKind::PermissionDenied => "check the permissions of the file and its folders".to_owned(),
            _ => return Error::input(format!("cannot read `{path}`: {e}")),
        };
        Error::input(format!("cannot read `{path}`: {e}")).hint(hint)
    };
    let bound = limit as u64 + 1;
    let bytes = if path == "-" { crate::console::read_input(bound) } else { files::read(path, bound) }.map_err(fail)?;
    if bytes.len() > limit {
        return Err(Error::limit(format!("`{path}` is longer than the limit of {limit} bytes")).into());
    }
    Ok(bytes)
}

/// A file of the same folder whose name is nearly this one.
fn nearest_file(path: &str) -> Option<String> {
    let path = std::path::Path::new(path);
    let folder = path.parent().filter(|p| !p.as_os_str().is_empty()).unwrap_or(std::path::Path::new("."));
    let names = files::names(folder);
    let near = noslip::expr::closest(path.file_name()?.to_str()?, names.iter().map(String::as_str))?;
    Some(path.with_file_name(near).display().to_string())
}

/// Standard input can be the model or a second file, not both.
pub fn expect_one_stdin(model: &ModelArgs, option: &str, path: &str) -> Result<(), Failure> {
    if path != "-" || model.model != "-" {
        return Ok(());
    }
    let message = format!("both the model and {option} are to come from standard input");
    Err(Error::input(message).hint("put one of them in a file").into())
}

/// What stands behind MODEL, and what to call it in messages: a file, standard input, or a model of the gallery.
pub fn source(model: &str) -> Result<(Vec<u8>, String), Failure> {
    let is_file = model == "-" || files::exists(model);
    if !is_file && !model.contains(['/', '.', '\\']) && noslip_gallery::find(model).is_none() {
        let known = noslip_gallery::MODELS.iter().map(|(n, _)| *n);
        let file = format!("{model}.toml");
        let hint = match noslip::expr::closest(model, known) {
            _ if files::exists(&file) => format!("did you mean the file `{file}`?"),
            Some(near) => format!("did you mean the gallery model `{near}`?"),
            None => "give a file, `-`, or a name listed by `noslip demo`".to_owned(),
        };
        let message = format!("`{model}` is neither a file nor a gallery model");
        return Err(Error::input(message).hint(hint).into());
    }
    match noslip_gallery::find(model) {
        Some(text) if !is_file => Ok((text.as_bytes().to_vec(), format!("{model}.toml"))),
        _ => {
            let name = if model == "-" { "<stdin>".to_owned() } else { model.to_owned() };
            Ok((read_bytes(model, Limits::default().file_bytes)?, name))
        }
    }
}

/// Reads a model and applies `--set` and `--initial`.
pub fn open(args: &ModelArgs) -> Result<Opened, Failure> {
    let limits = Limits::default();
    let (bytes, name) = source(&args.model)?;
    let text = String::from_utf8_lossy(&bytes).into_owned();
    let mut model = Model::load_bytes(&bytes, &name, &limits).map_err(|errors| Failure::at(&errors, &name, &text))?;
    let (functions, parameters) = split_settings(&model, &args.set);
    if !functions.is_empty() {
        model = Model::load_with(&text, &name, &limits, &functions).map_err(|e| Failure::at(&e, &name, &text))?;
    }
    let mistakes = mistakes(&model, &text);
    if !mistakes.is_empty() {
        return Err(Failure::at(&mistakes, &name, &text));
    }
    model.arena.work.effort = args.effort.into();
    model.arena.work.control = crate::console::control();
    model.arena.work.limit(model.arena.work.effort.command());
    for warning in &model.warnings {
        complain(&render_warning(warning, &name, &text));
        crate::console::remark("warning", || problem(warning, Some(&text)));
    }
    for note in &model.notes {
        complain(&render_note(note, &name, &text));
        crate::console::remark("note", || problem(note, Some(&text)));
    }
    for setting in &parameters {
        set_parameter(&mut model, setting)?;
    }
    // A parameter can be an expression of others, and lose its value with theirs.
    if let Err(e) = model.system.values(&model.arena, &[]) {
        let message = format!("`--set {}`: {}", args.set.join(" --set "), e.message);
        return Err(Error::input(message).hint("give a value at which all parameters are finite").into());
    }
    for setting in &args.initial {
        set_initial(&mut model, setting)?;
    }
    Ok(Opened { model, text, name })
}

impl Opened {
    /// Says that what follows is told for contacts that are closed, where the model has inequalities.
    pub fn while_closed(self) -> Opened {
        if let Some(c) = self.model.system.inequality() {
            let message =
                format!("constraint `{}` is an inequality: the answer is for as long as it is closed", c.name);
            complain(&format!("note: {message}"));
        }
        self
    }
}

/// Functions and sizes that `--set` gives, and the parameters that are left.
fn split_settings(model: &Model, settings: &[String]) -> (Vec<(String, String)>, Vec<String>) {
    let open = model.open_functions();
    let (mut functions, mut parameters) = (Vec::new(), Vec::new());
    for setting in settings {
        match setting.split_once('=') {
            Some((name, text)) if open.contains(&name.trim()) || model.sizes.iter().any(|n| n == name.trim()) => {
                functions.push((name.trim().to_owned(), text.trim().to_owned()));
            }
            _ => parameters.push(setting.clone()),
        }
    }
    (functions, parameters)
}

fn assignment<'a>(model: &mut Model, option: &str, text: &'a str) -> Result<(&'a str, Expr), Failure> {
    let wrong = || Error::input(format!("`{option} {text}`: expected NAME=VALUE"));
    let (name, value) = text.split_once('=').ok_or_else(wrong)?;
    let (name, value) = (name.trim(), value.trim());
    let exact = match number(value) {
        Some(x) => Some(model.arena.number(x)),
        None => constant(model, value),
    };
    let exact = exact.ok_or_else(|| {
        let hint = match value.split_once(',') {
            Some((whole, part)) => format!("decimal numbers are written with a point: {name}={whole}.{part}"),
            None => format!("write for example {name}=0.5, {name}=2/3 or \"{name}=pi/6\"; angles are in radians"),
        };
        Error::input(format!("`{option} {text}`: `{value}` is not a number")).hint(hint)
    })?;
    Ok((name, exact))
}

/// An expression of numbers and `pi` alone: `5*pi/180`, `sqrt(2)/2`.
fn constant(model: &mut Model, text: &str) -> Option<Expr> {
    if !text.contains("pi") && !text.contains(['*', '(']) {
        return None;
    }
    let e = parse_expression(&mut model.arena, text, &mut Declared, &Limits::default()).ok()?;
    let pi = model.arena.pi();
    model.arena.free_symbols(&[e]).iter().all(|&s| s == pi).then_some(e)
}

/// Replaces a parameter: `NAME=VALUE`.
pub fn set_parameter(model: &mut Model, setting: &str) -> Result<(), Failure> {
    let (name, value) = assignment(model, "--set", setting)?;
    let index = model.system.parameters.iter().position(|p| model.arena.name(p.symbol) == name);
    let Some(index) = index else {
        let known: Vec<&str> = model.system.parameters.iter().map(|p| model.arena.name(p.symbol)).collect();
        return Err(unknown(&format!("`--set {setting}`: "), "parameter", name, &known).into());
    };
    model.system.parameters[index].value = value;
    Ok(())
}

fn set_initial(model: &mut Model, setting: &str) -> Result<(), Failure> {
    let (name, value) = assignment(model, "--initial", setting)?;
    let n = model.system.n();
    let zero = model.arena.zero();
    let relation = if name.ends_with('\'') { None } else { model.initial_relation(name, value) };
    let initial = model.system.initial.get_or_insert_with(|| Initial::nothing(n, zero));
    if let Some(relation) = relation {
        initial.relations.retain(|(other, ..)| *other != relation.0);
        initial.relations.push(relation);
        return Ok(());
    }
    if name == "t" || name == "time" {
        initial.time = value;
        return Ok(());
    }
    let third = model.system.constraints.iter().any(|c| c.order == 3);
    let (plain, list) = match name.strip_suffix('\'') {
        Some(plain) if third && plain.ends_with('\'') => (&plain[..plain.len() - 1], &mut initial.acceleration),
        Some(plain) => (plain, &mut initial.velocity),
        None => (name, &mut initial.position),
    };
    let index = model.system.coordinates.iter().position(|&s| model.arena.name(s) == plain);
    let Some(index) = index else {
        let known: Vec<&str> = model.system.coordinates.iter().map(|&s| model.arena.name(s)).collect();
        let error = unknown(&format!("`--initial {setting}`: "), "coordinate", plain, &known);
        return Err(match derivative(plain, |n| known.contains(&n)) {
            Some((plain, 1)) => error.hint(format!("a velocity is written with a prime: \"{plain}'=1\"")).into(),
            _ => error.into(),
        });
    };
    list[index] = Some(value);
    Ok(())
}
