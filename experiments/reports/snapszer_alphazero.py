"""The report and the figures of `experiments/snapszer_alphazero.py`."""

from experiments.reports.alphazero import Texts

DESCRIPTIONS = {  # in the order of the config
    "rollouts": "policy iteration at information sets; 8 worlds, 3 × 128 units, suits in order",
    "belief": "the same, 3 × 256 units; worlds as likely as the policy makes what the other did",
    "plain": "the same as rollouts, but suits as they are",
    "small_uniform": "six cards, a talon of two; worlds drawn uniformly",
    "small_belief": "the same; worlds as likely as the policy makes what the other did",
    "small_trees": "six cards; trees in six worlds drawn uniformly, visits summed",
    "small_trees_belief": "the same; worlds as likely as the policy makes what the other did",
}
TEXTS = Texts("AlphaZero under hidden cards on Snapszer", "game points", DESCRIPTIONS)
