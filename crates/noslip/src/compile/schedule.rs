//! From operations to instructions: frequent combinations fused, an order with short lives, slots used again.
//!
//! Fusing changes no rounding: `MulAdd` is a product rounded, then a sum rounded. So every interpreter and every order
//! gives the same bits on every machine.

use super::tape::{Binary, Operation, Unary, Value};
use crate::error::{Error, Result};
use crate::expr::TableId;
use rustc_hash::FxHashMap;

/// Slots and constants together: they are addressed by sixteen bits.
pub(super) const ADDRESSES: usize = 1 << 16;

/// What an instruction does with its operands a, b, c, e. In the K forms one operand is a constant.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[repr(u16)]
pub(super) enum Op {
    /// a + b
    Add,
    /// a + k, k in b
    AddK,
    /// a − b
    Sub,
    /// k − a, k in b
    KSub,
    /// a·b
    Mul,
    /// a·k, k in b
    MulK,
    /// a/b
    Div,
    /// k/a, k in b
    KDiv,
    /// a·b + c
    MulAdd,
    /// a·k + c, k in b
    MulKAdd,
    /// a·b − c
    MulSub,
    /// a·k − c, k in b
    MulKSub,
    /// c − a·b
    SubMul,
    /// (a·b)·c
    Mul3,
    /// (a·b)·k, k in c
    Mul3K,
    /// (a·b)·c + e
    Mul3Add,
    /// (a·b)·k + e, k in c
    Mul3KAdd,
    /// (a·b)·c − e
    Mul3Sub,
    /// (a·b)·k − e, k in c
    Mul3KSub,
    /// e − (a·b)·c
    SubMul3,
    /// a·b + c·e
    Dot,
    /// a·b − c·e
    DotSub,
    /// −a
    Negate,
    Sqrt,
    /// sin a; cos a goes to b
    SinCos,
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
    /// aᵇ
    Power,
    /// atan2(a, b)
    Atan2,
    /// Table call number b at a
    Table,
    /// k, k in b
    Load,
}

/// One instruction; `d` receives the result.
#[derive(Clone, Copy, Debug)]
pub(super) struct Instruction {
    pub op: Op,
    pub d: u16,
    pub a: u16,
    pub b: u16,
    pub c: u16,
    pub e: u16,
}

/// Instructions over slots. Addresses from `slots` on are constants.
#[derive(Debug)]
pub(super) struct Code {
    pub instructions: Vec<Instruction>,
    /// Per instruction: the value it computes (for [`Op::SinCos`] the sine) and the second one.
    pub results: Vec<(Value, Option<Value>)>,
    pub slots: usize,
    pub constants: Vec<f64>,
    /// Input index and its slot, for the inputs in use.
    pub inputs: Vec<(u32, u16)>,
    /// Address of each output.
    pub outputs: Vec<u16>,
    pub tables: Vec<(TableId, u8)>,
}

/// An instruction whose operands are still values.
#[derive(Clone, Copy, Debug)]
struct Step {
    op: Op,
    operands: [Value; 4],
    /// Which operands are slots (bit i), and which one, if any, is a constant.
    slots: u8,
    constant: Option<u8>,
    /// The constant enters with the other sign: a − b·k is b·(−k) + a, exactly, and one instruction fewer to know.
    negate_constant: bool,
    second: Option<Value>,
}

impl Step {
    fn new<const N: usize>(op: Op, operands: [Value; N]) -> Step {
        let mut all = [Value(0); 4];
        all[..N].copy_from_slice(&operands);
        Step { op, operands: all, slots: (1 << N) - 1, constant: None, negate_constant: false, second: None }
    }

    fn with_constant<const N: usize>(op: Op, operands: [Value; N], constant: u8) -> Step {
        let mut step = Step::new(op, operands);
        step.slots &= !(1 << constant);
        step.constant = Some(constant);
        step
    }

    fn negating(mut self) -> Step {
        self.negate_constant = true;
        self
    }

    fn slot_operands(&self) -> impl Iterator<Item = Value> + use<> {
        let (operands, slots) = (self.operands, self.slots);
        (0..4).filter(move |i| slots & (1 << i) != 0).map(move |i| operands[i])
    }
}

struct Fuser<'a> {
    operations: &'a [Operation],
    uses: Vec<u32>,
    absorbed: Vec<bool>,
}

