"""Write the numbers of committed results into the pages that quote them.

    python -m analysis.page_numbers            # or: make results
    python -m analysis.page_numbers --check    # changes nothing; exit code 2 if a page differs

In a page, a number that comes from a result stands between two comments, which Markdown does not
show; the first says where it is found and how it is written:

    <!--=hearts_deepcfr/champion.json finals[b=rules].mean +.2f-->+1.88<!--=-->

The file lies in `experiments/results`, unless its path begins with `analysis/`; it is JSON, or JSON
lines (a list of them). The steps of the way to the number are names, positions such as `[0]` (two
in a row as `[0].[1]`, for `][` makes a link in Markdown), or
`[name=value,…]`: the first entry of a list with these fields, or with `[*name=value,…]` all of
them (`[*]`: all), whose mean is written. A format is Python's, and `*FACTOR` after it multiplies
first: `.1f*1e-6` writes millions. `%` takes a space before it.
"""

import json
import re
from collections.abc import Iterator
from functools import cache
from pathlib import Path
from statistics import fmean
from typing import Any

from absl import flags

from analysis.figures import save_text
from spielgames.command import run, user_input

ROOT = Path(__file__).parent.parent
MARK = re.compile(r"(<!--=(\S+) ([^>]+?) (\S+?)-->)(.*?)(<!--=-->)", re.DOTALL)
COMMA = re.compile(r",(?![^(]*\))")  # not one in the name of a variant
STEP = re.compile(r"\[([^\]]*)\]|([^.\[\]]+)")


def pages() -> Iterator[Path]:
    yield ROOT / "README.md"
    yield from sorted((ROOT / "docs").rglob("*.md"))


def written(text: str) -> str:
    """A page with all its numbers taken from the results."""
    return MARK.sub(lambda found: f"{found[1]}{number(*found.group(2, 3, 4))}{found[6]}", text)


def number(file: str, way: str, form: str) -> str:
    values = [load(file)]
    spec, _, factor = form.partition("*")
    try:
        for position, name in STEP.findall(way):
            values = [x for v in values for x in ([v[name]] if name else entries(v, position))]
        value = values[0] if len(values) == 1 else fmean(values)
        value = value * float(factor) if factor else value
        return format(value, spec).replace("%", " %").replace("-", "−")
    except (KeyError, IndexError, TypeError, ValueError) as error:
        raise ValueError(
            f"{file} has no number {way} that is written as {form}: {error!r}"
        ) from None


@cache
def load(file: str) -> Any:
    path = ROOT / file if file.startswith("analysis/") else ROOT / "experiments/results" / file
    text = path.read_text(encoding="utf-8")
    return [*map(json.loads, text.splitlines())] if path.suffix == ".jsonl" else json.loads(text)


def entries(values: list, which: str) -> list:
    """The one at a position, or those with some fields: all of them after `*`, or the first."""
    if which == "*":
        return values
    if "=" not in which:
        return [values[int(which)]]
    fields = dict(field.split("=", 1) for field in COMMA.split(which.removeprefix("*")))
    found = [v for v in values if all(str(v.get(name)) == x for name, x in fields.items())]
    return found if which.startswith("*") else found[:1]


def main() -> None:
    with user_input():
        for path in pages():
            text = path.read_text(encoding="utf-8")
            if written(text) == text:
                continue
            if flags.FLAGS.check:
                raise ValueError(f"{path.relative_to(ROOT)} differs from the results: make results")
            save_text(path, written(text).rstrip("\n"))
            print(path.relative_to(ROOT))


if __name__ == "__main__":
    flags.DEFINE_bool("check", False, "only compare the pages")
    run(main)
