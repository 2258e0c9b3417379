"""The training loop with the tiny model: what it writes, that it resumes exactly, that it learns."""

import asyncio
import json
import os
import signal
import threading
from collections import Counter

import pytest

from arena.inference import adapters, models, tensor_file
from arena.learner import checkpoint
from games import InfrastructureError, InputError
from league import run_training
from league.board import Board
from league.records.metrics_file import METRICS, read_metrics
from league.records.player_ref import PlayerRef
from league.reports.reproduce import reproduction
from league.store import Store
from league.training.evaluate import PolicyEvaluator
from league.training.loop import Training
from tests.league.training.kills import TRAINING, KilledError, in_child
from tests.league.training.runs import KUHN, config


@pytest.fixture(scope="module")
def six(tmp_path_factory):
    """The folder of a training of six steps. No test changes it."""
    folder = tmp_path_factory.mktemp("six")
    trained = run_training(config(folder), board="off")
    assert (trained.complete, trained.step) == (True, 6)
    return folder


@pytest.fixture(scope="module")
def two(tmp_path_factory):
    """The same with two steps."""
    folder = tmp_path_factory.mktemp("two")
    assert run_training(config(folder, steps=2), board="off").complete
    return folder


def test_a_training_leaves_metrics_snapshots_ratings_and_its_matches(six):
    c = config(six)
    rows = read_metrics(c.place)
    assert [row["step"] for row in rows] == [0, 1, 2, 3, 4, 5, 6]
    for key in (
        f"nash_conv/{KUHN}",
        f"nash_conv_average/{KUHN}",
        f"win_rate/{KUHN}/random/player_0",
        f"reward/{KUHN}/first",
        f"baseline/{KUHN}/second",
        "entropy",
        "grad_norm",
        "mismatch_kl",
        "ess",
        "length",
        "illegal",
    ):
        assert key in rows[-1], key
    assert all(row.get("mismatch_kl", 0) < 1e-6 for row in rows)
    assert all(row.get("illegal", 0) == 0 for row in rows)
    for line in (c.place / "timing.jsonl").read_text().splitlines()[1:]:
        timing = json.loads(line)
        spent = {
            part: timing[f"share/{part}"] for part in ("rollout", "learn", "publish", "evaluate", "keep", "league")
        }
        assert min(spent.values()) > 0
        assert sum(spent.values()) <= 1 + 1e-9  # no second counts twice
        assert timing["learn/forward"] + timing["learn/backward"] < timing["learn"]
    names = ["kuhn@0", "kuhn@2", "kuhn@4", "kuhn@6"]
    assert sorted(p.name for p in (c.place / "snapshots").iterdir()) == names
    assert len(list((c.place / "checkpoints").glob("step-*"))) == 2
    with Store.open(c.db, read_only=True) as store:
        rated = store.run("kuhn")
        players = {s.player for r in store.results(rated) for s in r.seats}
        assert players == {"random", *names}  # the live policy is never rated
        assert len(store.results(rated)) == 4 * 2 * 2 + 3 * 2 * 2  # against the anchor, against the one before
        kept = store.run("kuhn.training")
        assert store.counts(kept).finished >= 6 * 16
        learned = [t for _, e in store.episodes(kept) for t in e.turns if t.trainable]
        assert {t.player for t in learned} == {"kuhn"}
        state = checkpoint.load(checkpoint.latest(c.place / "checkpoints")).state["trainer"]["estimator"]
        seats = [e.roles[seat] for _, e in store.episodes(kept) for seat, p in e.seats.items() if p == "kuhn"]
        assert {key[1]: count for key, _, count in state["baselines"]} == Counter(seats)  # only the policy's rewards
        assert sum(row.get("samples", 0) for row in rows) == sum(len(t.attempts) for t in learned)  # and all of them
        versions = [e.attempts[-1].sample.version for e in learned]
        assert versions == sorted(versions)
        assert set(versions) == set(range(6))


