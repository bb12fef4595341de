"""What holds on every history of a small variant."""

import numpy as np

from spielgames.core.batch import Batch
from spielgames.core.record import CHANCE, TERMINAL
from spielgames.core.tree import unroll_game
from spielgames.core.walk import Level, levels
from spielgames.testing.positions import dealt, face_of, root

COMPARED = 150  # histories of a length whose strings are compared
DECISIONS = 3000  # of a length whose actions are


def check_chance_adds_up(name: str) -> None:
    """The histories that stand where only chance has moved have probabilities that sum to one."""
    _, _, row = root(name)
    level = Level.root(row)
    while (level.states["turn"] == CHANCE).all():
        level = level.next()
        np.testing.assert_allclose(level.reach.sum(), 1.0)
    assert (level.states["turn"] >= 0).any()


def check_bounds(name: str, deals: int = 5) -> None:
    """Deals are no longer, and utilities no larger, than the variant says."""
    game, variant, _ = root(name)
    for level in levels(dealt(name, deals, seed=2)):
        batch = Batch.of_states(game, variant, level.states)
        assert (level.states["length"] <= variant.max_moves + variant.max_draws).all()
        utilities = batch.returns()[batch.actors() == TERMINAL]
        assert (utilities >= variant.min_utility).all()
        assert (utilities <= variant.max_utility).all()
        if variant.zero_sum:
            np.testing.assert_allclose(utilities.sum(1), 0.0, atol=1e-9)


def check_strings_and_tensors_agree(name: str) -> None:
    """Perfect-recall tensors are equal exactly where the strings are equal."""
    game, variant, row = root(name)
    rng = np.random.default_rng(0)
    for level in levels(row):
        chosen = level.states
        if len(chosen) > COMPARED:
            chosen = chosen[rng.choice(len(chosen), COMPARED, replace=False)]
        batch, faces = Batch.of_states(game, variant, chosen), face_of(name, chosen)
        for seat in range(game.players):
            tensors = [t.tobytes() for t in batch.infostate(seat)]
            words = [face.information_state_string(seat) for face in faces]
            pairs = set(zip(tensors, words, strict=True))
            assert len(set(tensors)) == len(set(words)) == len(pairs)


def check_equal_information_means_equal_choices(name: str) -> None:
    """A seat that can't tell two histories apart has equal actions in both."""
    game, variant, row = root(name)
    known: dict[bytes, int] = {}
    for level in levels(row):
        batch = Batch.of_states(game, variant, level.states)
        view, legal = batch.infostate(), batch.legal_sets()
        for i in np.flatnonzero(batch.actors() >= 0)[:DECISIONS]:
            assert known.setdefault(view[i].tobytes(), int(legal[i])) == int(legal[i])


def check_tree(name: str) -> None:
    """The tree in sequence form has the leaves and information sets of the histories."""
    game, variant, row = root(name)
    seen: list[set[bytes]] = [set() for _ in range(game.players)]
    leaves = 0
    for level in levels(row):
        states = level.states
        leaves += int((states["turn"] == TERMINAL).sum())
        batch = Batch.of_states(game, variant, states[states["turn"] >= 0].copy())
        choosing = batch.legal_mask().sum(axis=1) > 1
        rows = zip(batch.infostate()[choosing], batch.actors()[choosing], strict=True)
        for tensor, seat in rows:
            seen[seat].add(tensor.tobytes())
    tree = unroll_game(name)
    assert len(tree.leaves) == len(tree.chance) == leaves
    assert [plex.sets for plex in tree.seats] == list(map(len, seen))
