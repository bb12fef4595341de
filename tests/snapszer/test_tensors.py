"""What Snapszer's encodings show: a seat's whole view, and the compact pieces."""

import numpy as np
import pytest

from spielgames.core import loops
from spielgames.core.batch import Batch
from spielgames.snapszer.game import SNAPSZER
from spielgames.snapszer.record import UPCARD
from tests.snapszer.table import DEAL, SCHNAPSEN, STOCK, Table, cards, play_randomly


@pytest.mark.compiled
@pytest.mark.parametrize("name", ["python_snapszer(suits=2,ranks=4,hand=2)", SCHNAPSEN])
def test_information_states(name):
    """One tensor for each thing a seat can have seen; it decides legal actions and `observe`."""
    batch = Batch(name, games=900, seed=3)
    views, tensors = {}, {}
    for _ in play_randomly(batch, seed=4):
        infos, rows = batch.infostate(), batch.observe()
        for i in np.flatnonzero(batch.actors() >= 0):
            s, seat = batch.states[i], batch.actors()[i]
            view = (seat, s.dealt[seat], s.dealt[UPCARD], seen(s, seat))
            facts = (infos[i].tobytes(), batch.legal_sets()[i], rows[i].tobytes())
            assert views.setdefault(view, facts) == facts
            assert tensors.setdefault(facts[0], view) == view
    assert len(views) > 1000


def seen(s, seat):
    """The events as a seat sees them: those of the other's draws without the card."""
    events = s.events[: s.length]
    hidden = [e >> 12 & 1 and e >> 8 & 15 == 1 - seat for e in events]
    return tuple(int(e) & ~255 | 255 if h else int(e) for e, h in zip(events, hidden, strict=True))


def test_observation_pieces():
    table = Table().deal(*DEAL).play("marry♦ K♦ A♦ +K♠ +A♣ J♥")
    out = np.zeros((1, SNAPSZER.pieces.size), np.float32)
    loops.observe_all(table.states, np.array([0]), out)
    v = SNAPSZER.pieces.views(out[0])
    assert SNAPSZER.pieces.start("points") == 126

    def ids(name):
        return set(np.flatnonzero(v[name]))

    assert ids("hand") == set(cards("A♥ 10♥ J♠ Q♦ A♣")) and v["hand_size"][0] == 1
    assert v["suit_counts"].tolist() == [1, 1, 2, 1]
    assert np.allclose(v["suit_best"] * 11, [11, 3, 11, 2])
    assert np.isclose(v["talon"][0], 0.8) and v["strict"][0] == 0
    assert v["trump"].tolist() == [0, 0, 0, 1] and v["upcard"].tolist() == [1, 1]
    assert not v["taken"][0].any() and set(np.flatnonzero(v["taken"][1])) == set(cards("K♦ A♦"))
    assert np.allclose(v["taken_counts"], [0, 0.1])
    known = cards("A♥ 10♥ J♠ Q♦ K♦ A♣ A♦ J♥ A♠")
    assert ids("unseen") == set(range(20)) - set(known) and not ids("opponent_holds")
    assert v["following"][0] == 1 and v["led_suit"].tolist() == [0, 0, 1, 0]
    assert np.isclose(v["led_rank"][0] * 11, 2) and v["led_trump"][0] == 0
    assert np.allclose(v["points"] * 66, [20, 15]) and not v["pending"].any()
    assert np.allclose(v["tricks"], [0, 0.1]) and v["trickless"].tolist() == [1, 0]
    assert v["marriages"].tolist() == [[0, 1, 0, 0], [0, 0, 0, 0]] and not ids("must_lead")
    assert not v["exchanger"].any() and v["closer"].tolist() == [0, 0, 1]

    out[:] = 0
    loops.observe_all(table.states, np.array([1]), out)
    assert ids("opponent_holds") == set(cards("Q♦")) and v["trickless"].tolist() == [0, 1]

    out[:] = 0
    closed = Table(SCHNAPSEN).endgame("K♥ Q♥", "10♥ J♥", "S", [33, 11], **STOCK)
    loops.observe_all(closed.play("close marry♥").states, np.array([1]), out)
    assert v["closer"].tolist() == [0, 1, 0] and np.allclose(v["closing_points"] * 66, [11, 33])
    assert np.allclose(v["closing_tricks"], [0.1, 0.1]) and v["strict"][0] == 1
    assert ids("must_lead") == set(cards("K♥ Q♥"))

    out[:] = 0
    fresh = Table(SCHNAPSEN).deal(*DEAL).play("exchange marry♦")
    loops.observe_all(fresh.states, np.array([0]), out)
    assert v["exchanger"].tolist() == [1, 0] and np.allclose(v["pending"] * 66, [20, 0])
    assert v["led_suit"].sum() == 0 and np.isclose(v["upcard"][1] * 11, 2)
