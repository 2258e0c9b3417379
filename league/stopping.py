"""When a run has told enough: its stop rules, looked at in plan order as matches end."""

from __future__ import annotations

from collections.abc import Collection, Hashable, Iterable, Iterator, Mapping
from typing import TYPE_CHECKING, Any

import msgspec
from pydantic import ValidationError

from games import InputError
from league.config import GateConfig, SprtConfig, StopConfig, faults
from league.decisions import (
    Apart,
    Cost,
    Estimate,
    Gate,
    IntervalWidth,
    Matches,
    Ranked,
    StopRule,
    Tokens,
    first_met,
    pairs,
)
from league.in_order import InOrder
from league.ratings import GameInfo
from league.ratings.repeats import keys_of
from league.records import Result
from league.standings import MatchCounts, Snapshot
from league.stored import rated_games, ratings_for

if TYPE_CHECKING:
    from league.planning import Planner


class Sprt:
    """A sequential test of two players of a run: a gate that is given their pairs in plan order."""

    def __init__(self, config: SprtConfig, games: Mapping[str, GameInfo]) -> None:
        self.player, self.against = config.player, config.against
        self.gate = gate_of(config)
        self._games = games
        self._open: dict[tuple[str, str], list[Result]] = {}
        self.repeated = 0
        """pairs that repeat earlier ones and do not count"""
        self._played: set[Hashable] = set()
        self._estimate: Estimate | None = None
        """once decided"""

    def add(self, result: Result) -> None:
        """The next result of the plan."""
        info = self._games[result.game]
        if info.size != 2 or {s.player for s in result.seats} != {self.player, self.against}:
            return
        matches = self._open.setdefault((result.game, result.pairing), [])
        matches.append(result)
        if len(matches) == info.size:
            del self._open[result.game, result.pairing]
            if self._repeats(matches, info):
                return
            for category in pairs(matches, self._games, self.player):
                self.gate.update(category)

    def _repeats(self, matches: list[Result], info: GameInfo) -> bool:
        """Whether a pair is one that was played before, move for move. It tells nothing new."""
        keys = keys_of(matches, info)
        known = bool(keys) and all(key is not None and key in self._played for key in keys)
        self._played.update(key for key in keys if key is not None)
        self.repeated += known
        most = self.gate.max_pairs
        if known and most is not None and self.gate.pairs + self.repeated >= most:
            self.gate.give_up()
        return known

    def met(self, snapshot: Snapshot) -> str | None:
        """The verdict; `snapshot` is not looked at."""
        return self.told(snapshot) if self.gate.verdict else None

    def told(self, snapshot: Snapshot | None = None) -> str:
        """`SPRT new against old: accept after 61 pairs; LLR: ...`."""
        gate = self.gate
        return f"SPRT {self.player} against {self.against}: {gate.verdict or 'open'} after {gate.pairs:,} pairs; {gate}"

    def lines(self) -> list[str]:
        """The pairs by category and, once decided, the strength without the bias of having stopped."""
        lost, short, even, ahead, won = self.gate.counts
        repeated = f"; {self.repeated:,} more repeat these move for move" if self.repeated else ""
        out = [f"pairs LL {lost}, LD {short}, WL or DD {even}, WD {ahead}, WW {won}{repeated}"]
        if self._estimate is None and self.gate.verdict:
            self._estimate = self.gate.estimate()
        if (estimate := self._estimate) is not None:
            out.append(
                f"{self.player} over {self.against}: {estimate} "
                "normalised Elo, 95%, median-unbiased for a test that stopped early"
            )
        return out

    def to_json(self) -> dict[str, Any]:
        """All of it, the estimate too while the test is open."""
        gate, estimate = self.gate, self.gate.estimate()
        return {
            "player": self.player,
            "against": self.against,
            "verdict": gate.verdict,
            "pairs": gate.pairs,
            "counts": list(gate.counts),
            "repeated": self.repeated,
            "llr": gate.llr,
            "bounds": list(gate.bounds),
            "nelo0": gate.nelo0,
            "nelo1": gate.nelo1,
            "estimate": None if estimate is None else estimate._asdict(),
        }


def gate_of(config: GateConfig) -> Gate:
    """A gate by its settings."""
    c = config
    return Gate(c.alpha, c.beta, c.nelo0, c.nelo1, max_pairs=c.max_pairs, min_pairs=c.min_pairs)


def needs_ratings(config: Mapping[str, Any]) -> bool:
    """Whether a stored configuration has stop rules that look at the standings."""
    return any(_of_tables(_settings(config)))


