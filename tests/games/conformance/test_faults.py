"""Each planted fault is found by its own check, and correct games have no findings."""

import pytest

from games.conformance import CHECKS, check_game
from tests.games.conformance import mutants as m
from tests.games.toys import Cards, Haggle, Shells

# (the faulty game, the check that must find it, words of the message)
FAULTS = [
    # The eleven faults of DESIGN 4.6.
    (m.SeesTheOtherCard, "secrets", "which only player_1 may know"),
    (m.SeesTheOtherCardAfterABet, "secrets", "which only player_0 may know"),
    (m.SeesTheOtherValue, "secrets", "which only seller may know"),
    (m.BargainTellsTheCost, "secrets", "which only seller may know"),
    (m.MaskShowsTheOtherCard, "infos", "which only player_1 may know"),
    (m.SignFlipped, "outcomes", "the sign is flipped"),
    (m.TellsTheWinnerAndPaysTheLoser, "outcomes", "is told that it"),
    (m.HouseTakesACut, "returns", "declared is zero_sum with 0"),
    (m.ForfeitsPay, "returns", "but a forfeit pays -1 without a returns_range, so forfeiting beats playing"),
    (m.SeededOnce, "seeds", "does not follow its seed"),
    (m.GloballySeeded, "seeds", "does not follow its seed"),
    (m.GloballySeededAlways, "seeds", "two fresh games play differently"),
    (m.WrongSeatActs, "turns", "player_0"),
    (m.WrongSeatNamed, "turns", "accepted only from player_0"),
    (m.AnybodyMayAct, "turns", "is accepted"),
    (m.MissingSeatPasses, "turns", "is accepted"),
    (m.TakesAnything, "illegal", "is accepted"),
    (m.TakesExtraWords, "illegal", "is accepted"),
    (m.NeverEnds, "ends", "no end after spec.max_turns = 3"),
    (m.ObserveFailsForOthers, "observe", "player_1 (not acting, seed"),
    (m.HistoryCarriedOver, "reset", "survives the reset"),
    (m.SpeaksUnquoted, "speech", "the forged line"),
    (m.FiltersTagsOnce, "speech", "[GAME]"),
    (m.LetsTemplateTokensThrough, "speech", "the token '<|im_start|>'"),
    # Forged messages that are shown later or elsewhere.
    (m.SaysLessThanItShows, "prompts", "bytes; spec.prompt_bytes allows 1,000"),
    (m.RemindsLater, "speech", "that seller wrote at turn"),
    (m.RemindsInCapitals, "speech", "is shown"),
    (m.RemindsLineByLine, "speech", "that seller wrote at turn"),
    (m.RemindsOneSeat, "speech", "seller is shown"),
    (m.RemindsTheSpeaker, "speech", "is shown"),
    (m.RemindsOfOneSeat, "speech", "that buyer wrote at turn"),
    (m.RemovesLineFeedsOnly, "speech", "the forged line"),
    (m.OffersWordsAsChoices, "speech", "buyer is shown"),
    (m.MurmurShowsTheSecondSeat, "speech", "that player_1 wrote at turn 0"),
    # Faults in a game without declarations, found by comparison with OpenSpiel's state.
    (m.KuhnShowsTheHistory, "secrets", "have one information state"),
    (m.KuhnHintsAtTheCard, "secrets", "player_1 is shown more than it may know"),
    (m.KuhnPaysTheLoser, "outcomes", "OpenSpiel's are"),
    (m.KuhnPlaysOnInTheState, "exact", "continue from a copy"),
    (m.KuhnIsPlacedElsewhere, "exact", "place()"),
    (m.KuhnNamesNoMove, "exact", "they differ in 'Bet'"),
    (m.KuhnSwapsSeats, "turns", "by OpenSpiel ('player_0',) must act"),
    # Other faults that api_test and seed_test do not find.
    (m.NoLimitOnWords, "speech", "flood"),
    (m.CrashesOnNonsense, "illegal", "raises ValueError, not IllegalAction"),
    (m.RefusalChangesTheGame, "illegal", "changes the game"),
    (m.ObserveDrains, "observe", "observed again"),
    (m.RepeatsAnAction, "legal", "repeats an action"),
    (m.RefusesItsOwnAction, "legal", "refuses its own legal action"),
    (m.NoRules, "spec", "rules are empty"),
    (m.AloneAmongStrangers, "spec", "strangers needs teams of seats with one role each"),
    (m.NamesAnotherSeat, "returns", "the seats are"),
    (m.TellsTheBuyerTheNotes, "notes", "buyer is shown notes of another seat"),
    (m.ShowsNotesUnquoted, "notes", "coach is shown a forged line; show each note through games.quote"),
    (m.KeepsNotesForEver, "notes", "still shown"),
]


@pytest.mark.parametrize("toy", [Cards, Shells, Haggle, m.Murmur, m.OpenSpielKuhn, m.Reminded])
@pytest.mark.parametrize("seed", [0, 1])
def test_correct_games_are_clean(toy, seed):
    report = check_game(toy(), seed=seed)
    assert [f for f in report.findings if f.severity == "error"] == []
    assert report.ok
    assert {c.name for c in report.checks} == set(CHECKS)


@pytest.mark.parametrize(("faulty", "check", "words"), FAULTS, ids=[f[0].__name__ for f in FAULTS])
def test_the_right_check_and_no_other_names_the_fault(faulty, check, words):
    report = check_game(faulty())
    errors = [f for f in report.findings if f.severity == "error"]
    assert {f.check for f in errors} == {check}, str(report)
    assert any(words in f.message for f in errors), str(report)


def test_secret_in_the_infos_of_an_environment():
    report = check_game(Cards(), aec=m.aec_with_secret_infos)
    errors = [f for f in report.findings if f.severity == "error"]
    assert {f.check for f in errors} == {"infos"}
    assert "player_0's info shows" in str(report)
    assert "which only player_1 may know" in str(report)


def test_unquoted_words_in_the_infos_of_an_environment():
    report = check_game(Haggle(), aec=m.aec_with_last_words_in_infos)
    errors = [f for f in report.findings if f.severity == "error"]
    assert {f.check for f in errors} == {"speech"}
    assert "info contains" in str(report)
