//! Code for x86-64 with AVX: every number that is used again soon lives in a register.
//!
//! The program has no branches, so when a value is needed next is known at every place. A register that is needed is taken from the
//! value that is needed last; its place in the row is its own until then, and keeps it. A value used once more and not in a register is
//! an operand in memory.

use crate::program::{Binary, COSINE, HALF_PI, Program, RANGE, ROUND, SINE, Step, Unary};
use dynasmrt::x64::Assembler;
use dynasmrt::{AssemblyOffset, DynamicLabel, DynasmApi, DynasmLabelApi, ExecutableBuffer, dynasm};

/// Registers for values.
const REGISTERS: usize = 16;
/// Never: beyond the last step.
const NEVER: usize = usize::MAX;

/// Constants the code itself needs, by their place in the pool.
const SIGN: usize = 0;
const MAGNITUDE: usize = 1;
const ONE_BIT: usize = 2;
const LIMIT: usize = 3;
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
        RANGE,
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
    pub(crate) fn compile(program: &Program) -> Option<Code> {
        if !program.is_sound() || !std::arch::is_x86_feature_detected!("avx") {
            return None;
        }
        let mut assembler = Assembler::new().ok()?;
        let start = assembler.offset();
        Compiler::new(&mut assembler, program).compile();
        let buffer = assembler.finalize().ok()?;
        Some(Code { buffer, start, pool: pool(), length: program.length })
    }

    pub(crate) fn run(&self, row: &mut [f64]) {
        assert_eq!(row.len(), self.length, "as many numbers as the program has places");
        // SAFETY: the buffer holds a whole function of this type, made by `Compiler`, and is executable as long as `self` lives. It
        // reads and writes `row` within `length`, which was checked just now, and reads `pool` at the constant places above.
        let function: Function = unsafe { std::mem::transmute(self.buffer.ptr(self.start)) };
        function(row.as_mut_ptr(), self.pool.as_ptr());
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

struct Compiler<'a> {
    a: &'a mut Assembler,
    program: &'a Program,
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
    fn new(a: &'a mut Assembler, program: &'a Program) -> Self {
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
            registers: [None; REGISTERS],
            pinned: [false; REGISTERS],
            after_read,
            after_write,
            wanted,
            beyond: Vec::new(),
        }
    }

    fn compile(mut self) {
        dynasm!(self.a ; .arch x64 ; push rbp ; mov rbp, rsp ; sub rsp, 256);
        for i in 0..self.program.steps.len() {
            self.step(i);
            self.pinned = [false; REGISTERS];
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
                let at = self.find(b);
                // What is used once more and lies in memory stays there.
                if at.is_none() && self.after_read[i][1] == NEVER {
                    self.release_dead(i);
                    let d = self.write(i, 0);
                    let at = 8 * b as i32;
                    match op {
                        Binary::Add => dynasm!(self.a ; .arch x64 ; vaddsd Rx(d), Rx(x), [rdi + at]),
                        Binary::Sub => dynasm!(self.a ; .arch x64 ; vsubsd Rx(d), Rx(x), [rdi + at]),
                        Binary::Mul => dynasm!(self.a ; .arch x64 ; vmulsd Rx(d), Rx(x), [rdi + at]),
                        Binary::Div => dynasm!(self.a ; .arch x64 ; vdivsd Rx(d), Rx(x), [rdi + at]),
                    }
                } else {
                    let y = self.read(b, self.after_read[i][1]);
                    self.release_dead(i);
                    let d = self.write(i, 0);
                    match op {
                        Binary::Add => dynasm!(self.a ; .arch x64 ; vaddsd Rx(d), Rx(x), Rx(y)),
                        Binary::Sub => dynasm!(self.a ; .arch x64 ; vsubsd Rx(d), Rx(x), Rx(y)),
                        Binary::Mul => dynasm!(self.a ; .arch x64 ; vmulsd Rx(d), Rx(x), Rx(y)),
                        Binary::Div => dynasm!(self.a ; .arch x64 ; vdivsd Rx(d), Rx(x), Rx(y)),
                    }
                }
                self.keep_wanted(i);
            }
            Step::Unary { op, a, .. } => {
                let x = self.read(a, self.after_read[i][0]);
                self.release_dead(i);
                let d = self.write(i, 0);
                let (sign, magnitude) = (8 * SIGN as i32, 8 * MAGNITUDE as i32);
                match op {
                    Unary::Negate => {
                        dynasm!(self.a ; .arch x64 ; vmovsd xmm15, [rsi + sign] ; vxorpd Rx(d), Rx(x), xmm15)
                    }
                    Unary::Abs => {
                        dynasm!(self.a ; .arch x64 ; vmovsd xmm15, [rsi + magnitude] ; vandpd Rx(d), Rx(x), xmm15)
                    }
                    Unary::Sqrt => dynasm!(self.a ; .arch x64 ; vsqrtsd Rx(d), Rx(x), Rx(x)),
                    Unary::Copy => dynasm!(self.a ; .arch x64 ; vmovapd Rx(d), Rx(x)),
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
            let (at, r) = (8 * held.place as i32, r as u8);
            dynasm!(self.a ; .arch x64 ; vmovsd [rdi + at], Rx(r));
        }
        self.pinned[r] = true;
        r as u8
    }

    /// The register with the number of a place, which is read again at `next`.
    fn read(&mut self, place: u32, next: usize) -> u8 {
        let r = self.find(place).unwrap_or_else(|| {
            let (r, at) = (self.take(), 8 * place as i32);
            dynasm!(self.a ; .arch x64 ; vmovsd Rx(r), [rdi + at]);
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
                let at = 8 * place as i32;
                dynasm!(self.a ; .arch x64 ; vmovsd [rdi + at], Rx(r));
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
        let k = |i: usize| 8 * i as i32;
        let begin = self.a.new_dynamic_label();
        let end = self.a.new_dynamic_label();
        // NaN and what is beyond the polynomial.
        dynasm!(self.a ; .arch x64
            ; vmovsd Rx(t), [rsi + k(MAGNITUDE)]
            ; vandpd Rx(t), Rx(x), Rx(t)
            ; vmovsd Rx(q), [rsi + k(LIMIT)]
            ; vucomisd Rx(q), Rx(t)
            ; jbe =>begin
            // n, and the quadrant in the low bits of q
            ; vmulsd Rx(q), Rx(x), [rsi + k(TWO_BY_PI)]
            ; vaddsd Rx(q), Rx(q), [rsi + k(SHIFT)]
            ; vsubsd Rx(n), Rx(q), [rsi + k(SHIFT)]
            // first = x − n·π₁ in y0, step = n·π₂ in t, r = first − step in z
            ; vmulsd Rx(t), Rx(n), [rsi + k(PI_PARTS)]
            ; vsubsd Rx(y0), Rx(x), Rx(t)
            ; vmulsd Rx(t), Rx(n), [rsi + k(PI_PARTS + 1)]
            ; vsubsd Rx(z), Rx(y0), Rx(t)
            // w = n·π₃ − ((first − r) − step) in n
            ; vsubsd Rx(y0), Rx(y0), Rx(z)
            ; vsubsd Rx(y0), Rx(y0), Rx(t)
            ; vmulsd Rx(n), Rx(n), [rsi + k(PI_PARTS + 2)]
            ; vsubsd Rx(n), Rx(n), Rx(y0)
            // y0 = r − w, y1 = (r − y0) − w
            ; vsubsd Rx(y0), Rx(z), Rx(n)
            ; vsubsd Rx(y1), Rx(z), Rx(y0)
            ; vsubsd Rx(y1), Rx(y1), Rx(n)
            ; vmulsd Rx(z), Rx(y0), Rx(y0)
            ; vmulsd Rx(zz), Rx(z), Rx(z)
        );
        self.polynomials([n, y0, y1, z, zz, s, c, t]);
        dynasm!(self.a ; .arch x64
            // Odd quadrants exchange the two; the signs follow the second bit.
            ; vpsllq Rx(t), Rx(q), 63
            ; vblendvpd Rx(n), Rx(s), Rx(c), Rx(t)
            ; vblendvpd Rx(c), Rx(c), Rx(s), Rx(t)
            ; vmovsd Rx(zz), [rsi + k(SIGN)]
            ; vpsllq Rx(t), Rx(q), 62
            ; vandpd Rx(t), Rx(t), Rx(zz)
            ; vxorpd Rx(s), Rx(n), Rx(t)
            ; vmovq Rx(t), [rsi + k(ONE_BIT)]
            ; vpaddq Rx(t), Rx(q), Rx(t)
            ; vpsllq Rx(t), Rx(t), 62
            ; vandpd Rx(t), Rx(t), Rx(zz)
            ; vxorpd Rx(c), Rx(c), Rx(t)
            ; =>end
        );
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

    /// Sine and cosine of y0 + y1 in s and c; z = y0², zz = z².
    fn polynomials(&mut self, [n, y0, y1, z, zz, s, c, t]: [u8; 8]) {
        let k = |i: usize| 8 * i as i32;
        dynasm!(self.a ; .arch x64
            // p = S2 + z·(S3 + z·S4) + z·zz·(S5 + z·S6) in s
            ; vmulsd Rx(s), Rx(z), [rsi + k(SIN_TERMS + 3)]
            ; vaddsd Rx(s), Rx(s), [rsi + k(SIN_TERMS + 2)]
            ; vmulsd Rx(s), Rx(s), Rx(z)
            ; vaddsd Rx(s), Rx(s), [rsi + k(SIN_TERMS + 1)]
            ; vmulsd Rx(t), Rx(z), [rsi + k(SIN_TERMS + 5)]
            ; vaddsd Rx(t), Rx(t), [rsi + k(SIN_TERMS + 4)]
            ; vmulsd Rx(n), Rx(z), Rx(zz)
            ; vmulsd Rx(t), Rx(n), Rx(t)
            ; vaddsd Rx(s), Rx(s), Rx(t)
            // v = z·y0 in n; sin = y0 − ((z·(½·y1 − v·p) − y1) − v·S1)
            ; vmulsd Rx(n), Rx(z), Rx(y0)
            ; vmulsd Rx(s), Rx(n), Rx(s)
            ; vmulsd Rx(t), Rx(y1), [rsi + k(HALF)]
            ; vsubsd Rx(s), Rx(t), Rx(s)
            ; vmulsd Rx(s), Rx(z), Rx(s)
            ; vsubsd Rx(s), Rx(s), Rx(y1)
            ; vmulsd Rx(t), Rx(n), [rsi + k(SIN_TERMS)]
            ; vsubsd Rx(s), Rx(s), Rx(t)
            ; vsubsd Rx(s), Rx(y0), Rx(s)
            // q = z·(C1 + z·(C2 + z·C3)) + zz·zz·(C4 + z·(C5 + z·C6)) in c
            ; vmulsd Rx(c), Rx(z), [rsi + k(COS_TERMS + 2)]
            ; vaddsd Rx(c), Rx(c), [rsi + k(COS_TERMS + 1)]
            ; vmulsd Rx(c), Rx(c), Rx(z)
            ; vaddsd Rx(c), Rx(c), [rsi + k(COS_TERMS)]
            ; vmulsd Rx(c), Rx(c), Rx(z)
            ; vmulsd Rx(t), Rx(z), [rsi + k(COS_TERMS + 5)]
            ; vaddsd Rx(t), Rx(t), [rsi + k(COS_TERMS + 4)]
            ; vmulsd Rx(t), Rx(t), Rx(z)
            ; vaddsd Rx(t), Rx(t), [rsi + k(COS_TERMS + 3)]
            ; vmulsd Rx(zz), Rx(zz), Rx(zz)
            ; vmulsd Rx(t), Rx(zz), Rx(t)
            ; vaddsd Rx(c), Rx(c), Rx(t)
            // half = ½·z in n, one = 1 − half in zz; cos = one + (((1 − one) − half) + (z·q − y0·y1))
            ; vmulsd Rx(n), Rx(z), [rsi + k(HALF)]
            ; vmovsd Rx(t), [rsi + k(ONE)]
            ; vsubsd Rx(zz), Rx(t), Rx(n)
            ; vmulsd Rx(c), Rx(z), Rx(c)
            ; vmulsd Rx(y1), Rx(y0), Rx(y1)
            ; vsubsd Rx(c), Rx(c), Rx(y1)
            ; vsubsd Rx(t), Rx(t), Rx(zz)
            ; vsubsd Rx(t), Rx(t), Rx(n)
            ; vaddsd Rx(c), Rx(t), Rx(c)
            ; vaddsd Rx(c), Rx(zz), Rx(c)
        );
    }

    /// Calls the library for one sine and cosine, with all registers kept.
    fn sine_beyond(&mut self, begin: DynamicLabel, end: DynamicLabel, x: u8, sin: u8, cos: u8) {
        let function = self.program.sin_cos as *const () as usize as i64;
        dynasm!(self.a ; .arch x64 ; =>begin);
        for r in 0..REGISTERS as u8 {
            let at = 8 * i32::from(r);
            dynasm!(self.a ; .arch x64 ; vmovsd [rsp + at], Rx(r));
        }
        dynasm!(self.a ; .arch x64
            ; mov [rsp + 160], rdi
            ; mov [rsp + 168], rsi
            ; vmovapd xmm0, Rx(x)
            ; lea rdi, [rsp + 144]
            ; mov rax, QWORD function
            ; call rax
            ; mov rdi, [rsp + 160]
            ; mov rsi, [rsp + 168]
        );
        for r in 0..REGISTERS as u8 {
            let at = 8 * i32::from(r);
            dynasm!(self.a ; .arch x64 ; vmovsd Rx(r), [rsp + at]);
        }
        dynasm!(self.a ; .arch x64
            ; vmovsd Rx(sin), [rsp + 144]
            ; vmovsd Rx(cos), [rsp + 152]
            ; jmp =>end
        );
    }
}
