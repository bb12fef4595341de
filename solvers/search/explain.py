"""Why a search chose what it chose."""

import numpy as np

from solvers.search.choice import Choice, Evidence
from spielgames.explanation import Explanation, Verdict

NORMAL = 1.96  # standard errors on either side make a 95 % interval


def explain(
    evidence: Evidence, chances: np.ndarray, usual: np.ndarray, choice: Choice, unit: str
) -> list[Explanation]:
    """An explanation for each game."""
    means, spreads, best_in = evidence.means(), evidence.uncertainty(), evidence.best_in()
    errors, worlds = evidence.errors(usual), (evidence.weights > 0).sum(axis=1)
    told = []
    for i, base in enumerate(usual):
        rows = zip(means[i], spreads[i], best_in[i], strict=True)
        verdicts = [
            Verdict(
                *(a, float(chances[i, a]), float(mean)),
                *(float(mean - NORMAL * spread), float(mean + NORMAL * spread)),
                *(float(best), a == int(base)),
            )
            for a, (mean, spread, best) in enumerate(rows)
            if np.isfinite(mean)
        ]
        why = reason(means[i], errors[i], chances[i], int(base), choice)
        told.append(Explanation(verdicts, why, int(worlds[i]), unit))
    return told


def reason(
    means: np.ndarray, errors: np.ndarray, chances: np.ndarray, base: int, choice: Choice
) -> str:
    """One sentence on the choice; `{a}` stands for the name of action a."""
    others = np.where(np.arange(len(means)) == base, -np.inf, means)
    if not np.isfinite(others).any():
        return "The only legal action."
    chosen = int(chances.argmax())
    if chosen != base:
        gain = means[chosen] - means[base]
        return f"{{{chosen}}} gains {gain:+.2f} ± {NORMAL * errors[chosen]:.2f} on the base move."
    rival = int((others - choice.caution * errors).argmax())
    gain = means[rival] - means[base]
    if gain <= 0:
        return f"The base move has the highest mean; {{{rival}}} is next, {gain:+.2f}."
    why = "" if choice.prior else f", less than {choice.caution:g} standard errors"
    return (
        f"The base move stays: {{{rival}}} is better by {gain:+.2f} ± {NORMAL * errors[rival]:.2f}"
        f"{why or ', but the base thinks it less likely'}."
    )
