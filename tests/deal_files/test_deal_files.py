"""Deals in files come back as they were, and damaged files say which line is wrong."""

import gzip
import json
import random

import pyspiel
import pytest

from spielgames.deal_files import FinishedDeal, load_deals, save_deals
from spielgames.deal_files.pbn import GAMES
from tests.variants import COUNTED, FULL, SMALL, WALKED

VARIANTS = list(dict.fromkeys(FULL + WALKED + SMALL + COUNTED))
PARAMETERS = [
    "python_coinche(reward=made_and_announced,belote=true,penalty=100)",
    "python_hokm(trump=heuristic,preview=3)",
    "python_hearts(pass=across,jd_bonus=true,avoid_all_tricks_bonus=true)",
    "python_hearts(pass=right,pass_count=2,must_break_hearts=false)",
    "python_sheephead(doubled=true,duties=false)",
    "python_snapszer(rules=schnapsen,match=true)",
]


def played(name, seed):
    rng = random.Random(seed)
    state = pyspiel.load_game(name).new_initial_state()
    while not state.is_terminal():
        state.apply_action(rng.choice(state.legal_actions()))
    players = state.num_players()
    return FinishedDeal(state, tuple(f"agent {k}" for k in range(players)), seed, 7)


def same(found, deals):
    assert [one.end.history() for one in found] == [one.end.history() for one in deals]
    assert [one.end.returns() for one in found] == [one.end.returns() for one in deals]
    assert [(one.game, one.seats) for one in found] == [(one.game, one.seats) for one in deals]


@pytest.mark.parametrize("name", VARIANTS + PARAMETERS)
def test_random_deals_come_back(name, tmp_path):
    deals = [played(name, seed) for seed in range(3)]
    for ending in ("jsonl", "jsonl.gz") + ("pbn",) * name.startswith(GAMES):
        path = tmp_path / f"deals.{ending}"
        save_deals(path, deals)
        found = load_deals(path)
        same(found, deals)
        if ending != "pbn":
            assert [(one.seed, one.deal) for one in found] == [(k, 7) for k in range(3)]


def test_a_line_holds_openspiels_struct_of_the_end(tmp_path):
    finished = played("python_snapszer", 1)
    save_deals(tmp_path / "deals.jsonl", [finished])
    fields = json.loads((tmp_path / "deals.jsonl").read_text())
    game = pyspiel.load_game(fields["game"])
    assert game.new_initial_state(fields["state"]).history() == finished.end.history()
    assert fields["state"]["current_player"] == "Terminal"
    assert fields["game"] == "python_snapszer"


def test_pbn_of_hearts_has_the_hands_as_play_begins(tmp_path):
    finished = played("python_hearts(pass=left)", 3)
    save_deals(tmp_path / "deals.pbn", [finished])
    tags = dict(
        line[1:-2].split(' "')
        for line in (tmp_path / "deals.pbn").read_text().splitlines()
        if line.startswith("[")
    )
    north, passed = tags["Dealt"][2:].split()[0], tags["Before"].split("; ")[:3]
    south_west = tags["Deal"][2:].split()
    for card in passed:
        suit = "SHDC".index(card[0])
        assert card[1] in north.split(".")[suit]
        assert card[1] in south_west[1].split(".")[suit]
        assert card[1] not in south_west[0].split(".")[suit]
    assert (tags["North"], tags["West"], tags["Dealer"]) == ("agent 0", "agent 3", "N")


def test_pbn_of_hokm_is_a_contract_of_seven_tricks(tmp_path):
    finished = played("python_hokm", 3)
    save_deals(tmp_path / "deals.pbn", [finished])
    text = (tmp_path / "deals.pbn").read_text()
    trump = finished.end.to_dict()["trump"]
    assert f'[Contract "1{dict(zip("♣♦♥♠", "CDHS", strict=True))[trump]}"]' in text
    assert f'[Result "{finished.end.to_dict()["tricks"][0]}"]' in text
    assert '[Play "N"]' in text


