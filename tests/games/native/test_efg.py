"""efg: which texts pass as the described game, and that OpenSpiel can play them."""

import importlib.util
import re
from collections import Counter

import pytest

import games
from arena.evaluation.shortcuts import check_shortcuts
from arena.learner import credits_of
from arena.match import Decision, MatchPlan, play
from arena.players.player import Player
from arena.players.registry import make as make_player
from games import InputError
from games.native.efg import check
from games.native.efg.kinds import drawn
from games.native.efg.notation import efg, end, move
from games.native.efg.policies import described
from games.randomness import RandomStream
from games.shortcuts import ScriptedTurn
from roles.native.efg import Translator

if importlib.util.find_spec("pygambit") is None:
    pytest.skip("pygambit is not installed", allow_module_level=True)

from games.native.efg.check import same
from games.native.efg.game import playable

POKER = "drawn, high or low with equal chance; only"
PENNIES = """\
EFG 2 R "pennies" { "A" "B" } ""
p "" 1 1 "" { "h" "t" } 0
p "" 2 1 "" { "h" "t" } 0
t "" 1 "" { 1, -1 }
t "" 2 "" { -1, 1 }
p "" 2 1 "" { "h" "t" } 0
t "" 3 "" { -1, 1 }
t "" 4 "" { 1, -1 }"""
# The same game with B first, other names and the branches of A swapped.
TURNED = """\
EFG 2 R "x" { "Ann" "Bob" } ""
p "" 2 1 "" { "heads" "tails" } 0
p "" 1 1 "" { "tails" "heads" } 0
t "" 1 "" { -1, 1 }
t "" 2 "" { 1, -1 }
p "" 1 1 "" { "tails" "heads" } 0
t "" 3 "" { 1, -1 }
t "" 4 "" { -1, 1 }"""


def kind(given, reference=PENNIES):
    return same(reference, given)[0].kind


def test_names_and_order_do_not_matter():
    assert kind(PENNIES) == kind(TURNED) == "pass"
    assert same(PENNIES, TURNED)[1] == (("0", "0"),)


@pytest.mark.parametrize(
    ("old", "new", "kind_", "reason"),
    [
        ('p "" 2 1 "" { "h" "t" } 0\nt "" 3', 'p "" 2 2 "" { "h" "t" } 0\nt "" 3', "fail", "4 strategies"),
        ('t "" 4 "" { 1, -1 }', 't "" 4 "" { 2, -2 }', "fail", "payoffs"),
        ('{ "A" "B" }', '{ "A" "B" "C" }', "invalid", "xpected"),
        ('\nt "" 4 "" { 1, -1 }', "", "invalid", "node"),
        ("EFG 2 R", "EFG 1 D", "invalid", "starts with"),
        ('t "" 4 "" { 1, -1 }', 't "" 4 "" { 1, -1 }\nt "" 5 "" { 9, -9 }', "invalid", "nodes"),
        ("{ 1, -1 }", "{ 1e999, -1 }", "invalid", "huge"),
        ("{ 1, -1 }", "{ 11111111111, -1 }", "invalid", "huge"),
        ("pennies", "pen\x00nies", "invalid", "control"),
        ("pennies", "p" * 7000, "invalid", "more than 6000"),
    ],
)
def test_what_is_not_the_game(old, new, kind_, reason):
    assert old in PENNIES
    verdict, equilibria = same(PENNIES, PENNIES.replace(old, new, 1))
    assert (verdict.kind, equilibria) == (kind_, ())
    assert reason in verdict.reason
    assert "\n" not in verdict.reason


@pytest.mark.parametrize(
    "text", ["", "EFG", "EFG 2 R", 'EFG 2 R "' * 50, "EFG 2 R " + "{" * 5000, "p" * 10_000, "日本語"]
)
def test_hostile_texts_are_invalid(text):
    assert kind(text) == "invalid"


def test_a_player_who_forgets_is_no_game():
    forgets = PENNIES.replace('p "" 2 1', 'p "" 1 2')
    assert same(PENNIES, forgets)[0].reason == "a player forgets what it did or knew (no perfect recall)"


def test_every_description_passes_as_written_and_fails_with_other_features():
    for seed in range(24):
        game = drawn(RandomStream(seed))
        assert kind(game.efg, game.efg) == "pass"
        assert [kind(wrong, game.efg) for wrong in game.wrong] == ["fail"] * 7, game.words
        assert len({game.efg, *game.wrong}) == 8


