r"""The roles of conjecture, credited as in STP or as in its successor SGS.

STP: Dong and Ma 2025, arXiv 2502.00212. SGS: Bailey et al. 2026, arXiv 2604.20209. Both filter their training data; a
filtered match has the reward 0 here.
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Mapping, Sequence
from typing import Annotated, Any, Literal

from annotated_types import Interval

from games import Observation
from games.dialogue.answers import final
from games.proofs import formula
from games.proofs.theory import LEMMA, propositional
from games.tasks.canonical import canonical_of
from roles.native.tagged import TaggedRole
from roles.parsing import parse
from roles.privacy import own_words, visible
from roles.reward_kind import verdict
from roles.rewards import difficulty
from roles.rewards.credit import EpisodeWithFacts, from_batch, task_set, with_facts
from roles.role import Role
from roles.types import ChatMessage, Memory, ParseError, Scored

_EMPHASIS = " *_$`."
_LINES = 40
"""the number of last lines in which a formula or a proof is looked for"""
Scheme = Literal["stp", "sgs", "plain"]
Share = Annotated[float, Interval(ge=0, le=1)]
_PLAIN = 0.2
"""the share of the conjectures of a lemma that STP drops: those with the lowest ratio of proof to statement length"""
_EASY = 0.5  # a proof is not trained on if more than this share of the provers prove the statement
_LEMMA_SHARE = 0.1
"""the largest share of a batch that is paid for one lemma (STP)"""
_WAY_SHARE = 0.01
"""the largest share that is paid for statements that follow from drawn lemmas in one way"""
_LENGTH = 0.001  # STP's discount of a proof per character


class _LogicRole(TaggedRole):
    form = "Reply only with what you are asked for: a formula, or the labels of a proof."

    def __init__(self, scheme: Scheme) -> None:
        super().__init__()
        self.scheme = scheme

    def messages(self, observation: Observation, legal: tuple[str, ...] | None, memory: Memory) -> list[ChatMessage]:
        """Returns the chat of a tagged role for free text, of the generic role for listed actions."""
        if legal is not None:
            return Role.messages(self, observation, legal, memory)
        return super().messages(observation, legal, memory)

    def parse(self, text: str, legal: tuple[str, ...] | None) -> str:
        """Returns the explicit answer, else the last line that is a formula or a proof, else the last line.

        Without any, it is the visible text, which the game records as invalid.
        """
        if legal is None:
            own = own_words(text).text
            candidates = [final(own).value or "", *own.splitlines()[: -_LINES - 1 : -1]]
            if found := next((line for line in (c.strip(_EMPHASIS) for c in candidates) if self._fits(line)), ""):
                return found
        try:
            return parse(text, legal).strip(_EMPHASIS)
        except ParseError:
            if legal is not None:
                raise
            return visible(own_words(text).text)[-1000:]

    def _fits(self, text: str) -> bool:
        """Returns whether a text is what the role writes."""
        return False


class Conjecturer(_LogicRole):
    """Credited by one of three schemes. A false statement earns 0 minus `false`.

    With scheme=plain it is the return. With stp it is 1 if `above` < p < the game's threshold and the statement is new,
    uses the lemma and is elegant. With sgs it is (1 - p) * guide if p > 0 and p is in the lowest 70% of the batch,
    scaled to [0, 1] over the batch.

    Where redundant statements earn nothing, stp also pays nothing for one, for a repetition of an earlier one of the
    batch up to the names of its letters, and for more than a tenth of the batch with the same lemma (STP's cap), or, if
    each match draws its lemma, for more than a hundredth that follow from it by the same labels.

    scheme: plain, stp or sgs.
    above: for stp; 0 in the paper. In a closed game a guess is a proof at the rate 1 / (number of proofs to choose
        from), so that without it a statement that nobody understands pays.
    """

    name = "conjecturer"

    def __init__(self, scheme: Scheme = "stp", false: Share = 0.0, above: Share = 0.0) -> None:
        super().__init__(scheme)
        self.false, self.above = float(false), float(above)
        self.hardest = difficulty.percentile()
        self.reward_kind = verdict(0.5)

    def credit_batch(self, episodes: Sequence[Scored]) -> Sequence[Mapping[str, float]] | None:
        """Returns the rewards of the matches in which the conjecturer stated something."""
        if self.scheme == "plain":
            return None
        return from_batch(episodes, self.name, _stated, self._sgs if self.scheme == "sgs" else self._stp)

    def phases(self, episode: Scored, seat: str) -> Mapping[str, float] | None:
        """{} if the statement came from a pool."""
        return {} if with_facts(episode).facts.get("pooled") else None

    def _fits(self, text: str) -> bool:
        try:
            formula.parse(text)
        except formula.NotAFormula:
            return False
        return True

    def _stp(self, episodes: Sequence[EpisodeWithFacts]) -> list[float]:
        facts = [e.facts for e in episodes]
        rewards = [
            0.0 if self._refused(f) else difficulty.barely(f["threshold"], self.above)(f["solve_rate"]) for f in facts
        ]
        for i in inelegant(facts, [r > 0 for r in rewards], _PLAIN):
            rewards[i] = 0.0
        for i in repeated(facts, [r > 0 for r in rewards]):
            rewards[i] = 0.0
        return self._minus_costs(rewards, facts)

    def _sgs(self, episodes: Sequence[EpisodeWithFacts]) -> list[float]:
        facts = [e.facts for e in episodes]
        rates = [f["solve_rate"] for f in facts if f["solve_rate"] is not None]
        raw = [self.hardest(f["solve_rate"], rates) * sgs_guide(**f["guide"]) if f["guide"] else 0.0 for f in facts]
        return self._minus_costs(min_max(raw), facts)

    def _refused(self, facts: Mapping[str, Any]) -> bool:
        if facts["verdict"] != "pass" or facts["known"] or not facts["uses_lemma"]:
            return True
        return bool(facts.get("strict") and facts["guide"]["redundancy"])

    def _minus_costs(self, rewards: Sequence[float], facts: Sequence[Mapping[str, Any]]) -> list[float]:
        return [r - self.false * (f["verdict"] == "fail") for r, f in zip(rewards, facts, strict=True)]


class Prover(_LogicRole):
    """Credited for each proof: of the conjecture in phase `prove`, of the target in phase `target`.

    plain: 1 for a proof. stp and sgs pay 0 if more than half of the provers prove the statement. Otherwise sgs pays 1,
    and stp pays exp(-0.001 * characters) / the number of proofs. STP also discounts the seconds of checking, which are
    left out: our kernel takes milliseconds, and a reward must not depend on the clock.

    scheme: plain, stp or sgs.
    """

    name = "prover"
    reward_kind = verdict(0.0)

    def __init__(self, scheme: Scheme = "plain") -> None:
        super().__init__(scheme)

    def phases(self, episode: Scored, seat: str) -> Mapping[str, float] | None:
        """Returns the reward of each phase in which the seat acted."""
        facts = with_facts(episode).facts
        parts = {"prove": facts.get("attempts"), "target": facts.get("target_attempts")}
        return {phase: self._reward(tried, seat) for phase, tried in parts.items() if tried} or None

    def task(self, episode: Scored, seat: str, phase: str = "") -> str:
        """Returns the statement to prove in a phase; the target comes from the seed."""
        return task_set(episode) if phase == "prove" else ""

    def _fits(self, text: str) -> bool:
        labels = text.replace(",", " ").split()
        return bool(labels) and all(label in propositional().rules or label == LEMMA for label in labels)

    def _reward(self, tried: Mapping[str, Mapping[str, Any]], seat: str) -> float:
        proved = [name for name, attempt in tried.items() if attempt["kind"] == "pass"]
        if seat not in proved:
            return 0.0
        if self.scheme == "plain":
            return 1.0
        if len(proved) > _EASY * len(tried):
            return 0.0
        return math.exp(-_LENGTH * len(tried[seat]["proof"])) / len(proved) if self.scheme == "stp" else 1.0


def inelegant(facts: Sequence[Mapping[str, Any]], kept: Sequence[bool], share: float) -> list[int]:
    """Returns the indices of the kept conjectures that STP's elegance filter drops: for each lemma the lowest `share`.

    They are ordered by the length of the shortest proof over the length of the statement, so long statements with a
    trivial proof are dropped. The number is rounded down.
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


def repeated(facts: Sequence[Mapping[str, Any]], kept: Sequence[bool]) -> list[int]:
    """Returns the indices of the kept conjectures that repeat an earlier one, or exceed the cap of a lemma.

    If each match draws its lemma, the cap holds for those that follow from it by the same labels.
    """
    cap = _WAY_SHARE if any("derivation" in fact for fact in facts) else _LEMMA_SHARE
    most = math.ceil(cap * len(facts))
    seen: set[str] = set()
    used: Counter[str] = Counter()
    out = []
    for i, fact in enumerate(facts):
        if not kept[i] or not fact.get("strict"):
            continue
        statement, way = canonical_of(fact), fact.get("derivation", fact["lemma"])
        if statement in seen or (way and used[way] >= most):
            out.append(i)
        else:
            seen.add(statement)
            used[way] += 1
    return out


def sgs_guide(relevance: int, redundancy: int, complexity: int) -> float:
    """Returns the quality of a conjecture, 0 to 8: relevance (0 to 5), redundancy (0 or 1), complexity (0 to 4).

    0 if the complexity is 3 or 4, else max(0, relevance + (2 - complexity) + (1 - redundancy)).
    SGS (Bailey et al. 2026, arXiv 2604.20209). Raises ValueError for a score outside its range.
    """
    for name, score, most in (
        ("relevance", relevance, 5),
        ("redundancy", redundancy, 1),
        ("complexity", complexity, 4),
    ):
        if not 0 <= score <= most:
            raise ValueError(f"{name} must be a score from 0 to {most}, not {score!r}")
    if complexity >= 3:
        return 0.0
    return float(max(0, relevance + (2 - complexity) + (1 - redundancy)))


def min_max(rewards: Sequence[float]) -> list[float]:
    """Returns the rewards of a batch scaled to [0, 1] by their minimum and maximum (SGS); all 0 if they are equal."""
    low, high = min(rewards, default=0.0), max(rewards, default=0.0)
    if not high > low:
        return [0.0] * len(rewards)
    return [(r - low) / (high - low) for r in rewards]


def _stated(episode: EpisodeWithFacts) -> bool:
    return "target_attempts" in episode.facts and not episode.facts["pooled"]
