"""A deal as people write it down: hands, and what was said and played.

    game: snapszer
    seat 0: As 10s Kh Qh Jd
    seat 1: Ac 10c Kd Qd Js
    moves: Kh, Ac, …

The piles have lines, too: `talon:`, `blind:`, or in Hokm `preview:`, the Hakem's first cards. Moves
are separated by commas or lines; what chance does after the dealing is written among them. Places
that are not written get the cards that are left, in order.
"""

from pathlib import Path

import numpy as np
import pyspiel

from spielgames.core.cards import lowest, members
from spielgames.core.game import Game
from spielgames.core.registry import find, full_name
from spielgames.core.state import CardState
from spielgames.play.reading import Misread, parts, read_move

Hands = dict[int, list[int]]  # the cards of seats and piles that are still to be dealt
DESCRIPTION = "a typed deal has lines such as 'game: hearts', 'seat 0: As 10h', 'moves: 2c, 5c'"


def read_typed(path: Path) -> CardState:
    """The position that a file describes; a ValueError says what is broken."""
    try:
        return place_typed(path.read_text(encoding="utf-8", errors="replace"))
    except ValueError as error:
        raise ValueError(f"{path}: {error}") from None


def place_typed(text: str) -> CardState:
    """The position that a text describes."""
    fields = read_lines(text)
    if "game" not in fields:
        raise ValueError(DESCRIPTION)
    name = full_name(" ".join(fields.pop("game")))
    game, _ = find(name)
    state = pyspiel.load_game(name).new_initial_state()
    moves = [move.strip() for line in fields.pop("moves", []) for move in line.split(",")]
    hands = read_hands(game, state.row, fields)
    return follow_typed(state, hands, [move for move in moves if move])


def read_lines(text: str) -> dict[str, list[str]]:
    """The lines below each heading; a line without one belongs to the heading before it."""
    fields: dict[str, list[str]] = {}
    heading = ""
    for line in filter(None, map(str.strip, text.splitlines())):
        before, colon, after = line.partition(":")
        heading = before.strip().lower() if colon else heading
        if not heading:
            raise ValueError(DESCRIPTION)
        fields.setdefault(heading, []).append(after if colon else line)
    return fields


def read_hands(game: Game, row: np.ndarray, fields: dict[str, list[str]]) -> Hands:
    names = [f"seat {seat}" for seat in range(game.players)] + list(game.piles)
    for heading in fields:
        if heading not in names:
            raise ValueError(f"{heading!r} is no heading here; they are {', '.join(names)}, moves")
    deck = {tuple(parts(word)): card for card, word in zip(*named_cards(game, row), strict=True)}
    hands = {
        names.index(heading): [read_card(word, deck) for word in " ".join(lines).split()]
        for heading, lines in fields.items()
    }
    everything = [card for hand in hands.values() for card in hand]
    twice = next((card for card in everything if everything.count(card) > 1), None)
    if twice is not None:
        raise ValueError(f"{game.card_name(twice)} is in the hands twice")
    return hands


def named_cards(game: Game, row: np.ndarray) -> tuple[list[int], list[str]]:
    """The cards of the deck, and their names."""
    cards = list(members(row["deck"][0]))
    return cards, [game.card_name(card) for card in cards]


def read_card(word: str, deck: dict[tuple[str, ...], int]) -> int:
    found = deck.get(tuple(parts(word)))
    if found is None:
        raise ValueError(f"{word!r} is not a card of this deck; write 10h, Qs, …")
    return found


def follow_typed(state: CardState, hands: Hands, moves: list[str]) -> CardState:
    """Deal the hands, and make the moves."""
    said = iter(enumerate(moves, 1))
    while not state.is_terminal():
        action = next_place(state, hands) if state.is_chance_node() else None
        if action is None:
            number, word = next(said, (0, ""))
            if not number:
                break
            action = read_typed_move(state, number, word)
        state = state.child(action)
    if any(hands.values()):
        raise ValueError("not all written cards can be dealt: a hand is too big, or the moves end")
    if number_left := len(list(said)):
        raise ValueError(f"the deal is over, and {number_left} moves are left")
    return state


def next_place(state: CardState, hands: Hands) -> int | None:
    """The hand or pile that gets the next card; None if chance is not dealing, but does something
    that must be written.
    """
    places, s = [action for action, _ in state.chance_outcomes()], state.row[0]
    if not s.undealt:
        return places[0] if len(places) == 1 else None
    card = lowest(s.undealt)
    wanted = next((place for place, hand in hands.items() if card in hand), None)
    if wanted in places:
        hands[wanted].remove(card)
        return wanted
    free = [p for p in places if s.room[p] > len(hands.get(p, ()))] or places
    return free[0] if wanted is None else free[-1]  # a stock, from which it is dealt later


def read_typed_move(state: CardState, number: int, word: str) -> int:
    game, s = state.definition, state.row[0]
    words = {a: game.action_name(s, a) for a in state.legal_actions()}
    deck = named_cards(game, state.row)[1]
    try:
        return read_move(word, words, dict.fromkeys(deck, ""), deck)
    except Misread as error:
        why = str(error).removesuffix(" (help lists the commands)")
        raise ValueError(f"move {number}: {why}") from None
