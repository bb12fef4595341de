"""Run an experiment: its script, with a variant of its config.

    spielgames experiment hearts_deepcfr --config=quick --workdir=runs/hearts
    spielgames experiment hearts_deepcfr --help   tells the variants of its config

The experiments:
"""

import runpy
import sys
from pathlib import Path

from spielgames.__main__ import about
from spielgames.command import orderly_end, refuse


def main() -> None:
    with orderly_end():
        answer()


def answer() -> None:
    scripts = sorted(path.stem for path in Path(__file__).parent.glob("*.py"))
    scripts.remove("__main__")
    name = sys.argv[1] if len(sys.argv) > 1 else "--help"
    if name in ("-h", "--help"):
        lines = [f"    {name:<22}{about(f'experiments.{name}')}" for name in scripts]
        print(__doc__, *lines, sep="\n")
    elif name in scripts:
        del sys.argv[1]
        runpy.run_module(f"experiments.{name}", run_name="__main__", alter_sys=True)
    else:
        refuse(f"there is no experiment {name!r}; there are {', '.join(scripts)}")


if __name__ == "__main__":
    main()
