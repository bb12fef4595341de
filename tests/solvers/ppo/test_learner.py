"""A run is the same however often it is interrupted; it learns, and its league grows."""

from itertools import count

import numpy as np
import pytest
import torch

from solvers.deep_cfr.learner import Learner as DeepLearner
from solvers.deep_cfr.settings import Settings as DeepSettings
from solvers.environments.environment import ASK, Skip
from solvers.environments.load import load_environment
from solvers.exact.best_response import best_response, nash_conv
from solvers.exact.judge import Judge
from solvers.exact.profiles import load_tree
from solvers.exact.sequence_form import expected_values
from solvers.networks.decisions import best_actions, flags
from solvers.networks.network import make_network, predict
from solvers.networks.settings import MlpSettings
from solvers.ppo import actor_critic, lookahead
from solvers.ppo.league import League
from solvers.ppo.learner import Learner
from solvers.ppo.rollout import Table, play
from solvers.ppo.settings import LookaheadSettings, Settings
from solvers.runs.archive import Archive
from spielgames import Batch
from spielgames.agents import make_agent
from spielgames.core.players import RANDOM

pytestmark = pytest.mark.usefixtures("one_thread")

KUHN = load_environment("kuhn_poker")
HOKM = load_environment("python_hokm(suits=2,ranks=4,trump=heuristic)")
SNAPSZER = load_environment("python_snapszer(suits=2,ranks=3,hand=2)")
HEARTS = load_environment("python_hearts(suits=2,ranks=4,pass=hold)")
TINY = {"hidden": 8, "layers": 2}
QUICK = {"deals": 64, "batch": 32, "epochs": 2, "network": TINY, "critic": TINY}
LEAGUE = {"matches": 2, "arena_every": 2, "arena_deals": 16, "admission": 0.4}
QUICK |= {"league": LEAGUE, "keep_every": 2}
BY_RULES = {"weight": 0.5}
BY_PLAYERS = {"weight": 0.5, "policy": "players"}
KINDS = {
    "league": {},
    "everybody": {"opponents": ("self", "league"), "sharing": "seat", "magnet": {"weight": 0.1}},
    "rules": {"opponents": ("rules", "self"), "shaping": 0.1, "partner": 0.5, "privileged": False},
    "lookahead": {"opponents": ("rules", "league"), "lookahead": BY_RULES},
    "policy": {"opponents": ("rules", "self"), "lookahead": BY_PLAYERS},
}
ITERATIONS = 4


def learner_in(folder, kind="league", env=HOKM, seed=1, **more):
    return Learner(env, Settings.of(QUICK | KINDS[kind] | more), folder, seed)


def run(folder, kind="league", iterations=ITERATIONS):
    learner = learner_in(folder, kind)
    while learner.iteration < iterations:
        learner.iterate()
    return learner


def content(folder):
    files = {p.relative_to(folder): p.read_bytes() for p in folder.rglob("*") if p.is_file()}
    return {path: text for path, text in files.items() if path.name != "state.json"}


class Killed(Exception):
    pass


@pytest.mark.parametrize("kind", KINDS)
def test_a_killed_run_goes_on_as_if_nothing_had_happened(tmp_path, kind, monkeypatch):
    """Killed before each of the things it writes, one after the other."""
    run(tmp_path / "whole", kind)
    whole, alive = content(tmp_path / "whole"), [0, 0]

    def watched(original):
        def change(*args, **named):
            alive[0] += 1
            if alive[0] == alive[1]:
                raise Killed
            return original(*args, **named)

        return change

    for owner, name in ((Archive, "write"), (Archive, "save"), (League, "save")):
        monkeypatch.setattr(owner, name, watched(getattr(owner, name)))
    monkeypatch.setattr(actor_critic, "save_tensors", watched(actor_critic.save_tensors))
    for last in count(2):
        alive[:] = 0, last
        try:
            run(tmp_path / "killed", kind)
        except Killed:
            continue
        break
    assert last > 8
    killed = content(tmp_path / "killed")
    assert killed.keys() == whole.keys()
    assert all(killed[path] == whole[path] for path in whole)


