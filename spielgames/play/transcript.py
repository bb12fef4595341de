"""A deal as a file: every turn with hand, policy, entropy and value, and a line for its replay."""

from pathlib import Path

import numpy as np

from spielgames.core.game import unit_of
from spielgames.core.state import CardState
from spielgames.deal_files import follow, format_of, load_deals
from spielgames.explanation import tell
from spielgames.play.comments import Comments, comment_lines
from spielgames.play.deal import Deal, Turn
from spielgames.play.ending import draw_end
from spielgames.play.screen import View, draw_cards, list_moves
from spielgames.play.trick_log import EVERYBODY, Event, events_of

GAME, HISTORY = "game: ", "history: "  # the lines that a replay reads
NO_COMMENTS: Comments = {}


def transcript(deal: Deal, names: list[str]) -> str:
    """The transcript of a finished deal."""
    events = [event for event in events_of(deal.game, deal.row, EVERYBODY) if event.decided]
    turns = [tell_turn(deal, names, *pair) for pair in zip(deal.turns, events, strict=True)]
    return "\n\n".join([heading(deal, names), *turns, ending(deal, names)])


def short_transcript(deal: Deal, names: list[str], comments: Comments = NO_COMMENTS) -> str:
    """The same without the turns, but with what people have written on some of them."""
    return f"{heading(deal, names, comments)}\n\n{ending(deal, names)}\n"


def heading(deal: Deal, names: list[str], comments: Comments = NO_COMMENTS) -> str:
    header = [
        f"{deal.game.title}, deal {deal.seed}",
        f"{GAME}{deal.name}",
        f"seats: {', '.join(names)}",
        f"{HISTORY}{' '.join(map(str, deal.history))}",
        *comment_lines(comments),
    ]
    return "\n".join(header)


def ending(deal: Deal, names: list[str]) -> str:
    return draw_end(View(deal.face, deal.row, names, EVERYBODY), deal.state.returns())


def tell_turn(deal: Deal, names: list[str], turn: Turn, event: Event) -> str:
    """The lines of one turn: what was held, thought and done."""
    view = View(deal.face, turn.state.row, names, turn.seat)
    moves = list_moves(view, turn.state.legal_actions())
    when = f"trick {event.trick}" if event.played else f"before trick {event.trick}"
    return "\n".join(
        [
            f"seat {turn.seat}, {names[turn.seat]}, {when}",
            f"  holds    {draw_cards(view, view.row['hands'][0][turn.seat])}",
            *tell_thoughts(deal, turn, moves),
            f"  plays    {moves[turn.action]}",
        ]
    )


def tell_thoughts(deal: Deal, turn: Turn, moves: dict[int, str]) -> list[str]:
    """An agent's policy, its entropy, and the value it expects; a person's are unknown."""
    agent = deal.seats[turn.seat]
    if turn.policy is None or agent is None:
        return ["  policy   not known of a person"]
    chances = ", ".join(f"{word} {100 * turn.policy[a]:.2f} %" for a, word in moves.items())
    (value,), (explanation,) = agent.values(turn.state.row), agent.explain(turn.state.row)
    return [
        f"  policy   {chances}",
        f"  entropy  {entropy(turn.policy):.4f} nats",
        f"  value    {value:+.4f} {explanation.unit or unit_of(deal.game, deal.face.variant)}",
        *(f"  because  {why}" for why in tell(explanation, moves)),
    ]


def entropy(policy: np.ndarray) -> float:
    likely = policy[policy > 0].astype(float)
    return float(-(likely * np.log(likely)).sum()) + 0.0  # no −0


def read_transcript(path: Path) -> list[CardState]:
    """The final state of each deal in a file, a transcript or one of `spielgames.deal_files`; a
    ValueError says what is broken.
    """
    if format_of(path):
        return [deal.end for deal in load_deals(path)]
    return read_deals(read_text(path), str(path))


def read_text(path: Path) -> str:
    return path.read_bytes().decode("utf-8", errors="replace")


def read_deals(text: str, source: str) -> list[CardState]:
    """The final state of each deal in a text that comes from some source."""
    said = [(n, x) for n, x in enumerate(text.splitlines(), 1) if x.startswith((GAME, HISTORY))]
    if not said or [x.startswith(GAME) for _, x in said] != [True, False] * (len(said) // 2):
        raise ValueError(
            f"{source} is not a transcript: each deal needs a line {GAME!r} and then a line"
            f" {HISTORY!r}"
        )
    ends = []
    for (number, game), (_, history) in zip(said[::2], said[1::2], strict=True):
        try:
            ends.append(follow(game.removeprefix(GAME), history.removeprefix(HISTORY).split()))
        except ValueError as error:
            raise ValueError(f"{source}, deal of line {number}: {error}") from None
    return ends
