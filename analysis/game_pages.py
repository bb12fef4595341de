"""Write a page about each game: its tensors piece by piece, actions, utilities, parameters, sizes.

    python -m analysis.game_pages --out=docs/games

Everything comes from the games themselves, except what code can't say: the contents of the pieces
of an encoding, and the changes from version to version, are in docs/games/about.toml.
"""

import re
import tomllib
from collections.abc import Iterable, Iterator
from itertools import groupby
from math import prod
from pathlib import Path
from typing import Any

from absl import flags

from analysis.figures import save_text
from spielgames.agents import make_agent
from spielgames.command import run, user_input
from spielgames.core import one_game
from spielgames.core.game import Game, Variant, initial_state
from spielgames.core.infostate import infostate_pieces
from spielgames.core.pieces import Pieces
from spielgames.core.record import TERMINAL
from spielgames.core.registry import find
from spielgames.core.tree import unroll_game
from spielgames.core.walk import levels
from spielgames.play.deal import Deal
from spielgames.play.screen import View, draw_screen, list_moves, team_name

About = dict[str, Any]
PLACE = "docs/games"
SIZES = """Information sets are those at which a seat has a choice. Histories of each length, the
empty one first (each card that chance deals is a step):"""


def pages() -> Iterator[tuple[str, str]]:
    """The names of the files, and their contents."""
    path = Path(__file__).parent.parent / PLACE / "about.toml"
    about = tomllib.loads(path.read_text(encoding="utf-8"))
    recall = about.pop("recall")
    for name, told in about.items():
        yield f"{name}.md", page(f"python_{name}", told, recall)


def page(name: str, about: About, recall: dict[str, str]) -> str:
    game, variant = find(name)
    first, pictured = (pictured_deal(name, about["seed"], n) for n in (0, about["moves"]))
    seats = "In both tensors seats are counted from the observer, who comes first."
    sections = {
        "The table": picture(pictured),
        "Information state": f"{seats}\n\n" + layout(infostate_pieces(game, variant), recall),
        "Observation": layout(game.pieces, about["pieces"]),
        "Actions": actions(about["actions"], [first, pictured]),
        "Utilities": utilities(name, about["utilities"]),
        "Parameters": parameters(game),
        "Small variants": sizes(name, about["small"]),
        "Versions": versions(game, about["versions"]),
    }
    parts = [f"# {game.title}", introduction(game, variant)]
    parts += [f"## {title}\n\n{text}" for title, text in sections.items()]
    return "\n\n".join(parts)


def markdown(rows: Iterable[Iterable[Any]]) -> str:
    """A Markdown table; the first row is the heading."""
    lines = [f"| {' | '.join(map(str, row))} |" for row in rows]
    rule = re.sub(r"[^|]+", "---", lines[0])
    return "\n".join([lines[0], rule, *lines[1:]])


def rules(game: Game, anchor: str = "") -> str:
    """The link to the page of rules."""
    return f"../rules/{game.name.removeprefix('python_')}.md{anchor}"


def introduction(game: Game, variant: Variant) -> str:
    note = f"<!-- Written by `python -m analysis.game_pages --out={PLACE}`; do not edit. -->"
    rows = [
        ("name", f"`{game.name}`"),
        ("seats", game.players),
        ("teams", " and ".join(team_name(game, t) for t in sorted({*game.teams})) or "none"),
        ("cards", int(variant.fields["deck"]).bit_count()),
        ("piles besides hands", ", ".join(game.piles) or "none"),
        ("actions", game.actions),
        ("information state", infostate_pieces(game, variant).size),
        ("observation", game.pieces.size),
        ("decisions in the longest deal", variant.max_moves),
        ("chance events besides dealing, at most", variant.max_draws),
        ("rule-based players", ", ".join(f"`rules:{level}`" for level in game.levels)),
        ("version", game.version),
        ("how it is played", f"[rules]({rules(game)})"),
    ]
    return note + "\n\n" + markdown([("", "full game"), *rows])


def pictured_deal(name: str, seed: int, moves: int) -> Deal:
    """A deal after a number of decisions by rule-based players."""
    deal = Deal(name, [make_agent("rules", name)] * find(name)[0].players, seed)
    for _ in range(moves):
        deal.play_agent()
    return deal


