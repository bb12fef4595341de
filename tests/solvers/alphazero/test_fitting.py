"""What a network is fitted to."""

import numpy as np
import pytest
import torch

from solvers.alphazero.fitting import DISTANCES, losses_of, minibatch_of
from solvers.alphazero.selfplay import Samples
from solvers.environments.card_game import Records
from solvers.networks.network import make_network
from solvers.networks.settings import MlpSettings

NAN = np.nan


def samples_of(env: Records, values: list[list[float]]) -> Samples:
    """First decisions of deals, in which the first actions have these values."""
    n, positions = len(values), env.deal(0, len(values), seed=1)
    policy, told = np.zeros((n, env.actions), np.float32), np.full((n, env.actions), NAN)
    for i, row in enumerate(values):
        legal = [a for a in range(env.actions) if int(positions.sets[i]) >> a & 1]
        told[i, legal] = [*row, *[row[-1]] * len(legal)][: len(legal)]
        policy[i, legal[0]] = 1
    zeros = np.zeros(n, np.float32)
    columns = positions.states, positions.actors, positions.sets
    return Samples(*columns, policy, told.astype(np.float32), zeros, zeros, np.arange(n))


def test_an_action_that_the_search_left_out_has_no_value_to_learn():
    env = Records("python_snapszer")
    samples = samples_of(env, [[0.5, 0.5], [0.5, -0.5], [0.5, NAN], [0.25, 0.75, NAN]])
    batch = minibatch_of(env, samples, np.arange(4), 0.0)
    assert batch.decisive.tolist() == [0, 1, 1, 1]
    assert (batch.known <= batch.legal).all()
    assert batch.known.sum(dim=1).tolist()[2:] == [1, 2]
    assert (batch.values[~batch.known] == 0).all()
    assert batch.values[3][batch.known[3]].tolist() == [-0.25, 0.25]
    network = make_network(MlpSettings(hidden=8, critic=True), env.shape, seed=1)
    losses = losses_of(network, batch)
    _, action_values, _ = network.judge(batch.encodings)
    wanted = ((action_values - batch.values) ** 2)[batch.known].mean()
    assert all(torch.isfinite(loss) for loss in losses)
    assert losses[3] == wanted


class Fixed:
    """A network that says the same of all positions."""

    def __init__(self, logits: torch.Tensor) -> None:
        self.logits = logits

    def judge(self, encodings: torch.Tensor) -> tuple[torch.Tensor, torch.Tensor, torch.Tensor]:
        n = len(encodings)
        return self.logits.expand(n, -1), torch.zeros(n, len(self.logits)), torch.zeros(n)


def two_searches(policy_loss: str, logits: list[float]) -> tuple[float, torch.Tensor]:
    """The loss and its slope where two searches say (0.9, 0.1) and (0.6, 0.4) of one position."""
    env = Records("python_snapszer")
    samples = samples_of(env, [[0.5, -0.5]] * 2)
    for row, chances in zip(samples.policy, ((0.9, 0.1), (0.6, 0.4)), strict=True):
        row[np.flatnonzero(row)[0]] = 0
        row[:2] = chances
    batch = minibatch_of(env, samples._replace(sets=np.full(2, 3, np.uint64)), np.arange(2), 0.0)
    said = torch.zeros(env.actions)
    said[:2] = torch.tensor(logits)
    said.requires_grad_()
    loss = losses_of(Fixed(said), batch, policy_loss)[0]
    loss.backward()
    return loss.item(), said.grad


def test_forward_loss_is_least_at_the_mean_of_what_searches_say():
    _, slope = two_searches("forward", np.log([0.75, 0.25]).tolist())
    assert torch.allclose(slope, torch.zeros_like(slope), atol=1e-6)


def test_reverse_loss_is_least_at_the_mean_of_their_logits():
    """So noise in the values, which move logits, averages out."""
    middle = np.log([0.9, 0.1]) + np.log([0.6, 0.4])
    least, slope = two_searches("reverse", (middle / 2).tolist())
    assert torch.allclose(slope, torch.zeros_like(slope), atol=1e-6)
    assert 0 < least < two_searches("reverse", np.log([0.75, 0.25]).tolist())[0]


def test_squared_logits_are_least_at_the_mean_of_their_logits_and_call_back_what_is_lost():
    middle = (np.log([0.9, 0.1]) + np.log([0.6, 0.4])) / 2
    _, slope = two_searches("logits", middle.tolist())
    assert torch.allclose(slope, torch.zeros_like(slope), atol=1e-6)
    lost = [30.0, 0.0]  # e^30 times as unlikely
    slopes = {name: two_searches(name, lost)[1][1].item() for name in ("reverse", "logits")}
    assert abs(slopes["reverse"]) < 1e-6
    assert slopes["logits"] < -1


def test_losses_are_zero_where_the_network_says_what_the_search_says():
    policy = torch.tensor([[0.7, 0.2, 0.1, 0.0]])
    legal = policy > 0
    own = policy.clamp_min(1e-30).log()
    for name in ("reverse", "logits"):
        assert DISTANCES[name](own, own, legal).abs().item() < 1e-6
    entropy = -(0.7 * np.log(0.7) + 0.2 * np.log(0.2) + 0.1 * np.log(0.1))
    assert DISTANCES["forward"](own, own, legal).item() == pytest.approx(entropy, abs=1e-5)
