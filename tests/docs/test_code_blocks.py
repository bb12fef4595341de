"""Every Python block of the documents runs as it is printed, on its own."""

import re
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
DOCUMENTS = [ROOT / "README.md", *sorted(ROOT.glob("docs/**/*.md"))]
FENCE = "```"


def python_blocks(path):
    """The code of each, below as many empty lines as are above it: errors name the right line."""
    blocks, code = [], None
    for number, line in enumerate(path.read_text(encoding="utf-8").splitlines()):
        if code is None:
            code = [""] * (number + 1) if line == f"{FENCE}python" else None
        elif line == FENCE:
            blocks.append("\n".join(code))
            code = None
        else:
            code.append(line)
    return blocks


BLOCKS = [
    pytest.param(path, code, id=f"{path.name}:{len(code) - len(code.lstrip())}")
    for path in DOCUMENTS
    for code in python_blocks(path)
]


@pytest.mark.parametrize(("path", "code"), BLOCKS)
def test_a_block_runs_as_printed(path, code, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    exec(compile(code, str(path), "exec"), {"__name__": "__main__"})


def test_the_blocks_of_a_document_are_found(tmp_path):
    path = tmp_path / "a.md"
    path.write_text(
        "# A\n\n```python\nx = 1\n```\n```\nno code\n```\n```python\ny = 2\n\nz = 3\n```"
    )
    first, second = python_blocks(path)
    assert first == "\n\n\nx = 1"  # on the fourth line
    assert second.strip() == "y = 2\n\nz = 3"


def test_the_readme_has_blocks():
    assert len(python_blocks(ROOT / "README.md")) > 2


def test_excerpts_are_those_of_the_example():
    """Each excerpt in `docs/extend/game.md` is in the package that the page explains."""
    page = (ROOT / "docs/extend/game.md").read_text(encoding="utf-8")
    package = sorted((ROOT / "spielgames/new/template/whist").glob("*.py"))
    source = "\n".join(path.read_text(encoding="utf-8") for path in package)
    excerpts = re.findall(rf"^{FENCE}py\n(.*?)^{FENCE}$", page, re.M | re.S)
    assert len(excerpts) > 5
    assert [text for text in excerpts if text not in source] == []