def test_rows_are_numbered_by_steps_of_the_training_however_many_updates_a_step_makes(tmp_path):
    c = config(
        tmp_path,
        steps=3,
        optimizer={"lr": 1e-3, "epochs": 2, "minibatches": 2},
        opponents={"self": 1.0},
        anchors=[],
        snapshots={"every": 3, "matches": 0},
    )
    run_training(c, board="off")
    rows = read_metrics(c.place)
    assert [row["step"] for row in rows] == [0, 1, 2, 3]
    assert [row["updates"] for row in rows[1:]] == [4, 8, 12]


def test_a_finished_training_has_nothing_left_to_do(two):
    c = config(two, steps=2)
    before = (c.place / METRICS).read_bytes()
    assert run_training(c, board="off").complete
    assert (c.place / METRICS).read_bytes() == before


def snapshot_names(place):
    return sorted(path.name for path in (place / "snapshots").iterdir())


@pytest.mark.parametrize("rule", [{"every": 2}, {"every": None}])
def test_the_last_step_is_a_snapshot_whatever_the_rule(tmp_path, rule):
    """The newest player is the policy that the training ended with, also after a resume with more steps."""
    more = {"snapshots": rule | {"matches": 1, "versus": 1}, "evaluation": {"every": 9, "matches": 0}}
    c = config(tmp_path, steps=3, **more)
    middle = ["kuhn@2"] if rule["every"] else []
    run_training(c, board="off")
    assert snapshot_names(c.place) == ["kuhn@0", *middle, "kuhn@3"]
    with Store.open(c.db, read_only=True) as store:
        events = [
            json.loads(event.text)["name"] for event in store.events(store.run("kuhn")) if event.kind == "snapshot"
        ]
        assert events == ["kuhn@0", *middle, "kuhn@3"]
        seats = [seat for result in store.results(store.run("kuhn")) for seat in result.seats]
    refs = {seat.player: seat.ref for seat in seats}
    assert refs["random"] is None
    assert {name: ref for name, ref in refs.items() if ref} == {
        name: PlayerRef("kuhn", frozen=True, step=int(name[-1])) for name in events
    }
    run_training(config(tmp_path, steps=5, **more), board="off")
    later = ["kuhn@4"] if rule["every"] else []
    assert snapshot_names(c.place) == ["kuhn@0", *middle, "kuhn@3", *later, "kuhn@5"]


def test_other_settings_do_not_continue_a_training(two):
    with pytest.raises(InputError, match=r"another configuration: optimizer\.lr was"):
        run_training(config(two, steps=4, optimizer={"lr": 1e-2}), board="off")
    with pytest.raises(InputError, match=r"run 'kuhn' in .* another configuration: steps was 2, is 1; change it back"):
        run_training(config(two, steps=1), board="off")


def test_a_folder_that_cannot_be_written_is_refused_before_any_match(tmp_path):
    (tmp_path / "file").write_text("")
    with pytest.raises(InputError, match=r"cannot write to its folder .*file/run: Not a directory; set folder = "):
        run_training(config(tmp_path / "file", db=f"sqlite:///{tmp_path}/arena.db"), board="off")
    assert not (tmp_path / "arena.db").exists()


def test_a_training_with_the_name_of_a_gate_is_a_training_and_names_that_are_taken_are_refused(tmp_path):
    db = f"sqlite:///{tmp_path}/arena.db"
    for name in ("kuhn.gate", "x"):
        folder = str(tmp_path / name)
        run_training(config(tmp_path, name=name, steps=1).model_copy(update={"folder": folder}), board="off")
    with Store.open(db) as store:
        kinds = {run.name: (run.spec.kind, run.spec.parent) for run in store.runs()}
        assert kinds["kuhn.gate"] == ("training", "")
        assert kinds["x.training"] == ("record", "x")
        assert reproduction(store.run("kuhn.gate")).file == "kuhn.gate.toml"
        before = len(store.runs())
    other = config(tmp_path, name="x.training", steps=1).model_copy(update={"folder": str(tmp_path / "new")})
    with pytest.raises(InputError, match=r"a run 'x.training' already, the record of training 'x'; this is a training"):
        run_training(other, board="off")
    assert not (tmp_path / "new").exists()
    with Store.open(db) as store:
        assert len(store.runs()) == before


