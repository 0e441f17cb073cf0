"""Models."""

from __future__ import annotations

import itertools
import math
import operator
import os
import tempfile
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import numpy as np

from ._answers import Check, Document, Equations, Steady, Verdict, Verdicts, ask, ask_json, verdicts
from ._motion import Motion
from ._noslip import Core, ModelError, Rhs, Table, edit, gallery_names, gallery_text


class Model:
    """A mechanical system, from the text of its model file.

    >>> m = Model('''
    ... noslip = 1
    ... [system]
    ... name = "A skate"
    ... coordinates = ["x", "y", "phi"]
    ... [parameters]
    ... m = 2
    ... J = 0.5
    ... [energy]
    ... kinetic = "m/2*(x'^2 + y'^2) + J/2*phi'^2"
    ... [constraints]
    ... blade = "x'*sin(phi) - y'*cos(phi) = 0"
    ... [initial]
    ... position = { x = 0, y = 0, phi = 0 }
    ... velocity = { x = 1, phi = 1 }
    ... ''')
    >>> m
    <noslip.Model 'A skate': 3 coordinates, 1 constraint>
    >>> m.check().growth_vector
    [2, 3]
    >>> m.with_parameters(m=3).parameters
    {'m': 3.0, 'J': 0.5}
    """

    def __init__(self, text: str, name: str = "model.toml") -> None:
        self._text, self._name = text, name
        self._core = Core(text, name)
        self._title, self._coordinates, self._constraints, self._quasi_velocities = self._core.names()

    # What it is

    @property
    def text(self) -> str:
        """The text of the model file."""
        return self._text

    @property
    def title(self) -> str:
        return self._title

    @property
    def coordinates(self) -> list[str]:
        return list(self._coordinates)

    @property
    def constraints(self) -> list[str]:
        return list(self._constraints)

    @property
    def quasi_velocities(self) -> list[str]:
        return list(self._quasi_velocities)

    @property
    def parameters(self) -> dict[str, float]:
        return dict(self._core.parameters())

    @property
    def initial(self) -> dict[str, float]:
        """The initial state, what the model leaves open completed from the constraints."""
        t, q, v = self._core.initial()
        names = self._coordinates
        return {"t": t, **dict(zip(names, q)), **{f"{n}'": x for n, x in zip(names, v)}}

    @property
    def warnings(self) -> list[str]:
        return self._core.warnings()

    def with_parameters(self, values: Mapping[str, float] | None = None, /, **named: float) -> Model:
        """The model with other values of parameters."""
        return Model(edit(self._text, {**(values or {}), **named}, {}), self._name)

    def with_initial(self, values: Mapping[str, float] | None = None, /, **named: float) -> Model:
        """The model with other initial values: ``m.with_initial(theta=1.2, **{"theta'": 0.3})``."""
        values = {**(values or {}), **named}
        for name in values:
            if name != "t" and name.removesuffix("'") not in self._coordinates:
                raise ModelError(f"`{name}` is not a coordinate or velocity of this model")
        return Model(edit(self._text, {}, values), self._name)

    def __reduce__(self):
        return (Model, (self._text, self._name))

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Model) and other._text == self._text

    def __hash__(self) -> int:
        return hash(self._text)

    def __repr__(self) -> str:
        def count(n: int, what: str) -> str:
            return f"{n} {what}{'' if n == 1 else 's'}"

        n, k = len(self._coordinates), len(self._constraints)
        return f"<noslip.Model {self._title!r}: {count(n, 'coordinate')}, {count(k, 'constraint')}>"

    def _repr_html_(self) -> str:
        return self.check()._repr_html_()

    # What the program says of it

    def _names(self) -> dict[str, str]:
        return dict(self._core.vocabulary())

    def check(self) -> Check:
        """What the constraints mean."""
        return Check(ask_json(["check", "-"], self._text), ask(["check", "-"], self._text)[1])

    def derive(self, form: str = "lagrange-multipliers") -> Equations:
        """The equations of motion in a form; ``noslip.forms()`` lists them."""
        if form == "all":
            raise ModelError("one form at a time: `[m.derive(form) for form, says in m.check().forms.items() if says == \"applies\"]`")
        return Equations(ask_json(["derive", "-", "--form", form], self._text), self._names())

    def verify(self, *equations: Any, language: str | None = None, names: Mapping[str, str] | None = None) -> Any:
        """Does an equation follow from the model?

        Equations are texts in the model's syntax, in LaTeX (``language="latex"``) or Python (``language="sympy"``), or SymPy
        expressions. ``names`` says which letter is which name of the model. One equation gives a :class:`Verdict`, several give a
        list of them, true if all hold.

        >>> import noslip
        >>> m = noslip.gallery("rolling-disk")
        >>> verdict = m.verify(r"\\frac{3}{2}\\dot u_3 - 2 u_1 u_2 = 0", language="latex")
        >>> bool(verdict), verdict.corrected
        (False, '\\\\frac{3}{2}\\\\dot u_3 - u_1\\\\,u_2 = 0')
        """
        from ._sympy import from_expression, is_sympy

        texts, languages = [], []
        for equation in equations:
            if isinstance(equation, str):
                texts.append(equation)
                languages.append(language or "noslip")
            elif is_sympy(equation):
                texts.extend(from_expression(equation))
                languages.extend(["sympy"] * (len(texts) - len(languages)))
            else:
                raise TypeError(f"an equation is a text or a SymPy expression, not {type(equation).__name__}")
        found = Verdicts()
        for text, of in zip(texts, languages):
            command = ["--language", of, "--equation", text]
            for letter, name in (names or {}).items():
                command += ["--name", f"{letter}={name}"] if of != "noslip" else []
            found.extend(Verdict(c) for c in verdicts(command, self._text))
        if len(found) == 0:
            raise ValueError("nothing to verify")
        return found[0] if len(found) == 1 and len(equations) == 1 else found

    def verify_paper(self, path: str | os.PathLike[str]) -> Verdicts:
        """The verdicts on the displayed equations of a LaTeX file; ``None`` in ``holds`` means not read or undecided."""
        return Verdicts(Verdict(c) for c in verdicts(["--claims", os.fspath(path)], self._text))

    def report(self, path: str | os.PathLike[str] | None = None, until: float | None = None) -> str:
        """The page about the model, as HTML; written to ``path`` too, if one is given."""
        with tempfile.TemporaryDirectory() as folder:
            out = Path(path) if path is not None else Path(folder) / "report.html"
            command = ["report", "-", "-o", str(out)]
            ask([*command, "--until", repr(until)] if until is not None else command, self._text)
            return out.read_text(encoding="utf-8")

    def ask(self, command: str, *arguments: str) -> Document:
        """The JSON document of any command of the program: ``m.ask("hamiltonise")``, ``m.ask("canonical")``."""
        return Document(ask_json([command, "-", *arguments], self._text))

    def expand(self) -> Model:
        """The plain model of one written with frames, bodies and contacts; a plain model comes out as it is."""
        return Model(ask(["expand", "-"], self._text)[1], self._name)

    def reduce(self) -> Document:
        """Which variables close on themselves, and which follow by integration.

        >>> import noslip
        >>> noslip.gallery("dumbbell").reduce().how
        'proved'
        """
        return self.ask("reduce")

    def linearise(self, *, symbolic: bool = False, frozen: bool = False) -> Document:
        """The closed part linearised about the steady motion that the initial state is."""
        return self.ask("linearise", *["--symbolic"] * symbolic, *["--frozen"] * frozen)

    def steady(self, given: Mapping[str, float] | None = None, vary: Mapping[str, tuple[float, float, int]] | None = None) -> Steady:
        """Motions in which everything in the closed part is constant, with their stability.

        ``given`` fixes members of the closed part; ``vary={"theta": (0.2, 1.4, 50)}`` follows the family along one of them, or along a
        parameter. In a notebook the family shows itself as a diagram of stability.
        """
        command = ["steady", "-"]
        for name, value in (given or {}).items():
            command += ["--given", f"{name}={float(value)!r}"]
        for name, (first, last, count) in (vary or {}).items():
            command += ["--vary", f"{name}={float(first)!r}:{float(last)!r}:{int(count)}"]
        return Steady(ask_json(command, self._text), command, self._text)

    def measure(self) -> Document:
        """An invariant measure with a density in the coordinates, or why there is none."""
        return self.ask("measure")

    def integrals(self, degree: int | None = None) -> Document:
        """Integrals that are polynomials in the velocities."""
        return self.ask("integrals", *(["--degree", str(degree)] if degree is not None else []))

    # Numbers

    def evaluate(self, t, q, v, form: str = "lagrange-multipliers") -> tuple[np.ndarray, np.ndarray]:
        """Accelerations and multipliers at states, through a form: arrays of shape (…, n) in, (…, n) and (…, k) out.

        >>> import noslip
        >>> m = noslip.gallery("dumbbell")
        >>> a, multipliers = m.evaluate(0, [0, 0, 0], [1, 0, 0.5])
        >>> a.shape, multipliers.shape
        ((3,), (1,))
        """
        if any(np.iscomplexobj(x) for x in (t, q, v)):
            raise TypeError("states are real numbers, not complex ones")
        q, v = np.asarray(q, dtype=float), np.asarray(v, dtype=float)
        n, k = len(self._coordinates), len(self._constraints)
        if q.shape[-1:] != (n,) or v.shape[-1:] != (n,):
            raise ValueError(f"states have {n} coordinates: the last axis of q and v must be {n} long")
        shape = np.broadcast_shapes(q.shape[:-1], v.shape[:-1], np.shape(t))
        flat = lambda x: np.ascontiguousarray(np.broadcast_to(x, (*shape, n)).reshape(-1, n))
        times = np.ascontiguousarray(np.broadcast_to(np.asarray(t, dtype=float), shape).reshape(-1))
        a, multipliers = self._core.evaluate(times, flat(q), flat(v), form)
        return a.reshape(*shape, n), multipliers.reshape(*shape, k)

    def simulate(
        self,
        until: float | None = None,
        samples: int | None = None,
        method: str | None = None,
        tolerance: float | None = None,
        at: Sequence[float] | None = None,
        stop: str | Sequence[str] | None = None,
        step: float | None = None,
        max_steps: int | None = None,
    ) -> Motion:
        """The motion from the initial state. Ctrl-C stops it."""
        if until is not None and not math.isfinite(until):
            raise ModelError(f"until={until}: the end of a motion is a finite number")
        samples, max_steps = (None if x is None else operator.index(x) for x in (samples, max_steps))
        for name, count in {"samples": samples, "max_steps": max_steps}.items():
            if count is not None and count < 0:
                raise ModelError(f"{name}={count}: a number of them is not negative")
        wish = {
            "until": until,
            "samples": samples,
            "at": None if at is None else [float(t) for t in at],
            "method": method,
            "tolerance": tolerance,
            "step": step,
            "stop": [stop] if isinstance(stop, str) else list(stop or []),
            "max_steps": max_steps,
        }
        return Motion(self, self._core.simulate(wish))

    def rhs(self) -> Rhs:
        """The equations of motion as ``f(t, y)`` with ``f.jacobian(t, y)``, y the coordinates and then the velocities.

        >>> import noslip
        >>> m = noslip.gallery("dumbbell")
        >>> f = m.rhs()
        >>> f(0.0, m.y0).shape, f.jacobian(0.0, m.y0).shape
        ((6,), (6, 6))
        """
        return self._core.rhs()

    @property
    def y0(self) -> np.ndarray:
        """The initial coordinates and velocities, for :meth:`rhs`."""
        _, q, v = self._core.initial()
        return np.array([*q, *v])

    def sweep(
        self,
        vary: Mapping[str, Sequence[float]],
        until: float | None = None,
        columns: Sequence[str] | None = None,
        grid: bool = False,
        at: Sequence[float] | None = None,
        tolerance: float | None = None,
        threads: int | None = None,
        max_steps: int | None = None,
    ) -> Table:
        """Many motions: one for each row of the varied values, or for each point of their grid.

        Names are those of parameters and of initial values (``theta``, ``theta'``). A row of the table is the end of a motion, or each of
        the times ``at``. They are the rows of ``noslip sweep``, to the last bit, and ``threads`` does not change them.

        >>> import noslip
        >>> m = noslip.gallery("dumbbell")
        >>> table = m.sweep({"l": [0.5, 1, 2], "phi'": [1, 1, 2]}, until=1, columns=["x", "phi"])
        >>> len(table), table.column_names
        (3, ['l', "phi'", 't', 'x', 'phi', 'outcome'])
        """
        names = list(vary)
        lists = [np.asarray(vary[n], dtype=float).ravel() for n in names]
        if grid:
            rows = np.array(list(itertools.product(*lists)), dtype=float)
        else:
            rows = np.stack(np.broadcast_arrays(*lists), axis=1) if lists else np.empty((0, 0))
        start = self._core.start()
        until = until if until is not None else self._core.until()
        times = sorted({float(t) for t in at}) if at is not None else [] if until is None else [float(until)]
        if not times or not all(math.isfinite(t) for t in times):
            raise ModelError("no end time: give until=T, or `until` under [simulation] in the model")
        if min(times) < start < max(times) or (at is not None and until is not None and max(abs(t - start) for t in times) > abs(until - start)):
            raise ModelError(f"the times `at` do not lie on one way from t = {start} to {until}")
        if max(times) < start:
            times.reverse()
        wish = {
            "at": times,
            "columns": None if columns is None else list(columns),
            "tolerance": tolerance,
            "threads": threads,
            "max_steps": max_steps,
        }
        return self._core.sweep(names, np.ascontiguousarray(rows, dtype=float), wish)


def load(path: str | os.PathLike[str]) -> Model:
    """The model of a file."""
    path = Path(path)
    return Model(path.read_text(encoding="utf-8"), str(path))


def gallery(name: str | None = None) -> Any:
    """A model of the built-in gallery, or all their names.

    >>> import noslip
    >>> "chaplygin-sledge" in noslip.gallery()
    True
    """
    if name is None:
        return gallery_names()
    text = gallery_text(name)
    if text is None:
        raise ModelError(f"there is no gallery model `{name}`: noslip.gallery() lists them")
    return Model(text, f"{name}.toml")


def forms() -> dict[str, str]:
    """The forms of the equations of motion: id and name.

    >>> import noslip
    >>> noslip.forms()["boltzmann-hamel"]
    'The Boltzmann–Hamel equations'
    """
    return {f["id"]: f["name"] for f in ask_json(["forms"], "")["forms"]}
