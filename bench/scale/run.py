#!/usr/bin/env python3
"""Time and memory of the commands against the size of a model.

    cargo build --release && python3 bench/scale/run.py [--program target/release/noslip] [--limit SECONDS] [--largest N]

Chains of trailers and of knife edges, arms of growing length, and the large single models. CPU seconds and peak memory of each command;
the exponent is fitted to the chain's own size (least squares in logarithms, over the runs that take more than 20 ms). A number in
brackets is an exit status: 3 says that something was not decided within the budget. A run that reaches the limit is listed with it, longer
ones are left out, and the exponent is a lower bound.
"""
import argparse
import math
import pathlib
import resource
import subprocess
import sys
import tempfile

ROOT = pathlib.Path(__file__).resolve().parents[2]
COMMANDS = {
    "check": ["check"],
    "derive maggi": ["derive", "--form", "maggi", "--brief"],
    "derive lagrange": ["derive", "--form", "lagrange-multipliers", "--brief"],
    "derive all": ["derive", "--form", "all", "--brief"],
    "verify": ["verify", "--equation", "x' = x'"],
    "report": ["report", "-o", "-"],
}


def knife_chain(n):
    """n knife edges, each hinged at the middle of the one before: the centre of each slides along its own direction."""
    x, y = ["x"], ["y"]
    for i in range(1, n):
        x.append(f"{x[-1]} - cos(p{i})")
        y.append(f"{y[-1]} - sin(p{i})")
    coordinates = ["x", "y"] + [f"p{i}" for i in range(n)]
    lines = ["noslip = 1", "[system]", f'name = "Chain of {n} knife edges"']
    lines.append("coordinates = [" + ", ".join(f'"{c}"' for c in coordinates) + "]")
    lines += ["[parameters]", "m = 1", "J = 0.1", "[definitions]"]
    lines += [f'x_{i} = "{x[i]}"' for i in range(1, n)] + [f'y_{i} = "{y[i]}"' for i in range(1, n)]
    at = lambda i: ("x", "y") if i == 0 else (f"x_{i}", f"y_{i}")
    energy = " + ".join(f"m/2*({at(i)[0]}'^2 + {at(i)[1]}'^2) + J/2*p{i}'^2" for i in range(n))
    lines += ["[energy]", f'kinetic = "{energy}"', "[constraints]"]
    lines += [f"k{i} = \"{at(i)[0]}'*sin(p{i}) = {at(i)[1]}'*cos(p{i})\"" for i in range(n)]
    position = ", ".join(["x = 0", "y = 0"] + [f"p{i} = {0.3 + 0.1 * i:.1f}" for i in range(n)])
    lines += ["[initial]", f"position = {{ {position} }}", "velocity = { x = 1 }", "[simulation]", "until = 1"]
    return "\n".join(lines) + "\n"


def arm(n):
    """An arm of n links on a cart; a knife edge at its end slides along the last link."""
    x, y = "x", "0"
    lines = ["noslip = 1", "[system]", f'name = "Arm of {n} links"']
    coordinates = ["x"] + [f"p{i}" for i in range(n)]
    lines.append("coordinates = [" + ", ".join(f'"{c}"' for c in coordinates) + "]")
    lines += ["[parameters]", "m = 1", "J = 0.1", "[definitions]"]
    middles = []
    for i in range(n):
        middles.append((f"{x} + cos(p{i})/2", f"{y} + sin(p{i})/2"))
        x, y = (f"x_{i}", f"y_{i}")
        before = ("x", "0") if i == 0 else (f"x_{i - 1}", f"y_{i - 1}")
        lines += [f'x_{i} = "{before[0]} + cos(p{i})"', f'y_{i} = "{before[1]} + sin(p{i})"']
    lines += [f'X_{i} = "{a}"' for i, (a, _) in enumerate(middles)] + [f'Y_{i} = "{b}"' for i, (_, b) in enumerate(middles)]
    links = " + ".join(f"m/2*(X_{i}'^2 + Y_{i}'^2) + J/2*p{i}'^2" for i in range(n))
    lines += ["[energy]", f'kinetic = "m/2*x\'^2 + {links}"', "[constraints]"]
    lines.append(f"edge = \"{x}'*sin(p{n - 1}) = {y}'*cos(p{n - 1})\"")
    position = ", ".join(["x = 0"] + [f"p{i} = {0.3 + 0.1 * i:.1f}" for i in range(n)])
    lines += ["[initial]", f"position = {{ {position} }}", "velocity = { x = 1 }", "[simulation]", "until = 1"]
    return "\n".join(lines) + "\n"


