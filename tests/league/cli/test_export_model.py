"""`arena export-model`: a trained model as a folder for other programs."""

import pytest

from league.config.training import parse_training
from league.training.run import run_training
from tests.arena.cli.command import run

KUHN = "openspiel/kuhn_poker"


@pytest.fixture
def db(tmp_path):
    """A training with one step, of one policy for each role."""
    pytest.importorskip("transformers")
    db = f"sqlite:///{tmp_path}/t.db"
    data = {
        "name": "t", "db": db, "folder": str(tmp_path / "t"), "steps": 1, "matches_per_step": 2, "games": [KUHN],
        "policy": {"model": "tiny(layers=1, hidden=16)", "per_role": True}, "snapshots": {"matches": 0},
        "evaluation": {"matches": 0}, "trackers": [],
    }  # fmt: skip
    run_training(parse_training(data), board="off")
    return db


def test_each_role_has_a_folder(db, tmp_path, capsys):
    from transformers import AutoModelForCausalLM

    out = tmp_path / "out"
    code, printed, err = run(capsys, "export-model", "t", "--db", db, "--out", str(out))
    assert code == 0, err
    assert printed.splitlines() == [f"wrote {out / role}" for role in ("first", "second")]
    AutoModelForCausalLM.from_pretrained(out / "first")
    capsys.readouterr()  # its progress bar
    code, _, err = run(capsys, "export-model", "t", "--db", db, "--out", str(out))
    assert (code, err) == (2, f"arena: {out / 'first'} exists already; name another folder with --out\n")


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (["random"], "player 'random' is 'random', which has no model here"),
        (["openai(model=m)"], "is 'openai', which has no model here"),
        (["t", "--adapter"], "has no adapter of a whole model; leave out --adapter"),
        (["u"], "unknown player 'u'"),
        (["llm(model=tiny)", "--out", "/dev/null/x"], "cannot write /dev/null/x: Not a directory"),
    ],
)
def test_what_cannot_be_exported_is_one_line(db, words, message, tmp_path, capsys):
    out = [] if "--out" in words else ["--out", str(tmp_path / "out")]
    code, printed, err = run(capsys, "export-model", *words, "--db", db, *out)
    assert (code, printed, err.count("\n")) == (2, "", 1)
    assert message in err
    assert not (tmp_path / "out").exists()