def test_other_seeds_are_other_runs(tmp_path):
    weights = [
        learner_in(tmp_path / str(seed), seed=seed).players()[0].last.weight.tolist()
        for seed in (1, 2)
    ]
    assert weights[0] != weights[1]


def test_what_stays_in_the_folder(tmp_path):
    learner = run(tmp_path)
    names = {path.name for path in (tmp_path / "networks").iterdir()}
    last = {f"{n}-0-000004.safetensors" for n in ("actor", "critic", "average", "memory")}
    frozen = {f"frozen-0-{m.iteration:06d}.safetensors" for m in learner.league.members}
    assert names == last | frozen | {"average-0-000002.safetensors"}
    assert [path.name for path in (tmp_path / "league").iterdir()] == ["000004.json"]


def test_what_a_killed_process_did_not_forget_is_forgotten(tmp_path, monkeypatch):
    def killed(*_):
        raise Killed

    learner = run(tmp_path, iterations=2)
    before = sorted(content(tmp_path))
    with monkeypatch.context() as patch, pytest.raises(Killed):
        patch.setattr(Learner, "_forget", killed)
        learner.iterate()
    assert len(content(tmp_path)) > len(before) + 1
    assert learner_in(tmp_path).iteration == 3
    assert len(content(tmp_path)) == len(before) + 1  # the average of iteration 2 stays


def test_the_last_report_can_be_had_again(tmp_path):
    report = learner_in(tmp_path).iterate()
    assert "reward" in report and learner_in(tmp_path).archive.report() == report


def test_what_is_gone_or_damaged_is_refused(tmp_path):
    run(tmp_path, iterations=1)
    for path in [*tmp_path.glob("networks/*"), *tmp_path.glob("league/*"), tmp_path / "state.json"]:
        content = path.read_bytes()
        path.write_bytes(content[:-1])
        with pytest.raises(ValueError, match=str(path)):
            learner_in(tmp_path)
        path.unlink()
        with pytest.raises((ValueError, OSError), match=str(tmp_path)):
            learner_in(tmp_path)
        path.write_bytes(content)
    assert learner_in(tmp_path).iteration == 1
    with pytest.raises(ValueError, match="actor-0-000001.safetensors holds another network"):
        learner_in(tmp_path, network=TINY | {"hidden": 16})


def test_who_wins_enough_joins_the_league(tmp_path):
    learner = run(tmp_path / "easy")
    assert [member.iteration for member in learner.league.members] == [0, 2, 4]
    proud = learner_in(tmp_path / "hard", league=LEAGUE | {"admission": 1.0})
    reports = [proud.iterate() for _ in range(2)]
    assert "arena" not in reports[0] and 0 < reports[1]["arena"] < 1
    assert [member.iteration for member in proud.league.members] == [0]
    assert proud.league.members[0].lost == reports[1]["arena"]


def test_frozen_is_frozen(tmp_path):
    learner = learner_in(tmp_path)
    before = learner.league.members[0].networks[0].last.weight.clone()
    learner.iterate()
    assert (learner.league.members[0].networks[0].last.weight == before).all()
    assert (learner.models[0].actor.last.weight != before).any()


@pytest.mark.parametrize(
    ("sharing", "env", "groups"),
    [
        ("all", HOKM, [(0, 1, 2, 3)]),
        ("team", HOKM, [(0, 2), (1, 3)]),
        ("seat", HEARTS, [(0,), (1,), (2,), (3,)]),
    ],
)
def test_who_has_a_policy_in_common(tmp_path, sharing, env, groups):
    learner = learner_in(tmp_path, env=env, sharing=sharing)
    assert [p.seats for p in learner.models] == groups
    report = learner.iterate()
    assert all(f"losses-{g}" in report for g in range(len(groups)))
    players = learner.players()
    assert len(set(map(id, players))) == len(groups)


