"""What Sheephead's encodings show to each seat, and what they hide."""

import numpy as np

from spielgames.core.cards import make_set
from spielgames.sheephead import tensors
from tests.sheephead.table import (
    NAME,
    NOLA,
    PASSES,
    SMALL,
    UNKNOWN,
    Table,
    called_ace,
    card,
    cards,
    unknown_called,
)


def ones(tensor: np.ndarray) -> set[int]:
    return set(np.flatnonzero(tensor).tolist())


def pieces_of(table: Table, seat: int) -> dict[str, np.ndarray]:
    return tensors.PIECES.views(table.batch.observe(np.array([seat]))[0])


def test_observe_shows_the_picker_his_secrets():
    table = unknown_called().play("AC 7C 8C TC 9C 8H KS")
    seen = pieces_of(table, 0)
    assert make_set(ones(seen["hand"])) == cards("QC QS QH QD")
    assert make_set(ones(seen["blind"])) == make_set(ones(seen["buried"])) == cards("8D 9D")
    assert make_set(ones(seen["unknown"])) == cards("AC")
    assert ones(seen["picker"]) == {0}
    assert not seen["partner"].any()
    assert make_set(ones(seen["called"])) == cards("AS")
    assert (seen["alone"], seen["with_unknown"], seen["nola"]) == (0, 1, 0)


def test_observe_shows_others_what_is_public():
    table = unknown_called().play("AC 7C 8C TC 9C 8H KS")
    seen = pieces_of(table, 3)
    for name in ("blind", "buried", "unknown", "partner"):
        assert not seen[name].any()
    assert ones(seen["picker"]) == {2}
    played = [make_set(ones(row)) for row in seen["played"]]
    assert played == [cards(w) for w in ("9C", "8H", "7C", "8C", "TC KS")]
    assert [ones(row) for row in seen["trick"]] == [{card("KS")}, set(), set(), set()]
    # Seat 4 has no club; the picker, two places on, no spade.
    assert [row.tolist() for row in seen["voids"]] == [
        [1, 0, 0, 0],
        [0, 0, 0, 1],
        [0, 0, 0, 0],
        [0, 0, 0, 0],
    ]
    np.testing.assert_allclose(seen["points"], [0, 0, 0, 0, 10 / 120])
    np.testing.assert_allclose(seen["tricks"], [0, 0, 0, 0, 1 / 6])


def test_observe_tells_the_partner_when_he_is_known():
    table = called_ace()
    assert ones(pieces_of(table, 1)["partner"]) == {0}
    assert not any(pieces_of(table, seat)["partner"].any() for seat in (0, 2, 3, 4))
    table.play("KC AC")
    assert [ones(pieces_of(table, seat)["partner"]) for seat in range(5)] == [
        {1},
        {0},
        {4},
        {3},
        {2},
    ]


def test_observe_of_bidding_alone_and_nola():
    table = Table(*NOLA, name=SMALL).play("pass pass")
    assert ones(pieces_of(table, 2)["passed"]) == {3, 4}
    assert ones(pieces_of(table, 2)["picker"]) == {5}
    alone = pieces_of(table.play("pick KH AH alone"), 0)
    assert alone["alone"] == 1
    nola = Table(*NOLA, name=SMALL).play(PASSES + "QC KC KH AS QS QH AH KS")
    seen = pieces_of(nola, 4)
    assert (seen["nola"], ones(seen["passed"])) == (1, {0, 1, 2, 3, 4})
    # Seats 2 and 3 have no club, seat 3 no heart either.
    assert seen["voids"].tolist() == [[0, 0, 0, 0], [0, 0, 0, 0], [1, 0, 0, 0], [1, 0, 1, 0]]
    diamonds = Table("AD", "KC", "QD", "AS", "AH", name=NAME + "(ranks=3,hand=1)").play(PASSES)
    assert pieces_of(diamonds.play("AD KC"), 0)["voids"][0].tolist() == [0, 1, 0, 0]


def thesis(table: Table, seat: int) -> dict[str, list]:
    row = np.zeros(tensors.THESIS_PIECES.size)
    tensors.thesis_features(table.s, seat, row)
    return {name: view.tolist() for name, view in tensors.THESIS_PIECES.views(row).items()}


def test_thesis_features_are_those_of_its_table_1():
    assert tensors.THESIS_PIECES.size == 26
    table = called_ace().play("QD QC JC QS JD")  # seat 1 has the lead
    assert thesis(table, 1) == {
        "seen": [5, 2, 3, 0],
        "has_trump": [1, 1, 1, 1],
        "honours": [1, -1, 1, -1, 1, 1, -1, -1, 1],
        "leader": [1, 0, 0, 0, 0],
        "aces_and_tens": [0, 2 + 8, 0, 0],
    }
    table.play("AC 7C 9C KH KC")  # and keeps it
    assert thesis(table, 3) == {
        "seen": [6, 4, 1, 3],
        "has_trump": [1, 1, 1, 1],
        "honours": [1, 0, 1, -1, 1, 1, -1, -1, 1],
        "leader": [0, 0, 0, 1, 0],
        "aces_and_tens": [0, 1, 2, 0],
    }
    assert thesis(table, 0)["aces_and_tens"] == [0, 1, 0, 2 + 8]
    assert thesis(table, 0)["seen"] == [
        9,
        4,
        0,
        3,
    ]  # buried ♦8 and ♦9 count, too


def test_thesis_features_know_who_has_no_trump():
    table = called_ace().play("KC AC 7C 9C JD")
    assert thesis(table, 0)["has_trump"] == [1, 1, 1, 1]
    alone = Table("QC JK QS QH QD JC", "7C 8C 9C TC KC AC", "", "", "", "JS JH")
    alone.play("pick JS JH alone QC 7C")
    assert thesis(alone, 4)["has_trump"] == [1, 0, 1, 1]


def test_buried_and_unknown_cards_do_not_show_to_others():
    ways = [
        Table(*UNKNOWN).play("pick").play(bury).play("unknown:AS").play(laid)
        for bury, laid in (("8D 9D", "AC"), ("9D 8D", "AC"), ("8D 9D", "7C"), ("8D QD", "AC"))
    ]
    for seat in range(5):
        rows = np.array([t.batch.infostate(np.array([seat]))[0] for t in ways])
        compact = np.array([t.batch.observe(np.array([seat]))[0] for t in ways])
        differ = (rows != rows[0]).any(1).tolist()
        assert differ == ([False, True, True, True] if seat == 0 else [False] * 4)
        assert (compact != compact[0]).any() == (seat == 0)
