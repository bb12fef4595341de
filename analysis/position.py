"""What an agent thinks of one decision, worked out ever more deeply.

    python -m analysis.position --transcript=deal.txt --move=7 --agent=search
    python -m analysis.position --game=python_hokm --state='{"history": [1, …]}' --agent=pimc

A transcript is what `python -m analysis.transcript` or the table writes; --move counts its
decisions from 1, and --deal its deals. A state is the list of all actions since the start of the
deal, dealing included, as OpenSpiel numbers them (`state.history()`); --state may also name a file
that holds it. The agent sees only what its seat may see. The table is renewed each time the number
of worlds has doubled; --json writes the last one to a file.
"""

import json
import sys
from collections.abc import Iterator
from pathlib import Path

import pyspiel
from absl import flags

from spielgames.agent_help import describe_agents
from spielgames.agents import make_agent
from spielgames.command import check_place, define_game, run, user_input
from spielgames.core import describe
from spielgames.core.registry import find
from spielgames.core.state import CardState
from spielgames.explanation import plain, table
from spielgames.files import replacing
from spielgames.play.screen import View, draw_cards, list_moves
from spielgames.play.transcript import read_transcript

UP = "\x1b[{}F\x1b[J"  # back over so many lines, and erase what follows


def decisions(end: CardState) -> Iterator[CardState]:
    """The states in which a player had a choice to make, from the start of the deal."""
    for row, _ in describe.steps(end.row):
        if row["turn"][0] >= 0:
            yield end.get_game().state_of(row.copy())


def from_transcript(path: Path, deal: int, move: int) -> CardState:
    """A decision of a deal in a file, both counted from 1."""
    deals = read_transcript(path)
    if not 1 <= deal <= len(deals):
        raise ValueError(f"--deal={deal} is not allowed; {path} has {len(deals)}")
    states = list(decisions(deals[deal - 1]))
    if not 1 <= move <= len(states):
        raise ValueError(f"--move={move} is not allowed; the deal has {len(states)} decisions")
    return states[move - 1]


def from_history(game: str, text: str) -> CardState:
    """The state after the actions that the text, or the file that it names, lists."""
    find(game)
    path = Path(text)
    given = text if text.lstrip().startswith("{") else path.read_text(encoding="utf-8")
    try:
        history = [int(a) for a in json.loads(given)["history"]]
    except (ValueError, KeyError, TypeError) as error:
        raise ValueError('a state is written {"history": [numbers of actions]}') from error
    state = pyspiel.load_game(game).new_initial_state()
    for step, action in enumerate(history, 1):
        try:
            state.apply_action(action)
        except ValueError as error:
            raise ValueError(f"step {step} of the history: {error}") from None
    if state.current_player() < 0:
        raise ValueError("nobody is to move in this state")
    return state


def chosen_state() -> CardState:
    """The position that the flags name."""
    chosen = flags.FLAGS
    if (chosen.transcript is None) == (chosen.state is None):
        raise ValueError("name either --transcript=FILE with --move=N, or --state=JSON")
    if chosen.transcript is not None:
        return from_transcript(Path(chosen.transcript), chosen.deal, chosen.move)
    return from_history(chosen.game, chosen.state)


def show(text: str, before: str) -> str:
    """Print a table, on a terminal in the place of the one before; return it."""
    if before and sys.stdout.isatty():
        print(UP.format(before.count("\n") + 1), end="")
    print(text, flush=True)
    return text


def define_flags() -> None:
    define_game("python_hokm", "the game of --state, with parameters if any")
    flags.DEFINE_string("state", None, "the position as JSON, or a file that holds it")
    flags.DEFINE_string("transcript", None, "a file with the deal of the position")
    flags.DEFINE_integer("deal", 1, "the number of the deal in the transcript", 1)
    flags.DEFINE_integer("move", 1, "the number of the decision in the deal", 1)
    flags.DEFINE_string("agent", "search", "the agent that is asked: one of those below")
    flags.DEFINE_integer("rounds", 5, "how often the number of worlds is doubled, at most", 1, 20)
    flags.DEFINE_string("json", None, "a file for the last table")


def main() -> None:
    chosen = flags.FLAGS
    with user_input():
        if chosen.json:
            check_place(Path(chosen.json))
        state = chosen_state()
        agent = make_agent(chosen.agent, state.get_game())
    seat, row = state.current_player(), state.row
    view = View(state.get_game(), row, [""] * state.num_players(), seat)
    words = list_moves(view, state.legal_actions())
    print(f"seat {seat} holds {draw_cards(view, row['hands'][0][seat])}\n")
    shown = ""
    for (explanation,) in agent.deepen(row, chosen.rounds):
        shown = show(table(explanation, words), shown)
    if chosen.json:
        about = {"game": str(state.get_game()), "agent": chosen.agent, "seat": seat}
        with replacing(Path(chosen.json)) as file:
            text = json.dumps(about | plain(explanation, words), indent=2, ensure_ascii=False)
            file.write_text(text + "\n", encoding="utf-8")


if __name__ == "__main__":
    define_flags()
    run(main, describe_agents)
