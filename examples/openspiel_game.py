"""A game of ours in OpenSpiel: deal it, look at it, and let OpenSpiel's bots play it.

A few seconds: python examples/openspiel_game.py
"""

import random

import numpy as np
import pyspiel
from open_spiel.python.algorithms.evaluate_bots import evaluate_bots

import spielgames  # noqa: F401  (registers the games)
from spielgames.adapters import AgentBot
from spielgames.agents import make_agent

GAME = "python_hearts(pass=left)"


def deal(game: pyspiel.Game, luck: random.Random) -> pyspiel.State:
    """Chance places one card after the other; a state is ready when a seat is to move."""
    state = game.new_initial_state()
    while state.is_chance_node():
        places, chances = zip(*state.chance_outcomes(), strict=True)
        state.apply_action(luck.choices(places, chances)[0])
    return state


def main(deals: int = 50) -> None:
    game, luck = pyspiel.load_game(GAME), random.Random(1)
    state = deal(game, luck)
    seat = state.current_player()
    print(state.observation_string(seat))
    print("it may pass:", *(state.action_to_string(a) for a in state.legal_actions()))

    # The tensors are made of named pieces. Those of the information state forget nothing.
    observer = game.make_py_observer()
    observer.set_from(state, seat)
    print("pieces:", {name: piece.shape for name, piece in observer.dict.items()})
    print("information state:", len(state.information_state_tensor(seat)), "flags")

    # Another deal that the seat cannot tell from this one, drawn uniformly from all of them.
    world = state.resample_from_infostate(seat, luck.random)
    assert world.information_state_string(seat) == state.information_state_string(seat)

    # Our rule-based player as OpenSpiel's bot, against OpenSpiel's random bots.
    bots = [AgentBot(make_agent("rules", GAME), seed=1)]
    bots += [pyspiel.make_uniform_random_bot(seat, seat) for seat in (1, 2, 3)]
    rng = np.random.default_rng(1)
    points = np.mean([evaluate_bots(deal(game, luck), bots, rng) for _ in range(deals)], axis=0)
    print("points per deal:", points.round(1), "(the rule-based player is in seat 0)")


if __name__ == "__main__":
    main()
