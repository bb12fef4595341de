"""Somebody who plays at the table in a browser, by clicks or by keys."""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from playwright.sync_api import Locator, Page

LONGEST_DEAL = 60  # decisions of one person
PATIENCE = 200_000  # milliseconds until agents have moved, which may have to be compiled
READY = (
    ".ending, .replay, .calls button:enabled, .hand-card.playable:not([aria-pressed]), "
    '.hand-card[aria-pressed="false"]'
)


def open_table(page: Page, address: str, game: str, deal: int, others: str = "rules") -> None:
    """Opens a table of a deal with agents at the other seats."""
    page.goto(address)
    page.get_by_role("radio", name=game).click()
    for choice in page.locator(".seat-choices select").all()[1:]:
        choice.select_option(others)
    page.get_by_label("Deal number").fill(str(deal))
    page.get_by_role("button", name="Deal the cards").click()
    page.locator(".table-page").wait_for(timeout=PATIENCE)


def play_deal(page: Page, move: Callable[[Page], None]) -> None:
    """Makes moves until the deal is over."""
    for _ in range(LONGEST_DEAL):
        page.locator(READY).first.wait_for(timeout=PATIENCE)
        if page.locator(".ending").count():
            return
        at = page.locator(".table-page").get_attribute("data-at")
        move(page)
        page.wait_for_function(
            "at => document.querySelector('.table-page').dataset.at !== at",
            arg=at,
            timeout=PATIENCE,
        )
        page.wait_for_function(
            "() => !document.querySelector('.mine.yours') || document.querySelector"
            "('.calls button:enabled, .hand-card.playable, .ending')",
            timeout=PATIENCE,
        )
    raise AssertionError("the deal does not end")


def by_clicks(page: Page) -> None:
    """The last of the calls, or else the first cards that may be chosen."""
    calls = page.locator(".calls button:enabled")
    if calls.count():
        return calls.last.click()
    wanted = chosen_together(page)
    cards = page.locator(".hand-card.playable")
    if not wanted:
        return click_strip(cards.first)
    for i in range(wanted):
        click_strip(cards.nth(i))
    return page.locator(".prompt button").click()


def click_strip(card: Locator) -> None:
    """Clicks the part of a card that its neighbour does not cover."""
    card.click(position={"x": 12, "y": 30})


def by_keys(page: Page) -> None:
    """The same with keys alone: no click, and no focus set by the test."""
    if page.locator(".calls button:enabled").count():
        page.keyboard.press("b")
        return page.keyboard.press("Enter")
    wanted = chosen_together(page)
    page.keyboard.press("h")
    for _ in range(page.locator(".hand-card").count()):
        focused = page.locator(".hand-card:focus")
        if "playable" in (focused.get_attribute("class") or ""):
            break
        page.keyboard.press("ArrowRight")
    page.keyboard.press("Enter")
    for _ in range(wanted - 1):
        page.keyboard.press("ArrowRight")
        page.keyboard.press("Enter")
    if wanted:
        page.keyboard.press("b")
        page.keyboard.press("Enter")
    return None


def chosen_together(page: Page) -> int:
    """How many cards are to be chosen before any is sent; 0 if cards are played at once."""
    button = page.locator(".prompt button")
    found = re.search(r"of (\d)", button.inner_text()) if button.count() else None
    return int(found[1]) if found else 0
