"""The folder of a run: its networks of all iterations, and how far it is."""

import json
from pathlib import Path
from typing import Any, NamedTuple

from solvers.environment import Environment
from solvers.networks import About, Network, load_network, save_network
from solvers.seats import Groups
from spielgames.files import replacing
from spielgames.folders import hold

STATE = "state.json"


class State(NamedTuple):
    """How far a run is; an iteration is a number of steps."""

    iteration: int = 0  # the last one finished
    step: int = 0  # steps done of the next one
    positions: int = 0  # visited in traversals: decisions and ends
    samples: int = 0  # of regrets
    seconds: float = 0.0
    traversing: float = 0.0  # seconds of them


def about_run(env: Environment, encoding: str, groups: Groups) -> About:
    """What a run is for; `encoding` is what its settings say."""
    if encoding != env.encoding:
        raise ValueError(
            f"the settings say encoding={encoding}, but the environment's encoding is"
            f" {env.encoding}: give the same one to both"
        )
    return {"game": env.name, "encoding": encoding, "groups": [list(seats) for seats in groups]}


class Archive:
    """`about`: what the run is for, in plain JSON; a folder of another run is refused, and one that
    another process writes to. Who only reads does not say it.
    """

    def __init__(self, folder: Path, about: About | None = None) -> None:
        self.folder = Path(folder)
        self._held = hold(self.folder) if about is not None else None
        kept = self._read()
        if about is None and not kept:
            raise ValueError(f"{folder} is no folder of a run: it has no state.json")
        self.about = kept.get("about", about)
        if about is not None and self.about != about:
            raise ValueError(f"{folder} belongs to another run: {self.about}, not {about}")
        self.state = State(**kept.get("state", {}))

    def _read(self) -> dict[str, Any]:
        path = self.folder / STATE
        return json.loads(path.read_text(encoding="utf-8")) if path.exists() else {}

    def write(self, state: State) -> None:
        write_state(self.folder, self.about, state)
        self.state = state

    def path(self, name: str, iteration: int) -> Path:
        return self.folder / "networks" / f"{name}-{iteration:06d}.safetensors"

    def save(self, name: str, iteration: int, network: Network) -> None:
        save_network(self.path(name, iteration), network, self.about | {"iteration": iteration})

    def load(self, name: str, iteration: int) -> Network | None:
        """None if there is none of that iteration."""
        path = self.path(name, iteration)
        return load_network(path)[0] if path.exists() else None

    def demand(self, name: str, iteration: int) -> Network:
        """It has to be there."""
        network = self.load(name, iteration)
        if network is None:
            raise ValueError(
                f"{self.path(name, iteration)} is not there: the run has no such network"
            )
        return network


def write_state(folder: Path, about: About, state: State) -> None:
    with replacing(folder / STATE) as partial:
        kept = {"about": about, "state": state._asdict()}
        partial.write_text(json.dumps(kept, indent=2), encoding="utf-8")
