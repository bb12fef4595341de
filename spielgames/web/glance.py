"""What somebody at a table is shown: the deal as they may see it, the others, and the match."""

from functools import cache
from typing import Any

from spielgames.core.game import unit_of
from spielgames.core.registry import find
from spielgames.play.comments import Comments
from spielgames.play.trick_log import EVERYBODY, Chronicle
from spielgames.web.table import AGENT, ALL_SEEING, PERSON, Table
from spielgames.web.view import Json, eyes_word, see_illegal, see_moves, see_position, see_result

SEATED = ("ranked", "values")  # hints with which people may ask for analysis


def link(table: Table, role: int) -> str:
    """What follows the address of the page."""
    token = table.chairs[role].token if role >= 0 else table.watch
    return f"#{table.id}.{table.all if role == ALL_SEEING else token}"


def show(table: Table, role: int, fresh: int | None = None) -> Json:
    """The table, for a player or spectator; `fresh` entries of the log they have not seen."""
    deal, state = table.deal, table.deal.state
    seat, viewer = table.seat_of(role), table.viewer(role)
    position = see_position(state, table.chronicle(viewer))
    mine = seat is not None and position["turn"] == seat and not table.autopilot
    log = len(position["log"])
    return {
        "is": "view",
        "table": table.id,
        "link": link(table, role),
        "at": table.at,
        "fresh": log if fresh is None else min(fresh, log),
        **about_game(deal.name),
        "number": deal.seed,
        "deal": len(table.deals) - 1,
        "you": seat,
        "bottom": table.seatings[-1].index(max(role, 0)),
        "eyes": eyes_word(viewer),
        **position,
        "seats": seats(table, position, -1),
        "thinking": table.thinker() is not None,
        "prompt": prompt(table, mine),
        "choose": table.game.talk.choose(state.row[0]) if mine else 0,
        "actions": see_moves(state) if mine else [],
        "illegal": see_illegal(state) if mine else [],
        "can": abilities(table, role, mine),
        "settings": vars(table.settings),
        "match": match(table),
        "result": see_result(state, table.scores[-1]) if deal.over else None,
        "comments": written(table.comments[-1]),
    }


def written(comments: Comments) -> list[Json]:
    return [{"step": step, "text": comments[step]} for step in sorted(comments)]


@cache
def about_game(name: str) -> Json:
    """The game, and the parameters of the deal that are not the usual ones."""
    game, variant = find(name)
    given = name.partition("(")[2].rstrip(")")
    parameters = dict(part.split("=") for part in given.split(",") if part)
    return {
        "game": game.name,
        "title": game.title,
        "parameters": parameters,
        "deck": game.talk.deck,
        "unit": unit_of(game, variant),
    }


def seats(table: Table, position: Json, deal: int) -> list[Json]:
    return [
        seen | about_player(table, player)
        for seen, player in zip(position["seats"], table.seatings[deal], strict=True)
    ]


def about_player(table: Table, player: int) -> Json:
    chair = table.chairs[player]
    agent = chair.kind == AGENT
    totals = table.standing.totals[0] if table.standing else None
    return {
        "name": chair.name,
        "kind": chair.kind,
        "level": table.opponent(chair).level if agent and chair.agent else "",
        "here": agent or chair.here > 0,
        "total": None if totals is None else float(totals[player]),
    }


def prompt(table: Table, mine: bool) -> str:
    """What is asked of whoever looks."""
    if table.deal.over:
        return "the deal is over"
    if mine:
        return table.game.talk.prompt(table.deal.row[0])
    player = table.to_move()
    return "" if player is None else f"wait for {table.chairs[player].name or 'the others'}"


def abilities(table: Table, role: int, mine: bool) -> Json:
    everything = table.viewer(role) == EVERYBODY
    helped = table.settings.hints in SEATED or table.deal.over
    questions = ["worlds"] if (mine and helped) or everything else []
    return {
        "undo": role >= 0 and table.last_decision(role) is not None,
        "claim": mine and table.people == [role],
        "next": table.can_go_on(role),
        "review": table.deal.over,
        "comment": table.deal.over and table.may_steer(role),
        "explain": questions + (["deal"] if everything else []),
        "belief": everything or (role >= 0 and helped),
    }


def match(table: Table) -> Json | None:
    standing = table.standing
    if standing is None:
        return None
    totals = standing.totals[0]
    words = ""
    if standing.over:
        names = [table.chairs[player].name for player in standing.winners()]
        words = f"{' and '.join(names)} won the match."
    return {
        "goal": standing.match.goal,
        "deals": standing.deals,
        "over": standing.over,
        "totals": [float(totals[player]) for player in table.seatings[-1]],
        "words": words,
    }


def show_position(table: Table, role: int, deal: int, step: int, eyes: Any) -> Json:
    """A finished deal at a step, with open hands or through the eyes of a seat."""
    _, state = table.position(deal, step)
    viewer = eyes if isinstance(eyes, int) and 0 <= eyes < table.game.players else EVERYBODY
    chronicle = Chronicle(table.game, viewer)
    position, turns = see_position(state, chronicle), table.deals[deal].turns
    chosen = turns[step].action if step < len(turns) else None
    moves = see_moves(state) if chosen is not None else []
    played = next((move for move in moves if move["action"] == chosen), None)
    return {
        "is": "position",
        "deal": deal,
        "step": step,
        "steps": len(turns),
        "number": table.deals[deal].seed,
        **about_game(table.deals[deal].name),
        **position,
        "seats": seats(table, position, deal),
        "you": table.seat_of(role, deal),
        "bottom": max(viewer, 0),
        "eyes": eyes_word(viewer),
        "played": played,
        "actions": moves,
        "result": see_result(state, table.scores[deal]) if state.is_terminal() else None,
        "comments": written(table.comments[deal]),
    }


def opened(table: Table, role: int) -> Json:
    """The links of a new table, for the one who opened it."""
    people = [
        {"player": p, "name": table.chairs[p].name, "you": p == role, "link": link(table, p)}
        for p in table.people
    ]
    alone = table.chairs and not [c for c in table.chairs if c.kind == PERSON]
    return {
        "is": "opened",
        "table": table.id,
        "links": people,
        "watch": f"#{table.id}.{table.watch}",
        "all": f"#{table.id}.{table.all}" if alone else None,
    }
