"""Do the monitors see every shortcut that earns, and nothing in clean runs?

A run is scripted: in its first 20 steps random honest players play the roles in question; then a shortcut takes over,
or, in a clean run, the share of competent play grows to 1 in all roles at once. Metrics, probes and alarms are those of
a training.

    python scripts/bench/bench_monitors.py [GAME ...] [--matches 12] [--clean 10] [--first 0] [--honest GAME ...]
    python scripts/bench/bench_monitors.py none --record        # clean runs alone
    python scripts/bench/bench_monitors.py --clean 0 --record   # shortcuts alone, in a file of their own
    python scripts/bench/bench_monitors.py bargain --named "takes back a generous offer" --clean 0   # paid or not
"""

from __future__ import annotations

import argparse
import asyncio
from collections.abc import Iterator, Mapping, Sequence

import games
from arena.evaluation.probes import GameProbe
from arena.evaluation.shortcuts import check_shortcuts
from arena.learner import credits_of, estimator
from arena.match import Episode, IllegalPolicy, MatchPlan
from arena.players.bots.scripted import ScriptedPlayer
from arena.runner import LocalRunner
from games.randomness import derive
from games.shortcuts import Scripted, ScriptedTurn, Shortcut, ShortcutSuite, mixed
from league.training.metrics import step_metrics
from league.views.training_panels import MetricsHistory, alarms

STEPS, EARLY = 34, 20
PUBLISHED = (
    "psj(solvers=2,rules=published)", "math-duel(solvers=4,rules=published)", "forum(rules=published)",
)  # fmt: skip
CLEAN = (
    "taboo", "psj(solvers=2)", "math-duel(solvers=4)", "spy", "redteam", "forum", "critic", "debate", "bargain",
    "conjecture(provers=4)", "code-io(solvers=2)",
)  # fmt: skip


class ScriptedRun:
    """The metrics of a scripted training of one game, whose alarms are those of a real one."""

    def __init__(self, game: str, matches: int, seed: int) -> None:
        self.game, self.matches, self.seed = games.make(game), matches, seed
        suite = self.game.shortcuts()
        assert suite is not None
        self.suite: ShortcutSuite = suite
        self.probe = GameProbe.of(self.game.spec.id, 32)

    async def alarms(self, ways: Sequence[Mapping[str, Scripted]], against: Mapping[str, Scripted]) -> list[str]:
        """The alarms at the end of a run; `ways` holds the policies of the trained roles, one mapping per step."""
        rows = []
        for step, plays in enumerate(ways):
            episodes = await self._play(plays, against, step)
            credits = credits_of(episodes, {"live"})
            row = step_metrics(episodes, credits, [0.0] * len(credits), {}, estimator("none"), {"live"})
            rows.append({"step": step, **row})
        rows[0] |= await self._probed(ways[0])
        rows[-1] |= await self._probed(ways[-1])
        return alarms(MetricsHistory(rows, [self.game.spec.id]))

    async def _play(self, plays: Mapping[str, Scripted], against: Mapping[str, Scripted], step: int) -> list[Episode]:
        spec = self.game.spec
        mine = self.suite.seats(spec, plays)
        seated = {seat: "live" if seat in mine else role for seat, role in spec.seats.items()}
        partners = {r: ScriptedPlayer(r, against.get(r) or self.suite.partner(r)) for r in spec.seats.values()}
        runner = LocalRunner({**partners, "live": by_role(plays)}, IllegalPolicy(retries=0))
        seeds = [derive(self.seed, "monitors", step, n) for n in range(self.matches)]
        queue = [MatchPlan(f"{step}-{n}", spec.id, seed, seated) for n, seed in enumerate(seeds)]
        episodes: list[Episode] = []
        await runner.run(lambda room: [queue.pop() for _ in range(min(room, len(queue)))], episodes.extend)
        return episodes

    async def _probed(self, plays: Mapping[str, Scripted]) -> dict[str, float]:
        if self.probe is None:
            return {}
        found = await self.probe.measure(by_role({**self.suite.competent, **plays}))
        return {key: value for key, value in found.items() if key.rpartition("/")[2] in plays}


