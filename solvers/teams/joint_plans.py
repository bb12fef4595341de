"""The mixed-integer programme behind `solvers.teams.best_response`: the best joint plan, proven.

Finding it is NP-hard (Koller and Megiddo 1992). A variable stands for the product of all partners'
realisation plans at sequences that can meet in one course of play (von Stengel and Forges 2008);
the flow constraints of those products are exact once all partners but one play purely (Farina et
al. 2021), so that only these partners' own sequences must be integers.
"""

import numpy as np
from scipy.optimize import Bounds, LinearConstraint, milp
from scipy.sparse import coo_array, csr_array

from solvers.exact.profiles import normalised
from spielgames.core.tree import Treeplex

ROOT = -1  # in place of an information set: before a partner's first one


class Products:
    """The programme. It has a variable per combination of the partners' sequences that can meet:
    the product of the probabilities that each partner plays towards their own sequence.
    """

    def __init__(self, plexes: list[Treeplex], cells: np.ndarray) -> None:
        self.plexes = plexes
        self.owner = [
            np.repeat(np.arange(ROOT, p.sets), np.diff(p.first, prepend=0)) for p in plexes
        ]
        self.first = [np.append(plex.first[:-1], 0) for plex in plexes]  # of ROOT: sequence 0
        self.parent = [np.append(plex.parent, 0) for plex in plexes]
        self.choices = [np.append(np.diff(plex.first), 1) for plex in plexes]
        self.shape = [plex.sets + 1 for plex in plexes]
        self.codes = self.meetings(cells)
        sets = self.decode(self.codes)
        sizes = np.prod([c[s] for c, s in zip(self.choices, sets.T, strict=True)], axis=0)
        self.start = np.cumsum(sizes) - sizes
        self.sequences = self.spread(sets, sizes)
        self.at_cells = self.index(cells)
        self.flow = self.constraints()
        self.whole = self.purely_played()

    def decode(self, codes: np.ndarray) -> np.ndarray:
        return np.stack(np.unravel_index(codes, self.shape), axis=1) + ROOT

    def encode(self, sets: np.ndarray) -> np.ndarray:
        return np.ravel_multi_index((sets - ROOT).T, self.shape)

    def owners(self, sequences: np.ndarray) -> np.ndarray:
        return np.stack([o[s] for o, s in zip(self.owner, sequences.T, strict=True)], axis=1)

    def meetings(self, cells: np.ndarray) -> np.ndarray:
        """The combinations of information sets that one course of play goes through, as codes."""
        found = new = np.unique(self.encode(self.owners(cells)))
        while len(new):
            sets = self.decode(new)
            steps = []
            for i, (owner, parent) in enumerate(zip(self.owner, self.parent, strict=True)):
                above = sets[sets[:, i] != ROOT]
                above[:, i] = owner[parent[above[:, i]]]
                steps.append(self.encode(above))
            new = np.setdiff1d(np.concatenate(steps), found)
            found = np.union1d(found, new)
        return found

    def spread(self, sets: np.ndarray, sizes: np.ndarray) -> np.ndarray:
        """The sequences that each variable is about, [variables, partners]."""
        row = np.repeat(np.arange(len(sets)), sizes)
        rest = np.arange(len(row)) - self.start[row]
        out = np.empty((len(row), len(self.plexes)), np.int64)
        for i in reversed(range(len(self.plexes))):
            own = sets[row, i]
            rest, choice = np.divmod(rest, self.choices[i][own])
            out[:, i] = self.first[i][own] + choice
        return out

    def index(self, sequences: np.ndarray) -> np.ndarray:
        """The variable of each combination of sequences."""
        sets = self.owners(sequences)
        local = np.zeros(len(sequences), np.int64)
        for i, own in enumerate(sets.T):
            local = local * self.choices[i][own] + sequences[:, i] - self.first[i][own]
        return self.start[np.searchsorted(self.codes, self.encode(sets))] + local

    def constraints(self) -> csr_array:
        """The constraints that a partner's actions at an information set add up to what leads
        there, whatever the others do: a row per combination of the set and the others' sequences.
        """
        rows, columns, signs, height = [], [], [], 0
        for i in range(len(self.plexes)):
            own = self.owner[i][self.sequences[:, i]]
            variables = np.flatnonzero(own != ROOT)
            lead = self.sequences[variables].copy()
            lead[:, i] = self.first[i][own[variables]]
            leads, row = np.unique(self.index(lead), return_inverse=True)
            above = self.sequences[leads].copy()
            above[:, i] = self.parent[i][own[leads]]
            rows += [height + row, height + np.arange(len(leads))]
            columns += [variables, self.index(above)]
            signs += [np.ones(len(row)), -np.ones(len(leads))]
            height += len(leads)
        shape = height, len(self.sequences)
        entries = np.concatenate(signs), (np.concatenate(rows), np.concatenate(columns))
        return coo_array(entries, shape=shape).tocsr()

    def purely_played(self) -> np.ndarray:
        """The variables that must be 0 or 1: the own sequences of all partners but the one with
        most.
        """
        free = np.argmax([plex.sequences for plex in self.plexes])
        started = self.sequences > 0
        return (started.sum(axis=1) == 1) & ~started[:, free]

    def best(self, weights: np.ndarray, seconds: float) -> tuple[float, np.ndarray | None]:
        """A proven upper bound on what a joint plan can achieve, and the best plan known."""
        scale = np.abs(weights).max(initial=0.0) or 1.0
        cost = np.zeros(len(self.sequences))
        cost[self.at_cells] = -weights / scale
        low = np.zeros(len(cost))
        low[self.index(np.zeros((1, len(self.plexes)), np.int64))] = 1.0
        found = milp(
            cost,
            integrality=self.whole,
            bounds=Bounds(low, 1.0),
            constraints=LinearConstraint(self.flow, 0.0, 0.0),
            options={"time_limit": seconds, "mip_rel_gap": 0.0},
        )
        bound = np.inf if found.mip_dual_bound is None else -found.mip_dual_bound * scale
        return bound, None if found.x is None else self.plan(found.x)

    def plan(self, x: np.ndarray) -> np.ndarray:
        """Each partner's own strategy, from the values of the variables."""
        alone = (self.sequences > 0).sum(axis=1) == 1
        parts = []
        for i, plex in enumerate(self.plexes):
            own = alone & (self.sequences[:, i] > 0)
            reach = np.ones(plex.sequences)
            reach[self.sequences[own, i]] = x[own]
            parts.append(normalised(plex, np.maximum(reach, 0.0)))
        return np.concatenate(parts)
