"""No shortcut of a shipped game pays, the holes of the published games are seen, and the command reports both."""

import json
from dataclasses import replace

import pytest
from msgspec import structs

import games
import games.native
from arena.cli import main
from arena.evaluation.shortcuts import ShortcutReport, ShortcutRow, check_shortcuts, report_lines
from games import GameSpec, InputError, Observation, TextGame
from games.native.spy import spy
from games.native.spy.policies import SEEMS, SUITE, secret_word, votes_without
from games.native.spy.texts import CIVILIAN
from games.shortcuts import Shortcut, ShortcutSuite, by_phase, mixed, says
from tests import golden

CLOSED = golden.table(__file__, "shortcuts_closed")
"""game -> matches of each shortcut"""
HOLES = {
    "forum(rules=published)": {"any answer, always 3", "always critical"},
    "math-duel(rules=published)": {"always 0", "asks for a choice, votes are split"},
    "psj(rules=published)": {"question 10, answers 1", "open question, always 10", "asks what nobody can solve"},
}
"""published game -> some of the shortcuts that pay in it"""


QUICK = {"ask", "bargain", "critic", "solve"}
"""the others take seconds each; `scripts/test.sh --all` runs them"""


def _marked(rows):
    return [pytest.param(game, value, marks=() if game in QUICK else pytest.mark.slow) for game, value in rows.items()]


@pytest.mark.parametrize(("game", "matches"), _marked(CLOSED))
def test_no_shortcut_pays(game, matches):
    report = check_shortcuts(game, matches)
    assert report.ok, [row for row in report.rows if not row.ok] + [*report.scales]
    assert report.conclusive, [one for one in (*report.rows, *report.scales) if one.needs]
    for role in games.make(game).shortcuts().honest:
        assert len({row.policy for row in report.rows if row.role == role}) >= 6


@pytest.mark.parametrize(("game", "names"), _marked(HOLES))
def test_the_published_games_pay_shortcuts(game, names):
    report = check_shortcuts(game, 40)
    assert names <= {row.policy for row in report.rows if not row.ok}


class Parity(spy):
    """Its shortcut says `old` or `large`, by the number of letters of its word, among other words of honest clues."""

    def shortcuts(self):
        def sign(turn):
            return ("old", "large")[len(secret_word(turn).text) % 2]

        def clue(turn):
            fresh = [word for word in SEEMS if word not in turn.text and word not in ("old", "large")]
            return f"It seems {sign(turn)}, {', '.join(turn.stream.shuffled(fresh)[:3])}."

        civilian = by_phase(clue=clue, vote=votes_without(sign))
        return replace(SUITE, shortcuts=(Shortcut("parity", {CIVILIAN: civilian}),))


@pytest.mark.parametrize(("strangers", "pays"), [(False, True), (True, False)])
def test_a_new_code_of_honest_words_pays_one_player_and_not_strangers(monkeypatch, strangers, pays):
    game = Parity(rounds=1)
    game.spec = replace(game.spec, strangers=strangers)
    monkeypatch.setattr(games, "make", lambda id: game)
    report = check_shortcuts("parity", 100)
    assert ("parity" in {row.policy for row in report.rows if not row.ok}) is pays
    assert not report.unscaled


def test_the_suite_of_every_native_game_is_checked():
    """The suites of efg and starling, which need a package, are checked with their games."""
    bases = {game.rpartition("-v")[0] for game in games.native.NATIVE}
    assert bases - {game.partition("(")[0] for game in CLOSED} == {"efg", "starling"}


LISTED = golden.table(__file__, "shortcuts_listed")
"""game -> policies that matched or beat an earlier competent policy without doing the task"""


@pytest.mark.parametrize(("game", "names"), LISTED.items())
def test_policies_that_reached_a_weak_yardstick_stay_listed(game, names):
    assert set(names) <= {shortcut.name for shortcut in games.make(game).shortcuts().shortcuts}


