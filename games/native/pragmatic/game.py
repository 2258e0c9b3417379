"""pragmatic-v1: a speaker shows which strings a regular expression matches, a listener says which expression it is.

After PraX (Vaduguru et al. 2023, arXiv 2311.05740) and program synthesis with pragmatic communication (Pu et al. 2020,
arXiv 2007.05060). README.md says what differs.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Annotated, NamedTuple

from annotated_types import Interval

from games import KnownOutcome
from games.dialogue import Reader, Reading, RoleGame, Script, Stage, Table, letters, read, role_game
from games.game import Seat
from games.native.common import tags
from games.native.pragmatic import texts
from games.native.pragmatic.policies import suite
from games.native.pragmatic.problems import Candidates, problem, renamed, restored
from games.native.pragmatic.regex import SYMBOLS, PatternError, automaton, equal
from games.native.pragmatic.rsa import acts_of, understood
from games.native.pragmatic.texts import LETTERS, LISTENER, SPEAKER
from games.randomness import derive

NAME = "pragmatic-v1"
_WAITING = "Waiting for the other seat."


def _problem(candidates: int, strings: int) -> str:
    few = f"{strings} strings seldom tell {candidates} patterns apart; write strings={(candidates + 1) // 2} or more"
    return few if 2 * strings < candidates else ""


class SeatLists(NamedTuple):
    """The patterns and strings as one seat reads them, with the number of each in the problem."""

    patterns: tuple[str, ...]
    strings: tuple[str, ...]
    pattern_numbers: tuple[int, ...]
    string_numbers: tuple[int, ...]


def _known(game: RoleGame) -> tuple[KnownOutcome, ...]:
    """Returns matches in which the target is named after the first string, and not named."""
    data, show = game.data(SPEAKER), {SPEAKER: game.examples(SPEAKER)[0]}
    acts = acts_of(data["patterns"], data["strings"])
    share = understood(acts, ((0, acts.table[0][data["target"]]),), (), data["target"])
    right = {LISTENER: f"<answer>{game.facts()['target_as_heard']}</answer>"}
    plays = ((right, share), ({LISTENER: "I do not know"}, 0.0))
    return tuple(KnownOutcome(0, (show, name), {SPEAKER: paid, LISTENER: paid}) for name, paid in plays)


@role_game(
    NAME,
    seats={SPEAKER: SPEAKER, LISTENER: LISTENER},
    payoff="cooperative",
    rules=texts.rules,
    max_turns=lambda turns: 2 * turns,
    returns_range=(0.0, 1.0),
    teams=((SPEAKER, LISTENER),),
    rated=False,
    demonstrations=texts.DEMONSTRATIONS,
    closed=True,
    problem=_problem,
    suite=lambda closed: suite(closed),
    known=_known,
)
def pragmatic(
    t: Table,
    candidates: Annotated[int, Interval(ge=2, le=12)] = 6,
    strings: Annotated[int, Interval(ge=3, le=20)] = 4,
    turns: Annotated[int, Interval(ge=1, le=5)] = 1,
    cost: Annotated[float, Interval(ge=0, le=1)] = 0.5,
    problems: Annotated[int, Interval(ge=0, le=100_000)] = 0,
) -> Script:
    """A speaker shows a regular expression by strings, a listener names it (PraX, 2311.05740; 2007.05060).

    candidates: patterns to choose from. strings: examples to choose from. turns: examples at most; one that is none
    costs a turn. cost: what each further example costs both. closed: the seats choose from lists. problems: so many
    different sets of candidates, for models too small for more; 0: one for each seed.

    Both are paid the chance that a held-out listener, the exact L1 of the Rational Speech Acts model, would also have
    named the target: an agreement between speaker and listener is worth nothing to it.
    """
    number = derive(t.seed, NAME, "problem") % (problems or 1 << 64)
    drawn = problem(derive(number, NAME, "drawn"), candidates, strings)
    target = t.stream.below(candidates)
    orders = [(t.stream.shuffled(range(candidates)), t.stream.shuffled(range(strings))) for _ in (SPEAKER, LISTENER)]
    symbols = "".join(t.stream.shuffled(SYMBOLS))
    lists = {
        SPEAKER: _lists(*orders[0], drawn.patterns, drawn.strings, SYMBOLS),
        LISTENER: _lists(*orders[1], drawn.patterns, drawn.heard, symbols),
    }
    _deal(t, lists, target)
    t.facts |= {"target": drawn.patterns[target], "patterns": list(drawn.patterns), "examples": [], "guesses": []}
    t.facts["target_as_heard"] = renamed(drawn.patterns[target], symbols)
    examples: list[int | None] = []
    for turn in range(turns):
        named = yield from _turn(t, lists, drawn, symbols, target, examples)
        if named:
            heard = t.record.data[SPEAKER]
            acts = acts_of(heard["patterns"], heard["strings"])
            share = understood(acts, heard["used"], heard["wrong"], heard["target"])
            _pay(t, max(0.0, 1.0 - cost * turn), share)
            return
    _pay(t, 0.0, None)


def _turn(
    t: Table, lists: Mapping[Seat, SeatLists], drawn: Candidates, symbols: str, target: int, examples: list[int | None]
) -> Stage[bool]:
    """Asks for an example, which is added to `examples`, and for a name; returns whether that is the target's."""
    listed, numbers = lists[SPEAKER].strings, lists[SPEAKER].string_numbers
    fresh = tuple(s for i, s in zip(numbers, listed, strict=True) if i not in examples)
    example = yield t.ask(
        SPEAKER, texts.DUTY["show"], phase="show", reads=_string(drawn.strings, examples),
        examples=fresh if t.closed else (*(f"<answer>{s}</answer>" for s in listed), *texts.NO_STRINGS),
        waiting=_WAITING,
    )  # fmt: skip
    examples.append(example)
    matches = example is not None and automaton(drawn.patterns[target]).matches(drawn.strings[example])
    _show(t, lists, len(examples), example, matches)
    candidates = len(drawn.patterns)
    guess = yield t.ask(
        LISTENER, texts.DUTY["name"], phase="name", reads=_pattern(lists[LISTENER], drawn.patterns, symbols),
        examples=tuple(LETTERS[:candidates]) if t.closed else texts.GUESSES,
        waiting=_WAITING,
    )  # fmt: skip
    _name(t, lists, guess, guess == target)
    t.facts["examples"].append(None if example is None else drawn.strings[example])
    t.facts["guesses"].append(None if guess is None else drawn.patterns[guess])
    return bool(guess == target)


