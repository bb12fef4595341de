"""The leaderboard: what is played, what is not played again, and what the board says."""

import json

import numpy as np
import pytest

from analysis.page_numbers import written
from experiments import leaderboard
from experiments.configs.leaderboard import AGENTS, GAMES, get_config
from experiments.leaderboard import AT_ONCE, COMMITTED, EXPERIMENT
from experiments.reports.leaderboard_page import PAGE, table
from spielgames.agents import make_agent
from spielgames.contest import pair_lineups, play_deals

GAME = "python_snapszer"


def small(deals=AT_ONCE, **agents):
    config = get_config("quick")
    names = {"random": "random", "rules": "rules:standard"} | agents
    config.games = {"snapszer": {"game": GAME, "deals": deals, "agents": names}}
    return config


@pytest.fixture
def played(monkeypatch):
    """Notes what is played, and does not measure time."""
    pairs = []

    def noted(agents, lineups, deals, seed, first):
        pairs.append((first, *(agent.level for agent in agents)))
        return play_deals(agents, lineups, deals, seed, first)

    monkeypatch.setattr(leaderboard, "play_deals", noted)
    monkeypatch.setattr(leaderboard, "decision_time", lambda agent, states: 1e-3)
    monkeypatch.setattr(leaderboard, "decision_points", lambda game: None)
    monkeypatch.setattr(leaderboard, "use_threads", lambda threads: None)
    return pairs


def board(folder):
    return json.loads((folder / "snapszer/board.json").read_text())


def test_only_what_is_new_is_played(tmp_path, played):
    EXPERIMENT.carry_out(tmp_path, small())
    assert len(played) == 1
    first = board(tmp_path)
    EXPERIMENT.carry_out(tmp_path, small())
    assert len(played) == 1
    assert board(tmp_path) == first
    EXPERIMENT.carry_out(tmp_path, small(expert="rules:expert"))
    assert len(played) == 3  # the new one against the other two
    EXPERIMENT.carry_out(tmp_path, small(2 * AT_ONCE, expert="rules:expert"))
    assert [pair[0] for pair in played[3:]] == [AT_ONCE] * 3  # the deals that were missing
    config = small()
    config.seed += 1
    EXPERIMENT.carry_out(tmp_path, config)
    assert len(played) == 7


def test_another_network_in_the_same_place_is_another_agent(tmp_path, played, monkeypatch):
    EXPERIMENT.carry_out(tmp_path, small())
    monkeypatch.setattr(leaderboard, "fingerprint", lambda agent: f"level {agent.level}")
    EXPERIMENT.carry_out(tmp_path, small())
    assert len(played) == 2


def test_the_board_agrees_with_the_deals(tmp_path, played):
    files = EXPERIMENT.carry_out(tmp_path, small(2 * AT_ONCE, expert="rules:expert"))
    found = board(tmp_path)
    agents = [make_agent(spec, GAME) for spec in ("random", "rules:standard", "rules:expert")]
    lineups = pair_lineups(agents[0].game)
    means = {}
    for i, a in enumerate(agents):
        for b in agents[:i]:
            utilities = play_deals([a, b], lineups, 2 * AT_ONCE, found["seed"])
            means[a.level, b.level] = utilities[:, lineups == 0].mean()
    rows = {row["name"]: row for row in found["agents"]}
    assert found["deals"] == 2 * AT_ONCE
    assert [row["mean"] for row in found["agents"]] == sorted(
        (row["mean"] for row in rows.values()), reverse=True
    )
    assert set(rows) == {"random", "rules", "expert"}
    assert np.isclose(sum(row["mean"] for row in rows.values()), 0.0, atol=1e-9)
    for row in rows.values():
        assert row["low"] < row["mean"] < row["high"]
    assert rows["random"]["mean"] < 0 < rows["expert"]["mean"]
    assert all(path.exists() for path in files)
    report = (tmp_path / "report.md").read_text()
    assert "| expert " in report and "1 ms" in report


def test_an_agent_that_sees_hidden_cards_is_refused(tmp_path, played):
    cheat = "pimc:worlds=1,belief=true_hands,caution=0"
    with pytest.raises(ValueError, match="^cheat sees hidden cards: seat "):
        EXPERIMENT.carry_out(tmp_path, small(cheat=cheat))
    assert not played


def test_a_line_that_is_torn_is_played_again(tmp_path, played):
    EXPERIMENT.carry_out(tmp_path, small())
    whole = board(tmp_path)
    path = tmp_path / "snapszer/pairs.jsonl"
    path.write_text(path.read_text()[:-30])
    EXPERIMENT.carry_out(tmp_path, small())
    assert len(played) == 2
    assert board(tmp_path) == whole


def test_the_order_of_the_config_does_not_matter(tmp_path, played):
    EXPERIMENT.carry_out(tmp_path, small())
    config = small()
    config.games.snapszer.agents = {"zzz": "random", "aaa": "rules:standard"}
    EXPERIMENT.carry_out(tmp_path, config)
    assert len(played) == 1


def test_bad_configs_are_refused(tmp_path):
    with pytest.raises(ValueError, match="deals=5 is not allowed; it is at least 20"):
        EXPERIMENT.carry_out(tmp_path, small(deals=5))
    with pytest.raises(ValueError, match="there is no agent 'nobody'"):
        EXPERIMENT.carry_out(tmp_path, small(x="nobody"))
    with pytest.raises(ValueError, match="agent 'random' is named twice"):
        EXPERIMENT.carry_out(tmp_path, small(again="random"))
    config = small()
    config.games.snapszer.agents = {"random": "random"}
    with pytest.raises(ValueError, match="a leaderboard needs at least two agents"):
        EXPERIMENT.carry_out(tmp_path, config)
    assert not list(tmp_path.iterdir())


@pytest.mark.slow
@pytest.mark.parametrize("name", AGENTS)
def test_all_agents_of_the_config_can_be_made(name):
    for spec in AGENTS[name].values():
        make_agent(spec, GAMES[name])


def test_the_committed_boards_are_those_of_the_config_and_of_the_page():
    config = get_config("cpu")
    page = PAGE.read_text(encoding="utf-8")
    for name, settings in config.games.items():
        committed = json.loads((COMMITTED / name / "board.json").read_text())
        agents = {row["name"]: row["spec"] for row in committed["agents"]}
        assert agents == settings.agents.to_dict()
        assert committed["game"] == settings.game
        assert (committed["deals"], committed["seed"]) == (settings.deals, config.seed)
        of_page = page.split(f"<!--board {name}-->\n")[1].split("<!--end-->")[0]
        assert of_page == written(table(name, committed))
