"""Hokm's playbook on deals counted by hand, against slow counting, and on the command line."""

import csv
import json

import numpy as np
import pytest

from analysis.hokm.behaviour import BEHAVIOURS, CHANCES, OCCASIONS, TIMES, counts_of
from analysis.hokm.playbook import as_json, report
from analysis.hokm.playbook_figure import draw
from analysis.hokm.rates import OPPOSED, of_first_agent, playbooks
from analysis.tournament.ratios import ratios, tally
from spielgames.agents import make_agent
from spielgames.contest import final_states
from spielgames.core.batch import Batch
from spielgames.core.cards import members
from spielgames.core.game import initial_state
from spielgames.core.registry import find
from spielgames.hokm.rules import NAME, PREVIEW
from tests.commands import run
from tests.golden import golden
from tests.hokm.table import Table

GAME = "python_hokm"

# Deals in words: the hands, trump, the cards in the order of play; then for each team what was
# counted by hand: of each behaviour the occasions, the times, and the sum of the chances.
PAPER = golden("hokm")["trace"]
DEALS = {
    "the paper's": (
        [" ".join(PAPER["hands"][str(seat)]) for seat in range(4)],
        "D",
        " ".join(card for trick in PAPER["tricks"] for card in trick["cards_in_play_order"]),
        {
            "opens with an ace": (1, 1, 1 / 13),
            "opens with an honour": (1, 0, 2 / 13),
            "opens with a low card": (1, 0, 8 / 13),
            "opens with a trump": (1, 0, 2 / 13),
            "draws trumps when ahead": (6, 1, 2 / 12 + 2 / 11 + 3 / 10 + 3 / 9 + 2 / 8 + 2 / 7),
            "draws trumps otherwise": (1, 0, 2 / 13),
            "leads a winner": (5, 4, 1 / 13 + 3 / 10 + 2 / 9 + 2 / 8 + 2 / 7),
            "goes on after a signal": (1, 1, 4 / 11),
            "ducks": (1, 1, 1 / 2),
            "overruffs": (1, 1, 1 / 7),
            "throws the lowest": (3, 3, 1 / 6 + 1 / 4 + 1 / 2),
        },
        {
            "ruffs": (1, 1, 1 / 7),
            "throws the lowest": (
                10,
                5,
                (1 / 3 + 1 / 2)
                + (1 / 2 + 1 / 4)
                + 1 / 3
                + (1 / 5 + 1 / 2)
                + (1 / 2 + 1 / 6)
                + 1 / 2,
            ),
        },
    ),
    "overtaken": (
        ["JC QD AH KS", "KC AC JD QS", "QC KD JH AS", "AD KH QH JS"],
        "S",
        "JC AC QC JS  KH AH QS JH  JD KD AD QD",
        {
            "opens with an ace": (1, 0, 1 / 4),
            "opens with an honour": (1, 1, 2 / 4),
            "opens with a trump": (1, 0, 1 / 4),
            "draws trumps otherwise": (1, 0, 1 / 4),
            "leads a winner": (1, 0, 1 / 4),
        },
        {
            "overtakes": (1, 1, 1 / 4),
            "leads a winner": (2, 0, 1 / 3 + 1 / 2),
            "ruffs": (1, 1, 1 / 3),
        },
    ),
    "ducked": (
        ["QH TH AC JD JS", "TC JC QD AD TS", "AH JH KD TD QS", "KH QC KC AS KS"],
        "S",
        "QH TC JH KH  AS JS TS QS  KC AC JC TD  JD QD KD QC  AH KS TH AD",
        {
            "opens with an ace": (1, 0, 1 / 5),
            "opens with an honour": (1, 1, 2 / 5),
            "opens with a low card": (1, 0, 1 / 5),
            "opens with a trump": (1, 0, 1 / 5),
            "draws trumps otherwise": (1, 0, 1 / 5),
            "leads a winner": (1, 0, 1 / 5),
            "ducks": (1, 1, 1 / 2),
        },
        {"draws trumps when ahead": (1, 1, 2 / 4), "ruffs": (2, 0, 1 / 5 + 1 / 2)},
    ),
    "returned": (
        ["TH KH AC JD JS", "QH TC JC AD TS", "AH JH KD TD QS", "QD KC QC AS KS"],
        "S",
        "TH QH AH QD  JH KS KH TC  AS JS TS QS  KC AC JC TD  JD AD KD QC",
        {
            "opens with an ace": (1, 0, 1 / 5),
            "opens with an honour": (1, 0, 2 / 5),
            "opens with a low card": (1, 1, 1 / 5),
            "opens with a trump": (1, 0, 1 / 5),
            "draws trumps when ahead": (1, 0, 1 / 4),
            "draws trumps otherwise": (1, 0, 1 / 5),
            "leads a winner": (1, 0, 1 / 5),
            "returns the suit": (1, 1, 1 / 4),
        },
        {"draws trumps otherwise": (1, 1, 1 / 3), "ruffs": (2, 1, 2 / 5 + 2 / 4)},
    ),
}


