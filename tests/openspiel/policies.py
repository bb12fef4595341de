"""Policies that the tools are tried on."""

import zlib

from open_spiel.python import policy as policies


class Lopsided(policies.Policy):
    """A policy far from uniform, and the same wherever a seat has seen the same."""

    def __init__(self, game):
        super().__init__(game, list(range(game.num_players())))

    def action_probabilities(self, state, player_id=None):
        seen = state.information_state_string(state.current_player())
        weights = {a: 1 + zlib.crc32(f"{seen} {a}".encode()) % 9 for a in state.legal_actions()}
        return {a: weight / sum(weights.values()) for a, weight in weights.items()}


class Mixed(policies.Policy):
    """One seat plays by one policy, the others by another."""

    def __init__(self, game, seat, own, others):
        super().__init__(game, list(range(game.num_players())))
        self.seat, self.own, self.others = seat, own, others

    def action_probabilities(self, state, player_id=None):
        mine = state.current_player() == self.seat
        return (self.own if mine else self.others).action_probabilities(state)


class Renormalised(policies.Policy):
    """A policy with the weight that it gives to illegal actions taken away."""

    def __init__(self, game, policy):
        super().__init__(game, list(range(game.num_players())))
        self.policy = policy

    def action_probabilities(self, state, player_id=None):
        weights = self.policy.action_probabilities(state)
        total = sum(weights.values())
        return {a: float(weight / total) for a, weight in weights.items()}
