"""Coinche against golden cases, an independent reading of its rules, and deals scored by hand."""

import itertools
import json
import math
from collections import Counter
from pathlib import Path

import numpy as np
import pytest

import spielgames.core.cache  # noqa: F401
from spielgames.coinche import game, scores, tables
from spielgames.coinche.game import COINCHE
from spielgames.core.batch import Batch
from spielgames.core.cards import make_set, members
from spielgames.core.record import TERMINAL, event_action
from spielgames.core.registry import find
from spielgames.core.text import RANKS_8, card_name, parse_card

GOLDEN_FILES = (Path(__file__).with_name("golden.json"), Path("/work/shared/golden.json"))
GOLDEN = json.loads(next(p for p in GOLDEN_FILES if p.exists()).read_text())["coinche"]
PLAIN_ORDER = "789JQKTA"
TRUMP_ORDER = "78QKTA9J"
CLUBS, DIAMONDS, HEARTS, SPADES = range(4)
ALL_BIDS = set(range(1, 41))

# A suit each: whoever holds the trumps takes all tricks, whatever is played.
SOLO = [" ".join(rank + suit for rank in RANKS_8) for suit in "CDHS"]
# Played as in MIXED_PLAY with hearts as trump, seats 0 and 2 make 62 and the others 100.
# Seat 2 holds the king and queen of hearts.
MIXED = [
    "JH 9H TC KC QC JC 9C 9D",
    "AH TH AC AD TD KD QD JD",
    "KH QH AS TS KS QS JS 9S",
    "8H 7H 8C 7C 8D 7D 8S 7S",
]
MIXED_PLAY = (
    "JH TH QH 7H  9H AH KH 8H  TC AC 9S 7C  AD JS 7D 9D  "
    "TD QS 8D 9C  KD KS 8C JC  QD TS 7S QC  JD AS 8S KC"
)
SMALL = [
    "suits=1,ranks=4",
    "suits=2,ranks=4,levels=1",
    "suits=2,ranks=4,levels=1,capot=false,doubling=false",
    "suits=2,ranks=6,undertrump=true",
    "suits=3,ranks=4,belote=true,reward=made_and_announced",
    "suits=4,ranks=2,reward=good,penalty=70",
    "suits=4,ranks=3,reward=classic",
    "suits=4,ranks=5,reward=no_defense,levels=2",
    "suits=1,ranks=8,belote=true",
]


def cards(words):
    return [parse_card(word, RANKS_8) for word in words.split()]


def suit_of(card):
    return card // 8


class Table:
    """One deal, told in words."""

    def __init__(self, hands=None, **params):
        given = ",".join(f"{k}={v}" for k, v in params.items()).lower()
        self.batch = Batch(f"python_coinche({given})", games=1, seed=1)
        self.s = self.batch.states[0]
        if hands is not None:
            self.hold([make_set(cards(hand)) for hand in hands])

    def hold(self, sets):
        """Replaces what was dealt."""
        self.s.hands[:] = sets
        self.s.dealt[:] = sets

    def do(self, a):
        self.batch.step(np.array([a]))
        return self

    def say(self, words):
        for word in words.split():
            names = {COINCHE.action_name(self.s, a): a for a in range(43)}
            self.do(names[word])
        return self

    def play(self, words):
        for card in cards(words):
            self.do(card)
        return self

    def finish(self):
        """Plays lowest legal cards to the end."""
        while self.turn != TERMINAL:
            self.do(min(self.legal))
        return self

    @property
    def legal(self):
        return set(members(self.batch.legal_sets()[0]))

    @property
    def turn(self):
        return int(self.batch.actors()[0])

    @property
    def teams(self):
        """Utilities of the two teams, which are those of each of their seats."""
        out = self.batch.returns()[0]
        assert out[0] == out[2] and out[1] == out[3]
        return [out[0], out[1]]


def random_step(batch, rng):
    mask = batch.legal_mask()
    mask[batch.actors() == TERMINAL, 0] = True
    batch.step((rng.random(mask.shape) * mask).argmax(1))


# Golden cases.


def at_trick(trick, hand, trump, undertrump):
    """Seat 0 led; the seat after the trick holds `hand`, and those before hold what they play."""
    table = Table(undertrump=undertrump)
    sets = [make_set(cards(card)) for card in trick] + [make_set(cards(" ".join(hand)))]
    table.hold(sets + [0] * (4 - len(sets)))
    return table.say(f"80{trump} pass pass pass").play(" ".join(trick))


