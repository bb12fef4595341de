"""Run the cells of a notebook in order, and write what they say into it. Jupyter is not needed.

    python -m analysis.notebook --notebook=examples/tour.ipynb

Of each cell this keeps what it prints, the value of its last line, and the figures that it draws.
"""

import ast
import base64
import contextlib
import io
import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import matplotlib
import matplotlib.pyplot as plt
from absl import flags

from spielgames.command import run, user_input
from spielgames.files import read_json, replacing

Cell = Output = dict[str, Any]  # as the notebook's JSON has them


def run_cells(notebook: dict[str, Any]) -> list[tuple[Cell, list[Output]]]:
    """The code cells, which share their names, and their outputs."""
    matplotlib.use("agg")
    names: dict[str, Any] = {"__name__": "__main__"}
    cells = [cell for cell in notebook["cells"] if cell["cell_type"] == "code"]
    return [
        (cell, run_cell("".join(cell["source"]), names, count))
        for count, cell in enumerate(cells, 1)
    ]


def run_cell(source: str, names: dict[str, Any], count: int) -> list[Output]:
    """The outputs of one cell, in the form of notebooks."""
    with contextlib.redirect_stdout(io.StringIO()) as printed:
        value = execute(source, names, f"cell {count}")
    outputs = []
    if text := printed.getvalue():
        outputs.append({"output_type": "stream", "name": "stdout", "text": lines(text)})
    if value is not None:
        data = {"text/plain": lines(repr(value))}
        outputs.append(result("execute_result", data) | {"execution_count": count})
    return outputs + [result("display_data", {"image/png": picture}) for picture in figures()]


def result(kind: str, data: dict[str, Any]) -> Output:
    return {"output_type": kind, "data": data, "metadata": {}}


def execute(source: str, names: dict[str, Any], name: str) -> Any:
    """Run the code; return the value of its last line if that is an expression."""
    body = ast.parse(source).body
    last = [body.pop()] if isinstance(body[-1], ast.Expr) else []
    exec(compile(ast.Module(body, []), name, "exec"), names)
    return eval(compile(ast.Expression(last[0].value), name, "eval"), names) if last else None


def figures() -> Iterator[str]:
    """The open figures, which are closed, as PNG in base 64."""
    for number in plt.get_fignums():
        file = io.BytesIO()
        plt.figure(number).savefig(file, format="png", dpi=80)
        yield base64.b64encode(file.getvalue()).decode()
    plt.close("all")


def lines(text: str) -> list[str]:
    return text.splitlines(keepends=True)


def main() -> None:
    path = Path(flags.FLAGS.notebook)
    with user_input():
        notebook = read_json(path)
    for count, (cell, outputs) in enumerate(run_cells(notebook), 1):
        cell |= {"execution_count": count, "outputs": outputs}
    with replacing(path) as file:
        text = json.dumps(notebook, indent=1, ensure_ascii=False)
        file.write_text(f"{text}\n", encoding="utf-8")


if __name__ == "__main__":
    flags.DEFINE_string("notebook", "examples/tour.ipynb", "the file")
    run(main)
