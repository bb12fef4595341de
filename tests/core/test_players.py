"""Rule-based players: they play by the rules, and by what they may see, in every variant."""

import numpy as np
import pytest

from spielgames.agents import RuleAgent
from spielgames.contest import pair_lineups, play_deals
from spielgames.core import one_game
from spielgames.core.batch import Batch
from spielgames.core.game import initial_state
from spielgames.core.players import choice_sets
from spielgames.core.registry import find
from spielgames.testing.positions import random_actions
from tests.variants import FULL, SMALL, WALKED

# Rules that change what there is to choose.
OTHERS = [
    "python_coinche(reward=made_and_announced,belote=true,undertrump=true,capot=false)",
    "python_hokm(trump=heuristic)",
    "python_hearts(jd_bonus=true,avoid_all_tricks_bonus=true,qs_breaks_hearts=false)",
    "python_hearts(must_break_hearts=false,can_lead_any_club=true,no_pts_on_first_trick=false)",
    "python_hearts(can_lead_hearts_instead_of_qs=true,pass=hold)",
    "python_sheephead(duties=false,doubled=true)",
]
WORLDS = 3


def levels(name: str) -> range:
    return range(len(find(name)[0].levels))


def choices(states: np.ndarray, level: int) -> np.ndarray:
    sets = np.empty(len(states), np.uint64)
    choice_sets(states, level, sets)
    return sets


def random_moments(name: str, games: int, seed: int):
    """A batch at every step of random play, and which of its games still run."""
    batch = Batch(name, games, seed)
    rng = np.random.default_rng(seed)
    while batch.running():
        yield batch, batch.actors() >= 0
        batch.step(random_actions(batch, rng))


@pytest.mark.parametrize("name", FULL + OTHERS + SMALL + WALKED)
def test_a_rule_based_player_always_chooses_something_legal(name):
    for batch, runs in random_moments(name, 300, seed=21):
        for level in levels(name):
            chosen = choices(batch.states[runs], level)
            assert (chosen != 0).all()
            assert (chosen & ~batch.legal_sets()[runs] == 0).all()


@pytest.mark.parametrize("name", FULL + OTHERS + SMALL)
def test_a_rule_based_player_does_not_peek(name):
    for batch, runs in random_moments(name, 40, seed=22):
        seen = Batch.of_states(batch.game, batch.variant, batch.states[runs])
        worlds = seen.worlds(count=WORLDS, seed=5)
        for level in levels(name):
            here = choices(seen.states, level)
            np.testing.assert_array_equal(choices(worlds.states, level), here.repeat(WORLDS))


@pytest.mark.parametrize("name", FULL + OTHERS + SMALL)
def test_rules_play_legally_among_themselves(name):
    """Their positions are not those of random play."""
    batch = Batch(name, 300, seed=23)
    rng = np.random.default_rng(4)
    level = 0
    while batch.running():
        runs = batch.actors() >= 0
        chosen = choices(batch.states[runs], level)
        assert (chosen & ~batch.legal_sets()[runs] == 0).all() and (chosen != 0).all()
        flags = (chosen[:, None] >> np.arange(batch.game.actions, dtype=np.uint64) & 1) > 0
        actions = np.zeros(len(batch), np.int64)
        actions[runs] = (rng.random(flags.shape) * flags).argmax(1)
        batch.step(actions)


@pytest.mark.parametrize("name", FULL)
def test_there_is_nothing_to_choose_where_no_seat_is_to_move(name):
    batch = Batch(name, 20, seed=24)
    rng = np.random.default_rng(5)
    while batch.running():
        batch.step(random_actions(batch, rng))
    undealt = initial_state(batch.game, batch.variant)
    one_game.start(undealt)
    for level in (-1, *levels(name)):
        assert not choices(batch.states, level).any()
        assert not choices(undealt, level).any()


@pytest.mark.parametrize("name", FULL)
def test_rules_beat_random(name):
    """By more than five standard errors, in every level."""
    for level in levels(name):
        agents = [RuleAgent(name, level), RuleAgent(name, -1)]
        lineups = pair_lineups(agents[0].game)
        utilities = play_deals(agents, lineups, 2000, seed=31)
        gains = np.where(lineups == 0, utilities, 0).sum(axis=(1, 2))
        assert gains.mean() > 5 * gains.std() / np.sqrt(len(gains))
