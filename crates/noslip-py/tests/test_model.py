"""Models, what is said of them, and numbers."""

import doctest
import importlib
import math
import pickle
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest

import noslip

MODULES = ["noslip", "noslip._model", "noslip._answers", "noslip._motion", "noslip._sympy"]


@pytest.mark.parametrize("name", MODULES)
def test_examples_in_docstrings_run(name):
    failures, tried = doctest.testmod(importlib.import_module(name))
    assert failures == 0 and tried > 0


def test_a_model_is_its_text(disk, tmp_path):
    assert disk.coordinates == ["phi", "theta", "psi", "x", "y"]
    assert disk.parameters == {"m": 1.4, "r": 0.6, "g": 9.81, "mu": 0.8}
    other = disk.with_parameters(r=0.3, m=2).with_initial(theta=1.1, **{"theta'": 0.25})
    assert other.parameters["r"] == 0.3 and other.initial["theta"] == 1.1 and other.initial["theta'"] == 0.25
    assert disk.parameters["r"] == 0.6, "the first one stays as it is"
    assert "# centre of the disk" in other.text, "comments are kept"
    assert pickle.loads(pickle.dumps(other)) == other
    path = tmp_path / "disk.toml"
    path.write_text(other.text)
    assert noslip.load(path) == other


def test_errors_say_where_and_what_to_do(disk):
    text = disk.text.replace("theta'^2", "thta'^2")
    with pytest.raises(noslip.ModelError) as refused:
        noslip.Model(text)
    problem = refused.value.problems[0]
    line = text.splitlines()[problem.line - 1]
    assert "thta" in problem.message and line[problem.column - 1 :].startswith("thta'")
    with pytest.raises(noslip.ModelError, match="unknown parameter"):
        disk.with_parameters(radius=1)
    with pytest.raises(noslip.ModelError, match="not a coordinate"):
        disk.with_initial(z=1)
    with pytest.raises(noslip.ModelError, match="did you mean") as refused:
        disk.derive("lagrange-multiplier")
    assert refused.value.problems[0].hint
    with pytest.raises(noslip.ModelError) as refused:
        disk.verify("thta'' = 0")
    problem = refused.value.problems[0]
    assert "thta" in problem.message and (problem.line, problem.column) == (1, 1)
    with pytest.raises(noslip.ModelError, match="there is no gallery model"):
        noslip.gallery("disk of rolling")
    particle = noslip.gallery("appell-hamel")
    refused = next(form for form, says in particle.check()["forms"].items() if says != "applies")
    with pytest.raises(noslip.DoesNotApply, match="does not apply"):
        particle.derive(refused)


def test_what_is_of_the_wrong_kind_is_told_by_its_name(disk):
    with pytest.raises(noslip.ModelError, match="one form at a time"):
        disk.derive("all")
    for name, value in {"samples": -1, "max_steps": -3, "until": math.nan}.items():
        with pytest.raises(noslip.ModelError, match=f"{name}={value}"):
            disk.simulate(**{"until": 1, name: value})
    with pytest.raises(TypeError, match="integer"):
        disk.simulate(until=1, samples=3.5)
    motion = disk.simulate(until=1, samples=np.int64(3))
    for wrong in (0, slice(2), None):
        with pytest.raises(TypeError, match="a column has a name"):
            motion[wrong]
    with pytest.raises(TypeError, match="real numbers"):
        disk.evaluate(0, motion.q * 1j, motion.v)


def test_check_and_equations(disk):
    check = disk.check()
    assert check.degrees_of_freedom == 3 and check.growth_vector == [3, 4, 5] and check.chaplygin["is"] is True
    assert any("nonholonomic" in s for s in check.sentences)
    equations = disk.derive("maggi")
    assert len(equations) == 3 and equations.agreement == "proved" and set(equations.reactions) == {"u4", "u5"}
    assert equations[0].latex.startswith("\\frac") and "<math" in equations._repr_html_()
    assert equations._repr_latex_().startswith("$\\displaystyle \\begin{aligned}")
    assert "does not hold" in disk.verify("theta'' = 0")._repr_html_()


