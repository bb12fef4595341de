"""What the page draws and sends, with hand-written views instead of a server."""

from __future__ import annotations

from itertools import combinations
from typing import TYPE_CHECKING, Any

import pytest

from tests.web import fake, views

if TYPE_CHECKING:
    from playwright.sync_api import Locator, Page

expect = pytest.importorskip("playwright.sync_api", reason=fake.MISSING).expect
pytestmark = pytest.mark.web
Message = dict[str, Any]


def sit(page: Page, shown: Message) -> list[Message]:
    """Sits down at a table that shows one view; returns what the page sends."""

    def answer(message: Message) -> list[Message]:
        found = {"join": [shown], "explain": [views.analysis(shown)]}
        return found.get(message["do"], [])

    sent = fake.serve(page, answer, [views.HELLO])
    page.goto(f"{fake.ADDRESS}/#k3x9.Tq")
    page.get_by_role("heading").or_(page.get_by_label("your place")).first.wait_for()
    return sent


def said(sent: list[Message], what: str) -> list[Message]:
    return [message for message in sent if message["do"] == what]


def test_cards_are_named_for_those_who_do_not_see_them(page: Page) -> None:
    sit(page, views.hearts())
    hand = page.get_by_label("your hand")
    expect(hand.get_by_role("button")).to_have_count(12)
    expect(hand.get_by_role("button", name="king of diamonds, playable")).to_be_visible()
    why = "ace of spades, not playable: you must follow diamonds"
    expect(hand.get_by_role("button", name=why)).to_have_attribute("aria-disabled", "true")


def test_an_illegal_card_says_why_and_sends_nothing(page: Page) -> None:
    sent = sit(page, views.hearts())
    page.locator('[data-card="A♠"]').click(force=True)
    expect(page.get_by_text("You must follow diamonds.")).to_be_visible()
    assert said(sent, "act") == []


def test_a_card_is_played_by_a_click(page: Page) -> None:
    sent = sit(page, views.hearts())
    page.locator('[data-card="8♦"]').click()
    assert said(sent, "act") == [{"do": "act", "action": 1, "at": "0:5"}]


def test_a_card_is_played_by_keys(page: Page) -> None:
    sent = sit(page, views.hearts())
    page.keyboard.press("h")
    expect(page.locator('[data-card="K♦"]')).to_be_focused()
    page.keyboard.press("ArrowRight")
    page.keyboard.press("ArrowRight")
    page.keyboard.press("Enter")
    assert [m["action"] for m in said(sent, "act")] == [2]


def test_three_cards_are_chosen_before_any_is_passed(page: Page) -> None:
    sent = sit(page, views.passing())
    for card in ("A♠", "Q♠"):
        page.locator(f'[data-card="{card}"]').click()
    button = page.locator(".prompt button")
    expect(button).to_be_disabled()
    page.locator('[data-card="K♥"]').click()
    assert said(sent, "act") == []
    button.click()
    assert [m["action"] for m in said(sent, "act")] == [0]  # the next goes after the next view


def test_bids_are_a_grid_that_arrows_walk_through(page: Page) -> None:
    sent = sit(page, views.coinche())
    expect(page.locator(".bid")).to_have_count(32)
    page.get_by_role("button", name="bid 110 hearts").focus()
    page.keyboard.press("ArrowRight")
    expect(page.get_by_role("button", name="bid 120 hearts")).to_be_focused()
    page.keyboard.press("ArrowDown")
    page.keyboard.press("Enter")
    assert [m["action"] for m in said(sent, "act")] == [1 + 4 * 2 + 3]


def test_german_cards_have_german_names(page: Page) -> None:
    sit(page, views.snapszer())
    expect(page.get_by_role("button", name="ober of hearts, playable")).to_be_visible()
    expect(page.get_by_role("img", name="talon: 6 cards, upcard king of acorns")).to_be_visible()
    expect(page.get_by_label("contract")).to_contain_text("acorns")


def test_analysis_puts_bars_under_cards(page: Page) -> None:
    sent = sit(page, views.hearts())
    page.keyboard.press("s")
    page.get_by_label("Show me").select_option("values")
    page.keyboard.press("Escape")
    page.keyboard.press("a")
    expect(page.locator(".hand .bar .text").first).to_have_text("★+1.3")
    expect(page.locator('[data-test="progress"]')).to_contain_text("40/200 worlds")
    assert said(sent, "explain")[-1] == {"do": "explain", "question": "worlds", "worlds": 160}


def test_a_push_from_the_server_leaves_the_hand_where_it_is(page: Page) -> None:
    shown = views.hearts()
    later = shown | {"settings": shown["settings"] | {"pace": 1}}

    def answer(message: Message) -> list[Message]:
        return (
            [shown if message["do"] == "join" else later]
            if message["do"] in ("join", "set")
            else []
        )

    fake.serve(page, answer, [views.HELLO])
    page.goto(f"{fake.ADDRESS}/#k3x9.Tq")
    card = page.locator('[data-card="8♦"]')
    card.evaluate("card => card.marked = true")
    page.keyboard.press("s")
    page.locator('dialog input[type="range"]').fill("1")
    expect(page.locator("dialog")).to_contain_text("at least 1 s")
    assert card.evaluate("card => card.marked") is True


