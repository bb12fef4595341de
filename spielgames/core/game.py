"""The definition of a game in one record: verbs, parameters, encodings and words."""

from collections.abc import Callable
from dataclasses import dataclass, field
from types import ModuleType
from typing import Any

import numpy as np

from spielgames.core import default_verbs, verbs
from spielgames.core.cards import Cards, members
from spielgames.core.match import Match
from spielgames.core.pieces import Pieces
from spielgames.core.record import State
from spielgames.core.talk import Talk
from spielgames.core.words import Place, card_name

Parameters = dict[str, Any]
MAX_PLACES = 8  # hands and piles, which limits the tables of `core.shares`


@dataclass(frozen=True)
class Variant:
    """A game with its parameters fixed."""

    fields: dict[str, Any]  # the parameters' values in the state record
    max_moves: int  # decisions in the longest deal
    max_draws: int  # chance events in the longest deal, card placements not counted
    min_utility: float
    max_utility: float
    zero_sum: bool
    draw_outcomes: int = 0  # how many outcomes those chance events have at most
    choices: int = 64  # legal actions at once, at most
    stages: int = 1  # how often the whole deck is placed by chance, at most
    pieces: Pieces | None = None  # of the compact encoding, if not the game's
    unit: str = ""  # of the utilities, if not the game's
    alone: "Variant | None" = None  # of a deal in a match: the same deal, played for its own sake


@dataclass(frozen=True)
class Appraisal:
    """The names behind the verbs of learners with a belief state (docs/pomdp.md)."""

    stages: tuple[str, ...]  # of `stage`: the kinds of decisions
    plays: int  # the first of these stages in which cards are played
    features: Pieces  # of `features`
    prefixes: dict[str, int]  # how many of them, from the first on, make up some choices of them
    paper: Pieces  # those of the game's paper
    certain: int  # how many of them, from the first on, do not depend on beliefs
    clues: Pieces  # of `clues`
    clue_prefixes: dict[str, int]  # the same of them
    merits: tuple[str, ...]  # of `merit`, those of plays first
    predicted: int  # how many of these are of plays


@dataclass(frozen=True)
class Game:
    """The definition of a game."""

    name: str
    title: str
    version: int  # raised when an agent trained before would play differently
    players: int
    actions: int
    ranks: str  # the rank names in a suit's order of card ids
    dtype: np.dtype
    pieces: Pieces  # of the compact encoding
    parameters: Parameters  # the defaults: the full game
    variant: Callable[[Parameters], Variant]
    modules: tuple[ModuleType, ...]  # define its verbs; `core.default_verbs` has the others
    action_name: Callable[[State, int], str]
    public: Callable[[State], dict[str, Any]]  # what everybody sees, for strings and structs
    private: Callable[[State, int], dict[str, Any]]  # what a seat knows besides its hand
    place: Callable[[State, int], Place]  # of a card in a hand that is shown sorted
    unit: str  # of the utilities
    levels: tuple[str, ...] = ("standard",)  # of the rule-based player, the default first
    piles: tuple[str, ...] = ()  # the hidden places after the hands
    teams: tuple[int, ...] = ()  # the team of each seat, if any
    suited_actions: tuple[int, ...] | None = None  # see `solvers.networks.canonical`
    special: dict[int, str] = field(default_factory=dict)  # cards with names of their own
    match: Match | None = None  # how deals add up, if they do
    talk: Talk = Talk()  # for tables at which people sit
    choices: dict[str, tuple[str, ...]] = field(default_factory=dict)  # of named parameters
    appraisal: Appraisal | None = None  # for learners with a belief state, if they may play it

    @property
    def cards(self) -> int:
        """The number of card ids, those of the full deck."""
        return 4 * len(self.ranks)

    @property
    def event_width(self) -> int:
        """The size of an event in the perfect-recall encoding: what was done, then who did it."""
        return self.actions + self.players

    @property
    def places(self) -> int:
        """The number of hands and hidden piles."""
        return self.players + len(self.piles)

    @property
    def sides(self) -> tuple[int, ...]:
        """The partnerships: the team of each seat, or the seat itself."""
        return self.teams or tuple(range(self.players))

    def card_name(self, card: int) -> str:
        return self.special.get(int(card)) or card_name(card, self.ranks)

    def card_names(self, cards: Cards) -> list[str]:
        return [self.card_name(card) for card in members(cards)]

    def __post_init__(self) -> None:
        if self.places > MAX_PLACES:
            raise ValueError(
                f"{self.name} has {self.places} hands and piles; at most {MAX_PLACES} are supported"
            )
        if self.name in GAMES:
            raise ValueError(f"there is a game {self.name} already; choose another name")
        verbs.register(self.dtype, verbs.collect(default_verbs, *self.modules), self.title)
        GAMES[self.name] = self


GAMES: dict[str, Game] = {}


def compact_pieces(game: Game, variant: Variant) -> Pieces:
    """The pieces of a variant's compact encoding."""
    return variant.pieces or game.pieces


def unit_of(game: Game, variant: Variant) -> str:
    """The unit of a variant's utilities."""
    return variant.unit or game.unit


def with_defaults(game: Game, given: Parameters) -> Parameters:
    """All parameters of a variant; an unknown one is an error that names those allowed."""
    for key in given:
        if key not in game.parameters:
            raise ValueError(
                f"{game.name} has no parameter {key!r}; it has {', '.join(game.parameters)}"
            )
    return {**game.parameters, **given}


def initial_state(game: Game, variant: Variant) -> np.ndarray:
    """One state record (an array of length 1) with the parameters; `reset` starts its deal."""
    states = np.zeros(1, game.dtype)
    for name, value in variant.fields.items():
        states[name] = value
    return states


def check_number(params: Parameters, name: str, low: int, high: int) -> int:
    """Check an integer parameter against its bounds."""
    value = params[name]
    if isinstance(value, bool) or not isinstance(value, int) or not low <= value <= high:
        raise ValueError(f"{name}={value} is not allowed; it ranges from {low} to {high}")
    return value


def check_deck(params: Parameters, seats: int, suits: int, ranks: int) -> tuple[int, int]:
    """The `suits` (at least as many as given) and `ranks` of a deck that is dealt out evenly."""
    chosen = check_number(params, "suits", suits, 4), check_number(params, "ranks", 2, ranks)
    if chosen[0] * chosen[1] % seats:
        raise ValueError(
            f"suits={chosen[0]} and ranks={chosen[1]} make a deck that {seats} seats cannot share;"
            f" suits times ranks must be a multiple of {seats}"
        )
    return chosen


def check_choice(params: Parameters, name: str, choices: tuple[str, ...]) -> int:
    """Check a named option; return its index in `choices`."""
    if params[name] not in choices:
        raise ValueError(f"{name}={params[name]} is not allowed; it is one of {', '.join(choices)}")
    return choices.index(params[name])


def check_flag(params: Parameters, name: str) -> bool:
    if not isinstance(params[name], bool):
        raise ValueError(f"{name}={params[name]} is not allowed; it is true or false")
    return params[name]
