"""A plain network that is shown the suits in an order of its own, so that positions which differ by
the names of suits alone are the same to it. Trumps come first; the others are ordered by the cards
held, then by all else that an encoding says of them. Outputs are put back into the game's order.

A game whose suits are alike says which of its actions belong to suits: cards do, and
`suited_actions` are the first of others of which there is one for each suit, such as declaring a
marriage.
"""

import numpy as np
import torch
from torch import Tensor, nn
from torch.nn import functional

from solvers.networks.device import device
from solvers.networks.first_layer import FirstLayer
from solvers.networks.layout import Shape
from solvers.networks.settings import CanonicalSettings
from solvers.networks.suits import pick, runs_of


class Canonical(FirstLayer):
    chunk = 2048
    columns: Tensor  # [suits · columns of a suit]
    weights: Tensor  # [columns of a suit] by which suits are ordered
    suit_of: Tensor  # [actions], `suits` if an action belongs to none
    first: Tensor  # [actions] its place in the first suit, or its own
    step: Tensor  # [actions] from one suit to the next

    def __init__(self, settings: CanonicalSettings, shape: Shape) -> None:
        super().__init__()
        if shape.suited_actions is None:
            raise ValueError(
                "a canonical network needs a game whose suits are alike; take 'mlp' or 'suits'"
            )
        if device().type == "mps":
            raise ValueError(
                "a canonical network is not allowed with device=mps, which has no float64; take"
                " device=cpu, or 'mlp' or 'suits'"
            )
        self.suits = shape.cards // shape.ranks
        columns = np.array([columns_of(shape, suit) for suit in range(self.suits)])
        rest = sorted(set(range(shape.width)) - set(columns.flatten().tolist()))
        self.rest = runs_of(rest)
        suit_of, first, step = np.array(places(shape, self.suits)).T
        kept = {
            "columns": columns.flatten(),
            "weights": 0.5 ** np.arange(columns.shape[1]),
            "suit_of": suit_of,
            "first": first,
            "step": step,
        }
        for name, values in kept.items():
            tensor = torch.from_numpy(np.ascontiguousarray(values))
            self.register_buffer(name, tensor, persistent=False)
        self.linear = nn.Linear(columns.size + len(rest), settings.hidden)

    def look(self, encodings: Tensor) -> tuple[Tensor, Tensor]:
        """[n, width] -> [n, hidden], and the place of each suit, [n, suits + 1]"""
        suits = encodings.index_select(1, self.columns).unflatten(1, (self.suits, -1))
        order = (suits.double() @ self.weights).argsort(dim=1, descending=True, stable=True)
        suits = suits.gather(1, order[:, :, None].expand_as(suits))
        x = torch.cat([suits.flatten(1), pick(encodings, self.rest)], dim=1)
        return torch.relu(self.linear(x)), functional.pad(order.argsort(dim=1), (0, 1))

    def answer(self, last: Tensor, seen: Tensor) -> Tensor:
        """[n, actions], of suits in order -> [n, actions]"""
        return last.gather(1, self.first + self.step * seen[:, self.suit_of])


def columns_of(shape: Shape, suit: int) -> list[int]:
    """What an encoding says of a suit, the most important first."""
    ranks = range(shape.ranks * suit, shape.ranks * (suit + 1))
    trump = [shape.trump] if shape.trump >= 0 else []
    sets = [*shape.hands, *(start for start in shape.sets if start not in shape.hands)]
    suited = [start for start in shape.suited if start != shape.trump]
    cards = [start + card for start in sets for card in ranks]
    return [start + suit for start in trump] + cards + [start + suit for start in suited]


def places(shape: Shape, suits: int) -> list[tuple[int, int, int]]:
    """Of each action: its suit, its place in the first suit, the step to the next suit."""
    found = [(suits, a, 0) for a in range(shape.actions)]
    for card in range(shape.cards):
        found[card] = card // shape.ranks, card % shape.ranks, shape.ranks
    for start in shape.suited_actions or ():
        found[start : start + suits] = [(suit, start, 1) for suit in range(suits)]
    return found