impl Fuser<'_> {
    fn is_constant(&self, v: Value) -> bool {
        matches!(self.operations[v.index()], Operation::Constant(_))
    }

    /// The factors of a product nobody else needs; a constant stands first.
    fn product(&self, v: Value) -> Option<(Value, Value)> {
        match self.operations[v.index()] {
            Operation::Binary(Binary::Mul, a, b) if self.uses[v.index()] == 1 => {
                Some(if self.is_constant(b) { (b, a) } else { (a, b) })
            }
            _ => None,
        }
    }

    /// A product of two or three factors; `Some(k)` last if the last is a constant.
    fn factors(&mut self, v: Value) -> Option<(Vec<Value>, bool)> {
        let (a, b) = self.product(v)?;
        self.absorbed[v.index()] = true;
        if self.is_constant(a) {
            return Some(match self.product(b).filter(|(p, _)| !self.is_constant(*p)) {
                Some((p, q)) => {
                    self.absorbed[b.index()] = true;
                    (vec![p, q, a], true)
                }
                None => (vec![b, a], true),
            });
        }
        for (inner, other) in [(a, b), (b, a)] {
            if let Some((p, q)) = self.product(inner).filter(|(p, _)| !self.is_constant(*p)) {
                self.absorbed[inner.index()] = true;
                return Some((vec![p, q, other], false));
            }
        }
        Some((vec![a, b], false))
    }

    fn plain_product(&self, v: Value) -> Option<(Value, Value)> {
        self.product(v).filter(|(a, _)| !self.is_constant(*a))
    }

    fn step(&mut self, v: Value) -> Option<Step> {
        Some(match self.operations[v.index()] {
            Operation::Input(_) | Operation::Constant(_) => return None,
            Operation::Unary(op, a) => Step::new(
                match op {
                    Unary::Negate => Op::Negate,
                    Unary::Sqrt => Op::Sqrt,
                    Unary::Sin => Op::Sin,
                    Unary::Cos => Op::Cos,
                    Unary::Asin => Op::Asin,
                    Unary::Acos => Op::Acos,
                    Unary::Atan => Op::Atan,
                    Unary::Sinh => Op::Sinh,
                    Unary::Cosh => Op::Cosh,
                    Unary::Tanh => Op::Tanh,
                    Unary::Exp => Op::Exp,
                    Unary::Log => Op::Log,
                    Unary::Abs => Op::Abs,
                    Unary::Sign => Op::Sign,
                },
                [a],
            ),
            Operation::Table(..) => {
                let mut argument = Value(0);
                self.operations[v.index()].for_each_argument(|a| argument = a);
                Step::new(Op::Table, [argument])
            }
            Operation::Binary(Binary::Power, a, b) => Step::new(Op::Power, [a, b]),
            Operation::Binary(Binary::Atan2, a, b) => Step::new(Op::Atan2, [a, b]),
            Operation::Binary(Binary::Div, a, b) if self.is_constant(a) => Step::with_constant(Op::KDiv, [b, a], 1),
            Operation::Binary(Binary::Div, a, b) => Step::new(Op::Div, [a, b]),
            Operation::Binary(Binary::Mul, ..) => self.multiplication(v),
            Operation::Binary(Binary::Add, a, b) => self.addition(a, b),
            Operation::Binary(Binary::Sub, a, b) => self.subtraction(a, b),
        })
    }

    fn multiplication(&mut self, v: Value) -> Step {
        // The product itself is what we compute, so it counts as absorbable here.
        let uses = std::mem::replace(&mut self.uses[v.index()], 1);
        let factors = self.factors(v);
        self.uses[v.index()] = uses;
        self.absorbed[v.index()] = false;
        match factors {
            Some((f, true)) if f.len() == 3 => Step::with_constant(Op::Mul3K, [f[0], f[1], f[2]], 2),
            Some((f, true)) => Step::with_constant(Op::MulK, [f[0], f[1]], 1),
            Some((f, false)) if f.len() == 3 => Step::new(Op::Mul3, [f[0], f[1], f[2]]),
            Some((f, false)) => Step::new(Op::Mul, [f[0], f[1]]),
            None => unreachable!("a multiplication has factors"),
        }
    }

    fn addition(&mut self, a: Value, b: Value) -> Step {
        if self.is_constant(a) || self.is_constant(b) {
            let (x, k) = if self.is_constant(a) { (b, a) } else { (a, b) };
            return Step::with_constant(Op::AddK, [x, k], 1);
        }
        if let (Some((p, q)), Some((r, s))) = (self.plain_product(a), self.plain_product(b)) {
            self.absorbed[a.index()] = true;
            self.absorbed[b.index()] = true;
            return Step::new(Op::Dot, [p, q, r, s]);
        }
        for (product, other) in [(b, a), (a, b)] {
            if let Some((f, constant)) = self.factors(product) {
                return match (f.len(), constant) {
                    (3, true) => Step::with_constant(Op::Mul3KAdd, [f[0], f[1], f[2], other], 2),
                    (3, false) => Step::new(Op::Mul3Add, [f[0], f[1], f[2], other]),
                    (_, true) => Step::with_constant(Op::MulKAdd, [f[0], f[1], other], 1),
                    (_, false) => Step::new(Op::MulAdd, [f[0], f[1], other]),
                };
            }
        }
        Step::new(Op::Add, [a, b])
    }

    fn subtraction(&mut self, a: Value, b: Value) -> Step {
        if self.is_constant(a) {
            return Step::with_constant(Op::KSub, [b, a], 1);
        }
        if let (Some((p, q)), Some((r, s))) = (self.plain_product(a), self.plain_product(b)) {
            self.absorbed[a.index()] = true;
            self.absorbed[b.index()] = true;
            return Step::new(Op::DotSub, [p, q, r, s]);
        }
        if let Some((f, constant)) = self.factors(b) {
            return match (f.len(), constant) {
                (3, true) => Step::with_constant(Op::Mul3KAdd, [f[0], f[1], f[2], a], 2).negating(),
                (3, false) => Step::new(Op::SubMul3, [f[0], f[1], f[2], a]),
                (_, true) => Step::with_constant(Op::MulKAdd, [f[0], f[1], a], 1).negating(),
                (_, false) => Step::new(Op::SubMul, [f[0], f[1], a]),
            };
        }
        if let Some((f, constant)) = self.factors(a) {
            return match (f.len(), constant) {
                (3, true) => Step::with_constant(Op::Mul3KSub, [f[0], f[1], f[2], b], 2),
                (3, false) => Step::new(Op::Mul3Sub, [f[0], f[1], f[2], b]),
                (_, true) => Step::with_constant(Op::MulKSub, [f[0], f[1], b], 1),
                (_, false) => Step::new(Op::MulSub, [f[0], f[1], b]),
            };
        }
        Step::new(Op::Sub, [a, b])
    }
}