def test_what_others_write_into_pbn_is_skipped(tmp_path):
    finished, path = played("python_hearts(pass=hold)", 5), tmp_path / "deals.pbn"
    save_deals(path, [finished])
    text = path.read_text().replace("[Play", '{two\nlines} [Annotator "me"]\n; a comment\n[Play')
    lines = text.splitlines()
    first = lines.index(next(line for line in lines if line.startswith("[Play"))) + 1
    lines[first] = lines[first].replace(" ", " =1= ", 1) + " $4 ; good"
    path.write_text("\n".join(lines).replace("{two\nlines} ", "{two\nlines}\n"))
    same(load_deals(path), [finished])


def damaged(path, old, new):
    text = path.read_text()
    assert old in text
    path.write_text(text.replace(old, new, 1))
    return path


DAMAGE = [
    ('"history": [', '"history": [9, ', "line 2: step 1 of the history: action 9 is illegal"),
    ('"returns": [', '"returns": [99, ', "line 2: the returns are [99"),
    ('"Terminal"', '"Chance"', "line 2: the state is not the one that the history leads to"),
    ('"seats": [', '"seats": [1, ', 'line 2: "seats" is a list of names'),
    ('"seed": 1', '"seed": "x"', "line 2: seed='x' is not a whole number"),
    ('{"game": "python_hokm"', '{"game": 3', 'line 2: a deal has a "game" and a "history"'),
    ('{"game": "python_hokm"', '{"game": "nothing"', "line 2: there is no game 'nothing'"),
    ('{"game"', '["game"', "line 2: this is not a whole JSON object"),
]


@pytest.mark.parametrize(("old", "new", "said"), DAMAGE)
def test_damaged_lines_are_named(old, new, said, tmp_path):
    path = tmp_path / "deals.jsonl"
    save_deals(path, [played("python_hokm", 1)])
    damaged(path, old, new)
    path.write_text('{"schema": 1}\n' + path.read_text())
    with pytest.raises(ValueError) as error:
        load_deals(path)
    assert str(error.value).startswith(f"{path}, {said}")
    assert "\n" not in str(error.value)


def test_a_change_of_the_games_version_is_named(tmp_path):
    path = tmp_path / "deals.jsonl"
    save_deals(path, [played("python_hearts", 1)])
    damaged(damaged(path, '"version": 2', '"version": 1'), '"returns": [', '"returns": [99, ')
    with pytest.raises(ValueError, match="it was written by version 1 of the game; this is 2"):
        load_deals(path)


def test_damaged_pbn_is_named(tmp_path):
    path = tmp_path / "deals.pbn"
    save_deals(path, [played("python_hearts(pass=hold)", 1)])
    whole = path.read_text()
    cases = [
        ('[Site ""]', "[Site]", "line 3: '[Site]' is not a tag of PBN"),
        ("python_hearts", "python_snapszer", "line 17: python_snapszer"),
        ('[Play "', '[Played "', "line 2: this game has no tag Play"),
        ('[Returns "', '[Returns "5 ', "line 18: the returns are 5"),
        ('[Deal "N:', '[Deal "N:A', "line 12: the hands do not hold each card of the deck once"),
        ('[Deal "N:', '[Deal "', "line 12: a deal is written N:HAND HAND HAND HAND"),
        ("\nC2 ", "\nC3 ", "line 20: "),
    ]
    for old, new, said in cases:
        path.write_text(whole)
        with pytest.raises(ValueError) as error:
            load_deals(damaged(path, old, new))
        assert str(error.value).startswith(f"{path}, {said}")
    path.write_text(whole[: whole.index("\n", whole.index("[Play") + 20)])
    with pytest.raises(ValueError, match="line 2\\d: the play ends before the deal does"):
        load_deals(path)


def test_other_files_and_games_are_refused(tmp_path):
    with pytest.raises(ValueError, match="end in .jsonl, .pbn, or these with .gz"):
        save_deals(tmp_path / "deals.csv", [])
    with pytest.raises(ValueError, match="for python_snapszer, use JSON lines"):
        save_deals(tmp_path / "deals.pbn", [played("python_snapszer", 1)])
    (tmp_path / "deals.jsonl.gz").write_bytes(gzip.compress(b"{}")[:-5])
    with pytest.raises(ValueError, match="is not a whole gzip file"):
        load_deals(tmp_path / "deals.jsonl.gz")
    assert not list(tmp_path.glob("*.csv")) and not list(tmp_path.glob("*.pbn"))
