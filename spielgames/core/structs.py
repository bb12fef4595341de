"""States, observations and actions as OpenSpiel's structs, which are JSON (OpenSpiel 2.0).

A state's struct has the whole `history`, from which `new_initial_state` restores it. An action's
struct has its `id` and its `name`; either is enough to read it.
"""

import json
from typing import Any

import numpy as np
import pyspiel

from spielgames.core import describe
from spielgames.core.game import Game
from spielgames.core.record import CHANCE, TERMINAL

Struct = dict[str, Any]
PLAYERS = {CHANCE: "Chance", TERMINAL: "Terminal"}  # as OpenSpiel's own games have them


def state_struct(game: Game, row: np.ndarray) -> Struct:
    """The whole state, hidden cards included."""
    history = [int(step.action) for step in describe.history(row)]
    return common(row) | {"history": history} | describe.all_facts(game, row)


def observation_struct(game: Game, row: np.ndarray, seat: int) -> Struct:
    """What a seat sees."""
    return common(row) | {"observing_player": seat} | describe.seat_facts(game, row, seat)


def common(row: np.ndarray) -> Struct:
    turn = int(row["turn"][0])
    return {"current_player": PLAYERS.get(turn, f"Player_{turn}")}


def action_struct(game: Game, row: np.ndarray, action: int) -> Struct:
    return {"id": action, "name": describe.action_word(game, row, action)}


def read_action(struct: Struct, names: dict[int, str]) -> int:
    """The action of a struct, by its id, or else by its name; `names` are those of the legal
    actions.
    """
    if isinstance(struct.get("id"), int):
        return struct["id"]
    found = [action for action, name in names.items() if name == struct.get("name")]
    if len(found) != 1:
        allowed = ", ".join(f"{name} ({action})" for action, name in names.items())
        raise ValueError(f"{struct} is not an action: give the id or the name of one of {allowed}")
    return found[0]


def history_of(start: pyspiel.StateStruct | Struct | str) -> list[int]:
    """The history in a state's struct, in any of its three forms."""
    given = start.to_dict() if isinstance(start, pyspiel.StateStruct) else start
    try:
        history = (json.loads(given) if isinstance(given, str) else given)["history"]
        if not all(type(action) is int for action in history):
            raise TypeError
    except (ValueError, KeyError, TypeError):
        raise ValueError(
            'a state is restored from its struct, which has a "history": [numbers of actions]'
        ) from None
    return history
