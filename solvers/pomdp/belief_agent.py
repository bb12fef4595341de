"""An actor-critic with a belief state, after Ishii et al. (2005) and Brau (2011), as an agent.

Of the actions in the stages that it learns, it takes the one with the highest merit: the actor's
merit in what the seat knows, and the expected worth over the predicted rest of the trick, or until
the first trick begins. In the other stages it plays by the rules.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, cast

import numpy as np

from solvers.pomdp.actor_critic import ActorCriticSettings, soft_max
from solvers.pomdp.approximator import Approximator, make_approximator
from solvers.pomdp.foresight import look_ahead
from solvers.pomdp.learned_belief import LearnedBelief
from solvers.pomdp.memory import PREDICTORS, make_memory
from solvers.pomdp.prediction import AT_RANDOM, BY_RULES, LEARNED, Foresight
from solvers.pomdp.settings import ApproximatorSettings, LinearSettings, NgnetSettings
from solvers.pomdp.views import beliefs_of, features_of, merits_of, stages_of
from solvers.runs.settings import at_least, between, check_choice, to_plain
from solvers.search.beliefs import Belief, Uniform
from solvers.search.worlds import seeds_of
from spielgames.agents import Agent, evenly, legal_flags, make_agent
from spielgames.core.arrays import take
from spielgames.core.game import Appraisal
from spielgames.core.players import choice_sets
from spielgames.specs import make_part

PREDICTS = {"learned": LEARNED, "rules": BY_RULES, "random": AT_RANDOM}
HORIZONS = "trick", "deal"
CHOICES = "best", "softmax"
WAYS = "all", "drawn"
CLUES_OF = "belief", "world"


@dataclass(frozen=True)
class Settings:
    """The thesis' setting is `predictor="rules"`, `features="paper"` and best actions."""

    learned: tuple[str, ...] = ("play",)  # the stages; the rules decide in the others
    features: str = "all"  # that values are learnt of; "paper": only those of the game's paper
    clues: str = "paper"  # that plays are predicted from; or "all"
    clues_of: str = "belief"  # the own belief; or "world": the hand that a mover has in each world
    watches: bool = False  # whether the critic learns from all seats, when hands are shown
    critic: ApproximatorSettings = NgnetSettings(units=8)
    actor: ApproximatorSettings = LinearSettings()
    predictor: ApproximatorSettings = NgnetSettings(units=8)
    predicts: str = "learned"  # the others' plays; or by "rules", or at "random"
    belief: str = "uniform"  # the worlds: see solvers.search.beliefs; or "learned", as predicted
    worlds: int = 4
    horizon: str = "trick"  # of the expectation; "deal": to its end, without the critic
    threshold: float = 0.0  # ways that are less likely in a world are pruned
    ways: str = "all"  # of playing on in a world; "drawn": one, with its probability
    choice: str = "best"  # or "softmax", at the temperature of `learning`
    learning: ActorCriticSettings = ActorCriticSettings()
    predictor_rate: float = 0.5
    predictor_temperature: float = 1.0
    trick_reward: float = 1.0  # for all points of the deal
    hand_reward: float = 0.05  # for a unit of utility

    def __post_init__(self) -> None:
        check_choice("predicts", self.predicts, tuple(PREDICTS))
        check_choice("horizon", self.horizon, HORIZONS)
        check_choice("clues_of", self.clues_of, CLUES_OF)
        check_choice("ways", self.ways, WAYS)
        at_least(1, "worlds", self.worlds)
        check_choice("choice", self.choice, CHOICES)
        at_least(1e-6, "predictor_temperature", self.predictor_temperature)
        between(0, 1, "threshold", self.threshold)
        if self.belief == LearnedBelief.kind and self.clues_of != "world":
            raise ValueError("a learned belief needs predictors with clues_of='world'")

    def plain(self) -> dict[str, Any]:
        return to_plain(self)


