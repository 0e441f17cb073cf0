//! What a form shows as it is written without abbreviations: the measure of what they are worth.

use super::present::{SIMPLE, short};
use crate::error::Result;
use crate::expr::{Expr, Tree};
use crate::mechanics::{Equations, Kind, Workbench};
use rustc_hash::{FxHashMap, FxHashSet};

/// The expressions of a form as they are written without abbreviations; nothing for those that are too long.
#[derive(Default)]
pub(super) struct InFull {
    trees: FxHashMap<(Expr, Kind), Option<Tree>>,
    /// What one has to read to know the motion.
    motion: FxHashSet<(Expr, Kind)>,
}

impl InFull {
    pub(super) fn of(eq: &Equations) -> InFull {
        let equations = eq.equations.iter().enumerate().map(|(i, &e)| (e, eq.kind(i)));
        let motion = equations.chain(eq.velocities.iter().map(|&(_, e)| (e, Kind::Value))).collect();
        InFull { motion, ..InFull::default() }
    }

    pub(super) fn tree(&mut self, w: &mut Workbench, e: Expr, kind: Kind) -> Result<Option<Tree>> {
        if let Some(known) = self.trees.get(&(e, kind)) {
            return Ok(known.clone());
        }
        let tree = short(w, e, kind)?;
        self.trees.insert((e, kind), tree.clone());
        Ok(tree)
    }

    /// Would it be written with the letters of others?
    pub(super) fn takes_letters(&self, e: Expr, kind: Kind, tree: &Tree) -> bool {
        tree.operations() > SIMPLE && self.motion.contains(&(e, kind))
    }

    /// The shorter one, without letters if it is as short.
    pub(super) fn unless_longer(&self, e: Expr, kind: Kind, with_letters: Tree) -> Tree {
        match self.trees.get(&(e, kind)) {
            Some(Some(tree)) if tree.operations() <= with_letters.operations() => tree.clone(),
            _ => with_letters,
        }
    }
}
