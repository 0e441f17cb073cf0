"""What the program answers, as objects that show themselves in a notebook."""

from __future__ import annotations

import html
import json
import tempfile
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

from ._noslip import answer


def ask(arguments: Sequence[str], text: str) -> tuple[int, str]:
    """Runs a command on the text of a model: the exit status and what was printed, or an exception."""
    status, output, _ = answer(list(arguments), text)
    return status, output


def ask_json(arguments: Sequence[str], text: str) -> dict[str, Any]:
    """The JSON document of a command."""
    output = ask([*arguments, "--format", "json"], text)[1]
    try:
        return json.loads(output)
    except json.JSONDecodeError:
        # Help is text, whatever is asked for.
        raise ValueError(f"`noslip {' '.join(arguments)}` gives no JSON document but this text:\n{output}") from None


def verdicts(arguments: Sequence[str], text: str) -> list[dict[str, Any]]:
    """The claims of ``noslip verify``, whose answer is whole also where it is not yes."""
    return ask_json(["verify", "-", *arguments], text)["claims"]


class Document(Mapping[str, Any]):
    """A JSON document of the program whose entries are attributes too, but for one named as a method: ``d["values"]``.

    >>> d = Document({"exists": True, "density": "cos(phi)"})
    >>> d.exists, d["density"]
    (True, 'cos(phi)')
    """

    def __init__(self, entries: Mapping[str, Any]) -> None:
        self._entries = dict(entries)

    def __getattr__(self, name: str) -> Any:
        if name.startswith("_"):
            raise AttributeError(name)
        try:
            return _wrap(self._entries[name])
        except KeyError:
            known = ", ".join(self._entries)
            raise AttributeError(f"{type(self).__name__} has no `{name}`; there are {known}") from None

    def __getitem__(self, name: str) -> Any:
        return _wrap(self._entries[name])

    def __iter__(self) -> Iterator[str]:
        return iter(self._entries)

    def __len__(self) -> int:
        return len(self._entries)

    def __dir__(self) -> list[str]:
        return [*super().__dir__(), *self._entries]

    def __repr__(self) -> str:
        return f"<noslip.{type(self).__name__} {json.dumps(self._entries)[:200]}>"

    def _repr_html_(self) -> str:
        def cell(value: Any) -> str:
            text = value if isinstance(value, str) else json.dumps(value)
            return f"<code>{html.escape(text)}</code>"

        rows = (f"<tr><th style='text-align:left'>{html.escape(k)}</th><td>{cell(v)}</td></tr>" for k, v in self._entries.items())
        return f"<table>{''.join(rows)}</table>"


def _wrap(value: Any) -> Any:
    if isinstance(value, dict):
        return Document(value)
    if isinstance(value, list):
        return [_wrap(v) for v in value]
    return value


class Check(Document):
    """What the constraints of a model mean: the entries of ``noslip check --format json``, and ``sentences``."""

    def __init__(self, entries: Mapping[str, Any], sentences: str) -> None:
        super().__init__(entries)
        self._sentences = sentences

    @property
    def sentences(self) -> list[str]:
        """The same in words."""
        return [line[2:].strip() for line in self._sentences.splitlines() if line.startswith("- ")]

    def __str__(self) -> str:
        return self._sentences

    def __repr__(self) -> str:
        return f"<noslip.Check {self['name']!r}: {self['degrees_of_freedom']} degrees of freedom>"

    def _repr_html_(self) -> str:
        items = "".join(f"<li>{html.escape(s)}</li>" for s in self.sentences)
        return f"<section class='noslip-check'><h4>{html.escape(self['name'])}</h4><ul>{items}</ul></section>"


class Steady(Document):
    """A family of steady motions: the entries of ``noslip steady --format json``; in a notebook, the diagram of their stability."""

    def __init__(self, entries: Mapping[str, Any], command: Sequence[str], text: str) -> None:
        super().__init__(entries)
        self._command, self._text = list(command), text

    def svg(self) -> str:
        """The diagram; it needs a family that is followed (``vary``)."""
        with tempfile.TemporaryDirectory() as folder:
            path = Path(folder) / "steady.svg"
            ask([*self._command, "--plot", str(path)], self._text)
            return path.read_text(encoding="utf-8")

    def _repr_html_(self) -> str:
        return self.svg() if "--vary" in self._command else super()._repr_html_()


class Equation:
    """An equation: ``text`` in the model's syntax, ``latex``, ``mathml``, ``sympy()``."""

    def __init__(self, entries: Mapping[str, Any], names: Mapping[str, str]) -> None:
        self.lhs: str = entries["lhs"]
        self.rhs: str = entries["rhs"]
        self.latex: str = entries.get("latex", "")
        self.mathml: str = entries.get("mathml", "")
        self.operations: int = entries.get("operations", 0)
        self._names = names

    @property
    def text(self) -> str:
        """Left side = right side, in the model's syntax."""
        return f"{self.lhs} = {self.rhs}"

    def sympy(self):
        """The equation as ``sympy.Eq``; what varies is a function of ``t``.

        >>> import noslip
        >>> noslip.gallery("dumbbell").derive("maggi")[0].sympy().rhs
        0
        """
        from ._sympy import to_sympy

        import sympy

        return sympy.Eq(to_sympy(self.lhs, self._names), to_sympy(self.rhs, self._names), evaluate=False)

    def __str__(self) -> str:
        return self.text

    def __repr__(self) -> str:
        return f"<noslip.Equation {self.text}>"

    def _repr_latex_(self) -> str:
        return f"$\\displaystyle {self.latex}$"

    def _repr_html_(self) -> str | None:
        return self.mathml or None


