"""Matches: deals add up as each game's rules say, whatever plays them and however they are cut."""

import numpy as np
import pytest

from spielgames import COINCHE, HEARTS, HOKM, SHEEPHEAD, SNAPSZER
from spielgames.agents import Agent, RuleAgent
from spielgames.coinche.rules import FIRST_BID, FIRST_CAPOT
from spielgames.contest import pair_lineups
from spielgames.core.cards import make_set
from spielgames.core.game import initial_state
from spielgames.core.match import shared_pot
from spielgames.core.record import NOBODY, TERMINAL
from spielgames.core.registry import find
from spielgames.matches import Matches, match_of, play_matches
from spielgames.sheephead.rules import BURIED
from tests.golden import golden
from tests.variants import FULL

GAMES = [COINCHE, HOKM, HEARTS, SHEEPHEAD, SNAPSZER]


class Wrapped(Agent):
    """A compiled player in disguise, which notes the positions that it decides in."""

    def __init__(self, agent):
        super().__init__(agent.name)
        self.agent = agent
        self.seen = []

    def probabilities(self, states):
        self.seen.append(states.copy())
        return self.agent.probabilities(states)


class Passer(Agent):
    """Passes in Coinche, so that no card is ever played."""

    def probabilities(self, states):
        return np.eye(1, self.game.actions, dtype=np.float32).repeat(len(states), 0)


def finished(name, rows, **fields):
    """Records of finished deals with the given fields."""
    states = np.repeat(initial_state(*find(name)), rows)
    states["turn"] = TERMINAL
    for field, value in fields.items():
        states[field] = value
    return states


def scores(game, states, totals=None):
    before = np.zeros((len(states), game.players)) if totals is None else np.array(totals, float)
    return game.match.scores(states, before)


def contracts(name):
    """Seat 1 bids 90 and makes 100; seat 2 bids 90, coinched, and makes 62; seat 3 makes a capot,
    surcoinched; all pass."""
    nine, capot = FIRST_BID + 4, FIRST_CAPOT
    return finished(
        name,
        4,
        contract=[nine, nine, capot, 0],
        bidder=[1, 2, 3, 0],
        doubled=[0, 1, 2, 0],
        points=[(62, 100), (62, 100), (0, 162), (0, 0)],
        tricks=[(3, 5), (3, 5), (0, 8), (0, 0)],
    )


@pytest.mark.parametrize("reward", ["mirror", "classic", "no_defense", "good"])
def test_coinche_counts_classic_points_whatever_the_reward(reward):
    sides = scores(COINCHE, contracts(f"python_coinche(reward={reward})"))
    assert sides[:, :2].tolist() == [[0, 90], [0, 320], [0, 1000], [0, 0]]
    np.testing.assert_array_equal(sides[:, :2], sides[:, 2:])


def test_coinche_counts_points_made_and_announced_if_that_is_the_reward():
    sides = scores(COINCHE, contracts("python_coinche(reward=made_and_announced)"))
    assert sides[:, :2].tolist() == [[62, 190], [0, 500], [0, 4 * (250 + 250)], [0, 0]]


def test_scoring_leaves_the_deals_as_they_are():
    states = contracts("python_coinche")
    before = states.copy()
    scores(COINCHE, states)
    np.testing.assert_array_equal(states, before)


def test_hokm_counts_one_two_or_three_and_only_a_losing_hakem_moves_on():
    states = finished("python_hokm", 4, tricks=[(7, 4), (7, 0), (5, 7), (0, 7)])
    sides = scores(HOKM, states)
    assert sides.tolist() == [[1, 0, 1, 0], [2, 0, 2, 0], [0, 1, 0, 1], [0, 3, 0, 3]]
    assert HOKM.match.next_opener(np.array([2, 3, 2, 3]), sides, 4).tolist() == [2, 3, 3, 0]


def test_snapszer_counts_game_points_of_the_winner():
    states = finished("python_snapszer", 3, winner=[0, 1, 1], worth=[1, 2, 3])
    assert scores(SNAPSZER, states).tolist() == [[1, 0], [0, 2], [0, 3]]


