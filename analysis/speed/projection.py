"""How long an iteration takes with more workers than were measured, and what takes longest.

The parts overlap: while workers make samples, the learner receives and stores those before, so that
the slowest of them counts; the fit comes afterwards. What is assumed is a worker as fast as the one
that was measured, and a network between machines of 10 Gbit/s at the learner.
"""

from analysis.figures import table
from analysis.speed.benchmark import Results

SAMPLES = 100_000_000  # of an iteration of the Hearts project
STEPS = 500_000  # of its fit
WORKERS = (1, 10, 100, 1000)
NETWORK = 10e9 / 8  # bytes per second

LABELS = {
    "make": "making samples",
    "send": "the learner's network",
    "give_out": "giving out tasks",
    "store": "storing samples",
}


def project(results: Results) -> list[Results]:
    """For each number of workers, the seconds of each part of an iteration."""
    of = {(one["executor"], one["workers"]): one for one in results["executors"]}
    one = of.get(("ray", 1)) or results["executors"][0]
    samples_per_task = one["samples_per_s"] * results["task_s"]
    fixed = {
        "send": SAMPLES * results["bytes_per_sample"] / NETWORK,
        "give_out": SAMPLES / samples_per_task / one["empty_tasks_per_s"],
        "store": SAMPLES / results["received_per_s"] + SAMPLES / results["stored_per_s"],
    }
    fit = STEPS / results["fit_steps_per_s"]
    found = []
    for workers in WORKERS:
        parts = {"make": SAMPLES / (workers * one["samples_per_s"])} | fixed
        longest = max(parts, key=lambda name: parts[name])
        sums = {"samples_s": parts[longest], "fit_s": fit, "iteration_s": parts[longest] + fit}
        found.append({"workers": workers, **parts, "longest": LABELS[longest], **sums})
    return found


def projection_table(projection: list[Results]) -> str:
    rows = [
        ["workers", *(f"{label}, h" for label in LABELS.values()), "longest", "fit, h", "all, h"]
    ]
    for of in projection:
        parts = [hours(of[name]) for name in LABELS]
        ends = of["longest"], hours(of["fit_s"]), hours(of["iteration_s"])
        rows.append([f"{of['workers']:,}", *parts, *ends])
    return table(rows)


def hours(seconds: float) -> str:
    return f"{seconds / 3600:.3g}"
