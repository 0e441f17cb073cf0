//! Values and operations of a straight-line program, built with sharing and with the obvious simplifications.

use super::kernel;
use super::schedule::{self, Code};
use crate::error::{Error, Result};
use crate::expr::{Arena, Symbol, TableId};
use crate::limits::Limits;
use noslip_native::{Native, Rows};
use rustc_hash::FxHashMap;
use std::sync::atomic::AtomicUsize;
use std::sync::{Arc, Mutex, OnceLock};

/// A value of a straight-line program: the result of one [`Operation`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Value(pub(super) u32);

impl Value {
    /// Its position among the operations.
    pub fn index(self) -> usize {
        self.0 as usize
    }
}

/// Operations of one argument.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
#[allow(missing_docs)]
pub enum Unary {
    Negate,
    Sqrt,
    Sin,
    Cos,
    Asin,
    Acos,
    Atan,
    Sinh,
    Cosh,
    Tanh,
    Exp,
    Log,
    Abs,
    Sign,
}

/// Operations of two arguments.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
#[allow(missing_docs)]
pub enum Binary {
    Add,
    Sub,
    Mul,
    Div,
    Power,
    Atan2,
}

/// One operation; arguments come before it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Operation {
    /// The input of that index.
    Input(u32),
    /// A number, as its bits (so that operations can be compared).
    Constant(u64),
    /// A function of one value.
    Unary(Unary, Value),
    /// A function of two values.
    Binary(Binary, Value, Value),
    /// The given derivative of a table.
    Table(TableId, u8, Value),
}

impl Operation {
    /// Calls `f` for every argument.
    pub(super) fn for_each_argument(self, mut f: impl FnMut(Value)) {
        match self {
            Operation::Input(_) | Operation::Constant(_) => {}
            Operation::Unary(_, a) | Operation::Table(_, _, a) => f(a),
            Operation::Binary(_, a, b) => {
                f(a);
                f(b);
            }
        }
    }
}

/// Functions given by measured data, evaluated by whoever owns the data.
///
/// Between two breakpoints a table is a polynomial of degree three at most, so its fourth derivative is zero there.
pub trait TableFunctions: Send + Sync {
    /// The given derivative at `x`.
    fn evaluate(&self, table: TableId, derivative: u8, x: f64) -> f64;

    /// Where the polynomial pieces meet, ascending. Needed only to write a table into exported source code.
    fn breakpoints(&self, table: TableId) -> Option<Vec<f64>> {
        let _ = table;
        None
    }
}

/// What compilation needs to know besides the expressions.
#[derive(Clone, Default)]
pub struct CompileOptions {
    /// Values of symbols to be folded into the code.
    pub parameters: Vec<(Symbol, f64)>,
    /// Who evaluates tables.
    pub tables: Option<Arc<dyn TableFunctions>>,
    /// Limits.
    pub limits: Limits,
    /// The program runs some hundred times at most: looking for pairs and common factors would take longer than all its runs.
    pub seldom: bool,
}

impl CompileOptions {
    /// The same for a program that runs some hundred times at most.
    pub fn seldom(self) -> CompileOptions {
        CompileOptions { seldom: true, ..self }
    }

    /// Options that fold these parameter values.
    pub fn with_parameters(parameters: impl IntoIterator<Item = (Symbol, f64)>) -> CompileOptions {
        CompileOptions { parameters: parameters.into_iter().collect(), ..CompileOptions::default() }
    }
}

/// Builds a straight-line program: equal operations are made once, constants are folded, signs are pulled outwards.
#[derive(Clone)]
pub struct TapeBuilder {
    pub(super) operations: Vec<Operation>,
    index: FxHashMap<Operation, Value>,
    input_names: Vec<String>,
    pub(super) bindings: FxHashMap<Symbol, Value>,
    pub(super) options: CompileOptions,
    table_names: Vec<(TableId, String)>,
}

