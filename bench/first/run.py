"""From the start of the process to the first printed equation, and to the end: the table in RESULTS.md.

    python3 bench/first/run.py            (builds the program first)
"""
import os, subprocess, sys, tempfile, time

ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
NOSLIP = os.path.join(ROOT, "target", "release", "noslip")
ROUNDS = 20


def once(arguments):
    """Seconds to the first equation and to the end."""
    start = time.perf_counter()
    process = subprocess.Popen([NOSLIP, *arguments], stdout=subprocess.PIPE, cwd=ROOT)
    text, first = b"", None
    while chunk := os.read(process.stdout.fileno(), 1 << 16):
        text += chunk
        if first is None and b" = 0\n" in text:
            first = time.perf_counter() - start
    if process.wait() != 0 or first is None:
        sys.exit(f"noslip {' '.join(arguments)}: no equation")
    return first, time.perf_counter() - start


def main():
    subprocess.check_call(["cargo", "build", "--release", "--quiet"], cwd=ROOT)
    with tempfile.TemporaryDirectory() as folder:
        trailers = os.path.join(folder, "trailers.toml")
        with open(trailers, "w") as file:
            subprocess.check_call([sys.executable, os.path.join(ROOT, "models/make/trailers.py"), "8"], stdout=file)
        print("| model | forms | first equation, ms | all, ms |\n|---|---|---|---|")
        for name, model, forms in [
            ("`chaplygin-sledge`", "chaplygin-sledge", []),
            ("`chaplygin-sledge`", "chaplygin-sledge", ["all"]),
            ("`rolling-disk`", "rolling-disk", []),
            ("`rolling-disk`", "rolling-disk", ["maggi"]),
            ("`rolling-disk`", "rolling-disk", ["all"]),
            ("`ellipsoid-on-plane`", "ellipsoid-on-plane", []),
            ("`ellipsoid-on-plane`", "ellipsoid-on-plane", ["all"]),
            ("8 trailers (`models/make/trailers.py 8`)", trailers, ["maggi"]),
            ("8 trailers", trailers, ["lagrange-multipliers"]),
            ("`models/large/whipple-bicycle.toml`", "models/large/whipple-bicycle.toml", ["maggi"]),
        ]:
            arguments = ["derive", model] + [word for form in forms for word in ("--form", form)]
            times = [once(arguments)]
            while len(times) < ROUNDS and sum(t for _, t in times) < 5:
                times.append(once(arguments))
            first, whole = (1e3 * min(column) for column in zip(*times))
            print(f"| {name} | {', '.join(forms) or 'default'} | {first:.1f} | {whole:.0f} |")


main()
