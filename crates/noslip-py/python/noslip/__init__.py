"""Mechanical systems with velocity constraints: equations of motion in every form, proved equal.

>>> import noslip
>>> m = noslip.gallery("rolling-disk")
>>> m.coordinates
['phi', 'theta', 'psi', 'x', 'y']
>>> m.check().degrees_of_freedom
3
>>> for equation in m.derive("kane"):
...     print(equation)
m*r^2*(u1' + cot(theta)*u1*u2 - 2*u2*u3)/4 = 0
m*r*(r*(5*u2' - cot(theta)*u1^2 + 6*u1*u3)/4 + g*cos(theta)) = 0
m*r^2*(3*u3'/2 - u1*u2) = 0
>>> bool(m.verify("5/4*r*theta'' + 5/4*r*phi'^2*sin(theta)*cos(theta) + 3/2*r*phi'*psi'*sin(theta) + g*cos(theta) = 0"))
True
"""

from __future__ import annotations

from ._answers import Check, Document, Equation, Equations, Steady, Verdict, Verdicts
from ._model import Model, forms, gallery, load
from ._motion import Motion
from ._noslip import (
    ComputationError,
    DoesNotApply,
    LimitReached,
    ModelError,
    NoslipError,
    Problem,
    Rhs,
    Table,
    __version__,
)
from ._sympy import from_sympy

__all__ = [
    "Check",
    "ComputationError",
    "Document",
    "DoesNotApply",
    "Equation",
    "Equations",
    "LimitReached",
    "Model",
    "ModelError",
    "Motion",
    "NoslipError",
    "Problem",
    "Rhs",
    "Steady",
    "Table",
    "Verdict",
    "Verdicts",
    "__version__",
    "forms",
    "from_sympy",
    "gallery",
    "load",
]


def load_ipython_extension(shell) -> None:
    """``%load_ext noslip`` makes ``%%noslip`` known."""
    from ._notebook import register

    register(shell)
