#!/usr/bin/env python3
"""Long chains and many bodies in space, from frames and bodies: seconds of CPU until the plain model is written, and until Maggi's
equations are derived, printed and proved to agree.

    python3 bench/bodies/run.py [PROGRAM]

PROGRAM is target/release/noslip if absent.
"""
import pathlib
import resource
import subprocess
import sys
import tempfile

ROOT = pathlib.Path(__file__).resolve().parents[2]


def chain(n):
    """n links in the plane, the last on a blade."""
    names = [f"q{i}" for i in range(1, n + 1)]
    text = f'noslip = 1\n[system]\nname = "chain of {n} links"\ncoordinates = {list(names)}\n'.replace("'", '"')
    text += "[parameters]\nm = 1\nl = 0.3\nJ = 0.01\n[frames]\n"
    for i in range(1, n + 1):
        place = f'in = "f{i - 1}", at = ["l", 0], ' if i > 1 else ""
        text += f'f{i} = {{ {place}turn = {{ z = "q{i}" }} }}\n'
    for i in range(1, n + 1):
        text += f'[bodies.b{i}]\nin = "f{i}"\nmass = "m"\ncenter = ["l/2", 0]\ninertia = "J"\n'
    text += f'[contacts.blade]\nbody = "f{n}"\nat = ["l", 0]\nskates = "x"\n'
    places = ", ".join(f"q{i} = {0.1 if i % 2 else -0.05}" for i in range(1, n + 1))
    speeds = ", ".join(f"q{i} = 0.1" for i in range(2, n + 1))
    return text + f"[initial]\nposition = {{ {places} }}\nvelocity = {{ {speeds} }}\n"


def space(n):
    """n bodies with weight, hinged about changing axes, the first on a blade."""
    names = ["x", "y"] + [f"a{i}" for i in range(1, n + 1)]
    text = f'noslip = 1\n[system]\nname = "{n} bodies in space"\ncoordinates = {list(names)}\n'.replace("'", '"')
    text += '[parameters]\nm = 1\nl = 0.3\nr = 0.1\ng = 9.81\n[frames]\nf1 = { at = ["x", "y", 0], turn = { z = "a1" } }\n'
    for i in range(2, n + 1):
        text += f'f{i} = {{ in = "f{i - 1}", at = ["l", 0, 0], turn = {{ {"zyx"[i % 3]} = "a{i}" }} }}\n'
    for i in range(1, n + 1):
        text += f'[bodies.b{i}]\nin = "f{i}"\nmass = "m"\ncenter = ["l/2", 0, 0]\ninertia = ["r^2", "2*r^2", "3*r^2"]\n'
    text += '[gravity]\ng = "g"\n[contacts.blade]\nbody = "f1"\nskates = "x"\n'
    places = ", ".join(f"a{i} = 0.1" for i in range(1, n + 1))
    return text + f"[initial]\nposition = {{ x = 0, y = 0, {places} }}\nvelocity = {{ x = 1, {places} }}\n"


def seconds(arguments):
    before = resource.getrusage(resource.RUSAGE_CHILDREN).ru_utime
    done = subprocess.run(arguments, capture_output=True, text=True)
    if done.returncode != 0:
        sys.exit(f"{' '.join(arguments)}: {done.stderr}")
    return resource.getrusage(resource.RUSAGE_CHILDREN).ru_utime - before, done.stdout


def main():
    program = sys.argv[1] if len(sys.argv) > 1 else str(ROOT / "target/release/noslip")
    print("| model | expand | derive and prove Maggi's form |\n|---|---|---|")
    with tempfile.TemporaryDirectory() as folder:
        file = pathlib.Path(folder) / "model.toml"
        models = [(f"{n} links in a chain", chain(n)) for n in (10, 20, 30)]
        models += [(f"{n} bodies in space", space(n)) for n in (6, 12)]
        for name, text in models:
            file.write_text(text)
            plain, _ = seconds([program, "expand", str(file)])
            maggi, said = seconds([program, "derive", str(file), "--form", "maggi"])
            proved = "proved" if "multipliers: proved" in said else "tested"
            print(f"| {name} | {plain:.2f} | {maggi:.1f} ({proved}) |")


main()
