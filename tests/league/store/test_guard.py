"""An episode that cannot be stored is void with the reason, and all others are kept; on every database."""

import zlib

import msgspec
import pytest
from msgspec.structs import replace
from sqlalchemy.exc import DataError, OperationalError

from arena.match import Decision, Sample
from games import InputError
from games.errors import InfrastructureError
from league.records.matches import Result, summarize
from league.records.player_ref import PlayerRef
from league.store import guard
from tests.league.store.episodes import episode, plan_of, planned

HALF = "\ud83d"


def with_text(text):
    good = episode(planned(1))
    turn = replace(good.turns[0], attempts=(Decision("Bet", text=text),))
    return replace(good, turns=(turn, *good.turns[1:]))


def with_sample(**changes):
    good = episode(planned(1))
    sample = replace(Sample((1, 2), (3,), (-0.5,), allowed=((3, 4),)), **changes)
    turn = replace(good.turns[0], attempts=(Decision("Bet", sample=sample),))
    return replace(good, turns=(turn, *good.turns[1:]))


def broken():
    good = episode(planned(1))
    first = replace(good.turns[0], attempts=(Decision("Bet", "great"),))  # type: ignore[arg-type]
    return {
        "half of a pair in a text": with_text(f"a{HALF}"),
        "half of a pair in an action": replace(good, turns=(replace(good.turns[0], action=HALF),)),
        "half of a pair in facts": replace(good, facts={"x": [HALF]}),
        "an object in facts": replace(good, facts={"x": object()}),
        "a return that is no number": replace(good, returns={"player_0": float("nan"), "player_1": 0.0}),
        "a category that is none": replace(good, turns=(first,)),
        "a seat nobody has": replace(good, turns=(replace(good.turns[0], seat="nobody"),)),
        "a token id that is text": with_sample(prompt_ids=("1",)),
        "a token id that is a fraction": with_sample(completion_ids=(1.5,)),
        "an allowed id that is text": with_sample(allowed=(("3",),)),
        "a log-probability that is not a number": with_sample(logprobs=(float("nan"),)),
        "a temperature that is infinite": with_sample(temperature=float("inf")),
        "a role that is no text": replace(good, roles={"player_0": 7, "player_1": "x"}),  # type: ignore[dict-item]
    }


@pytest.mark.parametrize("bad", broken().values(), ids=broken().keys())
def test_what_cannot_be_stored_is_void_and_the_others_are_kept(store, bad):
    run = store.start_run("t", {})
    store.plan(run, plan_of(3))
    entries = [(planned(0), episode(planned(0))), (planned(1), bad), (planned(2), episode(planned(2)))]
    written = store.finish(entries)
    assert [result.status for result in written] == ["finished", "void", "finished"]
    assert "cannot be stored" in written[1].reason
    assert written[1].reason.isprintable()
    assert [kept for _, kept in store.episodes(run)][1].status == "void"
    assert store.results(run) == written
    assert store.unfinished(run, "anybody") == 0  # the match is not played again


@pytest.mark.parametrize(
    "ended", [with_sample(), episode(planned(1), "void"), *broken().values()], ids=["sound", "void", *broken()]
)
def test_a_packed_episode_is_stored_as_the_episode_itself(store, ended):
    whole, packed = store.start_run("whole", {}), store.start_run("packed", {})
    store.plan(whole, plan_of(2, "m"))
    store.plan(packed, plan_of(2, "p"))
    (one,) = store.finish([(planned(1, "m"), ended)])
    (other,) = store.finish([(planned(1, "p"), guard.pack_episode(replace(ended, match="p0001")))])
    assert replace(other, match=one.match) == one
    assert replace(store.episode("p0001", packed), match=one.match) == store.episode("m0001", whole)


def unsound():
    other, good = guard.pack_episode(episode(planned(2))), guard.pack_episode(episode(planned(1)))
    result = msgspec.msgpack.decode(good.summary, type=Result)

    def told(**changes):
        return replace(good, summary=msgspec.msgpack.encode(replace(result, **changes)))

    return {
        "of another match": replace(other, match="m0001"),
        "no summary": replace(good, summary=b"\xc1"),
        "of other players": told(seats=tuple(replace(seat, player="carol") for seat in result.seats)),
        "not a number": told(seats=tuple(replace(seat, score=float("nan")) for seat in result.seats)),
        "controls of a terminal": told(worker="w\x1b[31m"),
        "a status that is none": told(status="won"),
        "a larger number than databases have": told(seconds=0.5, transcript=1 << 63),
    }


@pytest.mark.parametrize("bad", unsound().values(), ids=unsound().keys())
def test_a_packed_episode_with_an_unsound_summary_is_void(store, bad):
    run = store.start_run("t", {})
    store.plan(run, plan_of(2))
    written = store.finish([(planned(1), bad), (planned(0), guard.pack_episode(episode(planned(0))))])
    assert [(result.match, result.status) for result in written] == [("m0001", "void"), ("m0000", "finished")]
    assert all(text.isprintable() for text in (written[0].reason, written[0].worker))