@pytest.mark.parametrize("case", golden("hearts")["moon"])
def test_golden_moons_in_a_match_of_hearts(case):
    taken = 26 * np.eye(4, dtype=int)[[case["shooter"]]]
    states = finished("python_hearts", 1, points=taken, jack_taker=-1)
    assert scores(HEARTS, states, [case["game_before"]])[0].tolist() == case["delta"]


def test_hearts_without_a_moon_just_add_up():
    states = finished("python_hearts", 1, points=[[2, 5, 0, 19]], jack_taker=-1)
    assert scores(HEARTS, states, [[90, 0, 0, 0]]).tolist() == [[2, 5, 0, 19]]


def test_a_bonus_of_hearts_counts_beside_the_moon():
    """The jack's ten points keep seat 1 below the shooter, who therefore takes 26 off."""
    states = finished("python_hearts(jd_bonus=true)", 1, points=[[26, 0, 0, 0]], jack_taker=1)
    assert scores(HEARTS, states, [[26, 9, 50, 50]]).tolist() == [[-26, -10, 0, 0]]
    assert scores(HEARTS, states, [[25, 9, 50, 50]]).tolist() == [[0, 16, 26, 26]]


def test_sheephead_pays_and_doubles_five_deals_after_60_60():
    """The picker's tricks hold ♣A ♣10 ♠A ♥A ♥10: 53 points. ♣K and ♣Q, buried, make them 60. In the
    third deal nobody picked."""
    states = finished("python_sheephead", 3, picker=[2, 2, NOBODY], partner=NOBODY)
    states["taken"][:2, 2] = make_set([7, 3, 31, 23, 19])
    states["hands"][0, BURIED] = make_set([6, 5])
    match = SHEEPHEAD.match
    assert match.carries(states, np.array([0, 0, 0])).tolist() == [5, 0, 0]
    assert match.carries(states, np.array([3, 3, 1])).tolist() == [5, 2, 0]
    assert scores(SHEEPHEAD, states)[:2].tolist() == [[20, 20, -80, 20, 20]] * 2
    match.prepare(states, np.zeros((3, 5)), 7, np.array([5, 0, 1]))
    assert states["doubled"].tolist() == [1, 0, 1]
    assert scores(SHEEPHEAD, states)[:2].tolist() == [[40, 40, -160, 40, 40], [20, 20, -80, 20, 20]]


def test_a_deal_is_doubled_if_one_of_the_five_before_was_60_60():
    spy = Wrapped(RuleAgent("python_sheephead", -1))
    table = Matches([spy], np.zeros((50, 1, 5), int), seed=2, goal=40)
    doubled, tied = [], []
    while table.running():
        spy.seen.clear()
        table.play_deal()
        doubled.append(spy.seen[0]["doubled"])
        tied.append(table.carried == 5)
    for deal in range(40):
        lately = np.any(tied[max(deal - 5, 0) : deal], axis=0)
        np.testing.assert_array_equal(doubled[deal], lately)
    assert 0 < np.mean(tied) < 0.1


@pytest.mark.parametrize(
    ("game", "totals", "over", "worth"),
    [
        (COINCHE, [1000, 990, 1000, 990], True, [1, -1, 1, -1]),
        (COINCHE, [1000, 1170, 1000, 1170], True, [-1, 1, -1, 1]),
        (COINCHE, [1010, 1010, 1010, 1010], False, [0, 0, 0, 0]),
        (COINCHE, [990, 0, 990, 0], False, [1, -1, 1, -1]),
        (HOKM, [6, 8, 6, 8], True, [-1, 1, -1, 1]),
        (SNAPSZER, [7, 6], True, [1, -1]),
        (SNAPSZER, [6, 6], False, [0, 0]),
        (HEARTS, [99, 60, 40, 59], False, [-1, -1, 3, -1]),
        (HEARTS, [100, 60, 40, 60], True, [-1, -1, 3, -1]),
        (HEARTS, [120, 40, 40, 60], True, [-1, 1, 1, -1]),
        (SHEEPHEAD, [5, -5, 10, -10, 0], False, [5, -5, 10, -10, 0]),
    ],
)
def test_when_a_match_ends_and_what_it_is_worth(game, totals, over, worth):
    totals = np.array([totals])
    assert game.match.is_over(totals, 9).tolist() == [over]
    assert game.match.utilities(totals)[0].tolist() == worth


