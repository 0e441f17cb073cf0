//! Code for x86-64, for one row with AVX or for four rows at once with AVX2: every number that is used again soon lives in a
//! register.
//!
//! The program has no branches, so when a value is needed next is known at every place. A register that is needed is taken from the
//! value that is needed last; its place in the row is its own until then, and keeps it. A value used once more and not in a register is
//! an operand in memory.

use super::emit::FRAME;
use super::emit::Operand::{Place, Pool, Register};
use crate::program::{Binary, COSINE, HALF_PI, Program, RANGE, ROUND, SINE, Step, Unary};
use dynasmrt::x64::Assembler;
use dynasmrt::{AssemblyOffset, DynamicLabel, DynasmApi, DynasmLabelApi, ExecutableBuffer, dynasm};

/// Registers for values.
pub(super) const REGISTERS: usize = 16;
/// Never: beyond the last step.
const NEVER: usize = usize::MAX;

/// Constants the code itself needs, by their place in the pool.
pub(super) const SIGN: usize = 0;
pub(super) const MAGNITUDE: usize = 1;
pub(super) const ONE_BIT: usize = 2;
/// The largest number in range of the polynomial.
pub(super) const IN_RANGE: usize = 3;
const TWO_BY_PI: usize = 4;
const SHIFT: usize = 5;
const PI_PARTS: usize = 6;
const HALF: usize = 9;
const ONE: usize = 10;
const SIN_TERMS: usize = 11;
const COS_TERMS: usize = 17;

fn pool() -> Vec<f64> {
    let mut pool = vec![
        f64::from_bits(1 << 63),
        f64::from_bits(!(1 << 63)),
        f64::from_bits(1),
        RANGE.next_down(),
        std::f64::consts::FRAC_2_PI,
        ROUND,
    ];
    pool.extend(HALF_PI);
    pool.extend([0.5, 1.0]);
    pool.extend(SINE);
    pool.extend(COSINE);
    pool
}

/// Executable code with its constants.
pub(crate) struct Code {
    buffer: ExecutableBuffer,
    start: AssemblyOffset,
    pool: Vec<f64>,
    length: usize,
}

type Function = extern "sysv64" fn(*mut f64, *const f64);

impl Code {
    /// Code for one row, or for four at once.
    pub(crate) fn compile(program: &Program, width: Width) -> Option<Code> {
        let able = match width {
            Width::One => std::arch::is_x86_feature_detected!("avx"),
            Width::Four => std::arch::is_x86_feature_detected!("avx2"),
        };
        if !able || !program.is_sound() {
            return None;
        }
        let mut assembler = Assembler::new().ok()?;
        let start = assembler.offset();
        Compiler::new(&mut assembler, program, width).compile();
        let buffer = assembler.finalize().ok()?;
        let pool = pool().into_iter().flat_map(|x| std::iter::repeat_n(x, width.lanes())).collect();
        Some(Code { buffer, start, pool, length: program.length * width.lanes() })
    }

    pub(crate) fn run(&self, row: &mut [f64]) {
        assert_eq!(row.len(), self.length, "as many numbers as the program has places");
        // SAFETY: the buffer holds a whole function of this type, made by `Compiler`, and is executable as long as `self` lives. It
        // reads and writes `row` within `length`, which was checked just now, and reads `pool` at the constant places above.
        let function: Function = unsafe { std::mem::transmute(self.buffer.ptr(self.start)) };
        function(row.as_mut_ptr(), self.pool.as_ptr());
    }
}

/// How many rows the code works on: the numbers of a place lie side by side.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum Width {
    One,
    Four,
}

impl Width {
    fn lanes(self) -> usize {
        match self {
            Width::One => 1,
            Width::Four => 4,
        }
    }

    /// Bytes of one place.
    pub(super) fn bytes(self) -> i32 {
        8 * self.lanes() as i32
    }
}

/// What a register holds.
#[derive(Clone, Copy)]
struct Held {
    place: u32,
    /// The step at which it is read next.
    next: usize,
    /// Is the row's number older than this?
    newer: bool,
}

