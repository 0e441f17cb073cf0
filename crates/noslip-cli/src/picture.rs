//! What a model wants to have drawn and plotted, read with the names of the model.

use noslip::arrange::Arrange;
use noslip::expr::{Expr, NameError};
use noslip::model::{Claims, Model};
use noslip::{Error, Limits, Result};
use noslip_cli::report::drawing::{Drawing, Expression, Scene, is_number};
use noslip_cli::report::figures::FigureSpec;

/// The drawing of a model file, or the usual one, with its expressions.
pub struct Picture {
    drawing: Drawing,
    expressions: Vec<(String, Expr)>,
}

/// A plot whose expressions have been read with the names of the model.
pub struct Figure {
    /// As the file says it.
    pub spec: FigureSpec,
    /// What runs across, if it is not the time.
    pub across: Option<Expr>,
    /// What runs upward.
    pub up: Vec<Expr>,
}

/// What is wrong with the drawing and the plots of a model: told when it is read, not when it is first drawn.
pub fn mistakes(model: &Model, text: &str) -> Vec<Error> {
    let mut errors = Vec::new();
    if model.sections.iter().any(|e| ["drawing", "view", "plots"].contains(&e.key.as_str())) {
        // In a copy: what is read here must leave no trace in the expressions of the model.
        let mut model = model.clone();
        match drawing_of(&model, text) {
            // What has no place in the file was written by the program.
            Ok(drawing) => drawing.expressions().into_iter().filter(|e| e.span.is_some()).for_each(|e| {
                read(&mut model, e, &mut errors);
            }),
            Err(found) => errors.extend(found),
        }
        errors.extend(Figure::all(&mut model, text).err().into_iter().flatten());
        errors.arrange_by_key(|e| e.span.as_ref().map_or(0, |s| s.start));
        errors.dedup();
    }
    errors
}

/// The drawing of a model file, or the usual one.
fn drawing_of(model: &Model, text: &str) -> std::result::Result<Drawing, Vec<Error>> {
    let drawing = match &model.plain {
        Some(plain) => Drawing::beside(&plain.drawing, &model.sections, text),
        None => Drawing::read(&model.sections, text),
    };
    Ok(drawing?.unwrap_or_else(|| {
        let (arena, system) = (&model.arena, &model.system);
        let turning =
            system.coordinates.iter().filter(|&&s| system.constraints.iter().any(|c| arena.depends_on(c.expr, s)));
        let turning: Vec<&str> = turning.map(|&s| arena.name(s)).collect();
        let names: Vec<&str> = system.coordinates.iter().map(|&s| arena.name(s)).collect();
        Drawing::default_for(&names, &turning)
    }))
}

/// An expression of the model file outside the mechanics; errors point to their places in the file.
fn read(model: &mut Model, e: &Expression, errors: &mut Vec<Error>) -> Option<Expr> {
    match Claims::equation(&e.text, model, &Limits::default()) {
        Ok(claim) => Some(claim.expr),
        Err(found) => {
            let start = e.span.as_ref().map_or(0, |s| s.start);
            errors.extend(found.into_iter().map(|x| x.shifted(start)));
            None
        }
    }
}

impl Figure {
    /// Reads `[[plots]]`.
    pub fn all(model: &mut Model, text: &str) -> std::result::Result<Vec<Figure>, Vec<Error>> {
        let (mut figures, mut errors) = (Vec::new(), Vec::new());
        for spec in FigureSpec::read(&model.sections, text)? {
            let across = spec.across.as_ref().and_then(|e| read(model, e, &mut errors));
            let up = spec.up.iter().filter_map(|e| read(model, e, &mut errors)).collect();
            if let Some(vary) = &spec.vary {
                let known = || model.system.parameters.iter().map(|p| model.arena.name(p.symbol));
                if !known().any(|name| name == vary.name) {
                    let error = NameError::unknown("parameter", &vary.name, known());
                    errors.push(error.hint("a plot varies one of the [parameters]").at(vary.span.clone()));
                }
            }
            figures.push(Figure { spec, across, up });
        }
        if errors.is_empty() { Ok(figures) } else { Err(errors) }
    }
}

impl Picture {
    /// Reads `[[drawing]]` and `[view]`.
    pub fn of(model: &mut Model, text: &str) -> std::result::Result<Picture, Vec<Error>> {
        let drawing = drawing_of(model, text)?;
        let (mut expressions, mut errors) = (Vec::new(), Vec::new());
        for e in drawing.expressions() {
            expressions.extend(read(model, e, &mut errors).map(|expr| (e.text.clone(), expr)));
        }
        if errors.is_empty() { Ok(Picture { drawing, expressions }) } else { Err(errors) }
    }

    /// What to evaluate along the motion.
    pub fn expressions(&self) -> Vec<Expr> {
        self.expressions.iter().map(|(_, e)| *e).collect()
    }

    /// The expressions of the columns of the scene, in their order.
    pub fn columns(&self) -> Vec<Expr> {
        self.expressions.iter().filter(|(text, _)| !is_number(text)).map(|(_, e)| *e).collect()
    }

    /// The time of a still picture, if the model says.
    pub fn moment(&self) -> Option<f64> {
        self.drawing.view.moment
    }

    /// The drawing in numbers, from the values of its expressions.
    pub fn scene(&self, columns: &[Vec<f64>]) -> Result<Scene> {
        self.drawing.sample(&mut |text: &str| {
            let i = self.expressions.iter().position(|(t, _)| t == text).unwrap_or(0);
            Ok(columns[i].clone())
        })
    }
}
