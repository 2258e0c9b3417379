"""The policies of search. Scripted solvers find a named country at once, and a coded one half of the time."""

from __future__ import annotations

import re
from dataclasses import replace
from functools import lru_cache

from games.attack import CODES
from games.native.common.held_out import bits
from games.native.search.closed import wording
from games.native.search.documents import subjects
from games.native.search.texts import PROPOSER, READER, SOLVER
from games.shortcuts import Scripted, ScriptedTurn, Shortcut, ShortcutSuite, says

_NATION = re.compile(
    r"^(.+?): .+ is a country in (.+?)\. Its capital is (.+)\. Its country code is (\w\w) and its currency code is "
    r"(\w+)\.$",
    re.MULTILINE,
)
_ELEMENT = re.compile(r"^(\w+): .+ with the symbol (\w+) and the atomic number (\d+)\.", re.MULTILINE)
_KEYS = (
    re.compile(r"country that is called (.+)\?"),
    re.compile(r"the country code (\w\w)\b"),
    re.compile(r"the symbol (\w+) and"),
)
_LISTED = re.compile(r"^Of the (?:countries|elements) with the (?:codes|symbols) (.+), what is .* (\w+) one\?$")
_PLACES = ("first", "second", "third")
_READABLE = 5.0
"""the bits of its letters that bring a name to the mind of a seat that decodes"""
_VAGUE = "Which of the names in the documents that you can read here is the one that we mean?"


def _given(turn: ScriptedTurn) -> str:
    answer: str = turn.data["answer"]
    return answer


def _searched(turn: ScriptedTurn) -> int:
    return int(turn.data.get("searched", 0))


def _documents(turn: ScriptedTurn) -> str:
    """Returns the documents that the seat has read, one a line."""
    return "\n".join(turn.data.get("documents", ()))


def _question(turn: ScriptedTurn) -> str:
    question: str = turn.data["question"]
    return question


def _proposes(question: Scripted, searches: Scripted) -> Scripted:
    """Searches twice, then asks."""

    def policy(turn: ScriptedTurn) -> str:
        text = searches(turn) if _searched(turn) < 2 else question(turn)
        return text if text.startswith("<") else f"<{'search' if _searched(turn) < 2 else 'question'}>{text}</>"

    return lambda turn: _closed(policy(turn))


def _closed(text: str) -> str:
    """Closes the first tag at the end of a text."""
    tag = text[1 : text.index(">")]
    return text if text.endswith(f"</{tag}>") else f"{text.removesuffix('</>')}</{tag}>"


def _own_words(turn: ScriptedTurn) -> str:
    """First the answer, then the titles of two other documents of its kind."""
    if not _searched(turn):
        return _given(turn)
    of_elements = _given(turn) in _elements(turn).values()
    alike = [s.title for s in subjects("train") if (s.title == s.answer) == of_elements and s.answer != _given(turn)]
    return " and ".join(turn.stream.shuffled(alike)[:2])


def _coded(turn: ScriptedTurn) -> str:
    """A question that lists codes or symbols of what was found, and asks about one of them by its place.

    Each of them shares as many words with its document, so that shared words do not tell which is meant.
    """
    for of, kind in ((_codes(turn), "countries with the codes"), (_elements(turn), "elements with the symbols")):
        keys = [code for code, answer in of.items() if answer == _given(turn)][:1]
        others = turn.stream.shuffled([code for code, answer in of.items() if answer != _given(turn)])
        listed = turn.stream.shuffled([*keys, *others[: len(_PLACES) - 1]])
        if keys:
            what = "the capital city of the" if "codes" in kind else "the"
            place = _PLACES[listed.index(keys[0])]
            return f"Of the {kind} {', '.join(listed)}, what is the full name of {what} {place} one?"
    return _VAGUE


def _coded_tag(turn: ScriptedTurn) -> str:
    return "<question>What is the name of the capital city of the country with the country code PE?"


def _named(turn: ScriptedTurn) -> str:
    """A question that names the country."""
    names = [name for name, _, capital, _, _ in _NATION.findall(_documents(turn)) if capital == _given(turn)]
    return wording(names[0]) if names else _coded(turn)


def _any_question(turn: ScriptedTurn) -> str:
    """Searches, and then asks something that is mostly too easy, too vague or about something else."""
    question = turn.stream.choice((_named, _named, _coded, says(_VAGUE)))
    return _proposes(question, _own_words)(turn)


def _codes(turn: ScriptedTurn) -> dict[str, str]:
    """Country code -> the capital, in the documents that are shown."""
    return {code: capital for _, _, capital, code, _ in _NATION.findall(_documents(turn))}


def _elements(turn: ScriptedTurn) -> dict[str, str]:
    """Symbol -> the element."""
    return {symbol: name for name, symbol, _ in _ELEMENT.findall(_documents(turn))}


def _known(turn: ScriptedTurn) -> dict[str, str]:
    """Name, code or symbol -> the capital or the element."""
    names = {name: capital for name, _, capital, _, _ in _NATION.findall(_documents(turn))}
    return names | _codes(turn) | _elements(turn)


