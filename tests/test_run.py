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


def test_a_script_for_two_seats_is_refused_in_a_sentence():
    script = "open_spiel.python.examples.play_via_console_example"
    types = "--player0_type=uniform", "--player1_type=uniform"
    done = run("spielgames.run", script, "--game_string=python_hearts", *types)
    assert done.returncode == 2
    assert done.stderr.splitlines()[-1] == (
        f"{script} seats two players; python_hearts has 4 seats (python -m spielgames.play seats"
        " them all)"
    )


def test_a_script_that_says_how_many_play_may_name_a_variant():
    game = "--game=python_snapszer(suits=2,ranks=3,hand=2)"
    script = "open_spiel.python.examples.get_all_states", game, "--depth_limit=3"
    assert "Total: " in run_fresh("spielgames.run", *script).stdout
    refused = run_fresh("spielgames.run", *script, "--players=4")
    assert refused.returncode == 2 and "has 2 players: write --players=2" in refused.stderr