def test_verdicts(disk):
    right = disk.verify("r*psi'*cos(phi) + x' = 0")
    assert right and right.how == "proved"
    wrong = disk.verify("3/2*u3' + u1*u2 = 0")
    assert not wrong and wrong.diagnosis and abs(wrong.counterexample.residual) > 0
    both = disk.verify("x' + r*psi'*cos(phi) = 0", "theta'' = 0")
    assert [bool(v) for v in both] == [True, False] and not both
    latex = disk.verify(r"\ddot\varphi\sin\vartheta = 2\dot\vartheta\dot\psi", language="latex", names={r"\vartheta": "theta"})
    assert latex and latex.read_as == "phi''*sin(theta) = 2*theta'*psi'"
    with pytest.raises(noslip.ModelError, match="not clear how far"):
        disk.verify(r"\sin\theta t = 0", language="latex")
    with pytest.raises(TypeError):
        disk.verify(3)


def test_numbers_agree_with_each_other(disk):
    rng = np.random.default_rng(1)
    q, v = rng.normal(size=(2, 3, 5)) + 0.7, rng.normal(size=(2, 3, 5))
    lagrange, multipliers = disk.evaluate(0.0, q, v)
    assert lagrange.shape == (2, 3, 5) and multipliers.shape == (2, 3, 2)
    for form in ["maggi", "udwadia-kalaba"]:
        a, _ = disk.evaluate(np.zeros((2, 3)), q, v, form=form)
        np.testing.assert_allclose(a, lagrange, rtol=1e-9, atol=1e-9)
    f = disk.rhs()
    y = np.concatenate([q[0, 0], v[0, 0]])
    np.testing.assert_allclose(f(0.0, y), np.concatenate([v[0, 0], lagrange[0, 0]]), rtol=1e-9, atol=1e-9)
    jacobian = f.jacobian(0.0, y)
    for i in range(10):
        h = np.zeros(10)
        h[i] = 1e-5
        np.testing.assert_allclose(jacobian[:, i], (f(0.0, y + h) - f(0.0, y - h)) / 2e-5, rtol=1e-4, atol=1e-4)


def test_simulate_agrees_with_scipy(disk):
    solve_ivp = pytest.importorskip("scipy.integrate").solve_ivp
    motion = disk.simulate(until=2, samples=21, tolerance=1e-11)
    assert motion.outcome == "finished" and motion.drift["energy"] < 1e-9
    f = disk.rhs()
    run = solve_ivp(f, (0, 2), disk.y0, method="DOP853", t_eval=motion.t, rtol=1e-12, atol=1e-12)
    np.testing.assert_allclose(run.y.T[:, :5], motion.q, atol=1e-8)
    np.testing.assert_allclose(run.y.T[:, 5:], motion.v, atol=1e-8)
    stiff = solve_ivp(f, (0, 0.5), disk.y0, method="Radau", jac=f.jacobian, rtol=1e-9, atol=1e-9)
    assert stiff.success


def test_columns_of_a_motion(disk):
    motion = disk.simulate(until=1, samples=11)
    with pytest.raises(TypeError, match="not iterable"):
        list(motion)
    np.testing.assert_allclose(motion["u3"], motion["phi'"] * np.cos(motion["theta"]) + motion["psi'"], atol=1e-12)
    np.testing.assert_allclose(motion["r*psi'*cos(phi)"], -motion["x'"], atol=1e-9)
    assert motion["lambda_u4"].shape == motion["theta''"].shape == (11,)
    energy = motion["energy"]
    assert abs(energy - energy[0]).max() < 1e-8 * abs(energy[0])
    assert motion["theta"].base is not None, "a column is a view, not a copy"
    with pytest.raises(noslip.ModelError):
        motion["no such thing"]
    stopped = disk.simulate(until=9, stop="theta = 1")
    assert stopped.outcome == "event" and stopped.t[-1] < 9


def test_tables_are_arrow(disk):
    pa = pytest.importorskip("pyarrow")
    motion = disk.simulate(until=1, samples=101)
    table = pa.table(motion.table())
    assert table.column_names[:2] == ["t", "phi"] and table.num_rows == 101
    np.testing.assert_array_equal(table["theta"].to_numpy(), motion["theta"])
    del motion
    assert table["t"].to_pylist()[-1] == 1.0, "the columns outlive the motion"
    few = pa.table(noslip.gallery("dumbbell").sweep({"l": [0.5, 1.0]}, until=1))
    assert few["outcome"].to_pylist() == ["finished", "finished"]
    # Taken twice, and not taken at all.
    one = disk.simulate(until=0.1, samples=3).table(["theta"])
    assert pa.table(one) == pa.table(one)
    one.__arrow_c_stream__()


