"""What is learnt on a graphics card is what the processor learns: files are the same bytes.

There is none here, so that it is one that computes as the processor does: see `card`.
"""

import pickle
from unittest.mock import patch

import numpy as np
import pytest
import torch

from solvers.deep_cfr.pieces import fingerprint
from solvers.environments.card_game import Records
from solvers.networks.device import CPU, device, use_device
from solvers.networks.network import computing, load_network, make_network, predict, save_network
from solvers.networks.settings import CanonicalSettings, CardsSettings
from solvers.runs.executors import pack
from solvers.runs.processes import read
from tests.solvers.card import CARD, a_card
from tests.solvers.networks.test_network import SETTINGS, SHAPE, encodings
from tests.solvers.runs.same_bytes import LEARNERS, networks_of

SNAPSZER = Records("python_snapszer").shape
HOKM = Records("python_hokm", "events").shape
NETWORKS = [
    *((settings, SHAPE) for settings in SETTINGS),
    (CanonicalSettings(hidden=8), SNAPSZER),
    (CardsSettings(hidden=8, heads=2), HOKM),
]


@pytest.fixture
def sees(monkeypatch):
    """Let PyTorch see some cards."""

    def see(*cards):
        monkeypatch.setattr(torch.cuda, "is_available", lambda: "cuda" in cards)
        monkeypatch.setattr(torch.backends.mps, "is_available", lambda: "mps" in cards)

    monkeypatch.setattr("solvers.networks.device._chosen", [CPU])
    see()
    return see


@pytest.mark.parametrize(
    ("cards", "name", "chosen"),
    [
        ((), "cpu", "cpu"),
        ((), "auto", "cpu"),
        (("cuda",), "auto", "cuda"),
        (("mps",), "auto", "mps"),
        (("cuda",), "cuda", "cuda"),
        (("cuda",), "cpu", "cpu"),
    ],
)
def test_a_device_is_chosen(cards, name, chosen, sees):
    sees(*cards)
    use_device(name)
    assert device() == torch.device(chosen)


@pytest.mark.parametrize(
    ("cards", "name", "why"),
    [
        ((), "cuda", "^device=cuda is not allowed here: PyTorch sees no CUDA device; it is cpu or"),
        (("cuda",), "mps", "^device=mps .* no Metal device; it is cpu or cuda or auto$"),
        ((), "gpu", "^device is one of cpu, cuda, mps, auto, not 'gpu'$"),
    ],
)
def test_others_are_refused(cards, name, why, sees):
    sees(*cards)
    with pytest.raises(ValueError, match=why):
        use_device(name)
    assert device() == CPU


@pytest.mark.parametrize("settings, shape", NETWORKS)
def test_networks_live_on_the_card(settings, shape, tmp_path):
    shown = np.tri(9, shape.width, dtype=np.float32)  # events and cards among others
    here = make_network(settings, shape, seed=1)
    save_network(tmp_path / "here", here, about={})
    with a_card():
        there = make_network(settings, shape, seed=1)
        assert {x.device for x in there.state_dict().values()} == {CARD}
        assert (predict(there, shown) == predict(here, shown)).all()
        save_network(tmp_path / "there", there, about={})
        assert load_network(tmp_path / "here")[0].device == CARD
    assert (tmp_path / "there").read_bytes() == (tmp_path / "here").read_bytes()
    assert load_network(tmp_path / "there")[0].device == CPU


def test_this_card_notices_what_was_not_moved():
    with a_card():
        network = make_network(SETTINGS[0], SHAPE, seed=1)
        with pytest.raises(RuntimeError, match="meets a tensor in main memory"):
            network(torch.from_numpy(encodings()))
        with pytest.raises(RuntimeError):
            network.scale.numpy()


@pytest.mark.parametrize("learn", LEARNERS)
def test_learners(learn, tmp_path):
    """One iteration here, the next one there: Adam's state moves, too."""
    before = networks_of(learn, tmp_path / "run", iterations=1)
    with a_card():
        moved = networks_of(learn, tmp_path / "run", iterations=1)
    assert moved != before
    assert moved == networks_of(learn, tmp_path / "here")


def test_what_workers_are_sent_is_in_main_memory():
    here = make_network(SETTINGS[1], SHAPE, seed=1)
    with a_card():
        network = make_network(SETTINGS[1], SHAPE, seed=1)
        sent = pack([network, network])
        assert pickle.loads(sent)[0].device == CARD
        assert fingerprint("", [network]) == fingerprint("", [here])
    one, other = pickle.loads(sent)
    assert one is other and one.device == CPU
    assert [name for name, _ in one.named_parameters()] == [n for n, _ in here.named_parameters()]
    assert (predict(one, encodings()) == predict(here, encodings())).all()


def test_a_worker_without_the_device_says_so(tmp_path, sees):
    (tmp_path / "shared").write_bytes(pack(1))
    with pytest.raises(ValueError, match="device=cuda is not allowed here"):
        read(tmp_path / "shared", "cuda")
    assert read(tmp_path / "shared", "cpu") == 1


@pytest.mark.parametrize("kind", ["cpu", "cuda", "mps"])
def test_precision_is_that_of_the_device(kind):
    with patch("torch.autocast") as autocast, computing("bfloat16", torch.device(kind)):
        assert autocast.call_args.args == (kind, torch.bfloat16, True)


def test_weights_begin_alike_and_leave_all_random_numbers_alone():
    with patch("torch.cuda.manual_seed_all") as on_cards:
        before = torch.get_rng_state()
        make_network(SETTINGS[0], SHAPE, seed=1)
        assert (torch.get_rng_state() == before).all()
    on_cards.assert_not_called()


def test_canonical_networks_need_float64(sees):
    sees("mps")
    use_device("mps")
    with pytest.raises(ValueError, match="not allowed with device=mps, which has no float64"):
        make_network(CanonicalSettings(hidden=8), SNAPSZER, seed=1)
