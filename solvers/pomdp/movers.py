"""What the mover of a world knows there, as probabilities: its own hand, and little of others'."""

import numpy as np

from spielgames.core.cards import count, has
from spielgames.core.inlining import linked
from spielgames.core.record import State


@linked
def own_view(s: State, out: np.ndarray) -> None:
    """Fill what the mover believes, `[places, cards]`, if it takes no notice of what was played but
    that it was played: a card it has not seen lies in any other place as its size makes it likely.
    """
    own = s.hands[s.turn]
    hidden = s.deck & ~(s.public | own)
    cards = max(count(hidden), 1)
    for place in range(len(out)):
        share = count(s.hands[place]) / cards
        for card in range(out.shape[1]):
            out[place, card] = share if place != s.turn and has(hidden, card) else 0.0
    for card in range(out.shape[1]):
        out[s.turn, card] = 1.0 if has(own, card) else 0.0
