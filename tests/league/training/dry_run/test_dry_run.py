"""`arena train --dry-run` plays and writes nothing, and tells what the training then does."""

import json
import re
from collections import Counter

import pytest

from games import InputError
from league.store import Store
from league.training.dry_run import needs
from league.training.dry_run.lines import dry_run_lines
from league.training.dry_run.needs import dry_run
from league.training.resolve import resolve
from league.training.resources import machine
from league.training.resources.resource_plan import HOST, Cards
from league.training.run import run_training
from tests.arena.cli.command import run
from tests.league.training.runs import KUHN, config


@pytest.fixture(scope="module")
def pair(tmp_path_factory):
    """A dry run, what it left behind, and then the training itself."""
    home = tmp_path_factory.mktemp("dry")
    c = config(home, steps=1)
    found = dry_run(c, "")
    left = sorted(home.rglob("*"))
    run_training(c, board="off")
    return c, found, left


def owners(found):
    assert found.resources is not None
    sums = Counter[str]()
    for each in found.resources.allocations:
        assert each.card == HOST
        sums[each.owner] += each.bytes
    return sums


def test_nothing_is_written(pair):
    assert pair[2] == []


def test_the_first_batch_and_prompt_are_those_of_the_training(pair):
    c, found, _ = pair
    with Store.open(c.db, read_only=True) as store:
        played = [e for _, e in store.episodes(store.run(f"{c.name}.training"))]
    seated = [{p for p in e.seats.values() if p != "kuhn"} or {"itself"} for e in played]
    opponents = {name: sum(name in s for s in seated) for s in seated for name in s}
    assert found.matches == {KUHN: opponents}
    turn = played[0].turns[0]
    assert f"{turn.seat} ({turn.role}), seed {played[0].seed}" in found.first
    prompts = {e.turns[0].attempts[0].sample.prompt_ids for e in played if e.turns[0].player == "kuhn"}
    assert (min(map(len, prompts)), max(map(len, prompts))) == (found.tokens.prompts[0], found.tokens.prompts[2])
    longest = max(len(t.attempts[0].sample.completion_ids) for e in played for t in e.turns if t.player == "kuhn")
    assert longest == found.tokens.answer
    assert sum(len(e.turns) for e in played) <= found.tokens.attempts
    assert "Your card: " in found.prompt
    assert [choice.partition("<")[0] for choice in found.choices] == ["Pass", "Bet"]


def test_the_memory_follows_from_the_weights(pair):
    c, found, _ = pair
    items = owners(found)
    assert items["weights"] == 4 * sum(found.policies.values())
    assert items["gradients"] == 4 * found.trained
    assert items["moments"] == 8 * found.trained
    assert items["snapshots"] == c.opponents.loaded * items["weights"]
    assert found.resumes_after is None
    text = "\n".join(dry_run_lines(found))
    assert "resources on the CPU with " in text
    assert "this machine: at most " in text
    assert "nothing was played and nothing was written" in text
    assert "does not fit" not in text


def test_the_cost_of_an_evaluation_is_told(pair):
    assert pair[1].evaluation == (
        f"NashConv of {KUHN}: 12 positions are read",
        f"{KUHN}: 8 matches, 4 in each seat against each anchor",
    )
    assert "evaluation: before the first step, every 2 steps and after the last one" in list(dry_run_lines(pair[1]))


def test_a_training_that_was_started_says_where_it_resumes(pair):
    assert dry_run(pair[0], "").resumes_after == 1


def test_lora_and_overlap_are_counted(tmp_path):
    c = config(tmp_path, overlap=1, policy={"model": "tiny(layers=1, hidden=32)", "lora": 2, "dtype": "bf16"})
    found = dry_run(c, "")
    items, whole = owners(found), 2 * sum(found.policies.values())
    assert 0 < found.trained < sum(found.policies.values())
    assert items["weights"] == whole + 4 * found.trained  # with the masters
    assert items["copies"] == whole + 4 * found.trained  # the second copy, which plays, and the magnet


def test_a_dry_run_lowers_what_a_run_on_gpus_would(tmp_path, monkeypatch):
    c = config(tmp_path)
    cards = [Cards(1, 1 << 40)]
    monkeypatch.setattr(needs, "cards_here", lambda plan: cards[0])
    whole = dry_run(c, "")
    assert (whole.changes, list(whole.resources.peaks())) == ((), ["GPU 0"])
    cards[0] = Cards(1, whole.resources.peaks()["GPU 0"] - 1)
    lower = dry_run(c, "")
    assert lower.resources.problems == ()
    assert lower.tokens.token_budget == lower.resources.token_budget
    assert "  lowered to fit: activations are recomputed" in list(dry_run_lines(lower))


def test_a_dry_run_on_a_cpu_names_the_token_budget_that_fits(tmp_path, monkeypatch, caplog):
    c = config(tmp_path)
    cards = [Cards(0, 1 << 40)]
    for module in (needs, machine):
        monkeypatch.setattr(module, "cards_here", lambda plan: cards[0])
    cards[0] = Cards(0, dry_run(c, "").resources.peaks()[HOST] - 1)
    tight = dry_run(c, "")
    assert tight.changes == ()  # a run on a CPU lowers nothing
    assert tight.resources.remedies == ("token_budget = 4096 under [optimizer]",)
    assert "  would fit with token_budget = 4096 under [optimizer]" in list(dry_run_lines(tight))
    machine.fitted_here(resolve(c))
    assert "at most; it fits with token_budget = 4096 under [optimizer]" in caplog.text
    cards[0] = Cards(0, 1)
    assert dry_run(c, "").resources.remedies == ()


def test_an_error_of_the_file_is_told_without_playing(tmp_path):
    with pytest.raises(InputError, match="no game here has a role 'judge'"):
        dry_run(config(tmp_path, roles={"judge": "judge"}), "")


def test_the_verb(tmp_path, monkeypatch, capsys):
    monkeypatch.chdir(tmp_path)
    words = ["init", "training", "--yes", "--model", "tiny(layers=1, hidden=32)", "--player", "random"]
    assert run(capsys, *words)[0] == 0
    before = sorted(tmp_path.rglob("*"))
    code, out, err = run(capsys, "train", "my-training.toml", "--dry-run")
    assert code == 0, err
    assert re.search(r"first batch: \d+ matches\n  openspiel/kuhn_poker: ", out)
    assert "the model chooses from: 'Pass" in out
    code, out, _ = run(capsys, "train", "my-training.toml", "--dry-run", "--json")
    assert json.loads(out)["matches"].keys() == {"openspiel/kuhn_poker"}
    assert sorted(tmp_path.rglob("*")) == before