def test_a_sweep_is_many_simulations(sledge):
    values = np.linspace(0.2, 2.0, 7)
    table = sledge.sweep({"phi'": values}, until=2.0, columns=["x", "phi", "x'"], threads=2)
    assert list(table["outcome"]) == ["finished"] * 7 and len(table) == 7
    for i in (0, 3, 6):
        motion = sledge.with_initial({"phi'": values[i]}).simulate(until=2.0, samples=2)
        np.testing.assert_allclose([table["x"][i], table["phi"][i]], [motion["x"][-1], motion["phi"][-1]], atol=1e-6)
    parameter = next(iter(sledge.parameters))
    value = sledge.parameters[parameter]
    product = sledge.sweep({parameter: [value, 1.5 * value], "phi'": [0.5, 1.0]}, until=1.0, grid=True)
    assert len(product) == 4
    alone = sledge.sweep({"phi'": values}, until=2.0, columns=["x"], threads=1)
    np.testing.assert_array_equal(alone["x"], table["x"])
    several = sledge.sweep({"phi'": values}, at=[2.0, 1.0], columns=["x", "energy"])
    assert list(several["t"][:3]) == [1.0, 2.0, 1.0]
    np.testing.assert_allclose(several["x"][1::2], table["x"], atol=1e-7)
    with pytest.raises(noslip.ModelError, match="one way"):
        sledge.sweep({"phi'": values}, at=[-1.0, 1.0])
    # A column is memory of the table, for reading.
    assert several["x"].base is several and not several["x"].flags.writeable
    with pytest.raises(noslip.ModelError, match="neither a parameter nor an initial value"):
        sledge.sweep({"nothing": [1.0]}, until=1)


def test_a_sweep_gives_the_rows_of_the_program(disk, tmp_path):
    parquet = pytest.importorskip("pyarrow.parquet")
    (tmp_path / "disk.toml").write_text(disk.text)
    options = ["--vary", "theta=0.9:1.4:5", "--vary", "r=0.3:0.6:3", "--until", "1", "--columns", "theta,lambda_u4,energy"]
    run = subprocess.run([sys.executable, "-m", "noslip", "sweep", "disk.toml", *options, "-o", "out"], cwd=tmp_path, capture_output=True, text=True)
    assert run.returncode == 0, run.stderr
    program = parquet.read_table(tmp_path / "out" / "part-00000.parquet")
    vary = {"theta": np.linspace(0.9, 1.4, 5), "r": np.linspace(0.3, 0.6, 3)}
    table = disk.sweep(vary, grid=True, until=1, columns=["theta", "lambda_u4", "energy"])
    assert program.column_names == table.column_names
    for name in program.column_names[:-1]:
        np.testing.assert_array_equal(program[name].to_numpy(), table[name], err_msg=name)


def test_analyses_of_motions(disk):
    assert disk.reduce().closed == ["theta", "u1", "u2", "u3"]
    family = disk.steady(given={"u3": 4}, vary={"theta": (1.0, 1.4, 5)})
    assert len(family.motions) == 5 and "<svg" in family._repr_html_()
    sledge = noslip.gallery("chaplygin-sledge")
    assert sledge.measure().exists in (True, False)
    assert any(i["kind"] == "energy" for i in sledge.integrals(degree=2).integrals)
    assert sledge.expand().coordinates == sledge.coordinates


def test_every_gallery_model_loads():
    names = noslip.gallery()
    assert len(names) > 40
    for name in names:
        model = noslip.gallery(name)
        assert model.coordinates and pickle.loads(pickle.dumps(model)) == model


