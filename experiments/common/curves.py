"""What the configs of experiments with several curves share."""

from typing import Any

from ml_collections import ConfigDict

from solvers.ppo.settings import Settings


def ppo_curve(settings: Settings, game: str, seeds: tuple[int, ...] = (0,)) -> dict[str, Any]:
    return {
        "game": game,
        "settings": settings.plain(),
        "seeds": seeds,
        "iterations": 100_000,
        "seconds": 0.0,  # no limit
    }


def limit(config: ConfigDict, **seconds: float) -> None:
    for name, most in seconds.items():
        config.curves[name].seconds = most
