"""Does any seat see what only another may know?

Two methods. Where OpenSpiel says what a seat may know (its information state), positions that this seat must not
tell apart must show it one and the same text: exact, without further declarations. Otherwise the texts a game
declares in `secrets(seat)` are looked for in what the other seats are shown, with this rule:

  A secret w of seat A is leaked to seat B when, over many matches, B's text at the same turn contains w as a
  whole word more often than in matches where A's secret is something else: every time, or often where it never
  does so otherwise, and so clearly that chance would do it less than once in a million times. Matches are left
  out where w is also B's own secret or was said in an action before. A secret that is the same in every match is
  leaked when it has at least 8 characters, stands in B's text and not in the rules. Where a secret is a phrase,
  its words that differ from match to match are looked for as well ("45" of "Your cost is 45.").

So "K" in "the cards are J, Q, K" is no leak, and one more "K" whenever the other seat holds it is one.
"""

from __future__ import annotations

import functools
import itertools
import math
import re
from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from typing import Any

from games.conformance.play import Trace
from games.conformance.report import Check, Finding, excerpt
from games.conformance.subject import Subject
from games.game import Seat

_WORD = re.compile(r"\w+")
CHANCE = math.log(1e-6)
TURNS = 12
UNIQUE = 8
INFO_MATCHES = 120
OTHERS = 80
TEXTS = 100_000  # about 25 s; where many seats read each other's, fewer matches do: 22 of hold'em took three minutes


@dataclass(frozen=True, slots=True)
class Shown:
    """What seat `to` is shown while seat `owner` has secrets."""

    owner: Seat
    to: Seat
    turn: int
    seed: int
    text: str
    secrets: tuple[str, ...]
    own: str
    """the secrets of `to` itself"""
    said: str