@pytest.mark.parametrize("case", GOLDEN["legal_play"], ids=lambda case: case["case"])
@pytest.mark.parametrize(
    ("undertrump", "key"),
    [(False, "legal_ffb_contree"), (True, "legal_picot_must_undertrump")],
)
def test_golden_legal_play(case, undertrump, key):
    trump = "♣♦♥♠"["CDHS".index(case["trump"])]
    table = at_trick(case["trick"], case["hand"], trump, undertrump)
    assert table.legal == set(cards(" ".join(case[key])))


@pytest.mark.parametrize("case", GOLDEN["trick_cases"])
def test_golden_tricks(case):
    table = Table()
    spare = ["8C", "9C", "TC", "JC"]  # so that it is not the last trick
    hands = [[c, x] for c, x in zip(case["cards"], spare, strict=True)]
    table.hold([make_set(cards(" ".join(hand))) for hand in hands])
    trump = "♣♦♥♠"["CDHS".index(case["trump"])]
    table.say(f"80{trump} pass pass pass").play(" ".join(case["cards"]))
    assert table.turn == case["winner_index"]
    assert table.s.points[case["winner_index"] % 2] == case["points"]
    assert table.s.points.sum() == case["points"]


def test_golden_constants():
    constants = GOLDEN["constants"]
    for trump in range(4):
        assert tables.POINTS[trump].sum() == constants["card_points"]
    assert constants["last_trick"] == tables.LAST_TRICK
    assert game.total_points(4, 8) == constants["total"]
    all_tricks = Table(SOLO, reward="made_and_announced").say("80♣ pass pass pass").finish()
    assert all_tricks.teams == [constants["capot_total"] + 80, 0]
    batch = Batch("python_coinche", games=1)
    hands = [len(members(hand)) for hand in batch.states[0].dealt]
    deals = math.factorial(sum(hands)) // math.prod(math.factorial(n) for n in hands)
    assert deals == constants["deals"]
    assert find("python_coinche")[1].max_moves == constants["longest_auction"] + 32


def test_golden_bids():
    bids, table = GOLDEN["bids"], Table()
    names = {COINCHE.action_name(table.s, a): a for a in range(COINCHE.actions)}
    assert names["pass"] == bids["pass"]
    assert names["80♣"] == bids["80_suit0"] and names["80♠"] == bids["80_suit3"]
    assert names["160♠"] == bids["160_suit3"]
    assert [names["capot♣"], names["capot♠"]] == bids["capot"]
    assert names["coinche"] == bids["coinche"] and names["surcoinche"] == bids["surcoinche"]
    assert COINCHE.actions == bids["padding"]


@pytest.mark.parametrize("case", GOLDEN["points_announced"], ids=lambda case: case[0])
def test_golden_points_announced(case):
    contract, outcome = case[0].split()
    hands = SOLO if outcome == "made" else SOLO[1:] + SOLO[:1]
    table = Table(hands, reward="classic").say(f"{contract}♣ pass pass pass").finish()
    assert table.teams == case[1:]


@pytest.mark.parametrize("reward", ["classic", "mirror", "no_defense", "good"])
@pytest.mark.parametrize("outcome", ["made", "failed"])
@pytest.mark.parametrize("attackers", [0, 1])
@pytest.mark.parametrize("bid", [80, 160])
def test_golden_reward_variants(reward, outcome, attackers, bid):
    values = {"bid": bid, "-bid": -bid}
    expected = [values.get(x, x) for x in GOLDEN["reward_variants"][reward][outcome]]
    trump = "♣♦"[attackers if outcome == "made" else 1 - attackers]
    table = Table(SOLO, reward=reward).say("pass " * attackers + f"{bid}{trump} pass pass pass")
    assert table.finish().teams == (expected if attackers == 0 else expected[::-1])


# Deals scored by hand.

UNDOUBLED, COINCHED, SURCOINCHED = "pass pass pass", "coinche pass pass pass", "coinche surcoinche"


@pytest.mark.parametrize(
    ("reward", "made", "failed", "capot_made", "capot_failed"),
    [
        ("mirror", [-90, 90], [-160, 160], [250, -250], [250, -250]),
        ("classic", [0, 90], [0, 160], [250, 0], [250, 0]),
        ("no_defense", [-90, 90], [-160, 0], [250, -250], [0, -250]),
        ("good", [-90, 90], [-80, 160], [250, -250], [250, -250]),
        ("made_and_announced", [62, 190], [0, 240], [502, 0], [410, 0]),
    ],
)
@pytest.mark.parametrize(("ending", "stakes"), [(UNDOUBLED, 1), (COINCHED, 2), (SURCOINCHED, 4)])
def test_scores(reward, made, failed, capot_made, capot_failed, ending, stakes):
    def worth(hands, auction, play=""):
        return Table(hands, reward=reward).say(f"{auction} {ending}").play(play).finish().teams

    def times(numbers):
        return [stakes * x for x in numbers]

    assert worth(MIXED, "pass 90♥", MIXED_PLAY) == times(made)
    assert worth(MIXED, "80♥", MIXED_PLAY) == times(failed)
    assert worth(SOLO, "capot♣") == times(capot_made)
    assert worth(SOLO, "pass capot♣") == times(capot_failed)


