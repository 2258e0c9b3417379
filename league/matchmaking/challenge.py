"""Tournaments in which opponents are drawn by how a player does against them: PFSP, AlphaStar, OpenAI Five."""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Sequence

import numpy as np

from games import InputError
from games.randomness import Stream, derive
from league.matchmaking import alphastar, openai_five
from league.matchmaking._arrays import Array, Generator, Ints
from league.matchmaking.adaptive import BATCH, Adaptive
from league.matchmaking.groups import Group
from league.matchmaking.matchmaker import Field, Matchmaker, Pairing
from league.matchmaking.pfsp import KINDS, weights
from league.matchmaking.table import Table, table_of
from league.records import Result


class Pfsp(Adaptive):
    """Everybody in turn meets opponents drawn by `kind` of PFSP weighting of its win rates against them."""

    def __init__(self, kind: str = "variance", batch: int = BATCH, explore: float = 0.0) -> None:
        super().__init__(batch, explore)
        if kind not in KINDS:
            raise InputError(f"pfsp(kind={kind}): kind is one of {', '.join(KINDS)}")
        self.kind = kind

    def choose(self, table: Table, pairings: int, seats: int, rng: Generator) -> list[Group]:
        """Who has played least comes first, by lot among equals."""
        load = table.met.sum(1) + rng.random(table.size) * 0.5
        groups = []
        for _ in range(pairings):
            player = int(np.argmin(load))
            others = np.array([i for i in range(table.size) if i != player])
            p = weights(table.win_rates(player)[others], self.kind)
            group = (player, *_draw(others, p, seats - 1, rng))
            load[list(group)] += 1.0
            groups.append(group)
        return groups


