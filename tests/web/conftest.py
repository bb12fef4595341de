"""A browser for the tests of the table; they are skipped where it is missing."""

from __future__ import annotations

import shutil
import socket
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

if TYPE_CHECKING:
    from playwright.sync_api import Browser, BrowserContext, ConsoleMessage, Page

CHROMIUM = (
    shutil.which("chromium") or shutil.which("chromium-browser") or shutil.which("google-chrome")
)
PATIENCE = 30_000  # milliseconds until an expectation fails, on a machine that is busy


@pytest.fixture(scope="session")
def browser() -> Iterator[Browser]:
    """The system's Chromium, or else Playwright's own."""
    from playwright.sync_api import Error, expect, sync_playwright

    expect.set_options(timeout=PATIENCE)
    with sync_playwright() as playwright:
        try:
            browser = playwright.chromium.launch(executable_path=CHROMIUM, args=["--no-sandbox"])
        except Error:
            pytest.skip("there is no Chromium that starts: run `make test-web`")
        yield browser
        browser.close()


def is_complaint(message: ConsoleMessage) -> bool:
    return message.type == "error" and "ERR_CONNECTION_REFUSED" not in message.text


@pytest.fixture
def context(browser: Browser) -> Iterator[BrowserContext]:
    context = browser.new_context(viewport={"width": 1280, "height": 800}, reduced_motion="reduce")
    context.set_default_timeout(PATIENCE)
    yield context
    context.close()


@pytest.fixture
def page(context: BrowserContext) -> Iterator[Page]:
    """A page that must not complain: neither scripts nor the content security policy. (A server
    that is away is no complaint.)
    """
    page = context.new_page()
    complaints: list[str] = []
    page.on("pageerror", lambda error: complaints.append(str(error)))
    page.on("console", lambda m: complaints.append(m.text) if is_complaint(m) else None)
    yield page
    assert complaints == []


class Server:
    """The table's server, in a process of its own, on a free port."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        with socket.socket() as free:
            free.bind(("127.0.0.1", 0))
            self.port = free.getsockname()[1]
        self.address = f"http://127.0.0.1:{self.port}"

    def start(self) -> None:
        command = [sys.executable, "-m", "spielgames.web", f"--port={self.port}"]
        self.process = subprocess.Popen(
            [*command, f"--tables={self.folder}", "--nowarm_up"], stdout=subprocess.DEVNULL
        )
        self.wait()

    def wait(self) -> None:
        """Until it listens."""
        for _ in range(1200):
            time.sleep(0.1)
            with socket.socket() as probe:
                if probe.connect_ex(("127.0.0.1", self.port)) == 0:
                    return
            assert self.process.poll() is None, "the server has ended"
        raise AssertionError("the server does not listen")

    def stop(self) -> None:
        self.process.terminate()
        self.process.wait(30)


@pytest.fixture(scope="session")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    pytest.importorskip("starlette", reason="the web server's packages are not installed")
    server = Server(tmp_path_factory.mktemp("tables"))
    server.start()
    yield server
    server.stop()
