"""A table in the terminal: people and agents at any of the games.

    python -m spielgames.play --game=hearts
    python -m spielgames.play --game=snapszer --seats=human,felix --match
    python -m spielgames.play --game=python_coinche --seats=human,rules,rules:simple,random --seed=7
    python -m spielgames.play --game="python_snapszer(rules=schnapsen)" --seats=human,pimc:worlds=50
    python -m spielgames.play --game=python_hokm --seats=rules,rules,random,random   (to watch)
    python -m spielgames.play --game=python_sheephead --transcript=deal.txt
    python -m spielgames.play --replay=deal.txt

A seat is a `human`, one of the opponents in play/roster.json by name, or any agent; a person at the
table types `help` for the commands.
"""

import io
import random
import sys
from pathlib import Path

from absl import flags

import spielgames  # noqa: F401  (registers the games)
from spielgames.agent_help import describe_agents
from spielgames.agents import make_agent
from spielgames.command import check_place, define_game, run, user_input
from spielgames.core.game import GAMES, Game
from spielgames.core.registry import find
from spielgames.core.state import CardState
from spielgames.play.comments import read_comments
from spielgames.play.deal import Seats
from spielgames.play.replay import show_replay
from spielgames.play.roster import known_as
from spielgames.play.session import Session
from spielgames.play.share import lengthen
from spielgames.play.standing import Standing
from spielgames.play.terminal import COLOURS, Quit, Terminal, wants_colour
from spielgames.play.transcript import GAME, read_text, read_transcript
from spielgames.play.typed import read_typed
from spielgames.specs import split_specs

HUMAN = "human"
LAST_SEED = 2**62
SEEDS = 1_000_000  # a deal's number is drawn from these, if none is given


def read_seats(game: Game, text: str | None) -> list[str]:
    """The agent or `human` in each seat; by default a person first, and rule-based players."""
    if text is None:
        return [HUMAN] + ["rules"] * (game.players - 1)
    specs = split_specs(text)
    if len(specs) != game.players:
        raise ValueError(
            f"--seats={text} names {len(specs)} players, but {game.name} has {game.players} seats"
        )
    return specs


def seat_agents(name: str, specs: list[str]) -> Seats:
    return [None if spec == HUMAN else make_agent(agent_spec(name, spec), name) for spec in specs]


def agent_spec(name: str, text: str) -> str:
    """The spec of an opponent with a name, or of any agent."""
    who = known_as(name, text)
    return who.spec if who else text


def begun_deal(resumed: str | None, typed: str | None) -> CardState | None:
    """The position with which the session begins, if not with a new deal."""
    if typed:
        return read_typed(Path(typed))
    return lengthen(resumed, finished=False) if resumed else None


def match_standing(name: str, options: flags.FlagValues) -> Standing | None:
    """The standing of a match: at its beginning, or at its interruption."""
    if not (options.match or options.goal or options.standing):
        return None
    standing = Standing(name, options.goal)
    if options.standing:
        standing.resume(options.standing)
    return standing


def play() -> None:
    options = flags.FLAGS
    with user_input():
        begun = begun_deal(options.resume, options.typed)
        name = str(begun.get_game()) if begun and not options.standing else options.game
        specs = read_seats(find(name)[0], options.seats)
        seats = seat_agents(name, specs)
        make_agent(options.hint, name)
        standing = match_standing(name, options)
        if begun and standing and find(str(begun.get_game())) != find(standing.next_deal()):
            raise ValueError("--resume is not the deal that follows in the match of --standing")
        save = Path(options.transcript) if options.transcript else None
        if save:
            check_place(save)
    seed = random.SystemRandom().randrange(SEEDS) if options.seed is None else options.seed
    terminal = Terminal(wants_colour(options.colour))
    session = Session(terminal, name, specs, seats, options.hint, standing)
    session.run(seed, save, begun.history() if begun else None)


def replay() -> None:
    with user_input():
        path = Path(flags.FLAGS.replay)
        ends = read_transcript(path)
        comments = read_comments(read_text(path), GAME) or [{}] * len(ends)
    terminal = Terminal(wants_colour(flags.FLAGS.colour))
    for end, written in zip(ends, comments, strict=True):
        show_replay(terminal, end, written)


def main() -> None:
    for stream in (sys.stdin, sys.stdout):
        if isinstance(stream, io.TextIOWrapper):
            stream.reconfigure(errors="replace")  # a stray byte is a typing error, not a crash
    try:
        replay() if flags.FLAGS.replay else play()
    except (EOFError, Quit):
        print("\nbye")


def define_flags() -> None:
    games = ", ".join(sorted(GAMES))
    define_game("python_hearts", f"one of {games}, with parameters if any")
    flags.DEFINE_string(
        "seats",
        None,
        "who sits where, from seat 0 on: human, a name such as felix, or one of the agents below",
    )
    flags.DEFINE_integer(
        "seed", None, "the number of the deal (default: any)", lower_bound=0, upper_bound=LAST_SEED
    )
    flags.DEFINE_string("hint", "pimc:worlds=50", "the agent that gives hints")
    flags.DEFINE_string("transcript", None, "the file to which every finished deal is written")
    flags.DEFINE_boolean("match", False, "play a whole match, with running totals")
    flags.DEFINE_integer("goal", None, "the points to which a match is played", lower_bound=1)
    flags.DEFINE_string(
        "resume", None, "the deal to go on with, as it was said at its interruption"
    )
    flags.DEFINE_string("standing", None, "how the match stood, as it was said at its interruption")
    flags.DEFINE_string("typed", None, "a file with hands and moves in words, from which to go on")
    flags.DEFINE_string("replay", None, "a transcript to show instead of playing")
    flags.DEFINE_enum("colour", "auto", COLOURS, "whether cards are coloured")


if __name__ == "__main__":
    define_flags()
    run(main, describe_agents)
