"""Frozen players in memory, and a training seen from another process."""

import asyncio
import json

import pytest

import games
from arena import players
from arena.match import MatchPlan
from arena.players import Player, registry
from arena.players.by_role import WHOLE
from arena.players.player import View
from arena.runner import Runner
from games.errors import RunPaused
from league.training import live, watching
from league.training.live import Live, Snapshots
from tests.arena.inference import tiny


class Named(Player):
    waits = True
    closed = 0

    def __init__(self, name):
        self.name = name

    async def act_async(self, view):
        await asyncio.sleep(0)
        return self.name

    async def probabilities(self, view):
        return {self.name: 1.0}

    def close(self):
        Named.closed += 1


def view(role="first"):
    game = games.make("openspiel/kuhn_poker")
    return View(game, "player_0", role, game.legal("player_0"), 5, 0)


def test_only_so_many_snapshots_stay_loaded_and_none_is_dropped_while_it_plays(monkeypatch):
    made = []

    def make(id, name=None):
        made.append(id)
        return Named(id)

    monkeypatch.setattr(live.players, "make", make)
    monkeypatch.setattr(Named, "closed", 0)
    shelf = Snapshots(lambda name: {WHOLE: name}, most=2)
    seats = {name: shelf.player(name) for name in "abc"}

    async def turn(name):
        return await seats[name].act_async(view())

    async def at_once():
        return await asyncio.gather(*(turn(n) for n in "abcabc"))

    assert asyncio.run(at_once()) == list("abcabc")
    assert made == ["a", "b", "c"]  # all three were busy at once: none could be dropped
    asyncio.run(turn("c"))
    assert Named.closed == 1
    asyncio.run(turn("a"))
    assert made == ["a", "b", "c", "a"]
    shelf.close()
    assert Named.closed == 4


def test_a_snapshot_that_cannot_be_loaded_pauses_and_forfeits_nothing(monkeypatch, tmp_path):
    """That it is missing says nothing about its play: nobody may win a match by it."""
    monkeypatch.setattr(Named, "closed", 0)
    make = registry.make
    monkeypatch.setattr(registry, "make", lambda id, name=None: Named(id) if id == "whole" else make(id, name))
    parts = {"first": "whole", "second": f'llm(model="{tmp_path}/gone")'}
    shelf = Snapshots(lambda name: parts, most=2)
    game = games.make("openspiel/kuhn_poker")
    plans = [MatchPlan("m", game.spec.id, 1, dict.fromkeys(game.spec.seats, "kuhn@1"))]
    ended = []
    runner = Runner({"kuhn@1": shelf.player("kuhn@1")})
    with pytest.raises(RunPaused, match=r"^snapshot kuhn@1 cannot be loaded: .*gone.* again$") as caught:
        asyncio.run(runner.run(lambda n: [plans.pop()] if plans else [], ended.extend))
    assert "\n" not in str(caught.value)
    assert ended == []
    assert Named.closed == 1  # what had been loaded of it


def test_each_role_is_played_by_its_policy_and_copies_draw_their_own_numbers():
    both = Live("x", {"first": Named("one"), "second": Named("two")})
    assert asyncio.run(both.act_async(view("second"))) == "two"
    assert asyncio.run(both.probabilities(view("first"))) == {"one": 1.0}

    seen = []

    class Seeds(Named):
        async def act_async(self, view):
            seen.append(view.seed)

    for copy in (0, 1, 2):
        asyncio.run(Live("x", {WHOLE: Seeds("s")}, copy=copy).act_async(view()))
    assert seen[0] == view().seed
    assert len(set(seen)) == 3


def test_a_training_is_watched_through_its_files(tmp_path):
    reader = watching.Reader(tmp_path)
    assert reader.panels(9) == ()
    metrics, timing = tmp_path / "metrics.jsonl", tmp_path / "timing.jsonl"
    timing.write_text(json.dumps({"step": 1, "matches_per_second": 80.0}) + "\n")
    metrics.write_text(json.dumps({"step": 1, "entropy": 0.5}) + '\n{"step": 2, "ent')
    (panel,) = reader.panels(9)
    assert panel.lines[0] == "step 1 of 9 · 80 matches/s"
    with metrics.open("a") as file:
        file.write('ropy": 0.25}\n')
    (panel,) = reader.panels(9)
    assert panel.lines[0].startswith("step 2 of 9")
    assert "0.25" in panel.lines[1]
    metrics.write_text(json.dumps({"step": 1, "entropy": 0.5}) + "\n")  # cut back by a resume
    assert reader.panels(9)[0].lines[0].startswith("step 1 of 9")
    assert watching.panels_for({"folder": "x", "rounds": 1}) == ()


def test_the_policy_of_an_llm_is_read_as_it_plays(tmp_path):
    """The frequencies of its play are the probabilities it shows."""
    model = tiny.folder(tmp_path, context=4096)  # the built-in one is uniform before it has learned
    player = players.make(f"llm(model='{model}', decode=choice, dtype=fp32, device=cpu)", "t")
    game = games.make("openspiel/kuhn_poker")
    played: dict[tuple[str, ...], list[str]] = {}
    plans = [MatchPlan(str(i), game.spec.id, i, dict.fromkeys(game.spec.seats, "t")) for i in range(600)]
    try:

        async def both():
            episodes = []
            await Runner({"t": player}, concurrency=600).run(
                lambda n: [plans.pop() for _ in range(min(n, len(plans)))], episodes.extend
            )
            for e in episodes:
                played.setdefault(e.turns[0].attempts[0].sample.prompt_ids, []).append(e.turns[0].action)
            found = {}
            for seed in range(40):
                game.reset(seed)
                at = View(game, "player_0", "first", game.legal("player_0"), 0, 0)
                found[player._prompt(at).ids] = await player.probabilities(at)
            return found

        found = asyncio.run(both())
    finally:
        player.close()
    assert set(found) == set(played)
    assert len(found) == 3
    assert any(abs(p["Bet"] - 0.5) > 0.1 for p in found.values())
    for prompt, actions in played.items():
        n, p = len(actions), found[prompt]["Bet"]
        assert abs(actions.count("Bet") / n - p) < 4.5 * (p * (1 - p) / n) ** 0.5
