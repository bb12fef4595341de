"""The observer of every game: one of four views of a state, as a tensor of named pieces."""

import numpy as np
import pyspiel

from spielgames.core import describe, one_game
from spielgames.core.cards import members
from spielgames.core.game import Game, Variant, compact_pieces
from spielgames.core.infostate import infostate_pieces
from spielgames.core.pieces import Pieces
from spielgames.core.record import OUTSIDER


class Observer:
    """OpenSpiel's PyObserver: `tensor`, `dict` of named views into it, `set_from`, `string_from`.

    Public and own information: the perfect-recall encoding, or the game's compact one. Own alone:
    the hand (with recall: the cards dealt and gained). Public alone: what all have seen.
    """

    def __init__(
        self, game: Game, variant: Variant, kind: pyspiel.IIGObservationType, params: dict | None
    ) -> None:
        if params:
            raise ValueError(f"{game.name} has no observation parameters; {params} were given")
        if kind.private_info == pyspiel.PrivateInfoType.ALL_PLAYERS:
            raise ValueError("an observer sees its own cards or nobody's, not those of all players")
        self.game, self.variant = game, variant
        self.recall = kind.perfect_recall
        self.own = kind.private_info == pyspiel.PrivateInfoType.SINGLE_PLAYER
        self.public = kind.public_info
        self.whole = infostate_pieces(game, variant)
        self.pieces = self._pieces()
        self.tensor = np.zeros(self.pieces.size, np.float32)
        self.dict = self.pieces.views(self.tensor)

    def _pieces(self) -> Pieces:
        shapes = self.whole.shapes
        if self.own and self.public:
            return self.whole if self.recall else compact_pieces(self.game, self.variant)
        if self.own:
            names = {"dealt": "dealt", "gained": "gained"} if self.recall else {"hand": "dealt"}
            return Pieces({name: shapes[like] for name, like in names.items()})
        public = {"shown": shapes["dealt"], "events": shapes["events"], "turn": shapes["turn"]}
        return Pieces(public if self.public else {})

    def set_from(self, state: "pyspiel.State", player: int) -> None:
        """Fill the tensor with what a player sees; if only public, with what everybody sees."""
        row = state.row
        if self.own and self.public:
            self._fill_all(row, player, self.tensor)
        elif self.own:
            self._fill_own(row, player)
        elif self.public:
            self._fill_public(row)

    def tensor_of(self, row: np.ndarray, player: int) -> np.ndarray:
        """A new tensor with public and own information."""
        out = np.empty_like(self.tensor)
        self._fill_all(row, player, out)
        return out

    def _fill_all(self, row: np.ndarray, player: int, out: np.ndarray) -> None:
        if self.recall:
            self._fill_whole(row, player, out)
        else:
            one_game.observation(row, player, out)

    def _fill_whole(self, row: np.ndarray, seat: int, out: np.ndarray) -> None:
        one_game.information(row, seat, self.game.cards, self.game.event_width, out)

    def _fill_public(self, row: np.ndarray) -> None:
        whole = np.zeros(self.whole.size, np.float32)
        self._fill_whole(row, OUTSIDER, whole)
        for name in ("events", "turn"):
            self.dict[name][:] = self.whole.views(whole)[name]
        self.dict["shown"][:] = 0
        self.dict["shown"][members(row["public"][0])] = 1

    def _fill_own(self, row: np.ndarray, player: int) -> None:
        s = row[0]
        own = {"dealt": s.dealt, "gained": s.gained, "hand": s.hands}
        self.tensor[:] = 0
        for name, piece in self.dict.items():
            piece[members(own[name][player])] = 1

    def string_from(self, state: "pyspiel.State", player: int) -> str:
        """The same view as text."""
        row, game = state.row, self.game
        if not self.own:
            return describe.public_words(game, row) if self.public else ""
        if self.recall:
            return describe.recall_words(game, row, player)
        facts = describe.seat_facts(game, row, player)
        return describe.lines(facts if self.public else {"hand": facts["hand"]})
