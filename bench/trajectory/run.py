#!/usr/bin/env python3
"""Microseconds per trajectory at equal measured error: noslip, generated C, heyoka, SciPy.

Run from the project's root:  python3 bench/trajectory/run.py
It makes a virtual environment in bench/peers/.venv with the packages it needs, builds the Rust part as it is usually built (it
finds out by itself, when it runs, how wide the registers are) and prints a table per system.

The systems, initial states, reference end states (Taylor at 1e-15) and the equations of motion come from the Rust part:
heyoka and SciPy get the very operations that the generated C has; heyoka also gets equations reduced by hand, in as few
variables and operations as a careful person would need. Each tool gets the loosest tolerance of a ladder at which all its end
states are within the wanted error of the reference. Times are of the processor, best of several rounds, of integrating alone.
"""
import json, math, os, subprocess, sys, tempfile, time

HERE = os.path.dirname(os.path.abspath(__file__))
ROOT = os.path.abspath(os.path.join(HERE, "..", ".."))
sys.path.insert(0, os.path.join(ROOT, "bench", "peers"))
import environment

PACKAGES = ["heyoka", "scipy", "numpy"]
LADDER = [1e-4 * 10 ** (-0.2 * i) for i in range(57)]
# SciPy is slow: a few trajectories tell enough.
SCIPY_COUNT = 4


def equations(problem):
    """The right-hand side as a Python function (state → rates), and as heyoka's system of equations."""
    n = len(problem["starts"][0])
    body = "\n".join("    " + line for line in problem["code"])
    source = f"def rhs(x0, y):\n    {', '.join(f'x{i + 1}' for i in range(n))} = y\n{body}\n    return [{', '.join(problem['outputs'])}]\n"
    names = {f: getattr(math, f) for f in ("sin", "cos", "sqrt", "tan")}
    exec(source, names)
    return names["rhs"], source


def heyoka_system(hy, problem):
    n = len(problem["starts"][0])
    _, source = equations(problem)
    names = {f: getattr(hy, f) for f in ("sin", "cos", "sqrt", "tan")}
    exec(source, names)
    variables = hy.make_vars(*[f"y{i}" for i in range(n)])
    rates = names["rhs"](hy.time, variables)
    return list(zip(variables, rates))


def error(states, reference):
    return max(abs(x - w) / max(1.0, abs(w)) for s, r in zip(states, reference) for x, w in zip(s, r))


def tune(tool, make, run, count, problem, wanted, rounds):
    """`make(tolerance)` gives what `run(it, group)` needs to compute the end states of the trajectories of a group."""
    for tolerance in LADDER:
        it = make(tolerance)
        groups = run.groups(count)
        states, steps = [], 0
        for g in groups:
            s, k = run(it, g)
            states += s
            steps += k
        e = error(states, problem["reference"])
        if e <= wanted:
            best = [math.inf] * len(groups)
            for _ in range(rounds):
                for i, g in enumerate(groups):
                    begin = time.thread_time()
                    run.go(it, g)
                    best[i] = min(best[i], time.thread_time() - begin)
            us = sum(best) * 1e6 / count
            print(f"  {tool:26} tolerance {tolerance:7.1e}  error {e:7.1e}  {steps / count:6.1f} steps  {us:9.2f} µs", flush=True)
            return {"tool": tool, "tolerance": tolerance, "error": e, "us": us, "steps": steps / count}
    print(f"  {tool:26} does not reach the error")
    return None


class Alone:
    """One trajectory of heyoka or SciPy at a time."""

    def __init__(self, function):
        self.function = function

    def groups(self, count):
        return list(range(count))

    def __call__(self, it, group):
        state, steps = self.function(it, group)
        return [state], steps

    def go(self, it, group):
        """The same for the clock: what it takes Python to hand out the end states is not counted."""
        self.function(it, group, False)


class Batch(Alone):
    def __init__(self, function, size):
        self.function, self.size = function, size

    def groups(self, count):
        return [range(i, i + self.size) for i in range(0, count, self.size)]

    def __call__(self, it, group):
        return self.function(it, group)


def reduced_disk(hy, np):
    """The disk's equations in three quasi-velocities, as a careful person would write them: (φ, θ, ψ, x, y, u1, u2, u3)."""
    g, r = 9.81, 0.6
    phi, theta, psi, x, y, u1, u2, u3 = variables = hy.make_vars("phi", "theta", "psi", "x", "y", "u1", "u2", "u3")
    turn = u1 / hy.sin(theta)
    w = turn * hy.cos(theta)
    spin = u3 - w
    rates = [turn, u2, spin, -r * spin * hy.cos(phi), -r * spin * hy.sin(phi), u2 * (2.0 * u3 - w),
             0.8 * (u1 * (0.25 * w - 1.5 * u3) - g / r * hy.cos(theta)), 2.0 / 3.0 * u1 * u2]

    def into(s):
        sin, cos = math.sin(s[1]), math.cos(s[1])
        return np.array([*s[:5], s[5] * sin, s[6], s[5] * cos + s[7]])

    def back(s):
        turn = s[5] / math.sin(s[1])
        spin = s[7] - turn * math.cos(s[1])
        return [*s[:5], turn, s[6], spin, -r * spin * math.cos(s[0]), -r * spin * math.sin(s[0])]

    return list(zip(variables, rates)), into, back