def test_kuhn_poker_is_nearly_solved(tmp_path):
    """Self-play with a magnet; the game is worth −1/18, nobody can gain much any more."""
    net = {"hidden": 32, "layers": 2, "zero_output": True}
    more = {"deals": 1024, "batch": 512, "network": net, "critic": net, "learning_rate": 2e-3}
    more |= {"magnet": {"weight": 0.5, "rate": 0.1}, "entropy": 0.0, "epochs": 4}
    learner = learner_in(tmp_path, env=KUHN, opponents=("self",), sharing="seat", **more)
    tree = load_tree("kuhn_poker")
    judge = Judge(KUHN, tree)
    before = nash_conv(judge.form, judge.policy(learner.players()))
    for _ in range(40):
        learner.iterate()
    after = nash_conv(judge.form, judge.policy(learner.players("magnet")))
    assert before > 0.8
    assert after < 0.15


def test_it_learns_to_beat_a_random_player(tmp_path):
    game = load_environment("python_hokm(suits=2,ranks=8,trump=heuristic)")
    more = {"deals": 256, "batch": 512, "learning_rate": 5e-3, "epochs": 4}
    learner = learner_in(tmp_path, env=game, opponents=("random",), **more)
    start = reward_against_random(learner)
    for _ in range(40):
        learner.iterate()
    assert reward_against_random(learner) > start + 0.15


@pytest.mark.parametrize("lookahead", [BY_RULES, BY_PLAYERS])
def test_an_iteration_may_teach_some_models_or_all_nothing(tmp_path, lookahead):
    """With hands of two cards, a seat of its own often has no choice in the few deals it plays."""
    more = {"sharing": "seat", "opponents": ("rules",), "deals": 1, "magnet": {"weight": 0.1}}
    learner = learner_in(tmp_path, env=HEARTS, lookahead=lookahead, **more)
    learnt = []
    for _ in range(6):
        before = [weights_of(model.actor) for model in learner.models]
        report = learner.iterate()
        after = [weights_of(model.actor) for model in learner.models]
        changed = {f"losses-{g}" for g in range(4) if not torch.equal(before[g], after[g])}
        assert changed == {name for name in report if name.startswith("losses")}
        assert all(torch.isfinite(weights).all() for weights in after)
        learnt.append(len(changed))
    assert min(learnt) < max(learnt)


def weights_of(network):
    return torch.cat([p.detach().flatten().clone() for p in network.parameters()])


def test_lookahead_finds_what_actions_are_worth_with_all_hands_open():
    """By hand: every action is tried, and the rest of the deal is played by the rules."""
    positions, rules = HOKM.deal(0, 20, 3), make_agent("rules", HOKM.name)
    found = lookahead.by_rules(HOKM, [rules] * 4, Skip((ASK, 0, ASK, 0)), positions)
    checked = 0
    for row, state, seat in zip(found, positions.states, positions.actors, strict=True):
        for action in range(HOKM.actions):
            batch = Batch.of_states(HOKM.game, HOKM.variant, state[None].copy(), seed=1)
            if not batch.legal_mask()[0, action]:
                assert row[action] == 0
                continue
            batch.step(np.array([action]))
            while batch.running():
                chances = rules.probabilities(batch.states)
                assert chances.max() == 1  # the rules never draw here
                batch.step(chances.argmax(axis=1))
            assert row[action] == batch.returns()[0, seat]
            checked += 1
    assert checked == 40


def test_lookahead_knows_how_opponents_play():
    """A seat is worth more against random players than against the rules."""
    env = load_environment("python_hokm(trump=heuristic)")
    positions = env.deal(0, 500, 3)
    legal = flags(positions.sets, env.actions)
    worth = {}
    for level in (RANDOM, 0):
        assert (positions.actors == 0).all()
        skip = Skip((ASK, level, ASK, level))
        worth[level] = lookahead.by_rules(env, (), skip, positions)[legal].mean()
    assert worth[RANDOM] > worth[0] + 0.3