pub(super) struct Compiler<'a> {
    pub(super) a: &'a mut Assembler,
    pub(super) program: &'a Program,
    pub(super) width: Width,
    registers: [Option<Held>; REGISTERS],
    /// Registers that must not be taken just now.
    pinned: [bool; REGISTERS],
    /// For every step: when what it reads and writes is read next.
    after_read: Vec<[usize; 2]>,
    after_write: Vec<[usize; 2]>,
    /// For every step: is what it writes wanted in the row in the end?
    wanted: Vec<[bool; 2]>,
    /// Sines beyond the polynomial: where they begin and go on, the argument, and where the results go.
    beyond: Vec<(DynamicLabel, DynamicLabel, u8, u8, u8)>,
}

impl<'a> Compiler<'a> {
    fn new(a: &'a mut Assembler, program: &'a Program, width: Width) -> Self {
        let n = program.steps.len();
        let mut next = vec![NEVER; program.length];
        let mut last = vec![false; program.length];
        program.outputs.iter().for_each(|&place| last[place as usize] = true);
        let (mut after_read, mut after_write) = (vec![[NEVER; 2]; n], vec![[NEVER; 2]; n]);
        let mut wanted = vec![[false; 2]; n];
        for (i, step) in program.steps.iter().enumerate().rev() {
            for (k, place) in step.writes().into_iter().enumerate().rev() {
                let Some(place) = place else { continue };
                after_write[i][k] = std::mem::replace(&mut next[place as usize], NEVER);
                wanted[i][k] = std::mem::replace(&mut last[place as usize], false);
            }
            for (k, place) in step.reads().into_iter().enumerate() {
                let Some(place) = place else { continue };
                after_read[i][k] = next[place as usize];
            }
            step.reads().into_iter().flatten().for_each(|place| next[place as usize] = i);
        }
        Compiler {
            a,
            program,
            width,
            registers: [None; REGISTERS],
            pinned: [false; REGISTERS],
            after_read,
            after_write,
            wanted,
            beyond: Vec::new(),
        }
    }

    fn compile(mut self) {
        dynasm!(self.a ; .arch x64 ; push rbp ; mov rbp, rsp ; sub rsp, FRAME);
        for i in 0..self.program.steps.len() {
            self.step(i);
            self.pinned = [false; REGISTERS];
        }
        if self.width == Width::Four {
            dynasm!(self.a ; .arch x64 ; vzeroupper);
        }
        dynasm!(self.a ; .arch x64 ; mov rsp, rbp ; pop rbp ; ret);
        for (begin, end, x, sin, cos) in std::mem::take(&mut self.beyond) {
            self.sine_beyond(begin, end, x, sin, cos);
        }
    }

    fn step(&mut self, i: usize) {
        match self.program.steps[i] {
            Step::Binary { op, a, b, .. } => {
                let x = self.read(a, self.after_read[i][0]);
                // What is used once more and lies in memory stays there.
                let in_memory = self.find(b).is_none() && self.after_read[i][1] == NEVER;
                let y = if in_memory { Place(b) } else { Register(self.read(b, self.after_read[i][1])) };
                self.release_dead(i);
                let d = self.write(i, 0);
                match op {
                    Binary::Add => self.add(d, x, y),
                    Binary::Sub => self.sub(d, x, y),
                    Binary::Mul => self.mul(d, x, y),
                    Binary::Div => self.div(d, x, y),
                }
                self.keep_wanted(i);
            }
            Step::Unary { op, a, .. } => {
                let x = self.read(a, self.after_read[i][0]);
                self.release_dead(i);
                let d = self.write(i, 0);
                match op {
                    Unary::Negate => self.xor(d, x, Pool(SIGN)),
                    Unary::Abs => self.and(d, x, Pool(MAGNITUDE)),
                    Unary::Sqrt => self.sqrt(d, x),
                    Unary::Copy => self.copy(d, x),
                }
                self.keep_wanted(i);
            }
            Step::SinCos { a, .. } => self.sin_cos(i, a),
        }
    }

    /// The register that holds a place, if one does.
    fn find(&self, place: u32) -> Option<u8> {
        self.registers.iter().position(|r| r.is_some_and(|r| r.place == place)).map(|r| r as u8)
    }

