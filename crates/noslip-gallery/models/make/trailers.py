#!/usr/bin/env python3
"""Write the model of a car with n trailers to standard output: python3 models/make/trailers.py 4 > car-with-4-trailers.toml"""
import sys

NAMES = {1: "a trailer", 2: "two trailers", 3: "three trailers"}


def model(n):
    hitch = lambda i: ("x", "y") if i == 0 else (f"x_{i}", f"y_{i}")
    out = ["noslip = 1", "", "[system]", f'name = "Car with {NAMES.get(n, f"{n} trailers")}"']
    out.append('source = "F. Jean, The car with n trailers: characterization of the singular configurations, ESAIM: Control, '
               'Optimisation and Calculus of Variations 1 (1996) 241-266; J.-P. Laumond, Controllability of a multibody mobile '
               'robot, IEEE Transactions on Robotics and Automation 9 (1993) 755-763"')
    growth = ", ".join(str(i) for i in range(2, n + 4))
    out += ['description = """',
            f"A car, at (x, y) with heading theta0, pulls {NAMES.get(n, f'{n} trailers')}, each hitched to the middle of the axle before it. No axle slips "
            "sideways: \\",
            f"{n + 1} constraint{'s' if n else ''} in {n + 3} coordinates leave two velocities free, yet every configuration can be reached. Each bracket of "
            "the two \\",
            f"allowed motions gains one more direction: at a generic configuration the growth vector is ({growth}). All bodies have mass, so that the \\",
            "system also coasts.\"\"\""]
    coords = ["x", "y"] + [f"theta{i}" for i in range(n + 1)]
    out.append("coordinates = [" + ", ".join(f'"{c}"' for c in coords) + "]")
    out += ["", "[parameters]"]
    for i in range(n + 1):
        out += [f"m{i} = {[3.0, 1.0, 0.8, 0.6][i] if i < 4 else 0.5}", f"J{i} = {[0.7, 0.3, 0.2, 0.15][i] if i < 4 else 0.1}"]
    out += [f"d{i} = {[0, 1.0, 0.8, 0.9][i] if i < 4 else 1.0}" for i in range(1, n + 1)]
    out += ["", "[definitions]", "# middle of the axle of each trailer"]
    for i in range(1, n + 1):
        hx, hy = hitch(i - 1)
        out += [f'x_{i} = "{hx} - d{i}*cos(theta{i})"', f'y_{i} = "{hy} - d{i}*sin(theta{i})"']
    kinetic = [f"m{i}/2*({hitch(i)[0]}'^2 + {hitch(i)[1]}'^2) + J{i}/2*theta{i}'^2" for i in range(n + 1)]
    out += ["", "[energy]", f'kinetic = "{" + ".join(kinetic)}"', "", "[constraints]"]
    for i in range(n + 1):
        hx, hy = hitch(i)
        name = "car" if i == 0 else f"trailer{i}"
        out.append(f"{name} = \"{hx}'*sin(theta{i}) = {hy}'*cos(theta{i})\"")
    out += ["", "[quasi_velocities]", "v = \"x'*cos(theta0) + y'*sin(theta0)\"", "w = \"theta0'\"", "", "[initial]"]
    start = ", ".join(["x = 0", "y = 0", "theta0 = 0.5"] + [f"theta{i} = {[0, 0.2, -0.1, -0.3][i] if i < 4 else -0.3}" for i in range(1, n + 1)])
    out += [f"position = {{ {start} }}", "velocity = { x = 1, theta0 = 0.6 }", "", "[simulation]", "until = 8", "tolerance = 1e-10"]
    # A plot has at most twelve curves.
    headings = ", ".join(f'"theta{i}"' for i in range(min(n + 1, 12)))
    out += ["", "[[plots]]", 'title = "Track of the car"', 'across = "x"', 'up = "y"']
    out += ["", "[[plots]]", 'title = "Headings"', f"up = [{headings}]"]
    out += ["", *drawing("trail", of=("x", "y")), "", *drawing("polygon", points="[[-0.3, -0.2], [0.35, 0], [-0.3, 0.2]]", center=("x", "y"),
                                                         angle="theta0", role="accent")]
    for i in range(n + 1):
        hx, hy = hitch(i)
        axle = [(f"{hx} {s} 0.2*sin(theta{i})", f"{hy} {'+' if s == '-' else '-'} 0.2*cos(theta{i})") for s in "-+"]
        out += ["", *drawing("segment", **{"from": axle[0]}, to=axle[1], role="wheel", width=5)]
        if i > 0:
            out += ["", *drawing("segment", **{"from": hitch(i - 1)}, to=(hx, hy), width=3), "", *drawing("trail", of=(hx, hy), role="muted")]
    return "\n".join(out) + "\n"


def drawing(shape, **fields):
    lines = ["[[drawing]]", f'shape = "{shape}"']
    for name, value in fields.items():
        if isinstance(value, tuple):
            value = "[" + ", ".join(f'"{v}"' for v in value) + "]"
        elif isinstance(value, str) and not value.startswith("["):
            value = f'"{value}"'
        lines.append(f"{name} = {value}")
    return lines


if __name__ == "__main__":
    if len(sys.argv) != 2 or not sys.argv[1].isdigit() or int(sys.argv[1]) < 1:
        sys.exit(__doc__)
    sys.stdout.write(model(int(sys.argv[1])))
