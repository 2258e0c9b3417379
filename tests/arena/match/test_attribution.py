"""A text that makes a game raise is its writer's failed attempt; a game that raises without it makes the match void."""

import asyncio

import msgspec
import pytest

import games
from arena import Decision, IllegalPolicy, MatchPlan
from arena.match import play, play_async
from arena.match.replay import contradiction
from games import GameSpec, MissingPackage, Observation, TextGame
from games.verifiers import MissingProgram, python
from tests.toys.players import writer
from tests.toys.small_games import Auction


class Counting(TextGame):
    """Two seats add a number in turn, four times; the reader of numbers raises what `int` raises, half way through."""

    spec = GameSpec("counting-v0", {"a": "adder", "b": "adder"}, "zero_sum", "Add.", 4, returns_range=(-1, 1))

    def reset(self, seed):
        self.total, self.n = seed, 0

    @property
    def acting(self):
        return ("ab"[self.n % 2],) if self.n < 4 else ()

    def observe(self, seat):
        return Observation(f"{self.total}")

    def legal(self, seat):
        return None if seat in self.acting else ()

    def examples(self, seat):
        return ("1",) if seat in self.acting else ()

    def apply(self, actions):
        ((_, text),) = actions.items()
        self.n += 1  # before the text is read: the state is broken if reading raises
        self.total += int(text)

    def returns(self):
        sign = 1.0 if self.total % 2 else -1.0
        return {"a": sign, "b": -sign}


class SealedBids(Auction):
    """Raises instead of refusing what is not a number."""

    def apply(self, actions):
        self.bids = {}
        for seat, text in actions.items():
            self.bids[seat] = int(text)


def match(game, *writers, seed=1, waits=False, retries=1):
    seats = dict(zip(game.spec.seats, writers, strict=True))
    plan = MatchPlan("m", game.spec.id, seed, {seat: player.name for seat, player in seats.items()})
    rule = IllegalPolicy(retries=retries)
    return asyncio.run(play_async(game, plan, seats, rule)) if waits else play(game, plan, seats, rule)


@pytest.mark.parametrize("waits", [False, True])
def test_a_text_that_makes_the_game_raise_is_refused_and_the_state_restored(waits):
    episode = match(Counting(), writer("1", "x", "2", waits=waits), writer("1"), waits=waits)
    assert episode.status == "finished"
    assert [turn.action for turn in episode.turns] == ["1", "1", "2", "1"]
    failed = episode.turns[2].attempts[0]
    assert (failed.category, failed.reason) == ("illegal", "the game cannot read this text: ValueError")
    assert episode.returns == {"a": -1.0, "b": 1.0}  # 1 + 1 + 1 + 2 + 1
    assert contradiction(Counting(), episode, 2) == ""


@pytest.mark.parametrize("waits", [False, True])
def test_a_seat_that_writes_nothing_else_forfeits(waits):
    episode = match(Counting(), writer("1", waits=waits), writer("x"), waits=waits)
    assert (episode.status, episode.forfeited_by, len(episode.turns)) == ("forfeit", "b", 1)
    assert episode.returns == {"a": 1.0, "b": -1.0}
    assert contradiction(Counting(), episode, 2) == ""
    forged = msgspec.structs.replace(episode, failure=tuple(Decision("3", "illegal") for _ in range(2)))
    assert "counts as failed" in contradiction(Counting(), forged, 2)


@pytest.mark.parametrize("waits", [False, True])
@pytest.mark.parametrize(
    ("left", "right", "loser"), [(["x"], ["5"], "left"), (["5"], ["x"], "right"), (["x", "5"], ["x"], "right")]
)
def test_of_seats_that_act_at_once_the_writer_is_refused(left, right, loser, waits):
    episode = match(SealedBids(), writer(*left, waits=waits), writer(*right, waits=waits), waits=waits)
    assert (episode.status, episode.forfeited_by) == ("forfeit", loser)
    assert contradiction(SealedBids(), episode, 2) == ""


def test_seats_that_act_at_once_may_each_write_something_else():
    episode = match(SealedBids(), writer("x", "5"), writer("y", "7"))
    assert (episode.status, episode.returns) == ("finished", {"left": -1.0, "right": 1.0})
    assert [turn.attempts[0].category for turn in episode.turns] == ["illegal", "illegal"]


class Shown(Counting):
    """Takes any text; what breaks is what comes afterwards, in one of three places."""

    def __init__(self, place: str) -> None:
        self.place, self.texts = place, list[str]()

    def reset(self, seed):
        super().reset(seed)
        self.texts = []

    def apply(self, actions):
        self.n += 1
        self.texts += actions.values()

    def observe(self, seat):
        if self.place == "observe" and "x" in self.texts:
            raise RuntimeError("x cannot be shown")
        return Observation(" ".join(self.texts))

    def facts(self):
        return {"texts": float("x") if self.place == "facts" and "x" in self.texts else 1}

    def returns(self):
        value = float("nan") if self.place == "returns" and "x" in self.texts else 1.0
        return {"a": value, "b": -value}


