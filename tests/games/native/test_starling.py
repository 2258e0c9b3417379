"""starling-v1: how commands are read, what worlds pay, and that only listed commands reach the interpreter."""

import importlib.util

import pytest

import games
from arena.evaluation.shortcuts import check_shortcuts
from games import IllegalAction, InputError, RandomStream
from games.native.starling import starling, texts, worlds
from games.native.starling.policies import SUITE
from games.native.starling.worlds import Scene, World
from games.shortcuts import ScriptedTurn
from tests import golden

ENGINE = pytest.mark.skipif(importlib.util.find_spec("textworld") is None, reason="textworld is not installed")
POSSIBLE = ("go north", "insert sock into basket", "look", "put hat on coat rack", "take hat", "take sock from bed")
SCENE = Scene("Tidy up.", "Taken.", "-= Hall =-", "You carry nothing.", 1, 3, False, False, POSSIBLE)

GOLDEN = (
    "Goal: The gold ring is locked away. Find the key, and take the gold ring.",
    "Score: 0 of 3. Commands left: 30.",
    "-= study =-",
    "You see: basket (closed), chest (locked), cupboard (closed), notebook.",
    "Ways: nothing.",
    "You carry: nothing.",
)


@pytest.fixture
def unlock():
    game = starling(skill="unlock", level=1)
    game.reset(0)
    return game


def made(game):
    kind, level, number = game.facts()["world"].split("/")
    return World(kind, int(level), int(number))


def walkthrough(game):
    return worlds.walkthrough(made(game))


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
    free = starling(skill="unlock", level=1, menu=False)
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
    together = [worlds.scene(made(unlock), way[:n]) for n in (3, 1, 3, 2, 0)]
    worlds.scene.cache_clear()
    assert together[0] == worlds.scene(made(unlock), way[:3])
    assert [scene.score for scene in together] == [1, 0, 1, 1, 0]


@ENGINE
def test_the_conformance_kit_finds_nothing():
    games.check("starling-v1(skill=unlock,moves=20)", episodes=2).raise_if_failed()


@ENGINE
def test_the_first_turn_reads_as_it_did(unlock):
    assert tuple(unlock.observe("player").text.splitlines()) == GOLDEN
    assert {"open basket", "open cupboard", "take notebook"} <= {*unlock.legal("player")}


@ENGINE
@pytest.mark.parametrize("skill", texts.SKILLS)
@pytest.mark.parametrize("level", [1, 2, 3])
def test_a_competent_player_wins_every_kind_of_world(skill, level):
    game = starling(skill=skill, level=level, moves=100)
    policy, stream = SUITE.competent["adventurer"], RandomStream(1)
    game.reset(3)
    while game.acting:
        seen = game.observe("player")
        turn = ScriptedTurn("player", "adventurer", seen.text, seen.phase, stream, None, game.data("player"))
        game.apply({"player": policy(turn)})
    assert game.returns() == {"player": 1.0}


@ENGINE
def test_each_seed_has_a_world_of_its_own_and_splits_share_none():
    """So a memory of matches does not know the next one."""
    games = {split: starling(skill="tidy", split=split) for split in ("train", "test")}
    names, texts_read = [], set()
    for seed in range(12):
        for game in games.values():
            game.reset(seed)
            names.append(game.facts()["world"])
            texts_read.add(game.observe("player").text)
    assert len(set(names)) == len(texts_read) == 24


@ENGINE
def test_another_process_makes_the_same_world_again(unlock):
    first = worlds.scene(made(unlock), ())
    worlds.scene.cache_clear()
    worlds._workers.cache_clear()
    assert worlds.scene(made(unlock), ()) == first


@ENGINE
@pytest.mark.slow
def test_no_shortcut_earns_what_competence_earns():
    report = check_shortcuts("starling-v1", matches=24)
    assert report.ok, report
