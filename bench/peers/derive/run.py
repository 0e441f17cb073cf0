#!/usr/bin/env python3
"""Derive M, h, A, b (mass matrix, remaining terms, constraint matrix, right side) with noslip, symengine, SymPy and CasADi.

All tools read the same model files; their answers are compared at a random state before any time is reported.
Run from the project's root:  python3 bench/peers/derive/run.py
It makes a virtual environment in bench/peers/.venv with the packages it needs.
"""
import json, os, random, re, subprocess, sys, tempfile, time

HERE = os.path.dirname(os.path.abspath(__file__))
ROOT = os.path.abspath(os.path.join(HERE, "..", "..", ".."))
sys.path.insert(0, os.path.join(HERE, ".."))
import environment

PACKAGES = ["sympy==1.14.0", "symengine", "casadi"]


def trailers(n):
    """A car pulling n trailers: x, y of the car, the angles of car and trailers; one wheel axle each."""
    q = ["x", "y"] + [f"th{i}" for i in range(n + 1)]
    text = f'noslip = 1\n[system]\nname = "{n} trailers"\ncoordinates = {json.dumps(q)}\n[parameters]\nm = 1.0\nJ = 0.1\nl = 0.5\n[definitions]\nx0 = "x"\ny0 = "y"\n'
    for i in range(1, n + 1):
        text += f'x{i} = "x{i-1} - l*cos(th{i})"\ny{i} = "y{i-1} - l*sin(th{i})"\n'
    text += '[energy]\nkinetic = "' + "+".join(f"m/2*(x{i}'^2+y{i}'^2)+J/2*th{i}'^2" for i in range(n + 1)) + '"\n[constraints]\n'
    for i in range(n + 1):
        text += f'c{i} = "x{i}\'*sin(th{i}) - y{i}\'*cos(th{i})"\n'
    return text


class Tool:
    """Reads a model file and derives; `ns` maps function names, `sym` makes symbols."""

    def __init__(self, name):
        self.name = name
        if name == "sympy":
            import sympy as s
            self.sym, self.functions, self.number = s.Symbol, s, s.Rational
        elif name == "symengine":
            import symengine as s
            self.sym, self.functions, self.number = s.Symbol, s, s.Rational
        else:
            import casadi as s
            self.sym, self.functions, self.number = s.SX.sym, s, lambda a, b=1: float(a) / float(b)

    def read(self, model):
        import tomllib
        m = tomllib.loads(model)
        q = m["system"]["coordinates"]
        names = {"t": self.sym("t")}
        for x in q:
            names[x], names[x + "_d"] = self.sym(x), self.sym(x + "_d")
        for p in m.get("parameters", {}):
            names[p] = self.sym(p)
        for f in "sin cos tan exp sqrt".split():
            names[f] = getattr(self.functions, f)
        definitions = dict(m.get("definitions", {}))

        def total(e):  # total time derivative of an expression of t and q
            r = self.diff(e, names["t"])
            for x in q:
                r = r + self.diff(e, names[x]) * names[x + "_d"]
            return r

        def value(text):
            for d in sorted(set(re.findall(r"[A-Za-z_]\w*'?", text))):
                plain = d.rstrip("'")
                if plain in definitions and plain not in names:
                    names[plain] = value(definitions[plain])
                if d.endswith("'") and plain in definitions and plain + "_d" not in names:
                    names[plain + "_d"] = total(names[plain])
            text = text.replace("'", "_d").replace("^", "**")
            text = re.sub(r"(?<![\w.])(\d+\.?\d*(?:[eE][-+]?\d+)?)", lambda x: f"_n('{x[1]}')", text)
            text = re.sub(r"\*\*_n\('(\d+)'\)", r"**\1", text)
            return eval(text, {"__builtins__": {}, "_n": self.exact}, names)

        def side(text):
            a, _, b = text.partition("=")
            return value(a) - value(b) if b else value(a)

        T = value(m["energy"]["kinetic"])
        V = value(str(m["energy"].get("potential", "0")))
        Q = [value(m.get("forces", {}).get(x, "0")) for x in q]
        phi = [side(c if isinstance(c, str) else c["equation"]) for c in m["constraints"].values()]
        return q, names, T, V, Q, phi, m.get("parameters", {})

    def exact(self, text):
        if self.name == "casadi":
            return float(text)
        from fractions import Fraction
        f = Fraction(text)
        return self.number(f.numerator, f.denominator)

    def diff(self, e, s):
        if self.name == "casadi":
            return self.functions.jacobian(e, s)
        return e.diff(s) if hasattr(e, "diff") else self.number(0)

    def derive(self, data):
        q, names, T, V, Q, phi, _ = data
        x, v, t = [names[i] for i in q], [names[i + "_d"] for i in q], names["t"]
        if self.name == "casadi":
            c = self.functions
            X, Y = c.vertcat(*x), c.vertcat(*v)
            p = c.gradient(T, Y)
            M = c.jacobian(p, Y)
            h = c.jtimes(p, X, Y) + c.jacobian(p, t) - c.gradient(T, X) + c.gradient(V, X) if not isinstance(V, float) else \
                c.jtimes(p, X, Y) + c.jacobian(p, t) - c.gradient(T, X)
            h = h - c.vertcat(*Q)
            F = c.vertcat(*phi)
            A = c.jacobian(F, Y)
            b = -(c.jtimes(F, X, Y) + c.jacobian(F, t))
            return M, h, A, b
        p = [self.diff(T, s) for s in v]
        M = [[self.diff(a, s) for s in v] for a in p]
        drift = lambda e: sum((self.diff(e, a) * b for a, b in zip(x, v)), self.diff(e, t))
        h = [drift(p[i]) - self.diff(T, x[i]) + self.diff(V, x[i]) - Q[i] for i in range(len(q))]
        A = [[self.diff(f, s) for s in v] for f in phi]
        b = [-drift(f) for f in phi]
        return M, h, A, b

    def numbers(self, data, result, state):
        q, names, *_, parameters = data
        at = {names["t"]: state[0]}
        for i, s in enumerate(q):
            at[names[s]], at[names[s + "_d"]] = state[1 + i], state[1 + len(q) + i]
        known = dict(re_values(parameters))
        for p in parameters:
            at[names[p]] = known[p]
        M, h, A, b = result
        if self.name == "casadi":
            c = self.functions
            keys = list(at)
            f = c.Function("f", keys, [M, c.vertcat(h), A, b])
            r = [c.DM(o).full() for o in f(*[at[k] for k in keys])]
            return [*r[0].flatten(), *r[2].flatten(), *r[1].flatten(), *r[3].flatten()]
        flat = [e for row in M for e in row] + [e for row in A for e in row] + h + b
        return [float(e.subs(at)) if hasattr(e, "subs") else float(e) for e in flat]


