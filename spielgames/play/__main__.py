"""A table in the terminal: people and agents at any of the games.

    python -m spielgames.play --game=python_hearts
    python -m spielgames.play --game=python_coinche --seats=human,rules,rules:simple,random --seed=7
    python -m spielgames.play --game="python_snapszer(rules=schnapsen)" --seats=human,pimc:worlds=50
    python -m spielgames.play --game=python_hokm --seats=rules,rules,random,random   (to watch)
    python -m spielgames.play --game=python_sheephead --transcript=deal.txt
    python -m spielgames.play --replay=deal.txt

A seat is a `human` or the name of an agent; a person at the table types `help` for the commands.
"""

import io
import random
import sys
from pathlib import Path

from absl import flags

import spielgames  # noqa: F401  (registers the games)
from spielgames.agent_help import describe_agents
from spielgames.agents import make_agent
from spielgames.command import check_place, run, user_input
from spielgames.core.game import GAMES, Game
from spielgames.core.registry import find
from spielgames.play.deal import Seats
from spielgames.play.session import Quit, Session, show_replay
from spielgames.play.terminal import COLOURS, Terminal, wants_colour
from spielgames.play.transcript import read_transcript
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
    return [None if spec == HUMAN else make_agent(spec, name) for spec in specs]


def play() -> None:
    options = flags.FLAGS
    with user_input():
        specs = read_seats(find(options.game)[0], options.seats)
        seats = seat_agents(options.game, specs)
        make_agent(options.hint, options.game)
        save = Path(options.transcript) if options.transcript else None
        if save:
            check_place(save)
    seed = random.SystemRandom().randrange(SEEDS) if options.seed is None else options.seed
    terminal = Terminal(wants_colour(options.colour))
    Session(terminal, options.game, specs, seats, options.hint).run(seed, save)


def replay() -> None:
    with user_input():
        ends = read_transcript(Path(flags.FLAGS.replay))
    terminal = Terminal(wants_colour(flags.FLAGS.colour))
    for end in ends:
        show_replay(terminal, end)


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
    flags.DEFINE_string("game", "python_hearts", f"one of {games}, with parameters if any")
    flags.DEFINE_string(
        "seats", None, "who sits where, from seat 0 on: human, or one of the agents below"
    )
    flags.DEFINE_integer(
        "seed", None, "the number of the deal (default: any)", lower_bound=0, upper_bound=LAST_SEED
    )
    flags.DEFINE_string("hint", "pimc:worlds=50", "the agent that gives hints")
    flags.DEFINE_string("transcript", None, "the file to which every finished deal is written")
    flags.DEFINE_string("replay", None, "a transcript to show instead of playing")
    flags.DEFINE_enum("colour", "auto", COLOURS, "whether cards are coloured")


if __name__ == "__main__":
    define_flags()
    run(main, describe_agents)
