"""Deep CFR's curves on Kuhn poker: measured on schedule, resumed exactly, compared and drawn."""

import json
from pathlib import Path

import pytest

from experiments import leduc_reproduction as experiment
from experiments.common import learners
from experiments.common.runs import Run
from experiments.configs.leduc_reproduction import get_config
from experiments.leduc_reproduction import EXPERIMENT
from experiments.reports import leduc_figures
from experiments.reports import leduc_reproduction as learning_curves
from solvers.deep_cfr.learner import Learner
from solvers.deep_cfr.settings import Settings
from solvers.environments.load import load_environment
from solvers.exact.cfr import Cfr
from solvers.networks.network import load_network
from solvers.runs.agent import net
from solvers.runs.archive import Archive, State
from tests.commands import run

FIT = {"steps": 30, "batch": 64}
UNIFORM = 0.9167  # NashConv on Kuhn
NO_SUITS = "leduc_poker(suit_isomorphism=True)"


def small(**fields):
    config = get_config("quick")
    config.methods, config.per_decade = ("sd_cfr", "dream", "openspiel_external_mccfr"), 3
    for name in ("sd_cfr", "dream"):
        config[name].update(traversals=100, fit=FIT)
        config[name].update(axis="iteration", until=6.0, seconds=0.0)
    config.sd_cfr.policy.fit.update(FIT)
    config.dream.baseline.fit.update(FIT)
    config.dream.update(axis="nodes", until=3500.0)
    config.openspiel_external_mccfr.update(until=3000.0, seconds=0.0)
    config.update(fields)
    return config


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    where = tmp_path_factory.mktemp("run")
    EXPERIMENT.carry_out(where, small())
    return where


def lines_of(folder, method):
    path = folder / "curves" / "kuhn_poker" / f"{method}-0" / "metrics.jsonl"
    return [json.loads(line) for line in path.read_text().splitlines()]


def lasting(lines):
    """All that must come out the same."""
    return [{k: v for k, v in line.items() if k not in ("seconds", "fits")} for line in lines]


def test_curves_are_measured_on_schedule_and_at_their_end(folder):
    # Rounded powers of 10^(1/3): 1, 2, 5, 10.
    assert [line["iteration"] for line in lines_of(folder, "sd_cfr")] == [1, 2, 5, 6]
    theirs = [line["iteration"] for line in lines_of(folder, "openspiel_external_mccfr")]
    assert theirs[:6] == [1, 2, 5, 10, 22, 46]
    assert lines_of(folder, "openspiel_external_mccfr")[-1]["nodes"] >= 3000


def test_each_answer_is_measured(folder):
    last = lines_of(folder, "sd_cfr")[-1]
    assert last["nash_conv"].keys() == {"average", "last", "policy"}
    assert lines_of(folder, "dream")[-1]["nash_conv"].keys() == {"average", "last"}
    assert last["episodes"] == 6 * 2 * 100
    assert last["nash_conv"]["average"] < UNIFORM / 2
    assert lines_of(folder, "openspiel_external_mccfr")[-1]["nash_conv"]["average"] < UNIFORM / 4


def test_the_average_of_one_iteration_is_its_strategy(folder):
    first = lines_of(folder, "dream")[0]["nash_conv"]
    assert first["average"] == pytest.approx(first["last"])


def test_the_folder_holds_everything(folder):
    assert json.loads((folder / "config.json").read_text())["sd_cfr"]["traversals"] == 100
    merged = (folder / "metrics.jsonl").read_text().splitlines()
    assert len(merged) == sum(len(lines_of(folder, method)) for method in small().methods)
    for name in ("nodes", "seconds"):
        for kind in ("pdf", "png", "csv"):
            assert (folder / "figures" / f"{name}.{kind}").stat().st_size > 500
    assert "| `dream` " in (folder / "report.md").read_text()


def test_the_last_networks_are_kept_apart(folder):
    kept = folder / "networks" / "kuhn_poker" / "sd_cfr-0"
    assert Archive(kept).state.iteration == 6
    names = sorted(path.name for path in (kept / "networks").iterdir())
    kinds = ("advantages-0", "advantages-1", "policy-0", "policy-1")
    assert names == [f"{kind}-000006.safetensors" for kind in kinds]
    _, about = load_network(kept / "networks" / names[0])
    assert (about["game"], about["iteration"]) == ("kuhn_poker", 6)


