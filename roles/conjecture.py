r"""Who states and who proves in conjecture-v0, credited as in STP or as in its successor SGS.

STP: Dong and Ma 2025, arXiv 2502.00212. SGS: Bailey et al. 2026, arXiv 2604.20209. Both filter what is trained on; here
what is filtered out is a reward of 0.
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Mapping, Sequence
from typing import Any

from games import InputError, Observation
from roles import difficulty as table
from roles.credit import Told, from_batch, told
from roles.guides import guided, min_max, sgs_guide
from roles.parsing import parse
from roles.privacy import own_words, visible
from roles.role import ChatMessage, Memory, ParseError, Role, Scored
from roles.tagged import Tagged
from roles.transport import likeness, matched

SCHEMES = ("stp", "sgs", "plain")
_EASY = 0.5  # the rate above which a proof of a statement is not trained on
_LENGTH, _SECONDS = 0.001, 0.01  # what STP's weight of a proof takes off for each character and for each second


class _Stated(Tagged):
    form = "Your whole reply is what you are asked for, a formula or the labels of a proof, and nothing else."

    def __init__(self, scheme: str) -> None:
        super().__init__()
        if scheme not in SCHEMES:
            raise InputError(f"{self.name}: scheme is one of {', '.join(SCHEMES)}, not {scheme!r}")
        self.scheme = scheme

    def messages(self, observation: Observation, legal: tuple[str, ...] | None, memory: Memory) -> list[ChatMessage]:
        """As for tags where any text may do: the same prompt for all provers, demonstrations first."""
        if legal is not None:
            return Role.messages(self, observation, legal, memory)
        return super().messages(observation, legal, memory)

    def parse(self, text: str, legal: tuple[str, ...] | None) -> str:
        """The boxed (or otherwise marked) answer; a text without one goes to the game as it is, which records it."""
        try:
            return parse(text, legal)
        except ParseError:
            if legal is not None:
                raise
            return visible(own_words(text).text)[-1000:]


class Conjecturer(_Stated):
    """stp: 1 where 0 < p < `tau` (0: the game's threshold), with the lemma, new, not inelegant. plain: the return.

    Inelegant: of the conjectures kept for one lemma, the share `plain` with the lowest ratio of the shortest proof's
    length to the statement's. `matching` (0: none; STP: 4): what is kept is weighed by the unproved targets it stands
    for, at most so many times the even share; copies of one statement share its weight. sgs: (1 - p) * guide
    where p > 0 and p is in the lowest `share` of the batch, brought to [0, 1] over the batch. A statement that is false
    or cannot be read earns 0, less `false` or `unreadable`.
    """

    name = "conjecturer"

    def __init__(
        self,
        scheme: str = "stp",
        tau: float = 0.0,
        plain: float = 0.2,
        share: float = 0.7,
        false: float = 0.0,
        unreadable: float = 0.0,
        matching: float = 0.0,
    ) -> None:
        super().__init__(scheme)
        if isinstance(matching, bool) or not isinstance(matching, int | float) or 0 != matching < 1:
            raise InputError(f"{self.name}: matching is 0 or a bound from 1 on, not {matching!r}")
        self.matching = float(matching)
        given = {"tau": tau, "plain": plain, "share": share, "false": false, "unreadable": unreadable}
        for name, value in given.items():
            if isinstance(value, bool) or not isinstance(value, int | float) or not 0 <= value <= 1:
                raise InputError(f"{self.name}: {name} is a number from 0 to 1, not {value!r}")
        self.tau = float(tau)
        self.hardest = table.make(f"percentile(share={float(share)})")
        self.plain = float(plain)
        self.costs = {"fail": float(false), "invalid": float(unreadable)}

    def credit_batch(self, episodes: Sequence[Scored]) -> Sequence[Mapping[str, float]] | None:
        """The rewards of the batch, of the matches in which the conjecturer stated something."""
        if self.scheme == "plain":
            return None
        return from_batch(episodes, self.name, _stated, self._sgs if self.scheme == "sgs" else self._stp)

    def phases(self, episode: Scored, seat: str) -> Mapping[str, float] | None:
        """Nothing where the statement came from a pool."""
        return {} if told(episode).facts.get("pooled") else None

    def _stp(self, episodes: Sequence[Told]) -> list[float]:
        facts = [e.facts for e in episodes]
        rewards = [
            0.0 if self._refused(f) else table.barely(self.tau or f["threshold"])(f["solve_rate"]) for f in facts
        ]
        for i in inelegant(facts, [r > 0 for r in rewards], self.plain):
            rewards[i] = 0.0
        if self.matching:
            rewards = weighed(facts, rewards, self.matching)
        return self._less(rewards, facts)

    def _sgs(self, episodes: Sequence[Told]) -> list[float]:
        facts = [e.facts for e in episodes]
        rates = [f["solve_rate"] for f in facts if f["solve_rate"] is not None]
        raw = [
            guided(self.hardest(f["solve_rate"], rates), sgs_guide(**f["guide"])) if f["guide"] else 0.0 for f in facts
        ]
        return self._less(min_max(raw), facts)

    def _refused(self, facts: Mapping[str, Any]) -> bool:
        return facts["verdict"] != "pass" or facts["known"] or not facts["uses_lemma"]

    def _less(self, rewards: Sequence[float], facts: Sequence[Mapping[str, Any]]) -> list[float]:
        return [r - self.costs.get(f["verdict"], 0.0) for r, f in zip(rewards, facts, strict=True)]


class Prover(_Stated):
    """Credited for each thing it was asked to prove: the conjecture in phase `prove`, the target in phase `target`.

    plain: 1 for a proof. stp and sgs train on nothing that more than half of the provers prove, which earns 0 here; sgs
    counts a proof 1, stp exp(-0.001 * characters - 0.01 * seconds) / the number of proofs of the same statement.
    The seconds are left out: our kernel takes milliseconds, and a reward must not depend on the clock.
    """

    name = "prover"

    def __init__(self, scheme: str = "plain") -> None:
        super().__init__(scheme)

    def phases(self, episode: Scored, seat: str) -> Mapping[str, float] | None:
        """The reward of each phase the seat took part in."""
        facts = told(episode).facts
        parts = {"prove": facts.get("attempts"), "target": facts.get("target_attempts")}
        return {phase: self._reward(tried, seat) for phase, tried in parts.items() if tried} or None

    def _reward(self, tried: Mapping[str, Mapping[str, Any]], seat: str) -> float:
        proved = [name for name, attempt in tried.items() if attempt["kind"] == "pass"]
        if seat not in proved:
            return 0.0
        if self.scheme == "plain":
            return 1.0
        if len(proved) > _EASY * len(tried):
            return 0.0
        return stp_weight(len(tried[seat]["proof"]), 0.0, len(proved)) if self.scheme == "stp" else 1.0


def stp_weight(characters: int, seconds: float, proofs: int) -> float:
    """The weight of a correct proof in STP: exp(-0.001 * characters - 0.01 * seconds) / proofs of the statement."""
    return math.exp(-_LENGTH * characters - _SECONDS * seconds) / proofs


def inelegant(facts: Sequence[Mapping[str, Any]], kept: Sequence[bool], share: float) -> list[int]:
    """Which of the kept conjectures STP's elegance filter drops: of each lemma's, the `share` of lowest ratio.

    The ratio is the length of the shortest proof over the length of the statement: long statements with a proof of a
    word go. The number dropped is rounded down.
    """
    groups: dict[str, list[int]] = {}
    for i, fact in enumerate(facts):
        if kept[i]:
            groups.setdefault(fact["lemma"], []).append(i)
    out = []
    for group in groups.values():
        group.sort(key=lambda i: (facts[i]["elegance"], i))
        out += group[: int(share * len(group))]
    return out


def weighed(facts: Sequence[Mapping[str, Any]], rewards: Sequence[float], most: float) -> list[float]:
    """Rewards times STP's weight of their statement, by the targets of the batch that nobody proved; see `matched`."""
    proved = {f["target"] for f in facts if f["target_rate"]}
    targets = [target for target in dict.fromkeys(f["target"] for f in facts) if target not in proved]
    kept = Counter(f["task"] for f, reward in zip(facts, rewards, strict=True) if reward > 0)
    if not targets or not kept:
        return list(rewards)
    worth = dict(
        zip(kept, matched([[likeness(target, task) for task in kept] for target in targets], most), strict=True)
    )
    return [r * worth[f["task"]] / kept[f["task"]] if r > 0 else r for f, r in zip(facts, rewards, strict=True)]


def _stated(episode: Told) -> bool:
    return "target_attempts" in episode.facts and not episode.facts["pooled"]
