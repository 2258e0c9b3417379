"""Each planted fault is found by its own check, and correct games have no findings."""

from dataclasses import replace

import pytest

from games.conformance import CHECKS, check_game
from tests.games.conformance import faulty_games as f
from tests.toys.correct_games import Cards, Haggle, Shells


def errors(report):
    return [finding for finding in report.findings if finding.severity == "error"]


RARE = {
    "sees the other card in one branch and one seat",
    "only the number leaks, while the declared secrets are sentences",
}
"""faults that few matches show"""


@pytest.mark.parametrize("toy", [Cards, Shells, Haggle, f.Murmur, f.OpenSpielKuhn, f.Reminded])
@pytest.mark.parametrize("seed", [0, pytest.param(1, marks=pytest.mark.slow)])
def test_correct_games_are_clean(toy, seed):
    report = check_game(toy(), seed=seed, episodes=50)
    assert errors(report) == []
    assert report.ok
    assert {c.name for c in report.checks} == set(CHECKS)


@pytest.mark.parametrize("fault", f.FAULTS)
def test_the_right_check_and_no_other_names_the_fault(fault):
    faulty, finding = f.FAULTS[fault]
    check, _, words = finding.partition(": ")
    report = check_game(faulty(), episodes=150 if fault in RARE else 50)
    assert {e.check for e in errors(report)} == {check}, str(report)
    assert any(words in e.message for e in errors(report)), str(report)


@pytest.mark.parametrize(
    ("toy", "aec", "check", "words"),
    [
        (Cards, f.aec_with_secret_infos, "infos", ("player_0's info shows", "which only player_1 may know")),
        (Haggle, f.aec_with_last_words_in_infos, "speech", ("info contains",)),
    ],
)
def test_infos_of_an_environment(toy, aec, check, words):
    report = check_game(toy(), aec=aec)
    assert {e.check for e in errors(report)} == {check}
    assert all(part in str(report) for part in words)


def test_seats_that_are_no_mapping_are_one_finding_of_the_spec():
    seats = list(Cards.spec.seats)
    report = check_game(f.having(Cards, spec=replace(Cards.spec, seats=seats)), episodes=5)
    assert [e.message for e in errors(report) if e.check == "spec"] == [
        f"seats must map names to role names; they are {seats}"
    ]
