"""A deal in words: its history, what a seat has seen of it, and what lies on the table."""

from collections.abc import Iterator
from typing import Any

import numpy as np

from spielgames.core import single
from spielgames.core.cards import lowest
from spielgames.core.game import Game
from spielgames.core.record import CHANCE, NOBODY, TERMINAL, event_seat, is_visible
from spielgames.core.text import card_name, card_names


def history(row: np.ndarray) -> list[tuple[int, int]]:
    """Every (player, action) from the start of the deal, chance placing cards included."""
    past: list[tuple[int, int]] = []
    r = row.copy()
    single.start(r)
    while (a := single.follow(r, row)) >= 0:
        past.append((int(r["turn"][0]), a))
        single.move(r, a)
    return past


def action_word(game: Game, row: np.ndarray, a: int) -> str:
    """An action, or where chance puts the next card."""
    s = row[0]
    if s.undealt != 0:
        card = card_name(lowest(s.undealt), game.ranks)
        place = f"seat {a}" if a < game.players else game.piles[a - game.players]
        return f"{card} to {place}"
    return game.action_name(s, a)


def events(game: Game, row: np.ndarray) -> Iterator[tuple[int, str]]:
    """Each event since the deal: its packed form and its words."""
    r = row.copy()
    single.start_dealt(r, row)
    for event in row["events"][0][: row["length"][0]]:
        a = int(event) & 255
        yield int(event), game.action_name(r[0], a)
        single.move(r, a)
        while r["undealt"][0] != 0 and (a := single.follow(r, row)) >= 0:
            single.move(r, a)


def event_words(game: Game, row: np.ndarray, seat: int) -> str:
    """What a seat saw: `0:7♣ 1:? …`; a question mark where it only knows that something happened."""
    words = []
    for event, word in events(game, row):
        who = event_seat(event)
        name = "chance" if who == NOBODY else str(who)
        words.append(f"{name}:{word if is_visible(event, seat) else '?'}")
    return " ".join(words)


def recall_words(game: Game, row: np.ndarray, seat: int) -> str:
    """The information state: own cards and all that was seen, in order."""
    s = row[0]
    dealt, gained = (" ".join(card_names(c[seat], game.ranks)) for c in (s.dealt, s.gained))
    return f"seat {seat} | {dealt} | {gained} | {event_words(game, row, seat)}"


def turn_word(turn: int) -> str | int:
    return {CHANCE: "chance", TERMINAL: "over"}.get(int(turn), int(turn))


def seat_facts(game: Game, row: np.ndarray, seat: int) -> dict[str, Any]:
    """What a seat sees now, ready for JSON."""
    s = row[0]
    return {
        "seat": seat,
        "turn": turn_word(s.turn),
        "hand": card_names(s.hands[seat], game.ranks),
        **game.private(s, seat),
        **game.public(s),
    }


def all_facts(game: Game, row: np.ndarray) -> dict[str, Any]:
    """The whole state, ready for JSON: every hand, every hidden pile, and what happened."""
    s = row[0]
    places = [card_names(cards, game.ranks) for cards in s.hands]
    return {
        "game": game.name,
        "turn": turn_word(s.turn),
        "hands": places[: game.players],
        "private": [game.private(s, seat) for seat in range(game.players)],
        "piles": dict(zip(game.piles, places[game.players :], strict=True)),
        "undealt": card_names(s.undealt, game.ranks),
        **game.public(s),
        "events": [f"{event_seat(e)}:{word}" for e, word in events(game, row)],
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
