"""Leaf correlation, bias and disambiguation, where they can be worked out otherwise."""

import json
from pathlib import Path

import numpy as np
import pytest

from analysis.hidden_information import __main__ as command
from analysis.hidden_information.measures import (
    Decisions,
    count_worlds,
    leaves_agree,
    measure,
    play,
    shrinking,
)
from spielgames import Batch
from spielgames.agents import make_agent
from spielgames.core.cards import members
from spielgames.testing.worlds import consistent_pasts, positions

ROOT = Path(__file__).parents[2]
SMALL = [
    "python_coinche(suits=2,ranks=4,levels=1,capot=false,doubling=false)",
    "python_hearts(suits=2,ranks=4,pass=left,pass_count=1)",
    "python_sheephead(ranks=2)",
]


@pytest.mark.parametrize("name", SMALL)
def test_worlds_are_counted_exactly(name):
    for target in np.split(positions(name, 8), 8):
        found = np.empty(1)
        count_worlds(target, found)
        possible = consistent_pasts(name, target, int(target["turn"][0]))
        assert found[0] == len(np.unique(possible["hands"], axis=0))


def test_leaves_agree_where_the_mover_can_change_nothing():
    """Played out one by one."""
    name = "python_hearts(ranks=5)"
    _, last = play(make_agent("rules", name), deals=60, seed=2)
    batch = Batch(name, 1)
    expected = []
    for state in np.split(last, len(last)):
        results, is_last = set(), True
        seat = int(state["turn"][0])
        for action in members(Batch.of_states(batch.game, batch.variant, state).legal_sets()[0]):
            after = Batch.of_states(batch.game, batch.variant, state.copy())
            after.step(np.array([action]))
            while after.running():
                options = members(after.legal_sets()[0])
                is_last &= len(options) == 1
                after.step(np.array(options[:1]))
            results.add(float(after.returns()[0, seat]))
        if is_last:
            expected.append(len(results) == 1)
    found = leaves_agree(Batch.of_states(batch.game, batch.variant, last))
    assert sorted(found) == sorted(expected)
    assert 0 < sum(expected) < len(expected)


def test_the_worlds_of_a_seat_shrink_from_its_one_decision_to_the_next():
    """Seat 0 goes from 64 worlds to 16 and 4, seat 1 from 32 to 8: a quarter remains each time."""
    columns = {
        "deal": [0, 0, 0, 0, 0, 1, 1],
        "seat": [0, 1, 0, 1, 0, 1, 1],
        "number": [0, 1, 2, 3, 4, 0, 1],
        "worlds": [6.0, 5, 4, 3, 2, 7, 5],
        "agree": [True] * 7,
        "tries": [4] * 7,
    }
    found = Decisions(**{key: np.array(column) for key, column in columns.items()})
    assert shrinking(found) == pytest.approx([0.75, 0.75, 0.75])


def test_less_hides_and_less_can_change_as_a_deal_goes_on():
    found = measure(make_agent("random", "python_hearts(ranks=4,pass=hold)"), deals=100, seed=3)
    assert found.agreement_by_progress[-1] > found.agreement_by_progress[0]
    assert found.worlds_by_progress[-1] < found.worlds_by_progress[0]
    assert found.bias[0] == pytest.approx((1 + np.sqrt(2 * found.agreement[0] - 1)) / 2)
    assert found.accepted == 1


def test_the_command_writes_what_its_table_says(tmp_path, capsys):
    games = ["python_snapszer", "python_snapszer(hand=3)"]
    settings = {"deals": 20, "pimc_deals": 2, "seed": 1}
    command.analyse(games, settings, tmp_path)
    kept = json.loads((tmp_path / "results.json").read_text())
    assert [variant["name"] for variant in kept["variants"]] == games
    (correlation, *_) = kept["variants"][1]["rules"]["leaf_correlation"]
    assert f"| Snapszer(hand=3) | {correlation:16.2f} |" in capsys.readouterr().out
    for kind in ("pdf", "png", "csv"):
        assert (tmp_path / f"figure.{kind}").stat().st_size > 100


def test_the_committed_prediction_follows_from_the_committed_variants():
    path = ROOT / "experiments/results/hidden_information/results.json"
    kept = json.loads(path.read_text())
    assert command.prediction(kept["variants"]) == kept["prediction"]
    assert [variant["name"] for variant in kept["variants"]] == list(command.VARIANTS)
