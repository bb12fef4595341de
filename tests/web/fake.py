"""A stand-in for the server: hand-written views, to test what the page draws by itself."""

from __future__ import annotations

import json
import mimetypes
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from playwright.sync_api import Page, Route, WebSocketRoute

MISSING = "Playwright is not installed: run `make test-web`"
STATIC = Path(__file__).parents[2] / "spielgames" / "web" / "static"
ADDRESS = "http://table.test"
POLICY = (
    "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; "
    "connect-src 'self' ws://table.test; base-uri 'none'; form-action 'none'"
)
Message = dict[str, Any]


def serve(
    page: Page, answer: Callable[[Message], list[Message]], first: list[Message]
) -> list[Message]:
    """Serves the page; `answer` tells what comes back to a message. Returns all that was sent."""
    sent: list[Message] = []

    def connected(socket: WebSocketRoute) -> None:
        def heard(text: str | bytes) -> None:
            message = json.loads(text)
            sent.append(message)
            for reply in answer(message):
                socket.send(json.dumps(reply))

        socket.on_message(heard)
        for message in first:
            socket.send(json.dumps(message))

    page.route(f"{ADDRESS}/**", fulfil)
    page.route_web_socket(f"{ADDRESS.replace('http', 'ws')}/ws", connected)
    return sent


def fulfil(route: Route) -> None:
    path = route.request.url.removeprefix(ADDRESS).split("#")[0].split("?")[0]
    name = "index.html" if path == "/" else path.removeprefix("/static/")
    file = STATIC / name
    if not file.is_file():
        return route.fulfill(status=404)
    kind = mimetypes.guess_type(name)[0] or "text/javascript"
    kind = "text/javascript" if name.endswith(".mjs") else kind
    headers = {"content-security-policy": POLICY, "content-type": kind}
    return route.fulfill(status=200, body=file.read_bytes(), headers=headers)