def test_keys_are_explained(page: Page) -> None:
    sit(page, views.hearts())
    page.keyboard.press("?")
    expect(page.get_by_role("dialog", name="Keys")).to_contain_text("show the last trick")


def test_what_the_server_says_before_the_first_frame_is_drawn(page: Page) -> None:
    page.add_init_script("window.requestAnimationFrame = () => 0")
    fake.serve(page, lambda message: [], [views.HELLO])
    page.goto(fake.ADDRESS)
    expect(page.get_by_role("button", name="Deal the cards")).to_be_visible()


def test_compiling_is_said(page: Page) -> None:
    begun, ended = ({"is": "compiling", "done": done} for done in (False, True))

    def answer(message: Message) -> list[Message]:
        return {"join": [views.hearts()], "explain": [begun], "stop": [ended]}.get(
            message["do"], []
        )

    fake.serve(page, answer, [views.HELLO])
    page.goto(f"{fake.ADDRESS}/#k3x9.Tq")
    page.get_by_label("your place").wait_for()
    page.keyboard.press("a")
    expect(page.locator(".notice")).to_contain_text("Compiling for this game, once")
    expect(page.locator(".side")).to_contain_text("Compiling for this game, once")
    page.keyboard.press("a")
    expect(page.locator(".notice")).to_have_count(0)


def test_the_opening_page_opens_a_table(page: Page) -> None:
    sent = fake.serve(page, lambda message: [], [views.HELLO])
    page.goto(fake.ADDRESS)
    page.get_by_role("radio", name="Snapszer").click()
    page.get_by_label("who sits at seat 1").select_option("rules")
    page.get_by_label("Deal number").fill("17")
    page.get_by_label("Your name").fill("Ann")
    page.get_by_role("button", name="Deal the cards").click()
    assert said(sent, "open") == [
        {
            "do": "open",
            "game": "python_snapszer",
            "seats": ["me", "rules"],
            "parameters": {},
            "match": False,
            "name": "Ann",
            "deal": 17,
        }
    ]


@pytest.mark.parametrize("name", [*views.GAMES, "home"])
def test_nothing_is_wider_than_a_phone(page: Page, name: str) -> None:
    page.set_viewport_size({"width": 360, "height": 740})
    if name == "home":
        fake.serve(page, lambda message: [], [views.HELLO])
        page.goto(fake.ADDRESS)
        page.get_by_role("button", name="Deal the cards").wait_for()
    else:
        sit(page, views.GAMES[name]())
    for panel in page.get_by_role("tab").all():
        panel.click()
        assert page.evaluate("document.documentElement.scrollWidth") <= 360
    assert page.evaluate("document.documentElement.scrollWidth") <= 360


def test_what_happens_is_said(page: Page) -> None:
    shown = views.hearts() | {"fresh": 4}
    sit(page, shown)
    words = "Omid plays 5 of diamonds. Vera plays queen of diamonds. Your turn: play a card."
    expect(page.locator('[data-test="live"]')).to_have_text(words)


def test_the_back_button_leaves_the_table(page: Page) -> None:
    def answer(message: Message) -> list[Message]:
        return [views.hearts()] if message["do"] == "join" else []

    sent = fake.serve(page, answer, [views.HELLO])
    page.goto(fake.ADDRESS)
    page.get_by_label("link of a table").fill("#k3x9.Tq")
    page.get_by_role("button", name="Join").click()
    page.get_by_label("your place").wait_for()
    page.go_back()
    expect(page.get_by_role("button", name="Deal the cards")).to_be_visible()
    assert said(sent, "leave") == [{"do": "leave"}]


def test_suits_have_two_or_four_colours(page: Page) -> None:
    sit(page, views.hearts())
    card = page.locator('[data-card="K♦"] .card')
    blue = card.evaluate("card => getComputedStyle(card).color")
    page.keyboard.press("s")
    page.get_by_label("Suits").select_option("2")
    assert card.evaluate("card => getComputedStyle(card).color") != blue


@pytest.mark.parametrize("width", [390, 1280])
@pytest.mark.parametrize("seats", [2, 3, 4, 5, 6])
def test_every_seat_and_card_has_a_place_of_its_own(page: Page, seats: int, width: int) -> None:
    page.set_viewport_size({"width": width, "height": 900})
    sit(page, views.whist(seats))
    plates, cards = page.locator(".plate"), page.locator(".played .card")
    expect(plates).to_have_count(seats)
    expect(cards).to_have_count(seats)
    assert not any(overlap(a, b) for a, b in combinations(boxes(plates), 2))
    corners = {(box["x"], box["y"]) for box in boxes(cards)}
    assert len(corners) == seats
    assert all(0 <= x <= width - 40 for x, _ in corners)


def boxes(found: Locator) -> list[dict[str, float]]:
    return [one.bounding_box() for one in found.all()]


def overlap(a: dict[str, float], b: dict[str, float]) -> bool:
    across = a["x"] < b["x"] + b["width"] and b["x"] < a["x"] + a["width"]
    return across and a["y"] < b["y"] + b["height"] and b["y"] < a["y"] + a["height"]
