//! Sine and cosine: the polynomial of `program::polynomial`, operation by operation.

use super::compiler::Compiler;
use super::constants::{COS_TERMS, HALF, ONE, PI_PARTS, SHIFT, SIN_TERMS, TWO_BY_PI};
use super::emit::Beyond;
use super::emit::Operand::{Pool, Register};
use super::encode::Length;
use super::flow::{Item, Value};
use dynasmrt::{DynasmLabelApi, dynasm};

/// Registers of one argument: the argument, what lies between, the results.
struct Set {
    x: u8,
    n: u8,
    q: u8,
    y0: u8,
    y1: u8,
    z: u8,
    zz: u8,
    t: u8,
    u: u8,
    v: u8,
    s: u8,
    c: u8,
}

impl Compiler<'_> {
    /// Sines and cosines of one value or of several: in code for one row side by side in one register, else in turns.
    pub(super) fn sines(&mut self, item: &Item) {
        let count = item.reads.len();
        let side_by_side = count > 1 && self.shape == Length::Scalar;
        let arguments: Vec<u8> = if side_by_side {
            vec![self.gather(&item.reads)]
        } else {
            item.reads.iter().map(|&v| self.read(v)).collect()
        };
        let sets: Vec<Set> = arguments.into_iter().map(|x| self.set(x)).collect();
        let shape = self.shape;
        self.wide |= count > 2;
        if side_by_side {
            self.shape = if count == 2 { Length::Two } else { Length::Four };
        }
        self.sine_and_cosine(&sets);
        self.shape = shape;
        for set in &sets {
            let Set { n, q, y0, y1, z, zz, t, u, v, .. } = *set;
            [n, q, y0, y1, z, zz, t, u, v].into_iter().for_each(|r| self.unpin(r));
            if side_by_side {
                self.unpin(set.x);
            }
        }
        self.release(&item.reads);
        self.forget(&item.reads);
        if side_by_side {
            let results = |k: usize| item.writes.iter().copied().skip(k).step_by(2).collect::<Vec<Value>>();
            self.scatter(&results(0), sets[0].s);
            self.scatter(&results(1), sets[0].c);
            return;
        }
        for (set, values) in sets.iter().zip(item.writes.chunks(2)) {
            self.define(values[0], set.s);
            self.define(values[1], set.c);
        }
    }

    fn set(&mut self, x: u8) -> Set {
        let [n, q, y0, y1, z, zz, t, u, v, s, c] = std::array::from_fn(|_| self.take());
        Set { x, n, q, y0, y1, z, zz, t, u, v, s, c }
    }

    /// Several values side by side in one register.
    fn gather(&mut self, values: &[Value]) -> u8 {
        let two = |of: &mut Self, values: &[Value]| {
            let (x, y) = (of.read(values[0]), of.read(values[values.len() - 1]));
            let d = of.take();
            of.pair(d, x, y);
            of.unpin(x);
            of.unpin(y);
            d
        };
        let d = two(self, &values[..2]);
        if values.len() > 2 {
            let upper = two(self, &values[2..]);
            self.join(d, d, upper);
            self.unpin(upper);
        }
        d
    }

    /// The numbers of a register as values of their own.
    fn scatter(&mut self, values: &[Value], r: u8) {
        for k in (1..values.len()).rev() {
            if !self.is_wanted(values[k]) {
                continue;
            }
            let d = self.take();
            if k > 1 {
                self.upper(d, r);
            }
            if k % 2 == 1 {
                self.second(d, if k > 1 { d } else { r });
            }
            self.define(values[k], d);
        }
        self.define(values[0], r);
    }

    /// The same operation for every argument: neighbours in the code do not wait for each other.
    fn each(&mut self, sets: &[Set], operation: impl Fn(&mut Self, &Set)) {
        sets.iter().for_each(|set| operation(self, set));
    }

    fn sine_and_cosine(&mut self, sets: &[Set]) {
        let (begin, end) = (self.a.new_dynamic_label(), self.a.new_dynamic_label());
        for set in sets {
            self.unless_in_range(set.x, set.t, set.q, begin);
        }
        self.reduce(sets);
        self.polynomials(sets);
        // Odd quadrants exchange the two; the signs follow the second bit.
        self.each(sets, |a, r| a.exchange([r.n, r.y0], [r.s, r.c], r.q, r.t));
        self.each(sets, |a, r| a.shift(r.t, r.q, 62));
        self.each(sets, |a, r| a.count_on(r.q, r.q));
        self.each(sets, |a, r| a.shift(r.q, r.q, 62));
        self.each(sets, |a, r| a.turn(r.s, r.n, r.t));
        self.each(sets, |a, r| a.turn(r.c, r.y0, r.q));
        dynasm!(self.a ; .arch x64 ; =>end);
        let sets = sets.iter().map(|set| [set.x, set.s, set.c]).collect();
        self.beyond.push(Beyond { begin, end, shape: self.shape, sets });
    }

    /// y0 + y1 = x − n·π/2 with twice the working precision, and the quadrant n in the low bits of q.
    fn reduce(&mut self, sets: &[Set]) {
        self.each(sets, |a, r| a.mul(r.q, r.x, Pool(TWO_BY_PI)));
        self.each(sets, |a, r| a.add(r.q, r.q, Pool(SHIFT)));
        self.each(sets, |a, r| a.sub(r.n, r.q, Pool(SHIFT)));
        // first = x − n·π₁ in y0, step = n·π₂ in t, r = first − step in z
        self.each(sets, |a, r| a.mul(r.t, r.n, Pool(PI_PARTS)));
        self.each(sets, |a, r| a.sub(r.y0, r.x, Register(r.t)));
        self.each(sets, |a, r| a.mul(r.t, r.n, Pool(PI_PARTS + 1)));
        self.each(sets, |a, r| a.sub(r.z, r.y0, Register(r.t)));
        // w = n·π₃ − ((first − r) − step) in n
        self.each(sets, |a, r| a.mul(r.n, r.n, Pool(PI_PARTS + 2)));
        self.each(sets, |a, r| a.sub(r.y0, r.y0, Register(r.z)));
        self.each(sets, |a, r| a.sub(r.y0, r.y0, Register(r.t)));
        self.each(sets, |a, r| a.sub(r.n, r.n, Register(r.y0)));
        // y0 = r − w, y1 = (r − y0) − w
        self.each(sets, |a, r| a.sub(r.y0, r.z, Register(r.n)));
        self.each(sets, |a, r| a.sub(r.y1, r.z, Register(r.y0)));
        self.each(sets, |a, r| a.sub(r.y1, r.y1, Register(r.n)));
    }

    /// Sine and cosine of y0 + y1 in s and c, in turns.
    fn polynomials(&mut self, sets: &[Set]) {
        self.each(sets, |a, r| a.mul(r.z, r.y0, Register(r.y0)));
        // p = S2 + z·(S3 + z·S4) + z·zz·(S5 + z·S6) in s
        // p' = C1 + z·(C2 + z·C3) in c, q' = C4 + z·(C5 + z·C6) in u; q = z·p' + zz·zz·q'
        self.each(sets, |a, r| a.mul(r.zz, r.z, Register(r.z)));
        self.each(sets, |a, r| a.mul(r.s, r.z, Pool(SIN_TERMS + 3)));
        self.each(sets, |a, r| a.mul(r.c, r.z, Pool(COS_TERMS + 2)));
        self.each(sets, |a, r| a.mul(r.t, r.z, Pool(SIN_TERMS + 5)));
        self.each(sets, |a, r| a.mul(r.u, r.z, Pool(COS_TERMS + 5)));
        self.each(sets, |a, r| a.add(r.s, r.s, Pool(SIN_TERMS + 2)));
        self.each(sets, |a, r| a.add(r.c, r.c, Pool(COS_TERMS + 1)));
        self.each(sets, |a, r| a.add(r.t, r.t, Pool(SIN_TERMS + 4)));
        self.each(sets, |a, r| a.add(r.u, r.u, Pool(COS_TERMS + 4)));
        self.each(sets, |a, r| a.mul(r.n, r.z, Register(r.zz)));
        self.each(sets, |a, r| a.mul(r.s, r.s, Register(r.z)));
        self.each(sets, |a, r| a.mul(r.c, r.c, Register(r.z)));
        self.each(sets, |a, r| a.mul(r.u, r.u, Register(r.z)));
        self.each(sets, |a, r| a.mul(r.t, r.n, Register(r.t)));
        self.each(sets, |a, r| a.mul(r.zz, r.zz, Register(r.zz)));
        self.each(sets, |a, r| a.add(r.s, r.s, Pool(SIN_TERMS + 1)));
        self.each(sets, |a, r| a.add(r.c, r.c, Pool(COS_TERMS)));
        self.each(sets, |a, r| a.add(r.u, r.u, Pool(COS_TERMS + 3)));
        self.each(sets, |a, r| a.mul(r.n, r.z, Register(r.y0)));
        self.each(sets, |a, r| a.add(r.s, r.s, Register(r.t)));
        self.each(sets, |a, r| a.mul(r.c, r.c, Register(r.z)));
        self.each(sets, |a, r| a.mul(r.u, r.zz, Register(r.u)));
        // v = z·y0 in n; sin = y0 − ((z·(½·y1 − v·p) − y1) − v·S1)
        // half = ½·z in zz, one = 1 − half in v; cos = one + (((1 − one) − half) + (z·q − y0·y1))
        self.each(sets, |a, r| a.mul(r.t, r.y1, Pool(HALF)));
        self.each(sets, |a, r| a.mul(r.s, r.n, Register(r.s)));
        self.each(sets, |a, r| a.mul(r.zz, r.z, Pool(HALF)));
        self.each(sets, |a, r| a.add(r.c, r.c, Register(r.u)));
        self.each(sets, |a, r| a.load(r.u, Pool(ONE)));
        self.each(sets, |a, r| a.sub(r.s, r.t, Register(r.s)));
        self.each(sets, |a, r| a.sub(r.v, r.u, Register(r.zz)));
        self.each(sets, |a, r| a.mul(r.c, r.z, Register(r.c)));
        self.each(sets, |a, r| a.mul(r.t, r.n, Pool(SIN_TERMS)));
        self.each(sets, |a, r| a.mul(r.n, r.y0, Register(r.y1)));
        self.each(sets, |a, r| a.mul(r.s, r.z, Register(r.s)));
        self.each(sets, |a, r| a.sub(r.u, r.u, Register(r.v)));
        self.each(sets, |a, r| a.sub(r.c, r.c, Register(r.n)));
        self.each(sets, |a, r| a.sub(r.s, r.s, Register(r.y1)));
        self.each(sets, |a, r| a.sub(r.u, r.u, Register(r.zz)));
        self.each(sets, |a, r| a.sub(r.s, r.s, Register(r.t)));
        self.each(sets, |a, r| a.add(r.c, r.u, Register(r.c)));
        self.each(sets, |a, r| a.sub(r.s, r.y0, Register(r.s)));
        self.each(sets, |a, r| a.add(r.c, r.v, Register(r.c)));
    }
}
