"""Variants of policies: small changes of one, and parts of two. A search climbs with them from the best policies."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import NamedTuple

from arena.attack.grammar import ENDS, Candidate
from games.attack import CODES
from games.attack.expression import Expression, Term
from games.attack.sources import SOURCES, WRAPS
from games.randomness import RandomStream

_TRIES, _LARGEST = 6, 40
"""forms of an expression at most, so that variants of variants do not grow"""
_SHARES = (2, 3, 4)
_KNOWING = ("fact", "competent")
"""forms whose message may be the task itself, so that it is compared with a plain one"""


def variants(parents: Sequence[Candidate], every: Sequence[Candidate], n: int, stream: RandomStream) -> list[Candidate]:
    """Returns `n` policies at most, each made of one or two of the parents or of parts of all policies.

    The first parents are changed more often.
    """
    out: dict[tuple[object, ...], Candidate] = {}
    material = _Material(parents, every, stream, *(_heads(every, *of) for of in (("when", 2), ("phase", 1))))
    for _ in range(_TRIES * n if parents else 0):
        parent = parents[min(stream.below(len(parents)), stream.below(len(parents)))]
        changed = stream.choice(_CHANGES)(parent, material)
        if changed is not None and max(_size(e) for e in changed.plays.values()) <= _LARGEST:
            out.setdefault(key_of(changed), changed)
        if len(out) == n:
            break
    return list(out.values())


class _Material(NamedTuple):
    """What changes draw from."""

    parents: Sequence[Candidate]
    every: Sequence[Candidate]
    stream: RandomStream
    tests: Sequence[tuple[Expression, ...]]
    """features of turns that policies of the grammar look at, with their bounds"""
    phases: Sequence[tuple[Expression, ...]]


def _heads(every: Sequence[Candidate], name: str, n: int) -> list[tuple[Expression, ...]]:
    """Returns the first arguments of a form in all policies, without repetitions."""
    parts = (part for c in every for _, part in _places(_main_play(c)))
    heads = dict.fromkeys(part.args[:n] for part in parts if isinstance(part, Term) and part.name == name)
    return [head for head in heads if head[0] != "fact"]


def key_of(candidate: Candidate) -> tuple[object, ...]:
    """Returns what makes two candidates the same."""
    return (*candidate.plays.items(), candidate.allied)


def size_of(candidate: Candidate) -> int:
    """Returns how many forms and constants a candidate has."""
    return sum(map(_size, candidate.plays.values()))


def _size(expression: Expression) -> int:
    return 1 + sum(map(_size, expression.args)) if isinstance(expression, Term) else 1


def _places(expression: Expression, at: tuple[int, ...] = ()) -> Iterator[tuple[tuple[int, ...], Expression]]:
    """Yields each part of an expression with where it stands."""
    yield at, expression
    if isinstance(expression, Term):
        for n, arg in enumerate(expression.args):
            yield from _places(arg, (*at, n))


def _put(expression: Expression, at: Sequence[int], part: Expression) -> Expression:
    """Returns an expression with another part in a place."""
    if not at or not isinstance(expression, Term):
        return part
    args = list(expression.args)
    args[at[0]] = _put(args[at[0]], at[1:], part)
    return Term(expression.name, tuple(args))


def _with(of: Candidate, expression: Expression) -> Candidate | None:
    """Returns a candidate whose attacked role plays another expression; None if that could say the right answer."""
    forms = (part for _, part in _places(expression) if isinstance(part, Term))
    if any(part.name in _KNOWING or part.args[:1] == ("fact",) for part in forms):
        return None
    role = next(iter(of.plays))
    plain = {other: text for other, text in (of.plain or {}).items() if other != role}
    return of._replace(plays={**of.plays, role: expression}, plain=plain or None)


def _main_play(of: Candidate) -> Expression:
    return next(iter(of.plays.values()))


def _texts(expression: Expression) -> list[tuple[tuple[int, ...], Expression]]:
    """Returns the parts that say a text on their own: sources and codes."""
    names = SOURCES.keys() | CODES.keys() | {"inner"}
    return [(at, part) for at, part in _places(expression) if isinstance(part, Term) and part.name in names]


def _recoded(of: Candidate, use: _Material) -> Candidate | None:
    """Another code, in all roles that know it."""
    used = [part.name for e in of.plays.values() for _, part in _places(e) if isinstance(part, Term)]
    used = [name for name in used if name in CODES]
    if not used:
        return None
    old, new = use.stream.choice(used), use.stream.choice(sorted(CODES))
    return of._replace(plays={role: _renamed(e, old, new) for role, e in of.plays.items()})


def uncoded(expression: Expression) -> Expression:
    """Returns an expression that says and reads in plain words what it says and reads in a code."""
    for code in CODES:
        expression = _renamed(expression, code, "plain")
    return expression


def _renamed(expression: Expression, old: str, new: str) -> Expression:
    if not isinstance(expression, Term):
        return new if expression == old else expression
    args = tuple(_renamed(arg, old, new) for arg in expression.args)
    return Term(new if expression.name == old else expression.name, args)


def _replaced(of: Candidate, use: _Material) -> Candidate | None:
    """Returns a part from another policy in place of one part."""
    stream = use.stream
    parts, others = _texts(_main_play(of)), _texts(_main_play(stream.choice(use.every)))
    if not parts or not others:
        return None
    return _with(of, _put(_main_play(of), stream.choice(parts)[0], stream.choice(others)[1]))


def _wrapped(of: Candidate, use: _Material) -> Candidate | None:
    """Returns a part that is spelled, extended or bracketed in another way."""
    parts = _texts(_main_play(of))
    if not parts:
        return None
    stream = use.stream
    at, part = stream.choice(parts)
    ways = [Term("respelled", (part,)), Term("extended", (part, stream.choice(ENDS)))]
    ways += [Term(kind, (stream.choice(sorted(WRAPS)), part)) for kind in ("wrapped", "wrapped_end")]
    return _with(of, _put(_main_play(of), at, stream.choice(ways)))


def _crossed(of: Candidate, use: _Material) -> Candidate | None:
    """Returns the partners of another policy, for one that needs some."""
    other = use.stream.choice(use.every if use.stream.below(2) else use.parents)
    if not of.agreed or not other.agreed:
        return None
    role = next(iter(of.plays))
    return of._replace(plays={role: _main_play(of), **{r: e for r, e in other.plays.items() if r != role}})


def _conditioned(of: Candidate, use: _Material) -> Candidate | None:
    """Two policies, by a feature of the turn that some policy of the grammar looks at, or by its phase."""
    other = _main_play(use.stream.choice(use.parents))
    heads = [("when", head) for head in use.tests] + [("phase", head) for head in use.phases]
    if not heads or other == _main_play(of):
        return None
    name, head = use.stream.choice(heads)
    return _with(of, Term(name, (*head, _main_play(of), other)))


def _seldom(of: Candidate, use: _Material) -> Candidate | None:
    """Returns a partner that does its part in some turns only, or in all."""
    partners = list(of.plays)[1:]
    if not partners:
        return None
    stream = use.stream
    role = stream.choice(partners)
    reply = of.plays[role]
    while isinstance(reply, Term) and reply.name in ("partner", "sometimes"):
        reply = reply.args[-1]
    share = stream.choice((1, *_SHARES))
    part = reply if share == 1 else Term("sometimes", (share, reply))
    return of._replace(plays={**of.plays, role: Term("partner", (part,))})


def _counted(of: Candidate, use: _Material) -> Candidate | None:
    """Another whole number: a size, a place, a bound."""
    numbers = [(at, part) for at, part in _places(_main_play(of)) if isinstance(part, int)]
    if not numbers:
        return None
    at, number = use.stream.choice(numbers)
    return _with(of, _put(_main_play(of), at, number + use.stream.choice((-3, -2, -1, 1, 2, 3))))


_CHANGES = (_recoded, _replaced, _wrapped, _crossed, _conditioned, _seldom, _counted)
