"""How Hearts is talked about."""

from spielgames.core.cards import NONE, count, lane
from spielgames.core.record import CHANCE, State
from spielgames.core.talk import FRENCH, PLAY, Talk
from spielgames.core.words import SUIT_WORDS
from spielgames.hearts.rules import ANY_CLUB_LEADS, PLAYERS, RANKS, first_trick
from spielgames.hearts.scoring import final_points, moon_shooter
from spielgames.hearts.words import DIRECTIONS


def kind(s: State, a: int) -> str:
    if s.turn == CHANCE:
        return "direction"
    return "pass_card" if s.passing else PLAY


def choose(s: State) -> int:
    return int(s.pass_count) - count(s.passed[s.turn]) if s.passing else 1


def prompt(s: State) -> str:
    if not s.passing:
        return "play a card"
    left = choose(s)
    return f"pass {left} card{'s' if left > 1 else ''} {DIRECTIONS[s.direction]}"


def why_not(s: State, card: int) -> str:
    if s.passing:
        return "you pass this card"
    if s.in_trick == 0:
        if not first_trick(s):
            return "hearts are not broken yet"
        what = "a club" if s.options & ANY_CLUB_LEADS else "the opening card"
        return f"you must lead {what}"
    led = s.trick[0] // RANKS
    if s.hands[s.turn] & lane(led, RANKS) != NONE:
        return f"you must follow {SUIT_WORDS[led]}"
    return "no points may be played to the first trick"


def winner(s: State) -> int:
    return int(s.winning)


def ending(s: State) -> str:
    shooter = moon_shooter(s)
    points = " : ".join(str(int(final_points(s, seat))) for seat in range(PLAYERS))
    moon = f" Seat {shooter} has shot the moon." if shooter >= 0 else ""
    return f"{points} penalty points.{moon}"


TALK = Talk(
    about="Everybody plays alone, and tries to win no hearts and not the queen of spades.",
    match="to 100 points; the lowest total wins",
    deck=FRENCH,
    kind=kind,
    prompt=prompt,
    choose=choose,
    why_not=why_not,
    winner=winner,
    ending=ending,
)
