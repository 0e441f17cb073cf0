//! What a model wants to have drawn, read with the names of the model.

use crate::failure::Failure;
use crate::open::Opened;
use noslip::Result;
use noslip::expr::Expr;
use noslip_cli::report::drawing::{Drawing, Scene, is_number};

/// The drawing of a model file, or the usual one, with its expressions.
pub struct Picture {
    drawing: Drawing,
    expressions: Vec<(String, Expr)>,
}

impl Picture {
    /// Reads `[[drawing]]` and `[view]`.
    pub fn of(opened: &mut Opened) -> std::result::Result<Picture, Failure> {
        let drawing = match &opened.model.plain {
            Some(plain) => Drawing::beside(&plain.drawing, &opened.model.sections, &opened.text),
            None => Drawing::read(&opened.model.sections, &opened.text),
        };
        let drawing = drawing.map_err(|e| opened.refuse(&[e]))?;
        let drawing = drawing.unwrap_or_else(|| {
            let arena = &opened.model.arena;
            let names: Vec<&str> = opened.model.system.coordinates.iter().map(|&s| arena.name(s)).collect();
            Drawing::default_for(&names)
        });
        let mut expressions = Vec::new();
        for e in drawing.expressions() {
            expressions.push((e.text.clone(), opened.own_expression(&e.text, e.span.as_ref())?));
        }
        Ok(Picture { drawing, expressions })
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
