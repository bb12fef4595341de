"""Write the package of a new game: complete, tested, and known to all commands once installed.

    python -m spielgames.new oh_hell
    python -m spielgames.new skat --players=3 --into=games

The game that is written is a small one: follow suit, the highest card takes the trick. Its rules
are in `oh_hell/oh_hell/rules.py`; change them into those of yours.
"""

from pathlib import Path

from absl import flags

from spielgames.command import run, user_input
from spielgames.new.package import LEAST, MOST, check_name, write_package

NEXT = """
Next:
  cd {folder}
  python -m pip install --editable '.[test]'
  python -m pytest
  python -m spielgames.play --game={name}"""


def main(name: str = "") -> None:
    with user_input():
        check_name(name)
        files = write_package(name, Path(flags.FLAGS.into) / name, flags.FLAGS.players)
    print("Written:", *files, sep="\n  ")
    print(NEXT.format(folder=files[0].parent, name=name))


if __name__ == "__main__":
    flags.DEFINE_integer("players", 2, "how many seats the table has", LEAST, MOST)
    flags.DEFINE_string("into", ".", "the folder in which the package's own folder is made")
    run(main, names=1)
