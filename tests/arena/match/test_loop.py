"""The rules of a match: attempts, forfeits, substitutions, voids, truncation, simultaneous turns."""

import asyncio

import pytest

from arena import Decision, IllegalPolicy, MatchPlan, Player, event_loop
from arena.match import decode, encode, faults, loop, play, play_async
from arena.players.bots.random import RandomPlayer
from games import IllegalAction, InfrastructureError
from tests.toys.players import Acting
from tests.toys.small_games import Auction, Race


def says(*texts):
    """Answers one text per attempt, then repeats the last one. None: an unparsable answer."""

    def answer(view):
        text = texts[min(len(view.rejected), len(texts) - 1)]
        return Decision(None, "unparsable", "hm", "no answer found") if text is None else Decision(text)

    return answer


def run(game, players, seed=1, waits=False, timeout=None, **illegal):
    seats = dict(zip(game.spec.seats, players, strict=True))
    plan = MatchPlan("m", game.spec.id, seed, {s: p.name for s, p in seats.items()})
    rule = IllegalPolicy(**illegal)  # type: ignore[arg-type]
    return asyncio.run(play_async(game, plan, seats, rule, timeout)) if waits else play(game, plan, seats, rule)


def test_a_match_is_recorded_turn_by_turn():
    episode = run(Race(), [RandomPlayer(), RandomPlayer()])
    assert episode.status == "finished"
    assert sum(int(t.action) for t in episode.turns) >= 5
    assert [t.seat for t in episode.turns[:2]] == ["player_0", "player_1"]
    assert [t.role for t in episode.turns[:2]] == ["first", "second"]
    winner = episode.turns[-1].seat
    assert episode.returns == {s: 1.0 if s == winner else -1.0 for s in ("player_0", "player_1")}
    assert decode(encode(episode)) == episode


def test_same_seed_same_transcript_whether_players_wait_or_not():
    def actions(waits, seed):
        bots: list[Player] = [Acting(RandomPlayer().act, waits=waits), RandomPlayer()]
        return [t.action for t in run(Race(), bots, seed, waits).turns]

    assert [actions(False, s) for s in range(20)] == [actions(True, s) for s in range(20)]
    assert len({tuple(actions(False, s)) for s in range(20)}) > 5


@pytest.mark.parametrize("waits", [False, True])
def test_a_retry_is_told_the_reason_and_recorded(waits):
    seen: list[tuple[str, ...]] = []

    def answer(view):
        seen.append(tuple(a.reason for a in view.rejected))
        return says("7", None, "1")(view)

    episode = run(Race(), [Acting(answer, waits=waits), Acting(says("1"))], waits=waits)
    assert episode.status == "finished"
    assert [a.category for a in episode.turns[0].attempts] == ["illegal", "unparsable", "ok"]
    assert seen[:3] == [(), (seen[1][0],), (seen[1][0], "no answer found")]
    assert "'7'" in seen[1][0]


@pytest.mark.parametrize("waits", [False, True])
def test_a_listed_action_that_the_game_refuses_is_a_failed_attempt(waits):
    class Strict(Race):
        def apply(self, actions):
            if self.pile > 4 and "2" in actions.values():
                raise IllegalAction("not yet")
            super().apply(actions)

    episode = run(Strict(), [Acting(says("2", "1"), waits=waits), Acting(says("1"))], waits=waits)
    first = episode.turns[0]
    assert [(a.action, a.category, a.reason) for a in first.attempts] == [("2", "illegal", "not yet"), ("1", "ok", "")]
    assert (episode.status, first.action) == ("finished", "1")


def test_the_last_failed_attempt_forfeits_and_keeps_the_sum():
    episode = run(Race(), [Acting(says("1")), Acting(says("banana"))], retries=2)
    assert (episode.status, episode.forfeited_by) == ("forfeit", "player_1")
    assert episode.returns == {"player_0": 1.0, "player_1": -1.0}
    assert [a.category for a in episode.failure] == ["illegal"] * 3
    assert len(episode.turns) == 1
    assert "illegal" in episode.reason


def test_a_random_legal_action_instead_is_recorded_as_substituted():
    episode = run(Race(), [Acting(says("1")), Acting(says("banana"))], then="random", retries=0)
    assert episode.status == "finished"
    theirs = [t for t in episode.turns if t.seat == "player_1"]
    assert theirs
    assert all(t.substituted and t.action in ("1", "2") and t.sample is None for t in theirs)


@pytest.mark.parametrize("waits", [False, True])
def test_only_the_refused_seat_of_a_simultaneous_turn_is_asked_again(waits):
    asked: list[str] = []

    def counting(*texts):
        def answer(view):
            asked.append(view.seat)
            return says(*texts)(view)

        return answer

    players: list[Player] = [Acting(counting("7"), waits=waits), Acting(counting("ten", "9"), waits=waits)]
    episode = run(Auction(), players, waits=waits)
    assert asked == ["left", "right", "right"]
    assert episode.returns == {"left": -1.0, "right": 1.0}
    assert [t.phase for t in episode.turns] == ["bid", "bid"]


def test_a_simultaneous_forfeit_names_its_seat():
    episode = run(Auction(), [Acting(says("7")), Acting(says("ten"))])
    assert (episode.status, episode.forfeited_by, len(episode.turns)) == ("forfeit", "right", 0)


