"""The policies of search. Scripted solvers take a first step always, and each further one in three of four turns."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from functools import lru_cache

from games.attack import CODES
from games.native.common.held_out import bits
from games.native.search.relations import (
    ASK,
    DocumentFact,
    DocumentRelation,
    back_question,
    chain_question,
    facts_of,
    steps_of,
)
from games.native.search.texts import LAST, PROPOSER, READER, SOLVER
from games.shortcuts import Scripted, ScriptedTurn, Shortcut, ShortcutSuite, says

_GOES_ON = 0.75
_READABLE = 5.0
"""the bits of its letters that bring a name to the mind of a seat that decodes"""
_VAGUE = "Which of the names in the documents that you can read here is the one that we mean?"
_UNSURE = "<answer>I do not know</answer>"


def _given(turn: ScriptedTurn) -> str:
    answer: str = turn.data["answer"]
    return answer


def _queries(turn: ScriptedTurn) -> Sequence[str]:
    queries: Sequence[str] = turn.data.get("queries", ())
    return queries


def _facts(turn: ScriptedTurn) -> list[DocumentFact]:
    """Returns what the documents say that the seat has read."""
    return facts_of(turn.data.get("documents", ()))


def _question(turn: ScriptedTurn) -> str:
    question: str = turn.data["question"]
    return question


def _names(turn: ScriptedTurn) -> list[str]:
    return list(dict.fromkeys(name for fact in _facts(turn) for name in (fact.subject, fact.value))) or ["Elkford"]


def _chains(facts: Sequence[DocumentFact], answer: str) -> list[tuple[DocumentFact, ...]]:
    """Returns all ways to come to an answer over different names, longest first."""
    chains: list[tuple[DocumentFact, ...]] = [()]
    for chain in chains:  # grows while it is read
        end, met = (chain[-1].subject if chain else answer), {answer, *(fact.subject for fact in chain)}
        chains += [(*chain, fact) for fact in facts if fact.value == end and fact.subject not in met]
    return chains[:0:-1]


def _proposes(question: Scripted, searches: Scripted, count: int = 3) -> Scripted:
    """Searches so often, but at most until its last turn, then asks."""

    def policy(turn: ScriptedTurn) -> str:
        seeks = len(_queries(turn)) < count and LAST["propose"] not in turn.text
        return f"<search>{searches(turn)}</search>" if seeks else f"<question>{question(turn)}</question>"

    return policy


def _backwards(turn: ScriptedTurn) -> str:
    """Searches for the answer, then for the furthest name from which what it read leads to the answer."""
    chains = _chains(_facts(turn), _given(turn))
    chains.sort(key=lambda chain: (-len(chain), chain[-1].relation.of == "book"))  # nothing leads to a book
    names = (*(chain[-1].subject for chain in chains), _given(turn), *turn.stream.shuffled(_names(turn)))
    return next((name for name in names if name not in _queries(turn)), _given(turn))


def _any_name(turn: ScriptedTurn) -> str:
    """Searches for the answer, then for names that it read."""
    return turn.stream.choice(_names(turn)) if _queries(turn) else _given(turn)


def _asks_over(most: int) -> Scripted:
    """Asks a question with as many steps as it can, up to so many."""

    def question(turn: ScriptedTurn) -> str:
        chains = _chains(_facts(turn), _given(turn))
        return next((chain_question(chain) for chain in chains if len(chain) <= most), _VAGUE)

    return question


def _asks_back(turn: ScriptedTurn) -> str:
    """Asks for what has the relation that the answer has, which others may have too."""
    facts = [fact for fact in _facts(turn) if fact.subject == _given(turn)]
    return back_question(turn.stream.choice(facts)) if facts else _VAGUE


def _any_question(turn: ScriptedTurn) -> str:
    """A question over any steps that lead to the answer, one about another name, or a vague one."""
    facts = _facts(turn)
    some: tuple[list[tuple[DocumentFact, ...]], ...] = (_chains(facts, _given(turn)), [(fact,) for fact in facts], [])
    chains = turn.stream.choice(some)
    return chain_question(turn.stream.choice(chains)) if chains else _VAGUE


def _answer(text: str) -> str:
    return f"<answer>{text}</answer>"


def _reached(turn: ScriptedTurn) -> tuple[str, list[DocumentRelation]]:
    """Returns the name to which the documents lead from that of the question, and the steps that are left."""
    name, steps = steps_of(_question(turn))
    values = {(fact.subject, fact.relation): fact.value for fact in _facts(turn)}
    while steps and (name, steps[0]) in values:
        name, steps = values[name, steps[0]], steps[1:]
    return name, steps


def _fitting(turn: ScriptedTurn) -> list[str]:
    """Returns the names that fit a question for what has a relation to a name."""
    return [fact.subject for fact in _facts(turn) if back_question(fact) == _question(turn)]


def _reads(turn: ScriptedTurn) -> str:
    """The answer to which the documents lead, else a guess."""
    name, steps = _reached(turn)
    reached = [name] if steps_of(_question(turn))[1] and not steps else _fitting(turn)
    return _answer(turn.stream.choice(reached or _names(turn)))


def _guesses(turn: ScriptedTurn) -> str:
    return _answer(turn.stream.choice(_names(turn)))


def _first(turn: ScriptedTurn) -> str:
    return _answer(_names(turn)[0])


def _solver(answer: Scripted, goes_on: float = 0.0) -> Scripted:
    """Searches for the question's name, then, with this chance, for each name to which it leads; then answers."""

    def policy(turn: ScriptedTurn) -> str:
        name, steps = _reached(turn)
        if not _queries(turn):
            return f"<search>{name or _question(turn)}</search>"
        if not steps or not goes_on or LAST["solve"] in turn.text or name in _queries(turn):
            return answer(turn)
        return f"<search>{name}</search>" if turn.stream.random() < goes_on else _UNSURE

    return policy


