"""Questions about positions and deals, which workers answer step by step."""

from collections.abc import AsyncIterator, Callable
from math import log2
from typing import Any, NamedTuple

from spielgames.core.cards import count, members
from spielgames.core.game import unit_of
from spielgames.core.state import CardState
from spielgames.play.deal import Turn
from spielgames.play.phrases import describe_move
from spielgames.play.review import Loss, is_choice, is_significant, reason
from spielgames.play.roster import analyst, opponent
from spielgames.play.trick_log import EVERYBODY
from spielgames.web.glance import SEATED
from spielgames.web.messages import Message, Wrong, explained
from spielgames.web.table import Table
from spielgames.web.view import Json
from spielgames.web.worker import pack_row
from spielgames.web.workers import Pool, Tell, nobody

Answers = AsyncIterator[Json]
FIRST_WORLDS = 10  # of an analysis, doubled from round to round
PATIENCE_S = 300.0  # for one answer of a worker, which may have to compile first
BELIEF_WORLDS = 1000
SOLVABLE = 28  # cards in all hands, with which the real deal is solved exactly
WORLDS, DEAL = "worlds", "deal"
NOTHING, RULES = "nothing", "rules"  # what is assumed about how the others play
VALUES = ("mean", "low", "high", "best")


class Analysts(NamedTuple):
    """The processes that analyse, for people who are told when something is being compiled."""

    pool: Pool
    tell: Tell = nobody

    def answers(self, job: Json) -> Answers:
        return self.pool.answers(job, PATIENCE_S, self.tell)

    async def answer(self, job: Json) -> Json:
        return await self.pool.answer(job, PATIENCE_S, self.tell)


def check_seat(table: Table, role: int, deal: int, seat: int) -> None:
    """Refuse what somebody at the table may not ask of the knowledge of a seat."""
    if table.viewer(role, deal) == EVERYBODY:
        return
    if role < 0:
        raise Wrong("only those who see all hands, or play, may ask this")
    if table.settings.hints not in SEATED:
        raise Wrong("the settings of this table allow no such help")
    if table.seat_of(role, deal) != seat:
        raise Wrong("you may ask this only for your own seat, and an analysis when it is your turn")


async def explain(analysts: Analysts, table: Table, role: int, message: Message) -> Answers:
    """What an agent thinks of each action, ever more deeply."""
    deal, state = table.position(message["deal"], message["step"])
    mover = state.current_player()
    if mover < 0:
        raise Wrong("nobody is to move in this position")
    check_seat(table, role, deal, mover)
    spec, rounds = asked(table, role, deal, state, message)
    job = {"do": "explain", "rounds": rounds, "agent": spec, **about(table, state)}
    common = {
        "is": "analysis",
        "question": message["question"],
        **where(table, message),
        "seat": mover,
        "rounds": rounds,
        "of": FIRST_WORLDS << rounds - 1 if message["question"] == WORLDS else 1,
    }
    bare = table.viewer(role, deal) != EVERYBODY and table.settings.hints != "values"
    async for answer in analysts.answers(job):
        if "verdicts" in answer:
            yield common | told(state, answer, bare)


def asked(
    table: Table, role: int, deal: int, state: CardState, message: Message
) -> tuple[str, int]:
    """The spec of the agent that is asked, and for how many rounds."""
    if message["question"] == DEAL:
        if table.viewer(role, deal) != EVERYBODY:
            raise Wrong("the real deal is analysed only for those who see all hands")
        return real_deal_analyst(table, state), 1
    if message["question"] != WORLDS:
        raise Wrong(f"question must be {WORLDS!r} or {DEAL!r}")
    rounds = 1 + int(log2(message["worlds"] / FIRST_WORLDS))
    if not message["agent"]:
        return analyst(table.game.name, FIRST_WORLDS), rounds
    with explained():
        return opponent(table.name, message["agent"]).spec, rounds


def real_deal_analyst(table: Table, state: CardState) -> str:
    hands = state.row["hands"][0][: table.game.players]
    few = sum(map(count, hands)) <= SOLVABLE
    return analyst("solved" if few else "open", 1)


def about(table: Table, state: CardState) -> Json:
    return {"game": table.name, "row": pack_row(state.row)}


def where(table: Table, message: Message) -> Json:
    """The position that an answer is about."""
    live = message["deal"] is None and message["step"] is None
    return {
        "at": table.at if live else None,
        "deal": message["deal"],
        "step": message["step"],
    }


def told(state: CardState, answer: Json, bare: bool) -> Json:
    """A worker's explanation for people; a bare one without values."""
    game, s = state.definition, state.row[0]
    for verdict in answer["verdicts"]:
        verdict["card"] = describe_move(game, s, verdict["action"]).card or None
        verdict |= dict.fromkeys(VALUES) if bare else {}
    hidden = {"value": None, "why": ""} if bare else {}
    return {key: value for key, value in answer.items() if key != "id"} | hidden


