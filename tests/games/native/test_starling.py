"""starling-v1: how commands are read, what worlds pay, and that only listed commands reach the interpreter."""

import importlib.util
import json
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from threading import Event

import pytest

import games
from arena.evaluation.shortcuts import check_shortcuts
from games import IllegalAction, InputError, RandomStream
from games.native.starling import starling, texts, worlds
from games.native.starling.policies import SUITE
from games.native.starling.worlds import Scene
from games.shortcuts import ScriptedTurn
from tests import golden

EXAMPLES = Path(__file__).parents[3] / "scripts" / "examples"
ENGINE = pytest.mark.skipif(importlib.util.find_spec("textworld") is None, reason="textworld is not installed")
POSSIBLE = ("go north", "insert sock into basket", "look", "put hat on coat rack", "take hat", "take sock from bed")
SCENE = Scene("Tidy up.", "Taken.", "-= Hall =-", "You carry nothing.", 1, 3, False, False, POSSIBLE)

GOLDEN = [
    "Goal: The violin is locked away. Find the key, and take the violin.",
    "Score: 0 of 3. Commands left: 30.",
    "-= Kitchen =-",
]
LISTED = ("examine chest", "examine crate", "examine drawer", "inventory", "look", "open crate", "open drawer")


@pytest.fixture(scope="module")
def cache(tmp_path_factory):
    """A cache of worlds for this module."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("ARENA_CACHE", str(tmp_path_factory.mktemp("cache")))
        worlds.folder.cache_clear()
        worlds.world.cache_clear()
        yield
        worlds.folder.cache_clear()
        worlds.world.cache_clear()


def made(game):
    kind, level, number = game.facts()["world"].split("/")
    return worlds.world(kind, int(level), int(number))


def walkthrough(game):
    return made(game).walkthrough


@pytest.fixture
def unlock(cache):
    game = starling(skill="unlock", worlds=1)
    game.reset(0)
    return game


@pytest.mark.parametrize(("text", "meant"), golden.rows(__file__, "starling_a_text_means_a_listed_command_or_none"))
def test_a_text_means_a_listed_command_or_none(text, meant):
    assert texts.command(text, POSSIBLE) == meant


def test_what_was_read_stays_visible_and_old_steps_do_not():
    steps = [("examine cookbook", "Recipe #1"), ("take sock from bed", "Taken."), ("look", "-= Hall =-")]
    text = texts.described(SCENE, steps, 5, 1)
    assert text.splitlines() == [
        "Goal: Tidy up.",
        "Score: 1 of 3. Commands left: 5.",
        "You have read in the cookbook:",
        "Recipe #1",
        "> look",
        "-= Hall =-",
        "You carry nothing.",
    ]
    assert texts.described(SCENE, steps, 0, 0, over=True).splitlines()[-1] == "Recipe #1"


def test_without_textworld_one_line_says_what_to_type(monkeypatch):
    monkeypatch.setattr(worlds.importlib.util, "find_spec", lambda name: None)
    with pytest.raises(
        InputError, match=r"needs the package 'textworld'; type: pip install 'selfplay-arena\[textworld\]'"
    ):
        games.make("starling-v1")


def test_matches_that_begin_together_make_a_world_once(monkeypatch, tmp_path):
    made = []

    def make(home, *about):
        made.append(about)
        Event().wait(0.05)  # the others arrive
        home.mkdir()
        (home / "about.json").write_text('{"walkthrough": ["look"], "points": 1}')

    monkeypatch.setattr(worlds, "folder", lambda: tmp_path)
    monkeypatch.setattr(worlds, "_make", make)
    worlds.world.cache_clear()
    with ThreadPoolExecutor(4) as pool:
        found = list(pool.map(lambda _: worlds.world("cook", 1, 7), range(4)))
    worlds.world.cache_clear()
    assert made == [("cook", 1, 7)]
    assert {world.points for world in found} == {1}


@ENGINE
def test_the_walkthrough_earns_every_point_one_by_one(unlock):
    paid = []
    for command in walkthrough(unlock):
        unlock.apply({"player": command})
        paid.append(unlock.returns()["player"])
    assert sorted(paid) == paid
    assert {round(3 * part) for part in paid} == {0, 1, 2, 3}
    assert unlock.acting == ()
    assert unlock.facts()["won"] is True
    assert unlock.observe("player").text.endswith("The match is over: you have won.")


@ENGINE
def test_repeating_what_paid_pays_nothing_more(unlock):
    """The key counts once, however often it is taken."""
    opens, takes = walkthrough(unlock)[:2]
    unlock.apply({"player": opens})
    unlock.apply({"player": takes})
    key = takes.removeprefix("take ").partition(" from ")[0]
    for _ in range(3):
        unlock.apply({"player": f"drop {key}"})
        unlock.apply({"player": f"take {key}"})
    assert unlock.returns() == pytest.approx({"player": 1 / 3})


@ENGINE
def test_commands_of_the_interpreter_never_reach_it(unlock):
    """Saving, restarting, debugging: they are refused in a menu and do nothing in free text."""
    free = starling(skill="unlock", worlds=1, menu=False)
    free.reset(0)
    before = free.observe("player").text.splitlines()[-1]
    for text in ("quit", "save\n../x", "restart", "undo", "tw-print state", "script", "x" * 5000):
        with pytest.raises(IllegalAction, match="choose one of"):
            unlock.apply({"player": text})
        free.apply({"player": text})
    assert free.facts()["commands"] == []
    assert len(free.facts()["unread"]["player"]) == 7
    assert free.observe("player").text.splitlines()[-1] == before
    assert unlock.facts()["commands"] == []


@ENGINE
def test_matches_that_share_a_worker_do_not_mix(unlock):
    """A worker plays one world at a time; it plays the commands of another match again."""
    way = walkthrough(unlock)
    together = [worlds.scene(made(unlock).story, way[:n]) for n in (3, 1, 3, 2, 0)]
    worlds.scene.cache_clear()
    assert together[0] == worlds.scene(made(unlock).story, way[:3])
    assert [scene.score for scene in together] == [1, 0, 1, 1, 0]


@ENGINE
def test_the_conformance_kit_finds_nothing(cache):
    games.check("starling-v1(skill=unlock,worlds=1,moves=20)", episodes=2).raise_if_failed()


@ENGINE
def test_the_first_turn_reads_as_it_did(unlock):
    """The text that models read in the world unlock/1/0."""
    lines = unlock.observe("player").text.splitlines()
    assert lines[:3] == GOLDEN
    assert unlock.legal("player") == LISTED


@ENGINE
@pytest.mark.slow
@pytest.mark.parametrize("skill", texts.SKILLS)
@pytest.mark.parametrize("level", [1, 2, 3])
def test_a_competent_player_wins_every_kind_of_world(cache, skill, level):
    game = starling(skill=skill, level=level, moves=100, worlds=1)
    policy, stream = SUITE.competent["adventurer"], RandomStream(1)
    game.reset(3)
    while game.acting:
        seen = game.observe("player")
        turn = ScriptedTurn("player", "adventurer", seen.text, seen.phase, stream, None, game.data("player"))
        game.apply({"player": policy(turn)})
    assert game.returns() == {"player": 1.0}


@ENGINE
@pytest.mark.slow
def test_a_number_makes_the_same_world_again(cache, tmp_path):
    first = worlds.world("tidy", 1, 0)
    worlds._make(tmp_path / "again", "tidy", 1, 0)
    about = json.loads((tmp_path / "again" / "about.json").read_text())
    assert tuple(about["walkthrough"]) == first.walkthrough
    assert (tmp_path / "again" / "world.json").read_text() == Path(first.story).with_suffix(".json").read_text()


@ENGINE
@pytest.mark.slow
def test_no_shortcut_earns_what_competence_earns(cache):
    report = check_shortcuts("starling-v1(worlds=1)", matches=24)
    assert report.ok, report