def test_a_contract_is_made_with_exactly_its_points():
    for bid, result in ((100, [-100, 100]), (110, [160, -160])):
        table = Table(MIXED).say(f"pass {bid}♥ pass pass pass").play(MIXED_PLAY)
        assert list(table.s.points) == [62, 100] and list(table.s.tricks) == [2, 6]
        assert table.teams == result


def test_capot_is_all_tricks():
    """Seats 1 and 3 make 100 points in six tricks."""
    assert Table(MIXED).say("pass capot♥ pass pass pass").play(MIXED_PLAY).teams == [250, -250]


@pytest.mark.parametrize(
    ("reward", "bid", "result"),
    [
        ("mirror", "capot♣", [-250, 250]),
        ("mirror", "160♣", [160, -160]),
        ("made_and_announced", "160♣", [162 + 160, 0]),
    ],
)
def test_a_trick_without_points_is_a_trick(reward, bid, result):
    """Seat 1 takes the first with the eight of diamonds; seat 0 has all points, but no capot."""
    hands = [SOLO[0].replace("7C", "7D"), SOLO[1].replace("7D", "7C"), *SOLO[2:]]
    table = Table(hands, reward=reward).say(f"{bid} pass pass pass").play("7D 8D 7H 7S").finish()
    assert list(table.s.points) == [162, 0] and list(table.s.tricks) == [7, 1]
    assert table.teams == result


@pytest.mark.parametrize(
    ("belote", "reward", "auction", "result"),
    [
        (False, "mirror", "80♥", [-160, 160]),
        (True, "mirror", "80♥", [80, -80]),  # 62 + 20
        (True, "mirror", "90♥", [-160, 160]),
        (True, "made_and_announced", "80♥", [82 + 80, 100]),
        (True, "made_and_announced", "pass 100♥", [82, 100 + 100]),
        (True, "made_and_announced", "pass 110♥", [160 + 110, 0]),
    ],
)
def test_belote(belote, reward, auction, result):
    table = Table(MIXED, belote=belote, reward=reward).say(f"{auction} pass pass pass")
    assert table.play(MIXED_PLAY).teams == result


def test_belote_is_in_one_hand_and_of_trump():
    """Whoever bids takes all tricks, also when the hands of seats 0 and 2 are mixed."""

    def worth(hands, auction):
        table = Table(hands, belote=True, reward="made_and_announced")
        return table.say(f"{auction} pass pass pass").finish().teams

    apart = [SOLO[0].replace("KC", "KH"), SOLO[1], SOLO[2].replace("KH", "KC"), SOLO[3]]
    assert worth(SOLO, "80♣") == [252 + 20 + 80, 0]
    assert worth(apart, "80♣") == [252 + 80, 0]
    assert worth(apart, "pass 80♦") == [0, 252 + 20 + 80]


def test_penalty():
    for reward, result in (("mirror", [-90, 90]), ("made_and_announced", [0, 90 + 80])):
        table = Table(MIXED, penalty=90, reward=reward).say("80♥ pass pass pass")
        assert table.play(MIXED_PLAY).teams == result
    capot = Table(SOLO, penalty=90).say("pass capot♣ pass pass pass").finish()
    assert capot.teams == [250, -250]


@pytest.mark.parametrize("reward", scores.REWARDS)
def test_all_pass(reward):
    table = Table(reward=reward, belote=True).say("pass pass pass")
    assert table.turn == 3 and table.legal == {0} | ALL_BIDS
    table.say("pass")
    assert table.turn == TERMINAL and table.legal == set() and table.teams == [0, 0]


# The auction.


def test_first_call():
    assert Table().legal == {0} | ALL_BIDS


def test_a_bid_must_be_strictly_higher_in_value():
    table = Table().say("90♦")
    assert table.legal == {0, 41} | set(range(9, 41))  # 100 and more; no other 90
    table.say("capot♣")
    assert table.legal == {0, 41}
    with pytest.raises(ValueError, match=r"illegal.*allowed are pass \(0\), coinche \(41\)"):
        table.do(38)


def test_only_opponents_coinche_and_only_the_bidders_surcoinche():
    table = Table().say("pass 150♠")  # by seat 1
    assert 41 in table.legal
    assert table.say("pass").legal == {0} | set(range(33, 41))  # the partner
    assert table.say("pass").legal == {0, 41} | set(range(33, 41))
    assert table.say("coinche").legal == {0, 42}
    assert table.say("pass").legal == {0}  # the other defender
    assert table.say("pass").legal == {0, 42}
    assert table.say("surcoinche").s.playing and table.turn == 0
    assert table.s.doubled == 2 and table.s.bidder == 1 and table.s.trump == SPADES


