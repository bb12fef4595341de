"""The folder of a run: the networks of all iterations, and the state of the run."""

import json
import warnings
from dataclasses import asdict, dataclass, replace
from pathlib import Path
from typing import Any, NamedTuple

from solvers.environments.card_game import Records
from solvers.environments.environment import Environment
from solvers.networks.layout import Shape
from solvers.networks.network import About, Network, load_network, save_network
from solvers.runs.seats import Groups
from solvers.runs.settings import at_least, check_kind, from_plain
from spielgames.core.game import GAMES
from spielgames.core.registry import find, is_ours
from spielgames.files import read_json, reading, replacing
from spielgames.folders import hold

STATE = "state.json"
PARTS = ("networks", "samples", "league")  # folders in a run's
Details = dict[str, Any]  # what a log wants besides the state, in plain JSON


@dataclass(frozen=True)
class Purpose:
    """The game, the encoding and the seats that a run trains networks for."""

    game: str
    encoding: str
    groups: tuple[tuple[int, ...], ...]  # seats that have a network in common
    version: int = 1  # of the game

    def __post_init__(self) -> None:
        if not self.game.isprintable():
            raise ValueError(f"game={self.game!r} is not a game")
        seats = [seat for group in self.groups for seat in group]
        if not seats or min(seats) < 0 or len(seats) > len(set(seats)):
            raise ValueError(f"groups={self.groups} are not groups of seats")

    def plain(self) -> About:
        """Return it as JSON. Files without a version were made with version 1."""
        known = {name: x for name, x in asdict(self).items() if (name, x) != ("version", 1)}
        return known | {"groups": [list(seats) for seats in self.groups]}


def purpose_of(env: Environment, encoding: str, groups: Groups) -> Purpose:
    """`encoding` is what the settings say."""
    if encoding != env.encoding:
        raise ValueError(
            f"the settings say encoding={encoding}, but the environment's encoding is"
            f" {env.encoding}: give the same one to both"
        )
    return Purpose(env.name, encoding, tuple(groups), version_of(env.name))


def version_of(name: str) -> int:
    """Return the current version of a game; 1 for those of OpenSpiel."""
    game = GAMES.get(name.partition("(")[0])
    return game.version if game else 1


class State(NamedTuple):
    """The progress of a run; an iteration consists of steps."""

    iteration: int = 0  # the last one finished
    step: int = 0  # steps done of the next one
    positions: int = 0  # visited in traversals: decisions and ends
    samples: int = 0  # of regrets
    seconds: float = 0.0
    traversing: float = 0.0  # seconds of them