def written(words, nodes):
    """A described game of this kind, with nodes made from its payoffs."""
    games_ = (drawn(RandomStream(seed)) for seed in range(200))
    game = next(g for g in games_ if words in g.words and g.data["features"][1] is False)
    pays = [tuple(map(int, pair)) for pair in re.findall(r"\{ (-?\d+), (-?\d+) \}", game.efg)]
    ends = [end(i + 1, *pay) for i, pay in enumerate(pays)]
    return game.efg, efg("x", ("A", "B"), nodes(*ends))


IN_OUT, ACT = ("out", "in"), ("fight", "share")
OFFERS, ANSWER = ("fair", "greedy"), ("accept", "refuse")
DEAL = 'c "" 1 "" { "high" 1/2 "low" 1/2 } 0'


def owner_at_once(out, war, peace):
    return [move(1, 1, IN_OUT), move(2, 1, ACT), out, out, move(2, 1, ACT), war, peace]


def owner_first(out, war, peace):
    return [move(2, 1, ACT), move(1, 1, IN_OUT), out, war, move(1, 1, IN_OUT), out, peace]


def taker_first(fair, no, greedy, no_more):
    """The taker commits to an answer to each offer first."""
    asked = [move(2, 1, ANSWER)]
    for to_fair, second in ((fair, 2), (no, 3)):
        asked += [move(2, second, ANSWER)]
        for to_greedy in (greedy, no_more):
            asked += [move(1, 1, OFFERS), to_fair, to_greedy]
    return asked


def other_first(win, passed, paid, lose, passed_low, lost):
    nodes = [move(2, 1, ("meet", "pass"))]
    for high, low in ((win, lose), (passed, passed_low)):
        nodes += [DEAL, move(1, 1, ("raise", "fold")), high, paid, move(1, 2, ("raise", "fold")), low, lost]
    return nodes


@pytest.mark.parametrize(
    ("words", "nodes"),
    [
        ("owner sees it", owner_at_once),
        ("owner sees it", owner_first),
        ("sees the offer", taker_first),
        (POKER, other_first),
    ],
)
def test_who_commits_blindly_is_another_game_with_the_same_normal_form(words, nodes):
    described, blind = written(words, nodes)
    verdict, _ = same(described, blind)
    assert str(verdict) == "fail: strategies and payoffs are right, but what the players know when they choose is not"


def branches_turned(out, war, peace):
    return [move(1, 7, IN_OUT[::-1]), move(2, 4, ACT[::-1]), peace, war, out]


def second_written_first(a, b, c, d):
    nodes = [move(2, 1, ("left", "right"))]
    for first, second in ((a, c), (b, d)):
        nodes += [move(1, 1, ("right", "left")), second, first]
    return nodes


def low_first(win, passed, paid, lose, passed_low, lost):
    nodes = [DEAL]
    for card, (met, let, folded) in enumerate(((lose, passed_low, lost), (win, passed, paid))):
        nodes += [move(1, card + 1, ("fold", "raise")), folded, move(2, 1, ("pass", "meet")), let, met]
    return nodes


def one_way(fair, no, greedy, no_more):
    """A move with a single action is not a choice."""
    nodes = [move(2, 9, ("listen",)), move(1, 1, OFFERS), move(2, 2, ANSWER), fair, no]
    return [*nodes, move(2, 1, ANSWER[::-1]), no_more, greedy]


@pytest.mark.parametrize(
    ("words", "nodes"),
    [
        ("owner sees it", branches_turned),
        ("at the same time", second_written_first),
        (POKER, low_first),
        ("sees the offer", one_way),
    ],
)
def test_the_same_knowledge_written_in_another_order_passes(words, nodes):
    described, given = written(words, nodes)
    assert str(same(described, given)[0]) == "pass"


def test_a_timeout_is_not_remembered(monkeypatch):
    reference = f"{PENNIES}\n"
    monkeypatch.setattr(check, "_workers", Late)
    assert same(reference, TURNED)[0].kind == "timeout"
    monkeypatch.undo()
    assert same(reference, TURNED)[0].kind == "pass"


class Late:
    def ask(self, message, seconds):
        return None


def started(words=POKER):
    game = games.make("efg")
    for seed in range(200):
        game.reset(seed)
        if words in game.observe("translator").text:
            return game, described(turn_of(game)), seed
    raise AssertionError


