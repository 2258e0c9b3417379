"""The kit: real games have no findings, reports are readable, and the caller's state is unchanged."""

import json
import random
import subprocess
import sys
import time
from dataclasses import replace

import numpy as np
import pytest

from games import InputError, Notes, Report, UnknownName, check, make
from games.aec import to_aec
from games.conformance import CHECKS, Check, Finding, check_game, prompts
from games.conformance.run import run_check, run_checks
from games.conformance.subject import Subject
from games.native.bargain import bargain
from tests import golden
from tests.games.conformance.faulty_games import OpenSpielKuhn
from tests.toys.correct_games import Cards, Haggle

REAL = golden.rows(__file__, "kit_real")


@pytest.mark.parametrize("id", REAL)
def test_real_games_are_clean(id):
    if id.startswith("pettingzoo/"):
        pytest.importorskip("pygame")
    if "leduc_holdem" in id:
        pytest.importorskip("rlcard")
    report = check(id, episodes=10)
    report.raise_if_failed()
    assert (report.ok, report.exit_code) == (True, 0)


def test_report_reads_as_one_line_for_each_check():
    report = check_game(Cards(), episodes=20)
    lines = str(report).splitlines()
    assert lines[0].startswith("cards-v0: ok, 20 matches of up to 3 decisions (limit 3)")
    assert [line.split()[1] for line in lines[1:]] == list(CHECKS)
    assert all(line.split()[0] in ("pass", "note", "skip") for line in lines[1:])
    assert "  skip  notes      no notes pass to later matches" in lines


def test_report_of_a_failure():
    findings = tuple(Finding("turns", f"problem {i}") for i in range(5))
    report = Report("x-v0", (Check("play", 7, "matches"), Check("turns"), Check("rewards", skipped="later")), findings)
    assert str(report).splitlines() == [
        "x-v0: FAILED",
        "  pass  play     7 matches",
        "  FAIL  turns    problem 0",
        "                 problem 1",
        "                 problem 2",
        "                 and 2 more",
        "  skip  rewards  later",
    ]
    assert (report.ok, report.exit_code) == (False, 1)
    with pytest.raises(AssertionError, match="x-v0: FAILED\n"):
        report.raise_if_failed()
    loaded = json.loads(report.to_json())
    assert loaded["findings"][4] == {"check": "turns", "message": "problem 4", "severity": "error"}
    assert loaded["checks"][2] == {"name": "rewards", "cases": 0, "unit": "cases", "skipped": "later", "lacks": ""}
    assert (loaded["id"], loaded["ok"]) == ("x-v0", False)


def test_what_cannot_be_verified_is_a_note_and_no_pass():
    class Undeclared(Haggle):
        def known_outcomes(self):
            return ()

    report = check_game(Undeclared(), episodes=20)
    assert report.ok
    (note,) = report.of("outcomes")
    assert note.severity == "note"
    assert "nothing to compare" in note.message
    assert "note  outcomes" in str(report)
    assert report.status("outcomes") == json.loads(report.to_json())["status"]["outcomes"] == "not verifiable"
    assert report.exit_code == 0


def test_same_seed_same_report():
    first, second = (check_game(Haggle, episodes=30, seed=4) for _ in range(2))
    assert (first.checks, first.findings) == (second.checks, second.findings)


def test_global_generators_are_left_as_they_were():
    states = random.getstate(), np.random.get_state()[1].tolist()
    check_game(Cards(), episodes=10)
    assert (random.getstate(), np.random.get_state()[1].tolist()) == states


def test_nothing_is_printed(capfd):
    check_game(Cards(), episodes=10)
    assert capfd.readouterr() == ("", "")


def test_no_time_is_no_pass():
    report = check_game(Cards(), max_seconds=0.0)
    assert not report.ok
    assert "no match ended within 0 s" in str(report)
    assert "pass  seeds" not in str(report)


def test_without_a_match_nothing_passes():
    class Endless(Cards):
        over = False

    report = check_game(Endless())
    assert not report.ok
    passed = [line.split()[1] for line in str(report).splitlines()[1:] if line.split()[0] == "pass"]
    assert passed == ["spec"]
    assert {c.skipped for c in report.checks if c.name not in ("spec",)} == {"not run: no match was played to its end"}


def test_unknown_id():
    with pytest.raises(UnknownName):
        check_game("openspiel/kuhn_pocker")


def test_importing_games_imports_no_kit():
    code = "import games, sys; assert not {'pettingzoo', 'numpy', 'games.conformance', 'games.aec'} & set(sys.modules)"
    subprocess.run([sys.executable, "-c", code], check=True)


@pytest.mark.parametrize(
    ("notes", "message"),
    [
        (Notes("buyer", 3), "seats is 'buyer'; write a tuple of seats, such as ('seller',)"),
        (Notes(("fox",), 3), "names a missing seat 'fox'; the seats: "),
        (Notes(("buyer",), 0), "newest is 0; it must be at least 1"),
    ],
)
def test_a_wrong_declaration_of_notes_is_refused(notes, message):
    with pytest.raises(InputError) as refused:
        replace(Haggle().spec, notes=notes)
    assert message in str(refused.value)


@pytest.mark.parametrize("leaves", [True, False])
def test_matches_that_leave_no_note_are_told(monkeypatch, leaves):
    game = bargain(rounds=1, coach="seller", games=2)
    if not leaves:
        monkeypatch.setattr(bargain, "facts", lambda self: {"notes": []})
    report = check(game, episodes=2)
    assert report.ok
    assert ("no match left a note" in str(report)) is not leaves


def test_a_check_that_compared_nothing_is_not_verifiable_in_every_kit():
    def nothing(subject):
        yield Check("empty", lacks="two examples")

    def unexplained(subject):
        yield Check("bare")

    def apart(subject):
        yield Check("apart", skipped="it has no such part")

    report = run_checks("x", object(), {"empty": nothing, "bare": unexplained, "apart": apart})
    assert [report.status(name) for name in ("empty", "bare", "apart")] == ["not verifiable", "not verifiable", "skip"]
    assert "  note  empty  nothing to compare, and no fault: two examples" in str(report)
    assert "pass" not in str(report)
    assert report.exit_code == 0


@pytest.mark.parametrize(
    "id", ["taboo", "debate", "forum", "redteam", "search", "spy", "psj", "evolve", "tax", "code-io", "refine"]
)
def test_no_prompt_of_a_game_is_longer_than_its_spec_says(id):
    """The length follows from the messages that others read and the number of turns."""
    subject = Subject(lambda: make(id), to_aec, 0, 1, time.monotonic() + 20)
    findings, ran = run_check("prompts", prompts.prompts(subject))
    assert (findings, ran.cases > 0) == ([], True)


@pytest.mark.parametrize(("allowed", "status"), [(None, "not verifiable"), (10_000, "pass"), (1_000, "FAIL")])
def test_the_longest_prompt_is_compared_with_long_messages(allowed, status):
    class Stated(Haggle):
        spec = replace(Haggle.spec, prompt_bytes=allowed)

    assert check_game(Stated, episodes=5).status("prompts") == status


def test_positions_that_no_other_can_be_compared_with_are_no_comparison():
    """In one match no information state comes twice."""
    report = check_game(OpenSpielKuhn(), episodes=1)
    assert report.status("secrets") == "not verifiable", str(report)
