"""Checks one stored match: its result against its episode, and its episode against its plan and the game's rules."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable

import msgspec

import games
from arena.match import Episode, MatchPlan
from arena.match.replay import InconclusiveReplay, contradiction
from games import InputError, TextGame
from games.errors import InfrastructureError
from league.matchmaking.match_plans import match_seed, pairing_seed
from league.outcomes.outcome import RankDecision
from league.records.matches import PlannedMatch, Result, summarize
from league.records.run_spec import RunSpec
from league.store.dialect import DamagedRow
from league.store.log import Link, planned_of, result_of, unpack


class Records:
    """Checks the matches of one run."""

    def __init__(self, spec: RunSpec, allow: Callable[[str], None]) -> None:
        """`allow` raises InputError for a game that must not be made here."""
        self._spec, self._allow = spec, allow
        self._attempts = spec.illegal.retries + 1
        self._games: dict[str, TextGame | str] = {}
        self._decision = RankDecision(spec.games)
        self.replayed = 0
        self.skipped: Counter[str] = Counter()
        """why matches could not be replayed -> how many"""

    def wrong(self, link: Link, *, replay: bool) -> tuple[str, str]:
        """Returns the kind of a fault and its description; two empty strings if there is none."""
        try:
            planned, result = planned_of(link), result_of(link)
            episode = unpack(link.data or b"")
        except DamagedRow as error:
            return "record", str(error)
        except (TypeError, ValueError) as error:
            return "record", f"it cannot be read: {f'{type(error).__name__}: {error}'.splitlines()[0]}"
        ranks = self._decision.ranks(result)
        if fault := _differs(planned, result, episode) or self._misplanned(planned):
            return "record", fault
        if replay and (fault := self._replay(episode)):
            return "rules", fault
        if ranks != result.ranks:
            fault = f"its outcome is {result.ranks}; by the results it is {ranks}; `arena rebuild` makes it again"
            return "outcome", fault
        return "", ""

    def _misplanned(self, planned: PlannedMatch) -> str:
        """Returns how a tournament's match differs from the plan of its pairing, or "".

        Nobody may choose a seed: the cards of a match follow from the run's seed.
        """
        if self._spec.kind != "tournament":
            return ""
        plan, info = planned.match, self._spec.games.get(planned.match.game)
        if info is None:
            return f"the run does not play its game {plan.game!r:.200}"
        seed = pairing_seed(self._spec.seed, plan.game, planned.round, planned.pairing)
        seed = match_seed(seed, info, plan.seats, self._spec.recalling)
        if plan.seed != seed:
            return f"its seed is {plan.seed}; the run's seed gives {seed}"
        if plan.opening != (opening := 0 if info.chance else self._spec.openings):
            return f"it begins with {plan.opening} random moves; the run's begin with {opening}"
        return ""

    def _replay(self, episode: Episode) -> str:
        game = self._game(episode.game)
        if isinstance(game, str):
            self.skipped[game] += 1
            return ""
        try:
            fault = contradiction(game, episode, self._attempts)
        except InconclusiveReplay as why:
            self.skipped[f"a verifier's time limit decided ({why})"] += 1
            return ""
        except (InfrastructureError, InputError) as error:
            self.skipped[str(error)] += 1
            return ""
        self.replayed += 1
        return fault

    def _game(self, id: str) -> TextGame | str:
        """Returns the game, or the reason why it cannot be made."""
        if id not in self._games:
            try:
                self._allow(id)
                self._games[id] = games.make(id)
            except InputError as error:
                self._games[id] = str(error)
        return self._games[id]


def _differs(planned: PlannedMatch, result: Result, episode: Episode) -> str:
    """Returns how plan, episode and result contradict each other, or ""."""
    plan = planned.match
    played = MatchPlan(
        episode.match, episode.game, episode.seed, episode.seats, episode.task, episode.opening, episode.notes
    )
    for name in ("id", "game", "seed", "seats", "task", "opening", "notes"):
        one, other = getattr(plan, name), getattr(played, name)
        if one != other:
            return f"its {name} is {one!r:.200} in the plan and {other!r:.200} in the episode"
    try:
        right = msgspec.structs.replace(summarize(planned, episode), seq=result.seq, ranks=result.ranks)
    except KeyError as error:
        return f"its episode names the seat {error}, which the match does not have"
    for name in result.__struct_fields__:
        if getattr(result, name) != getattr(right, name):
            if name == "seats":
                return _seats_differ(result, right)
            return f"its {name} is {getattr(result, name)!r:.200}; by its episode it is {getattr(right, name)!r:.200}"
    return ""


def _seats_differ(result: Result, right: Result) -> str:
    for one, other in zip(result.seats, right.seats, strict=False):
        for name in one.__struct_fields__:
            if getattr(one, name) != getattr(other, name):
                return f"{name} of {one.seat} is {getattr(one, name)!r}; by its episode it is {getattr(other, name)!r}"
    return f"it has {len(result.seats)} seats; by its episode it has {len(right.seats)}"