class Guess(TextGame):
    """Pays a guess of the drawn digit, and `bonus` for the word please."""

    spec = GameSpec("guess-v0", {"a": "guesser"}, "general_sum", "Guess.", 1)

    def __init__(self, bonus: float = 0.0, wise: bool = True) -> None:
        self.bonus, self.wise = bonus, wise

    def reset(self, seed):
        self.digit, self.paid, self.over = str(seed % 10), 0.0, False

    @property
    def acting(self):
        return () if self.over else ("a",)

    def observe(self, seat):
        return Observation(f"The digit is {self.digit}.")

    def legal(self, seat):
        return None

    def apply(self, actions):
        self.over, self.paid = True, float(actions["a"] == self.digit) + self.bonus * ("please" in actions["a"])

    def returns(self):
        return {"a": self.paid}

    def shortcuts(self):
        reads = {"guesser": lambda turn: turn.text[13]}
        random = {"guesser": says(*"0123456789")}
        return ShortcutSuite(random, reads if self.wise else random, (Shortcut("begs", {"guesser": says("please")}),))


@pytest.mark.parametrize(
    ("game", "failure"),
    [
        (Guess(), ""),
        (Guess(bonus=0.3), "earns more than random honest play"),
        (Guess(bonus=0.6), "earns more than random honest play"),
    ],
)
def test_a_hole_is_found(monkeypatch, game, failure):
    monkeypatch.setattr(games, "make", lambda id: game)
    report = check_shortcuts("guess-v0", 200)
    (row,) = [row for row in report.rows if row.policy == "begs"]
    assert (row.failure, report.ok) == (failure, not failure)
    assert row.reward == "credit"  # the return is the same number and has no row of its own
    assert row.low <= row.mean <= row.high
    assert row.half == pytest.approx((row.honest + row.competent) / 2)
    assert 0.05 < row.honest < 0.15
    assert (row.competent, row.competent_margin) == (1.0, 0.0)
    assert 0.04 < row.honest_margin < 0.08


def test_a_competent_player_that_gains_nothing_is_reported(monkeypatch):
    monkeypatch.setattr(games, "make", lambda id: Guess(wise=False))
    report = check_shortcuts("guess-v0", 100)
    assert report.unscaled == ("guesser",)
    assert not report.ok


def guessing(monkeypatch, *, honest, competent, shortcut, matches=200):
    """The report of a suite of the guessing game."""
    game = Guess()
    suite = ShortcutSuite({"guesser": honest}, {"guesser": competent}, (shortcut,))
    monkeypatch.setattr(game, "shortcuts", lambda: suite)
    monkeypatch.setattr(games, "make", lambda id: game)
    return check_shortcuts("guess-v0", matches)


def _reads(turn):
    return turn.text[13]


def _random(turn):
    return turn.stream.choice("0123456789")


def test_a_competent_policy_that_a_listed_one_beats_fails(monkeypatch):
    weak = mixed(0.5, _reads, _random)
    report = guessing(monkeypatch, honest=_random, competent=weak, shortcut=Shortcut("reads", {"guesser": _reads}))
    (row,) = [row for row in report.rows if row.policy == "reads"]
    assert (row.failure, report.ok) == ("earns more than a competent player", False)


def test_a_competent_policy_that_random_play_beats_fails(monkeypatch):
    wrong = Shortcut("begs", {"guesser": says("please")})
    report = guessing(monkeypatch, honest=mixed(0.5, _reads, _random), competent=_random, shortcut=wrong)
    assert report.scales[0].beaten == "credit"
    assert not report.ok
    assert "FAIL guesser: random honest play earns more credit" in "\n".join(report_lines(report))


@pytest.mark.parametrize("matches", [2, 5])
def test_too_few_matches_are_inconclusive_and_no_failure(monkeypatch, matches):
    begs = Shortcut("begs", {"guesser": says("1")})
    report = guessing(monkeypatch, honest=_random, competent=_reads, shortcut=begs, matches=matches)
    assert (report.ok, report.conclusive) == (True, False)
    assert report_lines(report)[-1].startswith("inconclusive, more --matches")


def test_a_gap_that_is_smaller_than_the_interval_is_inconclusive(monkeypatch):
    little = mixed(0.1, _reads, _random)
    begs = Shortcut("begs", {"guesser": says("please")})
    report = guessing(monkeypatch, honest=_random, competent=little, shortcut=begs, matches=60)
    assert not report.unscaled
    assert (report.ok, report.conclusive) == (True, False)
    assert report.scales[0].needs > 60


