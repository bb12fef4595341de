"""The report and the figures of `experiments/hokm_alphazero.py`."""

from experiments.reports.strength import Texts

DESCRIPTIONS = {  # in the order of the config
    "near": "rollouts of four decisions",
    "whole": "from the network of near; rollouts of eight decisions",
    "league": "PPO, half against the rules (`learned` of experiments/hokm_league.py)",
}
TEXTS = Texts("AlphaZero under hidden cards on Hokm", "game points", DESCRIPTIONS)