def test_a_finished_run_computes_nothing_again(folder):
    before = [(folder / "metrics.jsonl").read_bytes(), lines_of(folder, "sd_cfr")]
    EXPERIMENT.carry_out(folder, small())
    assert [(folder / "metrics.jsonl").read_bytes(), lines_of(folder, "sd_cfr")] == before


@pytest.mark.parametrize("method", ["sd_cfr", "dream"])
@pytest.mark.parametrize(
    ("owner", "name", "deaths"),
    [(Run, "append", (2, 3, 5)), (learners.ProgressBar, "refresh", (3, 8, 9))],
    ids=["before a line", "within iterations"],
)
def test_a_run_that_was_killed_gives_the_same_curve(
    folder, tmp_path, monkeypatch, owner, name, deaths, method
):
    survivor, calls, died = getattr(owner, name), [], 0

    def call(*args, **options):
        calls.append(name)
        if len(calls) in deaths:
            raise KeyboardInterrupt
        return survivor(*args, **options)

    monkeypatch.setattr(owner, name, call)
    while died < len(deaths):
        with pytest.raises(KeyboardInterrupt):
            EXPERIMENT.carry_out(tmp_path, small(solver=method))
        died += 1
    EXPERIMENT.carry_out(tmp_path, small(solver=method))
    assert lasting(lines_of(tmp_path, method)) == lasting(lines_of(folder, method))


def test_an_iteration_that_was_begun_is_finished_before_anything_is_reported(tmp_path):
    settings = Settings.of({"traversals": 20, "fit": FIT})

    def start():
        return Learner(load_environment("kuhn_poker"), settings, tmp_path)

    learner = start()
    learner.iterate()

    def die_at_second_fit(step):
        if learner.archive.state.step == 3:
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        learner.iterate(die_at_second_fit)
    state = start().archive.state
    assert (state.iteration, state.step) == (1, 3)
    limits = learners.Limits(positions=state.positions)  # reached within the iteration
    reports = list(learners.follow(start(), limits, [], "x"))
    assert [report["iteration"] for report in reports] == [2]


def test_more_goes_on_in_the_same_folder(folder, tmp_path):
    config = small(solver="dream")
    config.dream.until = 1000.0
    EXPERIMENT.carry_out(tmp_path, config)
    before = lines_of(tmp_path, "dream")
    EXPERIMENT.carry_out(tmp_path, small(solver="dream"))
    after = lines_of(tmp_path, "dream")
    assert after[:2] == before  # with their seconds
    assert lasting(after) == lasting(lines_of(folder, "dream"))


def test_other_settings_are_refused_with_the_difference(folder):
    config = small()
    config.sd_cfr.traversals = 200
    with pytest.raises(ValueError, match="settings.traversals was 100, is 200"):
        EXPERIMENT.carry_out(folder, config)


@pytest.mark.parametrize(
    ("fields", "reason"),
    [
        ({"solver": "magic"}, "there is no method 'magic'; there are .*, dream, .*, sd_cfr"),
        ({"methods": ("sd_cfr", "seeds")}, "there is no method 'seeds'"),
        ({"games": ("kuhn",)}, "there is no game 'kuhn'"),
        ({"per_decade": 0}, "per_decade=0 is not allowed; it is at least 1"),
        ({"threads": 0}, "threads=0 is not allowed"),
        ({"sd_cfr": {"axis": "days"}}, "sd_cfr.axis=days is not allowed; it is one of iteration"),
        ({"dream": {"sampling": {"kind": "psychic"}}}, "sampling.kind is one of external"),
    ],
)
def test_a_bad_config_is_refused(fields, reason, tmp_path):
    with pytest.raises(ValueError, match=reason):
        EXPERIMENT.carry_out(tmp_path, small(**fields))
    assert not list(tmp_path.iterdir())


