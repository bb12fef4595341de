"""Hokm's unseen past: which of their cards the Hakem saw before naming trump.

It may be any of them; under `trump=heuristic` the replay rejects a preview for which the rule would
have named another suit.
"""

from spielgames.core.cards import NONE
from spielgames.core.hidden_cards import dealt_as_held, subset
from spielgames.core.luck import Luck
from spielgames.core.record import State
from spielgames.hokm.rules import NO_TRUMP_YET, PREVIEW, STOCK


def retrace(s: State, seat: int, w: State, luck: Luck) -> None:
    dealt_as_held(s, w)
    preview = s.dealt[PREVIEW]
    if seat != 0:
        preview, luck = subset(w.dealt[0], s.preview, luck)
    w.dealt[PREVIEW] = preview
    w.dealt[0] &= ~preview
    w.dealt[STOCK] = w.hands[STOCK] if s.trump == NO_TRUMP_YET else NONE
