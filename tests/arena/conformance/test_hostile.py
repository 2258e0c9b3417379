"""`arena check ID --hostile` finds texts that a game or a role cannot read, and shortens them."""

import ast
import json

import pytest

import roles
from arena.cli import main
from arena.conformance.hostile import check_game, check_role
from arena.conformance.hostile.shrink import shortest
from arena.conformance.hostile.texts import Texts
from arena.conformance.hostile.vocabulary import vocabulary
from games import RandomStream
from tests.arena.conformance import fragile_games as fragile

PHASE = "writer, play"


def defect(report):
    (finding,) = report.of(PHASE)
    return finding.message


@pytest.mark.parametrize(
    ("game", "what"),
    [
        (fragile.Raises, "apply raises ValueError"),
        (fragile.ChangesState, "apply refuses it and changes the state"),
        (fragile.RefusesSilently, "apply refuses it without a reason"),
        (fragile.CannotBeObserved, "after it, observe('a') raises UnicodeEncodeError"),
        (fragile.PaysNothingFinite, "after it, returns() is {'a': nan, 'b': nan}"),
        (fragile.ReadsLate, "later, apply of the game's own examples raises"),
        pytest.param(fragile.Backtracking, "apply takes", marks=pytest.mark.slow),
        pytest.param(fragile.Endless, "apply takes", marks=pytest.mark.slow),
        (fragile.ShowsRaw, "is shown the forged line"),
        (fragile.MakesVoid, "apply raises InfrastructureError"),
    ],
)
def test_each_way_in_which_a_text_breaks_a_game_is_found(game, what):
    report = check_game(game, 60, seed=1, defects=1)
    assert what in defect(report), str(report)
    assert report.exit_code == 1


def test_a_game_that_reads_every_text_passes_and_the_texts_are_counted():
    report = check_game(fragile.Fragile, 2)
    assert report.ok
    assert {check.name: check.unit for check in report.checks} == {"play": "matches", PHASE: "texts"}
    assert report.checks[1].cases > 100


def test_facts_are_asked_for_at_the_end():
    class Results(fragile.Fragile):
        def facts(self):
            return {"last": self.texts[1]}

    assert check_game(Results, 1).ok


def test_without_free_text_nothing_is_verified():
    report = check_game(fragile.Listed, 2)
    assert report.ok
    assert report.status("texts") == "not verifiable"
    assert "no seat writes free text" in str(report)


def test_without_a_match_nothing_is_verified():
    class Unplayable(fragile.Fragile):
        def observe(self, seat):
            raise RuntimeError("no observation")

    report = check_game(Unplayable, 2)
    assert not report.ok
    assert report.status("texts") == "not verifiable"
    assert "no seat writes free text" not in str(report)


@pytest.mark.slow
def test_both_bugs_of_the_old_readers_of_code_are_found_and_their_texts_are_short():
    report = check_game(fragile.OldCode, 240, seed=1, defects=2)
    messages = {finding.message for finding in report.of(PHASE)}
    assert any("IndexError" in message and message.startswith("a, ") for message in messages), str(report)
    assert any("TypeError" in message and message.startswith("b, ") for message in messages), str(report)
    assert all("fragile_games.py:" in message and len(message) < 220 for message in messages)


def test_a_seed_repeats_the_texts():
    words = vocabulary(fragile.OldCode())
    one, other, third = (Texts(RandomStream(seed), words) for seed in (1, 1, 2))
    drawn = [one.draw(fragile.OldCode.samples) for _ in range(200)]
    assert drawn == [other.draw(fragile.OldCode.samples) for _ in range(200)]
    assert drawn != [third.draw(fragile.OldCode.samples) for _ in range(200)]


def test_texts_contain_what_the_grammar_promises():
    words = vocabulary(fragile.OldCode())
    texts = Texts(RandomStream(0), words)
    drawn = [texts.draw(fragile.OldCode.samples) for _ in range(4000)]
    for part in ("\x1b", "\u202e", "\ud800", "<|im_start|>", "9**9**9", "\\frac", "٣", ")#", "∀"):
        assert any(part in text for text in drawn), ascii(part)
    assert any(len(text) > 50_000 for text in drawn)
    programs = [text for text in (texts.expansion("program") for _ in range(300)) if _compiles(text)]
    assert len(programs) > 60


def _compiles(text):
    try:
        ast.parse(text)
    except (SyntaxError, ValueError):
        return False
    return True


def test_a_text_is_shortened_to_what_matters():
    assert shortest("some words 1)# and more words", lambda text: ")#" in text, 60) == ")#"
    assert shortest("x" * 500 + "q" + "y" * 400, lambda text: "q" in text and len(text) > 3, 60) == "q000"
    assert shortest("abc", lambda text: text == "abc", 60) == "abc"


@pytest.mark.parametrize("error", [KeyError, RecursionError])
def test_a_parser_that_raises_is_found(error):
    class Fussy(roles.Role):
        name = "fussy"

        def parse(self, text, legal):
            if "\\" in text:
                raise error(text)
            return super().parse(text, legal)

    report = check_role(Fussy(), 20, defects=1)
    assert error.__name__ in report.of("free text")[0].message
    assert error.__name__ in report.of("listed actions")[0].message
    assert check_role(roles.Role("player"), 1).ok


def test_the_command_prints_the_report_and_refuses_other_kinds(capsys, monkeypatch):
    assert main(["check", "taboo", "--hostile", "--seconds", "2", "--json"]) == 0
    report = json.loads(capsys.readouterr().out)
    assert report["ok"]
    assert {check["unit"] for check in report["checks"]} == {"matches", "texts"}
    assert main(["check", "random", "--kind", "player", "--hostile"]) == 2
    assert "--hostile is for a game or a role" in capsys.readouterr().err