impl TapeBuilder {
    /// A program of the given inputs; parameters of the options are constants.
    pub fn new(arena: &Arena, inputs: &[Symbol], options: &CompileOptions) -> Result<TapeBuilder> {
        let mut builder = TapeBuilder {
            operations: Vec::new(),
            index: FxHashMap::default(),
            input_names: inputs.iter().map(|&s| arena.name(s).to_owned()).collect(),
            bindings: FxHashMap::default(),
            options: options.clone(),
            table_names: Vec::new(),
        };
        for (i, &s) in inputs.iter().enumerate() {
            let value = builder.push(Operation::Input(i as u32));
            if builder.bindings.insert(s, value).is_some() {
                return Err(Error::input(format!("`{}` is twice among the inputs", arena.name(s))));
            }
        }
        for &(s, x) in &options.parameters {
            if !x.is_finite() {
                return Err(Error::input(format!("the value of `{}` is not a finite number", arena.name(s))));
            }
            let value = builder.constant(x);
            // An input takes precedence: a parameter may be folded in one tape and varied in another.
            builder.bindings.entry(s).or_insert(value);
        }
        let pi = builder.constant(std::f64::consts::PI);
        builder.bindings.entry(arena.pi()).or_insert(pi);
        Ok(builder)
    }

    /// Lets a symbol stand for a value already computed, in expressions lowered from now on.
    pub fn bind(&mut self, symbol: Symbol, value: Value) {
        self.bindings.insert(symbol, value);
    }

    /// Number of inputs.
    pub fn input_count(&self) -> usize {
        self.input_names.len()
    }

    /// Number of operations made so far, used or not.
    pub fn len(&self) -> usize {
        self.operations.len()
    }

    /// Has nothing been made yet?
    pub fn is_empty(&self) -> bool {
        self.operations.is_empty()
    }

    fn push(&mut self, operation: Operation) -> Value {
        if let Some(&v) = self.index.get(&operation) {
            return v;
        }
        let v = Value(u32::try_from(self.operations.len()).expect("fewer than 2³² operations fit in memory"));
        self.operations.push(operation);
        self.index.insert(operation, v);
        v
    }

    /// The limit on the size of a program.
    pub(super) fn check_size(&self, planned: usize) -> Result<()> {
        let limit = self.options.limits.tape_operations;
        if self.operations.len() + planned > limit {
            return Err(Error::limit(format!("compiled code of more than {limit} operations"))
                .hint("raise the limit `tape_operations`, or give values to the parameters"));
        }
        Ok(())
    }

    /// The input of that index; the caller knows how many there are.
    pub fn input(&self, i: usize) -> Value {
        assert!(i < self.input_names.len(), "input {i} of {}", self.input_names.len());
        Value(i as u32)
    }

    /// A number.
    pub fn constant(&mut self, x: f64) -> Value {
        // One zero, so that equal constants are equal operations.
        self.push(Operation::Constant(if x == 0.0 { 0 } else { x.to_bits() }))
    }

    /// The number behind a value that is one.
    pub fn as_constant(&self, v: Value) -> Option<f64> {
        match self.operations[v.index()] {
            Operation::Constant(bits) => Some(f64::from_bits(bits)),
            _ => None,
        }
    }

    /// Is this the number zero?
    pub fn is_zero(&self, v: Value) -> bool {
        self.as_constant(v) == Some(0.0)
    }

    fn negated(&self, v: Value) -> Option<Value> {
        match self.operations[v.index()] {
            Operation::Unary(Unary::Negate, a) => Some(a),
            _ => None,
        }
    }

    /// a + b.
    pub fn add(&mut self, a: Value, b: Value) -> Value {
        match (self.as_constant(a), self.as_constant(b)) {
            (Some(x), Some(y)) if (x + y).is_finite() => return self.constant(x + y),
            (Some(0.0), _) => return b,
            (_, Some(0.0)) => return a,
            _ => {}
        }
        match (self.negated(a), self.negated(b)) {
            (Some(a), Some(b)) => {
                let sum = self.add(a, b);
                return self.neg(sum);
            }
            (Some(a), None) => return self.sub(b, a),
            (None, Some(b)) => return self.sub(a, b),
            (None, None) => {}
        }
        let (a, b) = (a.min(b), a.max(b));
        self.push(Operation::Binary(Binary::Add, a, b))
    }

