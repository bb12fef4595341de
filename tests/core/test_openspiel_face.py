"""The OpenSpiel face: stored playthroughs, copies, strings, structs, errors."""

import copy
import json
import pickle
import random
from pathlib import Path

import numpy as np
import pyspiel
import pytest
from absl import flags
from open_spiel.python.algorithms import generate_playthrough

import spielgames  # noqa: F401
from spielgames.core.record import NOBODY, event_seat
from spielgames.testing.faces import (
    check_copies,
    check_histories_lead_back,
    check_openspiel_simulation,
    check_resampling,
    check_structs,
)
from spielgames.testing.positions import random_state
from tests.variants import FULL, SMALL

PLAYTHROUGHS = sorted((Path(__file__).parents[1] / "playthroughs").glob("*.txt"))


@pytest.fixture(autouse=True)
def parsed_flags():
    """The playthrough generator reads a flag."""
    if not flags.FLAGS.is_parsed():
        flags.FLAGS.mark_as_parsed()


@pytest.mark.parametrize("path", PLAYTHROUGHS, ids=lambda p: p.stem)
def test_stored_playthroughs_replay_line_by_line(path):
    expected, actual = generate_playthrough.replay(str(path))
    for line, (was, now) in enumerate(zip(expected.split("\n"), actual.split("\n"), strict=True)):
        assert was == now, f"line {line + 1}"


def test_every_game_has_a_stored_playthrough():
    stored = {path.stem for path in PLAYTHROUGHS}
    assert {name for name in FULL if "(" not in name} <= stored


@pytest.mark.parametrize("name", FULL + SMALL)
def test_openspiels_own_simulation_test(name):
    check_openspiel_simulation(name)


@pytest.mark.parametrize("name", FULL)
def test_copies_are_equal_and_independent(name):
    check_copies(name, decisions=9)


@pytest.mark.parametrize("name", FULL)
def test_a_copied_game_still_works(name):
    game = pyspiel.load_game(name)
    for twin in (copy.copy(game), copy.deepcopy(game), pickle.loads(pickle.dumps(game))):
        assert str(twin) == str(game)
        assert twin.new_initial_state().is_chance_node()


@pytest.mark.parametrize("name", FULL + SMALL)
def test_the_history_leads_to_the_same_state(name):
    check_histories_lead_back(name)


@pytest.mark.parametrize("name", FULL)
def test_cpp_and_python_callers_get_the_same_tensors(name):
    state = random_state(name, 9)
    game = state.get_game()
    for seat in range(game.num_players()):
        for ours, theirs in (
            (
                state.information_state_tensor(seat),
                pyspiel.State.information_state_tensor(state, seat),
            ),
            (state.observation_tensor(seat), pyspiel.State.observation_tensor(state, seat)),
        ):
            assert ours == theirs
    assert pyspiel.State.legal_actions(state) == state.legal_actions()
    assert pyspiel.State.child(state, state.legal_actions()[0]).row["length"] > state.row["length"]


@pytest.mark.parametrize("name", FULL)
def test_structs_are_json_and_show_a_seat_no_hidden_card(name):
    check_structs(name, decisions=12)
    state = random_state(name, 12)
    definition, row = state.definition, state.row[0]
    for seat in range(definition.players):
        text = json.dumps(state.to_observation_struct(seat).to_dict(), ensure_ascii=False)
        hidden = int(row.deck) & ~int(row.dealt[seat] | row.gained[seat] | row.public)
        called = ["A♣", "A♠", "A♥", "10♣", "10♠", "10♥"] if "sheep" in name else []
        for card in definition.card_names(np.uint64(hidden)):
            assert f'"{card}"' not in text or card in called


@pytest.mark.parametrize("name", FULL)
def test_a_state_is_restored_from_its_struct(name):
    state = random_state(name, 12)
    game = state.get_game()
    for start in (state.to_struct(), state.to_dict(), state.to_json()):
        restored = game.new_initial_state(start)
        assert restored.history() == state.history()
        assert restored.to_json() == state.to_json()
    assert state.to_dict()["current_player"] == f"Player_{state.current_player()}"
    assert state.to_observation_struct(1).to_dict()["observing_player"] == 1


