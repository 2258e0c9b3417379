"""What critiques and second attempts change: right answers before and after, with a critic and without.

    python scripts/bench/bench_refine.py "llm(model=smollm2-135m, max_tokens=20)" [...] [--matches 40]
        [--tasks "arithmetic(operation=add, digits=1)"]

The player takes every seat of refine (one refiner). The plain counterpart, on the same seeds, has no critic: the
refiner sees the same kind of answer alone. Half of the shown answers are right by construction.
"""

from __future__ import annotations

import argparse
from collections.abc import Sequence

from _bench import machine_line, table

import games
from arena import event_loop, players
from arena.evaluation.suite import Accuracy
from arena.match import Episode, IllegalPolicy, MatchPlan
from arena.players import Player
from arena.runner.local import LocalRunner
from games.randomness import derive
from roles.rewards.credit import outcomes


def main() -> None:
    """Play and print a table."""
    options = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    options.add_argument("players", nargs="+")
    options.add_argument("--matches", type=int, default=40)
    options.add_argument("--tasks", default="arithmetic(operation=add,digits=1)")
    options.add_argument("--seed", type=int, default=0)
    given = options.parse_args()
    source = games.tasks.make(given.tasks)
    print(machine_line("torch", "transformers"), end="\n\n")
    rows = []
    for id in given.players:
        player = players.make(id)
        player.name = player.name or id
        for critic in ("true", "false"):
            game = f"refine(refiners=1,critic={critic},tasks={source.id})"
            rows.append([id, critic, *_row(_played(game, player, given))])
        player.close()
    head = ["player", "critic", "matches", "first right", "kept right", "mended wrong", "verdict right", "withheld"]
    print(table(head, rows))


def _played(id: str, player: Player, given: argparse.Namespace) -> list[Episode]:
    """The finished matches, the player in every seat."""
    spec = games.make(id).spec
    seats = dict.fromkeys(spec.seats, player.name)
    queue = [MatchPlan(f"{n}", spec.id, derive(given.seed, "refine", n), seats) for n in reversed(range(given.matches))]
    runner, found = LocalRunner({player.name: player}, IllegalPolicy(retries=0), concurrency=32), list[Episode]()
    event_loop.run(runner.run(lambda room: [queue.pop() for _ in range(min(room, len(queue)))], found.extend))
    return [e for e in found if e.status == "finished"]


def _row(episodes: Sequence[Episode]) -> list[object]:
    """Counts with 95% intervals: first answers, refined ones by what was shown, verdicts, critiques withheld."""
    by_seat = list(map(outcomes, episodes))
    refiners = [of["refiner_0"] for of in by_seat if of["refiner_0"].asked]
    critics = [of["critic"] for of in by_seat if "critic" in of and of["critic"].asked]
    return [
        len(by_seat),
        _share([bool(of["solver"].right) for of in by_seat]),
        _share([bool(one.right) for one in refiners if one.label]),
        _share([bool(one.right) for one in refiners if not one.label]),
        _share([bool(one.right) for one in critics]),
        sum(one.broke for one in critics),
    ]


def _share(hits: Sequence[bool]) -> str:
    """Right of all, and the interval of the share."""
    found = Accuracy.of(list(hits))
    return f"{found.right} of {found.tasks} [{found.low:.2f}, {found.high:.2f}]" if hits else "-"


if __name__ == "__main__":
    main()
