"""An independent reading of which cards may be played in Coinche, and which wins."""

from spielgames.core.words import RANKS_8
from tests.coinche.table import suit_of

PLAIN_ORDER = "789JQKTA"
TRUMP_ORDER = "78QKTA9J"


def power(card, trump, led):
    rank = RANKS_8[card % 8]
    if suit_of(card) == trump:
        return 10 + TRUMP_ORDER.index(rank)
    return PLAIN_ORDER.index(rank) if suit_of(card) == led else -1


def is_allowed(card, hand, trick, trump, undertrump):
    if not trick:
        return True
    led = suit_of(trick[0])
    best = max(power(c, trump, led) for c in trick)
    partner_wins = len(trick) > 1 and power(trick[-2], trump, led) == best
    trumps = [c for c in hand if suit_of(c) == trump]
    can_win = any(power(c, trump, led) > best for c in trumps)
    too_low = suit_of(card) == trump and power(card, trump, led) < best and can_win
    if any(suit_of(c) == led for c in hand):
        return suit_of(card) == led and not (led == trump and too_low)
    if undertrump:
        refuses = suit_of(card) != trump and trumps and not partner_wins
        return not too_low and not refuses
    return partner_wins or not can_win or power(card, trump, led) > best
