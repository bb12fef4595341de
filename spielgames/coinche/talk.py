"""How Coinche is talked about."""

from spielgames.coinche.rules import PASS, are_partners
from spielgames.coinche.scores import is_made, points_made
from spielgames.coinche.tables import RANKS
from spielgames.coinche.words import CALLS, DOUBLES, call_name
from spielgames.core.cards import NONE, has, lane
from spielgames.core.record import State
from spielgames.core.talk import FRENCH, PLAY, Talk
from spielgames.core.words import SUIT_WORDS


def kind(s: State, a: int) -> str:
    return PLAY if s.playing else CALLS.get(a, "bid")  # these calls are their own kinds


def prompt(s: State) -> str:
    return "play a card" if s.playing else "bid, or pass"


def why_not(s: State, card: int) -> str:
    hand = s.hands[s.turn]
    led, trumps = s.trick[0] // RANKS, hand & lane(s.trump, RANKS)
    if hand & lane(led, RANKS) != NONE:
        if led == card // RANKS:
            return "you must play a higher trump"
        return f"you must follow {SUIT_WORDS[led]}"
    if not has(trumps, card):
        return f"you have no {SUIT_WORDS[led]}, so you must trump"
    if are_partners(s.turn, s.winning):
        return "if you trump, it must be a higher trump"
    return "you must play a higher trump"


def trump(s: State) -> int | None:
    return int(s.trump) if s.playing else None


def contract(s: State) -> str:
    return "" if s.contract == PASS else call_name(s, s.contract) + DOUBLES[s.doubled]


def roles(s: State) -> dict[int, str]:
    return {} if s.contract == PASS else {int(s.bidder): "declarer"}


def winner(s: State) -> int:
    return int(s.winning if s.in_trick else s.leader)


def ending(s: State) -> str:
    if s.contract == PASS:
        return "All passed: nobody scores."
    team = int(s.bidder) & 1
    made = "made" if is_made(s, team) else "failed"
    ours, theirs = points_made(s, team), points_made(s, 1 - team)
    return f"{contract(s)} {made}: {ours} points for the declarers, {theirs} for the others."


TALK = Talk(
    about="Two partners bid how many points they will take, and choose the trump suit by that.",
    match="to 1000 points",
    deck=FRENCH,
    kind=kind,
    prompt=prompt,
    why_not=why_not,
    trump=trump,
    contract=contract,
    roles=roles,
    winner=winner,
    ending=ending,
)
