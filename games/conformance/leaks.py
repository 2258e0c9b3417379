"""Finds declared secrets of one seat in the texts that another seat is shown.

A secret w of seat A leaks to seat B if, over many matches, B's text at the same turn contains w as a whole word more
often than in matches in which A's secret is different. It counts as a leak if this happens every time, or in many
matches and in no other, and if chance produces it with a probability below one in a million. Matches in which w is
also a secret of B, or was part of an earlier action that B was shown, are ignored. A secret that never changes leaks if
it has at least 8 characters and occurs in B's text but not in the rules. If a secret is a phrase, its words that differ
between matches are searched for too ("45" of "Your cost is 45.").

So "K" in "the cards are J, Q, K" is not a leak, but one more "K" whenever the other seat holds it is.
"""

from __future__ import annotations

import functools
import itertools
import math
import re
from collections import Counter, defaultdict
from collections.abc import Sequence
from dataclasses import dataclass, replace

from games.conformance.report import Finding, excerpt
from games.game import Seat

_WORD = re.compile(r"\w+")
MAX_LOG_CHANCE = math.log(1e-6)
MIN_CONSTANT_LENGTH = 8
"""characters of a secret that never changes"""
MAX_OTHERS = 80
"""matches in which the secret is different"""


@dataclass(frozen=True, slots=True)
class ReaderText:
    """What seat `to` is shown while seat `owner` has secrets."""

    owner: Seat
    to: Seat
    turn: int
    seed: int
    text: str
    secrets: tuple[str, ...]
    reader_secrets: str
    """the secrets of `to`"""
    reader_actions: str
    """the earlier actions that `to` was shown"""


@dataclass(frozen=True, slots=True)
class Evidence:
    """In how many of `cases` texts a secret stands out (`hits`), and the log probability that this is chance."""

    word: str
    example: ReaderText
    hits: int
    cases: int
    log_chance: float
    conclusive: bool = True
    """whether a leak would show: there are matches with another secret, or the word is long enough"""


def leaks(check: str, what: str, rules: str, texts: Sequence[ReaderText]) -> tuple[int, list[Finding]]:
    """Returns how many texts were compared with those of other matches, and a finding for each leaking pair of seats.

    `what` names the kind of text.
    """
    owned: dict[Seat, list[ReaderText]] = defaultdict(list)
    for s in texts:
        owned[s.owner].append(s)
    buckets: dict[tuple[Seat, Seat, int], list[ReaderText]] = defaultdict(list)
    constant: dict[Seat, set[str]] = {}
    for owner, those in owned.items():
        words = set.intersection(*(_words(s.secrets) for s in those))
        constant[owner] = set.intersection(*({*s.secrets} for s in those))
        for s in those:  # the single words that differ between matches are secrets too
            more = replace(s, secrets=(*s.secrets, *sorted(_words(s.secrets) - words - {*s.secrets})))
            buckets[owner, s.to, s.turn].append(more)
    compared, findings = 0, dict[tuple[Seat, Seat], Finding]()
    for (owner, to, _), bucket in sorted(buckets.items(), key=lambda item: item[0]):
        leak, cases = _leak_in(bucket, rules, constant[owner])
        compared += cases
        if leak and (owner, to) not in findings:
            example, word, matches = leak
            near = excerpt(_around(example.text, word))
            findings[owner, to] = Finding(
                check,
                f"{to}'s {what} shows {word!r}, which only {owner} may know (seed {example.seed}, turn "
                f"{example.turn}, in {matches}): {near}",
            )
    return compared, list(findings.values())


def _words(secrets: tuple[str, ...]) -> set[str]:
    return {word for secret in secrets for word in _WORD.findall(secret)}


def _leak_in(
    bucket: Sequence[ReaderText], rules: str, constant: set[str]
) -> tuple[tuple[ReaderText, str, str] | None, int]:
    """Returns the clearest leak from one owner to one reader at one turn (example, secret, how often), and the number
    of texts that were compared."""
    secrets = sorted({w for s in bucket for w in s.secrets})
    together = [e for w in secrets if (e := _evidence(w, bucket, rules, w in constant))]
    compared = max((e.cases for e in together if e.conclusive), default=0)
    for e in together:
        if e.log_chance < MAX_LOG_CHANCE:
            return (e.example, e.word, f"{e.hits} of {e.cases} matches where {e.example.owner} has it"), compared
    hits, cases = sum(e.hits for e in together), sum(e.cases for e in together)
    if cases and hits == cases and sum(e.log_chance for e in together) < MAX_LOG_CHANCE:
        return (together[0].example, together[0].word, f"{hits} of {cases} matches, whatever the secret"), compared
    return None, compared


def _evidence(word: str, bucket: Sequence[ReaderText], rules: str, constant: bool) -> Evidence | None:
    having = [s for s in bucket if word in s.secrets and _unexplained(word, s)]
    if not having:
        return None
    others = list(itertools.islice((s for s in bucket if word not in s.secrets and _unexplained(word, s)), MAX_OTHERS))
    elsewhere = [_times(word, s.text) for s in others]
    base = min(elsewhere, default=0)
    standing_out = [s for s in having if _times(word, s.text) > base]
    n, hits = len(having), len(standing_out)
    example = standing_out[0] if hits else having[0]
    if not others:
        telling = constant and len(word) >= MIN_CONSTANT_LENGTH and not _times(word, rules)
        return Evidence(word, example, hits, n, -math.inf if telling and hits == n else 0.0, telling)
    by_chance = sum(count > base for count in elsewhere)
    chance = (by_chance + 1) / (len(elsewhere) + 2)
    if hits == n:
        return Evidence(word, example, hits, n, n * math.log(chance))
    # In many matches and in no other: one branch of the game leaks.
    if by_chance == 0 and len(elsewhere) >= 30 and hits >= max(8, n / 4):
        return Evidence(word, example, hits, n, math.log(math.comb(n, hits)) + hits * math.log(chance))
    return Evidence(word, example, hits, n, 0.0)


def _unexplained(word: str, s: ReaderText) -> bool:
    """Returns whether the reader can know the word neither from its own secrets nor from earlier actions."""
    return not _times(word, s.reader_secrets) and not _times(word, s.reader_actions)


def _times(word: str, text: str) -> int:
    """Returns how often `text` contains `word` as a whole word or phrase, ignoring case."""
    folded, single = _folded(word)
    if single:
        return _counts(text).get(folded, 0)
    if folded not in text.casefold():
        return 0
    return len(_whole(word).findall(text))


@functools.lru_cache(maxsize=10_000)
def _folded(word: str) -> tuple[str, bool]:
    """Returns the word without case, and whether it is a single word."""
    return word.casefold(), bool(_WORD.fullmatch(word))


@functools.lru_cache(maxsize=10_000)
def _counts(text: str) -> Counter[str]:
    return Counter(_WORD.findall(text.casefold()))


@functools.lru_cache(maxsize=10_000)
def _whole(word: str) -> re.Pattern[str]:
    left = r"(?<!\w)" if re.match(r"\w", word[0]) else ""
    right = r"(?!\w)" if re.match(r"\w", word[-1]) else ""
    return re.compile(left + re.escape(word) + right, re.IGNORECASE)


def _around(text: str, word: str) -> str:
    matches = list(_whole(word).finditer(text))
    at = matches[-1].start() if matches else 0
    return text[max(0, at - 50) : at + 40]