    /// A register to write to: a free one, or that of the value needed last.
    fn take(&mut self) -> u8 {
        // The last register is for masks.
        let usable = 0..REGISTERS - 1;
        let free = usable.clone().find(|&r| self.registers[r].is_none() && !self.pinned[r]);
        let r = free.unwrap_or_else(|| {
            let candidates = usable.filter(|&r| !self.pinned[r]);
            let r = candidates.max_by_key(|&r| self.registers[r].map_or(0, |h| h.next));
            r.expect("fewer registers are pinned than there are")
        });
        if let Some(held) = self.registers[r].take()
            && held.newer
            && held.next != NEVER
        {
            self.store(held.place, r as u8);
        }
        self.pinned[r] = true;
        r as u8
    }

    /// The register with the number of a place, which is read again at `next`.
    fn read(&mut self, place: u32, next: usize) -> u8 {
        let r = self.find(place).unwrap_or_else(|| {
            let r = self.take();
            self.load(r, Place(place));
            self.registers[usize::from(r)] = Some(Held { place, next, newer: false });
            r
        });
        if let Some(held) = &mut self.registers[usize::from(r)] {
            held.next = next;
        }
        self.pinned[usize::from(r)] = true;
        r
    }

    /// Operands that are not read again give their registers to the result.
    fn release_dead(&mut self, i: usize) {
        for place in self.program.steps[i].reads().into_iter().flatten() {
            if let Some(r) = self.find(place)
                && self.registers[usize::from(r)].is_some_and(|h| h.next == NEVER)
            {
                self.registers[usize::from(r)] = None;
                self.pinned[usize::from(r)] = false;
            }
        }
    }

    /// A register for what the step writes.
    fn write(&mut self, i: usize, k: usize) -> u8 {
        let place = self.program.steps[i].writes()[k].expect("the step writes so much");
        // What was there is dead: nobody reads it after this.
        if let Some(old) = self.find(place) {
            self.registers[usize::from(old)] = None;
        }
        let r = self.take();
        self.registers[usize::from(r)] = Some(Held { place, next: self.after_write[i][k], newer: true });
        r
    }

    /// Stores what is wanted in the end.
    fn keep_wanted(&mut self, i: usize) {
        for (k, place) in self.program.steps[i].writes().into_iter().enumerate() {
            let Some(place) = place else { continue };
            let Some(r) = self.find(place) else { continue };
            if self.wanted[i][k] {
                self.store(place, r);
            }
            if let Some(held) = &mut self.registers[usize::from(r)] {
                held.newer = !self.wanted[i][k];
                if held.next == NEVER {
                    self.registers[usize::from(r)] = None;
                }
            }
        }
    }

    /// The polynomial of `program::polynomial`, operation by operation.
    fn sin_cos(&mut self, i: usize, a: u32) {
        let x = self.read(a, self.after_read[i][0]);
        let [n, q, y0, y1, z, zz, s, c, t] = std::array::from_fn(|_| self.take());
        let begin = self.a.new_dynamic_label();
        let end = self.a.new_dynamic_label();
        self.unless_in_range(x, t, q, begin);
        // n, and the quadrant in the low bits of q
        self.mul(q, x, Pool(TWO_BY_PI));
        self.add(q, q, Pool(SHIFT));
        self.sub(n, q, Pool(SHIFT));
        // first = x − n·π₁ in y0, step = n·π₂ in t, r = first − step in z
        self.mul(t, n, Pool(PI_PARTS));
        self.sub(y0, x, Register(t));
        self.mul(t, n, Pool(PI_PARTS + 1));
        self.sub(z, y0, Register(t));
        // w = n·π₃ − ((first − r) − step) in n
        self.sub(y0, y0, Register(z));
        self.sub(y0, y0, Register(t));
        self.mul(n, n, Pool(PI_PARTS + 2));
        self.sub(n, n, Register(y0));
        // y0 = r − w, y1 = (r − y0) − w
        self.sub(y0, z, Register(n));
        self.sub(y1, z, Register(y0));
        self.sub(y1, y1, Register(n));
        self.mul(z, y0, Register(y0));
        self.mul(zz, z, Register(z));
        self.sine([n, y0, y1, z, zz, s, t]);
        self.cosine([n, y0, y1, z, zz, c, t]);
        // Odd quadrants exchange the two; the signs follow the second bit.
        self.shift(t, q, 63);
        self.choose(n, s, c, t);
        self.choose(c, c, s, t);
        self.shift(t, q, 62);
        self.and(t, t, Pool(SIGN));
        self.xor(s, n, Register(t));
        self.count_on(t, q);
        self.shift(t, t, 62);
        self.and(t, t, Pool(SIGN));
        self.xor(c, c, Register(t));
        dynasm!(self.a ; .arch x64 ; =>end);
        self.beyond.push((begin, end, x, s, c));
        self.release_dead(i);
        // The temporaries are free again; two of them are the results.
        let [sin, cos] = self.program.steps[i].writes();
        for (k, (place, r)) in [(sin, s), (cos, c)].into_iter().enumerate() {
            let place = place.expect("sine and cosine go somewhere");
            if let Some(old) = self.find(place) {
                self.registers[usize::from(old)] = None;
            }
            self.registers[usize::from(r)] = Some(Held { place, next: self.after_write[i][k], newer: true });
        }
        self.keep_wanted(i);
    }