@pytest.mark.parametrize("by", ["compiled players", "networks"])
def test_lookahead_finds_what_actions_are_worth_to_the_players(by):
    """By hand: every action is tried, and all play on, one decision at a time."""
    mine, other = (make_network(MlpSettings(**TINY), HOKM.shape, seed) for seed in (1, 2))
    rules = make_agent("rules", HOKM.name)
    players = (mine, rules, mine, rules) if by == "compiled players" else (mine, other) * 2
    skip = Skip((ASK, 0, ASK, 0) if by == "compiled players" else (ASK,) * 4)
    positions = HOKM.deal(0, 20, 3, skip)
    found = lookahead.by_players(HOKM, players, skip, positions)
    assert (found[~flags(positions.sets, HOKM.actions)] == 0).all()
    for row, actions in enumerate(flags(positions.sets, HOKM.actions)):
        for action in np.flatnonzero(actions):
            at = HOKM.follow(positions, np.array([row]), np.array([action]))
            while not at.ended[0]:
                player = players[at.actors[0]]
                if player is rules:
                    chances = rules.probabilities(at.states)
                else:
                    chances = best_actions(at.sets, predict(player, HOKM.encode(at)))
                assert chances.max() == 1  # nobody draws here
                at = HOKM.follow(at, np.array([0]), chances.argmax(axis=1))
            assert found[row, action] == HOKM.returns(at)[0, positions.actors[row]]
    assert len(np.unique(found)) > 2


def test_lookahead_prefers_what_is_worth_more():
    worth = np.array([[1.0, 0.0, 3.0], [0.0, 2.0, 2.0]])
    legal = np.array([[True, False, True], [False, True, True]])
    scale = np.sqrt(0.5)  # of −1, 1, 0, 0
    expected = np.array([[-1, 0, 1], [0, 0, 0]]) / scale
    np.testing.assert_allclose(lookahead.preferences(worth, legal), expected, rtol=1e-6)


def test_lookahead_leads_to_what_the_rules_would_gain_from(tmp_path):
    """The same learner gets there sooner than if next to nothing drew it there."""
    env = load_environment("python_hokm(suits=2,ranks=8,trump=heuristic)")
    more = {"deals": 256, "batch": 256, "learning_rate": 5e-3, "opponents": ("rules",)}
    net = {"kind": "suits", "hidden": 32, "layers": 2, "zero_output": True}
    preferred = {}
    for weight in (1e-9, 10.0):
        folder = tmp_path / str(weight)
        learner = learner_in(folder, env=env, network=net, lookahead={"weight": weight}, **more)
        preferred[weight] = [learner.iterate()["losses-0"]["lookahead"] for _ in range(3)][-1]
    assert preferred[10.0] > preferred[1e-9] + 0.05


def test_lookahead_by_the_players_leads_to_a_best_response(tmp_path):
    """To an even player of a small Snapszer, in both seats; nearly."""
    more = {"opponents": ("random",), "learning_rate": 5e-3, "deals": 1024, "batch": 256}
    more |= {"lookahead": BY_PLAYERS | {"weight": 5.0}, "surrogate": 0.0}
    more |= {"network": {"hidden": 32, "layers": 2}}
    learner = learner_in(tmp_path, env=SNAPSZER, **more)
    tree = load_tree(SNAPSZER.name)
    judge = Judge(SNAPSZER, tree)
    even = judge.profile([None, None])
    best = sum(best_response(judge.form, even, seat).value for seat in (0, 1))

    def reached():
        mine = judge.profile(learner.players(), best_actions)
        met = expected_values(judge.form, [mine[0], even[1]])[0]
        return met + expected_values(judge.form, [even[0], mine[1]])[1]

    start = reached()
    for _ in range(20):
        learner.iterate()
    assert reached() > best - 0.1 * (best - start)


@pytest.mark.parametrize("wins", [False, True])
def test_a_win_may_count_as_much_as_any_other(tmp_path, wins):
    more = {"opponents": ("rules",), "lookahead": BY_RULES, "wins": wins}
    decisions = learner_in(tmp_path, **more)._play(np.random.default_rng(1))
    for found in (decisions.utilities, decisions.action_values):
        assert (np.abs(found).max() > 1) == (not wins)


def test_lookahead_needs_rules(tmp_path):
    with pytest.raises(ValueError, match="kuhn_poker, which has no rule-based player"):
        learner_in(tmp_path, env=KUHN, opponents=("self",), lookahead=BY_RULES)


