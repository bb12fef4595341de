"""The table in the browser.

    python -m spielgames.web
    python -m spielgames.web --port=9000 --tables=tables
    python -m spielgames.web --host=0.0.0.0 --names=cards.example.org   (for others: docs/web.md)

Open the address that it prints.
"""

import gc
from pathlib import Path

from absl import flags

import spielgames  # noqa: F401  (registers the games)
from spielgames.command import refuse, run, user_input

MISSING = "the web table needs more packages: python -m pip install 'spielgames[web]'"


def define_flags() -> None:
    flags.DEFINE_string("host", "127.0.0.1", "the address to listen at; 0.0.0.0 is everywhere")
    flags.DEFINE_integer("port", 8000, "the port to listen at", 1, 65535)
    flags.DEFINE_list("names", [], "the names by which others reach this host; any, if none is")
    flags.DEFINE_string("tables", "runs/web", "the folder in which tables are kept")
    flags.DEFINE_integer("most_tables", 500, "how many tables may be in memory", 1, 100_000)
    flags.DEFINE_integer("most_analyses", 4, "how many analyses may run at once", 0, 1000)
    flags.DEFINE_float("think", 30.0, "the seconds after which an agent plays by the rules", 0.1)
    flags.DEFINE_boolean("warm_up", True, "compile searches as soon as a table of a game opens")


def main() -> None:
    try:
        import uvicorn

        from spielgames.web.house import House, Limits
        from spielgames.web.messages import LONGEST
        from spielgames.web.server import LOCAL, make_app
    except ModuleNotFoundError:
        refuse(MISSING)
    chosen = flags.FLAGS
    with user_input():
        limits = Limits(chosen.most_tables, chosen.most_analyses, chosen.think, chosen.warm_up)
        house = House(Path(chosen.tables), limits)
    local = chosen.host in ("127.0.0.1", "localhost", "::1")
    hosts = tuple(chosen.names) + LOCAL if local or chosen.names else ()
    gc.freeze()  # what is loaded by now is never garbage, and searching it would take long
    print(f"http://{chosen.host}:{chosen.port}/ (Ctrl-C ends it)", flush=True)
    uvicorn.run(
        make_app(house, hosts),
        host=chosen.host,
        port=chosen.port,
        log_level="warning",
        ws_max_size=LONGEST,
        server_header=False,
        ws_per_message_deflate=False,  # which would cost more time than it saves
    )


if __name__ == "__main__":
    define_flags()
    run(main)
