//! Sine and cosine: `sine::polynomial`, operation by operation.

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
    r: u8,
    w: u8,
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
            let Set { n, q, r, w, z, zz, t, u, v, .. } = *set;
            [n, q, r, w, z, zz, t, u, v].into_iter().for_each(|r| self.unpin(r));
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
        let [n, q, r, w, z, zz, t, u, v, s, c] = std::array::from_fn(|_| self.take());
        Set { x, n, q, r, w, z, zz, t, u, v, s, c }
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
        self.each(sets, |a, s| a.exchange([s.n, s.r], [s.s, s.c], s.q, s.t));
        self.each(sets, |a, s| a.shift(s.t, s.q, 62));
        self.each(sets, |a, s| a.count_on(s.q, s.q));
        self.each(sets, |a, s| a.shift(s.q, s.q, 62));
        self.each(sets, |a, s| a.turn(s.s, s.n, s.t));
        self.each(sets, |a, s| a.turn(s.c, s.r, s.q));
        dynasm!(self.a ; .arch x64 ; =>end);
        let sets = sets.iter().map(|set| [set.x, set.s, set.c]).collect();
        self.beyond.push(Beyond { begin, end, shape: self.shape, sets });
    }

    /// r − w = x − n·π/2 with twice the working precision, and the quadrant n in the low bits of q.
    fn reduce(&mut self, sets: &[Set]) {
        self.each(sets, |a, s| a.mul(s.q, s.x, Pool(TWO_BY_PI)));
        self.each(sets, |a, s| a.add(s.q, s.q, Pool(SHIFT)));
        self.each(sets, |a, s| a.sub(s.n, s.q, Pool(SHIFT)));
        // first = x − n·π₁ in v, step = n·π₂ in u
        self.each(sets, |a, s| a.mul(s.t, s.n, Pool(PI_PARTS)));
        self.each(sets, |a, s| a.sub(s.v, s.x, Register(s.t)));
        self.each(sets, |a, s| a.mul(s.u, s.n, Pool(PI_PARTS + 1)));
        self.each(sets, |a, s| a.sub(s.r, s.v, Register(s.u)));
        // w = n·π₃ − ((first − r) − step)
        self.each(sets, |a, s| a.mul(s.n, s.n, Pool(PI_PARTS + 2)));
        self.each(sets, |a, s| a.sub(s.v, s.v, Register(s.r)));
        self.each(sets, |a, s| a.sub(s.v, s.v, Register(s.u)));
        self.each(sets, |a, s| a.sub(s.w, s.n, Register(s.v)));
    }

    /// Sine and cosine of r − w in s and c, in turns.
    fn polynomials(&mut self, sets: &[Set]) {
        self.each(sets, |a, s| a.mul(s.z, s.r, Register(s.r)));
        // p = S2 + z·(S3 + z·S4) + z·zz·(S5 + z·S6) in s
        // p' = C1 + z·(C2 + z·C3) in c, q' = C4 + z·(C5 + z·C6) in u; q = z·p' + zz·zz·q'
        self.each(sets, |a, s| a.mul(s.zz, s.z, Register(s.z)));
        self.each(sets, |a, s| a.mul(s.s, s.z, Pool(SIN_TERMS + 3)));
        self.each(sets, |a, s| a.mul(s.c, s.z, Pool(COS_TERMS + 2)));
        self.each(sets, |a, s| a.mul(s.t, s.z, Pool(SIN_TERMS + 5)));
        self.each(sets, |a, s| a.mul(s.u, s.z, Pool(COS_TERMS + 5)));
        self.each(sets, |a, s| a.add(s.s, s.s, Pool(SIN_TERMS + 2)));
        self.each(sets, |a, s| a.add(s.c, s.c, Pool(COS_TERMS + 1)));
        self.each(sets, |a, s| a.add(s.t, s.t, Pool(SIN_TERMS + 4)));
        self.each(sets, |a, s| a.add(s.u, s.u, Pool(COS_TERMS + 4)));
        self.each(sets, |a, s| a.mul(s.n, s.z, Register(s.zz)));
        self.each(sets, |a, s| a.mul(s.s, s.s, Register(s.z)));
        self.each(sets, |a, s| a.mul(s.c, s.c, Register(s.z)));
        self.each(sets, |a, s| a.mul(s.u, s.u, Register(s.z)));
        self.each(sets, |a, s| a.mul(s.t, s.n, Register(s.t)));
        self.each(sets, |a, s| a.mul(s.zz, s.zz, Register(s.zz)));
        self.each(sets, |a, s| a.add(s.s, s.s, Pool(SIN_TERMS + 1)));
        self.each(sets, |a, s| a.add(s.c, s.c, Pool(COS_TERMS)));
        self.each(sets, |a, s| a.add(s.u, s.u, Pool(COS_TERMS + 3)));
        self.each(sets, |a, s| a.mul(s.n, s.z, Register(s.r)));
        self.each(sets, |a, s| a.add(s.s, s.s, Register(s.t)));
        self.each(sets, |a, s| a.mul(s.c, s.c, Register(s.z)));
        self.each(sets, |a, s| a.mul(s.u, s.zz, Register(s.u)));
        // v = z·r in n; sin = r − ((w − z·(½·w + v·p)) − v·S1)
        // half = ½·z in zz, one = 1 − half in v; cos = one + (((1 − one) − half) + (z·q + r·w))
        self.each(sets, |a, s| a.mul(s.t, s.w, Pool(HALF)));
        self.each(sets, |a, s| a.mul(s.s, s.n, Register(s.s)));
        self.each(sets, |a, s| a.mul(s.zz, s.z, Pool(HALF)));
        self.each(sets, |a, s| a.add(s.c, s.c, Register(s.u)));
        self.each(sets, |a, s| a.load(s.u, Pool(ONE)));
        self.each(sets, |a, s| a.add(s.s, s.t, Register(s.s)));
        self.each(sets, |a, s| a.sub(s.v, s.u, Register(s.zz)));
        self.each(sets, |a, s| a.mul(s.c, s.z, Register(s.c)));
        self.each(sets, |a, s| a.mul(s.t, s.n, Pool(SIN_TERMS)));
        self.each(sets, |a, s| a.mul(s.n, s.r, Register(s.w)));
        self.each(sets, |a, s| a.mul(s.s, s.z, Register(s.s)));
        self.each(sets, |a, s| a.sub(s.u, s.u, Register(s.v)));
        self.each(sets, |a, s| a.add(s.c, s.c, Register(s.n)));
        self.each(sets, |a, s| a.sub(s.s, s.w, Register(s.s)));
        self.each(sets, |a, s| a.sub(s.u, s.u, Register(s.zz)));
        self.each(sets, |a, s| a.sub(s.s, s.s, Register(s.t)));
        self.each(sets, |a, s| a.add(s.c, s.u, Register(s.c)));
        self.each(sets, |a, s| a.sub(s.s, s.r, Register(s.s)));
        self.each(sets, |a, s| a.add(s.c, s.v, Register(s.c)));
    }
}