def test_a_shortcut_that_solves_the_task_is_declared_and_the_declaration_is_tested(monkeypatch):
    solved = Shortcut("reads", {"guesser": _reads}, solves="the digit is shown")
    report = guessing(monkeypatch, honest=_random, competent=_reads, shortcut=solved)
    (row,) = [row for row in report.rows if row.policy == "reads"]
    assert (row.verdict, report.ok) == ("not verifiable: the digit is shown", True)
    stale = Shortcut("begs", {"guesser": says("please")}, solves="the digit is shown")
    report = guessing(monkeypatch, honest=_random, competent=_reads, shortcut=stale)
    (row,) = [row for row in report.rows if row.policy == "begs"]
    assert (report.ok, row.failure[:31]) == (False, "does not reach a competent play")


def test_the_command(monkeypatch, capsys):
    assert main(["check", "critic", "--shortcuts", "--matches", "100", "--json"]) == 0
    found = json.loads(capsys.readouterr().out)
    assert found["ok"]
    assert found["conclusive"]
    assert {row["role"] for row in found["rows"]} == {"sneaky", "critic"}
    monkeypatch.setattr(games, "make", lambda id: Guess(bonus=0.6))
    assert main(["check", "guess", "--shortcuts", "--matches", "200"]) == 1
    out = capsys.readouterr().out
    assert "  FAIL  " in out
    assert "        earns more than random honest play\n" in out


def test_every_line_of_a_report_fits_into_80_columns():
    name = "a long name of a policy that does not read its task at all"
    row = ShortcutRow("a-very-long-role", name, "credit vote", -1.0, -1.1, -0.9, 0.5, 1.0, 0.75, "", solves="it may")
    lines = report_lines(
        ShortcutReport("g", 200, 0, (row, structs.replace(row, policy="brief", role="b", solves=""), row))
    )
    assert max(map(len, lines)) <= 80
    assert [line.split()[0] for line in lines if "±" in line] == ["note", "note", "pass"]
    assert sum(line.strip() == name for line in lines) == 2


@pytest.mark.parametrize("game", ["openspiel/kuhn_poker", "taboo(closed=true,words=4)", "nothing"])
def test_a_game_without_shortcuts_is_refused_in_one_line(game, capsys):
    assert main(["check", game, "--shortcuts"]) == 2
    assert len(capsys.readouterr().err.splitlines()) == 1


def _breaks(turn):
    raise ValueError("no digit here")


_ONE = {"guesser": says("1")}


@pytest.mark.parametrize(
    ("suite", "message"),
    [
        (ShortcutSuite({"guesser": _breaks}, _ONE, ()), "the policy `honest` failed as guesser: ValueError: no digit"),
        (ShortcutSuite(_ONE, _ONE, (Shortcut("begs", {"guesser": _breaks}),)), "shortcut 'begs' failed as guesser"),
        (ShortcutSuite(_ONE, {"guesser": lambda turn: None}, ()), "the policy `competent` returned None as guesser"),
        (ShortcutSuite(_ONE, {}, ()), "`competent` of the shortcut suite has no policy for the role 'guesser'"),
        (ShortcutSuite({}, _ONE, ()), "`honest` of the shortcut suite has no policy for the role 'guesser'"),
        (ShortcutSuite(_ONE, {"gueser": says("1")}, ()), "names a missing role 'gueser'; the roles: guesser"),
        (ShortcutSuite(_ONE, {"guesser": "1"}, ()), "has a str for 'guesser'; write a function"),
        ({}, r"shortcuts\(\) returned a dict; return a ShortcutSuite"),
    ],
)
def test_a_faulty_policy_or_suite_is_named_in_one_line(monkeypatch, caplog, suite, message):
    game = Guess()
    monkeypatch.setattr(game, "shortcuts", lambda: suite)
    monkeypatch.setattr(games, "make", lambda id: game)
    with pytest.raises(InputError, match=message):
        check_shortcuts("guess-v0", 2)
    assert not caplog.text
