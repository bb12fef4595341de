"""The settings of version 0.1.0 that have other names or places now.

Configs of that version are refused, with one sentence that says where each setting has gone.
Networks of that version are read.
"""

from collections.abc import Collection, Iterable, Mapping
from typing import Any

# The names to see instead, the first one that there is; () if the setting is gone.
OLD_NAMES: dict[str, tuple[str, ...]] = {
    # networks
    "embedding": (),
    "norm": (),
    # PPO
    "average": ("ema_rate",),
    "foreseen": ("lookahead",),
    "foresight": ("lookahead",),
    "final_foresight": ("lookahead",),
    "horizon": ("anneal_iterations",),
    "longest": ("max_grad_norm",),
    "magnet_rate": ("magnet",),
    "partner": (),
    "patience": ("critic_warmup", "pretrained"),
    "scale": ("reward_scale",),
    "shaping": (),
    "sharpness": ("inverse_temperature", "pretrained"),
    "trace": ("gae_lambda",),
    **dict.fromkeys(
        ("league", "matches", "matching", "arena_every", "arena_deals", "admission"),
        ("league_size", "league"),
    ),
    # PPO, or Deep CFR
    "clip": ("clip_range", "max_grad_norm"),
    "start": ("pretrained", "initial_policy"),
    # Deep CFR
    "breadth": ("sampling",),
    "carry": ("dcfr_alpha", "memory"),
    "decay": ("schedule", "sampling"),
    "exploration": ("sampling",),
    "opponents": ("opponent",),
    "reach_weights": (),
    "strategies": ("strategy_memory", "policy"),
    "trust": (),
    "warm": ("warm_start",),
    "window": ("memory",),
    **dict.fromkeys(("policy_network", "policy_fit"), ("policy",)),
    **dict.fromkeys(("baseline_network", "baseline_fit"), ("baseline",)),
}


def hint(name: str, known: Collection[str]) -> str:
    """The part of an error about an unknown setting that says what became of an old one."""
    places = OLD_NAMES.get(name, ("",))
    now = [f"; see {one}" for one in places if one in known]
    return f" any more (version 0.1.0 had it{''.join(now[:1])})" if now or not places else ""


def has_old_names(settings: Iterable[str]) -> bool:
    """Whether one of these dotted names, which are no longer there, is of version 0.1.0."""
    return any(setting.rpartition(".")[2] in OLD_NAMES for setting in settings)


def used_by_network(settings: Mapping[str, Any]) -> dict[str, Any]:
    """The settings of a network's file; in version 0.1.0 it also had those of other kinds."""
    unused = {"embedding"}
    if not settings.get("norm"):
        unused.add("norm")
    if settings.get("kind") != "cards":
        unused |= {"heads", "context"}
    return {name: value for name, value in settings.items() if name not in unused}