    /// a − b.
    pub fn sub(&mut self, a: Value, b: Value) -> Value {
        match (self.as_constant(a), self.as_constant(b)) {
            (Some(x), Some(y)) if (x - y).is_finite() => return self.constant(x - y),
            (Some(0.0), _) => return self.neg(b),
            (_, Some(0.0)) => return a,
            (None, Some(y)) => {
                let minus = self.constant(-y);
                return self.add(a, minus);
            }
            _ => {}
        }
        if a == b {
            return self.constant(0.0);
        }
        match (self.negated(a), self.negated(b)) {
            (Some(a), Some(b)) => return self.sub(b, a),
            (Some(a), None) => {
                let sum = self.add(a, b);
                return self.neg(sum);
            }
            (None, Some(b)) => return self.add(a, b),
            (None, None) => {}
        }
        self.push(Operation::Binary(Binary::Sub, a, b))
    }

    /// −a.
    pub fn neg(&mut self, a: Value) -> Value {
        if let Some(x) = self.as_constant(a) {
            return self.constant(-x);
        }
        match self.negated(a) {
            Some(a) => a,
            None => self.push(Operation::Unary(Unary::Negate, a)),
        }
    }

    /// a·b.
    pub fn mul(&mut self, a: Value, b: Value) -> Value {
        let (a, b, x) = match (self.as_constant(a), self.as_constant(b)) {
            (Some(x), Some(y)) if (x * y).is_finite() => return self.constant(x * y),
            (Some(x), _) => (a, b, Some(x)),
            (None, Some(y)) => (b, a, Some(y)),
            (None, None) => (a, b, None),
        };
        if let Some(x) = x {
            // A constant stands in front.
            if x == 0.0 {
                return self.constant(0.0);
            }
            if x == 1.0 {
                return b;
            }
            if x == -1.0 {
                return self.neg(b);
            }
            match self.operations[b.index()] {
                Operation::Unary(Unary::Negate, inner) => {
                    let minus = self.constant(-x);
                    return self.mul(minus, inner);
                }
                Operation::Binary(Binary::Mul, k, rest) => {
                    if let Some(y) = self.as_constant(k).filter(|y| (x * y).is_normal()) {
                        let xy = self.constant(x * y);
                        return self.mul(xy, rest);
                    }
                }
                _ => {}
            }
            return self.push(Operation::Binary(Binary::Mul, a, b));
        }
        match (self.negated(a), self.negated(b)) {
            (Some(a), Some(b)) => return self.mul(a, b),
            (Some(a), None) => {
                let p = self.mul(a, b);
                return self.neg(p);
            }
            (None, Some(b)) => {
                let p = self.mul(a, b);
                return self.neg(p);
            }
            (None, None) => {}
        }
        let (a, b) = (a.min(b), a.max(b));
        self.push(Operation::Binary(Binary::Mul, a, b))
    }

    /// a/b. Division by the number zero stays in the program and gives what floating point gives.
    pub fn div(&mut self, a: Value, b: Value) -> Value {
        match (self.as_constant(a), self.as_constant(b)) {
            (Some(x), Some(y)) if (x / y).is_finite() => return self.constant(x / y),
            (Some(0.0), None) => return self.constant(0.0),
            (None, Some(y)) if y.recip().is_normal() => {
                // One multiplication is several times cheaper, for half a unit in the last place.
                let reciprocal = self.constant(y.recip());
                return self.mul(reciprocal, a);
            }
            _ => {}
        }
        match (self.negated(a), self.negated(b)) {
            (Some(a), Some(b)) => return self.div(a, b),
            (Some(a), None) => {
                let q = self.div(a, b);
                return self.neg(q);
            }
            (None, Some(b)) => {
                let q = self.div(a, b);
                return self.neg(q);
            }
            (None, None) => {}
        }
        self.push(Operation::Binary(Binary::Div, a, b))
    }

