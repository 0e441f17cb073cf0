"""A motion: arrays, a table, a picture."""

from __future__ import annotations

import html
from typing import TYPE_CHECKING

import numpy as np

if TYPE_CHECKING:
    from ._model import Model
    from ._noslip import Run, Table


#: Of the page, a notebook shows the animation, or the whole where the model has no drawing.
_ONLY_ANIMATION = (
    "<style>body:has(#animation) :is(#contents,#footer,.skip,main>section),body:has(#animation) main>:not(:has(#animation)):not(#animation),"
    "body:has(#animation) header.top>:not(#animation){display:none!important}#animation{margin:0}</style></head>"
)


class Motion:
    """An integrated motion.

    >>> import noslip
    >>> motion = noslip.gallery("dumbbell").simulate(until=2, samples=5)
    >>> motion.t
    array([0. , 0.5, 1. , 1.5, 2. ])
    >>> motion["x"].shape, motion["x'"].shape
    ((5,), (5,))
    >>> bool(abs(motion["x'*sin(phi) - y'*cos(phi)"]).max() < 1e-9)
    True
    >>> motion.outcome
    'finished'
    """

    def __init__(self, model: Model, run: Run) -> None:
        self.model = model
        self._run = run
        #: Times; coordinates, velocities, accelerations and multipliers, one row for each time.
        self.t, (self.q, self.v, self.a, self.multipliers) = run.arrays()
        outcome, method, steps, evaluations, energy, constraints = run.outcome()
        #: How the run ended: ``finished``, ``event``, ``step_too_small``, …
        self.outcome: str = outcome
        self.method: str = method
        self.steps: int = steps
        self.evaluations: int = evaluations
        #: Largest relative change of the energy, and residual of a constraint.
        self.drift: dict[str, float] = {"energy": energy, "constraints": constraints}

    def __len__(self) -> int:
        return len(self.t)

    #: Columns have names and no order: there is nothing to go through, and Python would ask for those named 0, 1, …
    __iter__ = None

    def __getitem__(self, name: str) -> np.ndarray:
        """A coordinate, a velocity ``x'``, an acceleration ``x''``, a multiplier ``lambda_NAME``, ``energy``, or any expression of them."""
        if not isinstance(name, str):
            raise TypeError(f"a column has a name, motion['theta']; the states are motion.t, motion.q, motion.v: {name!r} is no name")
        model = self.model
        stem = name.rstrip("'")
        if stem in model.coordinates:
            i = model.coordinates.index(stem)
            order = len(name) - len(stem)
            if order < 3:
                return (self.q, self.v, self.a)[order][:, i]
        if name == "t":
            return self.t
        if name.startswith("lambda_") and name[7:] in model.constraints and self.multipliers.shape[1] == len(model.constraints):
            return self.multipliers[:, model.constraints.index(name[7:])]
        return self._run.column(name)

    @property
    def columns(self) -> list[str]:
        """The columns of the usual table."""
        q = self.model.coordinates
        return ["t", *q, *(f"{x}'" for x in q), *(f"lambda_{c}" for c in self.model.constraints), "energy"]

    def table(self, columns: list[str] | None = None) -> Table:
        """An Arrow table: ``pyarrow.table``, ``polars.from_arrow`` and, through them, pandas take it."""
        names = columns or self.columns
        return self._run.table(names if names[0] == "t" else ["t", *names])

    def plot(self, *names: str, ax=None):
        """Draws columns over time with Matplotlib; without names, all coordinates."""
        import matplotlib.pyplot as plt

        ax = ax or plt.gca()
        for name in names or self.model.coordinates:
            ax.plot(self.t, self[name], label=name)
        ax.set_xlabel("t")
        ax.legend()
        return ax

    def animation(self) -> str:
        """A page with the animation of the motion, whole by itself, as HTML."""
        start, end = (float(self.t[0]), float(self.t[-1])) if len(self) else (0.0, 1.0)
        page = self.model.report(until=end) if end != start else self.model.report()
        return page.replace("</head>", _ONLY_ANIMATION, 1)

    def __repr__(self) -> str:
        return f"<noslip.Motion {len(self)} samples to t = {self.t[-1] if len(self) else 0:g}, {self.outcome}>"

    def _repr_mimebundle_(self, include=None, exclude=None) -> dict[str, str]:
        # The page is whole by itself: inside a frame it cannot touch the notebook, nor the notebook it.
        page = html.escape(self.animation(), quote=True)
        frame = (
            f'<iframe srcdoc="{page}" sandbox="allow-scripts" title="{html.escape(self.model.title)}" '
            'style="width:100%;height:620px;border:1px solid #d8dee5;border-radius:6px"></iframe>'
        )
        return {"text/plain": repr(self), "text/html": frame}
