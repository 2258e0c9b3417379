"""The JSON schemas: the example files are valid by them, and mistakes are found."""

from __future__ import annotations

import tomllib
from pathlib import Path

import jsonschema
import pytest

from league.config.json_schema import FileKind, schema_of, schema_text
from tests.arena.cli.command import run

EXAMPLES = Path(__file__).parents[3] / "scripts" / "examples"


def kind_of(text: str) -> FileKind:
    return "training" if "steps" in tomllib.loads(text) else "tournament"


@pytest.mark.parametrize("path", sorted(EXAMPLES.glob("*.toml")), ids=lambda path: path.name)
def test_the_examples_are_valid_and_name_their_schema(path: Path) -> None:
    text = path.read_text()
    jsonschema.validate(tomllib.loads(text), schema_of(kind_of(text)))
    first = text.splitlines()[0]
    assert not first.startswith("#:schema") or first == f"#:schema ./{kind_of(text)}.schema.json"


def test_the_quickstart_names_its_schema() -> None:
    assert (EXAMPLES / "quickstart.toml").read_text().startswith("#:schema ./tournament.schema.json\n")
    assert (EXAMPLES / "quickstart_train.toml").read_text().startswith("#:schema ./training.schema.json\n")


@pytest.mark.parametrize(
    ("kind", "found", "message"),
    [
        ("tournament", {"rounds": 0}, "0 is less than the minimum of 1"),
        ("tournament", {"ruonds": 3}, "'ruonds' was unexpected"),
        ("training", {"loss": {"kl": "much"}}, "'much' is not of type 'number'"),
        ("training", {"games": [3]}, "3 is not valid"),
        ("training", {"opponents": {"self_play": 1.0}}, "'self_play' was unexpected"),
    ],
)
def test_mistakes_are_found(kind: FileKind, found: dict[str, object], message: str) -> None:
    name = {"tournament": "quickstart.toml", "training": "quickstart_train.toml"}[kind]
    file = tomllib.loads((EXAMPLES / name).read_text())
    with pytest.raises(jsonschema.ValidationError, match=message):
        jsonschema.validate(file | found, schema_of(kind))


def test_the_verb_prints_the_schema(capsys: pytest.CaptureFixture[str]) -> None:
    code, out, err = run(capsys, "schema", "tournament")
    assert (code, out, err) == (0, schema_text("tournament"), "")
    assert run(capsys, "schema", "league")[0] == 2