@pytest.mark.parametrize(
    ("auction", "bidder", "doubled", "contract"),
    [
        ("80♣ pass pass pass", 0, 0, 1),
        ("pass pass pass 80♥ pass pass pass", 3, 0, 3),
        ("80♣ pass pass 90♣ pass pass 100♠ pass pass pass", 2, 0, 12),
        ("80♣ coinche pass pass pass", 0, 1, 1),
        ("80♣ pass pass coinche pass pass pass", 0, 1, 1),
        ("80♣ pass pass coinche pass pass surcoinche", 0, 2, 1),
        ("80♣ 90♣ coinche surcoinche", 1, 2, 5),
        ("80♣ pass 90♥ coinche surcoinche", 2, 2, 7),
    ],
)
def test_how_an_auction_ends(auction, bidder, doubled, contract):
    """Seat 0 leads whoever attacks; the attackers are those of the last bid."""
    *before, last = auction.split()
    table = Table().say(" ".join(before))
    assert not table.s.playing
    table.say(last)
    assert table.s.playing and table.turn == 0 and table.s.calls == len(before) + 1
    assert (table.s.bidder, table.s.doubled, table.s.contract) == (bidder, doubled, contract)


def test_a_coinche_does_not_make_its_caller_the_attacker():
    assert Table(SOLO).say("100♣ coinche pass pass pass").finish().teams == [200, -200]


def test_the_longest_auction():
    ladder = [f"{value}♣" for value in range(80, 170, 10)] + ["capot♣"]
    table = Table().say("pass pass pass " + " pass pass ".join(ladder))
    table.say("pass pass coinche pass pass")
    assert not table.s.playing and table.s.calls == 36
    assert table.say("surcoinche").s.calls == 37 and table.s.playing
    assert table.finish().s.length == 37 + 32 == len(table.s.events)


def explore_auctions(params):
    """How many auctions there are and how long the longest is, by the rules themselves."""
    start = Batch(f"python_coinche({params})", games=1)
    found = {}

    def below(state):
        s = state[0]
        key = tuple(int(s[f]) for f in ("turn", "contract", "bidder", "doubled", "passes"))
        if s.turn == TERMINAL or s.playing:
            return 1, 0
        if key not in found:
            found[key] = children(state)
        return found[key]

    def children(state):
        calls = members(Batch.of_states(COINCHE, start.variant, state.copy()).legal_sets()[0])
        after = Batch.of_states(COINCHE, start.variant, np.repeat(state, len(calls)))
        after.step(np.array(calls))
        numbers, lengths = zip(
            *(below(after.states[i : i + 1]) for i in range(len(calls))), strict=True
        )
        return sum(numbers), 1 + max(lengths)

    return below(start.states)


@pytest.mark.parametrize(
    ("params", "suits", "values", "endings", "longest"),
    [
        ("", 4, 10, 7, 37),
        ("capot=false", 4, 9, 7, 34),
        ("doubling=false", 4, 10, 1, 34),
        ("suits=1,ranks=4,levels=1,capot=false", 1, 1, 7, 10),
        ("suits=1,ranks=4,levels=1,capot=false,doubling=false", 1, 1, 1, 7),
        ("suits=2,ranks=4,levels=2", 2, 3, 7, 16),
    ],
)
def test_all_auctions(params, suits, values, endings, longest):
    """0–3 passes open, 0–2 separate bids in any suit; the last bid stands, or is coinched by one of
    two seats and then stands or is surcoinched by one of two: 1 + 2·3 endings. And all pass."""
    expected = 1 + sum(
        4 * math.comb(values, bids) * suits**bids * 3 ** (bids - 1) * endings
        for bids in range(1, values + 1)
    )
    assert explore_auctions(params) == (expected, longest)
    variant = find(f"python_coinche({params})")[1]
    assert variant.max_moves == longest + len(members(variant.fields["deck"]))


# Play, against an independent reading of the rules.


def power(card, trump, led):
    rank = RANKS_8[card % 8]
    if suit_of(card) == trump:
        return 10 + TRUMP_ORDER.index(rank)
    return PLAIN_ORDER.index(rank) if suit_of(card) == led else -1


