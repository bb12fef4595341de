"""Deep CFR's relatives on Leduc poker, against the published curves; OpenSpiel's own beside them.

    python experiments/leduc_reproduction.py \\
        --config=experiments/configs/leduc_reproduction.py:VARIANT --workdir=runs/leduc

| variant    | what                                        | time                                |
| ---------- | ------------------------------------------- | ----------------------------------- |
| `quick`    | Kuhn poker, tiny budgets                    | a minute                            |
| `cpu`      | Leduc, three seeds                          | per method three hours, on one core |
| `paper`    | Leduc, as far as the published curves go    | no limit                            |
| `ablation` | each switch alone, on a small variant of    | an hour a seed, on one core         |
|            | each of the five games, in exact NashConv   |                                     |

Expected on Leduc (NashConv / 2 in thousandths of an ante; as published, and as reproduced by
others): SD-CFR 96 / 89 / 69 after 500 / 1000 / 2000 iterations, Deep CFR 116 / 110 / 93; DREAM
78 / 67 after 2.6 M / 3.5 M nodes; VR-DeepDCFR+ 101 to 152 / 79 to 121 after 1 M / 2 M episodes.
All but the last are of networks that are not told suits, as here; --config.games="('leduc_poker',)"
shows them. DREAM's average weighs iteration t by its root instead of t: its networks are noisy, and
the last ones would count too much. Deep CFR's policy networks are fitted with a decaying rate: at a
constant one the last steps make them noisy (--config.sd_cfr.policy.fit.schedule=constant).

A curve is a game, a method and a seed. It has its own folder, so that several processes can share
the work: --config.solver=dream --config.seeds="(0, 1)". Each method can go further in the same
folder: --config.dream.seconds=7200 --config.dream.until=1e7; any other field makes another run:
--config.sd_cfr.traversals=500 --config.sd_cfr.fit.steps=300.
"""

from dataclasses import replace

from ml_collections import ConfigDict

from analysis.small_games import SMALLEST
from experiments.common.executors import add_executor
from experiments.reports.leduc_reproduction import LEDUC
from solvers.deep_cfr.fitting import FitSettings
from solvers.deep_cfr.sampling import Outcome, Sampled, Uncorrected
from solvers.deep_cfr.settings import (
    BaselineSettings,
    DiscountedSettings,
    PolicySettings,
    ReservoirSettings,
    Settings,
)

PUBLISHED = ("sd_cfr", "dream", "vr_deep_dcfr_plus")
SWITCHES = ("external", "sampled", "uncorrected", "outcome", "outcome_baseline", "dcfr_plus")

TINY_FIT = {"steps": 100, "batch": 256}
TINY = {"traversals": 200, "fit": TINY_FIT, "axis": "nodes", "until": 2e4}  # all in a minute
TINY_OPENSPIELS = {
    "openspiel_deep_cfr": {"traversals": 50, "steps": 50, "policy_steps": 200, "until": 2e3},
    "openspiel_outcome_mccfr": {"until": 2e4},
    "openspiel_external_mccfr": {"until": 2e4},
    "openspiel_ismcts": {"until": 2e4},
}
SD_CFR = Settings(  # and Deep CFR, in the same run
    encoding="recall",
    policy=PolicySettings(
        samples=1_000_000, fit=FitSettings(steps=5000, loss="cross_entropy", schedule="cosine")
    ),
)
DREAM = Settings(
    encoding="recall",
    sampling=Outcome(exploration=0.5),
    traversals=900,
    fit=FitSettings(steps=3000, max_grad_norm=1.0),
    memory=ReservoirSettings(2_000_000),
    averaging=0.5,  # its networks are noisy: the last must not count too much
    baseline=BaselineSettings(  # some 200,000 samples
        iterations=27, fit=FitSettings(steps=1000, batch=2048, weighting="none")
    ),
)
VR_DEEP_DCFR_PLUS = Settings(
    encoding="recall",
    sampling=Outcome(exploration=0.6),
    traversals=10_000,
    fit=FitSettings(weighting="none"),
    warm_start=True,
    memory=DiscountedSettings(alpha=2.0),
    policy=PolicySettings(
        samples=1_000_000,
        fit=FitSettings(steps=5000, loss="cross_entropy", weighting="square"),
    ),
    averaging=2.0,
    baseline=BaselineSettings(  # some million samples
        iterations=10, fit=FitSettings(steps=1000, batch=2048, weighting="none")
    ),
)