def test_it_may_begin_with_a_network_of_deep_cfr(tmp_path):
    """And at first only the critic learns."""
    net = {"kind": "suits", "hidden": 8, "layers": 2}
    known = {"network": net, "fit": {"steps": 5, "batch": 64}, "sharing": "all", "traversals": 4}
    deep = DeepLearner(HOKM, DeepSettings.of(known), tmp_path / "deep", seed=1)
    deep.iterate()
    more = {
        "pretrained": {
            "folder": str(tmp_path / "deep"),
            "inverse_temperature": 20.0,
            "critic_warmup": 2,
        },
        "network": net,
    }
    learner = learner_in(tmp_path / "ppo", **more)
    positions = HOKM.deal(0, 50, 3)
    encodings = HOKM.encode(positions)
    advantages = predict(deep.archive.demand("advantages-0", 1, HOKM.shape), encodings)
    for _ in range(3):
        logits = predict(learner.players()[0], encodings)
        np.testing.assert_allclose(logits, 20 * advantages, rtol=1e-3, atol=1e-3)
        critic = learner.models[0].critic.last.weight.clone()
        learner.iterate()
        assert not torch.equal(learner.models[0].critic.last.weight, critic)
    assert not np.allclose(predict(learner.players()[0], encodings), logits, atol=1e-4)
    with pytest.raises(ValueError, match="holds another network"):
        learner_in(tmp_path / "other", **more | {"network": net | {"hidden": 16}})


def test_it_may_begin_with_another_runs_network(tmp_path):
    first = run(tmp_path / "first", iterations=2)
    learner = learner_in(tmp_path / "next", pretrained={"folder": str(tmp_path / "first")}, seed=2)
    for mine, theirs in zip(learner.models, first.models, strict=True):
        before, after = theirs.average.state_dict(), mine.actor.state_dict()
        assert all(torch.equal(before[name], after[name]) for name in before)


def reward_against_random(learner):
    mine = learner.players()
    seats = (mine[0], None, mine[2], None)
    found = play(learner.env, Table(seats, 2000), [mine[0]], first=0, seed=77)
    return found.utilities[:, 0].mean()


@pytest.mark.parametrize(("setting", "why"), [("shaping", "tricks"), ("partner", "hands")])
def test_what_a_game_does_not_have_cannot_teach(tmp_path, setting, why):
    learner = learner_in(tmp_path, env=KUHN, opponents=("self",), **{setting: 0.1})
    with pytest.raises(ValueError, match=f"kuhn_poker .* {why}"):
        learner.iterate()


@pytest.mark.parametrize(
    ("change", "why"),
    [
        ({"deals": 0}, "deals=0 is not allowed; it is at least 1"),
        ({"opponents": ()}, r"opponents=\(\) is not allowed"),
        (
            {"league": {"matching": "nearest"}},
            "league.matching is one of uniform, prior",
        ),
        ({"gae_lambda": 1.5}, "gae_lambda=1.5 is not allowed; it is at least 0 and at most 1"),
        ({"lookahead": {"weight": 1.0, "policy": "stars"}}, "lookahead.policy is one of rules"),
        ({"lookahead": {"policy": "rules"}}, "weight is missing"),
        ({"magnet": {"weight": 1.0, "rate": 2.0}}, "magnet.rate=2.0 is not allowed"),
        ({"clipp": 0.1}, "there is no setting 'clipp'"),
    ],
)
def test_settings_that_make_no_sense_are_refused(change, why):
    with pytest.raises(ValueError, match=why):
        Settings.of(QUICK | change)


def test_rates_are_annealed():
    settings = Settings.of(
        {"learning_rate": 1.0, "final_rate": 0.1, "anneal_iterations": 10, "entropy": 2.0}
    )
    assert settings.rate_at(0) == 1.0
    assert settings.rate_at(5) == pytest.approx(0.55)
    assert settings.rate_at(50) == pytest.approx(0.1)
    assert settings.entropy_at(50) == 2.0
    lookahead = LookaheadSettings(weight=1.0, final=0.0)
    assert Settings(lookahead=lookahead, anneal_iterations=4).lookahead_at(1) == 0.75
    assert Settings().lookahead_at(1) == 0
