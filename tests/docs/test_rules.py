"""The pages of rules: their worked deals are played, their tables compared with the games."""

import re
from pathlib import Path

import pyspiel
import pytest

import spielgames  # noqa: F401
from spielgames.core.cards import lowest, make_set
from spielgames.core.game import GAMES
from spielgames.core.record import NOBODY
from spielgames.core.registry import variant_of
from spielgames.sheephead.scoring import side_points
from tests.golden import golden

ROOT = Path(__file__).parents[2]
NAMES = ["coinche", "hokm", "hearts", "sheephead", "snapszer"]
PAGES = {name: (ROOT / f"docs/rules/{name}.md").read_text(encoding="utf-8") for name in NAMES}
DEALS = [
    pytest.param(deal, id=f"{name}-{k}")
    for name, page in PAGES.items()
    for k, deal in enumerate(re.findall(r"^```deal\n(.*?)^```", page, re.M | re.S))
]
SECTIONS = ["Cards", "Seats and deal", "Scoring", "Utilities", "Matches", "Parameters"]
SECTIONS += ["Small variants", "Action ids", "A deal, worked", "Sources and decisions"]

LINE = re.compile(r"(\w+)(?: (\d+))?: ?(.*)")
TRICK = re.compile(r"(\d) (.+) -> (\d)(?: \+(\d+))?")
MOVES = ("bids", "pass", "buries", "lays")  # a move for each word
SAYINGS = {  # one move, whose name begins like this
    "direction": "pass ",
    "trump": "trump ",
    "calls": "call ",
    "marries": "marry ",
    "draws": "draw ",
    "exchanges": "exchange ",
    "closes": "close",
}


class Deal:
    """A worked deal, played line by line as it is told."""

    def __init__(self, told):
        self.lines = [LINE.fullmatch(line).groups() for line in told.splitlines()]
        (key, _, name), *self.lines = self.lines
        assert key == "game"
        game = pyspiel.load_game(name)
        self.game, self.state = game.definition, game.new_initial_state()
        self.ids = {self.game.card_name(c): c for c in range(self.game.cards)}
        self.told = {}  # the cards of each hand and pile
        self.moments = []  # a state at each decision and each draw, and what could be done

    @property
    def row(self):
        return self.state.row

    def play(self):
        for key, seat, words in self.lines:
            seat = seat and int(seat)
            if key == "hand" or key in self.game.piles:
                place = seat if key == "hand" else self.game.players + self.game.piles.index(key)
                self.told[place] = self.set_of(words)
                continue
            self.deal()
            if key in MOVES:
                for word in words.split():
                    self.move(word, seat)
            elif key in SAYINGS:
                self.move(SAYINGS[key] + words, seat)
            else:
                getattr(self, key)(words, seat)
        return self

    def set_of(self, words):
        return make_set(self.ids[word] for word in words.split())

    def deal(self):
        """Each card goes where the page has it; what is not told (a stock) takes the rest."""
        while self.row["undealt"][0]:
            card = make_set([lowest(self.row["undealt"][0])])
            open_places = self.state.legal_actions()
            named = [place for place in open_places if self.told.get(place, 0) & card]
            (place,) = named or [place for place in open_places if place not in self.told]
            self.state.apply_action(place)

    def move(self, word, seat):
        names = {self.game.action_name(self.row[0], a): a for a in self.state.legal_actions()}
        self.moments.append((self.row.copy(), {a: name for name, a in names.items()}))
        assert word in names
        actor = self.state.current_player()
        if actor < 0:
            actor = int(self.row["drawer"][0])
        assert seat is None or actor in (seat, NOBODY)
        self.state.apply_action(names[word])
        self.deal()

    def trick(self, words, _):
        leader, cards, winner, gain = TRICK.fullmatch(words).groups()
        before = self.game.public(self.row[0])
        for k, card in enumerate(cards.split()):
            self.move(card, (int(leader) + k) % self.game.players)
        after = self.game.public(self.row[0])
        side = self.game.sides[int(winner)]
        gained = [b - a for a, b in zip(before["tricks"], after["tricks"], strict=True)]
        assert gained == [int(k == side) for k in range(len(gained))]
        assert self.goes_on(int(winner))
        if "points" in after:
            assert int(gain) == after["points"][side] - before["points"][side]

    def goes_on(self, winner):
        """Whoever wins a trick leads to the next, or draws first; after the last one, where only
        teams have tricks, the record remembers the Hakem.
        """
        if not self.state.is_terminal():
            return winner in (self.state.current_player(), self.row["drawer"][0])
        last = "leader" if "leader" in self.row.dtype.names else "winning"
        return not self.game.teams or winner == self.row[last][0]

    def holds(self, words, seat):
        assert self.row["hands"][0][seat] == self.set_of(words)

    def points(self, words, _):
        assert self.game.public(self.row[0])["points"] == [int(word) for word in words.split()]

    def tricks(self, words, _):
        assert self.game.public(self.row[0])["tricks"] == [int(word) for word in words.split()]

    def side(self, words, _):
        assert side_points(self.row[0]) == int(words)

    def result(self, words, _):
        assert self.state.is_terminal()
        told = [float(word) for word in words.split()]
        assert self.state.returns() == pytest.approx(told, abs=0.005)


