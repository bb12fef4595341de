"""The table as plain text, as one seat may see it, or with everything open."""

import re
from functools import partial
from itertools import groupby
from typing import Any, NamedTuple

import numpy as np

from spielgames.agents import Agent
from spielgames.core import describe
from spielgames.core.cards import SUIT_SYMBOLS, Cards, members
from spielgames.core.game import Game, unit_of
from spielgames.core.openspiel import CardGame
from spielgames.core.record import OUTSIDER, State
from spielgames.explanation import table
from spielgames.play.trick_log import (
    EVERYBODY,
    WIDTH,
    Event,
    events_of,
    on_table,
    pack,
    since,
    takers,
    tell,
    trick_number,
    width,
)

# Where the seats are drawn, (line, column), from the viewer at the bottom on, clockwise.
PLACES = {
    2: ((4, 39), (0, 39)),
    3: ((4, 39), (0, 16), (0, 62)),
    4: ((8, 39), (4, 16), (0, 39), (4, 62)),
    5: ((8, 39), (4, 16), (0, 23), (0, 55), (4, 62)),
    6: ((8, 39), (8, 14), (4, 14), (0, 39), (4, 64), (8, 64)),
}
LABEL = 30  # the room between two seats
ELSEWHERE = {"seat", "turn", "hand", "trick", "auction", "passes", "drawn"}  # shown otherwise


class View(NamedTuple):
    """A position, as a seat or EVERYBODY sees it."""

    face: CardGame
    row: np.ndarray
    names: list[str]  # who sits where
    viewer: int

    @property
    def game(self) -> Game:
        return self.face.definition

    @property
    def unit(self) -> str:
        return unit_of(self.game, self.face.variant)

    @property
    def events(self) -> list[Event]:
        return events_of(self.game, self.row, self.viewer)

    @property
    def taken(self) -> dict[int, str]:
        return takers(self.game, self.row, self.viewer)


def heading(view: View, seed: int | None) -> str:
    """`── Hearts · deal 7 · trick 3 ───`"""
    trick = trick_number(view.game, view.row)
    words = [view.game.title]
    words += [] if seed is None else [f"deal {seed}"]
    words += [f"trick {trick}"] if trick else []
    return f"── {' · '.join(words)} ".ljust(width(), "─")


def label(view: View, seat: int) -> str:
    name = "you" if seat == view.viewer else without_folders(view.names[seat])
    mark = "▸ " if seat == view.row["turn"][0] else ""
    text = f"{mark}seat {seat} · {name}".removesuffix(" · ")
    room = LABEL * width() // WIDTH
    return text if len(text) <= room else f"{text[: room - 1]}…"


def without_folders(name: str) -> str:
    """An agent's name without folders: `net:runs/x/curves/strong-0` is too long for the table."""
    return re.sub(r":[^,=]*/", ":", name)


def cards_out(view: View) -> dict[int, str]:
    """The trick's cards by seat, the first one marked; before the first trick, the last words."""
    events = view.events
    trick = on_table(view.game, events)
    if trick:
        led = {trick[0].seat: trick[0].word + " led"}
        return {event.seat: event.word for event in trick} | led
    if any(event.played for event in events):
        return {}
    said = events_of(view.game, view.row, OUTSIDER)
    return {event.seat: event.word for event in said if event.decided}


