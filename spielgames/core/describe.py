"""A deal in words: its history, what a seat has seen, and what lies on the table."""

from collections.abc import Iterator
from typing import Any, NamedTuple

import numpy as np

from spielgames.core import one_game
from spielgames.core.cards import lowest
from spielgames.core.game import Game
from spielgames.core.record import (
    CHANCE,
    NOBODY,
    OUTSIDER,
    TERMINAL,
    State,
    event_action,
    event_seat,
    is_visible,
)


class PlayerAction(NamedTuple):
    """A step of a history, named like OpenSpiel's own (which Python cannot construct)."""

    player: int
    action: int


def steps(row: np.ndarray) -> Iterator[tuple[np.ndarray, int]]:
    """Every step from the start of the deal, placing cards included: the state before it (one
    array, which moves on) and the action.
    """
    r = row.copy()
    one_game.start(r)
    yield from later_steps(r, row)


def later_steps(r: np.ndarray, row: np.ndarray) -> Iterator[tuple[np.ndarray, int]]:
    """The same from a state `r` on, which moves on."""
    while (a := one_game.follow(r, row)) >= 0:
        yield r, a
        one_game.step(r, a)


def history(row: np.ndarray) -> list[PlayerAction]:
    """Every step, with the player who made it."""
    return [PlayerAction(int(r["turn"][0]), a) for r, a in steps(row)]


def action_word(game: Game, row: np.ndarray, a: int) -> str:
    """The name of an action, or of the place where chance puts the next card."""
    s = row[0]
    names = game.places if s.undealt != 0 else game.actions
    if not 0 <= a < names:
        raise ValueError(f"there is no action {a}; actions range from 0 to {names - 1}")
    if s.undealt != 0:
        card = game.card_name(lowest(s.undealt))
        place = f"seat {a}" if a < game.players else game.piles[a - game.players]
        return f"{card} to {place}"
    return game.action_name(s, a)


def events(game: Game, row: np.ndarray) -> Iterator[tuple[int, str]]:
    """Each event since the deal: its packed form and its name."""
    for s, event in passages(row):
        yield event, game.action_name(s, event_action(event))


def passages(row: np.ndarray) -> Iterator[tuple[State, int]]:
    """Each event since the deal, after the state before it (one record, which moves on)."""
    r = row.copy()
    one_game.start_dealt(r, row)
    yield from later_passages(r, row)


def later_passages(r: np.ndarray, row: np.ndarray) -> Iterator[tuple[State, int]]:
    """The same from a state `r` on, which moves on."""
    for event in row["events"][0][r["length"][0] : row["length"][0]].tolist():
        yield r[0], event
        one_game.step(r, event_action(event))
        while r["undealt"][0] != 0 and (a := one_game.follow(r, row)) >= 0:
            one_game.step(r, a)


def maker(event: int) -> str:
    """The maker of a move, or the seat that got the card that chance drew."""
    who = event_seat(event)
    return "chance" if who == NOBODY else str(who)


def event_words(game: Game, row: np.ndarray, seat: int) -> str:
    """A seat's view of the events: `0:7♣ 1:? …`, with a question mark where it could not see the
    move.
    """
    words = []
    for event, word in events(game, row):
        words.append(f"{maker(event)}:{word if is_visible(event, seat) else '?'}")
    return " ".join(words)


def recall_words(game: Game, row: np.ndarray, seat: int) -> str:
    """The information state: the seat's cards, all that it saw, in order, and whose turn it is."""
    s = row[0]
    dealt, gained = (" ".join(game.card_names(c[seat])) for c in (s.dealt, s.gained))
    return f"seat {seat} | {dealt} | {gained} | {event_words(game, row, seat)} | {stage_words(s)}"


def public_words(game: Game, row: np.ndarray) -> str:
    """All that everybody has seen."""
    shown = " ".join(game.card_names(row["public"][0]))
    return f"{shown} | {event_words(game, row, OUTSIDER)} | {stage_words(row[0])}"


def stage_words(s: State) -> str:
    return "dealing" if s.undealt != 0 else f"turn {turn_word(s.turn)}"


def turn_word(turn: int) -> str | int:
    return {CHANCE: "chance", TERMINAL: "over"}.get(int(turn), int(turn))


def seat_facts(game: Game, row: np.ndarray, seat: int) -> dict[str, Any]:
    """All that a seat sees now, ready for JSON."""
    s = row[0]
    return {
        "seat": seat,
        "turn": turn_word(s.turn),
        "hand": game.card_names(s.hands[seat]),
        **game.private(s, seat),
        **game.public(s),
    }


def all_facts(game: Game, row: np.ndarray) -> dict[str, Any]:
    """The whole state, ready for JSON: every hand, every hidden pile, and what happened."""
    s = row[0]
    places = [game.card_names(cards) for cards in s.hands]
    return {
        "game": game.name,
        "turn": turn_word(s.turn),
        "hands": places[: game.players],
        "private": [game.private(s, seat) for seat in range(game.players)],
        "piles": dict(zip(game.piles, places[game.players :], strict=True)),
        "undealt": game.card_names(s.undealt),
        **game.public(s),
        "events": [f"{maker(e)}:{word}" for e, word in events(game, row)],
    }


def lines(facts: dict[str, Any]) -> str:
    """Facts as readable lines; empty ones are left out."""
    return "\n".join(f"{key}: {_plain(value)}" for key, value in facts.items() if _plain(value))


def _plain(value: Any) -> str:
    if isinstance(value, dict):
        return ", ".join(f"{k} {_plain(v)}" for k, v in value.items() if _plain(v))
    if isinstance(value, list | tuple):
        nested = any(isinstance(v, list | dict) for v in value)
        return (" / " if nested else " ").join(_plain(v) for v in value)
    return str(value)


def describe_actions(game: Game, s: State, actions: list[int]) -> str:
    """`7♣ (0), A♠ (31)`; `nothing` for a game that is over."""
    return ", ".join(f"{game.action_name(s, a)} ({a})" for a in actions) or "nothing"
