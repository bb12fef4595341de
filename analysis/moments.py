"""Information sets in words: what a seat sees there, and what its actions are called."""

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from functools import partial
from typing import Any

import numpy as np
import pyspiel

from spielgames.core.game import Game
from spielgames.core.registry import find, is_ours
from spielgames.core.story import action_word, recall_words, seat_facts
from spielgames.core.tree import Tree, decisions

Place = tuple[int, int]  # a seat, and one of its information sets


@dataclass(frozen=True)
class Moment:
    seen: str  # own cards and all that happened
    facts: dict[str, Any]  # what lies open now; none of OpenSpiel's own games
    word: Callable[[int], str]  # of an action


def moments(tree: Tree, places: Iterable[Place]) -> dict[Place, Moment]:
    """Found by walking the game once more: a tree remembers no states."""
    wanted = set(places)
    if not wanted:
        return {}
    return our_moments(tree, wanted) if is_ours(tree.name) else foreign_moments(tree, wanted)


def our_moments(tree: Tree, wanted: set[Place]) -> dict[Place, Moment]:
    game, _ = find(tree.name)
    passed = [0] * tree.players
    found = {}
    for states in decisions(tree.name):
        for seat in range(tree.players):
            rows = np.flatnonzero(states["turn"] == seat)
            for i in range(passed[seat], passed[seat] + len(rows)):
                if (seat, i) in wanted:
                    row = rows[i - passed[seat]]
                    found[seat, i] = our_moment(game, states[row : row + 1].copy(), seat)
            passed[seat] += len(rows)
    return found


def our_moment(game: Game, row: np.ndarray, seat: int) -> Moment:
    facts = {k: v for k, v in seat_facts(game, row, seat).items() if k not in ("seat", "turn")}
    return Moment(recall_words(game, row, seat), facts, partial(action_word, game, row))


def foreign_moments(tree: Tree, wanted: set[Place]) -> dict[Place, Moment]:
    keys = {(seat, str(tree.seats[seat].key[i])): (seat, i) for seat, i in wanted}
    found: dict[Place, Moment] = {}
    for state in deciding(pyspiel.load_game(tree.name).new_initial_state()):
        seat = state.current_player()
        seen = state.information_state_string(seat)
        place = keys.get((seat, seen))
        if place and place not in found:
            words = partial(state.action_to_string, seat)
            found[place] = Moment(f"seat {seat} | {seen}", {}, words)
            if len(found) == len(wanted):
                break
    return found


def deciding(state: pyspiel.State) -> Iterator[pyspiel.State]:
    """Every history at which a seat is to move."""
    if state.is_terminal():
        return
    if not state.is_chance_node():
        yield state
    for action in state.legal_actions():
        yield from deciding(state.child(action))
