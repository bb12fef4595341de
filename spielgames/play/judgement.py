"""What is said after a deal: what the choices have lost, and how the match stands."""

from spielgames.agents import Agent
from spielgames.core.game import unit_of
from spielgames.play.deal import Deal, Turn
from spielgames.play.review import Loss, reason, review
from spielgames.play.standing import Standing
from spielgames.play.trick_log import pack, trick_number


def draw_review(deal: Deal, agent: Agent, seats: list[int]) -> str:
    """The mistakes of some seats, and what all their choices have lost."""
    losses = list(review(agent, deal.turns, seats))
    lines = [draw_mistake(deal, deal.turns[step], loss) for step, loss in losses if loss.is_mistake]
    total = sum(loss.lost for _, loss in losses if loss.is_mistake)
    unit = unit_of(deal.game, deal.face.variant)
    end = f"{len(losses)} choices, {len(lines)} mistakes; they have lost {total:.2f} {unit}."
    return "\n".join([*lines, pack([end], "")])


def draw_mistake(deal: Deal, turn: Turn, loss: Loss) -> str:
    """`trick 3, seat 0: 9♥ is worth 2.10 ± 0.80 points more than Q♠ …`"""
    s, game = turn.state.row[0], deal.game
    trick = trick_number(game, turn.state.row)
    when = f"trick {trick}" if trick else "before trick 1"
    better, played = (game.action_name(s, a) for a in (loss.better, turn.action))
    unit = unit_of(game, deal.face.variant)
    words = f"{when}, seat {turn.seat}: {reason(better, played, loss, unit, turn.seat)}"
    return pack(words.split(), " ")


def draw_standing(standing: Standing, names: list[str]) -> str:
    """The totals of a match, and who has won it."""
    totals = standing.totals[0]
    room = max(map(len, names))
    lines = [f"── The match, after {standing.deals} deals, to {standing.match.goal} ──"]
    lines += [
        f"  player {player}  {name:<{room}}  {total:g}"
        for player, (name, total) in enumerate(zip(names, totals, strict=True))
    ]
    if standing.over:
        winners = " and ".join(f"player {player}" for player in standing.winners())
        lines.append(f"  {winners} won the match.")
    return "\n".join(lines)