@pytest.mark.parametrize("told", DEALS)
def test_a_worked_deal_can_be_played(told):
    deal = Deal(told).play()
    assert deal.state.is_terminal()
    assert deal.lines[-1][0] == "result"


@pytest.mark.parametrize("name", NAMES)
def test_a_page_has_the_sections_that_modules_cite(name):
    found = re.findall(r"^## (.+)$", PAGES[name], re.M)
    assert [title for title in found if title in SECTIONS] == SECTIONS
    assert f"```deal\ngame: python_{name}\n" in PAGES[name]


def section(name, title):
    return re.search(rf"^## {title}\n(.*?)(?=^## |\Z)", PAGES[name], re.M | re.S)[1]


def tables(text):
    """Each Markdown table as a list of rows, the heading first, without the rule below it."""
    for table in re.findall(r"(?:^\|.*\|\n)+", text, re.M):
        rows = [
            [c.strip().strip("`") for c in line.split("|")[1:-1]] for line in table.splitlines()
        ]
        yield [rows[0], *rows[2:]]


def actions_of(text):
    """The names of actions by id: from lists, and from grids in which a row and a column meet."""
    found = {}
    for heading, *rows in tables(text):
        for first, *cells in rows:
            if heading[0] == "id":
                found[int(first)] = cells[0]
                continue
            for column, cell in zip(heading[1:], cells, strict=True):
                number, *name = cell.split()
                found[int(number)] = name[0] if name else column + first
    return found


def moments_of(name):
    """The moments of all worked deals of a page."""
    for param in DEALS:
        if param.id.startswith(name):
            yield from Deal(*param.values).play().moments


@pytest.mark.parametrize("name", NAMES)
def test_action_ids_are_those_of_the_game(name):
    """Each table is for a stage of the deal; there it names whatever may be done, and rightly."""
    game, text = GAMES[f"python_{name}"], section(name, "Action ids")
    stages = [names for part in text.split("\n### ") if (names := actions_of(part))]
    rows = [None] * len(stages)
    for row, legal in moments_of(name):
        fits = [k for k, names in enumerate(stages) if legal.items() <= names.items()]
        assert fits or row["turn"][0] < 0
        rows = [row if k in fits else other for k, other in enumerate(rows)]
    for row, names in zip(rows, stages, strict=True):
        assert names == {a: game.action_name(row[0], a) for a in names}
    assert set().union(*stages) == set(range(game.actions))


@pytest.mark.parametrize("name", NAMES)
def test_parameters_are_those_of_the_game(name):
    """Names and defaults; and what a parameter may be, as the refusal of nonsense has it."""
    game = GAMES[f"python_{name}"]
    _, *rows = next(tables(section(name, "Parameters")))
    assert {row[0]: row[1] for row in rows} == {
        key: str(value).lower() for key, value in game.parameters.items()
    }
    for key, _, allowed, _ in rows:
        with pytest.raises(ValueError) as refusal:
            variant_of(game, {key: "?"})
        said = re.search(r"; it (?:is|ranges) (.*)", str(refusal.value))[1]
        assert allowed == said


def cells(name, title):
    """A table of the scoring, with plain signs."""
    _, *rows = next(t for t in tables(section(name, "Scoring")) if t[0][0] == title)
    return [[cell.replace("−", "-").replace("+", "") for cell in row] for row in rows]


def test_the_rewards_of_coinche_are_the_golden_ones():
    for reward, made, failed in cells("coinche", "reward"):
        expected = golden("coinche")["reward_variants"][reward]
        assert made.split(", ") == [str(x) for x in expected["made"]]
        assert failed.split(", ") == [str(x) for x in expected["failed"]]


def test_the_payments_of_sheephead_are_the_golden_ones():
    paid = golden("sheephead_spitz")
    expected = zip(
        paid["payments_cents_partner"].values(), paid["payments_cents_alone"].values(), strict=True
    )
    rows = cells("sheephead", "picker's side")
    assert [[int(cell) for cell in row[1:]] for row in rows] == [[*a, *b] for a, b in expected]
