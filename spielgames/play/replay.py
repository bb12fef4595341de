"""A deal in the open, move by move: while agents play it, or once it is over."""

from spielgames.core import describe
from spielgames.core.state import CardState
from spielgames.play.comments import Comments
from spielgames.play.ending import draw_end
from spielgames.play.reading import COMMANDS
from spielgames.play.screen import View, draw_open
from spielgames.play.terminal import Quit, Terminal
from spielgames.play.transcript import NO_COMMENTS
from spielgames.play.trick_log import EVERYBODY, pack

LEAVE = [word for word, command in COMMANDS.items() if command == "quit"]


def show_move(
    terminal: Terminal, view: View, action: int, seed: int | None, comment: str = ""
) -> None:
    """Show a decision in the open, with a comment on it, and pause."""
    word = view.game.action_name(view.row[0], action)
    seat = int(view.row["turn"][0])
    terminal.show(f"\n{draw_open(view, seed)}\n\n  seat {seat}: {word}")
    if comment:
        terminal.show(pack(f"“{comment}”".split(), " ", "  "))
    if terminal.pause().strip().lower() in LEAVE:
        raise Quit


def show_replay(terminal: Terminal, end: CardState, comments: Comments = NO_COMMENTS) -> None:
    """Show a finished deal, move by move."""
    names, step = [""] * end.definition.players, 0
    for row, action in describe.steps(end.row):
        if row["turn"][0] >= 0:
            view = View(end.get_game(), row, names, EVERYBODY)
            show_move(terminal, view, action, None, comments.get(step, ""))
            step += 1
    view = View(end.get_game(), end.row, names, EVERYBODY)
    terminal.show(f"\n{draw_end(view, end.returns())}\n")