/// Orders, fuses and assigns slots.
pub(super) fn schedule(operations: &[Operation], inputs: usize, outputs: &[Value]) -> Result<Code> {
    let steps = fuse(operations, outputs);
    let order = order(operations, &steps, outputs);
    allocate(operations, inputs, outputs, &steps, &order)
}

fn fuse(operations: &[Operation], outputs: &[Value]) -> Vec<Option<Step>> {
    let mut uses = vec![0u32; operations.len()];
    outputs.iter().for_each(|v| uses[v.index()] += 1);
    operations.iter().for_each(|o| o.for_each_argument(|a| uses[a.index()] += 1));
    // An output must be there for itself.
    outputs.iter().for_each(|v| uses[v.index()] += 1);
    let mut fuser = Fuser { operations, uses, absorbed: vec![false; operations.len()] };
    let mut steps: Vec<Option<Step>> = vec![None; operations.len()];
    // Users first, so that the outermost combination is found.
    for i in (0..operations.len()).rev() {
        if !fuser.absorbed[i] {
            steps[i] = fuser.step(Value(i as u32));
        }
    }
    // Sine and cosine of one argument are one instruction.
    let mut cosine: FxHashMap<Value, usize> = FxHashMap::default();
    for (i, operation) in operations.iter().enumerate() {
        if let Operation::Unary(Unary::Cos, a) = operation {
            cosine.insert(*a, i);
        }
    }
    for i in 0..operations.len() {
        if let Operation::Unary(Unary::Sin, a) = operations[i]
            && let Some(&c) = cosine.get(&a)
        {
            steps[c] = None;
            if let Some(step) = &mut steps[i] {
                step.op = Op::SinCos;
                step.second = Some(Value(c as u32));
            }
        }
    }
    steps
}

