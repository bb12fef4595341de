"""People at the web table who are not there: they speak the protocol over a WebSocket."""

import json
from contextlib import contextmanager

from starlette.testclient import TestClient

from spielgames.web.house import House, Limits
from spielgames.web.server import make_app

SEATS = {"python_sheephead": 5, "python_snapszer": 2}


class Guest:
    """A page in a browser. `heard` is all that it was ever sent."""

    def __init__(self, socket):
        self.socket, self.heard, self.view, self.links = socket, [], None, None
        self.hello = self.hear("hello")

    def say(self, do, **fields):
        self.socket.send_text(json.dumps({"do": do, **fields}))

    def receive(self):
        text = self.socket.receive_text()
        self.heard.append(text)
        message = json.loads(text)
        if message["is"] == "view":
            self.view = message
        return message

    def hear(self, *kinds):
        """The next message of a kind; others are passed over, but errors only if expected."""
        while True:
            message = self.receive()
            if message["is"] in kinds:
                return message
            assert message["is"] != "error", message["says"]

    def ask(self, do, *kinds, **fields):
        self.say(do, **fields)
        return self.hear(*kinds)

    def refused(self, do, **fields):
        return self.ask(do, "error", **fields)["says"]

    def open(self, game, seats, **fields):
        self.links = self.ask("open", "opened", game=game, seats=seats, **fields)
        return self.hear("view")

    def join(self, link, **fields):
        table, _, token = link.removeprefix("#").partition(".")
        return self.ask("join", "view", table=table, token=token, **fields)

    def until(self, wanted):
        """Wait for a view that is as wanted."""
        while not wanted(self.view):
            self.hear("view")
        return self.view

    def act(self, choose=lambda moves: moves[0], **fields):
        """Play an action, once it is one's turn; return the next view."""
        self.until(lambda view: view["actions"] or view["over"])
        move = choose(self.view["actions"])
        return self.ask("act", "view", action=move["action"], at=self.view["at"])

    def play_on(self, choose=lambda moves: moves[0]):
        """Play until the deal is over."""
        while not self.until(lambda view: view["actions"] or view["over"])["over"]:
            self.act(choose)
        return self.view


class Server:
    """A server of which everything runs in this process, but for the agents that think."""

    def __init__(self, folder, **limits):
        self.house = House(folder, Limits(**limits), thinkers=1)
        self.client = TestClient(make_app(self.house, ("localhost",)), base_url="http://localhost")

    def __enter__(self):
        self.client.__enter__()
        return self

    def __exit__(self, *error):
        self.client.__exit__(*error)

    @contextmanager
    def guest(self, **headers):
        with self.client.websocket_connect("ws://localhost/ws", headers=headers) as socket:
            yield Guest(socket)

    def table(self, guest):
        return self.house.tables[guest.view["table"]]


def me_and(agent, game):
    return ["me"] + [agent] * (SEATS.get(game.partition("(")[0], 4) - 1)
