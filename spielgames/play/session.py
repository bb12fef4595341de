"""A session at the table: people type, agents answer, and nobody sees what they may not."""

from pathlib import Path
from textwrap import indent

from spielgames.agents import make_agent
from spielgames.core import describe
from spielgames.core.state import CardState
from spielgames.play.deal import Deal, Seats
from spielgames.play.reading import COMMANDS, Misread, read_command, read_move
from spielgames.play.screen import (
    View,
    draw_end,
    draw_hints,
    draw_history,
    draw_open,
    draw_screen,
    list_moves,
)
from spielgames.play.terminal import Terminal
from spielgames.play.transcript import transcript
from spielgames.play.trick_log import EVERYBODY

HELP = """\
  a move        its number, a card (10h, Qs), or its name (pass, bid 90s, trump h)
  hint          what {hint} would do; another agent: hint rules
  undo          back to your last move
  history       everything that happened, as you saw it
  quit          leave the table
  help          this text"""


PROMPTS = ("your move> ", "your move, face down> ")
LEAVE = [word for word, command in COMMANDS.items() if command == "quit"]


class Quit(Exception):
    """Raised when somebody leaves the table."""


class Session:
    """A session of people and agents, deal after deal."""

    def __init__(
        self, terminal: Terminal, name: str, specs: list[str], seats: Seats, hint: str
    ) -> None:
        self.terminal, self.name, self.specs, self.seats = terminal, name, specs, seats
        self.hint = hint
        self.people = [seat for seat, agent in enumerate(seats) if agent is None]
        self.shown_to: int | None = None  # whose hand is on the screen

    def run(self, seed: int, save: Path | None) -> None:
        """Play deals until nobody wants another one."""
        deals: list[str] = []
        if self.people:
            self.terminal.show("Welcome. Type help for commands.")
        while True:
            deal = self.play(seed)
            if save:
                deals.append(transcript(deal, self.specs))
                save.write_text("\n\n\n".join(deals) + "\n", encoding="utf-8")
                self.terminal.show(f"  transcript in {save}\n")
            if not self.people or not self.wants_more():
                return
            seed += 1

    def wants_more(self) -> bool:
        return self.terminal.ask("again? [y/N] ").strip().lower() in ("y", "yes")

    def play(self, seed: int) -> Deal:
        """One deal."""
        self.shown_to = None
        deal = Deal(self.name, self.seats, seed)
        while not deal.over:
            if deal.turn in self.people:
                self.take_turn(deal)
            else:
                deal.play_agent()
                if not self.people:
                    turn = deal.turns[-1]
                    show_move(self.terminal, self.view(deal, turn.state), turn.action, seed)
        end = draw_end(self.view(deal, deal.state), deal.state.returns())
        self.terminal.show(f"\n{end}\n")
        return deal

    def view(self, deal: Deal, state: CardState, viewer: int = EVERYBODY) -> View:
        return View(deal.face, state.row, self.specs, viewer)

    def take_turn(self, deal: Deal) -> None:
        """Show a person their view, and ask until the deal moves on or back."""
        self.hand_over(deal.turn)
        view = self.view(deal, deal.state, deal.turn)
        moves = list_moves(view, deal.state.legal_actions())
        self.terminal.show("\n" + draw_screen(view, deal.seed, moves))
        while not self.answer(deal, view, moves):
            pass

    def hand_over(self, seat: int) -> None:
        """Clear the screen between two people until the next one is there."""
        if len(self.people) > 1 and seat != self.shown_to:
            self.terminal.clear()
            self.terminal.ask(f"seat {seat}, press Enter ")
        self.shown_to = seat

    def answer(self, deal: Deal, view: View, moves: dict[int, str]) -> bool:
        """Read one line; return whether it changed the deal."""
        text = self.terminal.ask(PROMPTS[int(view.row["private"][0])])
        try:
            command = read_command(text)
            if command:
                return self.obey(deal, view, moves, *command)
            hand = view.game.card_names(view.row["hands"][0][view.viewer])
            deck = view.game.card_names(view.row["deck"][0])
            deal.play(read_move(text, moves, hand, deck))
        except Misread as error:
            self.terminal.show(f"  {error}")
            return False
        return True

    def obey(self, deal: Deal, view: View, moves: dict[int, str], command: str, rest: str) -> bool:
        """Obey a command; return whether it changed the deal."""
        if command == "quit":
            raise Quit
        if command == "undo":
            undone = deal.undo()
            if not undone:
                self.terminal.show("  there is nothing to undo: nobody at the table has moved yet")
            return undone
        if command == "hint":
            self.terminal.show(self.hint_text(view, moves, rest or self.hint))
        else:
            help_text = HELP.format(hint=self.hint)
            self.terminal.show(draw_history(view) if command == "history" else help_text)
        return False

    def hint_text(self, view: View, moves: dict[int, str], spec: str) -> str:
        """The choice of an agent in the viewer's place, which knows only what the viewer sees."""
        try:
            agent = make_agent(spec, self.name)
        except (ValueError, OSError) as error:
            raise Misread(str(error)) from None
        return f"  {spec}:\n{indent(draw_hints(view, moves, agent), '  ')}"


def show_move(terminal: Terminal, view: View, action: int, seed: int | None) -> None:
    """Show a decision in the open, and pause."""
    word = view.game.action_name(view.row[0], action)
    seat = int(view.row["turn"][0])
    terminal.show(f"\n{draw_open(view, seed)}\n\n  seat {seat}: {word}")
    if terminal.pause().strip().lower() in LEAVE:
        raise Quit


def show_replay(terminal: Terminal, end: CardState) -> None:
    """Show a finished deal, move by move."""
    names = [""] * end.definition.players
    for row, action in describe.steps(end.row):
        if row["turn"][0] >= 0:
            show_move(terminal, View(end.get_game(), row, names, EVERYBODY), action, None)
    view = View(end.get_game(), end.row, names, EVERYBODY)
    terminal.show(f"\n{draw_end(view, end.returns())}\n")