def test_a_full_disk_ends_a_training_with_a_message_and_it_resumes_when_there_is_space(tmp_path, monkeypatch):
    """A checkpoint is written in the learner's thread, so that matches and the board go on meanwhile."""
    with monkeypatch.context() as patch:
        write, threads = tensor_file.write, set()

        def full(path, *arguments):
            threads.add(threading.current_thread().name.rpartition("_")[0])
            if "step-00000003" in str(path):
                raise OSError(28, "No space left on device")
            write(path, *arguments)

        patch.setattr(tensor_file, "write", full)
        with pytest.raises(InfrastructureError, match=r"step 3 cannot be written .* No space left .* run the same"):
            run_training(config(tmp_path, steps=4, checkpoint={"every": 1}), board="off")
        assert threads == {"arena-learner"}
    trained = run_training(config(tmp_path, steps=4, checkpoint={"every": 1}), board="off")
    assert trained.complete
    assert [row["step"] for row in read_metrics(config(tmp_path).place)] == [0, 1, 2, 3, 4]


def test_a_training_without_its_folder_is_not_mixed_with_a_new_one(tmp_path):
    c = config(tmp_path, steps=2)
    run_training(c, board="off")
    c.place.rename(tmp_path / "moved")
    with pytest.raises(InputError, match="holds no checkpoint"):
        run_training(c, board="off")


def test_the_checkpoints_of_a_training_in_another_database_are_not_taken_for_its_own(two, tmp_path):
    c = config(two, steps=2)
    with pytest.raises(InputError, match="holds checkpoints of a training that is not in this database"):
        run_training(c.model_copy(update={"db": f"sqlite:///{tmp_path}/other.db"}), board="off")


@pytest.mark.slow
def test_killed_and_resumed_is_the_same_bit_for_bit(tmp_path):
    """6 steps equal 5 steps, a kill -9 after the row of step 5, and a resume from the checkpoint of step 4."""
    for name, *when in (("whole",), ("killed", 5)):
        (tmp_path / name).mkdir()
        assert in_child(TRAINING, tmp_path / name, 0, *when) == (-signal.SIGKILL if when else 0)
    assert [row["step"] for row in read_metrics(tmp_path / "killed/run")][-1] == 5
    assert in_child(TRAINING, tmp_path / "killed", 0) == 0
    whole, killed = (tmp_path / name / "run" for name in ("whole", "killed"))
    assert (killed / METRICS).read_bytes() == (whole / METRICS).read_bytes()
    for part in ("checkpoints/step-00000006/weights.safetensors", "snapshots/kuhn@6/model.safetensors"):
        assert (killed / part).read_bytes() == (whole / part).read_bytes()
    assert rated(tmp_path / "killed") == rated(tmp_path / "whole")


@pytest.mark.parametrize(("method", "step"), [("_save_checkpoint", 0), ("_rate_snapshots", 0), ("_write", 1)])
def test_killed_before_its_second_checkpoint_it_resumes_as_if_it_never_stopped(
    two, tmp_path, monkeypatch, method, step
):
    """The first checkpoint holds the row and the snapshot of step 0. Neither may be made again."""
    work = getattr(Training, method)

    async def dies(self, *rest):
        if self.step == step:
            raise KilledError
        await work(self, *rest)

    def dies_after(self, *rest):
        work(self, *rest)
        if self.step == step:
            raise KilledError

    with monkeypatch.context() as patched:
        patched.setattr(Training, method, dies_after if method == "_write" else dies)
        with pytest.raises(KilledError):
            run_training(config(tmp_path, steps=2), board="off")
    shown = []
    update = Board.update
    monkeypatch.setattr(
        Board, "update", lambda self, state: shown.append(state.snapshot.matches) or update(self, state)
    )
    assert run_training(config(tmp_path, steps=2), board="off").complete
    # Matches that a killed process lost count on both sides; otherwise the board would show 100% too early.
    totals = [matches.total for matches in shown]
    assert max(totals) - min(totals) <= 2, "a step may plan a match more than it is asked for"
    assert shown[-1].planned == shown[-1].total
    assert (tmp_path / "run" / METRICS).read_bytes() == (two / "run" / METRICS).read_bytes()
    assert rated(tmp_path) == rated(two)