USER = """
import noslip
import numpy as np

m: noslip.Model = noslip.gallery("rolling-disk")
theta: np.ndarray = m.simulate(until=1.0, samples=11)["theta"]
verdict = m.verify("theta'' = 0")
rates = m.rhs()(0.0, m.y0)
table = m.sweep({"theta": [1.0, 1.1]}, until=1.0)
print(len(table), table["theta"] + rates[0], m.check().degrees_of_freedom, verdict.how, [e.latex for e in m.derive("maggi")])
try:
    noslip.Model("")
except noslip.ModelError as error:
    print([(p.message, p.line, p.hint) for p in error.problems])
"""


def test_types_are_known_to_a_checker_and_are_those_at_run_time(tmp_path):
    pytest.importorskip("mypy")
    from mypy import api, stubtest

    package = str(Path(noslip.__file__).parents[1])
    (tmp_path / "user.py").write_text(USER)
    (tmp_path / "wrong.py").write_text("import noslip\nnoslip.load('x').simulate(until='soon')\n")
    # As a user has it: of an installed package the checker reports nothing but the use of it.
    (tmp_path / "mypy.ini").write_text(f"[mypy]\nmypy_path = {package}\nfollow_imports = silent\nstrict = True\ncache_dir = {tmp_path}/cache\n")
    options = ["--config-file", str(tmp_path / "mypy.ini")]
    told, _, status = api.run([*options, str(tmp_path / "user.py")])
    assert status == 0, told
    told, _, status = api.run([*options, str(tmp_path / "wrong.py")])
    assert status == 1 and "until" in told
    assert stubtest.test_stubs(stubtest.parse_options(["noslip._noslip", "--concise", "--mypy-config-file", str(tmp_path / "mypy.ini")])) == 0


def test_a_page(disk, tmp_path):
    page = noslip.gallery("dumbbell").report(tmp_path / "page.html", until=1)
    assert page.lstrip().lower().startswith("<!doctype html>") and (tmp_path / "page.html").exists()
    shown = noslip.gallery("dumbbell").simulate(until=1)._repr_mimebundle_()
    assert "<iframe srcdoc=" in shown["text/html"] and "sandbox" in shown["text/html"]


def test_the_program_comes_with_the_package():
    run = subprocess.run([sys.executable, "-m", "noslip", "check", "dumbbell", "--format", "json"], capture_output=True, text=True)
    assert run.returncode == 0 and '"degrees_of_freedom": 2' in run.stdout
    run = subprocess.run([sys.executable, "-m", "noslip", "check", "nothing"], capture_output=True, text=True)
    assert run.returncode == 2 and "neither a file nor a gallery model" in run.stderr


@pytest.mark.skipif(not hasattr(__import__("signal"), "SIGINT") or sys.platform == "win32", reason="POSIX signals")
@pytest.mark.parametrize(
    "work",
    [
        "simulate(until=1e7, samples=3, max_steps=10**12, tolerance=1e-12)",
        # One block of motions takes minutes.
        "sweep({'theta': [0.5 + 0.001 * i for i in range(200)]}, until=1e6, max_steps=10**12)",
    ],
)
def test_ctrl_c_stops_a_long_run(work):
    code = (
        "import noslip, signal, threading, os, time\n"
        # What is started in the background does not listen to Ctrl-C by itself.
        "signal.signal(signal.SIGINT, signal.default_int_handler)\n"
        "threading.Timer(1.0, lambda: os.kill(os.getpid(), signal.SIGINT)).start()\n"
        "begun = time.monotonic()\n"
        "try:\n"
        f"    noslip.gallery('rolling-disk').{work}\n"
        "except KeyboardInterrupt:\n"
        "    print('stopped', time.monotonic() - begun < 20)\n"
    )
    run = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, timeout=60)
    assert run.stdout.strip() == "stopped True", run.stderr


def test_threads_run_beside_each_other(disk):
    from concurrent.futures import ThreadPoolExecutor

    models = [disk.with_initial(theta=1 + 0.05 * i) for i in range(4)]
    with ThreadPoolExecutor(4) as pool:
        ends = list(pool.map(lambda m: m.simulate(until=1, samples=2)["theta"][-1], models))
    assert ends == [m.simulate(until=1, samples=2)["theta"][-1] for m in models]


def test_an_answer_in_text_is_an_exception_with_that_text(disk):
    with pytest.raises(ValueError, match="gives no JSON document but this text:\n(.|\n)*Usage: noslip canonical"):
        disk.ask("canonical", "--help")
