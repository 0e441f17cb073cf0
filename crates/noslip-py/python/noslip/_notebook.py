"""``%%noslip`` in a notebook.

The cell is a model; the line says what to do with it and which name it gets::

    %%noslip sleigh
    noslip = 1
    ...

    %%noslip sleigh check
    %%noslip sleigh derive --form maggi
"""

from __future__ import annotations

from typing import Any

from ._answers import ask
from ._model import Model


def cell(shell: Any, line: str, text: str) -> Any:
    """Makes a model of the cell, keeps it under the name in the line, and shows it or what the command says of it."""
    words = line.split()
    model = Model(text)
    if words:
        shell.user_ns[words[0]] = model
    if len(words) < 2:
        return model
    print(ask([words[1], "-", *words[2:]], text)[1])
    return None


def register(shell: Any) -> None:
    """Makes ``%%noslip`` known to a shell."""
    shell.register_magic_function(lambda line, text: cell(shell, line, text), magic_kind="cell", magic_name="noslip")
