"""Five trick-taking card games as OpenSpiel games, as batches in compiled loops, and as solvable trees."""

from spielgames.core import cache  # noqa: F401, I001  (first: it decides where machine code is kept)
from spielgames.core.batch import Batch
from spielgames.core.openspiel import register
from spielgames.hearts.game import HEARTS

for _game in (HEARTS,):
    register(_game)

__all__ = ["HEARTS", "Batch"]
