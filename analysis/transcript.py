"""One deal played by agents, told decision by decision as in the Hokm article's appendix III.

    python -m analysis.transcript --game=python_hokm --agent=rules --seed=3
    python -m analysis.transcript --game=python_snapszer --seats=rules,pimc --out=deal.txt

First what was dealt; then for every decision the seat's hand, the agent's policy over what is
allowed (the likeliest first), its entropy, the value that the agent expects (`Agent.values`: unless
it has its own idea, sampled worlds are played out by the rules), and the move; at the end all
tricks and the results. Works for every game. `python -m spielgames.play` has the same deal under
the same seed, and its `--replay=deal.txt` shows this one.
"""

from pathlib import Path

from absl import flags

from analysis.figures import save_text
from spielgames.agent_help import describe_agents
from spielgames.agents import make_agent, split_specs
from spielgames.command import check_place, run, user_input
from spielgames.core.registry import find
from spielgames.play.deal import Deal, Turn
from spielgames.play.screen import (
    View,
    dealt_hands,
    draw_cards,
    draw_facts,
    draw_history,
    draw_places,
    draw_results,
    list_moves,
)
from spielgames.play.told import EVERYBODY, Event, events_of
from spielgames.play.transcript import GAME, HISTORY, tell_thoughts


def seat_specs(game: str, agent: str, seats: str | None) -> list[str]:
    """Who sits where: as listed, else one agent in all seats."""
    players = find(game)[0].players
    specs = split_specs(seats) if seats else [agent] * players
    if len(specs) != players:
        raise ValueError(f"--seats={seats} names {len(specs)}, but {game} has {players} seats")
    return specs


def play(game: str, specs: list[str], seed: int) -> Deal:
    """The deal of a seed, to its end."""
    agents = {spec: make_agent(spec, game) for spec in specs}
    deal = Deal(game, [agents[spec] for spec in specs], seed)
    while not deal.over:
        deal.play_agent()
    return deal


def tell(deal: Deal, names: list[str]) -> str:
    """A finished deal."""
    end = View(deal.game, deal.row, names, EVERYBODY)
    events = [event for event in events_of(deal.game, deal.row, EVERYBODY) if event.decided]
    return "\n\n".join(
        [
            tell_deal(deal, end),
            *(tell_turn(deal, names, *pair) for pair in zip(deal.turns, events, strict=True)),
            draw_history(end),
            draw_facts(end),
            draw_results(end, deal.state.returns()),
        ]
    )


def tell_deal(deal: Deal, end: View) -> str:
    """What it is, how to replay it, and all hands."""
    return "\n".join(
        [
            f"{deal.game.title}, deal {deal.seed}",
            f"{GAME}{deal.name}",
            f"seats: {', '.join(end.names)}",
            f"{HISTORY}{' '.join(map(str, deal.state.history()))}",
            f"\n{draw_places(end, dealt_hands(end.row))}",
        ]
    )


def tell_turn(deal: Deal, names: list[str], turn: Turn, event: Event) -> str:
    """What was held, thought and done."""
    view = View(deal.game, turn.state.row, names, turn.seat)
    words = list_moves(view, turn.state.legal_actions())
    likely = sorted(words, key=lambda a: -turn.policy[a])
    when = f"trick {event.trick}" if event.played else f"before trick {event.trick}"
    return "\n".join(
        [
            f"seat {turn.seat}, {names[turn.seat]}, {when}",
            f"  holds    {draw_cards(view, view.row['hands'][0][turn.seat])}",
            *tell_thoughts(deal, turn, {a: words[a] for a in likely}),
            f"  plays    {words[turn.action]}",
        ]
    )


def define_flags() -> None:
    flags.DEFINE_string("game", "python_hokm", "the game, with its parameters if need be")
    flags.DEFINE_string("agent", "rules", "who plays in all seats: one of the agents below")
    flags.DEFINE_string("seats", None, "who sits where instead, from seat 0 on")
    flags.DEFINE_integer("seed", 0, "which deal", 0, 2**63 - 1)
    flags.DEFINE_string("out", None, "the file that gets it, instead of the terminal")


def main() -> None:
    chosen = flags.FLAGS
    with user_input():
        if chosen.out:
            check_place(Path(chosen.out))
        specs = seat_specs(chosen.game, chosen.agent, chosen.seats)
        deal = play(chosen.game, specs, chosen.seed)
    if chosen.out:
        save_text(Path(chosen.out), tell(deal, specs))
    else:
        print(tell(deal, specs))


if __name__ == "__main__":
    define_flags()
    run(main, describe_agents)
