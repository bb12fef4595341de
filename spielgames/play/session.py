"""A session at the table: people type, agents answer, and nobody sees what they may not."""

import shlex
from pathlib import Path
from textwrap import indent

from spielgames.agents import Agent, make_agent
from spielgames.core.cards import members
from spielgames.core.state import CardState
from spielgames.play.deal import Deal, Seats
from spielgames.play.ending import draw_end, draw_standing
from spielgames.play.reading import Misread, Reasons, read_command, read_move
from spielgames.play.replay import show_move
from spielgames.play.review import draw_review
from spielgames.play.roster import analyst, shown_name
from spielgames.play.rulebook import draw_rules
from spielgames.play.screen import (
    View,
    draw_hints,
    draw_history,
    draw_screen,
    list_moves,
)
from spielgames.play.share import shorten
from spielgames.play.standing import Standing
from spielgames.play.terminal import Quit, Terminal
from spielgames.play.transcript import transcript
from spielgames.play.trick_log import EVERYBODY

HELP = """\
  a move        its number, a card (10h, Qs), or its name
                (pass, bid 90s, trump h)
  hint          what {hint} thinks of each move;
                another agent: hint rules
  undo          back to your last move
  history       everything that happened, as you saw it
  rules         how the game is played
  quit          leave the table
  help          this text
  After the deal, review lists what your choices have lost."""
REVIEW_WORLDS = 100


