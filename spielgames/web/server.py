"""The web application: static files, and the WebSocket at which pages are served."""

import asyncio
import json
import mimetypes
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager, suppress
from pathlib import Path
from urllib.parse import urlsplit

from starlette.applications import Starlette
from starlette.requests import Request
from starlette.responses import FileResponse, PlainTextResponse, Response
from starlette.routing import Mount, Route, WebSocketRoute
from starlette.staticfiles import StaticFiles
from starlette.types import ASGIApp, Message, Receive, Scope, Send
from starlette.websockets import WebSocket, WebSocketDisconnect

from spielgames.web.house import House
from spielgames.web.page import Page

STATIC = Path(__file__).with_name("static")
POLICY = (
    "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:;"
    " font-src 'self'; connect-src 'self'; manifest-src 'self'; base-uri 'none';"
    " form-action 'none'; frame-ancestors 'none'"
)
HEADERS = {
    "content-security-policy": POLICY,
    "x-content-type-options": "nosniff",
    "referrer-policy": "no-referrer",
    "cross-origin-opener-policy": "same-origin",
    "cross-origin-resource-policy": "same-origin",
    "cache-control": "no-cache",
}
mimetypes.add_type("text/javascript", ".mjs")  # which not every system knows
REFUSED = 1008  # WebSocket's code for a broken policy
LOCAL = ("localhost", "127.0.0.1", "[::1]")


class Guarded:
    """Gives every answer the security headers, and refuses hosts that are not ours: a page of
    another site could otherwise reach a server that listens to this machine only.
    """

    def __init__(self, app: ASGIApp, hosts: tuple[str, ...]) -> None:
        self.app, self.hosts = app, hosts

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        async def send_guarded(message: Message) -> None:
            if message["type"] == "http.response.start":
                extra = [(key.encode(), value.encode()) for key, value in HEADERS.items()]
                message["headers"] = [*message["headers"], *extra]
            await send(message)

        if scope["type"] == "http" and not self.knows(scope):
            await PlainTextResponse("unknown host", 400)(scope, receive, send_guarded)
        else:
            await self.app(scope, receive, send_guarded)

    def knows(self, scope: Scope) -> bool:
        host = dict(scope["headers"]).get(b"host", b"").decode("latin-1")
        return is_known(host, self.hosts)


def is_known(host: str, hosts: tuple[str, ...]) -> bool:
    """Whether a Host header names one of our hosts; any is ours if none is named."""
    name = host if host.endswith("]") else host.rpartition(":")[0] or host
    return not hosts or name.lower() in hosts


def same_origin(socket: WebSocket) -> bool:
    """Whether a WebSocket was opened by a page of ours. Programs that are no browsers say no
    origin.
    """
    origin = socket.headers.get("origin")
    return origin is None or urlsplit(origin).netloc == socket.headers.get("host")


async def index(request: Request) -> Response:
    return FileResponse(STATIC / "index.html")


def serve(house: House, hosts: tuple[str, ...]) -> Callable[[WebSocket], object]:
    async def endpoint(socket: WebSocket) -> None:
        if not same_origin(socket) or not is_known(socket.headers.get("host", ""), hosts):
            await socket.close(REFUSED)
            return
        await socket.accept()
        await converse(socket, Page(house))

    return endpoint


async def converse(socket: WebSocket, page: Page) -> None:
    """Answer a page until it goes away."""
    page.send(page.welcome())
    sender = asyncio.create_task(send_all(socket, page))
    try:
        while not page.lost:
            received = await socket.receive()
            if received["type"] == "websocket.disconnect":
                break
            await page.hear(received.get("text") or received.get("bytes") or "")
    except WebSocketDisconnect:
        pass
    finally:
        page.leave()
        sender.cancel()
        with suppress(RuntimeError):
            await socket.close()


async def send_all(socket: WebSocket, page: Page) -> None:
    with suppress(WebSocketDisconnect, RuntimeError):
        while True:
            message = await page.outbox.get()
            await socket.send_text(json.dumps(message, ensure_ascii=False, allow_nan=False))


def make_app(house: House, hosts: tuple[str, ...] = LOCAL) -> ASGIApp:
    @asynccontextmanager
    async def lifespan(app: Starlette) -> AsyncIterator[None]:
        yield
        await house.close()

    routes = [
        Route("/", index),
        Mount("/static", StaticFiles(directory=STATIC)),
        WebSocketRoute("/ws", serve(house, hosts)),
    ]
    return Guarded(Starlette(routes=routes, lifespan=lifespan), hosts)