def rated(folder):
    with Store.open(f"sqlite:///{folder}/arena.db", read_only=True) as store:
        return [(r.match, r.seats) for r in store.results_in_plan_order(store.run("kuhn"))]


def test_interrupted_once_it_finishes_the_step_and_resumes_as_if_it_never_stopped(six, tmp_path, monkeypatch):
    write = Training._write

    def interrupted(self, *rest):
        write(self, *rest)
        if self.step == 3:
            os.kill(os.getpid(), signal.SIGINT)

    with monkeypatch.context() as patched:
        patched.setattr(Training, "_write", interrupted)
        first = run_training(config(tmp_path), board="off")
    assert not first.complete
    assert first.step in (3, 4)  # the signal arrives at once or after the next step has started
    assert run_training(config(tmp_path), board="off").complete
    assert (tmp_path / "run" / METRICS).read_bytes() == (six / "run" / METRICS).read_bytes()


def test_interrupted_while_it_evaluates_it_saves_the_step(tmp_path, monkeypatch):
    measure = PolicyEvaluator.measure

    async def interrupted(self, player, step):
        if step == 3:
            os.kill(os.getpid(), signal.SIGINT)
            await asyncio.sleep(0)  # lets the event loop handle the signal
        return await measure(self, player, step)

    c = config(tmp_path, evaluation={"every": 3, "matches": 1}, checkpoint={"every": 5})
    with monkeypatch.context() as patched:
        patched.setattr(PolicyEvaluator, "measure", interrupted)
        stopped = run_training(c, board="off")
    assert not stopped.complete
    newest = checkpoint.latest(c.place / "checkpoints")
    assert newest is not None
    assert checkpoint.load(newest).step == stopped.step >= 3


def test_one_policy_for_each_role(tmp_path):
    c = config(
        tmp_path,
        steps=2,
        policy={"model": "tiny(layers=1, hidden=32)", "per_role": True},
        snapshots={"every": 1, "matches": 1},
    )
    run_training(c, board="off")
    rows = read_metrics(c.place)
    assert rows[-1]["grad_norm/first"] != rows[-1]["grad_norm/second"]
    assert sorted(p.name for p in (c.place / "snapshots/kuhn@2").iterdir()) == ["first", "second"]
    weights = [(c.place / f"snapshots/kuhn@2/{role}/model.safetensors").read_bytes() for role in ("first", "second")]
    assert weights[0] != weights[1]


def test_a_frozen_role_is_in_neither_gradient_nor_baseline(tmp_path):
    policy = {"model": "tiny(layers=1, hidden=32)", "per_role": True}
    c = config(tmp_path, steps=2, phases=[{"roles": ["first"]}], policy=policy)
    run_training(c, board="off")
    rows = read_metrics(c.place)
    assert f"baseline/{KUHN}/first" in rows[-1]
    assert f"baseline/{KUHN}/second" not in rows[-1]
    assert rows[-1]["samples/second"] == 0
    assert rows[-1]["samples/first"] > 0


@pytest.mark.parametrize(
    "advantage",
    ["grpo", *(pytest.param(name, marks=pytest.mark.slow) for name in ("none", "global", "rloo", "whiten"))],
)
def test_every_estimator_trains(tmp_path, advantage):
    c = config(tmp_path, steps=2, advantage=advantage, group=2, record=False, evaluation={"every": 2, "matches": 0})
    run_training(c, board="off")
    rows = read_metrics(c.place)[1:]
    assert max(row["grad_norm"] for row in rows) > 0
    assert max(row[f"advantage_square/{KUHN}/{role}"] for row in rows for role in ("first", "second")) > 0
    with Store.open(c.db, read_only=True) as store:
        assert [r.name for r in store.runs()] == ["kuhn"]