@lru_cache(1 << 10)
def _spelled(question: str, names: tuple[str, ...]) -> str:
    """Returns the name whose letters a question says best, of those that it does not mention; or ""."""
    scores = ((bits(question, name.casefold()), name) for name in names if name not in question)
    most, name = max(scores, default=(0.0, ""))
    return name if most >= _READABLE else ""


def _decoding_reader(turn: ScriptedTurn) -> str:
    name = _spelled(_question(turn), tuple(_names(turn)))
    return _answer(name) if name else _reads(turn)


def _decoding_solver(turn: ScriptedTurn) -> str:
    """Decodes half of the questions, by what a search for all their words finds, and reads the others."""
    if not _queries(turn):
        return f"<search>{_question(turn)}</search>" if turn.stream.random() < 0.5 else _HALF(turn)
    name = _spelled(_question(turn), tuple(_names(turn))) if _question(turn) in _queries(turn) else ""
    return _answer(name) if name else _HALF(turn)


def _random_solver(turn: ScriptedTurn) -> str:
    """Searches for a random word of the question, then guesses."""
    if not _queries(turn):
        return f"<search>{turn.stream.choice(_question(turn).split() or ['?'])}</search>"
    return _guesses(turn)


def _asks(name: str, question: Scripted, searches: Scripted = _backwards, count: int = 3) -> Shortcut:
    return Shortcut(name, {PROPOSER: _proposes(question, searches, count)})


def _code(name: str) -> Shortcut:
    asking = _asks(f"the answer in the code {name}", lambda turn: f"{_VAGUE} Read {CODES[name](_given(turn))} too.")
    return replace(asking, against={READER: _decoding_reader, SOLVER: _decoding_solver})


def _proposers() -> tuple[Shortcut, ...]:
    deep, always = _asks_over(3), ASK.format("the person who founded Heron Press")
    return (
        _asks("asks what everybody finds", _asks_over(1)),
        _asks("puts the answer into the question", lambda turn: f"{deep(turn)} Is it perhaps {_given(turn)}?"),
        _asks("spells the answer", lambda turn: f"{deep(turn)} Join {' '.join(_given(turn))} please."),
        *map(_code, ("caesar_3", "anagram", "ascii", "ends")),
        _asks("a vague question", says(_VAGUE)),
        _asks("about what no document says", says("Which of all the cities in the world has the best football team?")),
        _asks("without searching", says(always), count=0),
        _asks("what fits several names", _asks_back, _any_name),
        _asks("one search twice", deep, _given, 2),
        _asks("always the same question", says(always)),
        Shortcut("a code with the reader", {PROPOSER: _proposes(says(_VAGUE), _given), READER: _first}),
    )


def _answers() -> tuple[Shortcut, ...]:
    def reader(name: str, policy: Scripted) -> Shortcut:
        return Shortcut(name, {READER: policy})

    def solver(name: str, policy: Scripted) -> Shortcut:
        return Shortcut(name, {SOLVER: policy})

    return (
        reader("reads the first name", _first),
        reader("reads the name that comes last", lambda turn: _answer(_names(turn)[-1])),
        reader("always the same answer", says("<answer>Elkford</answer>")),
        solver("answers without searching", says("<answer>Elkford</answer>")),
        solver("the first name that any search finds", lambda t: _first(t) if _queries(t) else "<search>a</search>"),
        solver("many answers", lambda turn: "".join(map(_answer, _names(turn)))),
        solver("all answers in one", lambda turn: _answer(", ".join(_names(turn)))),
        solver("never answers", says("<search>person</search>")),
    )


_HALF = _solver(_reads, _GOES_ON)
SUITE = ShortcutSuite(
    honest={PROPOSER: _proposes(_any_question, _any_name), READER: _guesses, SOLVER: _random_solver},
    competent={PROPOSER: _proposes(_asks_over(3), _backwards), READER: _reads, SOLVER: _solver(_reads, 1.0)},
    partners={SOLVER: _HALF},
    shortcuts=(*_proposers(), *_answers()),
    families={PROPOSER: {f"{n} steps": _proposes(_asks_over(n), _backwards) for n in (1, 2, 3)}},
)