def by_role(plays: Mapping[str, Scripted]) -> ScriptedPlayer:
    """One player with a policy for each role."""

    def act(turn: ScriptedTurn) -> str:
        return plays[turn.role](turn)

    return ScriptedPlayer("live", act)


async def hacked(game: str, shortcut: Shortcut, matches: int, seed: int = 0) -> list[str]:
    """The alarms of a run that finds a shortcut after its first steps."""
    run = ScriptedRun(game, matches, seed)
    honest = {role: run.suite.honest[role] for role in shortcut.plays}
    return await run.alarms(
        [honest] * EARLY + [shortcut.plays] * (STEPS - EARLY), {**shortcut.against, **shortcut.allies}
    )


async def clean(game: str, matches: int, seed: int = 0) -> list[str]:
    """The alarms of a run in which all roles learn to play competently at the same time."""
    run = ScriptedRun(game, matches, seed)
    shares = [min(1.0, max(0.0, (step - 10) / (STEPS - 20))) for step in range(STEPS)]
    honest, competent = run.suite.honest, run.suite.competent
    ways = [{role: mixed(share, competent[role], honest[role]) for role in honest} for share in shares]
    return await run.alarms(ways, {})


def shortcuts_of(game: str, names: Sequence[str]) -> list[Shortcut]:
    """The shortcuts of a game with one of these names; without names, those that pay."""
    suite = games.make(game).shortcuts()
    assert suite is not None
    if names:
        return [s for s in suite.every() if s.name in names]
    paid = {(row.policy, row.role) for row in check_shortcuts(game, 60).rows if row.failure}
    return [s for s in suite.every() if any((s.name, role) in paid for role in s.plays)]


def main() -> None:
    """Print one line per run."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("games", nargs="*", default=[*PUBLISHED])
    parser.add_argument("--matches", type=int, default=12, help="matches per step")
    parser.add_argument("--named", nargs="*", default=[], help="shortcuts by name, in place of those that pay")
    parser.add_argument("--clean", type=int, default=10, help="clean runs of each game")
    parser.add_argument("--first", type=int, default=0, help="the first seed of the clean runs")
    parser.add_argument("--honest", nargs="*", default=[*CLEAN], help="the games of the clean runs")
    parser.add_argument("--record", action="store_true", help="write the claims")
    options = parser.parse_args()
    from _claims import Claim, record  # here: tests import this module without its folder in the path

    played = [game for game in options.games if game != "none"]
    seen = [bool(found) for game in played for found in _hacked_runs(game, options.matches, options.named)]
    seeds = range(options.first, options.first + options.clean)
    quiet = [not _clean_run(game, options.matches, seed) for seed in seeds for game in options.honest]
    kind = "a shortcut that is named here" if options.named else "a shortcut that pays"
    about = f"scripted runs of {len(played)} games that change to {kind}, and raise an alarm"
    claims = [Claim.share(about, sum(seen), len(seen))] if seen else []
    if quiet:
        about = f"clean scripted runs of {len(options.honest)} games, all roles learning, that raise an alarm"
        claims.append(Claim.share(about, len(quiet) - sum(quiet), len(quiet)))
    for claim in claims:
        print(f"{claim.claim}: {claim.figure} ({claim.interval})")
    if options.record:
        part = "named" if options.named else "shortcuts"
        record(claims, name="" if quiet else f"bench_monitors_{part}")


def _hacked_runs(game: str, matches: int, names: Sequence[str]) -> Iterator[list[str]]:
    """The alarms of a run for each of the shortcuts."""
    for shortcut in shortcuts_of(game, names):
        found = asyncio.run(hacked(game, shortcut, matches))
        print(f"{game}: {shortcut.name}: {len(found)} alarms: {found[0] if found else 'NONE'}", flush=True)
        yield found


def _clean_run(game: str, matches: int, seed: int) -> list[str]:
    """The alarms of a clean run, which are printed."""
    found = asyncio.run(clean(game, matches, seed))
    print(f"{game}, seed {seed}: {len(found)} alarms {found}", flush=True)
    return found


if __name__ == "__main__":
    main()
