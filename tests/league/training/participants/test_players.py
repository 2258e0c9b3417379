"""Snapshots in memory, and the live policy as a player."""

import asyncio
from pathlib import Path

import pytest

import games
from arena import MatchPlan, Player, View, players
from arena.players.by_role import WHOLE
from arena.runner import LocalRunner
from games import RunPaused
from games.naming import parse_name
from league.config.policy import PolicyConfig
from league.training.participants import players as players_module
from league.training.participants.players import LivePlayer, LoadedSnapshots, SavedSnapshot
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


def saved(name, folder="/nowhere", policies=(WHOLE,)):
    return SavedSnapshot(name, Path(folder), policies, PolicyConfig(dtype="fp32"))


def test_a_limited_number_of_snapshots_stays_loaded_and_none_is_dropped_while_it_plays(monkeypatch):
    made = []

    def load(snapshot):
        made.append(snapshot.name)
        return Named(snapshot.name)

    monkeypatch.setattr(SavedSnapshot, "load", load)
    monkeypatch.setattr(Named, "closed", 0)
    loaded = LoadedSnapshots(limit=2)
    seats = {name: loaded.player(saved(name)) for name in "abc"}

    async def turn(name):
        return await seats[name].act_async(view())

    async def at_once():
        return await asyncio.gather(*(turn(n) for n in "abcabc"))

    assert asyncio.run(at_once()) == list("abcabc")
    assert made == ["a", "b", "c"]  # all three were in use at once: none could be dropped
    asyncio.run(turn("c"))
    assert Named.closed == 1
    asyncio.run(turn("a"))
    assert made == ["a", "b", "c", "a"]
    loaded.close()
    assert Named.closed == 4


def test_a_snapshot_that_cannot_be_loaded_pauses_and_forfeits_nothing(monkeypatch, tmp_path):
    """A missing snapshot says nothing about its strength: no opponent may win a match by it."""
    monkeypatch.setattr(Named, "closed", 0)
    make = players_module.policy_player

    def fake(policy, engine, model, roles):
        return Named("whole") if model.endswith("first") else make(policy, engine, model, roles)

    monkeypatch.setattr(players_module, "policy_player", fake)
    loaded = LoadedSnapshots(limit=2)
    game = games.make("openspiel/kuhn_poker")
    plans = [MatchPlan("m", game.spec.id, 1, dict.fromkeys(game.spec.seats, "kuhn@1"))]
    ended = []
    runner = LocalRunner({"kuhn@1": loaded.player(saved("kuhn@1", tmp_path / "gone", ("first", "second")))})
    with pytest.raises(RunPaused, match=r"^snapshot kuhn@1 cannot be loaded: .*gone.* again$") as caught:
        asyncio.run(runner.run(lambda n: [plans.pop()] if plans else [], ended.extend))
    assert "\n" not in str(caught.value)
    assert ended == []
    assert Named.closed == 1  # the part that had been loaded


def test_a_snapshot_plays_as_the_id_that_the_store_keeps():
    """`arena eval` builds the player from the id, a training from the settings: they must agree."""
    settings = PolicyConfig(decode="free", answer="json", temperature=0.5, max_tokens=7, dtype="bf16", device="cpu")
    ids = SavedSnapshot("s@1", Path("/x"), ("a", "b"), settings).player_ids()
    name = parse_name(ids["b"])
    assert (name.base, name.params["model"]) == ("llm", "/x/b")
    for key, value in name.params.items():
        assert key == "model" or getattr(settings, key) == value
    assert {"decode", "answer", "temperature", "max_tokens", "dtype", "device", "engine"} < set(name.params)
    assert saved("s@1").player_ids()[WHOLE].startswith('llm(model="/nowhere", decode=choice, temperature=1.0, ')


def test_each_role_is_played_by_its_policy_and_copies_draw_their_own_numbers():
    both = LivePlayer("x", {"first": Named("one"), "second": Named("two")})
    assert asyncio.run(both.act_async(view("second"))) == "two"
    assert asyncio.run(both.probabilities(view("first"))) == {"one": 1.0}

    seen = []

    class Seeds(Named):
        async def act_async(self, view):
            seen.append(view.seed)

    for copy in (0, 1, 2):
        asyncio.run(LivePlayer("x", {WHOLE: Seeds("s")}, copy=copy).act_async(view()))
    assert seen[0] == view().seed
    assert len(set(seen)) == 3


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
            await LocalRunner({"t": player}, concurrency=600).run(
                lambda n: [plans.pop() for _ in range(min(n, len(plans)))], episodes.extend
            )
            for e in episodes:
                played.setdefault(e.turns[0].attempts[0].sample.prompt_ids, []).append(e.turns[0].action)
            found = {}
            for seed in range(40):
                game.reset(seed)
                at = View(game, "player_0", "first", game.legal("player_0"), 0, 0)
                found[player.prompt(at).ids] = await player.probabilities(at)
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


def test_a_snapshot_plays_with_the_settings_of_the_policy(tmp_path):
    """The id that the store keeps makes a player with the same thinking, memory, demonstrations and roles."""
    policy = PolicyConfig(
        decode="free", dtype="fp32", max_tokens=99, think=False, memory=True, demonstrations=0, engine="transformers",
        show_legal=False, show_rules=False,
    )  # fmt: skip
    roles = {"judge": "prover(scheme=sgs)", "proposer": "proposer(difficulty=barely)"}
    snapshot = SavedSnapshot("s", Path(tiny.folder(tmp_path)), (WHOLE,), policy, roles)
    assert snapshot.load().remembers
    (id,) = snapshot.player_ids().values()
    assert 'roles="judge=prover(scheme=sgs)"' in id  # the other one changes its credit only
    made = players.make(id)
    assert (made.max_tokens, made.think, made.remembers, made.demonstrations) == (99, False, True, 0)
    assert (made.show_legal, made.show_rules) == (False, False)
    assert made._role_ids == {"judge": "prover(scheme=sgs)"}
    made.close()
