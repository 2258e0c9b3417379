"""Judges measured against known truth, and a majority against it.

    python scripts/bench/bench_judges.py "llm(model=smollm2-135m, max_tokens=8)" [random ...] [--matches 60]
        [--tasks "arithmetic(operation=add, digits=1)"] [--solvers 8]

Pairs: scripted players write a right answer and one that is off by 1 to 3; two judges see them, one in each order
(prefer, referee=pairs, orders=2). Single: the same answers, each before a judge of its own. Majority: the player
answers each task `--solvers` times (solve), and is paid as the role majority-solver pays it.
"""

from __future__ import annotations

import argparse
from collections.abc import Sequence
from statistics import StatisticsError, correlation, fmean

from _bench import machine_line, table

import games
import roles
from arena import event_loop, players
from arena.evaluation.suite import Accuracy
from arena.match import Episode, IllegalPolicy, MatchPlan
from arena.players import Player
from arena.players.bots.scripted import ScriptedPlayer
from arena.runner.local import LocalRunner
from games.randomness import derive
from games.shortcuts import ScriptedTurn
from games.tasks import TaskSource


def main() -> None:
    """Play and print tables."""
    options = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    options.add_argument("players", nargs="+")
    options.add_argument("--matches", type=int, default=60)
    options.add_argument("--tasks", default="arithmetic(operation=add,digits=1)")
    options.add_argument("--solvers", type=int, default=8)
    options.add_argument("--seed", type=int, default=0)
    given = options.parse_args()
    source = games.tasks.make(given.tasks)
    print(machine_line("torch", "transformers"), end="\n\n")
    judged, voted = [], []
    for id in given.players:
        player = players.make(id)
        player.name = player.name or id
        pairs = _played(f"prefer(referee=pairs,orders=2,tasks={source.id})", player, given, _answerers(source))
        single = _played(f"prefer(referee=single,tasks={source.id})", player, given, _answerers(source))
        judged += [[id, "pairs", *_pair_row(pairs)], [id, "single", *_row(single)]]
        voted.append([id, *_majority(_played(f"solve(solvers={given.solvers},tasks={source.id})", player, given, {}))])
        player.close()
    head = ["judge", "reads", "verdicts", "right", "low", "high", "unread", "says A or correct", "same in both orders"]
    print(table(head, judged), end="\n\n")
    print(
        table(
            ["solver", "answers", "right", "majority right", "unread", "r(majority, truth)", "r(novelty, truth)"], voted
        )
    )


def _answerers(source: TaskSource) -> dict[str, Player]:
    """A right and a wrong answer; which seat is right does not matter, as the seed draws who is read first."""

    def right(turn: ScriptedTurn) -> str:
        found = source.solve(turn.text.partition("\n")[0])
        return f"<answer>{found.answer if found else ''}</answer>"

    def wrong(turn: ScriptedTurn) -> str:
        found = source.solve(turn.text.partition("\n")[0])
        return f"<answer>{int(found.answer if found else 0) + turn.stream.choice([-3, -2, -1, 1, 2, 3])}</answer>"

    return {"answerer_0": ScriptedPlayer("right", right), "answerer_1": ScriptedPlayer("wrong", wrong)}


def _played(id: str, player: Player, given: argparse.Namespace, others: dict[str, Player]) -> list[Episode]:
    """The finished matches of a game; the player takes every seat that the others leave."""
    game = games.make(id)
    seated = {seat: others.get(seat, player) for seat in game.spec.seats}
    names = {seat: p.name for seat, p in seated.items()}
    plans = [MatchPlan(f"{n}", game.spec.id, derive(given.seed, "judges", n), names) for n in range(given.matches)]
    known = {p.name: p for p in seated.values()}

    runner, found = LocalRunner(known, IllegalPolicy(retries=0), concurrency=32), list[Episode]()
    queue = plans[::-1]
    event_loop.run(runner.run(lambda room: [queue.pop() for _ in range(min(room, len(queue)))], found.extend))
    return sorted((e for e in found if e.status == "finished"), key=lambda e: e.match)


def _row(episodes: Sequence[Episode]) -> list[object]:
    """Verdicts, accuracy with its interval, unreadable share, share of A or correct."""
    verdicts = [
        (judge, e.facts["verdicts"][judge], right) for e in episodes for judge, right in e.facts["agrees"].items()
    ]
    found = Accuracy.of([bool(right) for _, _, right in verdicts])
    unread = fmean(v is None for _, v, _ in verdicts)
    first = fmean(v in ("A", "correct") for _, v, _ in verdicts)
    return [found.tasks, found.rate, found.low, found.high, unread, first, "-"]


def _pair_row(episodes: Sequence[Episode]) -> list[object]:
    """As `_row`, and the share of pairs in which both orders name the same answer."""
    same = []
    for e in episodes:
        named = [e.facts["reads"][j]["AB".index(v)] if v else j for j, v in e.facts["verdicts"].items()]
        same.append(len(set(named)) == 1)
    return [*_row(episodes)[:-1], fmean(same)]


def _majority(episodes: Sequence[Episode]) -> list[object]:
    """Answers, their accuracy, that of the majority, and how far two rewards without labels follow the truth."""
    truth = [float(right) for e in episodes for right in e.facts["right"].values()]
    plain, shaped = (_credits(role, episodes) for role in ("majority-solver(novelty=false)", "majority-solver"))
    hits = []
    for e in episodes:
        paid = roles.make("majority-solver(novelty=false)").credit_batch([e])
        chosen = [seat for seat, reward in (paid or [{}])[0].items() if reward > 0]
        hits.append(bool(chosen) and bool(e.facts["right"][chosen[0]]))
    unread = fmean(a is None for e in episodes for a in e.facts["answers"].values())
    return [len(truth), fmean(truth), fmean(hits), unread, _r(plain, truth), _r(shaped, truth)]


def _credits(role: str, episodes: Sequence[Episode]) -> list[float]:
    return [reward for of in roles.make(role).credit_batch(episodes) or () for reward in of.values()]


def _r(one: Sequence[float], other: Sequence[float]) -> float:
    """Pearson's correlation; 0 if one side is constant."""
    try:
        return correlation(one, other)
    except StatisticsError:
        return 0.0


if __name__ == "__main__":
    main()
