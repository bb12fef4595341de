"""PPO on Sheephead: what it writes and measures (what it shares with Hokm's is tested there)."""

import json

import pytest

from experiments.common.meetings import FINALS, meeting
from experiments.configs.sheephead_ppo import get_config
from experiments.sheephead_ppo import EXPERIMENT


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    where = tmp_path_factory.mktemp("sheephead")
    config = get_config("quick")
    config.check_deals, config.finals = 4, (("rules", 4), ("random", 4))
    del config.curves["mixed"]
    for curve in config.curves.values():
        curve.iterations = 2
        curve.settings.update(deals=16, batch=64, epochs=1)
        curve.settings.network.hidden = curve.settings.critic.hidden = 16
    EXPERIMENT.carry_out(where, config)
    return where


def test_finals_are_duplicate_deals(folder):
    finals = json.loads((folder / "finals.json").read_text())
    assert [(f["curve"], f["plays"], f["opponent"]) for f in finals] == [
        (curve, plays, opponent)
        for curve, plays in (("self_play", "sample"), ("self_play", "best"))
        for opponent in ("rules", "random")
    ]
    agent = f"net:{folder / 'networks' / 'self_play-0'},play=best"
    again = meeting(agent, "rules", "python_sheephead", 4, FINALS)
    assert {key: finals[2][key] for key in again} == again


def test_report_and_figures(folder):
    assert "against itself: all five seats learn" in (folder / "report.md").read_text()
    figures = {path.name for path in (folder / "figures").iterdir()}
    assert figures == {"strength.pdf", "strength.png", "strength.csv"}
