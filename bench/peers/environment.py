"""A virtual environment for the benchmarks, beside this file."""
import os, subprocess, sys, venv

VENV = os.path.join(os.path.dirname(os.path.abspath(__file__)), ".venv")


def enter(packages):
    """Goes on in the environment, with these packages; made and filled where it is not there yet."""
    python = os.path.join(VENV, "bin", "python")
    if os.path.realpath(sys.prefix) == os.path.realpath(VENV):
        return
    if not os.path.exists(python):
        venv.create(VENV, with_pip=True)
    subprocess.check_call([python, "-m", "pip", "install", "-q", "--disable-pip-version-check", *packages])
    os.execv(python, [python, *sys.argv])
