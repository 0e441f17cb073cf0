"""The notebook of the repository, executed."""

from pathlib import Path

import pytest

ROOT = Path(__file__).parents[3]


def test_the_magic():
    testing = pytest.importorskip("IPython.testing.globalipapp")
    shell = testing.start_ipython() or testing.get_ipython()
    shell.run_line_magic("load_ext", "noslip")
    text = (ROOT / "models" / "dumbbell.toml").read_text()
    model = shell.run_cell_magic("noslip", "bells", text)
    assert shell.user_ns["bells"] is model and "noslip-check" in model._repr_html_()


def test_the_notebook_runs():
    nbformat = pytest.importorskip("nbformat")
    nbclient = pytest.importorskip("nbclient")
    pytest.importorskip("ipykernel")
    notebook = nbformat.read(ROOT / "examples" / "notebook.ipynb", as_version=4)
    nbclient.NotebookClient(notebook, timeout=300, kernel_name="python3").execute()
    outputs = [o for c in notebook.cells if c.cell_type == "code" for o in c.outputs]
    html = "".join(o["data"].get("text/html", "") for o in outputs if "data" in o)
    assert "<math" in html and "<iframe srcdoc=" in html and "does not hold" in html