def re_values(parameters):
    import math
    known = {}
    names = {k: getattr(math, k) for k in "sin cos tan exp sqrt pi".split()}
    while len(known) < len(parameters):
        for k, v in parameters.items():
            if k in known:
                continue
            try:
                known[k] = float(v) if not isinstance(v, str) else float(eval(v.replace("^", "**"), {"__builtins__": {}}, {**names, **known}))
            except NameError:
                pass
    return known


def main():
    environment.enter(PACKAGES)
    random.seed(5)
    subprocess.check_call(["cargo", "build", "--release", "-q", "-p", "noslip-bench-derive"], cwd=ROOT)
    binary = os.path.join(ROOT, "target", "release", "noslip-bench-derive")
    models = {}
    for label, name in [("sleigh", "knife-edge-body"), ("disk", "rolling-disk"), ("car", "car-in-a-turn-generic"), ("ellipsoid", "ellipsoid-on-plane")]:
        models[label] = open(os.path.join(ROOT, "models", name + ".toml")).read()
    for n in (1, 2, 4, 8, 16, 32):
        models[f"{n} trailers"] = trailers(n)
    folder = tempfile.mkdtemp()
    paths, states = {}, {}
    import tomllib
    for label, text in models.items():
        paths[label] = os.path.join(folder, label.replace(" ", "_") + ".toml")
        open(paths[label], "w").write(text)
        n = len(tomllib.loads(text)["system"]["coordinates"])
        states[paths[label]] = [0.3] + [random.uniform(0.2, 1.2) for _ in range(2 * n)]
    file = os.path.join(folder, "states.json")
    json.dump(states, open(file, "w"))
    ours = {}
    for line in subprocess.check_output([binary, file, *paths.values()], text=True).splitlines():
        r = json.loads(line)
        ours[r["model"]] = r
    print(f"{'model':<12} {'noslip ms':>10} {'symengine':>16} {'CasADi':>16} {'SymPy':>16}   (milliseconds of CPU, ratio to noslip)")
    slow = set()
    for label, text in models.items():
        mine = ours[paths[label]]
        row = f"{label:<12} {mine['milliseconds']:>10.3f}"
        for name in ("symengine", "casadi", "sympy"):
            if name in slow or (name == "sympy" and label in ("8 trailers", "16 trailers", "32 trailers")):
                row += f" {'–':>16}"
                continue
            tool = Tool(name)
            data = tool.read(text)
            best = None
            for _ in range(5):
                tool = Tool(name)
                data = tool.read(text)
                begin = time.process_time()
                result = tool.derive(data)
                spent = time.process_time() - begin
                best = spent if best is None else min(best, spent)
                if spent > 2:
                    break
            if best > 20:
                slow.add(name)
            theirs = tool.numbers(data, result, states[paths[label]])
            worst = max(abs(a - b) / max(1, abs(b)) for a, b in zip(mine["values"], theirs))
            assert len(theirs) == len(mine["values"]) and worst < 1e-9, f"{label}: {name} disagrees by {worst}"
            row += f" {best*1e3:>9.2f} {best*1e3/mine['milliseconds']:>5.0f}×"
        print(row, flush=True)


main()
