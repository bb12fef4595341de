"""The report and the figures of `experiments/sheephead_ppo.py`."""

from experiments.reports.strength import Texts

DESCRIPTIONS = {  # in the order of the config
    "self_play": "against itself: all five seats learn",
    "mixed": "half against itself, half among rule-based players",
}
COUNTS = {"decisions learnt from": "samples"}
TEXTS = Texts("PPO on Sheephead", "cents", DESCRIPTIONS, digits=2, counts=COUNTS)
