"""`python -m spielgames.run`: OpenSpiel's own scripts, with our games."""

from tests.commands import run, run_fresh


def test_an_openspiel_script_plays_our_game():
    game = "python_snapszer(suits=2,ranks=3,hand=2)"
    script = "open_spiel.python.examples.example"
    done = run_fresh("spielgames.run", script, f"--game_string={game}")  # nothing is registered yet
    assert done.returncode == 0
    assert "python_snapszer" in done.stdout


def test_without_a_script_it_explains_itself():
    assert "open_spiel.python.examples" in run("spielgames.run", "--help").stdout
    assert run("spielgames.run").returncode == 2


def test_an_unknown_script_is_an_error():
    done = run("spielgames.run", "open_spiel.python.examples.nothing")
    assert done.returncode == 2
    assert "there is no module 'open_spiel.python.examples.nothing'" in done.stderr
