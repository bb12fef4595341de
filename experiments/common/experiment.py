"""The steps that all experiments take: check a config, go on with its curves, measure, report.

    class MyExperiment(Experiment):  # defines check, curves, learn, measure, report and draw
        ...

    EXPERIMENT = MyExperiment(script="experiments/x.py", config="experiments/configs/x.py")

    if __name__ == "__main__":
        EXPERIMENT.start()

The report and the figures are made from the files in the work folder alone, so that --report can
write them anew without learning or measuring anything.
"""

import ast
import shlex
import sys
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from textwrap import indent

from absl import flags
from ml_collections import ConfigDict, config_flags

from analysis.figures import save_text
from experiments.common.curves import Curve, describe
from experiments.common.executors import HELP, add_executor, executor_of
from experiments.common.runs import plain, save_json
from solvers.runs.threads import use_threads
from spielgames.command import refuse_field, run, user_input
from spielgames.core.game import Game
from spielgames.core.registry import find

ROOT = Path(__file__).parents[2]
flags.disclaim_key_flags()  # so that --help lists them as the script's own


@dataclass(frozen=True)
class Experiment:
    """A script with a config. Learning goes on where it was stopped, given the same work folder."""

    script: str
    config: str
    descriptions: Mapping[str, str] = field(default_factory=dict, kw_only=True)  # of its curves

    def check(self, config: ConfigDict) -> None:
        """Refuse a bad config with a ValueError, before anything is written."""

    def curves(self, config: ConfigDict, workdir: Path) -> list[Curve]:
        """All curves of a config."""
        raise NotImplementedError

    def open(self, config: ConfigDict, workdir: Path) -> None:
        """Keep the config. A curve's folder keeps its own part, and refuses another one."""
        save_json(workdir / "config.json", plain(config.to_dict()))

    def learn(self, curve: Curve, config: ConfigDict) -> None:
        """Go on with a curve up to its limits."""
        raise NotImplementedError

    def measure(self, config: ConfigDict, workdir: Path) -> None:
        """Gather the lines of all curves, and measure whatever else a report needs."""

    def report(self, workdir: Path) -> str:
        raise NotImplementedError

    def draw(self, workdir: Path) -> list[Path]:
        """Save the figures; return their files."""
        raise NotImplementedError

    def follow_up(self, config: ConfigDict, workdir: Path) -> list[str]:
        """Commands to try next."""
        raise NotImplementedError

    def help(self) -> str:
        """The end of --help: the config's docstring, with its variants and fields, and the report's
        descriptions of curves.
        """
        source = (ROOT / self.config).read_text(encoding="utf-8")
        text = ast.get_docstring(ast.parse(source)) or ""
        if add_executor.__name__ in source:
            text += f"\n\n{HELP}"
        if self.descriptions:
            text += f"\n\nCurves:\n\n{describe(self.descriptions, self.descriptions)}"
        return f"\n--config={self.config}:VARIANT\n\n{indent(text, '  ')}"

    def chosen_curves(self, config: ConfigDict) -> Sequence[str] | None:
        """The names of the curves that the flags ask for; None: of all."""
        return flags.FLAGS.only or None

    def carry_out(
        self, workdir: Path, config: ConfigDict, only: Sequence[str] | None = None
    ) -> list[Path]:
        """Go on with the curves and write everything; return the files."""
        self.check(config)
        curves = self.curves(config, workdir)
        check_names("curve", only or (), dict.fromkeys(curve.name for curve in curves))
        if "threads" in config:
            use_threads(config.threads)
        self.open(config, workdir)
        for curve in curves:
            if only is None or curve.name in only:
                self.learn(curve, config)
        self.measure(config, workdir)
        return self.write(workdir)

    def write(self, workdir: Path) -> list[Path]:
        """The report and the figures, from the files in the work folder."""
        text = self.report(workdir)
        print(f"\n{text}")
        save_text(workdir / "report.md", text)
        return [workdir / "report.md", *self.draw(workdir)]

    def command(self, variant: str) -> str:
        """How to start it with a variant of its config."""
        if Path(self.script).exists():
            return f"python {self.script} --config={self.config}:{variant}"
        return f"spielgames experiment {Path(self.script).stem} --config={variant}"

    def located(self, word: str) -> str:
        """The word of a command, with the file in which the variant of a config is:
        `--config=cpu` names one of the experiment's own, wherever the package is installed.
        """
        flag, _, given = word.partition("=")
        path, colon, variant = given.partition(":")
        if flag.lstrip("-") != "config" or not word.startswith("-") or not given:
            return word
        if not path.endswith(".py"):
            path, colon, variant = self.config, ":", given
        found = path if Path(path).exists() else str(ROOT / path)
        return f"{flag}={found}{colon}{variant}"

    def define_flags(self) -> None:
        sys.argv[1:] = [self.located(word) for word in sys.argv[1:]]
        try:  # without --config, fields are looked up at once
            default = self.located(f"--config={self.config}:quick").partition("=")[2]
            config_flags.DEFINE_config_file("config", default, "a config file and its variant")
        except (AttributeError, KeyError) as error:
            refuse_field(error)
        define_workdir(f"runs/{Path(self.script).stem}")
        flags.DEFINE_bool("report", False, "only rewrite the report and figures of the work folder")
        flags.DEFINE_list("only", [], "the curves to go on with; all by default")

    def start(self) -> None:
        """Run the script."""
        self.define_flags()
        run(self.main, self.help)

    def main(self) -> None:
        chosen = flags.FLAGS
        workdir, config = Path(chosen.workdir), chosen.config
        if chosen.report:
            with user_input():
                print("\nWritten:", *self.write(workdir), sep="\n  ")
        else:
            carry_out(
                lambda: self.execute(workdir, config), lambda: self.follow_up(config, workdir)
            )

    def execute(self, workdir: Path, config: ConfigDict) -> list[Path]:
        """Carry it out by the executor that the config names."""
        with executor_of(config):
            return self.carry_out(workdir, config, self.chosen_curves(config))


def define_workdir(default: str) -> None:
    flags.DEFINE_string("workdir", default, "the folder for the results")
    flags.register_validator("workdir", lambda w: w and not Path(w).is_file(), "it is a folder")


def carry_out(experiment: Callable[[], list[Path]], follow_up: Callable[[], list[str]]) -> None:
    """Name the files that an experiment has written, and what to try next; after Ctrl-C, the
    command that goes on.
    """
    try:
        with user_input():
            files = experiment()
    except KeyboardInterrupt:
        print(f"\nStopped. To go on:\n  {shlex.join(['python', *sys.argv])}")
        raise
    print("\nWritten:", *files, sep="\n  ")
    print("\nNext:", *follow_up(), sep="\n  ")
    if figures := [path for path in files if path.suffix == ".png"]:
        print("\nThe figure:", figures[0])


def check_names(kind: str, names: Iterable[str], known: Iterable[str]) -> None:
    known = list(known)
    if unknown := [name for name in names if name not in known]:
        raise ValueError(f"there is no {kind} {unknown[0]!r}; there are {', '.join(known)}")


def check_least(config: ConfigDict, **least: int) -> None:
    for name, bound in least.items():
        if config[name] < bound:
            raise ValueError(f"{name}={config[name]} is not allowed; it is at least {bound}")


def check_game(field: str, name: str, game: Game) -> None:
    if find(name)[0] is not game:
        raise ValueError(f"{field}={name} is not allowed; it is {game.title}")