    /// √a.
    pub fn sqrt(&mut self, a: Value) -> Value {
        self.unary(Unary::Sqrt, a)
    }

    /// A function of one value.
    pub fn unary(&mut self, op: Unary, a: Value) -> Value {
        if op == Unary::Negate {
            return self.neg(a);
        }
        if let Some(x) = self.as_constant(a) {
            let y = kernel::unary(op, x);
            if y.is_finite() {
                return self.constant(y);
            }
        }
        self.push(Operation::Unary(op, a))
    }

    /// A function of two values.
    pub fn binary(&mut self, op: Binary, a: Value, b: Value) -> Value {
        match op {
            Binary::Add => self.add(a, b),
            Binary::Sub => self.sub(a, b),
            Binary::Mul => self.mul(a, b),
            Binary::Div => self.div(a, b),
            Binary::Power | Binary::Atan2 => {
                if let (Some(x), Some(y)) = (self.as_constant(a), self.as_constant(b)) {
                    let z = kernel::binary(op, x, y);
                    if z.is_finite() {
                        return self.constant(z);
                    }
                }
                self.push(Operation::Binary(op, a, b))
            }
        }
    }

    /// The given derivative of a table at `a`.
    pub fn table(&mut self, arena: &Arena, table: TableId, derivative: u8, a: Value) -> Result<Value> {
        if self.options.tables.is_none() {
            return Err(Error::computation(format!("nobody evaluates the table `{}`", arena.table_name(table))));
        }
        if self.table_names.iter().all(|(t, _)| *t != table) {
            self.table_names.push((table, arena.table_name(table).to_owned()));
        }
        Ok(self.push(Operation::Table(table, derivative, a)))
    }

    /// Σ aᵢ·bᵢ.
    pub fn dot(&mut self, pairs: impl IntoIterator<Item = (Value, Value)>) -> Value {
        let mut sum = self.constant(0.0);
        for (a, b) in pairs {
            let product = self.mul(a, b);
            sum = self.add(sum, product);
        }
        sum
    }

    /// All operations at one point, without compiling: for choosing pivots. `inputs` has one number per input.
    pub fn evaluate(&self, inputs: &[f64]) -> Vec<f64> {
        let mut values: Vec<f64> = Vec::with_capacity(self.operations.len());
        for &operation in &self.operations {
            let value = match operation {
                Operation::Input(i) => inputs[i as usize],
                Operation::Constant(bits) => f64::from_bits(bits),
                Operation::Unary(op, a) => kernel::unary(op, values[a.index()]),
                Operation::Binary(op, a, b) => kernel::binary(op, values[a.index()], values[b.index()]),
                Operation::Table(table, derivative, a) => match &self.options.tables {
                    Some(tables) => tables.evaluate(table, derivative, values[a.index()]),
                    None => f64::NAN,
                },
            };
            values.push(value);
        }
        values
    }

    /// Operations these values need, a division counted as what it costs.
    pub(super) fn cost_of(&self, values: &[Value]) -> usize {
        let mut needed = vec![false; self.operations.len()];
        values.iter().for_each(|v| needed[v.index()] = true);
        let mut cost = 0;
        for i in (0..self.operations.len()).rev() {
            if needed[i] {
                self.operations[i].for_each_argument(|a| needed[a.index()] = true);
                cost += match self.operations[i] {
                    Operation::Input(_) | Operation::Constant(_) => 0,
                    Operation::Binary(Binary::Div, ..) => 6,
                    _ => 1,
                };
            }
        }
        cost
    }

