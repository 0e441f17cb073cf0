"""The code in the book's chapters on Python runs."""

import re
from pathlib import Path

import pytest

LEARN = Path(__file__).parents[3] / "docs" / "src" / "learn"


@pytest.mark.parametrize("page", ["python.md", "sympy.md"])
def test_the_code_of_a_chapter_runs(page):
    if page == "sympy.md":
        pytest.importorskip("sympy")
    pytest.importorskip("scipy")
    blocks = re.findall(r"^```python\n(.*?)^```$", (LEARN / page).read_text(encoding="utf-8"), re.M | re.S)
    assert len(blocks) >= 3
    names: dict = {}
    for block in blocks:
        exec(compile(block, page, "exec"), names)
