//! Sine and cosine: the polynomial of `program::polynomial`, operation by operation.

use super::compiler::Compiler;
use super::constants::{COS_TERMS, HALF, ONE, PI_PARTS, SHIFT, SIGN, SIN_TERMS, TWO_BY_PI};
use super::emit::Beyond;
use super::emit::Operand::{Pool, Register};
use super::encode::Length;
use super::flow::{Item, Value};
use dynasmrt::{DynasmLabelApi, dynasm};

impl Compiler<'_> {
    /// Sines and cosines of one value, or in code for one row of several, side by side.
    pub(super) fn sines(&mut self, item: &Item) {
        let count = item.reads.len();
        let x = if count == 1 { self.read(item.reads[0]) } else { self.gather(&item.reads) };
        let temporary: [u8; 9] = std::array::from_fn(|_| self.take());
        let [.., s, c, _] = temporary;
        let shape = self.shape;
        if count > 1 {
            self.shape = if count == 2 { Length::Two } else { Length::Four };
        }
        self.sine_and_cosine(x, temporary);
        self.shape = shape;
        temporary.into_iter().filter(|&r| r != s && r != c).for_each(|r| self.unpin(r));
        if count > 1 {
            self.unpin(x);
        }
        self.release(&item.reads);
        self.forget(&item.reads);
        let results = |k: usize| item.writes.iter().copied().skip(k).step_by(2).collect::<Vec<Value>>();
        for (k, r) in [(0, s), (1, c)] {
            self.scatter(&results(k), r);
        }
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

    fn sine_and_cosine(&mut self, x: u8, [n, q, y0, y1, z, zz, s, c, t]: [u8; 9]) {
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
        self.exchange([n, y0], [s, c], t);
        self.shift(t, q, 62);
        self.and(t, t, Pool(SIGN));
        self.xor(s, n, Register(t));
        self.count_on(t, q);
        self.shift(t, t, 62);
        self.and(t, t, Pool(SIGN));
        self.xor(c, y0, Register(t));
        dynasm!(self.a ; .arch x64 ; =>end);
        let lanes = self.shape.bytes() / 8;
        self.beyond.push(Beyond { begin, end, shape: self.shape, x, sin: s, cos: c, lanes });
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
