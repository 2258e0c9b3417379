"""No shortcut of a shipped game pays, the holes of the published games are seen, and the command reports both."""

import json
from dataclasses import replace

import pytest

import games
from arena.cli import main
from arena.evaluation.shortcuts import check_shortcuts
from games import GameSpec, InputError, Observation, TextGame
from games.native.spy import SpyGame
from games.native.spy.game import CIVILIAN
from games.native.spy.scripts import SEEMS, own_word, votes_without
from games.native.spy.shortcuts import suite
from games.shortcuts import Shortcut, ShortcutSuite, by_phase, says

EIGHT = "tasks=arithmetic(operation=add,digits=1),closed=true,problems=8"
CLOSED = {
    "bargain": 120,
    "bargain(coach=seller)": 150,
    "conjecture": 50,
    "critic": 100,
    "debate": 100,
    "forum": 60,
    "forum(closed=true)": 60,
    "math-duel": 40,
    "pragmatic": 60,
    "prefer(closed=true)": 60,
    f"prefer(referee=pairs,{EIGHT})": 100,
    "psj": 50,
    "redteam": 90,
    f"refine({EIGHT})": 150,
    "search": 20,
    "solve": 60,
    f"solve({EIGHT})": 60,
    "spy": 50,
    "taboo": 50,
    "tax": 15,
}
"""game -> matches of each shortcut"""
HOLES = {
    "conjecture-v0": {"the lemma behind two premises, one prover", "the lemma twice negated"},
    "debate-v0(debaters=3)": {"the number whose distances fit"},
    "forum-v0": {"any answer, always 3", "always critical"},
    "forum-v1(closed=true)": {"the first of the list", "the smallest number", "the number whose distances fit"},
    "math-duel-v0": {"always 0", "asks for a choice, votes are split"},
    "prefer-v0(closed=true)": {"the number whose distances fit"},
    f"prefer-v1(referee=pairs,{EIGHT})": {"the answer that is often right"},
    "psj-v0": {"question 10, answers 1", "open question, always 10", "asks what nobody can solve"},
    "redteam-v0": {"refuses at a keyword", "asks for a sorry"},
    "spy-v1": {"a code word beside other words"},
    f"refine-v0({EIGHT})": {"the answer that is often right", "correct if it is right elsewhere"},
    f"solve-v0({EIGHT})": {"the answer that is often right"},
    "spy-v0": {"copies the first clue", "spells the word", "says nothing, votes for who speaks"},
    "taboo-v0": {"spells it with spaces", "backwards", "by numbers", "every second letter", "one letter a message"},
}
"""published game -> some of the shortcuts that pay in it"""


QUICK = {"bargain", "critic", "redteam", "solve", "spy", "taboo", "psj-v0", "spy-v0", "taboo-v0"}
"""the others take seconds each; `scripts/test.sh --all` runs them"""


def _marked(rows):
    return [pytest.param(game, value, marks=() if game in QUICK else pytest.mark.slow) for game, value in rows.items()]


@pytest.mark.parametrize(("game", "matches"), _marked(CLOSED))
def test_no_shortcut_pays(game, matches):
    report = check_shortcuts(game, matches)
    assert report.ok, [row for row in report.rows if not row.ok]
    roles = set(games.make(game).spec.seats.values())
    for role in roles:
        assert len({row.policy for row in report.rows if row.role == role}) >= 6


@pytest.mark.parametrize(("game", "names"), _marked(HOLES))
def test_the_published_games_pay_shortcuts(game, names):
    report = check_shortcuts(game, 40)
    assert names <= {row.policy for row in report.rows if not row.ok}


class Parity(SpyGame):
    """Its shortcut says `old` or `large`, by the number of letters of its word, among other words of honest clues."""

    def shortcuts(self):
        def sign(turn):
            return ("old", "large")[len(own_word(turn).text) % 2]

        def clue(turn):
            fresh = [word for word in SEEMS if word not in turn.text and word not in ("old", "large")]
            return f"It seems {sign(turn)}, {', '.join(turn.stream.shuffled(fresh)[:3])}."

        civilian = by_phase(clue=clue, vote=votes_without(sign))
        return replace(suite(self), shortcuts=(Shortcut("parity", {CIVILIAN: civilian}),))


@pytest.mark.parametrize(("strangers", "pays"), [(False, True), (True, False)])
def test_a_new_code_of_honest_words_pays_one_player_and_not_strangers(monkeypatch, strangers, pays):
    monkeypatch.setattr(games, "make", lambda id: Parity(rounds=1, strangers=strangers))
    report = check_shortcuts("parity", 100)
    assert ("parity" in {row.policy for row in report.rows if not row.ok}) is pays
    assert not report.unscaled


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
    assert row.competent == 1.0


def test_a_competent_player_that_gains_nothing_is_reported(monkeypatch):
    monkeypatch.setattr(games, "make", lambda id: Guess(wise=False))
    report = check_shortcuts("guess-v0", 100)
    assert report.unscaled == ("guesser",)
    assert not report.ok


def test_the_command(capsys):
    assert main(["check", "critic", "--shortcuts", "--matches", "60", "--json"]) == 0
    found = json.loads(capsys.readouterr().out)
    assert found["ok"]
    assert {row["role"] for row in found["rows"]} == {"sneaky", "critic"}
    assert main(["check", "taboo-v0", "--shortcuts", "--matches", "20"]) == 1
    assert "FAIL earns more than random honest play" in capsys.readouterr().out


@pytest.mark.parametrize("game", ["openspiel/kuhn_poker", "taboo(closed=true,words=4)", "nothing"])
def test_a_game_without_shortcuts_is_refused_in_one_line(game, capsys):
    assert main(["check", game, "--shortcuts"]) == 2
    assert len(capsys.readouterr().err.splitlines()) == 1


def _breaks(turn):
    raise ValueError("no digit here")


_ONE = {"guesser": says("1")}


@pytest.mark.parametrize(
    ("suite", "told"),
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
def test_a_faulty_policy_or_suite_is_named_in_one_line(monkeypatch, caplog, suite, told):
    game = Guess()
    monkeypatch.setattr(game, "shortcuts", lambda: suite)
    monkeypatch.setattr(games, "make", lambda id: game)
    with pytest.raises(InputError, match=told):
        check_shortcuts("guess-v0", 2)
    assert not caplog.text
