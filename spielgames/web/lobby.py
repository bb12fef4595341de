"""What can be played, and how a table is opened."""

from collections import Counter
from functools import cache
from random import SystemRandom
from typing import Any

from spielgames.core.game import GAMES, Game
from spielgames.core.registry import find
from spielgames.play.roster import Opponent, all_opponents, opponent
from spielgames.play.standing import game_string
from spielgames.web.messages import LONGEST_NAME, Message, Wrong, explained, read_settings
from spielgames.web.table import AGENT, PERSON, Chair, Settings, Table

ME, ANYBODY = "me", "person"
NUMBERS = 1_000_000  # a deal's number is drawn from these, if none is given
WATCHED_PACE = 1.0  # seconds between the moves of agents that only watchers see
NUMERALS = ("I", "II", "III", "IV", "V", "VI")
Json = dict[str, Any]


@cache
def hello(tables: int, analyses: int) -> Json:
    """All games, with their parameters and agents."""
    games = [about(game) for game in sorted(GAMES.values(), key=lambda game: game.title)]
    limits = {"tables": tables, "analyses": analyses, "name": LONGEST_NAME}
    return {"is": "hello", "version": 1, "games": games, "limits": limits}


def about(game: Game) -> Json:
    match = {"goal": game.match.goal, "words": game.talk.match} if game.match else None
    return {
        "game": game.name,
        "title": game.title,
        "players": game.players,
        "teams": list(game.teams) or None,
        "unit": game.unit,
        "about": game.talk.about,
        "deck": game.talk.deck,
        "match": match,
        "parameters": [parameter(game, name) for name in game.parameters],
        "agents": [
            introduce(who, needs)
            for who in all_opponents()
            if who.installed
            for needs in where(game, who)
        ],
    }


def parameter(game: Game, name: str) -> Json:
    default = game.parameters[name]
    told: Json = {"name": name, "default": default}
    if isinstance(default, bool):
        told["choices"] = [False, True]
    elif name in game.choices:
        told["choices"] = list(game.choices[name])
    return told


def where(game: Game, who: Opponent) -> list[Json | None]:
    """The parameters with which an agent plays the game: None if with any."""
    if not who.games:
        return [None]
    mine = [name for name in who.games if find(name)[0] is game]
    if who.variants:
        return [None] if mine else []
    return [given(name) for name in mine]


def given(name: str) -> Json:
    inside = name.partition("(")[2].rstrip(")")
    return dict(part.split("=") for part in inside.split(",") if part)


def introduce(who: Opponent, needs: Json | None) -> Json:
    return {
        "id": who.id,
        "name": who.name,
        "level": who.level,
        "about": who.about,
        "needs": needs,
        "proposed": who.proposed,
    }


def variant_name(game: str, parameters: Json) -> str:
    """The string of a game with parameters, if there is such a variant."""
    if game not in GAMES:
        raise Wrong(f"there is no game {game!r}; the games are {', '.join(sorted(GAMES))}")
    for key, value in parameters.items():
        known = GAMES[game].parameters
        if key not in known:
            raise Wrong(f"{game} has no parameter {key[:40]!r}; it has {', '.join(known)}")
        if type(value) is not type(known[key]) or (
            isinstance(value, str) and not value.isalpha() and not value.replace("_", "").isalpha()
        ):
            raise Wrong(f"{game}: {key}={str(value)[:40]!r} is not allowed")
    name = game_string(game, parameters)
    with explained():
        find(name)
    return name


def take_seats(name: str, seats: list[Any], me: str) -> list[Chair]:
    """The players, as `open` names them."""
    game, _ = find(name)
    if len(seats) != game.players:
        raise Wrong(f"{game.title} has {game.players} seats, and {len(seats)} were named")
    if seats.count(ME) > 1:
        raise Wrong("only one seat can be yours")
    return tell_apart([chair(name, who, me) for who in seats])


def tell_apart(chairs: list[Chair]) -> list[Chair]:
    """Number the agents of one name."""
    met: Counter[str] = Counter()
    for seat in chairs:
        met[seat.name] += 1
        if seat.kind == AGENT and met[seat.name] > 1:
            seat.name += f" {NUMERALS[met[seat.name] - 1]}"
    return chairs


def chair(name: str, who: Any, me: str) -> Chair:
    if who == ME:
        return Chair(PERSON, plain_name(me) or "Guest")
    if who == ANYBODY:
        return Chair(PERSON, "")
    if not isinstance(who, str):
        raise Wrong(f"a seat is {ME!r}, {ANYBODY!r} or the id of an agent")
    with explained():
        return Chair(AGENT, opponent(name, who[:40]).name, who)


def plain_name(name: str) -> str:
    """A name without invisible characters."""
    return "".join(filter(str.isprintable, name)).strip()[:LONGEST_NAME]


def open_table(message: Message) -> Table:
    """A new table, and its first deal."""
    name = variant_name(message["game"], message["parameters"])
    chairs = take_seats(name, message["seats"], message["name"])
    number = message["deal"]
    if number is None:
        number = SystemRandom().randrange(NUMBERS)
    wishes = read_settings(message["settings"])
    if all(seat.kind == AGENT for seat in chairs):
        wishes.setdefault("pace", WATCHED_PACE)
    table = Table(name, chairs, number, Settings(**wishes))
    if message["match"]:
        table.start_match(message["goal"])
    table.start_deal()
    return table
