"""A game as another package would bring it: whist for two, twelve cards, a stock of two that nobody
ever sees. Importing it registers `python_whist`.
"""

from whistgame.game import WHIST

__all__ = ["WHIST"]
