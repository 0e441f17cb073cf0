#!/usr/bin/env python3
"""Writes the claims of F. Talamucci's paper about a test system: its general equations, with the system put in.

    python3 models/make/talamucci.py nonlinear-rheonomic > models/claims/talamucci/talamucci-nonlinear-rheonomic.toml

With a second word, `sumbatov`, what A. S. Sumbatov's survey says about such systems.

Partial derivatives are taken by SymPy; sums are written out as the paper prints them, and as they should be. Names follow the
paper: al_n is the right side of constraint n, al_n_i its derivative by q_i', al_n_qj by q_j; g, xi, eta, zeta are (13); w are the
velocities of the particles with the constraints put in, TS the constrained kinetic energy T* of (19); p_j is dT/dq_j'.
"""

import re
import sys
import tomllib
from itertools import product
from pathlib import Path

import sympy as sp

N, M = range(1, 5), range(1, 3)
K = range(1, 3)
q = {j: sp.Symbol(f"q{j}") for j in N}
v = {j: sp.Symbol(f"V{j}") for j in N}
t = sp.Symbol("t")
AXES = [f"{c}{k}" for k in (1, 2) for c in "xyz"]


def mass(a):
    return f"m{a[1]}"


def parse(text):
    return sp.sympify(re.sub(r"q(\d)'", r"V\1", text).replace("^", "**"), rational=True,
                      locals={**{f"q{j}": q[j] for j in N}, **{f"V{j}": v[j] for j in N}, "t": t})


def show(e):
    text = sp.sstr(e).replace("**", "^")
    return re.sub(r"\bV(\d)\b", r"q\1'", text)


def plus(terms):
    terms = [x for x in terms if x]
    return " + ".join(terms) if terms else "0"