def draw_table(view: View) -> str:
    """The seats around the table, and what lies in front of them."""
    players, below = view.game.players, cards_out(view)
    spots = PLACES[players]
    lines = [" " * width()] * (max(line for line, _ in spots) + 3)
    for i, (line, column) in enumerate(spots):
        seat = (max(view.viewer, 0) + i) % players
        texts = label(view, seat), counts(view, seat), below.get(seat, "")
        for shift, text in enumerate(filter(None, texts)):
            lines[line + shift] = put(lines[line + shift], column * width() // WIDTH, text)
    drawn = "\n".join(line.rstrip() for line in lines).rstrip()
    return re.sub(r"\n{3,}", "\n\n", drawn)


def put(line: str, column: int, text: str) -> str:
    """Write into a line, centred on a column."""
    start = max(column - len(text) // 2, 0)
    return line[:start] + text + line[start + len(text) :]


def counts(view: View, seat: int) -> str:
    """A seat's counts so far: `points 3, tricks 1`."""
    facts = view.game.public(view.row[0])
    mine = {key: of[seat] for key, of in facts.items() if is_count(of, view.game.players)}
    return ", ".join(f"{key} {n}" for key, n in mine.items() if n)


def is_count(value: Any, places: int) -> bool:
    """Whether a value has one number for each of the places."""
    fits = isinstance(value, list) and len(value) == places
    return fits and all(isinstance(n, int) for n in value)


def draw_facts(view: View) -> str:
    """Contract, trump, the teams' points, …, in the game's own words."""
    game, s = view.game, view.row[0]
    facts = {key: by_team(game, value) for key, value in game.public(s).items()}
    if view.viewer != EVERYBODY:
        facts |= game.private(s, view.viewer)
    shown = {key: value for key, value in facts.items() if key not in ELSEWHERE}
    shown = {key: value for key, value in shown.items() if not is_count(value, game.players)}
    return pack(describe.lines(shown).splitlines(), "   ")


def by_team(game: Game, value: Any) -> Any:
    """Name the teams in counts per team, and the seats in lists per seat."""
    if game.teams and is_count(value, len(set(game.teams))):
        return {f"{team_name(game, team)}:": n for team, n in enumerate(value)}
    if isinstance(value, list) and len(value) == game.players and not is_count(value, len(value)):
        return {f"seat {seat}": item for seat, item in enumerate(value)}
    return value


def team_name(game: Game, team: int) -> str:
    return "+".join(str(seat) for seat, of in enumerate(game.teams) if of == team)


def sort_hand(game: Game, s: State, cards: Cards) -> list[list[int]]:
    """The suits of a hand from left to right, each from its strongest card down."""
    places = {card: game.place(s, card) for card in members(cards)}
    ordered = sorted(places, key=lambda card: places[card])
    return [list(suit) for _, suit in groupby(ordered, key=lambda card: places[card][0])]


def draw_cards(view: View, cards: Cards) -> str:
    """A hand, suit by suit."""
    suits = sort_hand(view.game, view.row[0], cards)
    return "   ".join(" ".join(map(view.game.card_name, suit)) for suit in suits)


def draw_places(view: View, places: np.ndarray) -> str:
    """The hands and piles that hold cards."""
    names = [f"seat {seat}" for seat in range(view.game.players)] + list(view.game.piles)
    rows = zip(names, places, strict=True)
    return "\n".join(f"  {name:<8} {draw_cards(view, cards)}" for name, cards in rows if cards)


def draw_news(view: View) -> str:
    """All that was said before the first card; later, what happened since the viewer's last move
    (except the cards on the table, which are drawn there).
    """
    news = view.events
    if any(event.played for event in news):
        table = on_table(view.game, news)
        news = since(news[: len(news) - len(table)], view.viewer)
    return tell(news, view.taken, view.viewer)


def draw_history(view: View) -> str:
    return tell(view.events, view.taken, view.viewer) or "  nothing has happened yet"


def list_moves(view: View, actions: list[int]) -> dict[int, str]:
    """The legal moves and their words, in the order of their numbers: cards as in the hand."""
    s, game = view.row[0], view.game
    words = {a: game.action_name(s, a) for a in actions}
    hand = [card for suit in sort_hand(game, s, s.hands[view.viewer]) for card in suit]
    cards = [card for card in hand if words.get(card) == game.card_name(card)]
    return {a: words[a] for a in [*cards, *(a for a in actions if a not in cards)]}


def draw_moves(view: View, moves: dict[int, str]) -> str:
    """The numbered moves; bids as a grid, a line for each value and a column for each suit."""
    cells = {a: f"{number:>2} {word}" for number, (a, word) in enumerate(moves.items(), 1)}
    room = max(map(len, cells.values()))
    kind = partial(view.game.talk.kind, view.row[0])
    bids = {a: (word[:-1], word[-1]) for a, word in moves.items() if kind(a) == "bid"}
    rest = [cell.ljust(room) for a, cell in cells.items() if a not in bids]
    lines = [pack(rest, "  ")] if rest else []
    for _, row in groupby(bids, key=lambda a: bids[a][0]):
        columns = {bids[a][1]: cells[a] for a in row}
        line = "  ".join(columns.get(suit, "").ljust(room) for suit in SUIT_SYMBOLS)
        lines.append(f"  {line}".rstrip())
    return "\n".join(lines)


def draw_hints(view: View, moves: dict[int, str], agent: Agent) -> str:
    """An agent's opinion of each move, and the utility it expects."""
    (explanation,), (value,) = agent.explain(view.row), agent.values(view.row)
    return f"{table(explanation, moves)}\nexpects {value:+.2f} {explanation.unit or view.unit}"


def draw_screen(view: View, seed: int, moves: dict[int, str]) -> str:
    """All that a person needs to choose a move."""
    hand = view.row["hands"][0][view.viewer]
    parts = [
        heading(view, seed),
        draw_news(view),
        draw_table(view),
        draw_facts(view),
        f"  hand  {draw_cards(view, hand)}" if hand else "",
        draw_moves(view, moves),
    ]
    return "\n\n".join(part for part in parts if part)


def draw_open(view: View, seed: int | None) -> str:
    """The table with everything open, for a spectator."""
    hands = draw_places(view, view.row["hands"][0])
    parts = [heading(view, seed), draw_table(view), draw_facts(view), hands]
    return "\n\n".join(part for part in parts if part)