def is_allowed(card, hand, trick, trump, undertrump):
    if not trick:
        return True
    led = suit_of(trick[0])
    best = max(power(c, trump, led) for c in trick)
    partner_wins = len(trick) > 1 and power(trick[-2], trump, led) == best
    trumps = [c for c in hand if suit_of(c) == trump]
    can_win = any(power(c, trump, led) > best for c in trumps)
    too_low = suit_of(card) == trump and power(card, trump, led) < best and can_win
    if any(suit_of(c) == led for c in hand):
        return suit_of(card) == led and not (led == trump and too_low)
    if undertrump:
        refuses = suit_of(card) != trump and trumps and not partner_wins
        return not too_low and not refuses
    return partner_wins or not can_win or power(card, trump, led) > best


def score_by_hand(s):
    """Replays a finished deal: points and tricks per team, and that each play was allowed."""
    plays = [int(event_action(e)) for e in s.events[s.calls : s.length]]
    hands = [members(hand) for hand in s.dealt]
    points, tricks, leader, trump = [0, 0], [0, 0], 0, int(s.trump)
    for start in range(0, len(plays), 4):
        trick = []
        for k, card in enumerate(plays[start : start + 4]):
            hand = hands[(leader + k) % 4]
            assert is_allowed(card, hand, trick, trump, s.undertrump)
            hand.remove(card)
            trick.append(card)
        strengths = [power(c, trump, suit_of(trick[0])) for c in trick]
        leader = (leader + strengths.index(max(strengths))) % 4
        tricks[leader % 2] += 1
        points[leader % 2] += sum(worth(c, trump) for c in trick)
    points[leader % 2] += 10
    return points, tricks


def worth(card, trump):
    if suit_of(card) == trump:
        return dict(zip(TRUMP_ORDER, (0, 0, 3, 4, 10, 11, 14, 20), strict=True))[RANKS_8[card % 8]]
    return dict(zip(PLAIN_ORDER, (0, 0, 0, 2, 3, 4, 10, 11), strict=True))[RANKS_8[card % 8]]


@pytest.mark.parametrize("params", ["", "undertrump=true", "ranks=5", *SMALL])
def test_random_deals_follow_the_rules(params):
    batch = Batch(f"python_coinche({params})", games=60, seed=11)
    undertrump = "undertrump" in params
    rng = np.random.default_rng(5)
    while batch.running():
        for s, legal in zip(batch.states, batch.legal_sets(), strict=True):
            if s.playing and s.turn >= 0:
                hand, trick = members(s.hands[s.turn]), [int(c) for c in s.trick[: s.in_trick]]
                allowed = [c for c in hand if is_allowed(c, hand, trick, s.trump, undertrump)]
                assert members(legal) == allowed and allowed
        random_step(batch, rng)
    assert batch.states["playing"].any()
    for s in batch.states[batch.states["playing"] == 1]:
        assert score_by_hand(s) == (list(s.points), list(s.tricks))


@pytest.mark.parametrize("params", ["", *SMALL])
def test_every_variant_ends_and_keeps_its_cards(params):
    batch = Batch(f"python_coinche({params})", games=200, seed=3)
    variant = batch.variant
    deck, rng = variant.fields["deck"], np.random.default_rng(2)
    total = game.total_points(*game.deck_size({**COINCHE.parameters, **params_of(params)}))
    longest = 0
    while batch.running():
        random_step(batch, rng)
        longest += 1
        for places in (batch.states["dealt"], batch.states["hands"] | batch.states["played"]):
            assert (np.bitwise_or.reduce(places, 1) == deck).all()
            assert (np.bitwise_count(places).sum(1) == deck.bit_count()).all()
    assert longest <= variant.max_moves
    out, played = batch.returns(), batch.states["playing"] == 1
    assert out.min() >= variant.min_utility and out.max() <= variant.max_utility
    assert variant.zero_sum == ("reward" not in params)
    assert not variant.zero_sum or (out.sum(1) == 0).all()
    assert (batch.states["points"].sum(1) == np.where(played, total, 0)).all()
    assert (batch.states["hands"][played] == 0).all()


def params_of(params):
    pairs = [pair.split("=") for pair in params.split(",") if pair]
    return {k: int(v) for k, v in pairs if k in ("suits", "ranks")}


@pytest.mark.parametrize("undertrump", [False, True])
def test_pairs_of_cards_tell_what_is_legal(undertrump):
    """Worlds rest on this: a card is legal exactly if it is so beside each other card alone."""
    batch = Batch(f"python_coinche(undertrump={undertrump})".lower(), games=150, seed=9)
    rng = np.random.default_rng(4)
    checked = 0
    while batch.running():
        running = np.flatnonzero((batch.states["playing"] == 1) & (batch.actors() >= 0))
        for i in running[:10]:
            hand = members(batch.states[i].hands[batch.states[i].turn])
            pairs = list(itertools.product(hand, hand))
            states = np.repeat(batch.states[i : i + 1], len(pairs))
            states["hands"][:, states[0].turn] = [make_set(pair) for pair in pairs]
            legal = Batch.of_states(COINCHE, batch.variant, states).legal_sets()
            refused = {a for (a, _), s in zip(pairs, legal, strict=True) if a not in members(s)}
            assert set(members(batch.legal_sets()[i])) == set(hand) - refused
            checked += bool(refused)
        random_step(batch, rng)
    assert checked > 50


