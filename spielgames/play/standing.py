"""A match at the table: who has how much, who sits where next, and which deal comes."""

import numpy as np
import pyspiel

from spielgames.core.game import Parameters
from spielgames.core.registry import find
from spielgames.matches import match_of

Totals = list[float]
LARGEST = 1 << 31  # number in a packed standing


def game_string(name: str, parameters: Parameters) -> str:
    """`python_hearts(pass=left)`"""
    words = (f"{key}={str(value).lower()}" for key, value in parameters.items())
    inside = ",".join(words)
    return f"{name}({inside})" if inside else name


class Standing:
    """The standing of a match between the deals. Players keep their numbers, and change seats."""

    def __init__(self, name: str, goal: int | None = None) -> None:
        self.game, _ = find(name)
        self.match = match_of(self.game, goal)
        self.parameters = pyspiel.game_parameters_from_string(name)
        self.parameters.pop("name", None)
        self.totals = np.zeros((1, self.game.players))  # of players
        self.opener, self.carried = np.zeros((2, 1), np.int64)
        self.deals = 0

    def pack(self) -> str:
        """The standing as a word, from which `resume` goes on: deals, opener, carried, totals."""
        numbers = [self.deals, int(self.opener[0]), int(self.carried[0]), *self.totals[0].tolist()]
        return "/".join(f"{number:.17g}" for number in numbers)

    def resume(self, packed: str) -> None:
        """Go on from a packed standing."""
        wrong = ValueError(f"standing={packed} is not what an interrupted match has printed")
        try:
            deals, opener, carried, *totals = map(float, packed.split("/"))
        except ValueError:
            raise wrong from None
        counts = (deals, opener, carried)
        whole = all(0 <= n < LARGEST and n == int(n) for n in counts)
        n = self.game.players
        if not whole or len(totals) != n or opener >= n or not np.isfinite(totals).all():
            raise wrong
        self.deals, self.opener[0], self.carried[0] = map(int, counts)
        self.totals[0] = totals

    def players(self) -> list[int]:
        """The player in each seat of the next deal."""
        n = self.game.players
        return [(int(self.opener[0]) + seat) % n for seat in range(n)]

    def next_deal(self) -> str:
        """The game string of the next deal."""
        inherited = self.match.parameters(self.parameters, self.deals, int(self.carried[0]))
        return game_string(self.game.name, inherited)

    def add(self, end: np.ndarray) -> Totals:
        """Add a finished deal; return what it brings each seat. One that does not count is dealt
        again.
        """
        if self.match.is_void(end)[0]:
            return [0.0] * self.game.players
        players = self.players()
        scores = self.match.scores(end, self.totals[:, players])
        self.totals[:, players] += scores
        self.carried = self.match.carries(end, self.carried)
        self.opener = self.match.next_opener(self.opener, scores, self.game.players)
        self.deals += 1
        return scores[0].tolist()

    @property
    def over(self) -> bool:
        return bool(self.match.is_over(self.totals, self.deals)[0])

    def winners(self) -> list[int]:
        """The players whose result is best."""
        results = self.match.utilities(self.totals)[0]
        return np.flatnonzero(results == results.max()).tolist()