@pytest.mark.parametrize("start", ["no JSON", "{}", "[1]", {"history": ["1"]}, 3])
def test_what_is_no_struct_of_a_state_is_refused(start):
    with pytest.raises(ValueError, match="a state is restored from its struct"):
        pyspiel.load_game("python_hokm").new_initial_state(start)


def test_an_action_may_be_named_in_its_struct():
    state = random_state("python_hearts", 20)
    action = state.legal_actions()[-1]
    assert state._struct_to_actions({"name": state.action_to_string(action)}) == [action]
    with pytest.raises(ValueError, match="is not an action: give the id or the name of one of"):
        state._struct_to_actions({"name": "Z♠"})


def test_an_illegal_action_is_refused_as_a_struct():
    state = random_state("python_hearts", 20)
    before, illegal = state.history(), {*range(52)} - {*state.legal_actions()}
    struct = state.action_to_struct(min(illegal))
    assert "Illegal action" in str(state.validate_action_struct(struct))
    state.apply_action_struct(struct)
    assert state.history() == before
    action = state.legal_actions()[0]
    state.apply_action_struct(state.action_to_struct(action))
    assert state.history() == [*before, action]


def test_observers_of_all_four_kinds():
    state = random_state("python_hearts(pass=left)", 20)
    game = state.get_game()
    sizes = {}
    for recall in (False, True):
        for public in (False, True):
            for private in (pyspiel.PrivateInfoType.SINGLE_PLAYER, pyspiel.PrivateInfoType.NONE):
                kind = pyspiel.IIGObservationType(
                    perfect_recall=recall, public_info=public, private_info=private
                )
                observer = game.make_py_observer(kind)
                observer.set_from(state, 1)
                assert sum(v.size for v in observer.dict.values()) == observer.tensor.size
                assert np.isfinite(observer.tensor).all()
                assert isinstance(observer.string_from(state, 1), str)
                sizes[recall, public, private.name] = list(observer.dict)
    assert sizes[False, True, "SINGLE_PLAYER"][0] == "hand"
    assert sizes[True, True, "SINGLE_PLAYER"] == ["seat", "dealt", "gained", "events", "turn"]
    assert sizes[True, True, "NONE"] == ["shown", "events", "turn"]
    assert sizes[False, False, "SINGLE_PLAYER"] == ["hand"]
    assert sizes[False, False, "NONE"] == []


def test_the_public_view_is_the_same_from_every_seat_and_world():
    state = random_state("python_snapszer", 7)
    kind = pyspiel.IIGObservationType(
        perfect_recall=True, public_info=True, private_info=pyspiel.PrivateInfoType.NONE
    )
    observer = state.get_game().make_py_observer(kind)
    observer.set_from(state, 0)
    before, words = observer.tensor.copy(), observer.string_from(state, 0)
    other = state.resample_from_infostate(0, random.Random(3).random)
    observer.set_from(other, 1)
    np.testing.assert_array_equal(observer.tensor, before)
    assert observer.string_from(other, 1) == words


@pytest.mark.parametrize("name", FULL)
def test_the_public_view_counts_seats_from_seat_0(name):
    state = random_state(name, 3)
    kind = pyspiel.IIGObservationType(
        perfect_recall=True, public_info=True, private_info=pyspiel.PrivateInfoType.NONE
    )
    observer = state.get_game().make_py_observer(kind)
    observer.set_from(state, 0)
    assert list(observer.dict["turn"].nonzero()[0]) == [state.current_player()]
    events = state.row["events"][0][: state.row["length"][0]]
    for event, shown in zip(events, observer.dict["events"], strict=False):
        makers = shown[-state.num_players() :].nonzero()[0]
        assert list(makers) == [who for who in [event_seat(event)] if who != NOBODY]