def test_a_session_ends_after_its_hands():
    totals = np.zeros((2, 5))
    assert not SHEEPHEAD.match.is_over(totals, 99).any()
    assert SHEEPHEAD.match.is_over(totals, 100).all()


def test_a_pot_is_shared_by_its_winners():
    assert shared_pot(np.array([[True] * 3 + [False]]))[0] == pytest.approx([1 / 3] * 3 + [-1])


def test_a_match_without_end_counts_as_it_stands():
    result = play_matches([Passer("python_coinche")], np.zeros((1, 4), int), 3, seed=1)
    assert (result.deals == COINCHE.match.limit).all()
    assert (result.utilities == 0).all() and (result.totals == 0).all()


@pytest.mark.parametrize("name", FULL)
def test_the_players_of_a_match_get_the_scores_of_their_seats(name):
    """Everybody in turn is seat 0, but for the Hakem, and carries their points along."""
    game = find(name)[0]
    agents = [RuleAgent(name, -1), RuleAgent(name, 0)]
    table = Matches(
        agents,
        pair_lineups(game)[None].repeat(5, 0),
        seed=3,
        goal=12 if game is SHEEPHEAD else None,
    )
    totals = np.zeros_like(table.totals)
    opener = np.zeros(len(totals), int)
    while table.running():
        rows, players = table.rows, table.players()
        assert (players == (opener[rows, None] + np.arange(game.players)) % game.players).all()
        gained = table.play_deal()
        for seat in range(game.players):
            totals[rows, players[:, seat]] += gained[:, seat]
        moves = gained[:, 0] == 0 if game is HOKM else np.ones(len(rows), bool)
        opener[rows] = (opener[rows] + moves) % game.players
    np.testing.assert_array_equal(table.totals, totals)
    if game.teams:
        np.testing.assert_array_equal(totals[:, :2], totals[:, 2:])


@pytest.mark.parametrize("game", [COINCHE, HOKM, HEARTS, SNAPSZER])
def test_matches_end_as_soon_as_they_are_decided(game):
    result = play_matches([RuleAgent(game.name, -1)], np.zeros((1, game.players), int), 50, seed=4)
    assert (result.totals.max(axis=2) >= game.match.goal).all()
    assert 1 < result.deals.max() < game.match.limit
    assert result.utilities.sum(axis=2) == pytest.approx(0)


@pytest.mark.parametrize("name", FULL)
def test_matches_do_not_depend_on_chunks_or_on_how_they_are_played(name):
    game = find(name)[0]
    agents = [RuleAgent(name, 0), RuleAgent(name, -1)]
    lineups = pair_lineups(game)
    goal = 20 if game is SHEEPHEAD else None
    whole = play_matches(agents, lineups, 6, seed=5, goal=goal)
    parts = [play_matches(agents, lineups, 3, seed=5, first=f, goal=goal) for f in (0, 3)]
    batched = play_matches([Wrapped(a) for a in agents], lineups, 6, seed=5, goal=goal)
    other = play_matches(agents, lineups, 6, seed=6, goal=goal)
    for k, numbers in enumerate(whole):
        np.testing.assert_array_equal(np.concatenate([part[k] for part in parts]), numbers)
        np.testing.assert_array_equal(batched[k], numbers)
    assert (other.totals != whole.totals).any()