OPENSPIELS = {
    "openspiel_deep_cfr": {
        "layers": (64, 64, 64),
        "traversals": 1500,
        "steps": 750,
        "policy_steps": 5000,
        "batch": 2048,
        "memory": 1_000_000,
    },
    "openspiel_outcome_mccfr": {"exploration": 0.6},
    "openspiel_external_mccfr": {},
    "openspiel_ismcts": {"limit": 10**12},  # nodes; time is limited here
}


def switches(base: Settings, policy: PolicySettings) -> dict[str, Settings]:
    """One change at a time, but for the last, whose parts belong together."""
    base = replace(base, policy=policy)
    outcome = replace(base, sampling=Outcome())
    unweighted = replace(base.fit, weighting="none")
    baseline = replace(outcome, baseline=BaselineSettings(iterations=10, fit=unweighted))
    return {
        "external": base,
        "sampled": replace(base, sampling=Sampled(breadth=2)),
        "uncorrected": replace(base, sampling=Uncorrected(breadth=2)),
        "outcome": outcome,
        "outcome_baseline": baseline,
        "dcfr_plus": replace(
            baseline,
            warm_start=True,
            memory=DiscountedSettings(alpha=2.0),
            averaging=2.0,
            fit=unweighted,
            policy=replace(policy, fit=replace(policy.fit, weighting="square")),
        ),
    }


def get_config(variant: str = "quick") -> ConfigDict:
    config = ConfigDict()
    config.games = tuple(LEDUC)[:1]
    config.methods = PUBLISHED + tuple(OPENSPIELS)
    config.solver = ""  # one method instead of all
    config.seeds = (0, 1, 2)
    config.per_decade = 6  # evaluations from x to 10 x; there is one at each published abscissa too
    config.threads = 1
    add_executor(config)
    for name, settings in ours().items():
        config[name] = ConfigDict(settings.plain() | {"axis": "nodes", "until": 3.5e6})
    config.sd_cfr.update(axis="iteration", until=2000.0)
    config.vr_deep_dcfr_plus.update(axis="episodes", until=2e6)
    for name, given in OPENSPIELS.items():
        config[name] = ConfigDict(given | {"axis": "nodes", "until": 3.5e6})
    for name in methods_of(config):
        config[name].seconds = 600.0 if name in OPENSPIELS else 3600.0  # of a curve
    change(config, variant)
    return config


def ours() -> dict[str, Settings]:
    base = replace(SD_CFR, traversals=300, fit=FitSettings(steps=300, batch=1024))
    policy_fit = FitSettings(steps=1000, batch=1024, loss="cross_entropy")
    published = {"sd_cfr": SD_CFR, "dream": DREAM, "vr_deep_dcfr_plus": VR_DEEP_DCFR_PLUS}
    return published | switches(base, PolicySettings(samples=1_000_000, fit=policy_fit))


def methods_of(config: ConfigDict) -> list[str]:
    """All that can be chosen."""
    return [name for name in config if isinstance(config[name], ConfigDict)]


def change(config: ConfigDict, variant: str) -> None:
    if variant == "quick":
        config.games, config.seeds = ("kuhn_poker",), (0,)
        for name in methods_of(config):
            config[name].update(TINY_OPENSPIELS.get(name, TINY) | {"seconds": 60.0})
            for part in ("policy", "baseline"):
                if config[name].get(part):
                    config[name][part].fit.update(TINY_FIT)
    elif variant == "paper":
        for name in methods_of(config):
            config[name].seconds = 0.0  # no limit
        config.sd_cfr.until, config.dream.until = 5000.0, 1.3e7
        config.vr_deep_dcfr_plus.until = 1e7
    elif variant == "ablation":
        config.games, config.methods = SMALLEST, SWITCHES + tuple(OPENSPIELS)[:2]
        config.per_decade = 3
        like_ours = {"traversals": 300, "steps": 300, "policy_steps": 1000, "batch": 1024}
        config.openspiel_deep_cfr.update(like_ours)
        for name in config.methods:
            config[name].update(until=2e5, seconds=600.0)  # time should not decide
    elif variant != "cpu":
        known = "quick, cpu, paper and ablation"
        raise ValueError(f"there is no variant {variant!r}; there are {known}")