def test_partner_may_be_undertrumped_unless_undertrump():
    """Partner trumped; a discard is free, the low trump is not where a higher one is held."""
    trick, hand = ["7D", "8C", "7H"], ["7C", "AC", "9S"]
    assert at_trick(trick, hand, "♣", False).legal == set(cards("7C AC 9S"))
    assert at_trick(trick, hand, "♣", True).legal == set(cards("AC 9S"))


# Worlds.


def consistent_deals(s, seat):
    """All ways to deal the cards `seat` can't see that make every play so far allowed."""
    plays = [int(event_action(e)) for e in s.events[s.calls : s.length]]
    known = int(s.dealt[seat]) | int(s.public)
    others = [q for q in range(4) if q != seat]
    found = []
    for split in splits(members(int(s.deck) & ~known), [len(members(s.hands[q])) for q in others]):
        hands = {q: list(h) + members(s.played[q]) for q, h in zip(others, split, strict=True)}
        hands[seat] = members(s.dealt[seat])
        if plays_allowed(plays, hands, int(s.trump), bool(s.undertrump)):
            found.append(tuple(int(make_set(hands[q])) for q in range(4)))
    return found


def splits(left, sizes):
    if not sizes:
        yield ()
        return
    for hand in itertools.combinations(left, sizes[0]):
        for rest in splits([c for c in left if c not in hand], sizes[1:]):
            yield (hand, *rest)


def plays_allowed(plays, hands, trump, undertrump):
    hands = {q: list(hand) for q, hand in hands.items()}
    leader = 0
    for start in range(0, len(plays), 4):
        trick = []
        for k, card in enumerate(plays[start : start + 4]):
            hand = hands[(leader + k) % 4]
            if not is_allowed(card, hand, trick, trump, undertrump):
                return False
            hand.remove(card)
            trick.append(card)
        strengths = [power(c, trump, suit_of(trick[0])) for c in trick]
        leader = (leader + strengths.index(max(strengths))) % 4
    return True


@pytest.mark.parametrize("params", ["ranks=4", "suits=3,ranks=4", "ranks=4,undertrump=true"])
def test_worlds_are_uniform_over_the_deals_that_are_possible(params):
    batch = Batch(f"python_coinche({params})", games=300, seed=21)
    rng = np.random.default_rng(8)
    for _ in range(12):
        random_step(batch, rng)
    shown = np.bitwise_count(batch.states["voids"]).sum(1).astype(int)
    after_a_trick = (batch.states["tricks"].sum(1) == 1) & (batch.states["in_trick"] < 2)
    chosen = np.argsort(np.where(after_a_trick, -shown, 99), kind="stable")[:5]
    assert after_a_trick[chosen].all() and shown[chosen].min() > 0
    for i in chosen:
        game_i = Batch.of_states(COINCHE, batch.variant, batch.states[i : i + 1].copy())
        seat = int(game_i.actors()[0])
        possible = consistent_deals(batch.states[i], seat)
        assert len(possible) > 1
        worlds = game_i.worlds(np.array([seat]), 60 * len(possible), seed=int(i))
        seen = Counter(tuple(dealt) for dealt in worlds.states["dealt"].tolist())
        assert set(seen) == set(possible)
        excess = sum((n - 60) ** 2 / 60 for n in seen.values()) - (len(possible) - 1)
        assert abs(excess) < 5 * math.sqrt(2 * len(possible))


@pytest.mark.parametrize("params", ["", "undertrump=true"])
def test_worlds_look_the_same_to_their_seat(params):
    batch = Batch(f"python_coinche({params})", games=30, seed=6)
    rng = np.random.default_rng(7)
    while batch.running():
        seats = np.maximum(batch.actors(), 0)
        worlds, thrice = batch.worlds(seats, 3, seed=1), np.repeat(seats, 3)
        assert (worlds.infostate(thrice) == np.repeat(batch.infostate(seats), 3, 0)).all()
        assert (worlds.observe(thrice) == np.repeat(batch.observe(seats), 3, 0)).all()
        assert (worlds.legal_sets() == np.repeat(batch.legal_sets(), 3)).all()
        for _ in range(4):
            random_step(batch, rng)


# The encoding.


def views(table, seat):
    tensor = table.batch.observe(np.array([seat]))[0]
    assert tensor.shape == (37 * 43 + 4 + 4 + 32 + 4 * 32 + 3 * 32 + 4 + 10 + 3 + 2 + 2 + 3 * 4,)
    return {name: view.copy() for name, view in COINCHE.pieces.views(tensor).items()}


