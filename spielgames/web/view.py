"""What a seat may see of a deal, ready for JSON (docs/extend/web_protocol.md, `view`)."""

from collections.abc import Sequence
from typing import Any

import numpy as np

from spielgames.core import describe
from spielgames.core.cards import SUIT_SYMBOLS, Cards, count, members
from spielgames.core.game import Game, unit_of
from spielgames.core.record import NOBODY, OUTSIDER, State
from spielgames.core.state import CardState
from spielgames.play.ending import dealt_hands
from spielgames.play.phrases import SPEECH, Move, describe_move
from spielgames.play.screen import by_team, is_count, sort_hand
from spielgames.play.trick_log import EVERYBODY, Chronicle, Event, Story

Json = dict[str, Any]
ELSEWHERE = {  # shown otherwise
    *("trick", "auction", "contract", "trump", "call", "passes", "picker", "partner", "nola"),
    *("hakem", "upcard", "talon", "shown", "drawn", "buried", "unknown", "exchanged by"),
    "closed by",
}


def eyes_word(viewer: int) -> str:
    return {EVERYBODY: "all", OUTSIDER: "public"}.get(viewer, "seat")


def known_to(s: State, viewer: int) -> Cards:
    """The cards whose place a viewer knows."""
    if viewer == EVERYBODY:
        return s.deck
    own = np.uint64(0) if viewer == OUTSIDER else s.dealt[viewer] | s.gained[viewer]
    return own | s.public


def see_position(state: CardState, chronicle: Chronicle) -> Json:
    """All that a view says of the deal itself, whoever sits where."""
    game, s, viewer = state.definition, state.row[0], chronicle.viewer
    story = chronicle.read(state.row)
    tricks = see_tricks(game, story)
    suit = game.talk.trump(s)
    return {
        "turn": None if state.current_player() < 0 else state.current_player(),
        "over": state.is_terminal(),
        "trump": None if suit is None else SUIT_SYMBOLS[suit],
        "contract": game.talk.contract(s),
        "facts": facts(game, s, viewer),
        "hand": [] if viewer in (EVERYBODY, OUTSIDER) else see_hand(game, s, viewer),
        "seats": see_seats(game, s, viewer, story),
        "piles": see_piles(game, s, viewer),
        "trick": see_trick(game, s, story),
        "last_trick": tricks[-1] if tricks else None,
        "tricks": tricks,
        "log": see_log(story),
    }


def see_hand(game: Game, s: State, seat: int) -> list[list[str]]:
    """A hand, suit by suit."""
    suits = sort_hand(game, s, s.hands[seat])
    return [[game.card_name(card) for card in suit] for suit in suits]


def see_cards(game: Game, s: State, cards: Cards, viewer: int) -> list[str | None]:
    """The cards of a hand or pile that a viewer knows, sorted, and None for each other one."""
    known = cards & known_to(s, viewer)
    shown = [game.card_name(card) for suit in sort_hand(game, s, known) for card in suit]
    return [*shown, *[None] * (count(cards) - count(known))]


def see_seats(game: Game, s: State, viewer: int, story: Story) -> list[Json]:
    counted = {key: of for key, of in game.public(s).items() if is_per_side(game, of)}
    roles = game.talk.roles(s)
    return [
        {
            "seat": seat,
            "team": game.teams[seat] if game.teams else None,
            "role": roles.get(seat, ""),
            "cards": count(s.hands[seat]),
            "hand": see_cards(game, s, s.hands[seat], viewer),
            "said": last_said(story.events, seat),
            "counts": {key: of[game.sides[seat]] for key, of in counted.items()},
        }
        for seat in range(game.players)
    ]


def is_per_side(game: Game, value: Any) -> bool:
    """Whether a fact has a number for each seat, or team."""
    return is_count(value, len(set(game.sides)))


def last_said(events: Sequence[Event], seat: int) -> str:
    """The last thing that a seat did, as it would say it."""
    for event in reversed(events):
        if event.decided and event.seat == seat:
            return event.said or SPEECH.get(event.kind, event.word)
    return ""


def facts(game: Game, s: State, viewer: int) -> list[list[str]]:
    """What else the game counts, in words; counts are with the seats."""
    known = game.public(s) | (game.private(s, viewer) if 0 <= viewer < game.players else {})
    rest = {
        key: by_team(game, value)
        for key, value in known.items()
        if key not in ELSEWHERE and not is_per_side(game, value)
    }
    return [line.split(": ", 1) for line in describe.lines(rest).splitlines()]


def see_piles(game: Game, s: State, viewer: int) -> list[Json]:
    """The piles beside the hands that hold cards."""
    piles = zip(game.piles, s.hands[game.players :], strict=True)
    return [
        {"name": name, "count": count(cards), "cards": see_cards(game, s, cards, viewer)}
        for name, cards in piles
        if cards
    ]


def see_tricks(game: Game, story: Story) -> list[Json]:
    """The complete tricks."""
    laid: dict[int, list[Json]] = {number: [] for number in story.winners}
    for event in story.events:
        if event.played and event.trick in laid:
            laid[event.trick].append({"seat": event.seat, "card": event.word})
    return [
        {"number": number, "cards": cards, "winner": story.winners[number]}
        for number, cards in laid.items()
    ]


def see_trick(game: Game, s: State, story: Story) -> Json | None:
    """The trick on the table."""
    number = len(story.winners) + 1
    cards = [
        {"seat": event.seat, "card": event.word}
        for event in story.events
        if event.played and event.trick == number
    ]
    if not cards:
        return None
    return {"number": number, "cards": cards, "winner": game.talk.winner(s)}


def see_log(story: Story) -> list[Json]:
    """Everything that happened, in words."""
    log: list[Json] = []
    step = 0
    for event in story.events:
        log.append(
            {
                "step": step if event.decided else None,
                "seat": None if event.seat == NOBODY else event.seat,
                "word": event.said or event.word,
                "kind": event.kind,
                "card": event.card or None,
                "trick": event.trick if event.played else 0,
            }
        )
        step += event.decided
    return log


def see_moves(state: CardState) -> list[Json]:
    """The legal moves of the seat to move, cards as in its hand."""
    game, s = state.definition, state.row[0]
    moves = [describe_move(game, s, a) for a in state.legal_actions()]
    order = [card for suit in sort_hand(game, s, s.hands[s.turn]) for card in suit]
    moves.sort(key=lambda move: order.index(move.action) if move.card else len(order))
    return [see_move(move) for move in moves]


def see_move(move: Move) -> Json:
    told = move._asdict()
    return told | {key: told[key] or None for key in ("card", "suit", "value")}


def see_illegal(state: CardState) -> list[Json]:
    """The cards of the hand that may not be played, and why; none where no card is asked for."""
    game, s, legal = state.definition, state.row[0], state.legal_actions()
    if not any(describe_move(game, s, a).card for a in legal):
        return []
    return [
        {"card": game.card_name(card), "why": game.talk.why_not(s, card)}
        for card in members(s.hands[s.turn])
        if card not in legal
    ]


def see_result(state: CardState, scores: Sequence[float] | None) -> Json:
    """The end of a deal."""
    game, s, dealt = state.definition, state.row[0], dealt_hands(state.row)
    hands = [sort_hand(game, s, cards) for cards in dealt[: game.players]]
    return {
        "words": game.talk.ending(s),
        "utilities": state.returns(),
        "unit": unit_of(game, state.get_game().variant),
        "scores": None if scores is None else list(scores),
        "dealt": [[game.card_name(c) for suit in hand for c in suit] for hand in hands],
    }
