"""Takes the pictures of the table that the documentation shows.

    python -m tests.web.pictures                    # all, into docs/images/web
    python -m tests.web.pictures hearts review      # some of them

Look at each of them before it is committed.
"""

from __future__ import annotations

import io
import sys
import tempfile
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING

from PIL import Image

from tests.web.conftest import CHROMIUM, Server
from tests.web.player import PATIENCE, READY, by_clicks, click_strip, open_table, play_deal

if TYPE_CHECKING:
    from playwright.sync_api import Page

FOLDER = Path(__file__).parents[2] / "docs" / "images" / "web"
WIDTH, HEIGHT = 1120, 700
COLOURS = 200  # of a picture, so that it is small
SETTLED_MS = 600


def play(page: Page, moves: int) -> None:
    """Makes some moves, and waits until it is one's turn again."""
    for _ in range(moves):
        page.locator(READY).first.wait_for(timeout=PATIENCE)
        at = page.locator(".table-page").get_attribute("data-at")
        by_clicks(page)
        moved = "at => document.querySelector('.table-page').dataset.at !== at"
        page.wait_for_function(moved, arg=at, timeout=PATIENCE)
    page.locator(READY).first.wait_for(timeout=PATIENCE)


def hearts(page: Page, address: str) -> None:
    open_table(page, address, "Hearts", 5)
    illegal = page.locator(".hand-card.dim")
    play(page, 3)
    while not illegal.count():
        play(page, 1)
    illegal.first.hover(position={"x": 12, "y": 30})


def coinche(page: Page, address: str) -> None:
    open_table(page, address, "Coinche", 11)
    page.get_by_role("button", name="pass").click()
    page.get_by_role("button", name="coinche").wait_for()


def hokm(page: Page, address: str) -> None:
    open_table(page, address, "Hokm", 11)
    play(page, 4)


def sheephead(page: Page, address: str) -> None:
    open_table(page, address, "Sheephead", 11)
    play(page, 3)


def snapszer(page: Page, address: str) -> None:
    open_table(page, address, "Snapszer", 12)
    click_strip(page.locator(".hand-card.playable").first)
    page.locator(READY).first.wait_for(timeout=PATIENCE)


def analysis(page: Page, address: str) -> None:
    open_table(page, address, "Hokm", 11)
    play(page, 3)
    page.keyboard.press("s")
    page.get_by_label("Show me").select_option("values")
    page.keyboard.press("Escape")
    page.keyboard.press("a")
    done = "() => document.querySelector('[data-test=progress]')?.innerText.includes('done')"
    page.wait_for_function(done, timeout=PATIENCE)


def review(page: Page, address: str) -> None:
    open_table(page, address, "Hearts", 11)
    play_deal(page, by_clicks)
    page.keyboard.press("r")
    page.get_by_role("button", name="Find mistakes").click()
    done = "() => document.querySelector('.side')?.innerText.includes('done')"
    page.wait_for_function(done, timeout=PATIENCE)
    page.locator(".mistake .link").first.click()
    page.locator(".mistake").first.get_by_role("button", name="What was better?").click()
    page.get_by_placeholder("what you think of this decision").fill("I forgot the queen of spades.")
    page.keyboard.press("Enter")
    page.locator(".flag.note").wait_for()


PICTURES: dict[str, Callable[[Page, str], None]] = {
    "hearts": hearts,
    "coinche": coinche,
    "hokm": hokm,
    "sheephead": sheephead,
    "snapszer": snapszer,
    "analysis": analysis,
    "review": review,
}


def save(page: Page, path: Path) -> None:
    page.wait_for_timeout(SETTLED_MS)
    picture = Image.open(io.BytesIO(page.screenshot())).convert("RGB")
    picture.quantize(COLOURS, kmeans=3).save(path, optimize=True)


def main(names: list[str]) -> None:
    from playwright.sync_api import ViewportSize, sync_playwright

    with tempfile.TemporaryDirectory() as folder, sync_playwright() as playwright:
        server = Server(Path(folder))
        server.start()
        browser = playwright.chromium.launch(executable_path=CHROMIUM, args=["--no-sandbox"])
        size = ViewportSize(width=WIDTH, height=HEIGHT)
        for name in names or PICTURES:
            page = browser.new_page(viewport=size, reduced_motion="reduce")
            page.set_default_timeout(PATIENCE)
            page.add_init_script("localStorage.spielgames ??= '{\"slow\": 0}'")
            PICTURES[name](page, server.address)
            save(page, FOLDER / f"{name}.png")
            page.close()
        browser.close()
        server.stop()


if __name__ == "__main__":
    main(sys.argv[1:])
