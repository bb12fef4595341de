"""IS-MCTS with our resampler finds moves that brute force shows to be best."""

import numpy as np
import pyspiel
import pytest
from open_spiel.python.algorithms import (
    ismcts,
    mcts,
)

from spielgames.core.record import CHANCE
from tests.openspiel.tree import COINCHE, HEARTS, HOKM_PLAY, SHEEPHEAD, SNAPSZER_DRAW, Tree


def clear_positions(tree):
    """Decisions where one action, on average over all worlds the mover must reckon with, is better
    than any other whatever anybody does later. First those where it is a mistake in the true world,
    or worth something else there, which tells who peeks. As (misleading, off, gap, history, action,
    low, high)."""
    low, high = bounds(tree)
    choices = [k for k, turn in enumerate(tree.turns) if turn >= 0 and len(tree.children[k]) > 1]
    worlds = {}
    for k, key in zip(choices, tree.knowledge(choices), strict=True):
        worlds.setdefault(key, []).append(k)
    found = [clear_position(tree, nodes, low, high) for nodes in worlds.values()]
    return sorted((p for p in found if p[2] > 0), key=lambda p: p[:3], reverse=True)


def clear_position(tree, nodes, low, high):
    seat = tree.turns[nodes[0]]
    worst = np.array([low[tree.children[k], seat] for k in nodes])
    best = np.array([high[tree.children[k], seat] for k in nodes])
    means = worst.mean(axis=0), best.mean(axis=0)
    i = means[0].argmax()
    others = np.arange(len(means[0])) != i
    mistakes = best[:, i] < worst[:, others].max(axis=1)
    off = np.maximum(worst[:, i] - means[1][i], means[0][i] - best[:, i])
    w = max(range(len(nodes)), key=lambda w: (mistakes[w], off[w]))
    gap = means[0][i] - means[1][others].max()
    action = tree.actions[tree.children[nodes[w]][i]]
    return mistakes[w], off[w], gap, nodes[w], action, means[0][i], means[1][i]


def bounds(tree):
    """The least and the most that each seat may get from each history on."""
    low, high = tree.payoffs.copy(), tree.payoffs.copy()
    for k in range(len(tree) - 1, -1, -1):
        children = tree.children[k]
        if tree.turns[k] == CHANCE:
            p = np.array([tree.chances[c] for c in children])
            low[k], high[k] = p @ low[children], p @ high[children]
        elif children:
            low[k], high[k] = low[children].min(axis=0), high[children].max(axis=0)
    return low, high


@pytest.mark.parametrize("name", [COINCHE, HOKM_PLAY, HEARTS, SHEEPHEAD, SNAPSZER_DRAW])
def test_ismcts(name):
    """It finds the clearly best action, and what that is worth, from worlds that we sample."""
    game = pyspiel.load_game(name)
    tree = Tree(game.new_initial_state())
    positions = clear_positions(tree)[:3]
    assert positions
    for _, _, _, node, action, low, high in positions:
        policy, values = searched(game, tree.face(node))
        assert policy[action] == 1.0
        margin = 0.05 * (game.max_utility() - game.min_utility())
        assert low - margin <= values[action] <= high + margin


def searched(game, state):
    """The policy of the bot at a state, and the value it gives to each action."""
    luck = np.random.RandomState(7)  # noqa: NPY002
    span = game.max_utility() - game.min_utility()
    rollouts = mcts.RandomRolloutEvaluator(1, luck)
    bot = ismcts.ISMCTSBot(game, rollouts, span / 4, 400, random_state=luck)
    sampler = pyspiel.UniformProbabilitySampler(7, 0.0, 1.0)  # the bot's own is seeded by the clock
    bot.set_resampler(lambda state, seat: state.resample_from_infostate(seat, sampler))
    policy = dict(bot.get_policy(state))
    return policy, {a: child.value() for a, child in bot._root_node.child_info.items()}