def turn_of(game, seed=0):
    seen = game.observe("translator").text, "play", RandomStream(seed), None, game.data("translator")
    return ScriptedTurn("translator", "translator", *seen)


@pytest.mark.parametrize(("text", "right", "broke"), [(None, 1.0, False), (PENNIES, 0.0, False), ("EFG", 0.0, True)])
def test_the_outcome_says_whether_the_last_text_is_right_or_no_game(text, right, broke):
    game = games.make("efg(tries=1)")
    game.reset(0)
    game.apply({"translator": text or described(turn_of(game))})
    outcome = game.outcomes()["translator"]
    assert (outcome.right, outcome.broke) == (right, broke)


class Right(Player):
    name = "p"

    def act(self, view):
        return Decision(described(turn_of(view.game)))


def test_what_passed_is_played_through_openspiel(tmp_path):
    game, _, seed = started()
    episode = play(game, MatchPlan("m", game.spec.id, seed, {"translator": "p"}), {"translator": Right()})
    assert {c.role: c.reward for c in credits_of([episode], {"p"})} == {"translator": 1.0}
    again = games.make(playable(episode.facts["game"], tmp_path / "card.efg"))
    assert again.spec.payoff == "zero_sum"
    random = make_player("random")
    seats = dict.fromkeys(again.spec.seats, "random")
    played = play(again, MatchPlan("n", again.spec.id, 1, seats), dict.fromkeys(seats, random))
    assert played.status == "finished"
    assert sum(played.returns.values()) == 0
    with pytest.raises(InputError, match="holds a space"):
        playable(PENNIES, tmp_path / "a b.efg")
    with pytest.raises(InputError, match="cannot write"):
        playable(PENNIES, tmp_path / "none" / "a.efg")


def test_the_text_most_like_the_others_is_right_by_chance():
    game, right = games.make("efg(closed=true)"), 0
    for seed in range(200):
        game.reset(seed)
        assert len(game.legal("translator")) == 9
        texts = [text for text in game.legal("translator") if text != "EFG 2 R"]
        lines = {text: Counter(text.split("\n")) for text in texts}
        likest = max(texts, key=lambda text: sum((lines[text] & lines[other]).total() for other in texts))
        right += likest == described(turn_of(game))
    assert 0.05 < right / 200 < 0.2


def test_no_feature_is_usual():
    found = Counter()
    for seed in range(400):
        words = drawn(RandomStream(seed)).words
        found.update(part for part in ("neither knows", "Bob sees", "equal chance", "only the player") if part in words)
        found["poker"] += words.startswith("A card")
        found["matrix"] += words.startswith("Ann")
    assert 0.35 < found["neither knows"] / found["matrix"] < 0.65
    assert 0.35 < found["Bob sees"] / found["matrix"] < 0.65
    assert 0.35 < found["equal chance"] / found["poker"] < 0.65
    assert 0.35 < found["only the player"] / found["poker"] < 0.65


def test_the_role_takes_the_game_out_of_a_code_fence():
    said = f"Here it is:\n```\nEFG 2 R nonsense\n```\nbetter:\n```efg\n{PENNIES}\n```\nDone."
    assert Translator().parse(said, None) == PENNIES
    assert Translator().parse("No idea", None) == "No idea"


def test_without_pygambit_one_line_says_what_to_type(monkeypatch):
    monkeypatch.setattr(check.importlib.util, "find_spec", lambda name: None)
    with pytest.raises(InputError, match=r"needs the package 'pygambit'; type: pip install 'selfplay-arena\[efg\]'"):
        games.make("efg")


def test_parameters_out_of_range_are_refused():
    for params in ("tries=0", "closed=1", "stages=5"):
        with pytest.raises(InputError):
            games.make(f"efg({params})")


@pytest.mark.parametrize("id", ["efg-v2", "efg-v2(tries=1,closed=true)", "efg-v2(stages=3,closed=true)"])
def test_the_check_passes(id):
    report = games.check(id, episodes=20)
    assert report.ok, report


def test_the_scripted_translator_writes_every_description_and_no_shortcut_pays():
    game = games.make("efg")
    for seed in range(40):
        game.reset(seed)
        game.apply({"translator": game.shortcuts().competent["translator"](turn_of(game))})
        assert game.returns() == {"translator": 1.0}
    assert check_shortcuts("efg", 20).ok
    assert games.make("efg(stages=2)").shortcuts() is None