class Archive:
    """Opened with a purpose, to train: a folder of another run is refused, and one that another
    process writes to. Opened without one, to read.
    """

    def __init__(self, folder: Path, purpose: Purpose | None = None) -> None:
        self.folder = Path(folder)
        self._held = hold(self.folder) if purpose else None
        kept = read_state(self.folder)
        if kept:
            self.purpose, self.state, self.details = kept
            self._warn() if purpose is None else self._check(purpose)
        elif purpose:
            check_unused(self.folder)
            self.purpose = purpose
            self.write(State(), {})  # so that whatever comes next belongs to a run
        else:
            raise ValueError(f"{folder} is not a run folder: it has no {STATE}")

    @property
    def about(self) -> About:
        return self.purpose.plain()

    def _warn(self) -> None:
        now = version_of(self.purpose.game)
        if self.purpose.version != now:
            warnings.warn(f"{self._trained_on(now)}: it may play worse", stacklevel=3)

    def _trained_on(self, now: int) -> str:
        game, then = self.purpose.game.partition("(")[0], self.purpose.version
        return (
            f"{self.folder} was trained on version {then} of {game}, which is at version {now} now"
            " (its rules or what it shows to players have changed)"
        )

    def _check(self, purpose: Purpose) -> None:
        if replace(self.purpose, version=purpose.version) != purpose:
            raise ValueError(
                f"{self.folder} belongs to another run: {self.about}, not {purpose.plain()}"
            )
        if self.purpose != purpose:
            raise ValueError(
                f"{self._trained_on(purpose.version)}: it can be played, but not trained any more"
            )

    def write(self, state: State, details: Details | None = None) -> None:
        """Write the state, and the details of the last iteration if they are new."""
        details = self.details if details is None else details
        write_state(self.folder, self.about, state, details)
        self.state, self.details = state, details

    def report(self) -> Details:
        """Return what to log about the last iteration."""
        return self.state._asdict() | self.details

    def path(self, name: str, iteration: int) -> Path:
        return self.folder / "networks" / f"{name}-{iteration:06d}.safetensors"

    def save(self, name: str, iteration: int, network: Network) -> None:
        save_network(self.path(name, iteration), network, self.about | {"iteration": iteration})

    def load(self, name: str, iteration: int) -> Network | None:
        """Return a network, or None if there is none of that iteration."""
        path = self.path(name, iteration)
        return load_network(path)[0] if path.exists() else None

    def holds(self, kind: str) -> bool:
        """Whether there are networks of a kind, such as advantages or actor."""
        return any((self.folder / "networks").glob(f"{kind}-*.safetensors"))

    def demand(self, name: str, iteration: int, shape: Shape) -> Network:
        """Like `load`, but raise if the network is missing or is for encodings of another shape."""
        network, path = self.load(name, iteration), self.path(name, iteration)
        if network is None:
            raise ValueError(f"{path} is not there: the run has no such network")
        if not network.shape.is_known_to(shape):
            raise ValueError(f"{path} is for another encoding than the run's")
        return network

    def restore(self, name: str, iteration: int, network: Network) -> None:
        """Give a network the weights that were saved, if they are of one like it."""
        kept = self.demand(name, iteration, network.shape)
        if kept.settings != network.settings:
            path = self.path(name, iteration)
            raise ValueError(f"{path} holds another network: {kept.settings}")
        network.load_state_dict(kept.state_dict())

    def environment(self, game: str, learnt: str = "") -> Records:
        """Return the environment that its networks play in. `learnt` is the variant of the game
        that they have learnt, if it is another one; in a match they may play every deal for its own
        sake.
        """
        own, kinds = self.purpose.game, {name.partition("(")[0] for name in (game, learnt or game)}
        known = is_same(own, learnt or game) or is_alone(own, game)
        if not known or len(kinds) > 1:
            raise ValueError(f"{self.folder} has learnt {own}, not {learnt or game}")
        with reading(self.folder / STATE, "is not the state of a run"):
            env = Records(self.purpose.game, self.purpose.encoding)
            if max(map(max, self.purpose.groups)) >= env.players:
                raise ValueError(f"groups={self.purpose.groups} of {env.players} seats")
        return env


def is_same(one: str, other: str) -> bool:
    """Whether two strings name the same variant, as with parameters at their defaults."""
    if one == other or not (is_ours(one) and is_ours(other)):
        return one == other
    return find(one) == find(other)


def is_alone(one: str, game: str) -> bool:
    """Whether a variant has the deals of a match that `game` plays, but not its score."""
    return is_ours(one) and is_ours(game) and find(one) == (find(game)[0], find(game)[1].alone)


def check_unused(folder: Path) -> None:
    for part in PARTS:
        if any(path.is_file() for path in (folder / part).rglob("*")):
            raise ValueError(
                f"{folder} has {part}, but no {STATE}, which says how far the run is:"
                " put it back, or take another folder"
            )


class StateContents(NamedTuple):
    """The contents of the file."""

    purpose: Purpose
    state: State
    details: Details


@dataclass(frozen=True)
class StateFile:
    """The same in plain JSON; older ones have no details."""

    about: dict
    state: dict
    details: dict | None = None


def read_state(folder: Path) -> StateContents | None:
    path = folder / STATE
    if not path.exists():
        return None
    plain = read_json(path)
    with reading(path, "is not the state of a run"):
        found = from_plain(StateFile, plain)
        purpose, state = from_plain(Purpose, found.about), State(**found.state)
        for name, kind in State.__annotations__.items():
            check_kind(name, getattr(state, name), kind)
            at_least(0, name, getattr(state, name))
    return StateContents(purpose, state, found.details or {})


def write_state(folder: Path, about: About, state: State, details: Details) -> None:
    kept = {"about": about, "state": state._asdict(), "details": details}
    with replacing(folder / STATE) as partial:
        partial.write_text(json.dumps(kept, indent=2), encoding="utf-8")