def test_an_episode_with_samples_is_stored_as_it_is(store):
    run = store.start_run("t", {})
    store.plan(run, plan_of(2))
    (written,) = store.finish([(planned(1), with_sample(allowed=((3, 4), None)))])
    assert written.status == "finished"
    assert store.episode("m0001", run) == with_sample(allowed=((3, 4), None))


@pytest.mark.parametrize("reason", ["a\x00b", f"a{HALF}b", "a\x1b[31mb"])
def test_a_reason_that_a_database_refuses_is_cleaned(store, reason):
    run = store.start_run("t", {})
    store.plan(run, plan_of(1))
    (written,) = store.finish([(planned(0), replace(episode(planned(0), "void"), reason=reason, worker=reason))])
    assert written.reason.isprintable()
    assert store.episode("m0000", run).reason == written.reason


def test_an_episode_larger_than_a_database_takes_is_void(store, monkeypatch):
    monkeypatch.setattr(guard, "LARGEST", 2000)
    run = store.start_run("t", {})
    store.plan(run, plan_of(2))
    written = store.finish([(planned(0), episode(planned(0))), (planned(1), with_text("x" * 3000))])
    assert [result.status for result in written] == ["finished", "void"]
    assert "at most 2,000 are stored" in written[1].reason


def failing(store, monkeypatch, error):
    """A database that refuses the episode of match 1."""
    append = store._append

    def refuses(packed):
        if any(p.result.match == "m0001" and p.result.status != "void" for p in packed):
            try:
                raise error
            except (DataError, OperationalError) as refused:
                raise InfrastructureError("the database failed") from refused
        return append(packed)

    monkeypatch.setattr(store, "_append", refuses)


@pytest.mark.parametrize("error", [DataError("INSERT", {}, ValueError("too big")), OverflowError("int too large")])
def test_what_a_database_refuses_after_all_is_void(store, monkeypatch, error):
    run = store.start_run("t", {})
    store.plan(run, plan_of(3))
    failing(store, monkeypatch, error)
    written = store.finish([(planned(i), episode(planned(i))) for i in range(3)])
    assert [result.status for result in written] == ["finished", "void", "finished"]


def test_an_outage_of_the_database_stays_one(store, monkeypatch):
    run = store.start_run("t", {})
    store.plan(run, plan_of(3))
    failing(store, monkeypatch, OperationalError("INSERT", {}, ValueError("gone")))
    with pytest.raises(InfrastructureError):
        store.finish([(planned(i), episode(planned(i))) for i in range(3)])
    assert store.results(run) == []


def test_a_column_that_was_damaged_is_told_in_one_line():
    with pytest.raises(InputError, match="damaged"):
        guard.unpacked(b"no zlib")
    whole = zlib.compress(b"[]")
    for damage in (whole[:-4], whole + b"more"):  # without its checksum, or with what nobody reads
        with pytest.raises(InputError, match="too late or too early"):
            guard.unpacked(damage)


def test_a_column_that_unpacks_without_end_is_refused(monkeypatch):
    monkeypatch.setattr(guard, "LARGEST", 1000)
    with pytest.raises(InputError, match="no arena wrote it"):
        guard.unpacked(zlib.compress(b" " * 100_000))


def test_a_run_keeps_one_secret(store):
    one, other = store.start_run("one", {}), store.start_run("other", {})
    secret = store.secret(one)
    assert len(secret) == 32
    assert store.secret(one) == secret != store.secret(other)
    assert secret.hex() not in str(store.runs())


def test_a_seed_that_is_not_given_is_drawn_once(store):
    run = store.start_run("t", {"name": "t", "seed": None})
    assert run.seed == run.settings["seed"] > 1 << 40
    again = store.start_run("t", {"name": "t", "seed": None})
    assert (again.seed, again.settings) == (run.seed, run.settings)
    with pytest.raises(InputError, match="seed was"):
        store.start_run("t", {"name": "t", "seed": 7})


@pytest.mark.parametrize("packs", [False, True])
def test_what_stands_behind_a_name_comes_from_the_plan(store, run, packs):
    """A worker cannot make a player a snapshot, nor hide that it is one."""
    snapshot = PlayerRef("t", frozen=True, step=3)
    match = replace(planned(0), refs={"alice": snapshot})
    store.plan(run, [match])
    assert store.planned(run) == [match]
    forged = replace(planned(0), refs={"bob": snapshot})
    ended = episode(match)
    if packs:
        summary = msgspec.msgpack.encode(summarize(forged, ended))
        ended = replace(guard.pack_episode(ended), summary=summary)
    store.finish([(match, ended)])
    (result,) = store.results(run)
    assert [seat.ref for seat in result.seats] == [snapshot, None]