class Equations(Sequence[Equation]):
    """The equations of motion in one form."""

    def __init__(self, entries: Mapping[str, Any], names: Mapping[str, str]) -> None:
        self._entries = dict(entries)
        letters = {**names, **{v: "QuasiVelocity" for v in entries.get("variables", {})}}
        self._list = [Equation(e, letters) for e in entries["equations"]]
        #: The id of the form.
        self.form: str = entries["form"]
        #: Its name.
        self.name: str = entries["name"]
        #: How it is known to agree with Lagrange's equations: proved, tested, …
        self.agreement: str = entries["agreement"]
        #: The multipliers, by constraint, where the form knows them.
        self.reactions: dict[str, str] = dict(entries.get("reactions") or {})
        #: What the equations are built from.
        self.objects: list[Document] = [Document(o) for o in entries.get("objects", [])]
        #: Letters of the form and what they stand for.
        self.variables: dict[str, str] = dict(entries.get("variables") or {})
        #: Velocities by the letters of the form.
        self.kinematics: list[Equation] = [Equation(e, letters) for e in entries.get("kinematics", [])]
        #: Remarks.
        self.notes: list[str] = list(entries.get("notes", []))

    def __getitem__(self, i):
        return self._list[i]

    def __len__(self) -> int:
        return len(self._list)

    @property
    def latex(self) -> str:
        """All equations in one environment."""
        lines = " \\\\\n".join(f"  & {e.latex}" for e in self._list)
        return f"\\begin{{aligned}}\n{lines}\n\\end{{aligned}}"

    def sympy(self) -> list:
        """All equations as SymPy's."""
        return [e.sympy() for e in self._list]

    def __str__(self) -> str:
        return "\n".join(e.text for e in self._list)

    def __repr__(self) -> str:
        return f"<noslip.Equations {self.form}: {len(self)} equations, {self.agreement}>"

    def _repr_latex_(self) -> str:
        return f"$\\displaystyle {self.latex}$"

    def _repr_html_(self) -> str:
        body = "".join(f"<div style='margin:.8em 0'>{e.mathml}</div>" for e in self._list)
        title = html.escape(f"{self.name}; agreement with Lagrange's equations: {self.agreement}")
        return f"<section class='noslip-equations'><p>{title}</p>{body}</section>"


class Verdict:
    """The verdict on an equation; true if it follows from the model."""

    def __init__(self, entries: Mapping[str, Any]) -> None:
        self._entries = dict(entries)
        #: The equation as it was asked.
        self.id: str = entries["id"]
        #: Whether it holds; ``None`` where that could not be decided.
        self.holds: bool | None = entries["holds"]
        #: How that is known: proved, tested, numerical.
        how = entries.get("how")
        self.how: str | None = "proved" if how == "exact" else how
        #: A state at which it fails: ``t``, ``q``, ``v``, ``residual``.
        self.counterexample: Document | None = Document(c) if (c := entries.get("counterexample")) else None
        #: What explains that it fails.
        self.diagnosis: list[Document] = [Document(d) for d in entries.get("diagnosis", [])]
        #: The equation in the model's syntax, if it was asked in another.
        self.read_as: str | None = entries.get("read_as")
        #: The equation as it should be, in the language it was asked in.
        self.corrected: str | None = entries.get("corrected")
        #: Why it could not be decided.
        self.why: str | None = entries.get("why") or (entries.get("unread") or {}).get("message")

    def __bool__(self) -> bool:
        return self.holds is True

    def __iter__(self) -> Iterator[Verdict]:
        # ``for v in m.verify(*claims)`` also where there is one claim only.
        yield self

    def __repr__(self) -> str:
        word = {True: f"holds ({self.how})", False: "does not hold", None: "undecided"}[self.holds]
        return f"<noslip.Verdict {self.id}: {word}>"

    def _repr_html_(self) -> str:
        colour, word = {
            True: ("#19713c", f"holds ({self.how})"),
            False: ("#b3261e", "does not hold"),
            None: ("#8a5a00", f"undecided: {self.why}"),
        }[self.holds]
        lines = [f"<code>{html.escape(self.id)}</code> <b style='color:{colour}'>{html.escape(word)}</b>"]
        for d in self.diagnosis:
            lines.append(html.escape(f"{d['mistake']}: {d['explanation']}"))
        if self.corrected:
            lines.append(f"corrected: <code>{html.escape(self.corrected)}</code>")
        if self.counterexample is not None:
            c = self.counterexample
            at = ", ".join([f"t = {c['t']}", *(f"{k} = {v}" for k, v in c["q"].items()), *(f"{k}' = {v}" for k, v in c["v"].items())])
            lines.append(html.escape(f"left side − right side = {c['residual']} at {at}"))
        return "<section class='noslip-verdict'>" + "".join(f"<p>{line}</p>" for line in lines) + "</section>"


class Verdicts(list):
    """Several verdicts; true if all equations hold."""

    def __bool__(self) -> bool:
        return len(self) > 0 and all(self)

    def _repr_html_(self) -> str:
        return "".join(v._repr_html_() for v in self)
