"""Dynamic sampling (DAPO, arXiv 2503.14476, section 3.2): a step is filled with matches that can teach something.

Answers to one task that all earn the same have no advantage over each other. Their matches are not counted, and further
matches are played in their place, for a limited number of rounds.
"""

from __future__ import annotations

from collections.abc import Sequence

from arena.learner import Credit


def informative(credits: Sequence[Credit]) -> set[str]:
    """The ids of the matches with a credit that differs from another of its group, or that is alone in its group."""
    groups: dict[tuple[str, ...], list[Credit]] = {}
    for credit in credits:
        groups.setdefault(credit.group_key, []).append(credit)
    return {
        credit.match
        for group in groups.values()
        if len(group) == 1 or any(credit.reward != group[0].reward for credit in group)
        for credit in group
    }
