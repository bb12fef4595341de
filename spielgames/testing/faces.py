"""The OpenSpiel face agrees with the compiled loops, and keeps OpenSpiel's promises."""

import copy
import json
import pickle
import random

import numpy as np
import pyspiel

from spielgames.core.batch import Batch
from spielgames.core.cards import members
from spielgames.core.record import CHANCE
from spielgames.core.walk import levels
from spielgames.testing.positions import dealt, face_of, random_state, root


def compare(batch: Batch, faces: list) -> None:
    """Turns, legal actions, utilities, tensors: the same in compiled loops and in OpenSpiel."""
    assert batch.actors().tolist() == [face.current_player() for face in faces]
    assert batch.returns().tolist() == [face.returns() for face in faces]
    for face, legal, turn in zip(faces, batch.legal_sets(), batch.actors(), strict=True):
        assert turn == CHANCE or members(legal) == face.legal_actions()
    for seat in range(batch.game.players):
        rows = zip(faces, batch.infostate(seat), batch.observe(seat), strict=True)
        for face, recalled, observed in rows:  # as lists: arrays of them take twice as long
            assert recalled.tolist() == face.information_state_tensor(seat)
            assert observed.tolist() == face.observation_tensor(seat)


def walk_both(name: str, states: np.ndarray) -> int:
    """Compare on every history below the given states; return how many there were."""
    game, variant, _ = root(name)
    faces = face_of(name, states)
    nodes = 0
    for depth, level in enumerate(levels(states)):
        if depth:
            steps = zip(level.parents, level.actions, strict=True)
            faces = [faces[parent].child(int(action)) for parent, action in steps]
        compare(Batch.of_states(game, variant, level.states), faces)
        nodes += len(faces)
    return nodes


def check_both_faces_agree(name: str, deals: int = 3) -> None:
    """On every history below some deals."""
    assert walk_both(name, dealt(name, deals, seed=4)) > deals


def check_openspiel_simulation(name: str) -> None:
    """OpenSpiel's own test of a game: random play, serialised on the way."""
    pyspiel.random_sim_test(pyspiel.load_game(name), num_sims=3, serialize=True, verbose=False)


def check_histories_lead_back(name: str) -> None:
    """A state's history leads to the same state."""
    state = random_state(name, 8)
    again = state.get_game().new_initial_state()
    for step in state.full_history():
        assert again.current_player() == step.player
        again.apply_action(step.action)
    assert (again.row == state.row).all()
    assert state.move_number() == len(state.history()) > 0
    assert not state.is_initial_state()
    assert state.get_game().new_initial_state().is_initial_state()


def check_copies(name: str, decisions: int = 1) -> None:
    """Copies of a state are equal to it and independent of it; so are pickles and strings."""
    state = random_state(name, decisions)
    words, game = str(state), state.get_game()
    whole = pyspiel.serialize_game_and_state(game, state)
    for twin in (
        state.clone(),
        copy.copy(state),
        copy.deepcopy(state),
        pickle.loads(pickle.dumps(state)),
        game.deserialize_state(state.serialize()),
        game.state_of(state.row),
        pyspiel.deserialize_game_and_state(whole)[1],
    ):
        assert (str(twin), twin.history()) == (words, state.history())
        assert twin.legal_actions() == state.legal_actions()
        twin.apply_action(twin.legal_actions()[0])
        assert str(state) == words != str(twin)


def check_structs(name: str, decisions: int = 1) -> None:
    """States, observations and actions as JSON."""
    state = random_state(name, decisions)
    assert json.loads(state.to_json())["game"] == name.partition("(")[0]
    definition = state.definition
    for seat in range(definition.players):
        shown = state.to_observation_struct(seat).to_dict()
        assert shown["hand"] == definition.card_names(state.row[0].hands[seat])
    for action in state.legal_actions():
        struct = state.action_to_struct(action)
        assert struct.to_dict()["name"] == state.action_to_string(action)
        assert state.struct_to_actions(struct) == [action]


def check_resampling(name: str) -> None:
    """A state that is resampled for a seat is the same to that seat."""
    rng = random.Random(7)
    for decisions in (0, 3, 10, 18):
        state = random_state(name, decisions)
        for seat in range(state.num_players()):
            other = state.resample_from_infostate(seat, rng.random)
            assert other.information_state_string(seat) == state.information_state_string(seat)
            assert other.observation_string(seat) == state.observation_string(seat)
            assert other.current_player() == state.current_player()
            if seat == state.current_player():
                assert other.legal_actions() == state.legal_actions()
