"""Plays policies in the seats of a role, against the honest and competent policies of a game's suite."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from arena import event_loop
from arena.evaluation.shortcuts import RETURN, rewards_of
from arena.match import Episode, IllegalPolicy, MatchPlan
from arena.match import play as play_match
from arena.match import play_async as play_match_async
from arena.players.bots.scripted import ScriptedPlayer
from games import TextGame
from games.shortcuts import Scripted, ShortcutSuite
from roles.rewards.monitors import leaks

_STRICT = IllegalPolicy(retries=0)
_PLAYS = "policy"
BATCH = 24
"""matches whose credit is computed together, because a role may pay for variety over a batch"""


class RoleMatches:
    """The matches of one role. Partners are those of the suite, unless a policy brings its own."""

    def __init__(self, game: TextGame, suite: ShortcutSuite, role: str) -> None:
        self._game, self._suite, self.role = game, suite, role
        self._seats = suite.seats(game.spec, {role})
        self.played, self.transcript = 0, 0
        """matches, and what was said in the last ones, as a number"""
        self._last: list[Episode] = []

    def rewards(self, plays: Mapping[str, Scripted], seeds: Sequence[int], allied: bool = False) -> dict[int, float]:
        """Returns seed -> what the role earns, in batches of `BATCH`; seeds of void matches are left out.

        `allied`: the other seats of a role that is compared one seat at a time play the policy too.
        """
        out: dict[int, float] = {}
        self._last = []
        actions: list[str] = []
        for start in range(0, len(seeds), BATCH):
            episodes = [self._play(plays, seed, allied) for seed in seeds[start : start + BATCH]]
            self.played += len(episodes)
            actions += [str(turn.action) for episode in episodes for turn in episode.turns]
            out |= self._earned(episodes)
            self._last += episodes
        self.transcript = hash(tuple(actions))
        return out

    @property
    def leak(self) -> bool:
        """Whether the game says that the policy gave its secret away in one of the last matches."""
        return any(episode.seats[seat] == _PLAYS for episode in self._last for seat in leaks(episode))

    def _earned(self, episodes: Sequence[Episode]) -> dict[int, float]:
        """Returns the credit of the role, the mean over its phases; its return if it has no credit."""
        rewards = {name: of for (role, name), of in rewards_of(episodes, _PLAYS).items() if role == self.role}
        credit = [of for name, of in rewards.items() if name != RETURN] or [rewards.get(RETURN, {})]
        sums: dict[str, list[float]] = {}
        for of in credit:
            for match, value in of.items():
                sums.setdefault(match, []).append(value)
        return {int(match): sum(values) / len(values) for match, values in sums.items()}

    def _play(self, plays: Mapping[str, Scripted], seed: int, allied: bool) -> Episode:
        seated, partners = {}, {role: of for role, of in plays.items() if allied or role != self.role}
        for seat, role in self._game.spec.seats.items():
            if seat in self._seats:
                seated[seat] = ScriptedPlayer(_PLAYS, plays[role])
            else:
                seated[seat] = ScriptedPlayer("partner", partners.get(role) or self._suite.partner(role))
        plan = MatchPlan(f"{seed}", self._game.spec.id, seed, {seat: p.name for seat, p in seated.items()})
        if self._game.blocking:
            return event_loop.run(play_match_async(self._game, plan, seated, _STRICT))
        return play_match(self._game, plan, seated, _STRICT)