    /// Drops what no output needs, orders the rest, assigns slots.
    pub fn finish(self, outputs: &[Value]) -> Result<Tape> {
        self.check_size(0)?;
        let mut needed = vec![false; self.operations.len()];
        outputs.iter().for_each(|v| needed[v.index()] = true);
        for i in (0..self.operations.len()).rev() {
            if needed[i] {
                self.operations[i].for_each_argument(|a| needed[a.index()] = true);
            }
        }
        // Inputs stay, so that input i is value i.
        needed[..self.input_names.len()].fill(true);
        let mut renumbered = vec![Value(0); self.operations.len()];
        let mut operations = Vec::new();
        for (i, &operation) in self.operations.iter().enumerate().filter(|(i, _)| needed[*i]) {
            let new = |v: Value| renumbered[v.index()];
            let operation = match operation {
                Operation::Unary(op, a) => Operation::Unary(op, new(a)),
                Operation::Binary(op, a, b) => Operation::Binary(op, new(a), new(b)),
                Operation::Table(t, d, a) => Operation::Table(t, d, new(a)),
                leaf => leaf,
            };
            renumbered[i] = Value(operations.len() as u32);
            operations.push(operation);
        }
        let outputs: Vec<Value> = outputs.iter().map(|v| renumbered[v.index()]).collect();
        let code = schedule::schedule(&operations, self.input_names.len(), &outputs)?;
        Ok(Tape {
            program: Arc::new(Program {
                operations,
                outputs,
                input_names: self.input_names,
                table_names: self.table_names,
                tables: self.options.tables,
                code,
                native: OnceLock::new(),
                native_rows: Mutex::new(Vec::new()),
                native_steps: Mutex::new(Vec::new()),
                steps: AtomicUsize::new(0),
            }),
        })
    }
}

/// Everything a compiled program consists of.
pub(super) struct Program {
    pub operations: Vec<Operation>,
    pub outputs: Vec<Value>,
    pub input_names: Vec<String>,
    pub table_names: Vec<(TableId, String)>,
    pub tables: Option<Arc<dyn TableFunctions>>,
    pub code: Code,
    /// The same as machine code, once somebody has run it often; nothing where that cannot be had.
    pub native: OnceLock<Option<Native>>,
    /// The same for many states, by their number.
    pub native_rows: Mutex<Vec<(usize, Option<Arc<Rows>>)>>,
    /// Programs in which this one is a part, likewise.
    pub native_steps: Mutex<Vec<(usize, Option<Arc<Rows>>)>>,
    /// How many steps of integration were made before that.
    pub steps: AtomicUsize,
}

/// A compiled straight-line program. Cloning is cheap.
#[derive(Clone)]
pub struct Tape {
    pub(super) program: Arc<Program>,
}

impl std::fmt::Debug for Tape {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Tape")
            .field("inputs", &self.program.input_names)
            .field("outputs", &self.output_count())
            .field("statistics", &self.statistics())
            .finish()
    }
}

/// The size of a tape.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct TapeStatistics {
    /// Arithmetic operations and function calls (sin and cos of one argument count as two).
    pub operations: usize,
    /// Instructions after fusing.
    pub instructions: usize,
    /// Memory slots.
    pub slots: usize,
    /// Distinct constants.
    pub constants: usize,
}

impl Tape {
    /// Number of inputs.
    pub fn input_count(&self) -> usize {
        self.program.input_names.len()
    }

    /// Does anything depend on the input of that index?
    pub fn uses_input(&self, i: usize) -> bool {
        self.program.code.inputs.iter().any(|&(input, _)| input as usize == i)
    }

    /// Names of the inputs.
    pub fn input_names(&self) -> &[String] {
        &self.program.input_names
    }

    /// Number of outputs.
    pub fn output_count(&self) -> usize {
        self.program.outputs.len()
    }

    /// The operations in a possible order of evaluation; the inputs come first.
    pub fn operations(&self) -> &[Operation] {
        &self.program.operations
    }

    /// The outputs, as positions in [`Tape::operations`].
    pub fn outputs(&self) -> &[Value] {
        &self.program.outputs
    }

    /// Its size.
    pub fn statistics(&self) -> TapeStatistics {
        let leaf = |o: &&Operation| !matches!(o, Operation::Input(_) | Operation::Constant(_));
        TapeStatistics {
            operations: self.program.operations.iter().filter(leaf).count(),
            instructions: self.program.code.instructions.len(),
            slots: self.program.code.slots,
            constants: self.program.code.constants.len(),
        }
    }
}