@pytest.mark.parametrize(
    "more", [{"advantage": "grpo"}, {"advantage": "turn-level(gamma=0.9)"}, {"loss": {"name": "nft"}}]
)
def test_groups_of_one_are_refused_where_every_role_has_one_seat(tmp_path, more):
    with pytest.raises(InputError, match=r"compares .* each role has one seat; set group to 2 or more"):
        run_training(config(tmp_path, **more), board="off")


def test_groups_of_one_are_enough_for_a_game_with_several_solvers(tmp_path):
    """The four solvers of a match are a group; its proposer has nobody to be compared with."""
    more = {"games": ["psj-v1(solvers=4,size=1)"], "evaluation": {"matches": 0}, "anchors": [], "opponents": {}}
    c = config(tmp_path, steps=1, advantage="grpo", record=False, **more)
    run_training(c, board="off")
    row = read_metrics(c.place)[-1]
    game = next(key for key in row if key.startswith("no_advantage/") and key.endswith("/proposer"))
    assert row[game] == 1.0


def test_the_command_trains_and_evaluates(tmp_path, capsys):
    from arena.cli import main

    file = tmp_path / "t.toml"
    db = f"sqlite:///{tmp_path}/a.db"
    file.write_text(
        f'name = "t"\ndb = "{db}"\nfolder = "{tmp_path}/t"\nsteps = 1\n'
        f'matches_per_step = 4\ngames = ["{KUHN}"]\ntrackers = []\n'
        '[policy]\nmodel = "tiny(layers=1, hidden=32)"\n[snapshots]\nmatches = 0\n[evaluation]\nmatches = 0\n'
    )
    assert main(["train", str(file), "--json"]) == 0
    assert json.loads(capsys.readouterr().out)["complete"]
    assert main(["eval", "t@0", "--game", KUHN, "--matches", "2", "--db", db, "--against", "random", "--json"]) == 0
    report = json.loads(capsys.readouterr().out)
    assert 0.5 < report["exact"]["nash_conv"] < 1.5
    assert [s["matches"] for s in report["seats"]] == [2, 2]
    assert main(["eval", "t@7", "--game", KUHN, "--db", db]) == 2
    assert "unknown player 't@7'; did you mean 't@1'" in capsys.readouterr().err
    assert main(["eval", "t", "--game", KUHN, "--matches", "0", "--db", db, "--json"]) == 0
    assert json.loads(capsys.readouterr().out)["player"] == "t@1"  # the newest snapshot of the run
    assert main(["eval", "tt", "--game", KUHN, "--db", db]) == 2
    assert "unknown player 'tt'" in capsys.readouterr().err
    assert main(["train", str(tmp_path / "none.toml")]) == 2
    assert "training file" in capsys.readouterr().err


def test_free_text_trains_on_what_was_forfeited_and_lora_on_adapters(tmp_path):
    free = {"model": "tiny(layers=1, hidden=32)", "decode": "free", "max_tokens": 6}
    c = config(tmp_path, name="free", steps=1, policy=free, illegal={"retries": 1}, evaluation={"matches": 1})
    trained = run_training(c, board="off").metrics
    assert trained["illegal"] > 0.9  # an untrained model writes nonsense
    assert trained["samples"] == trained["answers"] > 0
    assert trained["grad_norm"] > 0
    assert trained["ess"] > 0.999
    assert f"nash_conv/{KUHN}" not in trained
    lora = {"model": "tiny(layers=1, hidden=32)", "lora": 2}
    c = config(tmp_path / "lora", name="lora", steps=1, policy=lora, evaluation={"matches": 0})
    run_training(c, board="off")
    assert sorted(p.name for p in (c.place / "snapshots/lora@1").iterdir()) == [adapters.CONFIG, adapters.WEIGHTS]
    base = models.folder(lora["model"]) / "model.safetensors"
    assert (c.place / "checkpoints/step-00000001/weights.safetensors").stat().st_size < base.stat().st_size / 5