def reduced_sledge(hy, np):
    """The sledge's equations in the speed s along the blade and the turning w: (x, y, φ, s, w)."""
    alpha, beta, k = 0.35, -0.2, 0.45
    x, y, phi, s, w = variables = hy.make_vars("x", "y", "phi", "s", "w")
    turning = -alpha / (k * k + alpha * alpha) * w * (s - beta * w)
    rates = [s * hy.cos(phi), s * hy.sin(phi), w, beta * turning + alpha * w * w, turning]

    def into(q):
        return np.array([*q[:3], q[3] * math.cos(q[2]) + q[4] * math.sin(q[2]), q[5]])

    def back(q):
        return [*q[:3], q[3] * math.cos(q[2]), q[3] * math.sin(q[2]), q[4]]

    return list(zip(variables, rates)), into, back


REDUCED = {"disk": reduced_disk, "sledge": reduced_sledge}


def heyoka(hy, np, name, system, starts, back, problem, until, wanted):
    def alone(ta, i, wanted=True):
        ta.time = 0.0
        ta.state[:] = starts[i]
        outcome = ta.propagate_until(until)
        return (back(list(ta.state)), outcome[3]) if wanted else None

    make = lambda tol: hy.taylor_adaptive(system, starts[0], tol=tol)
    results = [tune(name, make, Alone(alone), len(starts), problem, wanted, 15)]
    for size in [hy.recommended_simd_size(), 2 * hy.recommended_simd_size()]:
        packed = {}

        def batch(ta, g, wanted=True):
            if g not in packed:
                packed[g] = np.ascontiguousarray(np.stack([starts[i] for i in g], axis=1))
            ta.set_time(0.0)
            ta.state[:] = packed[g]
            ta.propagate_until(until)
            if not wanted:
                return None
            steps = sum(r[3] for r in ta.propagate_res)
            return [back(list(ta.state[:, j])) for j in range(len(g))], steps

        make = lambda tol: hy.taylor_adaptive_batch(system, np.ascontiguousarray(np.stack(starts[:size], axis=1)), tol=tol)
        results.append(tune(f"{name}, batches of {size}", make, Batch(batch, size), len(starts), problem, wanted, 15))
    return results


def peers(problem, until, wanted):
    import numpy as np
    starts = [np.array(s) for s in problem["starts"]]
    results = []
    try:
        import heyoka as hy
    except ImportError as e:
        hy = None
        print(f"  heyoka is not available: {e}")
    if hy:
        results += heyoka(hy, np, "heyoka", heyoka_system(hy, problem), starts, lambda y: y, problem, until, wanted)
        if problem["name"] in REDUCED:
            system, into, back = REDUCED[problem["name"]](hy, np)
            reduced = [into(y) for y in starts]
            results += heyoka(hy, np, "heyoka, reduced by hand", system, reduced, back, problem, until, wanted)
    from scipy.integrate import solve_ivp
    rhs, _ = equations(problem)

    def scipy(tol, i, wanted=True):
        # Plain numbers are faster than numpy's in straight-line code.
        r = solve_ivp(lambda t, y: rhs(t, y.tolist()), (0.0, until), starts[i], method="DOP853", rtol=tol, atol=tol)
        return list(r.y[:, -1]), len(r.t) - 1

    results.append(tune("SciPy DOP853", lambda tol: tol, Alone(scipy), SCIPY_COUNT, problem, wanted, 3))
    return [r for r in results if r]


def main():
    environment.enter(PACKAGES)
    with tempfile.TemporaryDirectory() as directory:
        path = os.path.join(directory, "problems.json")
        subprocess.check_call(["cargo", "run", "-q", "--release", "-p", "noslip-bench-trajectory", "--", path], cwd=ROOT)
        data = json.load(open(path))
    for problem in data["problems"]:
        print(f"{problem['name']}: the peers")
        figures = problem["figures"] + peers(problem, data["until"], data["error"])
        c = next((f["us"] for f in figures if "generated C" in f["tool"]), None)
        best = min(f["us"] for f in figures if f["tool"].startswith("noslip ensemble"))
        print(f"\n| {problem['name']} | tolerance | error | steps | µs | to generated C | to the best ensemble |\n|---|---|---|---|---|---|---|")
        for f in figures:
            to_c = f"{f['us'] / c:.2f}" if c else "–"
            print(f"| {f['tool']} | {f['tolerance']:.1e} | {f['error']:.1e} | {f['steps']:.0f} | {f['us']:.1f} | {to_c} | {f['us'] / best:.2f} |")
        print()


if __name__ == "__main__":
    main()
