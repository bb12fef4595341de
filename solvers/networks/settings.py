"""The kinds of networks, and the settings that each of them has."""

from dataclasses import dataclass

from solvers.runs.settings import at_least


@dataclass(frozen=True)
class Size:
    fewest_layers = 1
    hidden: int = 64  # units of a layer, or numbers of a token
    layers: int = 3  # hidden layers, or blocks of each transformer
    head: int = 0  # units of a hidden layer before each output; 0: there is none
    zero_output: bool = False  # all outputs are 0 at first: a uniform strategy
    critic: bool = False  # it also estimates what actions and positions are worth

    def __post_init__(self) -> None:
        at_least(1, "hidden", self.hidden)
        at_least(self.fewest_layers, "layers", self.layers)
        at_least(0, "head", self.head)


@dataclass(frozen=True)
class MlpSettings(Size):
    """A residual network that treats all columns alike; without layers, a linear model."""

    kind = "mlp"
    fewest_layers = 0
    columns: int = 0  # of the encoding that it sees, from the first on; 0: all

    def __post_init__(self) -> None:
        super().__post_init__()
        at_least(0, "columns", self.columns)


@dataclass(frozen=True)
class CanonicalSettings(Size):
    """A residual network that sees suits in canonical order: see `solvers.networks.canonical`."""

    kind = "canonical"


@dataclass(frozen=True)
class SuitsSettings(Size):
    """A network that treats all suits alike: see `solvers.networks.suits`."""

    kind = "suits"


@dataclass(frozen=True)
class CardsSettings(Size):
    """Transformers of events and of held cards: see `solvers.networks.card_transformer`."""

    kind = "cards"
    heads: int = 4  # of the attention; 32 numbers or more for each are fastest
    context: bool = True  # tokens also say who played a card, when, and where it is

    def __post_init__(self) -> None:
        super().__post_init__()
        at_least(1, "heads", self.heads)
        if self.hidden % self.heads:
            raise ValueError(f"heads={self.heads} do not share out hidden={self.hidden} evenly")


NetworkSettings = MlpSettings | CanonicalSettings | SuitsSettings | CardsSettings
