"""What is exported, run by the tools it is for."""

import importlib.util
import re
import subprocess
import sys

import numpy as np
import pytest

import noslip


def export(model, path, *arguments):
    noslip._answers.ask(["export", model, "-o", str(path), *arguments], "")
    return path


@pytest.mark.parametrize("name", ["rolling-disk", "chaplygin-sledge", "fluid-flywheel-measured"])
def test_python_code_tests_itself_and_agrees(name, tmp_path):
    path = export(name, tmp_path / "model.py")
    assert subprocess.run([sys.executable, str(path)], capture_output=True).returncode == 0
    spec = importlib.util.spec_from_file_location("exported", path)
    exported = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(exported)
    model = noslip.gallery(name)
    motion = model.simulate(until=exported.T0 + 1, samples=7)
    a, multipliers, growth = exported.motion(motion.t, motion.q.T, motion.v.T)
    np.testing.assert_allclose(a.T, motion.a, rtol=1e-8, atol=1e-8)
    assert growth.shape == (7,)
    parameter, value = next(iter(exported.PARAMETERS.items()))
    other = model.with_parameters({parameter: 1.25 * value})
    expected, _ = other.evaluate(0.0, motion.q[0], motion.v[0])
    np.testing.assert_allclose(exported.motion(0.0, motion.q[0], motion.v[0], **{parameter: 1.25 * value})[0], expected, rtol=1e-9, atol=1e-9)
    np.testing.assert_allclose(exported.rhs(exported.T0, exported.Y0), model.rhs()(exported.T0, model.y0), rtol=1e-9, atol=1e-9)
    with pytest.raises(TypeError):
        exported.motion(0.0, motion.q[0], motion.v[0], nothing=1)


def test_modelica_code_says_the_same(tmp_path):
    text = export("rolling-disk", tmp_path / "disk.mo").read_text()
    model = noslip.gallery("rolling-disk")
    names = {"sin": np.sin, "cos": np.cos, "tan": np.tan, "sqrt": np.sqrt, "exp": np.exp, "log": np.log, "abs": abs, "max": max, "time": 0.0}
    names.update({n: float(v) for n, v in re.findall(r"parameter Real (\w+) = ([^;]+);", text)})
    names.update({n: float(v) for n, v in re.findall(r"Real (\w+)\(start = ([^,]+),", text)})
    rates = {}
    for line in text.split("equation\n")[1].splitlines()[:-1]:
        left, right = line.strip().removesuffix(";").split(" = ")
        value = eval(right.replace("^", "**"), {"__builtins__": {}}, names)
        der = re.fullmatch(r"der\((\w+)\)", left)
        if der:
            rates[der.group(1)] = value
        else:
            names[left] = value
    found = [rates[q] for q in model.coordinates] + [rates[f"{q}_v"] for q in model.coordinates]
    np.testing.assert_allclose(found, model.rhs()(0.0, model.y0), rtol=1e-9, atol=1e-9)


@pytest.mark.parametrize("version", ["2", "3"])
@pytest.mark.parametrize("name", ["rolling-disk", "chaplygin-sledge"])
def test_fmpy_runs_an_fmu_as_noslip_does(name, version, tmp_path):
    fmpy = pytest.importorskip("fmpy")
    from fmpy.validation import validate_fmu

    path = export(name, tmp_path / "model.fmu", "--fmi", version)
    assert validate_fmu(str(path)) == []
    if not any(f.startswith("binaries/") for f in __import__("zipfile").ZipFile(path).namelist()):
        pytest.skip("no C compiler is at hand")
    model = noslip.gallery(name)
    parameter, value = next(iter(model.parameters.items()))
    other = model.with_parameters({parameter: 1.1 * value})
    until = 2.0
    reference = other.simulate(until=until, samples=11, tolerance=1e-13)
    run = fmpy.simulate_fmu(
        str(path), start_time=0, stop_time=until, solver="CVode", relative_tolerance=1e-12, output_interval=until / 10,
        start_values={parameter: 1.1 * value}, output=model.coordinates,
    )
    for coordinate in model.coordinates:
        np.testing.assert_allclose(run[coordinate][-1], reference[coordinate][-1], atol=1e-8)
