"""Values of a position under rule-based play: as it stands, and with lookahead, where one side sees
all hands and deviates from the rules wherever that pays, given that all follow them afterwards.

Playing a world on by the rules alone underrates what the side will think of later; lookahead
overrates what the side will know.
"""

import numpy as np

from spielgames.core.advance import advance, settle
from spielgames.core.cards import NONE, ONE, bit, count, lowest, nth
from spielgames.core.inlining import linked
from spielgames.core.luck import Luck, below, forward
from spielgames.core.players import choices, play_on
from spielgames.core.record import TERMINAL
from spielgames.core.verbs import legal, margin, returns

End = tuple[float, float]  # a seat's result, in order of importance


@linked
def end_of(
    rows: np.ndarray,
    seat: int,
    levels: np.ndarray,
    wins: bool,
    luck: Luck,
    whim: Luck,
    out: np.ndarray,
) -> End:
    """The seat's result when `rows[1]` is played on by the rules: its utility; or, if only `wins`
    count, whether it has won (1, −1), and by how much.
    """
    play_on(rows[1], levels, luck, whim)
    returns(rows[1], out)
    return (np.sign(out[seat]), margin(rows[1], seat)) if wins else (out[seat], 0.0)


@linked
def look_ahead(
    rows: np.ndarray,
    seat: int,
    sides: np.ndarray,
    levels: np.ndarray,
    ahead: int,
    wins: bool,
    luck: Luck,
    out: np.ndarray,
) -> tuple[End, End]:
    """The seat's result when `rows[0]` is played on by the rules, and when its side may deviate in
    up to `ahead` of its next decisions. `rows[1]` and `out`, one number per seat, are scratch
    memory.
    """
    luck, whim = settle(rows[0], luck), forward(luck)
    rows[1] = rows[0]
    plain = end_of(rows, seat, levels, wins, luck, whim, out)
    best = plain
    while ahead > 0 and rows[0].turn != TERMINAL:
        s, whim = rows[0], forward(whim)
        likely = choices(s, levels[s.turn])
        action = nth(likely, below(whim, count(likely)))
        others = legal(s) ^ bit(action) if sides[s.turn] == sides[seat] else NONE
        ahead -= others != NONE
        while others != NONE:
            a = lowest(others)
            others &= others - ONE
            rows[1] = rows[0]
            advance(rows[1], a)
            found = end_of(rows, seat, levels, wins, luck, whim, out)
            if found > best:
                best, action = found, a
        advance(rows[0], action)
        luck = settle(rows[0], luck)
    return plain, best
