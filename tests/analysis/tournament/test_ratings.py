"""Ratings of agents whose order is known."""

import numpy as np
import pytest

from analysis.tournament.pairs import pair_result, score
from analysis.tournament.ratings import RATED_DEALS, alpha_rank, rate, skills

LINEUPS = np.array([[0, 1], [1, 0]])
CIRCLE = np.array([[0, 1, -1], [-1, 0, 1], [1, -1, 0]])


def met(a, b, margins):
    """A pair that has played with these margins in both seats."""
    mine = np.array(margins)[:, None] / 2
    utilities = np.stack([np.hstack([mine, -mine]), np.hstack([-mine, mine])], axis=1)
    scores = score(utilities, LINEUPS)
    return pair_result(a, b, scores), scores.margins


def test_alpha_rank_of_rock_paper_scissors_is_even():
    assert alpha_rank(CIRCLE) == pytest.approx([1 / 3] * 3)


def test_alpha_rank_gives_all_to_who_beats_everybody():
    dominant = np.array([[0, 1, 1, 1], [-1, 0, 1, -1], [-1, -1, 0, 1], [-1, 1, -1, 0]])
    assert alpha_rank(dominant) == pytest.approx([1, 0, 0, 0], abs=1e-4)
    swapped = dominant[::-1, ::-1]
    assert alpha_rank(swapped) == pytest.approx([0, 0, 0, 1], abs=1e-4)


def test_alpha_rank_shares_where_nothing_is_decided():
    assert alpha_rank(np.zeros((4, 4))) == pytest.approx([1 / 4] * 4)
    assert alpha_rank(np.array([[0, 1], [-1, 0]])) == pytest.approx([1, 0], abs=1e-4)


def test_openskill_finds_the_order():
    wins, ties = np.ones(100), np.zeros(100)
    results = [met("a", "b", wins), met("a", "c", wins), met("b", "c", ties)]
    (a, _), (b, _), (c, _) = found = skills("abc", *zip(*results, strict=True))
    assert a > 25 > b
    assert b == pytest.approx(c, abs=0.5)
    assert all(0 < sigma < 25 / 3 for _, sigma in found)


def test_rounding_is_no_win():
    tie, hair = met("a", "b", np.zeros(50)), met("a", "b", np.full(50, 1e-14))
    assert skills("ab", *zip(tie, strict=True)) == skills("ab", *zip(hair, strict=True))


def test_only_the_first_deals_are_rated():
    margins = np.resize([1.0, -1.0, 1.0], RATED_DEALS)
    longer = np.append(margins, np.full(50, -1.0))
    one, two = (skills("ab", *zip(met("a", "b", m), strict=True)) for m in (margins, longer))
    assert one == two


def test_rate_puts_it_together():
    noise = np.random.default_rng(0).normal(size=200)
    open_pair = met("b", "c", noise - noise.mean())
    pairs = [met("a", "b", 4 + noise), met("a", "c", 6 + noise), open_pair]
    ratings = rate("abc", *zip(*pairs, strict=True))
    assert [r.agent for r in ratings] == ["a", "b", "c"]
    assert ratings[0].mean == pytest.approx((4 + 6) / 4 + noise.mean() / 2)
    assert ratings[0].alpha_rank == pytest.approx(1, abs=1e-4)
    assert sum(r.mean for r in ratings) == pytest.approx(0)
    assert rate("abc", *zip(*pairs, strict=True)) == ratings