def picture(deal: Deal) -> str:
    """The screen of the seat to move."""
    names = ["rules"] * deal.game.players
    view = View(deal.face, deal.row, names, deal.turn)
    moves = list_moves(view, deal.state.legal_actions())
    command = f"python -m spielgames.play --game={deal.name} --seed={deal.seed}"
    return f"```text\n{draw_screen(view, deal.seed, moves)}\n```\n\n`{command}` deals these cards."


def layout(pieces: Pieces, meanings: dict[str, str]) -> str:
    """The place of each piece, as `tensor[start:end].reshape(shape)`, and its contents."""
    rows = [("piece", "shape", "start", "end", "entries", "what it holds")]
    for name, shape in pieces.shapes.items():
        start = pieces.start(name)
        kind = "numbers" if name in pieces.numbers else "flags"
        shown = " × ".join(map(str, shape))
        rows.append((f"`{name}`", shown, start, start + prod(shape), kind, meanings[name]))
    return markdown(rows)


def actions(stages: list, deals: list[Deal]) -> str:
    """The meaning of each id: a table for each stage of a deal that gives ids another meaning."""
    parts = []
    for (heading, last), deal in zip(stages, deals, strict=False):
        parts += [f"{heading}:"] if heading else []
        parts.append(markdown([("ids", "actions"), *runs(deal, range(last + 1))]))
    link = f"[Action ids]({rules(deals[0].game, '#action-ids')})"
    return "\n\n".join([*parts, f"The rules show them as grids: {link}."])


def runs(deal: Deal, ids: range) -> Iterator[tuple[str, str]]:
    """Neighbouring actions of one kind: cards of a suit, or the same words with other suits."""
    game, size = deal.game, len(deal.game.ranks)
    names = [game.action_name(deal.row[0], a) for a in ids]
    cards = [a < 4 * size and names[a] == game.card_name(a) for a in ids]
    kinds = [a // size if cards[a] else re.sub("[♣♦♥♠]", "", names[a]) for a in ids]
    for _, run_of in groupby(ids, kinds.__getitem__):
        first, *rest = run_of
        span = f"{first}–{rest[-1]}" if rest else str(first)
        yield span, ", ".join(names[a] for a in (first, *rest))


def utilities(name: str, also: list[str]) -> str:
    rows = [("variant", "lowest", "highest", "unit", "zero-sum")]
    for params in ["", *also]:
        game, variant = find(f"{name}({params})" if params else name)
        ends = f"{variant.min_utility:g}", f"{variant.max_utility:g}"
        rows.append((params or "default", *ends, game.unit, "yes" if variant.zero_sum else "no"))
    return markdown(rows)


def parameters(game: Game) -> str:
    rows = [(f"`{key}`", str(value).lower()) for key, value in game.parameters.items()]
    link = f"[Parameters]({rules(game, '#parameters')})"
    text = f"What each of them changes, and what it may be, is told in the rules: {link}."
    return markdown([("parameter", "default"), *rows]) + f"\n\n{text}"


def sizes(name: str, small: list[str]) -> str:
    """The numbers of histories (perft) and of information sets of small variants."""
    rows = [("variant", "histories", "complete", "longest", "information sets")]
    lengths = []
    for params in small:
        whole = f"{name}({params})"
        states = initial_state(*find(whole))
        one_game.start(states)
        turns = [level.states["turn"] for level in levels(states)]
        counts, ends = map(len, turns), sum(int((turn == TERMINAL).sum()) for turn in turns)
        sets = sum(seat.sets for seat in unroll_game(whole).seats)
        rows.append((params, sum(map(len, turns)), ends, len(turns) - 1, sets))
        lengths.append(f"{params}: {' '.join(map(str, counts))}")
    text = "\n".join(lengths)
    return f"{markdown(rows)}\n\n{SIZES}\n\n```text\n{text}\n```"


def versions(game: Game, told: dict[str, str]) -> str:
    """The versions; one is raised when an agent trained before would play differently."""
    rows = [(n, told[str(n)]) for n in range(1, game.version + 1)]
    return markdown([("version", "what changed"), *rows])


def main() -> None:
    with user_input():
        for name, text in pages():
            save_text(Path(flags.FLAGS.out) / name, text)


if __name__ == "__main__":
    flags.DEFINE_string("out", PLACE, "the folder of the pages")
    run(main)