def _lists(
    pattern_numbers: Sequence[int],
    string_numbers: Sequence[int],
    patterns: Sequence[str],
    strings: Sequence[str],
    symbols: str,
) -> SeatLists:
    """Returns what a seat reads, in its own order and symbols."""
    return SeatLists(
        tuple(renamed(patterns[p], symbols) for p in pattern_numbers),
        tuple(renamed(strings[s], symbols) for s in string_numbers),
        tuple(pattern_numbers),
        tuple(string_numbers),
    )


def _deal(t: Table, lists: Mapping[Seat, SeatLists], target: int) -> None:
    """Tells each seat its lists, and the speaker its pattern."""
    for seat, of in lists.items():
        named = ", ".join(f"{letter}: {pattern}" for letter, pattern in zip(LETTERS, of.patterns, strict=False))
        t.tell(seat, f"Patterns: {named}", patterns=of.patterns, strings=of.strings, used=(), wrong=())
        t.tell(seat, f"Strings: {', '.join(of.strings)}")
    at = lists[SPEAKER].pattern_numbers.index(target)
    line = f"The pattern to show is {LETTERS[at]}: {lists[SPEAKER].patterns[at]}"
    t.tell(SPEAKER, line, secret=True, target=at)


def _show(t: Table, lists: Mapping[Seat, SeatLists], number: int, example: int | None, sign: bool) -> None:
    """Tells both seats an example, each in its own string."""
    if example is None:
        t.tell("all", f"Example {number}: none")
        return
    for seat, of in lists.items():
        at = of.string_numbers.index(example)
        used = (*t.record.data[seat]["used"], (at, sign))
        verb = "matches" if sign else "does not match"
        t.tell(seat, f"Example {number}: the pattern {verb} {of.strings[at]}", used=used)


def _name(t: Table, lists: Mapping[Seat, SeatLists], guess: int | None, right: bool) -> None:
    """Tells both seats which pattern the listener names, each by its own letter."""
    if guess is None:
        t.tell("all", "The listener names no pattern.")
        return
    for seat, of in lists.items():
        at = of.pattern_numbers.index(guess)
        wrong = t.record.data[seat]["wrong"] + (() if right else (at,))
        verdict = "right" if right else "wrong"
        t.tell(seat, f"The listener names {LETTERS[at]}, which is {verdict}.", wrong=wrong)


def _pay(t: Table, value: float, share: float | None) -> None:
    """Pays both seats. `share`: the chance that the held-out listener is right too; None: the listener was not."""
    paid = value * (share or 0.0)
    for seat in t.seats:
        t.pay(seat, paid)
        t.outcome(seat, right=float(paid > 0))
    t.facts |= {"solved": share is not None, "understood": share}
    t.end(f"both are paid {paid:.2f}")


def _string(strings: Sequence[str], used: Sequence[int | None]) -> Reader:
    """Returns a reader of the number of a string that was not given before."""

    def reader(text: str) -> int | Reading:
        string = text if text in strings else (tags.answer(text)[0].content or "").strip(" \"'`.+-")
        if string in strings and strings.index(string) not in used:
            return strings.index(string)
        return Reading(None, "not a new string of the list")

    return reader


def _pattern(lists: SeatLists, patterns: Sequence[str], symbols: str) -> Reader:
    """Returns a reader of the number of a pattern: by its letter, or by a pattern of the same language."""
    kind = letters(LETTERS[: len(patterns)])

    def reader(text: str) -> int | Reading:
        answer = read(text, kind)
        if answer.value is not None:
            return lists.pattern_numbers[LETTERS.index(answer.value)]
        written = tags.read(text, "answer").text
        try:
            same = [i for i, p in enumerate(patterns) if written and equal(p, restored(written, symbols))]
        except PatternError:
            same = []
        return same[0] if same else Reading(None, answer.reason)

    return reader
