"""Five trick-taking card games as OpenSpiel games, as batches in compiled loops, and as trees that
can be solved exactly; and the games of other packages.
"""

from spielgames.coinche.game import COINCHE
from spielgames.core.batch import Batch
from spielgames.core.openspiel import register
from spielgames.hearts.game import HEARTS
from spielgames.hokm.game import HOKM
from spielgames.packages import import_games
from spielgames.sheephead.game import SHEEPHEAD
from spielgames.snapszer.game import SNAPSZER

__version__ = "0.1.0"

for _game in (COINCHE, HOKM, HEARTS, SHEEPHEAD, SNAPSZER):
    register(_game)
import_games()

__all__ = ["COINCHE", "HEARTS", "HOKM", "SHEEPHEAD", "SNAPSZER", "Batch"]