@pytest.mark.parametrize("waits", [False, True])
def test_an_infrastructure_failure_voids_the_match(waits):
    def broken(view):
        raise InfrastructureError("the engine is gone")

    for game in (Race(), Auction()):
        episode = run(game, [Acting(broken, waits=waits), Acting(says("1"), waits=waits)], waits=waits)
        assert (episode.status, episode.reason) == ("void", "the engine is gone")
        assert set(episode.returns.values()) == {0.0}


def test_a_players_own_crash_counts_against_it(caplog):
    def buggy(view):
        raise KeyError("oops")

    episode = run(Race(), [Acting(buggy), Acting(says("1"))])
    assert (episode.status, episode.forfeited_by) == ("forfeit", "player_0")
    assert [a.category for a in episode.failure] == ["error"] * 3
    assert "oops" in caplog.text


@pytest.mark.parametrize("waits", [False, True])
@pytest.mark.parametrize(
    ("answered", "told"),
    [(None, "returned None"), ("1", "returned '1'"), (Decision(1), "action must be a str or None, got int")],  # type: ignore[arg-type]
)
def test_an_answer_that_is_no_decision_counts_against_the_player(waits, answered, told):
    for game in (Race(), Auction()):
        seats: list[Player] = [Acting(lambda view: answered, waits=waits), Acting(says("1"), waits=waits)]
        episode = run(game, seats, waits=waits)
        assert (episode.status, episode.forfeited_by) == ("forfeit", next(iter(game.spec.seats)))
        assert episode.reason.startswith("error: TypeError: ")
        assert told in episode.reason
        assert [a.category for a in episode.failure] == ["error"] * 3


def test_a_games_crash_voids_the_match(caplog):
    class Broken(Race):
        def apply(self, actions):
            raise RuntimeError("boom")

    episode = run(Broken(), [RandomPlayer(), RandomPlayer()])
    assert episode.status == "void"
    assert "boom" in episode.reason
    assert "boom" in caplog.text


def test_an_error_that_repeats_shows_its_traceback_once_then_its_count(caplog):
    def buggy(view):
        raise KeyError("oops")

    seats = ["player_0", "player_1"]
    for _ in range(40):  # three attempts each
        event_loop.run(
            play_async(
                Race(), MatchPlan("m", "race-v0", 1, dict.fromkeys(seats, "s")), {s: Acting(buggy) for s in seats}
            )
        )
    first, tenth, hundredth = caplog.records
    assert first.exc_info is not None
    assert caplog.text.count("Traceback") == 1
    assert "no running event loop" not in caplog.text
    assert tenth.getMessage().endswith("this error has occurred 10 times, see its traceback above")
    assert hundredth.getMessage().endswith("this error has occurred 100 times, see its traceback above")
    caplog.clear()
    faults.forget()
    run(Race(), [Acting(buggy), Acting(buggy)])
    assert caplog.text.count("Traceback") == 1


def test_a_slow_answer_is_a_timeout():
    class Slow(Player):
        name, waits = "slow", True

        async def act_async(self, view):
            await asyncio.sleep(30)
            return Decision("1")

    episode = run(Race(), [Slow(), RandomPlayer()], waits=True, timeout=0.01, retries=1)
    assert [a.category for a in episode.failure] == ["timeout", "timeout"]
    assert episode.forfeited_by == "player_0"


def test_a_players_own_timeout_is_its_error(caplog):
    def lost(view):
        raise TimeoutError("the database did not answer")

    for timeout in (None, 60.0):
        episode = run(Race(), [Acting(lost, waits=True), RandomPlayer()], waits=True, timeout=timeout, retries=0)
        assert episode.reason == "error: TimeoutError: the database did not answer"


@pytest.mark.parametrize("waits", [False, True])
def test_seats_that_act_at_once_each_have_their_own_latency(waits, monkeypatch):
    clock = [0.0]
    monkeypatch.setattr(loop, "perf_counter", lambda: clock[0])

    class Takes(Acting):
        def __init__(self, seconds: float, *bids: str) -> None:
            super().__init__(says(*bids), waits=waits)
            self.seconds = seconds

        def act(self, view):
            clock[0] += self.seconds
            return self.decide(view)

        async def act_async(self, view):
            for _ in range(3 if self.seconds else 0):
                await asyncio.sleep(0)  # the other seat has already answered
            return self.act(view)

    episode = run(Auction(), [Takes(0.0, "7"), Takes(5.0, "ten", "9")], waits=waits)
    assert [(t.seat, t.latency) for t in episode.turns] == [("left", 0.0), ("right", 10.0)]


def test_a_match_that_does_not_end_is_cut_as_a_draw():
    class Endless(Race):
        def apply(self, actions):
            self.mover = 1 - self.mover

    episode = run(Endless(), [RandomPlayer(), RandomPlayer()])
    assert (episode.status, len(episode.turns)) == ("truncated", 20)
    assert set(episode.returns.values()) == {0.0}


def test_players_that_remember_get_their_own_earlier_turns_only():
    class Remembering(Acting):
        remembers = True

    seen: list[list[tuple[str, str]]] = []

    def answer(view):
        seen.append([(e.observation.text, e.action) for e in view.exchanges])
        return Decision("1")

    run(Race(), [Remembering(answer), Acting(says("1"))], seed=3)
    assert seen[0] == []
    assert [a for _, a in seen[2]] == ["1", "1"]
    assert seen[1][0][0] != seen[2][1][0]