def secrets(subject: Subject) -> Iterator[Finding | Check]:
    """No observation shows another seat's secret."""
    seats = len(subject.spec.seats)
    most = max(20, TEXTS // max(1, seats * (seats - 1) * TURNS))
    shown = [s for trace in subject.traces[:most] for s in _shown_in(trace)]
    yield from _leaks("secrets", "observation", shown, subject.spec.rules)
    cases, found = _compare_with_reference(subject.traces)
    yield from found
    if not shown and not cases and not _open_by_openspiel(subject):
        yield Finding("secrets", "no secrets(seat) declared: nothing hidden, or not verifiable", "note")
    yield Check("secrets", len(shown) + cases, "texts")


def infos(subject: Subject) -> Iterator[Finding | Check]:
    """No info of the AEC environment, action masks included, shows another seat's secret."""
    shown: list[Shown] = []
    for trace in subject.traces[:INFO_MATCHES]:
        if subject.late:
            break
        shown += _infos_of(subject, trace)
    yield from _leaks("infos", "info", shown, subject.spec.rules)
    yield Check("infos", len(shown), "infos")


def _open_by_openspiel(subject: Subject) -> bool:
    """Whether OpenSpiel says that the game hides nothing."""
    if len(subject.spec.seats) == 1:
        return True
    game = subject.fresh()
    game.reset(subject.seed)
    state: Any = game.openspiel_state()
    if state is None:
        return False
    kind = state.get_game().get_type()
    return bool(kind.information == kind.Information.PERFECT_INFORMATION)


def _shown_in(trace: Trace) -> Iterator[Shown]:
    for position in trace.positions[:TURNS]:
        for owner, words in position.secrets.items():
            if not words:
                continue
            for to, text in position.texts.items():
                if to != owner:
                    own = "\n".join(position.secrets[to])
                    yield Shown(owner, to, position.turn, trace.seed, text, words, own, trace.said(position.turn))


def _infos_of(subject: Subject, trace: Trace) -> list[Shown]:
    """Infos of every agent at every step of a match, replayed through the environment."""
    game = subject.fresh()
    env = subject.aec(game)
    shown: list[Shown] = []
    env.reset(seed=trace.seed)
    said = ""
    for turn, move in enumerate(trace.moves[:TURNS]):
        secrets = {seat: tuple(s for s in game.secrets(seat) if s.strip()) for seat in subject.spec.seats}
        for owner, words in secrets.items():
            for to in env.agents if words else ():
                if to != owner:
                    own = "\n".join(secrets[to])
                    shown.append(Shown(owner, to, turn, trace.seed, repr(env.infos[to]), words, own, said))
        for seat in trace.positions[turn].acting:
            env.step(move[seat])
        said += "\n" + "\n".join(move.values())
    return shown


def _leaks(check: str, what: str, shown: Sequence[Shown], rules: str) -> Iterator[Finding]:
    buckets: dict[tuple[Seat, Seat, int], list[Shown]] = defaultdict(list)
    for s in _with_words(shown):
        buckets[s.owner, s.to, s.turn].append(s)
    reported = set()
    for (owner, to, _), bucket in sorted(buckets.items(), key=lambda item: item[0]):
        found = (owner, to) not in reported and _leak_in(bucket, rules)
        if found:
            reported.add((owner, to))
            example, word, matches = found
            near = excerpt(_around(example.text, word))
            yield Finding(
                check,
                f"{to}'s {what} shows {word!r}, which only {owner} may know (seed {example.seed}, turn "
                f"{example.turn}, in {matches}): {near}",
            )


def _with_words(shown: Sequence[Shown]) -> Iterator[Shown]:
    """The same with the words of each seat's secrets that are not in all of its secrets."""
    texts: dict[Seat, set[tuple[str, ...]]] = defaultdict(set)
    for s in shown:
        texts[s.owner].add(s.secrets)
    constant = {seat: set.intersection(*map(_words, found)) for seat, found in texts.items()}
    for s in shown:
        yield replace(s, secrets=(*s.secrets, *sorted(_words(s.secrets) - constant[s.owner] - {*s.secrets})))


def _words(secrets: tuple[str, ...]) -> set[str]:
    return {word for secret in secrets for word in _WORD.findall(secret)}


def _leak_in(bucket: Sequence[Shown], rules: str) -> tuple[Shown, str, str] | None:
    """The clearest leak among texts of one owner, one reader and one turn: example, secret, how often."""
    together = []
    for word in sorted({word for s in bucket for word in s.secrets}):
        found = _evidence(word, bucket, rules)
        if found is None:
            continue
        if found.log_chance < CHANCE:
            return found.example, word, f"{found.hits} of {found.cases} matches where {found.example.owner} has it"
        together.append(found)
    hits, cases = sum(f.hits for f in together), sum(f.cases for f in together)
    if cases and hits == cases and sum(f.log_chance for f in together) < CHANCE:
        return together[0].example, together[0].word, f"{hits} of {cases} matches, whatever the secret"
    return None


@dataclass(frozen=True, slots=True)
class Evidence:
    """How often one secret stood out in the texts of a reader, and the log probability that it is chance."""

    word: str
    example: Shown
    hits: int
    cases: int
    log_chance: float


def _evidence(word: str, bucket: Sequence[Shown], rules: str) -> Evidence | None:
    having = [s for s in bucket if word in s.secrets and _only_told(word, s)]
    if not having:
        return None
    others = list(itertools.islice((s for s in bucket if word not in s.secrets and _only_told(word, s)), OTHERS))
    elsewhere = [_times(word, s.text) for s in others]
    base = min(elsewhere, default=0)
    standing_out = [s for s in having if _times(word, s.text) > base]
    n, hits = len(having), len(standing_out)
    example = standing_out[0] if hits else having[0]
    if not others:
        certain = hits == n and len(word) >= UNIQUE and not _times(word, rules)
        return Evidence(word, example, hits, n, -math.inf if certain else 0.0)
    by_chance = sum(count > base for count in elsewhere)
    chance = (by_chance + 1) / (len(elsewhere) + 2)
    if hits == n:
        return Evidence(word, example, hits, n, n * math.log(chance))
    # Not always, but often, and in no other match: a leak of some branch of the game.
    if by_chance == 0 and len(elsewhere) >= 30 and hits >= max(8, n / 4):
        return Evidence(word, example, hits, n, math.log(math.comb(n, hits)) + hits * math.log(chance))
    return Evidence(word, example, hits, n, 0.0)


def _only_told(word: str, s: Shown) -> bool:
    """Whether the reader cannot have the word from its own secrets or from what was said."""
    return not _times(word, s.own) and not _times(word, s.said)


def _compare_with_reference(traces: Iterable[Trace]) -> tuple[int, list[Finding]]:
    """Positions that a seat must not tell apart show it one text. Who acts is public: strings often leave it out."""
    first: dict[tuple[Seat, str, tuple[Seat, ...]], tuple[str, int, int]] = {}
    findings = []
    reported = set()
    cases = 0
    for trace in traces:
        for position in trace.positions:
            for seat, known in position.reference.items():
                cases += 1
                text = position.texts[seat]
                before, seed, turn = first.setdefault((seat, known, position.acting), (text, trace.seed, position.turn))
                if text != before and seat not in reported:
                    reported.add(seat)
                    at = next((i for i, (x, y) in enumerate(zip(text, before, strict=False)) if x != y), 0)
                    a, b = excerpt(before[max(0, at - 30) : at + 60]), excerpt(text[max(0, at - 30) : at + 60])
                    findings.append(
                        Finding(
                            "secrets",
                            f"{seat} is shown more than it may know: {a} (seed {seed}, turn {turn}) and {b} (seed "
                            f"{trace.seed}, turn {position.turn}) have one information state {excerpt(known, 40)}",
                        )
                    )
    return cases, findings


def _times(word: str, text: str) -> int:
    """How often `text` holds `word` as a whole word or phrase, whatever the case."""
    if _WORD.fullmatch(word):
        return _counts(text).get(word.casefold(), 0)
    if word.casefold() not in text.casefold():
        return 0
    return len(_whole(word).findall(text))


@functools.lru_cache(maxsize=10_000)
def _counts(text: str) -> Counter[str]:
    return Counter(_WORD.findall(text.casefold()))


@functools.lru_cache(maxsize=10_000)
def _whole(word: str) -> re.Pattern[str]:
    left = r"(?<!\w)" if re.match(r"\w", word[0]) else ""
    right = r"(?!\w)" if re.match(r"\w", word[-1]) else ""
    return re.compile(left + re.escape(word) + right, re.IGNORECASE)


def _around(text: str, word: str) -> str:
    found = list(_whole(word).finditer(text))
    at = found[-1].start() if found else 0
    return text[max(0, at - 50) : at + 40]