def test_the_cards_of_a_deal_are_the_same_in_all_lineups():
    spy = Wrapped(RuleAgent("python_snapszer", -1))
    table = Matches([spy], np.zeros((4, 3, 2), int), seed=6)
    dealt = []
    for _ in range(3):
        spy.seen.clear()
        table.play_deal()
        dealt.append(spy.seen[0]["dealt"].reshape(4, 3, -1))
    cards = np.array(dealt)  # [deals, matches, line-ups, places]
    assert (cards == cards[:, :, :1]).all()
    assert len(np.unique(cards[:, :, 0, 0])) > 10


@pytest.mark.parametrize(
    ("name", "rules"), [("python_hearts", [0, 1, 2, 3, 0]), ("python_hearts(pass=right)", [1] * 5)]
)
def test_passing_goes_left_right_across_hold_in_a_match(name, rules):
    spy = Wrapped(RuleAgent(name, -1))
    table = Matches([spy], np.zeros((2, 1, 4), int), seed=7)
    for rule in rules:
        spy.seen.clear()
        table.play_deal()
        first = spy.seen[0]
        assert (first["direction"] == rule).all()
        assert (first["passing"] == (rule != 3)).all()


def test_every_match_may_have_its_own_lineup():
    agents = [RuleAgent("python_hokm", 0), RuleAgent("python_hokm", -1)]
    own = np.array([[[0, 1, 0, 1]], [[0, 0, 0, 0]], [[1, 0, 1, 0]]])
    together = play_matches(agents, own, 3, seed=8)
    assert together.totals.shape == (3, 1, 4) and together.deals.shape == (3, 1)
    for match, lineups in enumerate(own):
        alone = play_matches(agents, lineups, 1, seed=8, first=match)
        np.testing.assert_array_equal(together.totals[match], alone.totals[0])
    assert (together.utilities[[0, 2], 0, [0, 1]] == 1).all()


def test_bad_input_is_refused():
    with pytest.raises(ValueError, match="goal=0 is not allowed; it must be at least 1"):
        match_of(HOKM, 0)
    hokm = RuleAgent("python_hokm", 0)
    with pytest.raises(ValueError, match="a line-up has 4 seats"):
        play_matches([hokm], np.zeros((1, 3), int), 1, seed=0)
    with pytest.raises(ValueError, match="matches=0 is not allowed; it must be at least 1"):
        play_matches([hokm], np.zeros((1, 4), int), 0, seed=0)


def test_a_deal_without_nola_that_all_pass_is_dealt_again():
    """Rule-based players all pass in one deal of five. The next deal gets other cards, the same
    payments, and no turn of the deal is lost.
    """
    name = "python_sheephead(nola=false)"
    lineups = np.zeros((200, 1, 5), int)
    tables = [Matches([agent], lineups, seed=8, goal=3) for agent in agents_in_two_ways(name)]
    for _ in range(3):
        gained = [table.play_deal() for table in tables]
        np.testing.assert_array_equal(*gained)
        assert (gained[0] != 0).all()
    with_nola = Matches([RuleAgent("python_sheephead", 0)], lineups, seed=8, goal=3).play_deal()
    share = (with_nola == Matches([RuleAgent(name, 0)], lineups, seed=8).play_deal()).all(axis=1)
    assert 0.7 < share.mean() < 0.9


def agents_in_two_ways(name):
    return RuleAgent(name, 0), Wrapped(RuleAgent(name, 0))


def test_of_seven_players_of_sheephead_two_take_turns_in_sitting_out():
    agents = [RuleAgent("python_sheephead", 0), RuleAgent("python_sheephead", -1)]
    table = Matches(agents, np.array([[[0, 1, 0, 1, 0, 1, 0]]]), seed=9, goal=7)
    absent = []
    while table.running():
        absent.append(sorted(set(range(7)) - set(table.players()[0])))
        table.play_deal()
    # The dealer of the first deal is player 6, and player 5 sits before the dealer.
    assert absent == [sorted({(5 + k) % 7, (6 + k) % 7}) for k in range(7)]
    assert table.totals.shape == (1, 7) and table.totals.sum() == 0
    with pytest.raises(ValueError, match="a line-up has 4 seats"):
        Matches([RuleAgent("python_hokm", 0)], np.zeros((1, 1, 5), int), seed=1)
