"""The notebook prints what it holds; and notebooks are run as Jupyter runs them."""

import base64
import json
from pathlib import Path

import pytest

from analysis.notebook import run_cells
from tests.commands import run

pytestmark = pytest.mark.usefixtures("one_thread")

TOUR = Path(__file__).parents[2] / "examples/tour.ipynb"
VARIES = "varies"  # the tag of cells whose numbers differ between processors


def texts(outputs):
    return [output.get("text") or output["data"].get("text/plain") for output in outputs]


def notebook(*sources):
    cells = [{"cell_type": "code", "metadata": {}, "source": source} for source in sources]
    return {"cells": [{"cell_type": "markdown", "source": "text"}, *cells]}


def test_the_notebook_prints_what_it_holds():
    results = run_cells(json.loads(TOUR.read_text(encoding="utf-8")))
    assert len(results) == 6
    for cell, outputs in results:
        kinds = [output["output_type"] for output in outputs]
        assert kinds == [output["output_type"] for output in cell["outputs"]]
        if VARIES not in cell["metadata"].get("tags", []):
            assert texts(outputs) == texts(cell["outputs"])


def test_what_a_cell_says_is_kept():
    cells = notebook(["x = 1\n", "print('a\\nb')\n", "x + 1"], "x += 1\n", "print(x)", "x;None")
    (_, printed), (_, nothing), (_, shared), (_, none) = run_cells(cells)
    assert [output["output_type"] for output in printed] == ["stream", "execute_result"]
    assert texts(printed) == [["a\n", "b\n"], ["2"]] and printed[1]["execution_count"] == 1
    assert (nothing, none) == ([], []) and texts(shared) == [["2\n"]]


def test_figures_are_kept_and_closed():
    drawn = "import matplotlib.pyplot as plt\nlines = plt.plot([1, 2])"
    (_, (figure,)), (_, nothing) = run_cells(notebook(drawn, "1 + 1; x = 2"))
    assert figure["output_type"] == "display_data" and nothing == []
    assert base64.b64decode(figure["data"]["image/png"]).startswith(b"\x89PNG")


def test_an_error_says_in_which_cell():
    with pytest.raises(ZeroDivisionError) as caught:
        run_cells(notebook("x = 0", "1 / x"))
    assert "cell 2" in str(caught.traceback[-1].path)


def test_the_command_writes_outputs_and_refuses_what_is_no_notebook(tmp_path):
    path = tmp_path / "a.ipynb"
    path.write_text(json.dumps(notebook("print('ä')")), encoding="utf-8")
    assert run("analysis.notebook", f"--notebook={path}").returncode == 0
    written = json.loads(path.read_text(encoding="utf-8"))["cells"][1]
    assert written["execution_count"] == 1 and texts(written["outputs"]) == [["ä\n"]]
    path.write_text("no JSON")
    refused = run("analysis.notebook", f"--notebook={path}")
    assert refused.returncode == 2 and "holds no JSON" in refused.stderr
