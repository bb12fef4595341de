"""Games of other packages, found through the entry-point group `spielgames.games`: an entry names a
module that registers games when it is imported.
"""

import warnings
from importlib.metadata import entry_points

ENTRY_POINTS = "spielgames.games"


def import_games() -> None:
    """Import these modules. One that fails is left out with a warning, so that the rest works."""
    for entry in entry_points(group=ENTRY_POINTS):
        try:
            entry.load()
        except Exception as error:
            warnings.warn(
                f"the games of {entry.value} are left out: {type(error).__name__}: {error}",
                stacklevel=2,
            )