def last_state(hands, trump, play):
    """Of a deal told in words; few ranks are those of a small variant."""
    hand = hands[0].split()
    table = Table(hands, " ".join(hand[:5]), ranks=len(hand)).name(trump).play(play)
    assert table.over
    return table.state.row


@pytest.mark.parametrize("deal", DEALS)
def test_deals_counted_by_hand(deal):
    hands, trump, play, *expected = DEALS[deal]
    (found,) = counts_of(last_state(hands, trump, play))
    for counts, seen in zip(found, expected, strict=True):
        wanted = [seen.get(name, (0, 0, 0)) for name in BEHAVIOURS]
        np.testing.assert_allclose(counts.T, wanted, err_msg=str(list(BEHAVIOURS)))


def test_every_behaviour_is_counted_by_hand():
    assert {name for *_, one, other in DEALS.values() for name in (*one, *other)} == {*BEHAVIOURS}


def beats(card, best, trump):
    (suit, rank), (best_suit, best_rank) = divmod(card, 13), divmod(best, 13)
    return rank > best_rank if suit == best_suit else suit == trump


def slow_counts(row):
    """The same from first principles, decision by decision: `[teams, 3, behaviours]`."""
    out = np.zeros((2, 3, len(BEHAVIOURS)))
    events = [int(event) & 255 for event in row["events"][0][: row["length"][0]]]
    trump, played = events[0] - NAME, events[1:]
    hands = [set(members(hand)) for hand in row["dealt"][0][:4]]
    hands[0] |= set(members(row["dealt"][0][PREVIEW]))
    seen, void, led, won = set(), [set() for _ in range(4)], [], [0, 0]
    leader = 0
    for start in range(0, len(played), 4):
        trick = []
        for k, card in enumerate(played[start : start + 4]):
            seat = (leader + k) % 4
            hand = hands[seat]
            suit = trick[0][1] // 13 if trick else None
            allowed = {c for c in hand if c // 13 == suit} or hand
            others = set(members(row["deck"][0])) - seen - hand
            held = [{c for c in others if c // 13 not in void[q]} for q in range(4)]
            if trick:
                found = slow_follows(seat, allowed, trick, trump, held)
            else:
                found = slow_leads(seat, hand, trump, held, others, led, won)
            for name, counting in found.items():
                if counting and counting < allowed:
                    share = len(counting) / len(allowed)
                    column = list(BEHAVIOURS).index(name)
                    out[seat % 2, :, column] += (1, card in counting, share)
            if card // 13 != suit and trick:
                void[seat].add(suit)
            trick.append((seat, card))
            seen.add(card)
            hand.remove(card)
        winner = best_of(trick, trump)[0]
        led.append((leader, trick[0][1], winner))
        won[winner % 2] += 1
        leader = winner
    return out


def best_of(trick, trump):
    best = trick[0]
    for play in trick[1:]:
        if beats(play[1], best[1], trump):
            best = play
    return best


def slow_leads(seat, hand, trump, held, others, led, won):
    plain = {c for c in hand if c // 13 != trump}
    mine = [card // 13 for leader, card, _ in led if leader == (seat + 2) % 4]
    found = {
        "leads a winner": {
            c for c in plain if not any(o // 13 == c // 13 and o > c for o in others)
        },
        "returns the suit": {c for c in plain if mine and c // 13 == mine[-1]},
    }
    if any(c // 13 == trump for q in (1, 3) for c in held[(seat + q) % 4]):
        ahead = won[seat % 2] > won[1 - seat % 2]
        found["draws trumps when ahead" if ahead else "draws trumps otherwise"] = hand - plain
    own = [(card, winner) for leader, card, winner in led if leader == seat]
    if own and own[-1][1] == seat:
        last = own[-1][0]
        if any(o // 13 == last // 13 and o > last for o in others):
            found["goes on after a signal"] = {c for c in plain if c // 13 == last // 13}
    if not led:
        for name, ranks in {"an ace": "A", "an honour": "KQJ", "a low card": "23456789T"}.items():
            found[f"opens with {name}"] = {c for c in plain if "23456789TJQKA"[c % 13] in ranks}
        found["opens with a trump"] = hand - plain
    return found


def slow_follows(seat, allowed, trick, trump, held):
    suit, (winner, best) = trick[0][1] // 13, best_of(trick, trump)
    above = {c for c in allowed if beats(c, best, trump)}
    follows = any(c // 13 == suit for c in allowed)
    if winner % 2 == seat % 2:
        to_play = held[(seat + 1) % 4] if len(trick) < 3 else set()
        feared = {c for c in to_play if c // 13 == suit} or to_play
        sure = not any(beats(c, best, trump) for c in feared)
        found = {"overtakes": above if sure else set()}
        found["ducks"] = allowed - above if follows else set()
    else:
        name = "overruffs" if best // 13 == trump else "ruffs"
        found = {name: set() if follows else above}
    if follows and not above:
        found["throws the lowest"] = {min(allowed)}
    return found


@pytest.mark.parametrize(
    "game", [GAME, f"{GAME}(suits=3,ranks=8,trump=heuristic)", f"{GAME}(suits=4,ranks=4)"]
)
def test_slow_counting_agrees(game):
    agents = [make_agent(spec, game) for spec in ("rules", "random")]
    (states,) = final_states(agents, OPPOSED, 50, seed=8)
    slow = [slow_counts(states[i : i + 1]) for i in range(len(states))]
    np.testing.assert_allclose(counts_of(states), slow, atol=1e-12)


def test_a_random_choice_is_as_often_one_as_expected():
    """Within four standard errors, against opponents of two kinds and as the Hakem and not."""
    for opponents in ("random", "rules"):
        agents = [make_agent(spec, GAME) for spec in ("random", opponents)]
        (states,) = final_states(agents, OPPOSED, 450, seed=5)
        counts = of_first_agent(counts_of(states))
        surprise = counts[:, TIMES] - counts[:, CHANCES]
        found = ratios(tally(surprise, counts[:, OCCASIONS]))
        assert (np.abs(found.mean) < 4 * found.error).all()
        assert (found.cases > 20).all()


@pytest.fixture(scope="module")
def found():
    return playbooks(GAME, "rules", ["rules", "random"], deals=200, seed=1)


def test_rates_are_those_of_the_counts(found):
    agents = [make_agent(spec, GAME) for spec in ("rules", "random")]
    (states,) = final_states(agents, OPPOSED, 200, seed=1)
    counts = counts_of(states).reshape(200, 2, 2, 3, len(BEHAVIOURS))
    mine = sum(counts[:, k, team] for k in range(2) for team in range(2) if OPPOSED[k, team] == 0)
    for k, rate in enumerate(found["random"].values()):
        occasions, times, chances = mine.sum(axis=0)[:, k]
        assert (rate.occasions, rate.times) == (occasions, times)
        assert rate.rate == times / occasions
        assert rate.chance == pytest.approx(chances / occasions)
        assert 0 <= rate.low <= rate.rate <= rate.high <= 1 and rate.low < rate.high


def test_what_the_rules_do(found):
    """They throw the lowest card and leave the partner's tricks alone, whoever the others are; a
    random player does neither.
    """
    for book in found.values():
        assert book["throws the lowest"].rate == 1
        assert book["overtakes"].rate < 0.01 < 0.2 < book["overtakes"].chance
        assert book["opens with an ace"].low > book["opens with an ace"].chance
    others = playbooks(GAME, "random", ["rules"], deals=200, seed=1)["rules"]
    assert others["throws the lowest"].high < 0.5 and others["overtakes"].low > 0.2


def test_the_report_has_every_rate(found):
    text = report(found)
    (line,) = [line for line in text.splitlines() if line.startswith("| ducks")]
    for book in found.values():
        rate = book["ducks"]
        assert f" {100 * rate.rate:.1f} ({100 * rate.low:.1f} … {100 * rate.high:.1f}) %" in line
        assert f" {100 * rate.chance:.1f} % |" in line and f" {rate.occasions} |" in line
    assert all(f"- {name}: {meaning}" in text for name, meaning in BEHAVIOURS.items())


def test_what_never_could_be_has_no_rate():
    """A small variant has no low cards to open with."""
    book = playbooks(f"{GAME}(suits=4,ranks=4)", "random", ["random"], 20, seed=1)
    assert book["random"]["opens with a low card"].occasions == 0
    numbers = json.loads(json.dumps(as_json(book), allow_nan=False))["random"]
    assert numbers["opens with a low card"]["rate"] is None
    assert numbers["opens with an ace"]["rate"] is not None
    assert " – (– … –) % |" in report(book)


def test_the_figure_shows_every_rate_and_chance(found):
    (axes,) = draw("rules", found).axes
    rates = [rate.rate for book in found.values() for rate in book.values()]
    np.testing.assert_array_equal([bar.get_width() for bar in axes.patches], rates)
    segments = [line for lines in axes.collections for line in lines.get_segments() if len(line)]
    ticks = [top[0] for top, foot in segments if top[0] == foot[0]]  # intervals lie flat
    chances = [rate.chance for book in found.values() for rate in book.values()]
    assert ticks == [chance for chance in chances if not np.isnan(chance)]
    assert [label.get_text() for label in axes.get_yticklabels()] == list(BEHAVIOURS)
    assert axes.get_legend_handles_labels()[1] == ["chance", "against rules", "against random"]


def start(*options):
    return run("analysis.hokm.playbook", *options)


def test_the_command(found, tmp_path):
    done = start("--deals=200", f"--out={tmp_path / 'new' / 'folder'}")
    assert done.returncode == 0, done.stderr
    assert done.stdout.startswith(report(found))
    folder = tmp_path / "new" / "folder"
    kinds = ("csv", "json", "pdf", "png")
    assert sorted(p.name for p in folder.iterdir()) == [f"playbook.{kind}" for kind in kinds]
    numbers = json.loads((folder / "playbook.json").read_text(encoding="utf-8"))
    assert numbers["against"] == as_json(found) and numbers["deals"] == 200
    with (folder / "playbook.csv").open(encoding="utf-8") as file:
        rows = list(csv.DictReader(file))
    assert len(rows) == 2 * len(BEHAVIOURS)
    assert float(rows[0]["low"]) == found["rules"]["opens with an ace"].low


def test_bad_input_is_refused_in_a_sentence():
    done = start("--agent=rulez")
    assert (done.returncode, done.stderr.count("\n")) == (2, 1)
    assert "there is no agent 'rulez'" in done.stderr
    with pytest.raises(ValueError, match="a playbook is for python_hokm and its variants, not for"):
        playbooks("python_hearts", "random", ["random"], 1, seed=1)


def test_what_is_no_finished_deal_of_hokm_is_refused():
    with pytest.raises(ValueError, match="some of these are not finished"):
        counts_of(Batch(GAME, 3).states)
    with pytest.raises(ValueError, match="a playbook is for Hokm"):
        counts_of(initial_state(*find("python_hearts")))
