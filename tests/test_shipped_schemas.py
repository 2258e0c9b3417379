"""The JSON schemas beside the example files are current."""

from pathlib import Path

import pytest

from league.config.json_schema import schema_text

EXAMPLES = Path(__file__).parents[1] / "scripts" / "examples"


@pytest.mark.parametrize("kind", ["tournament", "training"])
def test_the_shipped_schema_is_current(kind):
    """If this fails, type: arena schema KIND > scripts/examples/KIND.schema.json"""
    current = (EXAMPLES / f"{kind}.schema.json").read_text() == schema_text(kind)
    assert current, f"type: arena schema {kind} > scripts/examples/{kind}.schema.json"
