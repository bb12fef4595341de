"""Card sets, randomness, pieces, and the registration of games."""

import os
import subprocess
import sys
from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from numba import njit

from spielgames.core import cache, cards, luck
from spielgames.core.cards import bit, count, has, highest, lane, lowest, make_set, members, nth
from spielgames.core.game import GAMES
from spielgames.core.pieces import Pieces
from spielgames.core.record import NOBODY, is_visible, state_dtype
from spielgames.core.words import RANKS_8, RANKS_13, card_name, parse_card

nonempty = st.integers(1, 2**64 - 1)


@njit
def compiled(s, k):
    return count(s), lowest(s), highest(s), nth(s, k), has(s, k), bit(k), lane(1, 13)


@given(nonempty, st.integers(0, 63))
def test_compiled_and_plain_set_operations_agree(s, k):
    k %= s.bit_count()
    s = np.uint64(s)
    plain = count(s), lowest(s), highest(s), nth(s, k), has(s, k), bit(k), lane(1, 13)
    assert compiled(s, k) == plain
    assert members(s)[k] == nth(s, k)
    assert make_set(members(s)) == s


@njit
def scale(word, n):
    return cards.scaled(word, n)


@given(st.integers(0, 2**64 - 1), st.integers(1, 64))
def test_scaling_a_random_word_is_the_high_half_of_the_product(word, n):
    assert cards.scaled(np.uint64(word), n) == scale(np.uint64(word), n) == word * n >> 64


def test_the_known_stream_of_splitmix64():
    """The first outputs for seed 1234567 of the published reference implementation."""

    @njit
    def outputs(n):
        out = np.zeros(n, np.uint64)
        position = np.uint64(1234567)
        for i in range(n):
            position = luck.forward(position)
            out[i] = luck.mix(position)
        return out

    assert outputs(5).tolist() == [
        6457827717110365317,
        3203168211198807973,
        9817491932198370423,
        4593380528125082431,
        16408922859458223821,
    ]


def test_small_decks_keep_the_highest_ranks_of_the_last_suits():
    deck = cards.small_deck(2, 3, 13)
    assert [card_name(c, RANKS_13) for c in members(deck)] == ["Q♥", "K♥", "A♥", "Q♠", "K♠", "A♠"]


@pytest.mark.parametrize("text", ["10♣", "Tc", "10C", " tC "])
def test_cards_are_read_as_people_write_them(text):
    assert card_name(parse_card(text, RANKS_8), RANKS_8) == "10♣"


def test_a_word_that_is_no_card_is_refused():
    with pytest.raises(ValueError, match="'6♣' is not a card; write a rank of 7, 8, 9, T"):
        parse_card("6♣", RANKS_8)


def test_pieces_lie_one_after_the_other():
    pieces = Pieces({"hand": (3,), "trick": (2, 4)})
    assert (pieces.size, pieces.starts()) == (11, (0, 3))
    views = pieces.views(np.arange(11))
    assert views["trick"].tolist() == [[3, 4, 5, 6], [7, 8, 9, 10]]


def test_what_a_seat_sees_of_an_event():
    public, private, drawn = 5 | 2 << 8, 5 | 2 << 8 | 1 << 13, 5 | 2 << 8 | 1 << 12
    turned = 5 | NOBODY << 8 | 1 << 12
    assert [is_visible(e, 2) for e in (public, private, drawn, turned)] == [True] * 4
    assert [is_visible(e, 1) for e in (public, private, drawn, turned)] == [
        True,
        False,
        False,
        True,
    ]


def test_a_second_game_with_the_same_record_is_refused():
    with pytest.raises(ValueError, match="another game's state record has exactly these fields"):
        replace(GAMES["python_hokm"], name="python_other")


def test_a_game_without_a_verb_is_refused():
    dtype = state_dtype(2, 0, 3, [("own", "i8")])
    with pytest.raises(
        ValueError, match="a game needs the verb 'reset'; its verbs are reset, begin"
    ):
        replace(GAMES["python_hokm"], name="python_other", dtype=dtype, modules=())


def test_a_field_that_numpy_records_have_is_refused():
    with pytest.raises(ValueError, match="a field can't be called 'flags'"):
        state_dtype(2, 0, 3, [("flags", "i1")])


UNCOMPILED = """
import warnings
warnings.simplefilter("ignore", RuntimeWarning)  # random words overflow, as they should
import numpy as np
from spielgames import Batch
for name in {names}:
    batch = Batch(name, 2, seed=5)
    parts = []
    while batch.running():
        views = batch.observe().sum(), batch.infostate().sum(), batch.worlds().observe().sum()
        parts.append(f"{{batch.legal_sets().tolist()}} {{[round(float(v), 3) for v in views]}}")
        batch.step(batch.legal_mask().argmax(1))
    print(name, parts, batch.returns().tolist())
"""
NAMES = [
    "python_coinche(belote=true)",
    "python_hokm",
    "python_hearts(pass=left)",
    "python_sheephead",
    "python_snapszer",
]


def run_script(script: str, **environment: str) -> str:
    done = subprocess.run(
        [sys.executable, "-c", script],
        capture_output=True,
        text=True,
        timeout=300,
        env={**os.environ, **environment},
    )
    assert done.returncode == 0, done.stderr
    return done.stdout


def test_the_rules_run_uncompiled_with_the_same_results():
    script = UNCOMPILED.format(names=NAMES)
    compiled_words = run_script(script)
    assert len(compiled_words.splitlines()) == len(NAMES)
    assert run_script(script, NUMBA_DISABLE_JIT="1") == compiled_words


def test_whoever_waits_for_machine_code_is_told_once(monkeypatch, capsys):
    monkeypatch.setattr(cache, "_announced", set())
    cache.announce({"Hokm"})
    assert capsys.readouterr().err == ""  # nobody is watching
    monkeypatch.setattr(cache, "_announced", set())
    monkeypatch.setattr(cache, "is_watched", lambda: True)
    for titles in (set(), {"Hokm"}, {"Hokm"}, {"Hokm", "Hearts"}):
        cache.announce(titles)
    lines = [line.partition(" (")[0] for line in capsys.readouterr().err.splitlines()]
    assert lines == ["compiling Hokm, once", "compiling Hearts, once"]


def test_importing_compiles_nothing(tmp_path):
    """With an empty cache folder, `import spielgames` and loading no game leave it empty."""
    run_script("import spielgames", NUMBA_CACHE_DIR=str(tmp_path))
    assert not list(tmp_path.rglob("*.*"))
