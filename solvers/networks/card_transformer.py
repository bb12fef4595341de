"""A network that reads what has happened event by event, then looks at the cards that are held: the
architecture of the Hokm league (neuralpensieve 2025).

A card that was laid open is a token: the sum of its suit's vector and its rank's. Whatever else was
done has a vector of its own. To these is added their context: who did it, when, in which sets of
the encoding the card is by now (the current trick, for one), whether it is a trump. One more token,
into which all other columns enter, becomes the public query. A second transformer reads the query
and the cards that are held, and tells them apart by the sets they are in. An actor holds its own
hand: a card's score is the product of its output and of what the query points to. A critic holds
everybody's, and its query becomes the value.

An action's output is a linear map of the query; if it is a card that is held, its score is added.
(For an id may be both a card's and a call's, as in Coinche.)
"""

from typing import NamedTuple

import numpy as np
import torch
from torch import Tensor, nn
from torch.nn import functional

from solvers.networks.first_layer import FirstLayer
from solvers.networks.layout import Shape
from solvers.networks.settings import CardsSettings, Size

GROUP = 16_384  # rows looked at together, times the width of a token: they stay in the cache
NEVER = -1e9  # the logit of what is not there
SHORT = 0.3  # the size of the numbers of a vector that stands for something, at first


class Held(NamedTuple):
    """The cards that can be pointed at."""

    cards: Tensor  # [n, k]; where a row has fewer than k, others with a vector of 0
    vectors: Tensor  # [n, k, hidden]


