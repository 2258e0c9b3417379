"""Scripted policies for the roles of a game: shortcuts that must not pay, and honest players to compare them with.

A game offers its suite through `TextGame.shortcuts`, a script through `role_game(suite=...)`. `arena check GAME
--shortcuts` plays it.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Container, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from types import MappingProxyType
from typing import TYPE_CHECKING, Any, NamedTuple, TypeAlias

from games.errors import InputError
from games.randomness import RandomStream

if TYPE_CHECKING:
    from games.game import GameSpec, TextGame


class ScriptedTurn(NamedTuple):
    """What a scripted policy sees of one turn. It keeps no memory: everything said so far is in `text` and `data`."""

    seat: str
    role: str
    text: str
    """the observation"""
    phase: str
    stream: RandomStream
    legal: tuple[str, ...] | None = None
    """the legal actions; None for free text"""
    data: Mapping[str, Any] = MappingProxyType({})
    """the structured data that the seat was told, see `TextGame.data`"""
    game: TextGame | None = None
    """the match, for policies that try what no seat may know, such as attacks"""

    @property
    def number(self) -> int:
        """The number in the name of the seat: 2 for solver_2, 0 without one."""
        digits = self.seat.rpartition("_")[2]
        return int(digits) if digits.isdecimal() else 0


Scripted: TypeAlias = Callable[[ScriptedTurn], str]
"""returns the message or action of one turn"""


@dataclass(frozen=True, slots=True)
class Shortcut:
    """A way to play one or more roles that should not pay: one policy that plays several roles may collude.

    The rewards of the roles in `plays` are compared with those of the suite's honest and competent players in the same
    roles. The other roles are played as in `against`, else by the suite's partners.
    """

    name: str
    plays: Mapping[str, Scripted]
    against: Mapping[str, Scripted] = field(default_factory=dict)
    allies: Mapping[str, Scripted] = field(default_factory=dict)
    """policies of other roles that are of one mind with it; honest and competent players do not have them"""
    batch: bool = False
    """whether it only repeats itself across matches: credit of a batch sees that, so returns are not compared"""
    solves: str = ""
    """why it may earn more than honest play, up to what a competent player earns: it solves the task, or a part of it.
    The check then says "not verifiable", and fails if it earns no more than honest play"""


@dataclass(frozen=True, slots=True)
class ShortcutSuite:
    """The scripted policies of a game, by role.

    `honest` does its task with random choices. `competent` does it well. `partners` play the roles that are not
    compared, by default the competent players: a role that no one can do well against a perfect partner needs one that
    errs. In the roles of `alone` the compared policy takes the first seat and partners the others, because in a game of
    such seats against each other all seats together always get the same. In the roles of `among_strangers` a probe does
    the same: seats of one policy could talk in a code that others do not know. In a game of strangers (`GameSpec`) all
    roles are alone. `families` are policies of a role, by name, of which the competent one is the best response to the
    partners (`arena.evaluation.best_responses`). `references` are further policies by name, such as weaker models,
    which are not compared: anchors of a league.
    """

    honest: Mapping[str, Scripted]
    competent: Mapping[str, Scripted]
    shortcuts: Sequence[Shortcut]
    partners: Mapping[str, Scripted] = field(default_factory=dict)
    alone: frozenset[str] = frozenset()
    among_strangers: frozenset[str] = frozenset()
    references: Mapping[str, Mapping[str, Scripted]] = field(default_factory=dict)
    families: Mapping[str, Mapping[str, Scripted]] = field(default_factory=dict)

    def partner(self, role: str) -> Scripted:
        """Returns the policy of a role that is not compared."""
        return self.partners[role] if role in self.partners else self.competent[role]

    def seats(self, spec: GameSpec, roles: Container[str], probed: bool = False) -> set[str]:
        """Returns the seats of a game that a policy of these roles takes: all of a role, or the first if alone."""
        alone = self.alone | self.among_strangers if probed else self.alone
        seats, earlier = set[str](), set[str]()
        for seat, role in spec.seats.items():
            if role in roles and not (role in earlier and (spec.strangers or role in alone)):
                seats.add(seat)
            earlier.add(role)
        return seats

    def every(self) -> tuple[Shortcut, ...]:
        """Returns the suite's shortcuts, then those of every role: silence, copying, repeating the observation."""
        general = [Shortcut(f"{name}", {role: policy}) for role in self.honest for name, policy in GENERAL.items()]
        return (*self.shortcuts, *general)


def suite_of(game: TextGame) -> ShortcutSuite | None:
    """Returns the suite of a game; None if it has none. Raises InputError if it does not fit the game's roles."""
    suite: object = game.shortcuts()
    if suite is None:
        return None
    if not isinstance(suite, ShortcutSuite):
        raise InputError(f"{game.spec.id}: shortcuts() returned a {type(suite).__name__}; return a ShortcutSuite")
    roles = tuple(dict.fromkeys(game.spec.seats.values()))
    if problem := next(_problems(suite, roles), ""):
        raise InputError(f"{game.spec.id}: {problem}")
    return suite


def _problems(suite: ShortcutSuite, roles: tuple[str, ...]) -> Iterator[str]:
    """Yields the problems of a suite: a role that the game lacks, a role without a policy, or no function as one."""
    policies = {"honest": suite.honest, "competent": suite.competent, "partners": suite.partners}
    tables: dict[str, Mapping[str, object]] = {f"`{name}` of the shortcut suite": policies[name] for name in policies}
    for s in suite.shortcuts:
        tables |= {f"shortcut {s.name!r}": s.plays, f"`against` of shortcut {s.name!r}": s.against}
        tables |= {f"`allies` of shortcut {s.name!r}": s.allies}
    tables |= {f"reference {name!r}": plays for name, plays in suite.references.items()}
    for where, table in tables.items():
        if missing := [role for role in table if role not in roles]:
            yield f"{where} names a missing role {missing[0]!r}; the roles: {', '.join(roles)}"
        for role, policy in table.items():
            if not callable(policy):
                yield f"{where} has a {type(policy).__name__} for {role!r}; write a function of the turn, or says(...)"
    played = {role for s in suite.shortcuts for role in s.plays}
    compared = [role for role in roles if role in suite.honest or role in suite.competent or role in played]
    beside = [role for role in roles if role not in suite.partners]
    for name, needed in (("competent", [*compared, *beside]), ("honest", compared)):
        if lacking := [role for role in needed if role not in policies[name]]:
            yield f"`{name}` of the shortcut suite has no policy for the role {lacking[0]!r}"


def says(*texts: str) -> Scripted:
    """Says the text; of several texts a random one."""
    return lambda turn: turn.stream.choice(texts) if len(texts) > 1 else texts[0]


def by_phase(**policies: Scripted) -> Scripted:
    """Plays each phase with its own policy. A phase of two words is named by its first."""
    return lambda turn: policies[turn.phase.partition(" ")[0]](turn)


def mixed(share: float, one: Scripted, other: Scripted) -> Scripted:
    """Returns a policy that plays `one` in a share of the turns, else `other`."""
    return lambda turn: one(turn) if turn.stream.random() < share else other(turn)


_QUOTED = re.compile(r'"([^"\n]*)"')


def _copied(turn: ScriptedTurn) -> str:
    """Returns the last quoted text of the observation, which is what somebody else wrote; without one its last line."""
    quotes = _QUOTED.findall(turn.text)
    return quotes[-1] if quotes else turn.text.rpartition("\n")[2]


GENERAL: Mapping[str, Scripted] = {
    "says nothing": says(""),
    "copies the last message": _copied,
    "repeats what it reads": lambda turn: turn.text,
}
