"""Templates that write the date: a run's prompts read the day of its start, whenever it goes on."""

import shutil
from datetime import UTC, datetime, timedelta

import pytest

from arena.inference import models, prompt_date
from league import run_tournament, run_training
from league.store import Store, runs
from tests.arena.inference.template_shapes import SHAPES
from tests.league.training.kills import dying_after
from tests.league.training.runs import KUHN, config

METRICS = "metrics.jsonl"
ALONE = {
    "opponents": {"self": 0.5, "snapshots": 0.5, "anchors": 0.0},
    "anchors": [],
    "snapshots": {"every": 1, "matches": 2, "versus": 1},
    "evaluation": {"every": 1, "matches": 2},
    "checkpoint": {"every": 1},
    "steps": 3,
}


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    """The tiny model with the template of Llama 3."""
    made = tmp_path_factory.mktemp("models") / "dated"
    shutil.copytree(models.folder("tiny(layers=1, hidden=32)"), made)
    (made / "chat_template.jinja").write_text(SHAPES["llama-3"].template)
    return str(made)


@pytest.fixture(scope="module")
def whole(tmp_path_factory, folder):
    """A training that was never stopped."""
    place = tmp_path_factory.mktemp("whole")
    assert run_training(training(place, folder), board="off").complete
    return place


def training(place, folder, **more):
    return config(place, **ALONE | {"policy": {"model": folder}} | more)


def later(monkeypatch):
    """It is three days later."""

    class Later(datetime):
        @classmethod
        def now(cls, tz=None):
            return datetime.now(tz) + timedelta(3)

    monkeypatch.setattr(prompt_date, "today", lambda: Later.now(UTC).date())
    monkeypatch.setattr(runs, "datetime", Later)


def dates(db, run, folder):
    """Returns the dates in the stored prompts of a run."""
    tokenizer = models.tokenizer_of(models.folder(folder))[0]
    with Store.open(db, read_only=True) as store:
        stored = store.run(run)
        prompts = [t.sample.prompt_ids for _, e in store.episodes(stored) for t in e.turns if t.sample is not None]
        read = {tokenizer.decode(ids).partition("Today Date: ")[2][:11] for ids in prompts}
        return read, store.day(stored).strftime("%d %b %Y")


def test_a_training_resumed_days_later_is_the_same_bit_for_bit(whole, folder, tmp_path, monkeypatch):
    with dying_after(2):
        run_training(training(tmp_path, folder), board="off")
    later(monkeypatch)
    assert run_training(training(tmp_path, folder), board="off").complete
    for part in (METRICS, "checkpoints/step-00000003/weights.safetensors", "snapshots/kuhn@3/model.safetensors"):
        assert (tmp_path / "run" / part).read_bytes() == (whole / "run" / part).read_bytes(), part
    for run in ("kuhn", "kuhn.training"):
        read, day = dates(f"sqlite:///{tmp_path}/arena.db", run, folder)
        assert read == {day}


def test_matches_of_another_run_are_imitated_with_its_date(whole, folder, tmp_path, monkeypatch):
    later(monkeypatch)
    source = {"run": "kuhn.training", "db": f"sqlite:///{whole}/arena.db", "learn": "returns"}
    settings = training(tmp_path, folder, steps=1, imitation=source)
    run_training(settings, board="off")
    with Store.open(settings.db, read_only=True) as store:
        (line,) = [event.text for event in store.events(store.run("kuhn")) if event.kind == "imitation"]
    with Store.open(source["db"], read_only=True) as store:
        turns = sum(len(episode.turns) for _, episode in store.episodes(store.run(source["run"])))
    assert f" {turns} turns of " in line
    assert "left out" not in line
    read, day = dates(settings.db, "kuhn.training", folder)
    assert read == {day}
    assert day != dates(source["db"], "kuhn.training", folder)[1]


def test_a_tournament_goes_on_with_its_first_date(folder, tmp_path, monkeypatch):
    players = [{"name": "llm", "player": f"llm(model={folder}, decode=choice)"}, {"name": "random", "player": "random"}]
    settings = {"name": "cup", "db": f"sqlite:///{tmp_path}/cup.db", "games": [KUHN], "players": players, "seed": 1}
    run_tournament(settings | {"rounds": 1}, board="off")
    later(monkeypatch)
    run_tournament(settings | {"rounds": 3}, board="off")
    read, day = dates(settings["db"], "cup", folder)
    assert read == {day}
