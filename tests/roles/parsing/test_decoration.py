"""Legal actions without the decoration of their game: read where that is unambiguous, never as another action."""

import json
import re
from functools import lru_cache

import pytest

import games
from games.errors import IllegalAction, MissingPackage
from games.openspiel.catalog import WITH_PARAMETERS
from games.randomness import RandomStream, derive
from roles import ParseError
from roles.parsing._decoration import are_chess_moves, undecorated
from roles.parsing.actions import parse
from tests import golden

READ, REFUSED = golden.rows(__file__, "decorated_read"), golden.rows(__file__, "decorated_refused")


@pytest.mark.parametrize(("text", "legal", "action"), READ, ids=range(len(READ)))
def test_decoration_may_be_left_out(text, legal, action):
    assert parse(text, legal) == action


@pytest.mark.parametrize(("text", "legal"), REFUSED, ids=range(len(REFUSED)))
def test_decoration_is_never_contradicted_and_no_part_stands_for_an_action(text, legal):
    with pytest.raises(ParseError):
        parse(text, legal)


def test_an_ambiguous_answer_lists_its_actions():
    with pytest.raises(ParseError, match=r"'24/21 6/2' could mean '1 - 24/21 6/2' or '2 - 24/21\* 6/2'; write one"):
        parse(r"\boxed{24/21 6/2}", ("1 - 24/21 6/2", "2 - 24/21* 6/2", "3 - 24/20"))


def test_another_action_after_the_answer_counts_without_its_decoration_too():
    legal = ("18 - 24/21 6/2", "17 - 24/21 8/4")
    with pytest.raises(ParseError, match="'24/21 8/4' follows the answer"):
        parse("\\boxed{24/21 6/2}\n\nMake that 24/21 8/4", legal)


@pytest.mark.parametrize(
    "text", ["\\boxed{Pa\x08ys}", '{"action": "a\\bc"}', "\\boxed{a\u202eb\x1b[31m}", "\\boxed{\u3164x}"]
)
def test_messages_show_no_unprintable_characters(text):
    with pytest.raises(ParseError) as error:
        parse(text, ("Pass", "Be\x1bt"))
    assert str(error.value).isprintable()
    assert "\\x08" not in str(error.value)
    assert "\u3164" not in str(error.value)


SAMPLE = (
    *("amazons", "backgammon", "bargaining", "battleship", "breakthrough", "chess", "chinese_checkers", "crazyhouse"),
    *("gin_rummy", "go", "goofspiel", "hanabi", "hive", "maedn", "negotiation", "nim", "python_team_dominoes", "shogi"),
    *("solitaire", "ultimate_tic_tac_toe", "universal_poker", "xiangqi", "yacht"),
)
SAMPLED = [f"openspiel/{name}" for name in SAMPLE] + ["pettingzoo/go_v5", "pettingzoo/chess_v6"]
SAMPLED += ["textarena/TicTacToe-v0(menu=true)"]
SLOW = {"openspiel/bridge_uncontested_bidding"}  # a double-dummy solver takes half a minute


def listed():
    """The ids of all imported games; those with parameters by their example, TextArena's with a menu."""
    for id in games.ids():
        collection, _, name = id.partition("/")
        if collection == "textarena":
            yield f"{id}(menu=true)"
        elif collection in ("openspiel", "pettingzoo"):
            example = WITH_PARAMETERS.get(name, name) if collection == "openspiel" else name
            if "filename" not in example and id not in SLOW:
                yield f"{collection}/{example}"


def positions(id, turns):
    """Different lists of legal actions from random matches."""
    try:
        game = games.make(id)
    except MissingPackage as error:
        pytest.skip(str(error))
    stream, lists = RandomStream(derive(0, "decoration", id)), {}
    for seed in range(3):
        game.reset(seed)
        for _ in range(turns):
            legal = {seat: game.legal(seat) for seat in game.acting}
            if not legal or not all(legal.values()):
                break
            lists |= dict.fromkeys(legal.values())
            try:
                game.apply({seat: stream.choice(actions) for seat, actions in legal.items()})
            except IllegalAction:  # TextArena: a text that was accepted when it was tried
                break
    return list(lists)