class Claims:
    def __init__(self, model):
        self.defs, self.claims, self.zero = {}, [], set()
        d = model["definitions"]
        self.x = {a: parse(d[f"{a[0]}_{a[1]}"]) for a in AXES}
        self.al = {n: parse(model["constraints"][f"a{n}"].split("=", 1)[1]) for n in K}
        self.linear = all(sp.diff(self.al[n], v[i], v[r]) == 0 for n in K for i in M for r in M)
        self.rheonomic = any(e.has(t) for e in [*self.x.values(), *self.al.values()])
        potential = parse(model["energy"]["potential"])
        for j in N:
            self.put(f"F_{j}", parse(model["forces"].get(f"q{j}", "0")) - sp.diff(potential, q[j]))

    def put(self, name, value):
        """Defines a name by an expression; nothing that vanishes is written."""
        if isinstance(value, sp.Expr):
            value = "0" if value == 0 else show(value)
        if value == "0":
            self.zero.add(name)
        else:
            self.defs[name] = value

    def times(self, *names):
        """A product of names; empty if one of them vanishes."""
        return "" if any(x in self.zero for x in names) else "*".join(x for x in names if x != "1")

    def claim(self, id_, equation, holds, note=None):
        self.claims.append((id_, equation, holds, note))

    # -- what the paper defines --

    def functions(self):
        for n in K:
            self.put(f"al_{n}", self.al[n])
            self.put(f"al_{n}_t", sp.diff(self.al[n], t))
            for j in N:
                self.put(f"al_{n}_q{j}", sp.diff(self.al[n], q[j]))
            for i in M:
                d = sp.diff(self.al[n], v[i])
                self.put(f"al_{n}_{i}", d)
                self.put(f"al_{n}_{i}_t", sp.diff(d, t))
                for r in M:
                    self.put(f"al_{n}_{i}_{r}", sp.diff(d, v[r]))
                for j in N:
                    self.put(f"al_{n}_{i}_q{j}", sp.diff(d, q[j]))
        for a, j in product(AXES, N):
            self.put(f"{a}_{j}", sp.diff(self.x[a], q[j]))
        for a in AXES:
            self.put(f"{a}_t", sp.diff(self.x[a], t))

    def dot(self, left, right):
        """The scalar product with the masses of two vectors of names."""
        return plus(self.times(mass(a), left(a), right(a)) for a in AXES)

    def metric(self):
        for i, j in product(N, N):
            if i <= j:
                self.put(f"g_{i}{j}", self.dot(lambda a: f"{a}_{i}", lambda a: f"{a}_{j}"))
                for a in AXES:
                    self.put(f"{a}_{i}{j}", sp.diff(self.x[a], q[i], q[j]))
        for i, j, k in product(N, N, N):
            if i <= j:
                self.put(f"xi_{i}{j}{k}", self.dot(lambda a: f"{a}_{i}{j}", lambda a: f"{a}_{k}"))
        for a in AXES:
            self.put(f"{a}_tt", sp.diff(self.x[a], t, t))
            for i in N:
                self.put(f"{a}_{i}t", sp.diff(self.x[a], q[i], t))
        for i, j in product(N, N):
            self.put(f"eta_{i}{j}", self.dot(lambda a: f"{a}_{i}t", lambda a: f"{a}_{j}"))
        for j in N:
            self.put(f"zeta_{j}", self.dot(lambda a: f"{a}_tt", lambda a: f"{a}_{j}"))
            self.put(f"b_{j}", self.dot(lambda a: f"{a}_{j}", lambda a: f"{a}_t"))
        self.put("c", plus(self.times(mass(a), f"{a}_t", f"{a}_t", "1/2") for a in AXES))

    def g(self, i, j):
        return f"g_{min(i, j)}{max(i, j)}"

    def xi(self, i, j, k):
        return f"xi_{min(i, j)}{max(i, j)}{k}"

    def energies(self):
        """T by its momenta and derivatives; T* from the velocities with the constraints put in, differentiated as it stands."""
        for a in AXES:
            w = sum(sp.diff(self.x[a], q[r]) * v[r] for r in M) + sum(sp.diff(self.x[a], q[2 + n]) * self.al[n] for n in K)
            w += sp.diff(self.x[a], t)
            self.put(f"w_{a}", w)
            for i in M:
                self.put(f"w_{a}_{i}", sp.diff(w, v[i]))
            for j in N:
                self.put(f"w_{a}_q{j}", sp.diff(w, q[j]))
                u = sum(sp.diff(self.x[a], q[r]) * v[r] for r in N) + sp.diff(self.x[a], t)
                self.put(f"u_{a}_q{j}", sp.diff(u, q[j]))
        for j in N:
            self.put(f"p_{j}", plus(self.times(mass(a), f"{a[0]}_{a[1]}'", f"{a}_{j}") for a in AXES))
            self.put(f"T_q{j}", plus(self.times(mass(a), f"{a[0]}_{a[1]}'", f"u_{a}_q{j}") for a in AXES))
            self.put(f"TS_q{j}", plus(self.times(mass(a), f"w_{a}", f"w_{a}_q{j}") for a in AXES))
        for i in M:
            self.put(f"TS_{i}", plus(self.times(mass(a), f"w_{a}", f"w_{a}_{i}") for a in AXES))

    def force(self, i):
        return plus([self.times(f"F_{i}")] + [self.times(f"al_{n}_{i}", f"F_{2 + n}") for n in K])

    # -- the equations --

    def proposition_2_1(self):
        """(14) with (15): sums over all indices in front of all terms, as printed, or each where its index stands."""
        x = self.times
        for i in M:
            for r in M:
                single = [x(self.g(i, 2 + n), f"al_{n}_{r}") for n in K] + [x(self.g(2 + n, r), f"al_{n}_{i}") for n in K]
                double = [x(self.g(2 + n, 2 + m), f"al_{m}_{i}", f"al_{n}_{r}") for n in K for m in K]
                self.put(f"C_{i}{r}", plus([x(self.g(i, r))] + single + double))
                self.put(f"C_{i}{r}_printed", plus([x("4", self.g(i, r))] + [s and f"2*{s}" for s in single] + double))
                for s in M:
                    self.put(f"D_{i}{r}{s}", plus([x(self.xi(r, s, i))] + [x(self.xi(r, s, 2 + n), f"al_{n}_{i}") for n in K]))
                eta = [x("2", f"eta_{r}{i}")] + [x("2", f"al_{n}_{i}", f"eta_{r}{2 + n}") for n in K]
                for which, by in (("", f"q{r}"), ("_printed", f"{r}")):
                    one = [x("2", self.xi(r, 2 + n, i), f"al_{n}") for n in K] + [x(self.g(2 + n, i), f"al_{n}_{by}") for n in K]
                    two = [x("2", self.xi(r, 2 + n, 2 + m), f"al_{m}_{i}", f"al_{n}") for n in K for m in K]
                    two += [x(self.g(2 + n, 2 + m), f"al_{m}_{i}", f"al_{n}_{by}") for n in K for m in K]
                    self.put(f"E_{i}{r}{which}", plus([s and ("2*" if which else "") + s for s in one] + two + eta))
            two = [x(self.xi(2 + n, 2 + m, i), f"al_{n}", f"al_{m}") for n in K for m in K]
            two += [x(self.g(2 + n, i), f"al_{m}", f"al_{n}_q{2 + m}") for n in K for m in K]
            three = [x(self.xi(2 + n, 2 + m, 2 + p), f"al_{p}_{i}", f"al_{n}", f"al_{m}") for n in K for m in K for p in K]
            three += [x(self.g(2 + n, 2 + p), f"al_{p}_{i}", f"al_{m}", f"al_{n}_q{2 + m}") for n in K for m in K for p in K]
            rest = [x("2", f"eta_{2 + n}{i}", f"al_{n}") for n in K]
            rest += [x("2", f"eta_{2 + n}{2 + m}", f"al_{m}_{i}", f"al_{n}") for n in K for m in K]
            rest += [x(self.g(2 + n, i), f"al_{n}_t") for n in K]
            rest += [x(self.g(2 + n, 2 + m), f"al_{m}_{i}", f"al_{n}_t") for n in K for m in K]
            rest += [x(f"zeta_{i}")] + [x(f"al_{n}_{i}", f"zeta_{2 + n}") for n in K]
            self.put(f"G_{i}", plus(two + three + rest))
            self.put(f"G_{i}_printed", plus([s and f"2*{s}" for s in two] + three + rest))

            def left(which):
                return plus([x(f"C_{i}{r}{which}", f"q{r}''") for r in M] + [x(f"D_{i}{r}{s}", f"q{r}'", f"q{s}'") for r in M for s in M]
                            + [x(f"E_{i}{r}{which}", f"q{r}'") for r in M] + [x(f"G_{i}{which}")])

            note = "The sums over nu, mu, p stand before terms without these indices, which are then counted k or k^2 times; and E has " \
                   "the derivative of alpha by q_r' where that by q_r belongs"
            self.claim(f"(14) with (15), i = {i}, as printed", f"{left('_printed')} = {self.force(i)}", False, note)
            self.claim(f"(14) with (15), i = {i}, corrected", f"{left('')} = {self.force(i)}", True)

    def proposition_3_1(self):
        x = self.times
        for i in M:
            for n in K:
                terms = [x(f"al_{n}_{i}_q{r}", f"q{r}'") for r in M] + [x(f"al_{n}_{i}_{r}", f"q{r}''") for r in M]
                terms += [x(f"al_{n}_{i}_q{2 + m}", f"al_{m}") for m in K] + [x(f"al_{n}_{i}_t")]
                minus = [x(f"al_{n}_q{i}")] + [x(f"al_{m}_{i}", f"al_{n}_q{2 + m}") for m in K]
                self.put(f"B_{i}{n}", f"{plus(terms)} - ({plus(minus)})")
            inner = plus([x(f"TS_q{2 + n}", f"al_{n}_{i}") for n in K] + [x(f"B_{i}{n}", f"p_{2 + n}") for n in K])
            self.claim(f"(20) with (21), i = {i}", f"TS_{i}' - TS_q{i} - ({inner}) = {self.force(i)}", True)

    def proof_of_3_1(self):
        x = self.times
        for i in M:
            bad = plus(x(f"T_q{2 + n}", f"al_{n}_q{i}") for n in K)
            good = plus(x(f"p_{2 + n}", f"al_{n}_q{i}") for n in K)
            note = "A dot is lost: the factor is the derivative of T by the velocity"
            self.claim(f"(22), second line, i = {i}, as printed", f"T_q{i} = TS_q{i} - ({bad})", False, note)
            self.claim(f"(22), second line, i = {i}, corrected", f"T_q{i} = TS_q{i} - ({good})", True)
            first = plus(x(f"p_{2 + n}", f"al_{n}_{i}") for n in K)
            self.claim(f"(22), first line, i = {i}", f"p_{i} = TS_{i} - ({first})", True)

    def beta(self, i, r, n, time):
        x = self.times
        terms = [x(f"al_{n}_{i}_q{r}")] + [x(f"al_{n}_{i}_q{2 + m}", f"al_{m}_{r}") for m in K] + [x(f"al_{n}_{i}_t") if time else ""]
        minus = [x(f"al_{n}_{r}_q{i}")] + [x(f"al_{n}_{r}_q{2 + m}", f"al_{m}_{i}") for m in K]
        return f"{plus(terms)} - ({plus(minus)})"

    def voronec(self):
        x = self.times
        for i, r, n in product(M, M, K):
            self.put(f"beta_{i}{r}{n}", self.beta(i, r, n, False))
            if self.rheonomic:
                self.put(f"beta_{i}{r}{n}_printed", self.beta(i, r, n, True))
        for i in M:
            head = f"TS_{i}' - TS_q{i} - ({plus(x(f'al_{n}_{i}', f'TS_q{2 + n}') for n in K)})"
            note = "T* does not depend on q_{m+nu}': its derivative there is zero, and the whole sum is lost; T is meant"
            self.claim(f"(23) with (24), i = {i}, as printed", f"{head} = {self.force(i)}", False, note)
            if self.rheonomic:
                inside = plus(x(f"beta_{i}{r}{n}_printed", f"q{r}'", f"p_{2 + n}") for r in M for n in K)
                note = "The time derivative of alpha stands inside beta_ir and is multiplied by q_r'; it belongs outside the sum over r"
                self.claim(f"(23) with (24), with T in the last term, i = {i}, as printed", f"{head} - ({inside}) = {self.force(i)}", False, note)
            right = plus([x(f"beta_{i}{r}{n}", f"q{r}'", f"p_{2 + n}") for r in M for n in K] + [x(f"al_{n}_{i}_t", f"p_{2 + n}") for n in K])
            self.claim(f"(23) with (24), i = {i}, corrected", f"{head} - ({right}) = {self.force(i)}", True)
            if self.rheonomic:
                self.claim(f"(23) with (24), with T in the last term, i = {i}, corrected", f"{head} - ({right}) = {self.force(i)}", True)

    def gamma(self):
        """After (25): the symbols of the quasi-velocities q_i', q_{m+nu}' - sum alpha_nu,r q_r' against beta."""
        inverse = lambda r, i: "1" if r == i else f"al_{r - 2}_{i}" if r > 2 else None
        for i, j, n in ((1, 2, 1), (1, 2, 2)):
            terms = []
            for r, s in product(N, N):
                if inverse(r, i) is None or inverse(s, j) is None:
                    continue
                # a_{m+nu, r} is -alpha_{nu, r} for r <= m and constant else
                for sign, (k, by) in (("-", (r, s)), ("+", (s, r))):
                    product_ = self.times(inverse(r, i), inverse(s, j), f"al_{n}_{k}_q{by}") if k <= 2 else ""
                    if product_:
                        terms.append(f"{sign} {product_}")
            value = " ".join(terms).lstrip("+ ") or "0"
            note = "The sign: with a_{m+nu,r} = -alpha_{nu,r} the symbols are those of (24) reversed"
            self.claim(f"after (25), gamma_{{i,m+nu,j}}, nu = {n}, as printed", f"{value} = beta_{i}{j}{n}", False, note)
            self.claim(f"after (25), gamma_{{i,m+nu,j}}, nu = {n}, corrected", f"{value} = -(beta_{i}{j}{n})", True)

    def section_4(self):
        x = self.times
        ts = plus(x("1/2", mass(a), f"w_{a}", f"w_{a}") for a in AXES)
        self.put("TS", ts)
        head = [x("1/2", self.g(r, s), f"q{r}'", f"q{s}'") for r in M for s in M]
        tail = [x(self.g(r, 2 + n), f"q{r}'", f"al_{n}") for r in M for n in K] + [x(f"b_{r}", f"q{r}'") for r in M]
        tail += [x(f"b_{2 + n}", f"al_{n}") for n in K] + [x("c")]
        for word, index, holds in (("as printed", lambda n, m: n, False), ("corrected", lambda n, m: m, True)):
            middle = [x("1/2", self.g(2 + n, 2 + index(n, m)), f"al_{n}", f"al_{m}") for n in K for m in K]
            note = None if holds else "The second index: g_{m+nu,m+mu}"
            self.claim(f"(27), {word}", f"TS = {plus(head + middle + tail)}", holds, note)
        for i in M:
            diff = {key: f"{key}_q{i}" for key in ("c",)}
            for a, b in product(N, N):
                if a <= b:
                    g = sum(sp.Symbol(mass(k)) * sp.diff(self.x[k], q[a]) * sp.diff(self.x[k], q[b]) for k in AXES)
                    self.put(f"g_{a}{b}_q{i}", sp.diff(g, q[i]))
            for a in N:
                b_ = sum(sp.Symbol(mass(k)) * sp.diff(self.x[k], q[a]) * sp.diff(self.x[k], t) for k in AXES)
                self.put(f"b_{a}_q{i}", sp.diff(b_, q[i]))
            c = sum(sp.Symbol(mass(k)) * sp.diff(self.x[k], t) ** 2 for k in AXES) / 2
            self.put(diff["c"], sp.diff(c, q[i]))
            gq = lambda a, b: f"{self.g(a, b)}_q{i}"
            common = [x("1/2", gq(r, s), f"q{r}'", f"q{s}'") for r in M for s in M]
            common += [x("1/2", gq(2 + n, 2 + m), f"al_{n}", f"al_{m}") for n in K for m in K]
            common += [x(gq(r, 2 + n), f"al_{n}", f"q{r}'") for r in M for n in K] + [x(f"b_{r}_q{i}", f"q{r}'") for r in M]
            common += [x(self.g(2 + n, 2 + m), f"al_{m}", f"al_{n}_q{i}") for n in K for m in K]
            common += [x(self.g(r, 2 + n), f"q{r}'", f"al_{n}_q{i}") for r in M for n in K] + [x(f"b_{2 + n}", f"al_{n}_q{i}") for n in K]
            note = "c contains the half already, and the derivative of b_{m+nu} is missing; the sums are read where their index stands"
            self.claim(f"proof of 4.1, dT*/dq_i, i = {i}, as printed", f"TS_q{i} = {plus(common + [x('1/2', f'c_q{i}')])}", False, note)
            more = [x(f"b_{2 + n}_q{i}", f"al_{n}") for n in K] + [x(f"c_q{i}")]
            self.claim(f"proof of 4.1, dT*/dq_i, i = {i}, corrected", f"TS_q{i} = {plus(common + more)}", True)
            mom = [x(self.g(i, r), f"q{r}'") for r in M]
            inner = lambda n: [x(self.g(r, 2 + n), f"q{r}'", f"al_{n}_{i}") for r in M] + [x(f"b_{2 + n}", f"al_{n}_{i}")]
            common = mom + sum((inner(n) for n in K), []) + [x(f"b_{i}")]
            printed = [x(self.g(i, n), f"al_{n}") for n in K]
            printed += [x(self.g(r, 2 + n), self.g(2 + n, 2 + m), f"al_{m}", f"al_{n}_{i}") for r in M for n in K for m in K]
            right = [x(self.g(i, 2 + n), f"al_{n}") for n in K] + [x(self.g(2 + n, 2 + m), f"al_{m}", f"al_{n}_{i}") for n in K for m in K]
            note = "g_{i,m+nu} where g_{i,nu} is printed, and one factor g_{r,m+nu} too many"
            self.claim(f"proof of 4.1, dT*/dq_i', i = {i}, as printed", f"TS_{i} = {plus(common + printed)}", False, note)
            self.claim(f"proof of 4.1, dT*/dq_i', i = {i}, corrected", f"TS_{i} = {plus(common + right)}", True)
        for n in K:
            right = plus([x(self.g(2 + n, r), f"q{r}'") for r in M] + [x(self.g(2 + n, 2 + m), f"al_{m}") for m in K] + [x(f"b_{2 + n}")])
            self.claim(f"proof of 4.1, dT/dq_{{m+{n}}}'", f"p_{2 + n} = {right}", True)

    # -- what Sumbatov's survey says in general --

    def gibbs_appell(self):
        """(3.11): the derivative of S by q_s'', the constraints put in; S is half the sum of m x''^2."""
        x = self.times
        for s in M:
            left = [x(mass(a), f"{a[0]}_{a[1]}''", f"{a}_{s}") for a in AXES]
            left += [x(mass(a), f"{a[0]}_{a[1]}''", f"al_{n}_{s}", f"{a}_{2 + n}") for a in AXES for n in K]
            note = "Q_s must be that of the reduced system, Q_s + sum Q_i dq_i'/dq_s'; the symbol printed is that of the unreduced one"
            self.claim(f"(3.11), s = {s}, as printed", f"{plus(left)} = F_{s}", False, note)
            self.claim(f"(3.11), s = {s}, corrected", f"{plus(left)} = {self.force(s)}", True)

    def woronetz(self):
        x = self.times
        for i, r, n in product(M, M, K):
            self.put(f"beta_{i}{r}{n}", self.beta(i, r, n, False))
        for i in M:
            head = f"TS_{i}' - TS_q{i} - ({plus(x(f'al_{n}_{i}', f'TS_q{2 + n}') for n in K)})"
            sums = plus(x(f"beta_{i}{r}{n}", f"q{r}'", f"p_{2 + n}") for r in M for n in K)
            self.claim(f"equations of Woronetz, s = {i}", f"{head} - ({sums}) = {self.force(i)}", True)

    # -- the file --

    def used(self):
        """Definitions the claims need, in order."""
        need, pending = set(), [c[1] for c in self.claims]
        while pending:
            for name in re.findall(r"[A-Za-z]\w*", pending.pop()):
                if name in self.defs and name not in need:
                    need.add(name)
                    pending.append(self.defs[name])
        return [n for n in self.defs if n in need]

    def text(self, slug, whose):
        out = [f"# What {whose} says in general, for models/talamucci-{slug}.toml: written by models/make/talamucci.py.",
               "# al_n is the right side of constraint n, al_n_i its derivative by q_i', al_n_qj by q_j; g, xi, eta, zeta are those of (13);",
               "# w_.. velocities with the constraints put in; TS is T*, TS_i its derivative by q_i', TS_qj by q_j; p_j is dT/dq_j'.",
               "", "[definitions]"]
        out += [f'{name} = "{self.defs[name]}"' for name in self.used()]
        for id_, equation, holds, note in self.claims:
            out += ["", "[[claim]]", f'id = "{id_}"', f'equation = "{equation}"', f"expect = {str(holds).lower()}"]
            if note:
                out.append(f'note = "{note}"')
        return "\n".join(out) + "\n"


def main(slug, survey):
    path = Path(__file__).resolve().parent.parent / f"talamucci-{slug}.toml"
    c = Claims(tomllib.loads(path.read_text()))
    c.functions()
    c.metric()
    c.energies()
    if survey:
        c.gibbs_appell()
        if c.linear and not c.rheonomic:
            c.woronetz()
        return sys.stdout.write(c.text(slug, "A. S. Sumbatov's survey"))
    if c.rheonomic or not c.linear:
        c.proposition_2_1()
        c.proposition_3_1()
    if c.linear:
        c.voronec()
    if c.linear and not c.rheonomic:
        c.gamma()
    if c.rheonomic and not c.linear:
        c.proof_of_3_1()
        c.section_4()
    sys.stdout.write(c.text(slug, "F. Talamucci's paper"))


if __name__ == "__main__":
    if len(sys.argv) not in (2, 3) or sys.argv[2:] not in ([], ["sumbatov"]):
        sys.exit(__doc__)
    main(sys.argv[1], len(sys.argv) == 3)