async def believe(analysts: Analysts, table: Table, role: int, message: Message) -> Answers:
    """Where the unseen cards may be."""
    deal, state = table.position(message["deal"], message["step"])
    seat = asked_seat(table, role, deal, state, message["seat"])
    check_seat(table, role, deal, seat)
    spec = believer(table, state, seat, message["assume"])
    wanted = {"seat": seat, "worlds": BELIEF_WORLDS, "agent": spec}
    job = {"do": "believe", **wanted, **about(table, state)}
    answer = await analysts.answer(job)
    open_hands = table.viewer(role, deal) == EVERYBODY
    yield {
        "is": "belief",
        **where(table, message),
        "seat": seat,
        "assume": message["assume"],
        "worlds": answer["worlds"],
        "places": answer["places"],
        "cards": answer["cards"],
        "truth": truth(state) if open_hands else None,
    }


def asked_seat(table: Table, role: int, deal: int, state: CardState, wanted: int | None) -> int:
    """The seat whose view is asked for: one's own, or of spectators who see all that to move."""
    seat = table.seat_of(role, deal) if wanted is None else wanted
    if seat is None and table.viewer(role, deal) == EVERYBODY and not state.is_terminal():
        seat = state.current_player()
    if seat is None or seat >= table.game.players:
        raise Wrong("say for which seat")
    return seat


def believer(table: Table, state: CardState, seat: int, assumed: str) -> str | None:
    """The agent with whose worlds is reckoned; None for all worlds alike."""
    if assumed not in (NOTHING, RULES):
        raise Wrong(f"assume must be {NOTHING!r} or {RULES!r}")
    if assumed == NOTHING:
        return None
    if state.current_player() != seat or len(state.legal_actions()) < 2:
        raise Wrong("what the others' play says is worked out when this seat has a choice to make")
    return analyst("actions", 1)


def truth(state: CardState) -> dict[str, str]:
    """The place of every card that is in a hand or pile."""
    game, hands = state.definition, state.row["hands"][0]
    names = [f"seat {seat}" for seat in range(game.players)] + list(game.piles)
    pairs = zip(names, hands, strict=True)
    return {game.card_name(card): name for name, cards in pairs for card in members(cards)}


async def review(analysts: Analysts, table: Table, role: int, message: Message) -> Answers:
    """The significant mistakes of a finished deal, as they are found."""
    deal = len(table.deals) - 1 if message["deal"] is None else message["deal"]
    table.position(deal, 0)  # refuses deals that are not over
    turns = table.deals[deal].turns
    steps = [k for k, turn in enumerate(turns) if is_choice(turn, message["seat"])]
    decisions = [decision(table, turns[k]) for k in steps]
    spec = analyst(table.game.name, message["worlds"])
    job = {"do": "judge", "game": table.name, "agent": spec, "decisions": decisions}
    common = {"is": "review", "deal": deal, "seat": message["seat"], "of": len(steps)}
    mistakes: list[Json] = []
    checked = 0
    async for verdict in analysts.answers(job):
        if "better" not in verdict:
            continue
        step = steps[checked]
        checked += 1
        if is_significant(verdict["lost"], verdict["error"]):
            mistakes.append(mistake(table, step, turns[step], verdict))
        yield common | {"checked": checked, "mistakes": mistakes, "done": False}
    yield common | {"checked": checked, "mistakes": mistakes, "done": True}


def decision(table: Table, turn: Turn) -> list[Any]:
    """A decision to be judged, and who judges it in the real deal."""
    return [pack_row(turn.state.row), int(turn.action), real_deal_analyst(table, turn.state)]


def mistake(table: Table, step: int, turn: Turn, verdict: Json) -> Json:
    """A mistake in words, and what the same choice cost in the real deal."""
    game, s = table.game, turn.state.row[0]
    unit = unit_of(game, turn.state.get_game().variant)
    played, better = (describe_move(game, s, a) for a in (turn.action, verdict["better"]))
    loss = Loss(better.action, verdict["lost"], verdict["error"])
    return {
        "step": step,
        "seat": turn.seat,
        "played": {"action": played.action, "name": played.name},
        "better": {"action": better.action, "name": better.name},
        "lost": loss.lost,
        "error": loss.error,
        "unit": unit,
        "why": reason(better.name, played.name, loss, unit, turn.seat),
        "deal_lost": verdict["deal_lost"],
    }


QUESTIONS: dict[str, Callable[[Analysts, Table, int, Message], Answers]] = {
    "explain": explain,
    "belief": believe,
    "review": review,
}
ANSWERS = {"explain": "analysis"}  # what the answers are, where they are called otherwise


async def settle(analysts: Analysts, table: Table, role: int) -> str:
    """The agent that may play the rest of a deal that is decided."""
    seat = table.seat_of(role)
    job = {"do": "settle", "seat": seat, **about(table, table.deal.state)}
    answer: dict[str, Any] = await analysts.answer(job)
    if answer["by"] is None:
        raise Wrong("the rest is not decided yet, as far as you can know")
    return answer["by"]