    /// The sine of y0 + y1 in s; z = y0², zz = z².
    fn sine(&mut self, [n, y0, y1, z, zz, s, t]: [u8; 7]) {
        // p = S2 + z·(S3 + z·S4) + z·zz·(S5 + z·S6) in s
        self.mul(s, z, Pool(SIN_TERMS + 3));
        self.add(s, s, Pool(SIN_TERMS + 2));
        self.mul(s, s, Register(z));
        self.add(s, s, Pool(SIN_TERMS + 1));
        self.mul(t, z, Pool(SIN_TERMS + 5));
        self.add(t, t, Pool(SIN_TERMS + 4));
        self.mul(n, z, Register(zz));
        self.mul(t, n, Register(t));
        self.add(s, s, Register(t));
        // v = z·y0 in n; sin = y0 − ((z·(½·y1 − v·p) − y1) − v·S1)
        self.mul(n, z, Register(y0));
        self.mul(s, n, Register(s));
        self.mul(t, y1, Pool(HALF));
        self.sub(s, t, Register(s));
        self.mul(s, z, Register(s));
        self.sub(s, s, Register(y1));
        self.mul(t, n, Pool(SIN_TERMS));
        self.sub(s, s, Register(t));
        self.sub(s, y0, Register(s));
    }

    /// The cosine of y0 + y1 in c.
    fn cosine(&mut self, [n, y0, y1, z, zz, c, t]: [u8; 7]) {
        // q = z·(C1 + z·(C2 + z·C3)) + zz·zz·(C4 + z·(C5 + z·C6)) in c
        self.mul(c, z, Pool(COS_TERMS + 2));
        self.add(c, c, Pool(COS_TERMS + 1));
        self.mul(c, c, Register(z));
        self.add(c, c, Pool(COS_TERMS));
        self.mul(c, c, Register(z));
        self.mul(t, z, Pool(COS_TERMS + 5));
        self.add(t, t, Pool(COS_TERMS + 4));
        self.mul(t, t, Register(z));
        self.add(t, t, Pool(COS_TERMS + 3));
        self.mul(zz, zz, Register(zz));
        self.mul(t, zz, Register(t));
        self.add(c, c, Register(t));
        // half = ½·z in n, one = 1 − half in zz; cos = one + (((1 − one) − half) + (z·q − y0·y1))
        self.mul(n, z, Pool(HALF));
        self.load(t, Pool(ONE));
        self.sub(zz, t, Register(n));
        self.mul(c, z, Register(c));
        self.mul(y1, y0, Register(y1));
        self.sub(c, c, Register(y1));
        self.sub(t, t, Register(zz));
        self.sub(t, t, Register(n));
        self.add(c, t, Register(c));
        self.add(c, zz, Register(c));
    }
}
