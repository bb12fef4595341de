"""Trees of OpenSpiel's own small games (Kuhn, Leduc, …), to check the exact solvers against
OpenSpiel's numbers.
"""

from dataclasses import dataclass, field

import numpy as np
import pyspiel

from spielgames.core.registry import load_foreign
from spielgames.core.tree import GIGABYTE, Sides, TooLarge, Tree, Treeplex, check_sides, summed

LEAF_BYTES = 500  # per leaf, with its share of the rest, while they are Python objects


@dataclass
class GrowingTreeplex:
    """A player's treeplex while it grows."""

    parent: list[int] = field(default_factory=list)
    first: list[int] = field(default_factory=lambda: [1])
    action: list[int] = field(default_factory=lambda: [-1])
    known: dict[str, int] = field(default_factory=dict)

    def first_sequence(self, key: str, actions: list[int], parent: int) -> int:
        """The first sequence of an information set."""
        if key not in self.known:
            self.known[key] = len(self.parent)
            self.parent.append(parent)
            self.action += actions
            self.first.append(len(self.action))
        found = self.known[key]
        if self.parent[found] != parent:
            raise ValueError(f"the information state {key!r} forgets what its player has done")
        return self.first[found]

    def treeplex(self) -> Treeplex:
        return Treeplex(
            parent=np.array(self.parent, np.int32),
            first=np.array(self.first, np.int32),
            action=np.array(self.action, np.int16),
            key=np.array(list(self.known), object),
        )


@dataclass
class Leaf:
    sequences: tuple[int, ...]
    chance: float
    payoff: int


class ForeignWalk:
    """A recursive walk over states: slow, but these games are small."""

    def __init__(self, game: pyspiel.Game, sides: Sides, most: int) -> None:
        self.sides, self.most = sides, most
        self.players = [GrowingTreeplex() for _ in range(1 + max(sides))]
        self.leaves: list[Leaf] = []
        self.payoffs: dict[tuple[float, ...], int] = {}
        self.visit(game.new_initial_state(), (0,) * len(self.players), 1.0)

    def visit(self, state: pyspiel.State, sequences: tuple[int, ...], chance: float) -> None:
        if state.is_terminal():
            payoff = self.payoffs.setdefault(tuple(state.returns()), len(self.payoffs))
            self.leaves.append(Leaf(sequences, chance, payoff))
            if len(self.leaves) > self.most:
                raise TooLarge(
                    f"{state.get_game()} has more than {self.most} leaves; allow more memory,"
                    " or choose a smaller game"
                )
        elif state.is_chance_node():
            for action, probability in state.chance_outcomes():
                self.visit(state.child(action), sequences, chance * probability)
        else:
            self.visit_decision(state, sequences, chance)

    def visit_decision(
        self, state: pyspiel.State, sequences: tuple[int, ...], chance: float
    ) -> None:
        player, actions = self.sides[state.current_player()], state.legal_actions()
        if len(actions) == 1:
            self.visit(state.child(actions[0]), sequences, chance)
            return
        seen = self.seen(state)
        first = self.players[player].first_sequence(seen, actions, sequences[player])
        for i, action in enumerate(actions):
            longer = sequences[:player] + (first + i,) + sequences[player + 1 :]
            self.visit(state.child(action), longer, chance)

    def seen(self, state: pyspiel.State) -> str:
        """The knowledge of the seat to move and its partners."""
        mover = state.current_player()
        side = [seat for seat, player in enumerate(self.sides) if player == self.sides[mover]]
        return "\n".join(state.information_state_string(seat) for seat in side)


def unroll_foreign(name: str, memory: int = GIGABYTE, sides: Sides | None = None) -> Tree:
    game = load_foreign(name)
    if game.get_type().dynamics != pyspiel.GameType.Dynamics.SEQUENTIAL:
        raise ValueError(f"{name} is not sequential; try OpenSpiel's load_game_as_turn_based")
    sides = check_sides(sides, game.num_players())
    walk = ForeignWalk(game, sides, most=memory // LEAF_BYTES)
    return Tree(
        name=name,
        seats=[player.treeplex() for player in walk.players],
        leaves=np.array([leaf.sequences for leaf in walk.leaves], np.int32),
        chance=np.array([leaf.chance for leaf in walk.leaves]),
        payoff=np.array([leaf.payoff for leaf in walk.leaves], np.int32),
        payoffs=summed(np.array(list(walk.payoffs)), np.array(sides)),
    )
