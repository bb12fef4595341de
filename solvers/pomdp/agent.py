"""What a learner with a belief state has learnt, kept in a folder: `pomdp:FOLDER`.

The folder holds settings.json, and a file for each part: critic, actor and predictors.
"""

import json
from dataclasses import replace
from pathlib import Path
from typing import Any

from solvers.pomdp.approximator import load_approximator, save_approximator
from solvers.pomdp.belief_agent import BeliefAgent, Settings
from solvers.runs.pretrained import find_run
from solvers.runs.settings import from_plain
from spielgames.agents import Agent
from spielgames.files import read_json, reading, replacing

SETTINGS = "settings.json"


def save_player(folder: Path, player: BeliefAgent) -> None:
    """Keep all that the player needs to play, and to go on learning."""
    about = {"game": player.name, "version": player.game.version}
    for name, part in player.parts().items():
        save_approximator(folder / f"{name}.safetensors", part, about)
    with replacing(folder / SETTINGS) as partial:
        said = about | {"settings": player.settings.plain()}
        partial.write_text(json.dumps(said, indent=2), encoding="utf-8")


def load_player(game: str, folder: Path, seed: int = 0) -> BeliefAgent:
    """A player as it was kept."""
    path = folder / SETTINGS
    if not path.exists():
        raise ValueError(f"{folder} holds no learner with a belief state: it has no {SETTINGS}")
    said = read_json(path)
    with reading(path, "holds no settings of a learner with a belief state"):
        player = BeliefAgent(game, from_plain(Settings, said["settings"]), seed)
        theirs = said["game"].partition("(")[0], said["version"]
    if theirs != (player.game.name, player.game.version):
        raise ValueError(f"{folder} has learnt {theirs[0]}, version {theirs[1]}, not {game}")
    for name, part in player.parts().items():
        found, _ = load_approximator(folder / f"{name}.safetensors")
        part.settings, part.model = found.settings, found.model
    return player


def pomdp(
    game: str, run: str, worlds: int = 0, belief: str = "", choice: str = "", seed: int = 0
) -> Agent:
    """The actor-critic with a belief state that was trained in the folder `run`. It takes the card
    with the highest expected merit over the predicted rest of the trick. `worlds`, `belief` and
    `choice` (best or softmax) override its settings.
    """
    player = load_player(game, find_run(run), seed)
    given: dict[str, Any] = {"worlds": worlds, "belief": belief, "choice": choice}
    player.adopt(replace(player.settings, **{k: v for k, v in given.items() if v}))
    return player
