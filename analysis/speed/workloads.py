"""The workloads of the benchmark. A call does a portion of work and returns how much it did."""

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from functools import partial
from itertools import count as counting

import numpy as np
from numba import get_num_threads, set_num_threads

import spielgames  # noqa: F401  (registers the games)
from analysis.speed.benchmark import Amounts, Task, Work
from analysis.speed.openspiel_workloads import FACE_KINDS
from spielgames.agents import make_agent
from spielgames.contest import pair_lineups, play_deals
from spielgames.core import loops
from spielgames.core.batch import Batch
from spielgames.core.cache import compiled
from spielgames.core.cards import count, nth
from spielgames.core.game import GAMES, Game, initial_state
from spielgames.core.infostate import fill_infostates, infostate_pieces
from spielgames.core.luck import below, forward
from spielgames.core.registry import find
from spielgames.core.worlds import sample_all

PEERS = {
    "hearts": "hearts",
    "bridge": "bridge(use_double_dummy_result=false)",
    "euchre": "euchre",
}
AT_ONCE = 1024  # games in a batch, and tensors per call
STEPS = 20  # of a batch, per call
PLACED = 256  # positions whose worlds are sampled
DEALS = 20_000  # per call of the compiled loop, on each core
DUPLICATES = 2000  # per call


def all_tasks(games: list[str]) -> list[Task]:
    """All tasks by kind, so that games and peers that are compared are timed one right after the
    other.
    """
    tasks = [Task(name, make(GAMES[name])) for make in KINDS for name in games]
    faces = {name: name for name in games} | PEERS
    return tasks + [Task(name, make(face)) for make in FACE_KINDS for name, face in faces.items()]


def compiled_deals(game: Game, loop: Callable, suffix: str = "") -> Work:
    """Whole random deals in one compiled call, dealing and legality included."""
    cores = get_num_threads() if suffix else 1
    rows = 64 * cores  # apart enough for cores not to write to each other's memory
    states = np.repeat(initial_state(*find(game.name)), rows)
    moves, utilities = np.zeros(rows, np.int64), np.zeros((rows, game.players))
    deals, seeds = DEALS * cores, counting()

    def work() -> Amounts:
        moves[:] = 0
        loop(states, deals, next(seeds), moves, utilities)
        amounts = {"moves": int(moves.sum()), "deals": deals}
        return {f"compiled_{what}_per_s{suffix}": n for what, n in amounts.items()}

    return work


@compiled
def choose_randomly(sets: np.ndarray, luck: np.ndarray, actions: np.ndarray) -> None:
    """A uniformly random legal action in every game."""
    for i in range(len(sets)):
        luck[i] = forward(luck[i])
        actions[i] = nth(sets[i], below(luck[i], count(sets[i])))


class RandomPlayer:
    """A policy outside the batch, as a network would be."""

    def __init__(self, games: int) -> None:
        self.luck = np.arange(games, dtype=np.uint64) << np.uint64(32)
        self.actions = np.empty(games, np.int64)

    def __call__(self, batch: Batch) -> np.ndarray:
        choose_randomly(batch.legal_sets(), self.luck, self.actions)
        return self.actions


@contextmanager
def one_core() -> Iterator[None]:
    """Let large batches use one core instead of all for a while."""
    before = get_num_threads()
    set_num_threads(1)
    try:
        yield
    finally:
        set_num_threads(before)


def batch_steps(game: Game) -> Work:
    """Steps of a batch, which is dealt anew; the policy's time is included."""
    batch, player = Batch(game.name, AT_ONCE), RandomPlayer(AT_ONCE)
    ended, utilities = np.empty(AT_ONCE, bool), np.empty((AT_ONCE, game.players))

    def work() -> Amounts:
        with one_core():
            for _ in range(STEPS):
                batch.step_and_redeal(player(batch), ended, utilities)
        return {"batch_moves_per_s": STEPS * AT_ONCE}

    return work


def positions(game: Game, n: int) -> tuple[np.ndarray, np.ndarray]:
    """n decision points spread evenly over random deals, and the seats to move."""
    batch, player = Batch(game.name, PLACED), RandomPlayer(PLACED)
    seen = []
    while batch.running():
        seen.append(batch.states[batch.actors() >= 0])
        batch.step(player(batch))
    every = np.concatenate(seen)
    chosen = every[np.linspace(0, len(every) - 1, n).astype(int)]
    return chosen, chosen["turn"].astype(np.int64)


def tensors(game: Game, dtype: type, measure: str) -> Work:
    """The compact encodings of a thousand positions."""
    states, seats = positions(game, AT_ONCE)
    out = np.empty((AT_ONCE, game.pieces.size), dtype)

    def work() -> Amounts:
        loops.observe_all.serial(states, seats, out)
        return {measure: AT_ONCE}

    return work


def infostates(game: Game) -> Work:
    """The perfect-recall encodings of a thousand positions."""
    states, seats = positions(game, AT_ONCE)
    out = np.empty((AT_ONCE, infostate_pieces(*find(game.name)).size), np.float32)
    cards, width = game.cards, game.event_width

    def work() -> Amounts:
        fill_infostates.serial(states, seats, cards, width, out)
        return {"infostates_per_s": AT_ONCE}

    return work


def worlds(game: Game, each: int, measure: str) -> Work:
    """`each` worlds of every position."""
    states, seats = positions(game, PLACED)
    out, tries = np.empty(each * PLACED, states.dtype), np.empty(PLACED, np.int64)
    seeds = counting()

    def work() -> Amounts:
        sample_all.serial(states, seats, each, next(seeds), out, tries)
        return {measure: each * PLACED}

    return work


def duplicates(game: Game) -> Work:
    """Deals between the rule-based and the random player, each in every seating."""
    agents = [make_agent(spec, game.name) for spec in ("rules", "random")]
    lineups, seeds = pair_lineups(game), counting()

    def work() -> Amounts:
        with one_core():
            play_deals(agents, lineups, DUPLICATES, next(seeds))
        return {"duplicate_deals_per_s": DUPLICATES}

    return work


KINDS = (
    partial(compiled_deals, loop=loops.random_deals.serial),
    partial(compiled_deals, loop=loops.random_deals.parallel, suffix="_all_cores"),
    batch_steps,
    partial(tensors, dtype=np.float32, measure="tensors_per_s"),
    partial(tensors, dtype=np.uint8, measure="tensors_uint8_per_s"),
    infostates,
    partial(worlds, each=20, measure="worlds_per_s"),
    partial(worlds, each=1, measure="worlds_one_per_position_per_s"),
    duplicates,
)
