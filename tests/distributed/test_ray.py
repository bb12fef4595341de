"""Everything comes to the same bytes on a Ray cluster of two nodes, whatever happens to workers."""

import pytest
import torch

ray = pytest.importorskip("ray")

from ray.cluster_utils import Cluster  # noqa: E402

from solvers.runs.executors import executing, make_executor  # noqa: E402
from solvers.runs.ray_cluster import part_of_card  # noqa: E402
from tests.distributed.unreliable import Unreliable  # noqa: E402
from tests.solvers.runs.same_bytes import (  # noqa: E402
    LEARNERS,
    networks_of,
    tournament,
)
from tests.tasks import add, fail, node_of, wait_for_file  # noqa: E402

pytestmark = pytest.mark.ray
NODE = {"num_cpus": 1, "object_store_memory": 100 << 20}


@pytest.fixture(scope="module")
def cluster():
    nodes = Cluster(initialize_head=True, head_node_args=NODE)
    nodes.add_node(**NODE)
    nodes.wait_for_nodes()
    yield nodes
    nodes.shutdown()


@pytest.fixture(scope="module")
def crew(cluster):
    with executing("ray", address=cluster.address) as executor:
        yield executor


def test_both_nodes_compute(crew, tmp_path):
    """Neither task ends before both have begun."""
    assert len(set(crew.map(node_of, tmp_path, range(2), True))) == 2


def test_results_come_in_order_or_as_they_are_ready(crew, tmp_path):
    assert list(crew.map(add, 10, range(20), True)) == list(range(10, 30))
    results = crew.map(wait_for_file, tmp_path / "go", range(10), False)
    found = [next(results)]
    assert found != [0]
    (tmp_path / "go").touch()
    assert sorted(found + list(results)) == list(range(10))


def test_an_error_of_a_task_is_raised(crew):
    with pytest.raises(ValueError, match="^task 0 is bad$"):
        list(crew.map(fail, None, range(3), True))


def test_machines_with_other_sources_are_refused(crew, monkeypatch):
    monkeypatch.setitem(crew.installed, "torch", "1.0")
    with pytest.raises(ValueError, match="has torch .*, not 1.0: all machines"):
        list(crew.map(add, 10, [1], True))


def test_a_cluster_without_graphics_cards_is_refused(crew, monkeypatch):
    monkeypatch.setattr("solvers.networks.device._chosen", [torch.device("cuda")])
    with pytest.raises(ValueError, match="no machine of the cluster has a CUDA device"):
        list(crew.map(add, 10, [1], True))


def test_tasks_share_the_graphics_cards(crew, monkeypatch):
    assert part_of_card() == 0
    monkeypatch.setattr("solvers.networks.device._chosen", [torch.device("cuda")])
    for cpus, cards, part in ((32, 2, 0.0625), (3, 1, 0.3333), (2, 4, 1)):
        has = {"CPU": cpus, "GPU": cards}
        monkeypatch.setattr(ray, "cluster_resources", has.copy)
        assert part_of_card() == part


def test_a_machine_without_the_device_says_so(crew, monkeypatch):
    monkeypatch.setattr("solvers.networks.device._chosen", [torch.device("mps")])
    with pytest.raises(ValueError, match=": device=mps is not allowed here: .* no Metal device"):
        list(crew.map(add, 10, [1], True))


@pytest.mark.parametrize("learn", LEARNERS)
def test_learners(learn, crew, tmp_path):
    """Although a worker is killed in the middle of it, and others are slow."""
    (tmp_path / "deaths").mkdir()
    unreliable = Unreliable(crew, tmp_path / "deaths")
    found = networks_of(learn, tmp_path / "ray", unreliable)
    assert found == networks_of(learn, tmp_path / "here")
    assert unreliable.deaths == 1


def test_tournaments(crew):
    assert tournament(crew) == tournament()


def test_a_machine_that_is_lost_takes_no_result_with_it(cluster, crew):
    node = cluster.add_node(**NODE)
    cluster.wait_for_nodes()
    results = crew.map(add, 10, range(12), True)
    found = [next(results)]
    cluster.remove_node(node, allow_graceful=False)
    assert found + list(results) == list(range(10, 22))


def test_an_address_where_nothing_runs_is_refused(monkeypatch):
    def refuse(*args, **named):
        raise ConnectionError

    monkeypatch.setattr(ray, "is_initialized", lambda: False)
    monkeypatch.setattr(ray, "init", refuse)
    with pytest.raises(ValueError, match="address=auto: no Ray cluster runs there"):
        make_executor("ray", 0, "auto")
