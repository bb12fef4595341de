"""One deal played by agents, described decision by decision as in the Hokm article's appendix III.

    python -m analysis.transcript --game=python_hokm --agent=rules --seed=3
    python -m analysis.transcript --game=python_snapszer --seats=rules,pimc --out=deal.txt
    python -m analysis.transcript --replay=deal.txt --judge=pimc
    python -m analysis.transcript --game=python_hearts --agent=rules --out=deal.pbn
    python -m analysis.transcript --replay=deals.pbn --out=deals.jsonl

The transcript begins with the deal. For every decision it shows the seat's hand, the agent's policy
over the allowed actions (the likeliest first), its entropy, the value that the agent expects
(`Agent.values`: by default from sampled worlds that are played out by the rules), and the move. It
ends with all tricks and the results. It works for every game. `python -m spielgames.play` deals the
same cards under the same seed, and shows a transcript by `--replay=deal.txt`.

Instead of a text, --format (or the ending of --out) asks for a file that programs read: JSON
lines, or for Hokm and Hearts Portable Bridge Notation (docs/deal_files.md). With --replay that
converts all deals of a file from one format to another.
"""

from pathlib import Path

from absl import flags

from analysis.figures import save_text
from spielgames.agent_help import describe_agents
from spielgames.agents import make_agent
from spielgames.command import check_place, define_game, run, user_input
from spielgames.core.registry import find
from spielgames.deal_files import FORMATS, FinishedDeal, format_of, load_deals, save_deals
from spielgames.play.deal import Deal, Turn
from spielgames.play.ending import dealt_hands, draw_results
from spielgames.play.screen import (
    View,
    draw_cards,
    draw_facts,
    draw_history,
    draw_places,
    list_moves,
)
from spielgames.play.transcript import GAME, HISTORY, read_transcript, tell_thoughts
from spielgames.play.trick_log import EVERYBODY, Event, events_of
from spielgames.specs import split_specs

TEXT = "text"


def seat_specs(game: str, agent: str, seats: str | None) -> list[str]:
    """The spec of each seat: as listed, or one agent in all seats."""
    players = find(game)[0].players
    specs = split_specs(seats) if seats else [agent] * players
    if len(specs) != players:
        raise ValueError(f"--seats={seats} names {len(specs)}, but {game} has {players} seats")
    return specs


def play(game: str, specs: list[str], seed: int) -> Deal:
    """Play the deal of a seed to its end."""
    agents = {spec: make_agent(spec, game) for spec in specs}
    deal = Deal(game, [agents[spec] for spec in specs], seed)
    while not deal.over:
        deal.play_agent()
    return deal


def judged(path: Path, number: int, spec: str) -> tuple[Deal, list[str]]:
    """A deal from a file, counted from 1, with what the judge would have done at each decision."""
    deals = read_transcript(path)
    if not 1 <= number <= len(deals):
        raise ValueError(f"--deal={number} is not allowed; {path} has {len(deals)}")
    end = deals[number - 1]
    name = str(end.get_game())
    judge = make_agent(spec, name)
    players = end.definition.players
    deal = Deal(name, [judge] * players, 0, end.history())
    deal.turns = [t._replace(policy=judge.probabilities(t.state.row)[0]) for t in deal.turns]
    return deal, [f"judged by {spec}"] * players


def chosen_deal() -> tuple[Deal, list[str]]:
    """The deal that the flags name, and the players."""
    chosen = flags.FLAGS
    if chosen.replay:
        return judged(Path(chosen.replay), chosen.deal, chosen.judge)
    specs = seat_specs(chosen.game, chosen.agent, chosen.seats)
    return play(chosen.game, specs, chosen.seed), specs


def chosen_deals() -> list[FinishedDeal]:
    """The deals that the flags name, finished."""
    chosen = flags.FLAGS
    if not chosen.replay:
        specs = seat_specs(chosen.game, chosen.agent, chosen.seats)
        end = play(chosen.game, specs, chosen.seed).state
        return [FinishedDeal(end, tuple(specs), chosen.seed)]
    path = Path(chosen.replay)
    return load_deals(path) if format_of(path) else [*map(FinishedDeal, read_transcript(path))]


def tell(deal: Deal, names: list[str]) -> str:
    """Describe a finished deal."""
    end = View(deal.face, deal.row, names, EVERYBODY)
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
    """The game, the command that replays the deal, and all hands."""
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
    """A decision: the hand, the policy, the value and the move."""
    view = View(deal.face, turn.state.row, names, turn.seat)
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
    define_game("python_hokm", "the game, with its parameters if need be")
    flags.DEFINE_string("agent", "rules", "the agent in all seats: one of those below")
    flags.DEFINE_string("seats", None, "the agents of all seats instead, from seat 0 on")
    flags.DEFINE_integer("seed", 0, "seed of the deal", 0, 2**63 - 1)
    flags.DEFINE_string("replay", None, "a transcript whose moves, a person's too, are judged")
    flags.DEFINE_integer("deal", 1, "which deal of it, from 1")
    flags.DEFINE_string("judge", "pimc:worlds=50", "the agent that judges them")
    flags.DEFINE_string("out", None, "a file for the transcript, instead of the terminal")
    flags.DEFINE_enum(
        "format", None, [TEXT, *FORMATS], "what is written; by default what --out ends in, or text"
    )


def main() -> None:
    chosen = flags.FLAGS
    out = Path(chosen.out) if chosen.out else None
    with user_input():
        if out:
            check_place(out)
        form = chosen.format or (out and format_of(out)) or TEXT
        if out and form != TEXT:
            save_deals(out, chosen_deals(), form)
        elif out:
            save_text(out, tell(*chosen_deal()))
        elif form != TEXT:
            print(FORMATS[form].write(chosen_deals()), end="")
        else:
            print(tell(*chosen_deal()))


if __name__ == "__main__":
    define_flags()
    run(main, describe_agents)