@pytest.mark.parametrize("name", FULL)
def test_resampled_states_have_the_same_information_state(name):
    check_resampling(name)


@pytest.mark.parametrize(
    ("string", "message"),
    [
        ("python_coinche(reward=best)", "reward=best is not allowed; it is one of mirror, classic"),
        ("python_hearts(suits=1)", "suits=1 is not allowed; it ranges from 2 to 4"),
        ("python_hokm(colour=3)", "Unknown parameter 'colour'"),
        ("python_snapszer(hand=11)", "hand=11 is not allowed; it ranges from 1 to 10"),
        ("python_sheephead(hand=6,blind=3)", "do not share out 32 cards among five seats"),
    ],
)
def test_a_bad_parameter_says_what_is_allowed(string, message):
    with pytest.raises((ValueError, RuntimeError)) as error:
        pyspiel.load_game(string)
    assert message in str(error.value)


def test_an_illegal_action_says_what_is_allowed_and_changes_nothing():
    state = random_state("python_hokm", 0)
    words = str(state)
    for action in (0, 56, 63, 64, -1, 1000):
        with pytest.raises(ValueError, match=f"action {action} is illegal; allowed are trump ♣"):
            state.apply_action(action)
    assert str(state) == words
    with pytest.raises(ValueError, match="action 9 is illegal; allowed are 4, 5"):
        state.get_game().new_initial_state().apply_action(9)
    over = random_state("python_hokm", 99)
    with pytest.raises(ValueError, match="action 1 is illegal: the deal is over"):
        over.apply_action(1)


NO_NUMBERS = [1.5, 1.0, "0", b"1", None, np.array([1]), np.float64(1), 10**30, -(10**30)]


@pytest.mark.parametrize("action", NO_NUMBERS, ids=repr)
def test_what_openspiel_does_not_take_for_an_action_is_illegal(action):
    for decisions, allowed in ((0, "trump ♣"), (9, "")):
        state = random_state("python_hokm", decisions)
        words = str(state)
        for refused in (state.apply_action, state.child, state.apply_action_with_legality_check):
            with pytest.raises(ValueError, match=f"is illegal; allowed are {allowed}"):
                refused(action)
        assert str(state) == words


@pytest.mark.parametrize("number", [int, np.int8, np.int64, np.uint64, np.array])
def test_what_openspiel_takes_for_an_action_is_played(number):
    state = random_state("python_hokm", 0)
    assert state.child(number(52)).history() == state.child(52).history()
    assert state.information_state_tensor(number(1)) == state.information_state_tensor(1)


@pytest.mark.parametrize("player", [p for p in NO_NUMBERS if p is not None], ids=repr)
def test_what_openspiel_does_not_take_for_a_player_is_no_seat(player):
    state = random_state("python_hokm", 3)
    views = (
        state.information_state_tensor,
        state.observation_tensor,
        state.information_state_string,
        state.observation_string,
    )
    for view in views:
        with pytest.raises(RuntimeError, match="not a seat: .*player >= 0 and player < 4"):
            view(player)


def test_true_is_player_1_as_in_openspiel():
    state = random_state("python_hokm", 3)
    assert state.information_state_tensor(True) == state.information_state_tensor(1)
    assert state.information_state_string(True) == state.information_state_string(1)


@pytest.mark.parametrize(
    ("decisions", "actions", "last"), [(-1, (-2, 6, 64), 5), (3, (-1, 56, 64), 55)]
)
def test_an_action_that_is_none_has_no_name(decisions, actions, last):
    state = random_state("python_hokm", decisions)
    for action in actions:
        with pytest.raises(ValueError, match=f"actions range from 0 to {last}$"):
            state.action_to_string(0, action)


def test_a_seat_that_is_none_is_refused():
    state = random_state("python_hokm", 3)
    with pytest.raises(RuntimeError, match="not a seat: 4; player >= 0 and player < 4"):
        state.information_state_tensor(4)