def trailers(n):
    script = ROOT / "models" / "make" / "trailers.py"
    return subprocess.run([sys.executable, script, str(n)], check=True, capture_output=True, text=True).stdout


def measure(program, command, model, limit):
    """CPU seconds, peak megabytes and exit status, or None at the limit, which is one of CPU seconds: the machine may be busy."""
    name, *options = command
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    seconds = math.ceil(limit)
    run = subprocess.run(
        ["/usr/bin/env", "time", "-f", "%U %S %M", program, name, str(model), *options],
        stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True,
        preexec_fn=lambda: resource.setrlimit(resource.RLIMIT_CPU, (seconds, seconds)))
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    if "terminated by signal" in run.stderr:
        return None
    seconds = after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime
    memory = run.stderr.strip().splitlines()[-1].split()
    return seconds, int(memory[-1]) / 1024, run.returncode


def exponent(points):
    points = [(math.log(n), math.log(s)) for n, s in points if s > 0.02]
    if len(points) < 2:
        return None
    mx, my = (sum(p[i] for p in points) / len(points) for i in (0, 1))
    below = sum((x - mx) ** 2 for x, _ in points)
    return sum((x - mx) * (y - my) for x, y in points) / below


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--program", default=str(ROOT / "target" / "release" / "noslip"))
    parser.add_argument("--limit", type=float, default=60)
    parser.add_argument("--largest", type=int, default=64)
    args = parser.parse_args()
    singles = ["ellipsoid-on-plane", "rattleback", "large/whipple-bicycle"]
    worst = []
    with tempfile.TemporaryDirectory() as folder:
        families = {"trailers": (trailers, 64), "knife edges": (knife_chain, 16), "links of an arm": (arm, 16)}
        for family, (make, largest) in families.items():
            sizes = [n for n in (1, 2, 4, 8, 16, 32, 64) if n <= min(largest, args.largest)]
            print(f"\n| {family} | " + " | ".join(f"n = {n}" for n in sizes) + " | exponent |")
            print("|---" * (len(sizes) + 2) + "|")
            for title, command in COMMANDS.items():
                cells, points = [], []
                for n in sizes:
                    model = pathlib.Path(folder) / f"{family.replace(' ', '-')}-{n}.toml"
                    model.write_text(make(n))
                    found = measure(args.program, command, model, args.limit)
                    if found is None:
                        cells.append(f"> {args.limit:g} s")
                        worst.append((args.limit, f"{title}, {family} {n}"))
                        break
                    seconds, memory, status = found
                    cells.append(f"{seconds:.2f} s, {memory:.0f} MB" + (f" [{status}]" if status else ""))
                    points.append((n, seconds))
                    worst.append((seconds, f"{title}, {family} {n}"))
                cells += [""] * (len(sizes) - len(cells))
                slope = exponent(points)
                print(f"| {title} | " + " | ".join(cells) + f" | {'' if slope is None else f'{slope:.1f}'} |", flush=True)
        print("\n| model | " + " | ".join(COMMANDS) + " |", flush=True)
        print("|---" * (len(COMMANDS) + 1) + "|")
        for name in singles:
            cells = []
            for title, command in COMMANDS.items():
                found = measure(args.program, command, ROOT / "models" / f"{name}.toml", args.limit)
                seconds = args.limit if found is None else found[0]
                worst.append((seconds, f"{title}, {name}"))
                cells.append(f"> {args.limit:g} s" if found is None else f"{seconds:.2f} s, {found[1]:.0f} MB")
            print(f"| {name} | " + " | ".join(cells) + " |", flush=True)
    print("\nThe worst:")
    for seconds, what in sorted(worst, reverse=True)[:10]:
        print(f"- {seconds:.1f} s: {what}")


if __name__ == "__main__":
    main()
