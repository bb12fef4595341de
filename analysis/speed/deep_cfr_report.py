"""The report of `analysis.speed.deep_cfr`."""

from analysis.figures import short, table
from analysis.speed.benchmark import (
    Results,
    machine_line,
    verdict,
)

OURS, THEIRS = "ours", "OpenSpiel"
LEAST_RATIO, LEAST_SHARE = 50, 0.7


def report(results: Results) -> str:
    """The report in Markdown."""
    makers = traversal_table, hearts_table, memory_table, data_table
    tables = [make(results) for make in makers]
    return "\n\n".join([*tables, machine_line(results)])


def traversal_table(results: Results) -> str:
    least = f"≥ {LEAST_RATIO} ×"
    rows = [["positions/s, one thread", OURS, THEIRS, "ours ÷ theirs", least]]
    for game, of in results["traversals"].items():
        ratio = of[OURS] / of[THEIRS]
        cells = short(of[OURS]), short(of[THEIRS]), f"{ratio:.3g}", verdict(ratio >= LEAST_RATIO)
        rows.append([game, *cells])
    return table(rows)


def hearts_table(results: Results) -> str:
    heading = ["Hearts, traversed", "threads", "precision", "samples/s", "positions/s"]
    rows = [[*heading, "in networks", f"≥ {LEAST_SHARE:.0%}"]]
    for of in results["hearts"]:
        share, first = of["networks"], of["networks"] == 0
        rows.append(
            [
                of["case"],
                str(of["threads"]),
                "–" if first else of["precision"],
                short(of["samples"]),
                short(of["positions"]),
                f"{share:.0%}",
                "–" if first else verdict(share >= LEAST_SHARE),
            ]
        )
    return table(rows)


def memory_table(results: Results) -> str:
    rows = [["traversals", "sampling", "positions", "peak memory"]]
    for of in results["memory"]:
        cells = short(of["positions"]), f"{of['memory'] / 1e6:,.0f} MB"
        rows.append([of["game"], of["sampling"], *cells])
    return table(rows)


def data_table(results: Results) -> str:
    rows = [["samples kept in", "rows", "on disk", "rows drawn/s", "fit steps/s", "memory"]]
    for of in results["data"]:
        sizes = f"{of['bytes'] / 1e6:,.0f} MB", f"{of['memory'] / 1e6:+,.0f} MB"
        cells = short(of["rows"]), sizes[0], short(of["drawn"]), short(of["steps"]), sizes[1]
        rows.append([of["kind"], *cells])
    return table(rows)