def ones(view):
    return [tuple(int(x) for x in at) for at in np.argwhere(view == 1)]


def test_observation_of_the_auction():
    table = Table(MIXED).say("pass 90♥ pass capot♦ coinche")
    seen = views(table, 1)
    assert ones(seen["auction"]) == [(0, 0), (1, 7), (2, 0), (3, 38), (4, 41)]
    assert ones(seen["speaker"]) == [(3,)]  # seat 0 is three places on from seat 1
    assert set(ones(seen["hand"])) == {(c,) for c in cards(MIXED[1])}
    assert ones(seen["trump"]) == [(DIAMONDS,)] and ones(seen["contract"]) == [(9,)]
    assert ones(seen["doubled"]) == [(1,)] and ones(seen["attackers"]) == [(0,)]
    assert ones(views(table, 2)["attackers"]) == [(1,)]
    for name in ("leader", "finished", "trick", "points", "voids"):
        assert not seen[name].any()


def test_observation_before_any_bid():
    seen = views(Table().say("pass"), 0)
    assert ones(seen["auction"]) == [(0, 0)] and ones(seen["speaker"]) == [(0,)]
    for name in ("trump", "contract", "doubled", "attackers"):
        assert not seen[name].any()


def test_observation_of_play():
    """Three tricks and two cards of the fourth, seen by seat 3."""
    table = Table(MIXED).say("80♥ pass pass pass").play(" ".join(MIXED_PLAY.split()[:14]))
    seen = views(table, 3)
    assert ones(seen["leader"]) == [(2,)]  # seat 1
    assert ones(seen["trick"]) == [(0, cards("AD")[0]), (1, cards("JS")[0])]
    finished = ["7H 8H 7C", "JH 9H TC", "TH AH AC", "QH KH 9S"]  # seats 3, 0, 1, 2
    assert set(ones(seen["finished"])) == {(k, c) for k in range(4) for c in cards(finished[k])}
    assert set(ones(seen["hand"])) == {(c,) for c in cards("8C 8D 7D 8S 7S")}
    assert ones(seen["trump"]) == [(HEARTS,)] and ones(seen["contract"]) == [(0,)]
    assert ones(seen["doubled"]) == [(0,)] and ones(seen["attackers"]) == [(1,)]
    assert seen["points"] == pytest.approx([21 / 162, 62 / 162])
    # Seat 2 discarded on a club and a diamond that opponents were winning: no trump either.
    assert set(ones(seen["voids"])) == {(2, CLUBS), (2, DIAMONDS), (2, HEARTS)}


@pytest.mark.parametrize(
    ("undertrump", "trick", "card", "voids"),
    [
        (False, "7D 8D", "7S", {DIAMONDS, CLUBS}),  # he would have had to trump
        (False, "AD 8D", "7S", {DIAMONDS}),  # the partner wins: nothing about trump
        (False, "7D 8C", "7S", {DIAMONDS}),  # trumped: he may have lower trumps
        (True, "7D 8C", "7S", {DIAMONDS, CLUBS}),  # he would have had to undertrump
        (False, "7D 8C", "9C", {DIAMONDS}),  # he trumps
        (False, "7C 8C", "7S", {CLUBS}),
    ],
)
def test_voids_that_a_play_proves(undertrump, trick, card, voids):
    """Clubs are trump; seat 3 watches seat 2, the last of the three others."""
    table = at_trick(trick.split(), [card], "♣", undertrump).play(card)
    assert {suit for k, suit in ones(views(table, 3)["voids"]) if k == 2} == voids


# Words and parameters.


def test_words():
    table = Table(MIXED).say("80♥ coinche pass pass pass").play("JH TH QH 7H 9H")
    assert COINCHE.public(table.s) == {
        "auction": ["80♥", "coinche", "pass", "pass", "pass"],
        "contract": "80♥ coinche by seat 0",
        "trick": ["9♥"],
        "points": [33, 0],
        "tricks": [1, 0],
    }
    assert COINCHE.action_name(table.s, 11) == card_name(11, RANKS_8) == "10♦"
    assert "contract" not in COINCHE.public(Table().s)
    assert COINCHE.private(table.s, 0) == {}


@pytest.mark.parametrize(
    ("params", "names"),
    [
        ("levels=2,capot=false", "80♣ 80♦ 80♥ 80♠ 90♣ 90♦ 90♥ 90♠"),
        ("suits=2,levels=1", "50♥ 50♠ capot♥ capot♠"),  # 102 points
        ("suits=1,ranks=4", "20♠ 30♠ 40♠ capot♠"),  # J Q K A and the last trick: 48
        ("suits=4,ranks=2,capot=false,levels=1", "30♣ 30♦ 30♥ 30♠"),  # 70 points
    ],
)
def test_bids_of_variants(params, names):
    table = Table(**dict(pair.split("=") for pair in params.split(",")))
    assert [COINCHE.action_name(table.s, a) for a in sorted(table.legal - {0})] == names.split()


