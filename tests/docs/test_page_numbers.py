"""Numbers in pages are those of the committed results."""

import json
import re

import pytest

from analysis import page_numbers
from analysis.page_numbers import number, pages, written


@pytest.mark.parametrize("path", list(pages()), ids=lambda path: path.name)
def test_a_page_has_the_numbers_of_the_results(path):
    text = path.read_text(encoding="utf-8")
    assert written(text) == text
    assert not re.search(r"^\s*<!--=", text, re.M)  # Markdown would take the line for HTML


@pytest.fixture
def results(tmp_path, monkeypatch):
    folder = tmp_path / "experiments/results"
    folder.mkdir(parents=True)
    (folder / "a.json").write_text(
        json.dumps({"finals": [{"b": "x", "won": 0.5}, {"b": "y", "won": -0.25}]})
    )
    (folder / "a.jsonl").write_text('{"steps": 1000}\n{"steps": 2345678}\n')
    monkeypatch.setattr(page_numbers, "ROOT", tmp_path)
    page_numbers.load.cache_clear()
    yield folder
    page_numbers.load.cache_clear()


def test_numbers_are_found_and_written(results):
    assert number("a.json", "finals[1].won", ".1f") == "−0.2"
    assert number("a.json", "finals[b=x].won", ".1%") == "50.0 %"
    assert number("a.jsonl", "[-1].steps", ",") == "2,345,678"


def test_a_factor_scales_and_a_star_takes_the_mean(results):
    assert number("a.jsonl", "[-1].steps", ".2f*1e-6") == "2.35"
    assert number("a.json", "finals[*].won", ".3f") == "0.125"
    assert number("a.json", "finals[*b=x].won", ".1f") == "0.5"


def test_a_variant_may_have_commas(results):
    (results / "v.json").write_text(json.dumps([{"game": "g(a=1,b=2)", "n": 7}]))
    assert number("v.json", "[game=g(a=1,b=2)].n", "d") == "7"


def test_what_stands_between_the_comments_is_replaced(results):
    page = "It won <!--=a.json finals[b=x].won .0%-->3<!--=--> of them, not 3."
    assert written(page) == page.replace(">3<", ">50 %<")


@pytest.mark.parametrize(
    "way", ["finals[2].won", "finals[b=z].won", "final", "finals[0].b", "finals[*b=z].won"]
)
def test_a_number_that_is_not_there_is_named(results, way):
    with pytest.raises(ValueError, match=r"a\.json has no number"):
        number("a.json", way, ".1f")