class _Challenger(Matchmaker):
    """The first players of the file meet opponents of their choice, in games of two seats."""

    def __init__(self, batch: int = BATCH) -> None:
        if not isinstance(batch, int) or batch < 1:
            raise InputError(f"batch={batch}: a number of matches, a whole number of at least 1")
        self.batch = batch

    def next(self, field: Field, round: int, log: Sequence[Result]) -> Sequence[Pairing] | None:
        """`batch` matches, both seat orders of each pairing, the games in turn."""
        if round >= field.rounds:
            return None
        past = sorted((r for r in log if r.round < round), key=lambda r: r.index)
        count = max(1, self.batch // 2 // len(field.games))
        lists = [self._game(field, game, round, [r for r in past if r.game == game], count) for game in field.games]
        return tuple(pairing for row in zip(*lists, strict=True) for pairing in row)

    def total(self, field: Field) -> int:
        """Rounds times the matches of one."""
        return field.rounds * 2 * max(1, self.batch // 2 // len(field.games)) * len(field.games)

    def _game(self, field: Field, game: str, round: int, log: Sequence[Result], count: int) -> list[Pairing]:
        name = type(self).__name__
        if field.games[game].size != 2:
            raise InputError(f"{name} pairs games of two sides; {game!r} has {field.games[game].size}")
        rng = Stream(derive(field.seed, name, game, round))
        return [Pairing(game, pair) for pair in self.meet(field, game, round, log, count, rng)]

    @abstractmethod
    def meet(
        self, field: Field, game: str, round: int, log: Sequence[Result], count: int, rng: Stream
    ) -> list[tuple[str, str]]:
        """`count` pairs of different players. `log`: this game's earlier results in plan order."""


class AlphaStar(_Challenger):
    """A league frozen in time: the first `mains` players of the file are main players, the next `main_exploiters` and
    `league_exploiters` those, the others checkpoints of the main players in turn, the oldest first.

    The learners take turns; each meets whom `alphastar.opponent` says by the payoff so far. Self-play is left out: a
    player that meets itself is not rated.
    """

    def __init__(
        self, mains: int = 1, main_exploiters: int = 0, league_exploiters: int = 0, batch: int = BATCH
    ) -> None:
        super().__init__(batch)
        counts = (mains, main_exploiters, league_exploiters)
        if not all(isinstance(n, int) and n >= 0 for n in counts) or mains < 1:
            raise InputError(
                f"alphastar(mains={mains}, main_exploiters={main_exploiters}, league_exploiters={league_exploiters}): "
                "numbers of players, at least one main player"
            )
        self.counts = counts

    def members(self, field: Field, game: str) -> list[alphastar.Member]:
        """The league, in the file's order."""
        kinds: tuple[alphastar.Kind, ...] = ("main", "main-exploiter", "league-exploiter")
        given = [kind for kind, n in zip(kinds, self.counts, strict=True) for _ in range(n)]
        names = field.entrants(game)
        learners = [alphastar.Member(name, kind) for name, kind in zip(names, given, strict=False)]
        mains = names[: self.counts[0]]
        past = names[len(given) :]
        return learners + [alphastar.Member(p, "main", mains[i % len(mains)]) for i, p in enumerate(past)]

    def meet(
        self, field: Field, game: str, round: int, log: Sequence[Result], count: int, rng: Stream
    ) -> list[tuple[str, str]]:
        """The learners in turn."""
        league, payoff = self.members(field, game), alphastar.Payoff.of(log, field.games[game])
        learners = [m for m in league if not m.frozen]
        return [self._pair(learners[(round * count + i) % len(learners)], league, payoff, rng) for i in range(count)]

    def _pair(
        self, player: alphastar.Member, league: list[alphastar.Member], payoff: alphastar.Payoff, rng: Stream
    ) -> tuple[str, str]:
        for _ in range(100):
            chosen = alphastar.opponent(player, league, payoff, rng)
            if chosen.name != player.name:
                return player.name, chosen.name
        return player.name, rng.choice([m.name for m in league if m.name != player.name])


class OpenAIFive(_Challenger):
    """The first player of the file is the current agent, the others its past: it meets them by quality.

    Every quality starts at 0 and follows from the log; a pairing won in more points than half beats the opponent.
    """

    def __init__(self, eta: float = openai_five.ETA, batch: int = BATCH) -> None:
        super().__init__(batch)
        if not isinstance(eta, int | float) or eta <= 0.0:
            raise InputError(f"openai-five(eta={eta}): eta is a positive number")
        self.eta = float(eta)

    def meet(
        self, field: Field, game: str, round: int, log: Sequence[Result], count: int, rng: Stream
    ) -> list[tuple[str, str]]:
        """The current agent against past ones."""
        current, *past = field.entrants(game)
        qualities = self.qualities(field, game, round, log)
        p = openai_five.probabilities(qualities).tolist()
        return [(current, past[rng.weighted(p)]) for _ in range(count)]

    def qualities(self, field: Field, game: str, round: int, log: Sequence[Result]) -> list[float]:
        """Of the past agents, in the file's order, before a round."""
        past = field.entrants(game)[1:]
        qualities = [0.0] * len(past)
        for number in range(round):
            here = [r for r in log if r.round == number]
            for pairing in dict.fromkeys(r.pairing for r in here):
                table = table_of(field, game, round, [r for r in here if r.pairing == pairing])
                met = np.flatnonzero(table.met[0])
                if len(met) and table.win_rates(0)[met[0]] > 0.5:
                    qualities = openai_five.beaten(qualities, int(met[0]) - 1, self.eta)
        return qualities


def _draw(others: Ints, weight: Array, size: int, rng: Generator) -> list[int]:
    """Different opponents by weight; where too few have any, the others fill up by lot."""
    order = rng.permutation(len(others))
    keys = np.full(len(others), np.inf)
    some = weight > 0.0
    keys[some] = rng.exponential(size=int(some.sum())) / weight[some]  # the smallest keys are a weighted sample
    ranked = sorted(order.tolist(), key=lambda i: float(keys[i]))
    return [int(others[i]) for i in ranked[:size]]