def _wide(action):
    return "".join(chr(ord(c) + 0xFEE0) if "!" <= c <= "~" else c for c in action)


FORMS = {
    "bare": "{}".format,
    "boxed": "\\boxed{{{}}}".format,
    "text": "$\\boxed{{\\text{{{}}}}}$".format,
    "quoted": '"{}"'.format,
    "bracketed": "[{}]".format,
    "bold": "**{}**".format,
    "tagged": "<answer>{}</answer>".format,
    "labelled": "I like it.\nAction: {}".format,
    "last line": "I like it.\n{}".format,
    "full width": _wide,
    "spaced": lambda action: re.sub(r"([,:()\[\]])", r" \1 ", action),
    "JSON": lambda action: json.dumps({"action": action}),
    "JSON box": lambda action: f'{{"action": "\\boxed{{{json.dumps(action)[1:-1]}}}"}}',
}


def reading(text, legal):
    """The action, or "ambiguous", or ""."""
    try:
        return parse(text, legal)
    except ParseError as error:
        return "ambiguous" if "could mean" in str(error) else ""


def check_forms(legal, stream):
    """Every form of an action, with and without its decoration, is that action or ambiguous."""
    number = stream.below(len(legal))
    action, shorter = legal[number], undecorated(legal)[number]
    for form, write in FORMS.items():
        if form == "text" and "\\" in action:
            continue  # LaTeX has no such text
        assert reading(write(action), legal) == action, (form, action)
        for text in shorter:
            assert reading(write(text), legal) in (action, "ambiguous"), (form, text, action)


def edits(action, stream):
    """Texts that differ in a letter or digit, or in the order of two."""
    for _ in range(6):
        at, char = stream.below(len(action)), stream.choice("0123456789abcxBW")
        if action[at].isalnum():
            yield action[:at] + action[at + 1 :]
            yield action[:at] + char + action[at + 1 :]
            yield action[:at] + char + action[at:]
        yield action[:at] + action[at : at + 2][::-1] + action[at + 2 :]


def plain(text, chess):
    """A text without what a reader may ignore: case, spaces beside signs, brackets and marks around it."""
    text = re.sub(r"\s+", " ", text.replace("_", " ").casefold())
    text = re.sub(r"[=+#]", "", text) if chess else re.sub(r"(?<=\w)\*(?!\w)", "", text)
    return re.sub(r" ?([^\w ]) ?", r"\1", text).strip(" .;!*'\"()[]{}")


@lru_cache(4)
def plains(legal):
    chess = are_chess_moves(legal)
    return chess, [plain(action, chess) for action in legal]


def same(text, legal):
    """Whether a text is a legal action without an index, or without a beginning that all actions of a kind share."""
    chess, actions = plains(legal)
    bare = plain(text, chess)
    for action in actions:
        start = action[: len(action) - len(bare)]
        if bare and action == start + bare:
            kind = [a for a in actions if ":" in a] if ":" in start else actions
            if re.fullmatch(r"(?:\d+-)?", start) or all(a.startswith(start) for a in kind):
                return True
    return False


def check_illegal(legal, others, stream):
    """Actions of other positions, misspelt ones and those with another number are no legal action."""
    texts = [action for _ in range(3) for action in edits(stream.choice(legal), stream)]
    texts += [stream.choice(stream.choice(others)) for _ in range(6)]
    texts += [re.sub(r"\d+", lambda m: str(int(m[0]) + 1), stream.choice(legal), count=1) for _ in range(3)]
    for text in texts:
        if text.strip() and not same(text, legal):
            for form in ("bare", "boxed", "labelled", "last line"):
                assert reading(FORMS[form](text), legal) in ("", "ambiguous"), (form, text)


def check(id, turns, count):
    lists = positions(id, turns)
    stream = RandomStream(derive(1, "decoration", id))
    for legal in stream.shuffled(lists)[:count]:
        check_forms(legal, stream)
        check_illegal(legal, lists, stream)


@pytest.mark.parametrize("id", SAMPLED)
def test_forms_of_actions_of_some_games(id):
    check(id, turns=12, count=2)


@pytest.mark.slow
@pytest.mark.parametrize("id", list(listed()))
def test_forms_of_actions_of_every_game(id):
    check(id, turns=40, count=4)