@pytest.mark.parametrize("waits", [False, True])
@pytest.mark.parametrize(("place", "turn"), [("observe", 1), ("returns", 3), ("facts", 3)])
def test_a_text_that_breaks_what_is_asked_afterwards_is_refused(place, turn, waits):
    texts = ["1", "1", "1", "1"]
    writers = writer("1", waits=waits), writer(*(["x", "2", "1"] if turn == 1 else ["1", "x", "2"]), waits=waits)
    episode = match(Shown(place), *writers, waits=waits)
    texts[turn] = "2"
    assert (episode.status, [played.action for played in episode.turns]) == ("finished", texts), episode.reason
    assert [attempt.action for attempt in episode.turns[turn].attempts] == ["x", "2"]
    assert contradiction(Shown(place), episode, 2) == ""


def test_a_writer_who_breaks_an_observation_forfeits_and_not_its_reader():
    episode = match(Shown("observe"), writer("1"), writer("x"))
    assert (episode.status, episode.forfeited_by) == ("forfeit", "b")
    assert contradiction(Shown("observe"), episode, 2) == ""


def test_a_game_that_raises_on_its_own_example_makes_the_match_void():
    class Broken(Counting):
        def apply(self, actions):
            raise RuntimeError("boom")

    episode = match(Broken(), writer("x"), writer("1"))
    assert (episode.status, episode.voided_by) == ("void", "")
    assert "boom" in episode.reason


def test_a_game_that_cannot_be_played_again_makes_the_match_void():
    class Once(Counting):
        def reset(self, seed):
            if hasattr(self, "n"):
                raise RuntimeError("a second reset")
            super().reset(seed)

    assert match(Once(), writer("x"), writer("1")).status == "void"


def test_a_game_that_raises_on_a_listed_action_makes_the_match_void():
    class Listed(Counting):
        def legal(self, seat):
            return ("1", "x") if seat in self.acting else ()

    assert match(Listed(), writer("x"), writer("1")).status == "void"


class Judged(Counting):
    """Its verifier could not run, at each of some texts or once."""

    def __init__(self, error: Exception, texts: str, once: bool = False) -> None:
        self.error, self.texts, self.once = error, texts, once

    def apply(self, actions):
        if set(self.texts) & set(actions.values()):
            self.texts = "" if self.once else self.texts
            raise self.error
        super().apply(actions)


@pytest.mark.parametrize(
    ("error", "texts", "once", "seat"),
    [
        (games.InfrastructureError("no sandbox"), "7", False, "b"),
        (games.InfrastructureError("no sandbox"), "71", False, ""),  # at the example too: not the text's doing
        (games.InfrastructureError("no sandbox"), "7", True, ""),  # not again
        (MissingPackage("it", "p", "p"), "7", False, ""),
        (MissingProgram("it", "p", "p"), "7", False, ""),
    ],
)
def test_a_verifier_that_could_not_run_makes_the_match_void(error, texts, once, seat):
    """It is booked to a seat only if it fails at the text of that seat and not without it."""
    episode = match(Judged(error, texts, once), writer("2", "3"), writer("7"))
    assert (episode.status, episode.voided_by, [turn.action for turn in episode.turns]) == ("void", seat, ["2"])
    assert [attempt.action for attempt in episode.failure] == ["7"] * bool(seat)


def test_an_error_that_does_not_repeat_costs_nobody_an_attempt():
    class Loaded(Counting):
        failed = False

        def apply(self, actions):
            if self.n == 1 and not self.failed:
                self.failed = True
                raise OSError("the machine is busy")
            super().apply(actions)

    episode = match(Loaded(), writer("1"), writer("2"))
    assert (episode.status, len(episode.turns)) == ("finished", 4)
    assert all(len(turn.attempts) == 1 for turn in episode.turns)


@pytest.mark.skipif(python.unavailable() is not None, reason=str(python.unavailable()))
@pytest.mark.parametrize(
    ("kind", "proposal", "answer", "loser"),
    [
        ("abduction", "def f(x):\n    return x * 2", "```input\n1)#\n```", "solver_0"),
        ("deduction", "def f(x):\n    return x._arena_string_9_", "```output\n1\n```", "proposer"),
        ("deduction", "def f(x):\n    return g(_arena_string_9_=x)", "```output\n1\n```", "proposer"),
    ],
)
def test_code_that_broke_the_parser_is_lost_by_its_writer(kind, proposal, answer, loser):
    game = games.make(f"code-io(kind={kind}, solvers=1)")
    task = f"```python\n{proposal}\n```\n```input\n21\n```"
    episode = match(game, writer(task), writer(answer))
    assert episode.status == "finished", episode.reason
    assert episode.returns[loser] < 0
