//! What a model wants to have drawn, read with the names of the model.

use crate::failure::Failure;
use crate::open::Opened;
use noslip::expr::Expr;
use noslip::model::Claims;
use noslip::{Limits, Result, Span};
use noslip_cli::report::drawing::{Drawing, Scene};

/// The drawing of a model file, or the usual one, with its expressions.
pub struct Picture {
    drawing: Drawing,
    expressions: Vec<(String, Expr)>,
}

impl Picture {
    /// Reads `[[drawing]]` and `[view]`.
    pub fn of(opened: &mut Opened) -> std::result::Result<Picture, Failure> {
        let mut drawing = Drawing::parse(&opened.text);
        if let Some(plain) = &opened.model.plain {
            drawing = drawing.and_then(|drawing| Drawing::beside(&plain.drawing, &opened.text, drawing));
        }
        let drawing = drawing.map_err(|e| opened.refuse(&[e]))?;
        let drawing = drawing.unwrap_or_else(|| {
            let arena = &opened.model.arena;
            let names: Vec<&str> = opened.model.system.coordinates.iter().map(|&s| arena.name(s)).collect();
            Drawing::default_for(&names)
        });
        let mut expressions = Vec::new();
        for e in drawing.expressions() {
            expressions.push((e.text.clone(), expression(opened, &e.text, e.span.as_ref())?));
        }
        Ok(Picture { drawing, expressions })
    }

    /// What to evaluate along the motion.
    pub fn expressions(&self) -> Vec<Expr> {
        self.expressions.iter().map(|(_, e)| *e).collect()
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

/// An expression of the model file outside the mechanics; an error points to its place in the file.
pub fn expression(opened: &mut Opened, text: &str, place: Option<&Span>) -> std::result::Result<Expr, Failure> {
    let claim = Claims::equation(text, &mut opened.model, &Limits::default());
    claim.map(|c| c.expr).map_err(|errors| {
        let start = place.map_or(0, |s| s.start);
        opened.refuse(&errors.into_iter().map(|x| x.shifted(start)).collect::<Vec<_>>())
    })
}
