"""A batch with your own network: policy gradients on a thousand deals of Hearts at a time.

The network sits in seat 0, random players in the others. A minute: python examples/own_network.py
"""

import numpy as np
import torch

from spielgames import Batch

GAME = "python_hearts"


def play(batch: Batch, network: torch.nn.Module, luck: np.random.Generator) -> list[torch.Tensor]:
    """Play all deals to the end; return what seat 0 saw, might do and did, and the deals' rows."""
    seen: list[list[np.ndarray]] = []
    while batch.running():
        legal = batch.legal_mask()
        scores = np.zeros(legal.shape, np.float32)  # random players like all actions the same
        rows = np.flatnonzero(batch.actors() == 0)
        shown = batch.observe()[rows]
        with torch.no_grad():
            scores[rows] = network(torch.from_numpy(shown)).numpy()
        # The largest of the scores with Gumbel noise is a draw from their softmax.
        noisy = np.where(legal, scores + luck.gumbel(size=legal.shape), -np.inf)
        actions = noisy.argmax(axis=1)
        seen.append([shown, legal[rows], actions[rows], rows])
        batch.step(actions)
    return [torch.from_numpy(np.concatenate(parts)) for parts in zip(*seen, strict=True)]


def main(iterations: int = 40, deals: int = 1024) -> None:
    torch.manual_seed(1)
    luck = np.random.default_rng(1)
    size, actions = Batch(GAME, games=1).observe().shape[1], Batch(GAME, games=1).game.actions
    network = torch.nn.Sequential(
        torch.nn.Linear(size, 128), torch.nn.ReLU(), torch.nn.Linear(128, actions)
    )
    optimizer = torch.optim.Adam(network.parameters(), lr=2e-3)
    for iteration in range(1, iterations + 1):
        batch = Batch(GAME, games=deals, seed=iteration)
        shown, legal, done, rows = play(batch, network, luck)
        won = torch.from_numpy(batch.returns()[:, 0]).float()
        better = ((won - won.mean()) / won.std())[rows]  # than the average deal
        for part in torch.randperm(len(done)).split(2048):
            scores = network(shown[part]).masked_fill(~legal[part], -torch.inf)
            chances = torch.log_softmax(scores, dim=1)
            loss = -(better[part] * chances[torch.arange(len(part)), done[part]]).mean()
            optimizer.zero_grad()
            loss.backward()
            optimizer.step()
        print(f"iteration {iteration}: {won.mean():+.2f} points per deal", flush=True)


if __name__ == "__main__":
    main()
