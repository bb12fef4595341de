"""One position, from a transcript or a history, looked at ever more deeply."""

import json

import pytest

from analysis.position import decisions, from_history, from_transcript
from analysis.transcript import play, tell
from spielgames.play.transcript import read_transcript
from tests.commands import run

GAME = "python_snapszer"


@pytest.fixture(scope="module")
def deal(tmp_path_factory):
    path = tmp_path_factory.mktemp("deal") / "deal.txt"
    path.write_text(tell(play(GAME, ["rules", "rules"], 3), ["rules", "rules"]))
    return path


def test_decisions_are_counted_from_one(deal):
    states = list(decisions(read_transcript(deal)[0]))
    for number, state in enumerate(states, 1):
        assert from_transcript(deal, 1, number).history() == state.history()
    assert from_history(GAME, json.dumps({"history": states[4].history()})).history() == (
        states[4].history()
    )


def test_the_command_deepens_and_writes_json(deal, tmp_path):
    out = tmp_path / "position.json"
    args = [f"--transcript={deal}", "--move=2", "--agent=pimc:worlds=4", "--rounds=3"]
    done = run("analysis.position", *args, f"--json={out}")
    assert done.returncode == 0, done.stderr
    assert [f"({n} worlds" in done.stdout for n in (4, 8, 16, 32)] == [True, True, True, False]
    found = json.loads(out.read_text())
    assert found["worlds"] == 16
    chances = [verdict["chance"] for verdict in found["verdicts"]]
    assert sum(chances) == pytest.approx(1)
    assert all(
        verdict["low"] <= verdict["mean"] <= verdict["high"] for verdict in found["verdicts"]
    )
    assert "base move" in found["why"]


@pytest.mark.parametrize(
    ("args", "why"),
    [
        ([], "name either --transcript=FILE with --move=N, or --state=JSON"),
        (["--state={}"], 'a state is written {"history": [numbers of actions]}'),
        (["--game=python_snapszer", '--state={"history": [99]}'], "step 1 of the history: "),
        (["--game=python_snapszer", '--state={"history": []}'], "nobody is to move in this state"),
        (["--state=/no/file"], "No such file"),
    ],
)
def test_the_command_refuses(args, why):
    done = run("analysis.position", *args)
    assert done.returncode == 2
    assert why in done.stderr
    assert "Traceback" not in done.stderr


def test_moves_end(deal):
    with pytest.raises(ValueError, match="--move=500 is not allowed; the deal has"):
        from_transcript(deal, 1, 500)
    with pytest.raises(ValueError, match="--deal=2 is not allowed; .* has 1"):
        from_transcript(deal, 2, 1)