def test_values_of_a_small_deck():
    """Two suits of J Q K A: 38 + 20 + 10 = 68 points; failing costs the highest bid."""
    fields = find("python_coinche(suits=2,ranks=4)")[1].fields
    assert fields["lowest"] == 30 and fields["penalty"] == 60
    assert fields["capot"] == 100 and fields["sweep"] == 40  # 250 and 90 times 68/162
    full = find("python_coinche")[1].fields
    assert [full[k] for k in ("lowest", "penalty", "capot", "sweep")] == [80, 160, 250, 90]


def test_no_doubling():
    assert Table(doubling=False).say("80♣").legal == {0} | set(range(5, 41))


@pytest.mark.parametrize("reward", scores.REWARDS)
@pytest.mark.parametrize("ranks", [8, 4, 2])
@pytest.mark.parametrize(
    "more", [{}, {"belote": True}, {"capot": False, "levels": 1}, {"doubling": False, "penalty": 0}]
)
def test_utility_bounds_are_reached_and_never_passed(reward, ranks, more):
    """A suit each, so that seat 0 takes every trick with clubs: as attacker, or against seat 1."""
    params = {"reward": reward, "ranks": ranks, "levels": 2, **more}
    stakes = [UNDOUBLED, COINCHED, SURCOINCHED] if more.get("doubling", True) else [UNDOUBLED]
    hands = [" ".join(rank + suit for rank in RANKS_8[-ranks:]) for suit in "CDHS"]
    bids = [a for a in Table(**params).legal if a > 0 and (a - 1) % 4 == CLUBS]
    reached = [
        utility
        for bid, passes, ending in itertools.product(bids, ("", "pass"), stakes)
        for utility in Table(hands, **params).say(passes).do(bid).say(ending).finish().teams
    ]
    given = ",".join(f"{k}={v}" for k, v in params.items()).lower()
    variant = find(f"python_coinche({given})")[1]
    low = 0 if reward in ("classic", "made_and_announced") else min(reached)
    assert (variant.min_utility, variant.max_utility) == (low, max(reached))
    assert min(reached) >= variant.min_utility


def test_bounds_of_the_full_game():
    expected = {
        "mirror": (-1000, 1000),
        "classic": (0, 1000),
        "no_defense": (-1000, 1000),
        "good": (-1000, 1000),
        "made_and_announced": (0, 4 * (252 + 250)),
    }
    for reward, bounds in expected.items():
        variant = find(f"python_coinche(reward={reward})")[1]
        assert (variant.min_utility, variant.max_utility) == bounds


def test_no_belote_in_bounds_where_a_hand_has_one_card():
    """J Q K A of one suit, 48 points; all tricks are worth 30 and capot 70 more."""
    params = "suits=1,ranks=4,belote=true,reward=made_and_announced"
    assert find(f"python_coinche({params})")[1].max_utility == 4 * (48 + 30 + 70)


@pytest.mark.parametrize(
    ("params", "message"),
    [
        ("suits=5", "suits=5 is not allowed; it goes from 1 to 4"),
        ("suits=0", "suits=0 is not allowed; it goes from 1 to 4"),
        ("ranks=9", "ranks=9 is not allowed; it goes from 2 to 8"),
        ("ranks=1", "ranks=1 is not allowed; it goes from 2 to 8"),
        ("suits=3,ranks=3", "suits times ranks must be a multiple of 4"),
        ("levels=10", "levels=10 is not allowed; it goes from 0 to 9"),
        ("suits=1,ranks=4,levels=4", "levels=4 is not allowed; it goes from 0 to 3"),
        ("penalty=-2", "penalty=-2 is not allowed; it goes from -1 to 1000"),
        ("penalty=1001", "penalty=1001 is not allowed; it goes from -1 to 1000"),
        ("reward=fair", "reward=fair is not allowed; it is one of mirror, classic, no_defense"),
        ("belote=3", "belote=3 is not allowed; it is true or false"),
        ("undertrump=3", "undertrump=3 is not allowed; it is true or false"),
        ("capot=3", "capot=3 is not allowed; it is true or false"),
        ("doubling=3", "doubling=3 is not allowed; it is true or false"),
        ("trump=hearts", "has no parameter 'trump'; it has suits, ranks, reward"),
    ],
)
def test_bad_parameters(params, message):
    with pytest.raises(ValueError, match=message):
        Batch(f"python_coinche({params})", games=1)