class Session:
    """A session of people and agents, deal after deal; with a standing, a match."""

    def __init__(
        self,
        terminal: Terminal,
        name: str,
        specs: list[str],
        seats: Seats,
        hint: str,
        standing: Standing | None = None,
    ) -> None:
        self.terminal, self.name, self.hint, self.standing = terminal, name, hint, standing
        self.guests = list(zip(specs, seats, strict=True))  # by player
        self.shown_to: int | None = None  # whose hand is on the screen
        self.sit(range(len(specs)))

    def sit(self, players: "list[int] | range") -> None:
        """Let the players take their seats."""
        self.specs = [self.guests[player][0] for player in players]
        self.seats: list[Agent | None] = [self.guests[player][1] for player in players]
        self.names = [shown_name(self.name, spec) for spec in self.specs]
        self.people = [seat for seat, agent in enumerate(self.seats) if agent is None]

    def run(self, seed: int, save: Path | None, history: list[int] | None = None) -> None:
        """Play deals until nobody wants another one; the first may have begun."""
        deals: list[str] = []
        if self.people:
            self.terminal.show("Welcome. Type help for commands, rules for the rules.")
        while True:
            deal = self.play(seed, history)
            if save:
                deals.append(transcript(deal, self.specs))
                save.write_text("\n\n\n".join(deals) + "\n", encoding="utf-8")
                self.terminal.show(f"  transcript in {save}\n")
            seed, history = seed + 1, None
            if self.count(deal) or not self.stays(deal, seed):
                return

    def count(self, deal: Deal) -> bool:
        """Add a deal to the match; return whether that is over."""
        if self.standing is None:
            return False
        self.standing.add(deal.row)
        names = [shown_name(self.name, spec) for spec, _ in self.guests]
        self.terminal.show(f"{draw_standing(self.standing, names)}\n")
        return self.standing.over

    def stays(self, deal: Deal, seed: int) -> bool:
        """Whether another deal is wanted; if not, say how a match is gone on with."""
        try:
            if self.wants_more(deal):
                return True
        except (KeyboardInterrupt, EOFError):
            self.keep(seed)
            raise
        self.keep(seed)
        return False

    def wants_more(self, deal: Deal) -> bool:
        """Whether people want another deal, after any review of this one."""
        if not self.people:
            return self.standing is not None
        self.terminal.show("  Type review to see what your choices have lost.")
        while True:
            answer = self.terminal.ask("again? [y/N] ").strip().lower()
            command, _, spec = answer.partition(" ")
            if command != "review":
                return answer in ("y", "yes")
            self.review(deal, spec)

    def review(self, deal: Deal, spec: str) -> None:
        """Show what the choices of the people have lost."""
        spec = spec.strip() or analyst(deal.game.name, REVIEW_WORLDS)
        try:
            with self.terminal.busy():
                self.terminal.show(draw_review(deal, make_agent(spec, self.name), self.people))
        except (ValueError, OSError) as error:
            self.terminal.show(f"  {error}")

    def play(self, seed: int, history: list[int] | None = None) -> Deal:
        """One deal; an interrupted one is kept."""
        self.shown_to = None
        if self.standing:
            self.sit(self.standing.players())
        name = self.standing.next_deal() if self.standing else self.name
        deal = Deal(name, self.seats, seed, history or ())
        try:
            while not deal.over:
                self.go_on(deal)
        except (KeyboardInterrupt, EOFError, Quit):
            self.keep(seed, deal)
            raise
        end = draw_end(self.view(deal, deal.state), deal.state.returns())
        self.terminal.show(f"\n{end}\n")
        return deal

    def go_on(self, deal: Deal) -> None:
        """Let the seat to move move."""
        if deal.turn in self.people:
            self.take_turn(deal)
            return
        with self.terminal.busy():
            deal.play_agent()
        if not self.people:
            turn = deal.turns[-1]
            show_move(self.terminal, self.view(deal, turn.state), turn.action, deal.seed)

    def keep(self, seed: int, deal: Deal | None = None) -> None:
        """Say how an interrupted deal or match is gone on with."""
        begun = deal and any(self.seats[turn.seat] is None for turn in deal.turns)
        options = {"seats": ",".join(spec for spec, _ in self.guests), "seed": seed}
        if self.standing:
            goal, standing = self.standing.match.goal, self.standing.pack()
            options |= {"game": self.name, "goal": goal, "standing": standing}
        if deal and begun:
            options["resume"] = shorten(deal.state)
        if self.people and (self.standing or begun):
            words = shlex.join(f"--{key}={value}" for key, value in options.items())
            what = "match" if self.standing else "deal"
            self.terminal.show(f"\nTo go on with this {what}:\npython -m spielgames.play {words}")

    def view(self, deal: Deal, state: CardState, viewer: int = EVERYBODY) -> View:
        return View(deal.face, state.row, self.names, viewer)

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
        text = self.terminal.ask(f"{view.game.talk.prompt(view.row[0])}> ")
        try:
            command = read_command(text)
            if command:
                return self.obey(deal, view, moves, *command)
            deck = view.game.card_names(view.row["deck"][0])
            deal.play(read_move(text, moves, reasons(view, moves), deck))
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
        self.terminal.show(self.told(view, moves, command, rest))
        return False

    def told(self, view: View, moves: dict[int, str], command: str, rest: str) -> str:
        """The answer to a command that changes nothing."""
        if command == "hint":
            return self.hint_text(view, moves, rest or self.hint)
        if command == "rules":
            return draw_rules(view.game.name)
        return draw_history(view) if command == "history" else HELP.format(hint=self.hint)

    def hint_text(self, view: View, moves: dict[int, str], spec: str) -> str:
        """The opinion of an agent in the viewer's place, which knows only what the viewer sees."""
        try:
            with self.terminal.busy():
                hints = draw_hints(view, moves, make_agent(spec, self.name))
        except (ValueError, OSError) as error:
            raise Misread(str(error)) from None
        return f"  {spec}:\n{indent(hints, '  ')}"


def reasons(view: View, moves: dict[int, str]) -> Reasons:
    """Why each card of a hand may not be played; nothing where no card is asked for."""
    game, s = view.game, view.row[0]
    asked = any(a < game.cards and word == game.card_name(a) for a, word in moves.items())
    return {
        game.card_name(card): game.talk.why_not(s, card) if asked and card not in moves else ""
        for card in members(s.hands[view.viewer])
    }