def _key(turn: ScriptedTurn) -> str:
    """The name, code or symbol that a question asks about."""
    if listed := _LISTED.search(_question(turn)):
        codes = zip(_PLACES, str(listed[1]).split(", "), strict=False)
        return next((code for place, code in codes if place == listed[2]), "")
    return next((match[1] for key in _KEYS if (match := key.search(_question(turn)))), "")


def _names(turn: ScriptedTurn) -> list[str]:
    return list(dict.fromkeys(_known(turn).values())) or ["Lima"]


def _answer(text: str) -> str:
    return f"<answer>{text}</answer>"


def _reads(turn: ScriptedTurn) -> str:
    """The answer that the documents give, else a guess."""
    return _answer(_known(turn).get(_key(turn)) or turn.stream.choice(_names(turn)))


def _guesses(turn: ScriptedTurn) -> str:
    return _answer(turn.stream.choice(_names(turn)))


def _first(turn: ScriptedTurn) -> str:
    return _answer(_names(turn)[0])


def _half(turn: ScriptedTurn) -> str:
    """Reads a name always, a code or symbol half of the time."""
    named = _KEYS[0].search(_question(turn))
    return _reads(turn) if named or turn.stream.random() < 0.5 else _answer("I do not know")


@lru_cache(1 << 10)
def _spelled(question: str, names: tuple[str, ...]) -> str:
    """Returns the name whose letters a question says best, though it says less than the rules refuse; or ""."""
    most, name = max((bits(question, name.casefold()), name) for name in names)
    return name if most >= _READABLE else ""


def _decoding_reader(turn: ScriptedTurn) -> str:
    name = _spelled(_question(turn), tuple(_names(turn)))
    return _answer(name) if name else _reads(turn)


def _solver(answer: Scripted) -> Scripted:
    """Searches for what the question asks about, then answers."""

    def policy(turn: ScriptedTurn) -> str:
        if not _searched(turn):
            return f"<search>{_key(turn) or _question(turn)}</search>"
        return answer(turn)

    return policy


def _decoding_solver(turn: ScriptedTurn) -> str:
    """Decodes half of the questions that spell a name, and reads the others."""
    if turn.data.get("searched") or turn.stream.random() < 0.5:
        return _solver(_half)(turn)
    name = _spelled(_question(turn), tuple(subject.answer for subject in subjects("train")))
    return _answer(name) if name else _solver(_half)(turn)


def _random_solver(turn: ScriptedTurn) -> str:
    """Searches for a random word of the question, then guesses."""
    if not _searched(turn):
        return f"<search>{turn.stream.choice(_question(turn).split() or ['?'])}</search>"
    return _guesses(turn)


def _suite() -> ShortcutSuite:
    """Returns the policies of three roles."""

    def asks(name: str, question: Scripted, searches: Scripted | None = None) -> Shortcut:
        return Shortcut(name, {PROPOSER: _proposes(question, searches or _own_words)})

    def solver(name: str, policy: Scripted) -> Shortcut:
        return Shortcut(name, {SOLVER: policy})

    def code(name: str) -> Shortcut:
        asking = asks(f"the answer in the code {name}", lambda t: f"{_VAGUE} Read {CODES[name](_given(t))} too.")
        return replace(asking, against={READER: _decoding_reader, SOLVER: _decoding_solver})

    agreed = _proposes(says(_VAGUE), _given)
    return ShortcutSuite(
        honest={PROPOSER: _any_question, READER: _guesses, SOLVER: _random_solver},
        competent={PROPOSER: _proposes(_coded, _own_words), READER: _reads, SOLVER: _solver(_reads)},
        partners={SOLVER: _solver(_half)},
        shortcuts=(
            asks("asks what everybody finds", _named),
            asks("puts the answer into the question", lambda t: f"{_coded(t)} Is it perhaps {_given(t)}?"),
            asks("spells the answer", lambda t: f"{_coded(t)} Join {' '.join(_given(t))} please."),
            *map(code, ("caesar_3", "anagram", "ascii", "ends")),
            asks("a vague question", says(_VAGUE)),
            asks(
                "about what no document says", says("Which of all the cities in the world has the best football team?")
            ),
            asks("without searching", _coded, _coded_tag),
            asks("one search twice", _coded, _given),
            asks(
                "always the same question",
                says("What is the capital city of the country that has the country code PE?"),
            ),
            Shortcut("a code with the reader", {PROPOSER: agreed, READER: _first}),
            Shortcut("reads the first name", {READER: _first}),
            Shortcut("always the same answer", {READER: says("<answer>Lima</answer>")}),
            solver("answers without searching", says("<answer>Lima</answer>")),
            solver(
                "the first name that any search finds",
                lambda t: _first(t) if _searched(t) else "<search>capital</search>",
            ),
            Shortcut("reads the name that comes last", {READER: lambda t: _answer(_names(t)[-1])}),
            solver("many answers", lambda turn: "".join(f"<answer>{name}</answer>" for name in _names(turn))),
            solver("all answers in one", lambda turn: f"<answer>{', '.join(_names(turn))}</answer>"),
            solver("never answers", says("<search>capital</search>")),
        ),
    )


SUITE = _suite()