class Block(nn.Module):
    """Attention to all tokens, then a small network for each. (Attention is written as plain
    products, which take half the time of torch's own for so few and short tokens.)
    """

    def __init__(self, width: int, heads: int) -> None:
        super().__init__()
        self.heads = heads
        self.before, self.between = nn.LayerNorm(width), nn.LayerNorm(width)
        self.ask, self.hear = nn.Linear(width, width), nn.Linear(width, width)
        self.tell = nn.Linear(width, 2 * width)
        self.think = nn.Sequential(
            nn.Linear(width, 4 * width), nn.ReLU(), nn.Linear(4 * width, width)
        )

    def forward(self, tokens: Tensor, mask: Tensor, asking: int) -> Tensor:
        """[n, t, width] -> [n, asking, width]: what becomes of the first tokens."""
        told = self.before(tokens)
        asks = self.ask(told[:, :asking]) * (tokens.shape[2] // self.heads) ** -0.5
        asks, keys, values = map(self._split, (asks, *self.tell(told).chunk(2, dim=2)))
        heard = (asks @ keys.transpose(2, 3) + mask).softmax(dim=3) @ values
        tokens = tokens[:, :asking] + self.hear(heard.transpose(1, 2).flatten(2))
        return tokens + self.think(self.between(tokens))

    def _split(self, x: Tensor) -> Tensor:
        """[n, t, width] -> [n, heads, t, width of a head]"""
        return x.unflatten(2, (self.heads, -1)).transpose(1, 2)


class Encoder(nn.Module):
    def __init__(self, settings: CardsSettings) -> None:
        super().__init__()
        sizes = settings.hidden, settings.heads
        self.blocks = nn.ModuleList(Block(*sizes) for _ in range(settings.layers))
        self.norm = nn.LayerNorm(settings.hidden)

    def forward(self, query: Tensor, tokens: Tensor, present: Tensor, asking: int) -> Tensor:
        """[n, width], [n, t, width] -> [n, asking, width]: what becomes of the query, and of the
        tokens if they ask, too.
        """
        x = torch.cat([query[:, None], tokens], dim=1)
        mask = functional.pad(torch.where(present > 0, 0.0, NEVER), (1, 0))[:, None, None]
        for block in self.blocks[:-1]:
            x = block(x, mask, asking=x.shape[1])
        return self.norm(self.blocks[-1](x, mask, asking))


class CardTransformer(FirstLayer):
    """All of a network but its last layer."""

    chunk = 4096
    columns: Tensor
    rest: Tensor

    def __init__(self, settings: CardsSettings, shape: Shape) -> None:
        super().__init__()
        if not (shape.events and shape.hands):
            raise ValueError("a card transformer must see events and hands; take encoding=events")
        d, events = settings.hidden, shape.events
        self.shape, self.events, self.context = shape, events, settings.context
        self.rows, self.points = max(1, GROUP // d), shape.actions > 1
        self.suit = vectors(shape.cards // shape.ranks, 1, d)
        self.rank = vectors(1, shape.ranks, d)
        self.deed = vectors(events.deeds - shape.cards, d)  # 0: one that was not seen
        self.seat, self.time = vectors(events.seats, d), vectors(events.length, d)
        self.mark = vectors(len(shape.sets) + 1, d)  # of the sets, and of trumps
        columns = shape.set_columns
        told = range(events.start, events.start + 2 * events.length)
        rest = sorted(set(range(shape.width)) - set(columns.tolist()) - set(told))
        self.register_buffer("columns", torch.from_numpy(columns), persistent=False)
        self.register_buffer("rest", torch.from_numpy(np.array(rest, np.int64)), persistent=False)
        self.others = nn.Linear(len(rest), d)
        self.history, self.hands = Encoder(settings), Encoder(settings)

    @staticmethod
    def sizes(settings: Size, shape: Shape) -> tuple[int, int]:
        """No hidden layers follow; the last one says a number for each action, and where to point.
        A critic does not point.
        """
        return 0, shape.actions + (settings.hidden if shape.actions > 1 else 0)

    def order(self, encodings: Tensor) -> Tensor:
        """Order rows by the number of events, so that short ones need not wait for long ones."""
        return self._events(encodings).amax(dim=2).count_nonzero(dim=1).argsort(stable=True)

    def look(self, encodings: Tensor) -> tuple[Tensor, Held | None]:
        """[n, width] -> [n, hidden]: the query, and what it can point at."""
        marks = self._marks(encodings)
        query = self.others(encodings[:, self.rest])
        query = self.history(query, *self._told(encodings, marks), asking=1)[:, 0]
        cards, present = self._held(encodings)
        tokens = functional.embedding(cards, self._cards()) + self._marked(marks, cards)
        seen = self.hands(query, tokens, present, 1 + cards.shape[1] if self.points else 1)
        held = Held(cards, seen[:, 1:] * present[:, :, None]) if self.points else None
        return seen[:, 0], held

    def whole(self, query: Tensor) -> Tensor:
        return query

    def answer(self, last: Tensor, held: Held | None) -> Tensor:
        """From what the last layer says to a number for each action."""
        if held is None:
            return last
        outputs, target = last.tensor_split([self.shape.actions], dim=1)
        scores = (held.vectors @ target[:, :, None])[:, :, 0] * target.shape[1] ** -0.5
        return outputs.scatter_add(1, held.cards, scores.to(outputs.dtype))

    def _cards(self) -> Tensor:
        """[cards, hidden]"""
        return (self.suit + self.rank).flatten(0, 1)

    def _events(self, encodings: Tensor) -> Tensor:
        """[n, events, 2]: what was done, and who did it."""
        start, count = self.events[:2]
        return encodings[:, start : start + 2 * count].unflatten(1, (count, 2))

    def _told(self, encodings: Tensor, marks: Tensor) -> tuple[Tensor, Tensor]:
        """The events as tokens, [n, t, hidden], as many as the longest row has, and which of them
        each row has.
        """
        events = self._events(encodings)
        present = events.amax(dim=2)
        longest = int(present.sum(dim=0).count_nonzero())
        deeds, seats = events[:, :longest].long().unbind(dim=2)
        tokens = functional.embedding(
            deeds, torch.cat([self.deed[:1], self._cards(), self.deed[1:]])
        )
        if self.context:
            laid = (deeds > 0) & (deeds <= self.shape.cards)
            tokens = tokens + self._marked(marks, (deeds - 1) * laid) * laid[:, :, None]
            tokens = tokens + functional.embedding(seats, self.seat) + self.time[:longest]
        return tokens, present[:, :longest]

    def _held(self, encodings: Tensor) -> tuple[Tensor, Tensor]:
        """The cards that are held, [n, k], as many as the fullest row has, and which of them each
        row has.
        """
        sets = [encodings[:, start : start + self.shape.cards] for start in self.shape.hands]
        present, cards = torch.stack(sets).amax(dim=0).sort(dim=1, descending=True, stable=True)
        most = int(present.sum(dim=0).count_nonzero())
        return cards[:, :most], present[:, :most]

    def _marks(self, encodings: Tensor) -> Tensor:
        """[n, sets + 1, cards]: which sets a card is in, and whether it is a trump."""
        sets = encodings[:, self.columns].unflatten(1, (-1, self.shape.cards))
        trumps = encodings.new_zeros(len(encodings), len(self.suit))
        if self.context and self.shape.trump >= 0:
            trumps = encodings[:, self.shape.trump :][:, : len(self.suit)]
        trumps = trumps.repeat_interleave(self.shape.ranks, dim=1)
        return torch.cat([sets, trumps[:, None]], dim=1)

    def _marked(self, marks: Tensor, cards: Tensor) -> Tensor:
        """Return the vectors of the marks of cards, [n, t]: [n, t, hidden]."""
        places = cards[:, None].expand(-1, marks.shape[1], -1)
        return marks.gather(2, places).transpose(1, 2) @ self.mark


def vectors(*size: int) -> nn.Parameter:
    """Return vectors to learn, each of which stands for something."""
    return nn.Parameter(SHORT * torch.randn(*size))
