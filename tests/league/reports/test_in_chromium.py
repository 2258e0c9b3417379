"""The report in a real browser: it asks for nothing, its tables sort, and keys step through its matches."""

import pytest

from league import run_tournament
from league.reports import gather, write_report
from tests.chromium import Chromium

PLAYERS = ("mcts", "mcts(simulations=10)"), ("random", "random"), ("<img src=x onerror=document.title=1>", "random")


@pytest.fixture(scope="module")
def browser(tmp_path_factory):
    """A browser that shows the report of a small tournament."""
    folder = tmp_path_factory.mktemp("report")
    games = ["openspiel/kuhn_poker", "openspiel/tic_tac_toe"]
    settings = {"name": "cup", "db": f"sqlite:///{folder}/c.db", "games": games, "rounds": 2, "seed": 3}
    run_tournament(settings | {"players": [{"name": n, "player": p} for n, p in PLAYERS]}, board="off")
    write_report(gather(settings["db"]), folder / "r.html")
    with Chromium(folder / "profile") as browser:
        browser.open(folder / "r.html")
        yield browser


@pytest.mark.slow
def test_a_page_asks_for_nothing_and_has_no_errors(browser):
    asked = [e["params"]["request"]["url"] for e in browser.events if e["method"] == "Network.requestWillBeSent"]
    assert len(asked) == 1
    assert asked[0].startswith("file://")
    assert not [e for e in browser.events if e["method"] in ("Log.entryAdded", "Runtime.exceptionThrown")]
    assert browser.value("document.title") == "cup - arena report"
    assert PLAYERS[2][0] in browser.value("document.body.innerText")


@pytest.mark.slow
def test_a_click_on_a_heading_sorts(browser):
    column = "th:nth-child({})"
    heads = browser.value("[...document.querySelectorAll('table.sortable')[0].rows[0].cells].map(c => c.textContent)")
    won = heads.index("won") + 1
    cells = (
        f"[...document.querySelectorAll('table.sortable')[0].tBodies[0].rows].map(r => +r.cells[{won - 1}].textContent)"
    )
    before = browser.value(cells)
    browser.click("table.sortable " + column.format(won))
    assert browser.value(cells) == sorted(before, reverse=True)
    browser.click("table.sortable " + column.format(won))
    assert browser.value(cells) == sorted(before)


@pytest.mark.slow
def test_arrow_keys_and_clicks_step_through_a_match(browser):
    place = "[...document.querySelectorAll('.arena-match')[0].querySelectorAll('input')].findIndex(i => i.checked)"
    shown = "[...document.querySelectorAll('.arena-match')[0].querySelectorAll('section')].map(s => s.offsetHeight > 0)"
    last = browser.value(place)
    assert last > 0
    browser.click(".arena-match input:checked")
    browser.press("ArrowLeft")
    assert browser.value(place) == last - 1
    assert [i for i, visible in enumerate(browser.value(shown)) if visible] == [last - 1]
    browser.press("ArrowRight")
    assert browser.value(place) == last
    browser.click(".arena-match input")
    assert browser.value(place) == 0
    assert [i for i, visible in enumerate(browser.value(shown)) if visible] == [0]


@pytest.mark.slow
def test_no_part_of_the_page_is_wider_than_a_small_window(browser):
    browser.send("Emulation.setDeviceMetricsOverride", width=640, height=900, deviceScaleFactor=1, mobile=False)
    assert browser.value("document.documentElement.scrollWidth") <= 640
