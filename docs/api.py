"""Show docstrings as they stand in the sources, where examples and tables have no fences."""

import ast
import re
from typing import Any

import griffe

COLUMNS = re.compile(r"\S {2,}\S")


class Fenced(griffe.Extension):
    def on_instance(self, *, obj: griffe.Object, **_: Any) -> None:
        if obj.docstring:
            paragraphs = re.split(r"\n\s*\n", obj.docstring.value)
            obj.docstring.value = "\n\n".join(map(fenced, paragraphs))


def fenced(paragraph: str) -> str:
    """Return a paragraph, in a fence if it is Python or a table of aligned columns."""
    if is_python(paragraph):
        return f"```python\n{paragraph}\n```"
    return f"```text\n{paragraph}\n```" if COLUMNS.search(paragraph) else paragraph


def is_python(paragraph: str) -> bool:
    try:
        return bool(ast.parse(paragraph).body)
    except SyntaxError:
        return False