@pytest.mark.parametrize(
    ("flag", "why"),
    [
        ("--config.solver=magic", "there is no method 'magic'"),
        ("--config.sd_cfr.fit.stepz=3", "the config has no field 'stepz'"),
    ],
)
def test_the_script_refuses_in_one_sentence(tmp_path, flag, why):
    config = f"--config={EXPERIMENT.config}"
    done = run(EXPERIMENT.script, config, flag, f"--workdir={tmp_path}")
    assert done.returncode == 2
    assert done.stderr.startswith(why)
    assert len(done.stderr.splitlines()) == 1


def test_variants():
    assert get_config("cpu").sd_cfr.traversals == 1500
    assert get_config("paper").sd_cfr.seconds == 0
    assert len(get_config("ablation").games) == 5
    with pytest.raises(ValueError, match="there are quick, cpu, paper and ablation"):
        get_config("huge")


@pytest.mark.parametrize("game", ["leduc_poker", NO_SUITS])
def test_published_abscissae_are_measured(game):
    curve = experiment.curve_of(game, "dream", 0, get_config("cpu").dream, Path("x"))
    schedule = experiment.Schedule(curve, "nodes", 6)
    assert schedule.after(2_200_000) == 2.6e6
    assert schedule.due([{"nodes": 2_200_000}], 2_600_001)
    assert not schedule.due([{"nodes": 2_200_000}], 2_599_999)


def test_limits_count_what_is_used_up_first():
    state = State(iteration=5, positions=900, seconds=2.0)
    assert learners.Limits(iterations=10, positions=1000).share(state) == pytest.approx(0.9)
    assert learners.Limits().share(state) == 0
    assert learners.Limits(seconds=2).reached(state)


def test_an_exported_learner_can_play(tmp_path):
    game = "python_snapszer(suits=2,ranks=3,hand=2)"
    settings = Settings.of({"encoding": "recall", "traversals": 5, "fit": FIT})
    learner = Learner(load_environment(game, "recall"), settings, tmp_path / "run")
    for _ in learners.follow(learner, learners.Limits(iterations=2), [], "x"):
        pass
    folder = learners.export(tmp_path / "run", tmp_path / "kept")
    assert net(game, str(folder)).iterations == [2]
    assert len(list((folder / "networks").iterdir())) == 2


def point(method, seed, x, nash_conv, axis="iteration"):
    place = {"game": "leduc_poker", "method": method, "seed": seed, "seconds": 1.0}
    return place | {"iteration": 1, "nodes": 10, "episodes": 2} | {axis: x, "nash_conv": nash_conv}


def test_the_comparison_takes_the_mean_at_the_abscissa():
    metrics = [
        point("sd_cfr", 0, 464, {"average": 9.0}),
        point("sd_cfr", 0, 500, {"average": 0.18, "policy": 0.2}),
        point("sd_cfr", 1, 500, {"average": 0.2, "policy": 0.24}),
        point("sd_cfr", 0, 500, {"average": 0.1}) | {"game": NO_SUITS},
    ]
    rows = learning_curves.comparison(metrics).splitlines()
    assert [cell.strip() for cell in rows[2].split("|")[2:-1]] == [
        *("500 iterations", "50", "95 (90 … 100)", "96", "90")
    ]
    assert "110 (100 … 120)" in rows[7]
    assert "| – |" in " ".join(rows[3].split())


def test_leaving_suits_out_changes_nothing_but_what_players_are_told():
    with_suits, without = map(experiment.load_small, ("leduc_poker", NO_SUITS))
    assert [plex.sets for plex in with_suits.tree.seats] == [468, 468]
    assert [plex.sets for plex in without.tree.seats] == [144, 144]
    found = []
    for small_game in (with_suits, without):
        solver = Cfr(small_game.tree)
        solver.run(50)
        found.append(small_game.nash_conv(solver.average()))
    assert found[0] == pytest.approx(found[1], rel=0.02)


def test_bands_span_the_seeds_where_all_have_come():
    curves = {0: [(1, 4.0), (100, 2.0)], 1: [(1, 6.0), (10, 5.0)]}
    assert leduc_figures.band(curves) == [
        (1, 5.0, 4.0, 6.0),
        (10, pytest.approx(4.0), pytest.approx(3.0), 5.0),
    ]