class BeliefAgent(Agent):
    """`order[k]` is the predictor of the opponent who sits k + 1 places after this player."""

    def __init__(self, game: str, settings: Settings, seed: int = 0) -> None:
        super().__init__(game)
        self.seed = seed
        self.appraisal = appraisal_of(self)
        self.adopt(settings)
        self.width, self.asked = width_of(self.appraisal, settings)
        sizes = self.asked, self.appraisal.predicted
        by_belief = settings.predicts == "learned" and settings.clues_of == "belief"
        self.asks = by_belief or self.width > self.appraisal.certain  # for marginals
        self.critic = make_approximator(settings.critic, self.width, 1, seed)
        merits = len(self.appraisal.merits)
        self.actor = make_approximator(settings.actor, self.width, merits, seed)
        self.predictors = [
            make_approximator(settings.predictor, *sizes, seed + k) for k in range(PREDICTORS)
        ]
        self.order = np.arange(self.game.players - 1) % PREDICTORS
        self.learned = np.array([name in settings.learned for name in self.appraisal.stages])
        shape = self.game.places, self.game.cards
        wide, clue = self.appraisal.features.size, self.appraisal.clues.size
        self.memory = make_memory(self.game.dtype, shape, wide, clue, sizes)

    def adopt(self, settings: Settings) -> None:
        """Play by these settings from now on; the approximators stay as they are."""
        self.settings = settings
        if settings.belief == LearnedBelief.kind:
            self.belief: Belief = LearnedBelief(self)
            return
        part = make_part("belief", Belief, settings.belief, lambda s: make_agent(s, self.name))
        self.belief = cast(Belief, part)

    def parts(self) -> dict[str, Approximator]:
        """All that it has learnt, by name."""
        found = {"critic": self.critic, "actor": self.actor}
        return found | {f"predictor-{k}": each for k, each in enumerate(self.predictors)}

    def foresight(self) -> Foresight:
        own = self.settings
        return Foresight(
            PREDICTS[own.predicts],
            self.appraisal.plays,
            own.predictor_temperature,
            own.clues_of == "world",
            own.threshold,
            own.ways == "drawn",
            own.horizon == "deal",
            own.learning.discount,
            own.trick_reward,
            own.hand_reward,
            self.width,
        )

    def probabilities(self, states: np.ndarray) -> np.ndarray:
        sets = np.empty(len(states), np.uint64)
        choice_sets(states, 0, sets)
        chances, legal = evenly(sets, self.game.actions), legal_flags(states, self.game.actions)
        own = self.learned[stages_of(states)] & (legal.sum(axis=1) > 1)
        rows = np.flatnonzero(own)
        if len(rows):
            some = take(states, rows)
            chances[rows] = self.choose(self.scores(some), legal[rows])
        return chances

    def choose(self, scores: np.ndarray, legal: np.ndarray) -> np.ndarray:
        """The probabilities that follow from scores."""
        if self.settings.choice == "softmax":
            heat = self.settings.learning.temperature
            return soft_max(scores, legal, heat).astype(np.float32)
        scores = np.where(legal, scores, -np.inf)
        best = scores == scores.max(axis=1, keepdims=True)
        return (best / best.sum(axis=1, keepdims=True)).astype(np.float32)

    def scores(self, states: np.ndarray) -> np.ndarray:
        """The merit of each action. `[games, actions]`"""
        seats, ahead = states["turn"].astype(np.int64), np.empty((len(states), self.game.actions))
        worlds = self.belief.draw(
            self.game, states, self.settings.worlds, seeds_of(states, self.seed, 0)
        )
        beliefs = self.beliefs(states, worlds)
        x = features_of(states, seats, beliefs, self.appraisal.features.size)[:, : self.width]
        ids = merits_of(states, self.game.actions)
        look_ahead(
            states,
            worlds.states,
            worlds.weights,
            worlds.luck,
            beliefs,
            self.critic.model,
            tuple(each.model for each in self.predictors),
            self.who(seats),
            self.foresight(),
            self.memory,
            ahead,
        )
        return ahead + np.take_along_axis(self.actor.predict(x), ids, axis=1)

    def beliefs(self, states: np.ndarray, worlds: Any) -> np.ndarray:
        """The marginals of the belief: counted if it is uniform, else those of its worlds; none if
        nothing asks for them.
        """
        if not self.asks:
            return np.zeros((len(states), self.game.places, self.game.cards))
        if self.belief.kind == Uniform.kind:
            return beliefs_of(states, states["turn"].astype(np.int64), self.game)
        cards = np.arange(self.game.cards, dtype=np.uint64)
        held = worlds.states["hands"][..., None] >> cards & np.uint64(1)
        return np.einsum("iw,iwpc->ipc", worlds.weights, held.astype(float))

    def who(self, seats: np.ndarray) -> np.ndarray:
        """The predictor of each seat, in the eyes of these. `[n, seats]`"""
        n = self.game.players
        after = (np.arange(n) - seats[:, None] - 1) % n  # the own seat's is never asked
        return self.order[np.minimum(after, n - 2)]


def appraisal_of(agent: Agent) -> Appraisal:
    if agent.game.appraisal is None:
        raise ValueError(f"{agent.game.title} has no features for learners with a belief state yet")
    return agent.game.appraisal


def width_of(appraisal: Appraisal, settings: Settings) -> tuple[int, int]:
    """The numbers of features and of clues that are seen."""
    unknown: Sequence[str] = [name for name in settings.learned if name not in appraisal.stages]
    if unknown:
        raise ValueError(f"there is no stage {unknown[0]!r}; there are {appraisal.stages}")
    check_choice("features", settings.features, tuple(appraisal.prefixes))
    check_choice("clues", settings.clues, tuple(appraisal.clue_prefixes))
    return appraisal.prefixes[settings.features], appraisal.clue_prefixes[settings.clues]
