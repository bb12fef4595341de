"""Whole deals at the table, in a real browser with the real server."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

import pytest

from tests.web.fake import MISSING
from tests.web.player import by_clicks, by_keys, open_table, play_deal

if TYPE_CHECKING:
    from playwright.sync_api import BrowserContext, Page

    from tests.web.conftest import Server

expect = pytest.importorskip("playwright.sync_api", reason=MISSING).expect
pytestmark = pytest.mark.web
SLOW = 300_000  # milliseconds, for what may have to be compiled


@pytest.mark.parametrize("game", ["Coinche", "Hokm", "Hearts", "Sheephead", "Snapszer"])
def test_a_deal_is_played_by_clicks(page: Page, server: Server, game: str) -> None:
    open_table(page, server.address, game, deal=4)
    play_deal(page, by_clicks)
    expect(page.locator(".ending")).to_contain_text("over")
    page.get_by_role("button", name="All hands").click()
    expect(page.locator(".dealt figure").first.locator(".card").first).to_be_visible()


@pytest.mark.parametrize("game", ["Coinche", "Hokm", "Hearts", "Sheephead", "Snapszer"])
def test_a_deal_is_played_by_keys_alone(page: Page, server: Server, game: str) -> None:
    open_table(page, server.address, game, deal=2)
    play_deal(page, by_keys)
    page.keyboard.press("n")
    expect(page.locator(".top")).to_contain_text("deal 3")


def test_the_opening_page_is_quick_and_loads_nothing_from_outside(
    page: Page, server: Server
) -> None:
    asked: list[str] = []
    page.on("request", lambda request: asked.append(request.url))
    page.goto(server.address)
    page.get_by_role("button", name="Deal the cards").wait_for()
    assert [url for url in asked if not url.startswith((server.address, "data:"))] == []


def test_analysis_deepens_and_draws_bars(page: Page, server: Server) -> None:
    worlds = heard(page, "analysis", "worlds")
    open_table(page, server.address, "Snapszer", deal=3)
    page.keyboard.press("s")
    page.get_by_label("Show me").select_option("values")
    page.keyboard.press("Escape")
    page.keyboard.press("a")
    expect(page.locator('[data-test="progress"]')).to_contain_text("done", timeout=SLOW)
    assert worlds[-5:] == [10, 20, 40, 80, 160]
    expect(page.locator(".hand .bar .text")).to_have_count(5)
    expect(page.locator(".verdicts tr.first")).to_have_count(1)


def heard(page: Page, kind: str, field: str) -> list[Any]:
    """A list that grows by a field of each message of a kind."""
    found: list[Any] = []

    def listen(text: str | bytes) -> None:
        message = json.loads(text)
        if message["is"] == kind and field in message:
            found.append(message[field])

    page.on("websocket", lambda socket: socket.on("framereceived", listen))
    return found


def test_unseen_cards_have_probabilities(page: Page, server: Server) -> None:
    open_table(page, server.address, "Snapszer", deal=3)
    page.keyboard.press("p")
    expect(page.locator(".belief tbody tr")).to_have_count(14, timeout=SLOW)


def test_a_deal_is_looked_at_again(page: Page, server: Server) -> None:
    open_table(page, server.address, "Snapszer", deal=5)
    play_deal(page, by_clicks)
    page.keyboard.press("r")
    step = page.locator('[data-test="step"]')
    expect(step).to_contain_text("decision 1 of")
    page.keyboard.press(".")
    expect(step).to_contain_text("decision 2 of")
    expect(page.locator(".seat-top .fan.known")).to_be_visible()
    page.get_by_role("button", name="Find mistakes").click()
    expect(page.locator(".side")).to_contain_text("done", timeout=SLOW)
    for mistake in page.locator(".mistake").all():
        expect(mistake).not_to_contain_text("Better:")
        mistake.get_by_role("button", name="What was better?").click()
        expect(mistake).to_contain_text("Better:")


def test_a_decision_is_commented(page: Page, server: Server) -> None:
    open_table(page, server.address, "Snapszer", deal=5)
    play_deal(page, by_clicks)
    page.keyboard.press("r")
    page.get_by_label("comment").fill("too early")
    page.keyboard.press("Enter")
    page.get_by_role("button", name="comment on decision 1").wait_for()
    page.keyboard.press("Escape")
    page.reload()
    page.get_by_role("button", name="Look back").click()
    expect(page.get_by_label("comment", exact=True)).to_have_value("too early")
    page.get_by_role("button", name="Back to the table").click()
    page.get_by_role("button", name="Save or share").click()
    expect(page.locator(".transcript")).to_contain_text("comment 1: too early")


def test_a_deal_goes_out_and_comes_in(page: Page, server: Server) -> None:
    open_table(page, server.address, "Snapszer", deal=6)
    play_deal(page, by_clicks)
    page.get_by_role("button", name="Save or share").click()
    with page.expect_download() as download:
        page.get_by_role("link", name="Download").click()
    assert download.value.suggested_filename == "snapszer-6.txt"
    link = page.get_by_label("link", exact=True).input_value()
    page.goto("about:blank")
    page.goto(link)
    expect(page.locator(".ending")).to_be_visible(timeout=SLOW)


def test_play_goes_on_from_a_position(page: Page, server: Server) -> None:
    open_table(page, server.address, "Snapszer", deal=7)
    play_deal(page, by_clicks)
    page.keyboard.press("r")
    page.get_by_role("button", name="Play on from here").click()
    page.get_by_role("dialog").get_by_role("button", name="Play on").click()
    expect(page.locator(".replay")).to_have_count(0)
    play_deal(page, by_clicks)


def test_a_restarted_server_is_found_again(page: Page, server: Server) -> None:
    open_table(page, server.address, "Snapszer", deal=8)
    by_clicks(page)
    page.locator(".hand-card.playable").first.wait_for(timeout=SLOW)
    hand = page.get_by_label("your hand").aria_snapshot()
    server.stop()
    expect(page.locator(".banner")).to_contain_text("The connection is lost")
    server.start()
    expect(page.locator(".banner")).to_have_count(0, timeout=SLOW)
    assert page.get_by_label("your hand").aria_snapshot() == hand
    by_clicks(page)


def test_a_reload_comes_back_to_the_table(page: Page, server: Server) -> None:
    open_table(page, server.address, "Hokm", deal=9)
    hand = page.get_by_label("your hand").aria_snapshot()
    page.reload()
    page.locator(".table-page").wait_for()
    assert page.get_by_label("your hand").aria_snapshot() == hand


def test_two_people_sit_at_one_table(page: Page, context: BrowserContext, server: Server) -> None:
    page.goto(server.address)
    page.get_by_role("radio", name="Snapszer").click()
    page.get_by_label("who sits at seat 1").select_option("person")
    page.get_by_label("Your name").fill("Ann")
    page.get_by_role("button", name="Deal the cards").click()
    link = page.get_by_role("dialog", name="Invite").get_by_label("link").first.input_value()
    page.keyboard.press("Escape")
    other = context.new_page()
    other.goto(link)
    expect(other.locator(".seat-top")).to_contain_text("Ann", timeout=SLOW)
    own, theirs = (p.locator(".hand .card").count() for p in (page, other))
    assert (own, theirs) == (5, 5)
    page.locator(".hand-card.playable").first.click()
    expect(other.locator(".played")).to_have_count(1)
    expect(other.locator(".prompt")).to_have_attribute("data-mine", "true")


def test_watching_agents(page: Page, server: Server) -> None:
    page.goto(server.address)
    page.get_by_role("radio", name="Snapszer").click()
    for seat in (0, 1):
        page.get_by_label(f"who sits at seat {seat}").select_option("rules")
    page.get_by_role("button", name="Only watch agents").click()
    page.locator(".table-page").wait_for(timeout=SLOW)
    page.keyboard.press("s")
    page.get_by_label("seconds for a move").fill("0")
    page.keyboard.press("Escape")
    expect(page.locator(".ending")).to_be_visible(timeout=SLOW)


def test_rules_are_explained(page: Page, server: Server) -> None:
    page.goto(server.address)
    page.get_by_role("radio", name="Hokm").click()
    page.get_by_role("link", name="How is it played?").click()
    expect(page.get_by_role("heading", name="Hokm")).to_be_visible()
    page.get_by_role("button", name="Back").click()
    expect(page.get_by_role("button", name="Deal the cards")).to_be_visible()


def test_a_phone_shows_a_deal_without_scrolling_sideways(page: Page, server: Server) -> None:
    page.set_viewport_size({"width": 360, "height": 740})
    open_table(page, server.address, "Hearts", deal=4)
    for _ in range(4):
        page.locator(".hand-card.playable").first.wait_for(timeout=SLOW)
        assert page.evaluate("document.documentElement.scrollWidth") <= 360
        by_clicks(page)
        page.wait_for_timeout(300)
