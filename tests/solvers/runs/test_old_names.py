"""Configs of version 0.1.0 are refused in a sentence that says what to write now; networks load."""

from dataclasses import asdict, fields

import pytest
import torch
from ml_collections import ConfigDict

from experiments.common.runs import Run
from solvers.deep_cfr import settings as deep_cfr
from solvers.deep_cfr.fitting import FitSettings
from solvers.environments.load import load_environment
from solvers.networks.network import load_network, make_network
from solvers.networks.settings import CardsSettings, MlpSettings, SuitsSettings
from solvers.ppo import settings as ppo
from solvers.runs.old_names import OLD_NAMES
from solvers.runs.settings import from_plain, to_plain
from solvers.runs.tensors import save_tensors


@pytest.mark.parametrize(
    ("kind", "name", "now"),
    [
        (ppo.Settings, "trace", "gae_lambda"),
        (ppo.Settings, "start", "pretrained"),
        (ppo.Settings, "clip", "clip_range"),
        (deep_cfr.Settings, "start", "initial_policy"),
        (deep_cfr.Settings, "opponents", "opponent"),
        (FitSettings, "clip", "max_grad_norm"),
        (FitSettings, "decay", "schedule"),
    ],
)
def test_a_setting_of_version_0_1_0_says_where_it_has_gone(kind, name, now):
    said = rf"^there is no setting '{name}' any more \(version 0.1.0 had it; see {now}\); there are"
    with pytest.raises(ValueError, match=said):
        from_plain(kind, {name: 1})


def test_a_text_that_has_become_a_record_says_which_kinds_there_are():
    said = "sampling='outcome' is not allowed; it is an object with settings, whose kind is one of "
    with pytest.raises(ValueError, match=f"^{said}external, .*outcome, "):
        from_plain(deep_cfr.Settings, {"sampling": "outcome"})


def test_other_unknown_settings_are_only_unknown():
    with pytest.raises(ValueError, match="^there is no setting 'colour'; there are encoding, "):
        from_plain(ppo.Settings, {"colour": 1})


def test_old_names_point_to_settings():
    now = {f.name for kind in (ppo.Settings, deep_cfr.Settings, FitSettings) for f in fields(kind)}
    gone = {old: names for old, names in OLD_NAMES.items() if old not in now}
    assert len(gone) > 10
    assert all(now & set(names) for names in gone.values() if names)


def test_a_run_folder_of_version_0_1_0_says_that_it_is_one(tmp_path):
    Run(tmp_path, ConfigDict({"settings": {"trace": 0.9}}))
    with pytest.raises(ValueError) as error:
        Run(tmp_path, ConfigDict({"settings": {"gae_lambda": 0.9}}))
    assert str(error.value) == (
        f"{tmp_path} belongs to a config of version 0.1.0 (settings.gae_lambda was absent, is 0.9;"
        " settings.trace was 0.9, is absent); take another --workdir, or that version"
    )


def kept_by_0_1_0(path, network, **settings):
    """Save a network as version 0.1.0 did, with the settings of all kinds of networks."""
    others = {"embedding": 32, "norm": False, "heads": 4, "context": True}
    kept = others | to_plain(network.settings) | settings
    about = {"settings": kept, "shape": asdict(network.shape), "about": {}}
    save_tensors(path, network.state_dict(), about)


@pytest.mark.parametrize(
    "settings", [MlpSettings(hidden=8), SuitsSettings(hidden=8), CardsSettings(hidden=8, heads=2)]
)
def test_networks_of_version_0_1_0_load(settings, tmp_path):
    encoding = "events" if settings.kind == "cards" else "compact"
    network = make_network(settings, load_environment("python_hokm", encoding).shape, seed=1)
    kept_by_0_1_0(tmp_path / "network", network)
    loaded, _ = load_network(tmp_path / "network")
    assert loaded.settings == settings
    assert all(map(torch.equal, loaded.state_dict().values(), network.state_dict().values()))


def test_a_network_with_a_setting_that_is_gone_is_refused(tmp_path):
    shape = load_environment("python_hokm").shape
    kept_by_0_1_0(tmp_path / "network", make_network(MlpSettings(), shape, seed=1), norm=True)
    with pytest.raises(ValueError, match=r"no setting 'norm' of mlp any more \(version"):
        load_network(tmp_path / "network")
