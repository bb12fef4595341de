"""Strategy profiles on a tree: a behaviour strategy per seat, as an array over its sequences.

`profile[seat][sequence]` is the probability of the sequence's action where it may be taken (1
for sequence 0). Agents and OpenSpiel's policies can be made into profiles, and profiles into
OpenSpiel's policies.
"""

import numpy as np
import pyspiel
from open_spiel.python import policy as openspiel_policy

from spielgames import Batch
from spielgames.agents import Agent
from spielgames.core.foreign import unroll_foreign
from spielgames.core.infostate import fill_fingerprints
from spielgames.core.registry import is_ours, name_of
from spielgames.core.state import CardState
from spielgames.core.tree import GIGABYTE, Sides, Tree, Treeplex, decisions, unroll_game
from spielgames.core.unroll import TREE_SEED

Profile = list[np.ndarray]


def load_tree(
    game: str | pyspiel.Game,
    memory: int = GIGABYTE,
    progress: bool = False,
    sides: Sides | None = None,
) -> Tree:
    """The tree of one of our variants, or of one of OpenSpiel's small games."""
    name = name_of(game)
    if is_ours(name):
        return unroll_game(name, memory, progress, sides)
    return unroll_foreign(name, memory, sides)


def uniform(tree: Tree) -> Profile:
    """The profile that gives all actions of an information set the same probability."""
    return [normalised(plex, np.ones(plex.sequences)) for plex in tree.seats]


def normalised(plex: Treeplex, weights: np.ndarray) -> np.ndarray:
    """Turn weights ≥ 0 of sequences into probabilities within each information set; uniform ones
    where all weights are 0.
    """
    counts = np.diff(plex.first)
    out = np.ones(plex.sequences)
    if plex.sets:
        total = np.add.reduceat(weights, plex.first[:-1])
        shares = np.repeat(total, counts)
        even = 1 / np.repeat(counts, counts)
        out[1:] = np.where(shares > 0, weights[1:] / np.where(shares > 0, shares, 1), even)
    return out


def profile_of(agent: Agent, tree: Tree) -> Profile:
    """The profile of an agent that plays in every seat."""
    parts: list[list[np.ndarray]] = [[np.ones(1)] for _ in tree.seats]
    for states in decisions(tree.name):
        chances = agent.probabilities(states)
        legal = Batch.of_states(agent.game, agent.variant, states).legal_mask()
        for seat, part in enumerate(parts):
            rows = states["turn"] == seat
            part.append(chances[rows][legal[rows]].astype(float))
    return [
        normalised(plex, np.concatenate(part)) for plex, part in zip(tree.seats, parts, strict=True)
    ]


class ProfilePolicy(openspiel_policy.Policy):
    """A profile as OpenSpiel's policy."""

    def __init__(self, tree: Tree, profile: Profile) -> None:
        game = pyspiel.load_game(tree.name)
        super().__init__(game, list(range(tree.players)))
        self.tree, self.profile = tree, profile
        self.known = [{key: i for i, key in enumerate(plex.key.tolist())} for plex in tree.seats]

    def action_probabilities(
        self, state: pyspiel.State, player_id: int | None = None
    ) -> dict[int, float]:
        seat = state.current_player() if player_id is None else player_id
        legal = state.legal_actions(seat)
        if len(legal) == 1:
            return {legal[0]: 1.0}
        plex = self.tree.seats[seat]
        i = self.known[seat][key_of(state, seat)]
        own = slice(plex.first[i], plex.first[i + 1])
        return dict(zip(plex.action[own].tolist(), self.profile[seat][own].tolist(), strict=True))


def key_of(state: pyspiel.State, seat: int) -> int | str:
    """The key of a state's information set in a tree."""
    if not isinstance(state, CardState):
        return state.information_state_string(seat)
    code = np.empty(1, np.uint64)
    fill_fingerprints(state.row, np.array([seat]), TREE_SEED, code)
    return int(code[0])


def profile_of_policy(policy: openspiel_policy.Policy, tree: Tree) -> Profile:
    """The profile of an OpenSpiel policy, found by walking the game in Python."""
    profile = uniform(tree)
    asked = ProfilePolicy(tree, profile)
    seen: set[tuple[int, int]] = set()

    def visit(state: pyspiel.State) -> None:
        if state.is_terminal():
            return
        actions = state.legal_actions()
        if not state.is_chance_node() and len(actions) > 1:
            seat = state.current_player()
            i = asked.known[seat][key_of(state, seat)]
            if (seat, i) not in seen:
                seen.add((seat, i))
                chances = policy.action_probabilities(state)
                first = tree.seats[seat].first[i]
                for k, action in enumerate(actions):
                    profile[seat][first + k] = chances.get(action, 0.0)
        for action in actions:
            visit(state.child(action))

    visit(pyspiel.load_game(tree.name).new_initial_state())
    return profile
