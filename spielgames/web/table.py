"""A table: who sits at it, its deals one after the other, and what everybody may see and do.

Everything here is quick and without waiting. `house` lets agents play, and keeps tables on disk.
"""

from dataclasses import dataclass, field
from secrets import token_urlsafe
from typing import Any

from spielgames.core.record import OUTSIDER
from spielgames.core.registry import find
from spielgames.core.state import CardState
from spielgames.play.comments import Comments, tidy
from spielgames.play.deal import Deal
from spielgames.play.roster import Opponent, opponent
from spielgames.play.standing import Standing
from spielgames.play.trick_log import EVERYBODY, Chronicle
from spielgames.web.messages import Wrong

PERSON, AGENT = "person", "agent"
WATCHING, ALL_SEEING = -1, -2  # roles that are no player's
MOVED_ON = "the table has moved on since; look again"


def new_token() -> str:
    return token_urlsafe(12)


@dataclass
class Chair:
    """A player: a person, who has a token, or one of the agents of the roster."""

    kind: str
    name: str
    agent: str = ""  # its id
    token: str = field(default_factory=new_token)
    here: int = 0  # how many pages a person has open


@dataclass
class Settings:
    forced: bool = False
    hints: str = "values"
    pace: float = 0.0
    paused: bool = False


class Table:
    """A table of a game or variant. Players keep their numbers; in a match they change seats."""

    def __init__(self, name: str, chairs: list[Chair], number: int, settings: Settings) -> None:
        self.id, self.watch, self.all = new_token(), new_token(), new_token()
        self.name, self.chairs, self.number, self.settings = name, chairs, number, settings
        self.game, _ = find(name)
        self.standing: Standing | None = None
        self.deals: list[Deal] = []
        self.seatings: list[list[int]] = []  # the player in each seat, deal by deal
        self.comments: list[Comments] = []  # on the decisions of each deal
        self.scores: list[list[float] | None] = []  # what finished deals brought the seats
        self.changes = self.undone = 0
        self.chronicles: dict[int, Chronicle] = {}  # by viewer
        self.autopilot: str | None = None  # the agent that plays the rest of a claimed deal
        self.closed = False  # to further deals

    @property
    def deal(self) -> Deal:
        return self.deals[-1]

    @property
    def at(self) -> str:
        return f"{len(self.deals) - 1}:{self.changes}"

    @property
    def people(self) -> list[int]:
        return [p for p, chair in enumerate(self.chairs) if chair.kind == PERSON]

    @property
    def match_over(self) -> bool:
        return self.standing is not None and self.standing.over

    def start_match(self, goal: int | None) -> None:
        self.standing = Standing(self.name, goal)

    def start_deal(self) -> None:
        """Deal the next cards."""
        players = list(range(self.game.players))
        name = self.name
        if self.standing:
            players, name = self.standing.players(), self.standing.next_deal()
        nobody = [None] * self.game.players
        self.add_deal(Deal(name, nobody, self.number + len(self.deals)), players)

    def add_deal(self, deal: Deal, players: list[int]) -> None:
        self.deals.append(deal)
        self.seatings.append(players)
        self.comments.append({})
        self.autopilot = None
        self.changed()

    def changed(self) -> None:
        """Count a change; a deal that has ended is added to the match."""
        self.changes += 1
        if self.deal.over and len(self.scores) < len(self.deals):
            self.scores.append(self.standing.add(self.deal.row) if self.standing else None)

    # Who is who.

    def role_of(self, token: str) -> int:
        """The player with a token, or what kind of spectator has it."""
        for player in self.people:
            if self.chairs[player].token == token:
                return player
        if token in (self.watch, self.all):
            return WATCHING if token == self.watch else ALL_SEEING
        raise Wrong("this link does not belong to the table any more")

    def seat_of(self, player: int, deal: int = -1) -> int | None:
        """The seat of a player; None for spectators."""
        return self.seatings[deal].index(player) if player >= 0 else None

    def viewer(self, role: int, deal: int = -1) -> int:
        """Through whose eyes somebody sees a deal."""
        if role == ALL_SEEING or self.deals[deal].over:
            return EVERYBODY
        return OUTSIDER if role == WATCHING else self.seatings[deal].index(role)

    def chronicle(self, viewer: int) -> Chronicle:
        """What a viewer has seen of the deals here, the last of which is read on."""
        return self.chronicles.setdefault(viewer, Chronicle(self.game, viewer))

    def may_steer(self, role: int) -> bool:
        """Whether somebody may go on to the next deal, and change settings."""
        return role >= 0 or (role == ALL_SEEING and not self.people)

    def to_move(self) -> int | None:
        """The player whose turn it is."""
        return None if self.deal.over else self.seatings[-1][self.deal.turn]

    def thinker(self) -> str | None:
        """The spec of the agent that plays next; None if a person does, or nobody."""
        player = self.to_move()
        if player is None or self.settings.paused:
            return None
        if self.autopilot:
            return self.autopilot
        chair = self.chairs[player]
        return self.opponent(chair).spec if chair.kind == AGENT else None

    def opponent(self, chair: Chair) -> Opponent:
        return opponent(self.name, chair.agent)

    # What people do.

    def check_at(self, at: str) -> None:
        if at != self.at:
            raise Wrong(MOVED_ON)

    def act(self, player: int, action: int) -> None:
        if player < 0 or self.to_move() != player or self.autopilot:
            raise Wrong("it is not your turn")
        if action not in self.deal.state.legal_actions():
            raise Wrong("this is not one of the actions you have now")
        self.deal.play(action)
        self.changed()

    def last_decision(self, player: int) -> int | None:
        """The last step at which a person had a choice that can be taken back."""
        if self.people != [player] or self.deal.over or self.autopilot:
            return None
        seat = self.seat_of(player)
        steps = [k for k, turn in enumerate(self.deal.turns) if turn.seat == seat]
        if self.settings.forced:
            steps = [k for k in steps if len(self.deal.turns[k].state.legal_actions()) > 1]
        return steps[-1] if steps else None

    def undo(self, player: int) -> None:
        step = self.last_decision(player)
        if step is None:
            raise Wrong("nothing can be taken back here")
        self.deal.rewind(step)
        self.undone += 1
        self.changed()

    def comment(self, role: int, deal: int | None, step: int, text: str) -> None:
        """Write a comment on a decision of a finished deal, in the place of any other."""
        if not self.may_steer(role):
            raise Wrong("only those who play may write comments")
        number, state = self.position(deal, step)
        if state.is_terminal():
            raise Wrong("there is no decision at the end of a deal")
        self.comments[number].pop(step, None)
        if words := tidy(text):
            self.comments[number][step] = words

    def next_deal(self, role: int) -> None:
        if not self.can_go_on(role):
            raise Wrong("there is no next deal now")
        self.start_deal()

    def can_go_on(self, role: int) -> bool:
        ready = self.deal.over and not self.match_over and not self.closed
        return ready and self.may_steer(role)

    def change_settings(self, wishes: dict[str, Any]) -> None:
        for name, value in wishes.items():
            setattr(self.settings, name, value)
        if self.people:  # who could otherwise keep each other waiting
            self.settings.paused = False
        self.changes += 1

    def play_forced(self) -> bool:
        """Play the only card that a person has, if they wish that; return whether it was done."""
        player = self.to_move()
        if player is None or not self.settings.forced or self.chairs[player].kind != PERSON:
            return False
        actions = self.deal.state.legal_actions()
        if len(actions) > 1:
            return False
        self.deal.play(actions[0])
        self.changed()
        return True

    def position(self, deal: int | None, step: int | None) -> tuple[int, CardState]:
        """A position: of a finished deal at a step, or the one on the table."""
        if deal is None and step is None:
            return len(self.deals) - 1, self.deal.state
        deal = len(self.deals) - 1 if deal is None else deal
        if deal >= len(self.deals):
            raise Wrong(f"the table has {len(self.deals)} deals, counted from 0")
        chosen = self.deals[deal]
        if not chosen.over:
            raise Wrong("this deal is not over yet")
        step = len(chosen.turns) if step is None else step
        if step > len(chosen.turns):
            raise Wrong(f"the deal has {len(chosen.turns)} decisions, counted from 0")
        states = [*(turn.state for turn in chosen.turns), chosen.state]
        return deal, states[step]
