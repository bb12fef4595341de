"""Explanations: what an agent thinks of each legal action, as `Agent.explain` gives them."""

import re
from collections.abc import Mapping
from math import isnan
from typing import Any, NamedTuple

UNKNOWN = float("nan")


class Verdict(NamedTuple):
    """What is known of one action. Values are utilities, or what else the agent maximises."""

    action: int
    chance: float  # with which the agent plays it
    mean: float = UNKNOWN  # its value
    low: float = UNKNOWN  # the 95 % interval
    high: float = UNKNOWN
    best: float = UNKNOWN  # the share of worlds in which no action is better, or that tried it
    base: bool = False  # whether the agent that the search starts from would play it


class Explanation(NamedTuple):
    verdicts: list[Verdict]
    why: str = ""
    worlds: int = 0
    unit: str = ""  # of the values
    share: str = "best in"  # what the shares of worlds are


def plain(explanation: Explanation, words: Mapping[int, str]) -> dict[str, Any]:
    """The explanation for JSON; NaN becomes null."""
    verdicts = [
        {"name": words[verdict.action]}
        | {key: None if value != value else value for key, value in verdict._asdict().items()}
        for verdict in explanation.verdicts
    ]
    why = " ".join(tell(explanation, words))
    return explanation._asdict() | {"verdicts": verdicts, "why": why}


def table(explanation: Explanation, words: Mapping[int, str]) -> str:
    """The verdicts as a table, the likeliest action first, and the reason for the choice."""
    verdicts = sorted(explanation.verdicts, key=order)
    valued = any(map(has_value, verdicts))
    width = max(len(words[verdict.action]) for verdict in verdicts)
    lines = [heading(explanation, width)] if valued else []
    lines += [line(verdict, words[verdict.action].ljust(width)) for verdict in verdicts]
    return "\n".join([*lines, *tell(explanation, words)])


def has_value(verdict: Verdict) -> bool:
    return not isnan(verdict.mean)


def order(verdict: Verdict) -> tuple[float, float]:
    return -verdict.chance, -verdict.mean if has_value(verdict) else 0.0


def heading(explanation: Explanation, width: int) -> str:
    value = f"value, {explanation.unit}" if explanation.unit else "value"
    return f"{'':{width}}   plays  {value:26}  {explanation.share:7}  base"


def line(verdict: Verdict, word: str) -> str:
    shown = f"{word}  {100 * verdict.chance:4.0f} %"
    if has_value(verdict):
        interval = f"{verdict.mean:+.2f} ({verdict.low:+.2f} … {verdict.high:+.2f})"
        shown += f"  {interval:26}  {100 * verdict.best:5.0f} %  {'yes' if verdict.base else ''}"
    return shown.rstrip()


def tell(explanation: Explanation, words: Mapping[int, str]) -> list[str]:
    """The reason, in which {7} stands for the name of action 7, and on how many worlds it rests."""
    if not explanation.why:
        return []
    why = re.sub(r"\{(\d+)\}", lambda found: words[int(found[1])], explanation.why)
    return [
        f"{why} ({explanation.worlds} worlds; intervals of 95 %)" if explanation.worlds else why
    ]
