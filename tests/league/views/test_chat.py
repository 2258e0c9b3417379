"""Recorded turns as chats: for a model, exactly the prompt that it read."""

import pytest

from games import InputError
from league import run_tournament, run_training
from league.store import Store
from league.store.export import export
from league.views.chat import ChatReader
from tests.arena.cli.command import run
from tests.league.specs import KUHN
from tests.league.training import runs as trainings

TINY = "tiny(layers=1, hidden=32)"


@pytest.fixture(scope="module")
def db(tmp_path_factory):
    """Models that choose, that write and fail, with and without memory, and bots, in three games."""
    url = f"sqlite:///{tmp_path_factory.mktemp('chat')}/c.db"
    players = {
        "chooser": f"llm(model='{TINY}', decode=choice, memory=true, max_tokens=6)",
        "writer": f"llm(model='{TINY}', max_tokens=6, answer=line, show_legal=false)",
        "random": "random",
    }
    settings = {"db": url, "rounds": 1, "illegal": {"retries": 1, "then": "random"}}
    brief = f"llm(model='{TINY}', max_tokens=6, show_rules=false, demonstrations=1)"
    chooser, writer, bot = ({"name": name, "player": id} for name, id in players.items())
    runs = {
        "other": {"games": ["openspiel/matrix_rps", "bargain-v1"], "players": [writer, bot]},
        "brief": {"games": ["bargain-v1"], "players": [{"name": "brief", "player": brief}, bot]},
        "chat": {"games": [KUHN, "openspiel/tic_tac_toe"], "openings": 2, "players": [chooser, writer]},
    }
    for name, more in runs.items():
        run_tournament(settings | {"name": name} | more, board="off")
    return url


def compared(store, name):
    """Compare every chat with the recorded prompt ids. Returns how many were compared."""
    from arena.inference import models
    from arena.inference.chat import ChatCodec

    tokenizer, found = ChatCodec(models.load(TINY).tokenizer), store.run(name)
    reader, n = ChatReader(store, found), 0
    for _, episode in store.episodes(found):
        chats = reader.messages(episode)
        assert len(chats) == len(episode.turns) + bool(episode.forfeited_by)
        for turn, chat in zip(episode.turns, chats, strict=False):
            assert (chat is None) == turn.opening
            if chat is None:
                continue
            assert [m["role"] for m in chat][-2:] == ["user", "assistant"]
            last = turn.attempts[-1]
            if last.sample is None:
                assert chat[-1]["content"] == last.action
                continue
            assert tuple(tokenizer.encode_chat(chat[:-1])) == last.sample.prompt_ids
            n += 1
    return n


def test_a_models_chat_is_the_prompt_that_it_read(db):
    with Store.open(db, read_only=True) as store:
        assert compared(store, "chat") > 10
        assert compared(store, "other") > 2
        assert compared(store, "brief") > 0


def test_a_trainings_chat_is_the_prompt_that_it_read(tmp_path):
    c = trainings.config(tmp_path, steps=2, snapshots={"every": 1, "matches": 1}, evaluation={"matches": 0})
    run_training(c, board="off")
    with Store.open(c.db, read_only=True) as store:
        assert compared(store, "kuhn.training") > 30
        assert compared(store, "kuhn") > 3


def test_parquet_has_the_chats(db, tmp_path, capsys):
    parquet = pytest.importorskip("pyarrow.parquet")
    out = tmp_path / "m.parquet"
    assert run(capsys, "export", "--format", "parquet", "--messages", "--db", db, "-o", str(out))[0] == 0
    table = parquet.read_table(out)
    assert str(table.schema.field("messages").type) == "list<element: struct<role: string, content: string>>"
    rows = table.to_pylist()
    assert all((row["messages"] is None) == bool(row["opening"]) for row in rows)
    assert {m["role"] for row in rows for m in row["messages"] or ()} == {"system", "user", "assistant"}
    assert run(capsys, "export", "--format", "parquet", "--db", db, "-o", str(out))[0] == 0
    assert "messages" not in parquet.read_table(out).schema.names
    code, _, err = run(capsys, "export", "--messages", "--db", db)
    assert (code, err) == (2, "arena: --messages needs --format parquet\n")


def test_a_record_that_does_not_fit_its_game_is_refused(db, tmp_path):
    from msgspec.structs import replace

    with Store.open(db, read_only=True) as store:
        found = store.run()
        episode = next(e for _, e in store.episodes(found) if e.game == KUHN)
        wrong = replace(episode, turns=tuple(replace(t, action="Fold") for t in episode.turns))
        with pytest.raises(InputError, match="does not fit openspiel/kuhn_poker"):
            ChatReader(store, found).messages(wrong)
        assert export(store, found, "jsonl", tmp_path / "out.jsonl") > 0