def _settings(config: Mapping[str, Any]) -> StopConfig:
    try:
        return StopConfig.model_validate(config.get("stop", {}))
    except ValidationError as error:
        told = faults(error, StopConfig)
        raise InputError(f"the stored stop rules of run {config.get('name')!r} are damaged: {told}") from None


class Stopping:
    """The stop rules of a stored configuration. `add` results in any order; they are looked at in the plan's.

    What it says is a function of the results before which nothing is missing, so an interrupted run stops at the match
    at which an uninterrupted one would have. `struck`: workers whose matches count as void.
    """

    def __init__(self, config: Mapping[str, Any], struck: Collection[str] = ()) -> None:
        stop = _settings(config)
        self._struck, self._every = struck, stop.every
        self.sprt = Sprt(stop.sprt, rated_games(config)) if stop.sprt else None
        self._each: tuple[StopRule, ...] = (self.sprt,) if self.sprt else ()
        """looked at after every match"""
        if stop.matches is not None:
            self._each += (Matches(stop.matches),)
        self._of_tables = tuple(_of_tables(stop))
        self._ratings = ratings_for(config) if self._of_tables else None
        self._order = InOrder()
        self._ended = self._void = 0
        self._snapshot = Snapshot("", (), {}, {}, MatchCounts())
        self.reason = ""
        """why to stop; an empty text while nothing is decided"""

    def __bool__(self) -> bool:
        """Whether there is any rule."""
        return bool(self._rules)

    @property
    def _rules(self) -> tuple[StopRule, ...]:
        return (*self._each, *self._of_tables)

    def add(self, results: Iterable[Result]) -> None:
        """Look at results, each given once. After the decision nothing changes any more."""
        if self.reason or not self._rules:
            return
        self._order.add(results)
        for result in self._order.ready():
            self.reason = self._look(result)
            if self.reason:
                return

    def _look(self, result: Result) -> str:
        struck = result.worker in self._struck
        self._ended += 1
        self._void += struck or result.status == "void"
        if self.sprt is not None and not struck:
            self.sprt.add(result)
        if self._ratings is not None and not struck:
            self._ratings.add([result])
        counts = MatchCounts(self._ended, self._ended - self._void, self._void)
        rules = self._each
        if self._ratings is not None and self._ended % self._every == 0:
            self._snapshot = self._ratings.snapshot("", counts)
            rules = self._rules
        self._snapshot = msgspec.structs.replace(self._snapshot, matches=counts)
        return first_met(rules, self._snapshot) or ""

    def lines(self) -> tuple[str, ...]:
        """How far every rule has come, and why it stopped."""
        told = [rule.told(self._snapshot) for rule in self._rules]
        out = [f"stopped: {line}" if line == self.reason else line for line in told]
        if self.sprt is not None:
            out[1:1] = [f"  {line}" for line in self.sprt.lines()]
        return tuple(out)

    def to_json(self) -> dict[str, Any]:
        """`reason` (None while nothing is decided), `rules` in words, `sprt` in figures."""
        sprt = self.sprt.to_json() if self.sprt else None
        return {"reason": self.reason or None, "rules": [r.told(self._snapshot) for r in self._rules], "sprt": sprt}


def _of_tables(stop: StopConfig) -> Iterator[StopRule]:
    """The rules that need standings."""
    if stop.tokens is not None:
        yield Tokens(stop.tokens)
    if stop.cost is not None:
        yield Cost(stop.cost, stop.prices)
    if stop.width is not None:
        yield IntervalWidth(stop.width, stop.top)
    if stop.ranked is not None:
        yield Ranked(stop.ranked, stop.top)
    if stop.apart:
        yield Apart(stop.top)


def check(config: Mapping[str, Any], planner: Planner) -> None:
    """Raise InputError for a test of two players that no game, or no pairing, can decide."""
    sprt = StopConfig.model_validate(config.get("stop", {})).sprt
    if sprt is None:
        return
    games, plays = rated_games(config), config["plays"]
    common = [game for game in games if all(game in plays[name] for name in (sprt.player, sprt.against))]
    if not any(games[game].size == 2 and games[game].rated for game in common):
        raise InputError(
            f"stop.sprt: {sprt.player!r} and {sprt.against!r} share no rated game of two sides (both play "
            f"{', '.join(common) or 'nothing'}); add one, or leave stop.sprt out"
        )
    if not planner.pairs(sprt.player, sprt.against):
        raise InputError(
            f"stop.sprt: it counts pairs of matches with the seats exchanged, and by pairing = {config['pairing']!r} "
            f'{sprt.player!r} and {sprt.against!r} never play one; write pairing = "round-robin", name two that do, or '
            "leave stop.sprt out"
        )


__all__ = ["Sprt", "Stopping", "check", "gate_of"]
