"""The judge of cards: exact scores, and losses by situation."""

import pytest

from analysis.card_losses import losses
from spielgames.agents import make_agent

pytestmark = pytest.mark.compiled


def test_nobody_loses_less_than_nothing():
    agents = [make_agent(spec, "python_coinche") for spec in ("rules:expert", "random")]
    (part,) = losses(agents, deals=30, worlds=2, cards=4, seed=3)
    assert (part.lost > -1e-4).all()
    assert part.lost[:, 1].sum() > 0
    assert len(part.situation) == len(part.lost)