/// Depth first from the outputs, the argument that needs more slots first (Sethi and Ullman).
fn order(operations: &[Operation], steps: &[Option<Step>], outputs: &[Value]) -> Vec<Value> {
    // The instruction that produces a value: for a fused cosine, that of the sine.
    let mut producer: Vec<Option<Value>> = steps.iter().enumerate().map(|(i, s)| s.map(|_| Value(i as u32))).collect();
    for (i, step) in steps.iter().enumerate() {
        if let Some(second) = step.and_then(|s| s.second) {
            producer[second.index()] = Some(Value(i as u32));
        }
    }
    let mut need = vec![1u32; operations.len()];
    for (i, step) in steps.iter().enumerate() {
        if let Some(step) = step {
            let mut children: Vec<u32> = step.slot_operands().map(|v| need[v.index()]).collect();
            children.sort_unstable_by(|a, b| b.cmp(a));
            need[i] = children.iter().zip(0..).map(|(n, i)| n + i).max().unwrap_or(1);
            if let Some(second) = step.second {
                need[second.index()] = need[i];
            }
        }
    }
    let mut done = vec![false; operations.len()];
    let mut order = Vec::new();
    let mut stack: Vec<(Value, bool)> = Vec::new();
    for &output in outputs {
        stack.extend(producer[output.index()].map(|p| (p, false)));
        while let Some((v, ready)) = stack.pop() {
            if done[v.index()] {
                continue;
            }
            if ready {
                done[v.index()] = true;
                order.push(v);
                continue;
            }
            stack.push((v, true));
            let Some(step) = &steps[v.index()] else { continue };
            let mut children: Vec<Value> = step.slot_operands().collect();
            // The last one pushed is computed first.
            children.sort_by_key(|c| need[c.index()]);
            stack.extend(
                children.iter().filter_map(|c| producer[c.index()]).filter(|p| !done[p.index()]).map(|p| (p, false)),
            );
        }
    }
    order
}

/// Linear scan: a slot is free again after its value's last use.
fn allocate(
    operations: &[Operation],
    inputs: usize,
    outputs: &[Value],
    steps: &[Option<Step>],
    order: &[Value],
) -> Result<Code> {
    let mut layout = Layout {
        operations,
        last_use: last_uses(operations, outputs, steps, order),
        slots: Slots { slot_of: FxHashMap::default(), free: Vec::new(), count: 0 },
        constants: Constants::default(),
        tables: Vec::new(),
        raw: Vec::new(),
        results: Vec::new(),
    };
    let mut input_slots = Vec::new();
    for i in 0..inputs {
        let v = Value(i as u32);
        if layout.last_use.contains_key(&v) {
            input_slots.push((i as u32, layout.slots.take(v) as u16));
        }
    }
    for (at, &v) in order.iter().enumerate() {
        if let Some(step) = &steps[v.index()] {
            layout.place(at, v, step);
        }
    }
    layout.finish(input_slots, outputs)
}

fn constant_of(operations: &[Operation], v: Value) -> Option<f64> {
    match operations[v.index()] {
        Operation::Constant(bits) => Some(f64::from_bits(bits)),
        _ => None,
    }
}

/// The position after which a value is needed no more; outputs are needed for ever.
fn last_uses(
    operations: &[Operation],
    outputs: &[Value],
    steps: &[Option<Step>],
    order: &[Value],
) -> FxHashMap<Value, usize> {
    const FOREVER: usize = usize::MAX;
    let mut last_use: FxHashMap<Value, usize> = FxHashMap::default();
    for (at, v) in order.iter().enumerate() {
        for operand in steps[v.index()].iter().flat_map(Step::slot_operands) {
            last_use.insert(operand, at);
        }
    }
    for &v in outputs.iter().filter(|v| constant_of(operations, **v).is_none()) {
        last_use.insert(v, FOREVER);
    }
    last_use
}

/// An operand before constants are placed: they are addressed after the slots, whose number is known at the end.
#[derive(Clone, Copy)]
enum Operand {
    Slot(usize),
    Constant(usize),
}

#[derive(Default)]
struct Constants {
    values: Vec<f64>,
    index: FxHashMap<u64, usize>,
}

impl Constants {
    fn operand(&mut self, x: f64) -> Operand {
        Operand::Constant(*self.index.entry(x.to_bits()).or_insert_with(|| {
            self.values.push(x);
            self.values.len() - 1
        }))
    }
}

