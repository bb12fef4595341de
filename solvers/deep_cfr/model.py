"""A network with the memory that it learns from and the settings of its fits."""

import zlib
from dataclasses import dataclass

import numpy as np

from solvers.deep_cfr import fitting
from solvers.deep_cfr.fitting import Fit, FitSettings
from solvers.deep_cfr.memory import SampleMemory
from solvers.deep_cfr.rows import RowFormat
from solvers.networks.network import Network, Shape, make_network
from solvers.networks.settings import NetworkSettings
from solvers.runs.archive import Archive
from solvers.runs.progress import Progress


@dataclass
class Model:
    name: str
    shape: Shape
    format: RowFormat
    memory: SampleMemory
    settings: NetworkSettings
    fitting: FitSettings
    warm_start: bool  # whether a fit goes on from the last network, or starts afresh
    seed: int
    network: Network | None = None

    def fit(
        self,
        iteration: int,
        archive: Archive,
        progress: Progress,
        how: FitSettings | None = None,
    ) -> Fit | None:
        """Fit the network, unless there are no samples yet; `how` replaces the usual settings."""
        if not len(self.memory):
            return None
        code = zlib.crc32(self.name.encode())
        seeds = np.random.SeedSequence([self.seed, iteration, code])
        network = self.network if self.warm_start else None
        if network is None:
            network = make_network(self.settings, self.shape, int(seeds.generate_state(1)[0]))
        random = np.random.default_rng(seeds)
        report = fitting.fit(
            network, self.memory, self.format, how or self.fitting, random, progress
        )
        archive.save(self.name, iteration, network)
        self.network = network
        return report
