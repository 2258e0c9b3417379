"""A recorded match of each native game: what the seats read and write on every turn, and how it ends."""

import json
import re
from pathlib import Path

import pytest

from games import MissingPackage
from games.native import NATIVE
from games.verifiers import python
from tests.games.native.matches import recorded

FOLDER = Path(__file__).parent / "golden" / "transcripts"
MATCHES = {path.stem: json.loads(path.read_text(encoding="utf-8")) for path in sorted(FOLDER.glob("*.json"))}
ELSEWHERE = {"psj-v1", "starling-v1"}
"""games whose own tests compare what they show"""


def test_every_game_has_one():
    assert NATIVE.keys() - {re.sub(r"\(.*", "", match["id"]) for match in MATCHES.values()} == ELSEWHERE


SANDBOX = pytest.mark.skipif(python.unavailable() is not None, reason=str(python.unavailable()))


@pytest.mark.parametrize("name", [pytest.param(name, marks=[SANDBOX] * (name == "code_io")) for name in MATCHES])
def test_a_match_reads_and_ends_as_recorded(name):
    match = MATCHES[name]
    try:
        again = recorded(match["id"], match["task"], match["seed"], [turn["writes"] for turn in match["turns"]])
    except MissingPackage as missing:
        pytest.skip(str(missing))
    assert again == match