/// Instructions as they are laid out.
struct Layout<'a> {
    operations: &'a [Operation],
    last_use: FxHashMap<Value, usize>,
    slots: Slots,
    constants: Constants,
    tables: Vec<(TableId, u8)>,
    raw: Vec<(Op, [Operand; 5])>,
    results: Vec<(Value, Option<Value>)>,
}

impl Layout<'_> {
    /// Lays out one step, at this position of the order.
    fn place(&mut self, at: usize, v: Value, step: &Step) {
        const NONE: Operand = Operand::Slot(0);
        // An operand that must be a slot but is a number is loaded into one.
        for operand in step.slot_operands() {
            if let (Some(x), false) = (constant_of(self.operations, operand), self.slots.slot_of.contains_key(&operand))
            {
                let d = Operand::Slot(self.slots.take(operand));
                self.raw.push((Op::Load, [d, NONE, self.constants.operand(x), NONE, NONE]));
                self.results.push((operand, None));
            }
        }
        let mut fields = [NONE; 5];
        for i in 0..4u8 {
            let operand = step.operands[i as usize];
            if step.slots & (1 << i) != 0 {
                fields[1 + i as usize] = Operand::Slot(self.slots.slot_of[&operand]);
            } else if step.constant == Some(i) {
                let x = constant_of(self.operations, operand).unwrap_or(f64::NAN);
                fields[1 + i as usize] = self.constants.operand(if step.negate_constant { -x } else { x });
            }
        }
        if let Operation::Table(table, derivative, _) = self.operations[v.index()] {
            let call = (table, derivative);
            let index = self.tables.iter().position(|t| *t == call).unwrap_or_else(|| {
                self.tables.push(call);
                self.tables.len() - 1
            });
            fields[2] = Operand::Slot(index);
        }
        for operand in step.slot_operands() {
            if self.last_use.get(&operand) == Some(&at) {
                self.slots.release(operand);
            }
        }
        fields[0] = Operand::Slot(self.slots.take(v));
        if let Some(second) = step.second {
            fields[2] = Operand::Slot(self.slots.take(second));
            if !self.last_use.contains_key(&second) {
                self.slots.release(second);
            }
        }
        if !self.last_use.contains_key(&v) {
            self.slots.release(v);
        }
        self.raw.push((step.op, fields));
        self.results.push((v, step.second));
    }

    /// The code, with the constants behind the slots.
    fn finish(mut self, inputs: Vec<(u32, u16)>, outputs: &[Value]) -> Result<Code> {
        let outputs: Vec<Operand> = outputs
            .iter()
            .map(|v| match constant_of(self.operations, *v) {
                Some(x) => self.constants.operand(x),
                None => Operand::Slot(self.slots.slot_of[v]),
            })
            .collect();
        let (count, constants) = (self.slots.count, self.constants.values);
        if count + constants.len() > ADDRESSES || self.tables.len() > ADDRESSES {
            return Err(Error::limit(format!("compiled code that keeps {} values at once", count + constants.len()))
                .hint(format!("{ADDRESSES} can be addressed; compile fewer outputs at a time")));
        }
        let address = |operand: Operand| match operand {
            Operand::Slot(i) => i as u16,
            Operand::Constant(i) => (count + i) as u16,
        };
        let instruction = |(op, [d, a, b, c, e]): (Op, [Operand; 5])| Instruction {
            op,
            d: address(d),
            a: address(a),
            b: address(b),
            c: address(c),
            e: address(e),
        };
        Ok(Code {
            instructions: self.raw.into_iter().map(instruction).collect(),
            results: self.results,
            slots: count,
            constants,
            inputs,
            outputs: outputs.into_iter().map(address).collect(),
            tables: self.tables,
        })
    }
}

struct Slots {
    slot_of: FxHashMap<Value, usize>,
    free: Vec<usize>,
    count: usize,
}

impl Slots {
    fn take(&mut self, v: Value) -> usize {
        let slot = self.free.pop().unwrap_or_else(|| {
            self.count += 1;
            self.count - 1
        });
        self.slot_of.insert(v, slot);
        slot
    }

    fn release(&mut self, v: Value) {
        if let Some(slot) = self.slot_of.remove(&v) {
            self.free.push(slot);
        }
    }
}
