"""The JSON schemas: the example files are valid by them, and mistakes are found."""

import tomllib
from functools import cache
from pathlib import Path

import jsonschema
import pytest
from jsonschema.exceptions import best_match

from league.config.json_schema import FileKind, schema_of, schema_text
from league.study.config import StudyConfig
from tests.arena.cli.command import run

EXAMPLES = Path(__file__).parents[3] / "scripts" / "examples"


@cache
def validator(kind: FileKind) -> jsonschema.Draft202012Validator:
    return jsonschema.Draft202012Validator(schema_of(kind))


def validate(file, kind):
    """Raise what `jsonschema.validate` raises, without a check of the schema each time."""
    if (error := best_match(validator(kind).iter_errors(file))) is not None:
        raise error


def kind_of(text):
    return "training" if "steps" in tomllib.loads(text) else "tournament"


@pytest.mark.parametrize("path", sorted(EXAMPLES.glob("*.toml")), ids=lambda path: path.name)
def test_the_examples_are_valid_and_name_their_schema(path):
    text = path.read_text()
    if "arms" in tomllib.loads(text):
        StudyConfig.model_validate(tomllib.loads(text))
        return
    validate(tomllib.loads(text), kind_of(text))
    first = text.splitlines()[0]
    assert not first.startswith("#:schema") or first == f"#:schema ./{kind_of(text)}.schema.json"


def test_the_quickstart_names_its_schema():
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
def test_mistakes_are_found(kind, found, message):
    name = {"tournament": "quickstart.toml", "training": "quickstart_train.toml"}[kind]
    file = tomllib.loads((EXAMPLES / name).read_text())
    with pytest.raises(jsonschema.ValidationError, match=message):
        validate(file | found, kind)


def test_the_verb_prints_a_schema_that_is_one(capsys):
    validator("tournament").check_schema(schema_of("tournament"))
    validator("training").check_schema(schema_of("training"))
    code, out, err = run(capsys, "schema", "tournament")
    assert (code, out, err) == (0, schema_text("tournament"), "")
    assert run(capsys, "schema", "league")[0] == 2
