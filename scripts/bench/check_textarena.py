"""Which of TextArena's environments pass `arena check`, and why the others do not.

Each environment is checked in a process of its own, because some hang, and some need minutes. Prints a table by cause,
and the dictionary of games/textarena/catalog.py. With `--out`, a later call goes on where an earlier one stopped.

    python scripts/bench/check_textarena.py [--seconds 5] [--limit 600] [--only Kuhn] [--out FILE.json]
"""

from __future__ import annotations

import argparse
import json
import multiprocessing
import re
import resource
import time
from collections import Counter
from multiprocessing.connection import Connection
from pathlib import Path

from _bench import machine_line, table

import games
from games.errors import ArenaError
from games.textarena.lookup import _VARIANTS, _registry

LONG = 5000
"""decisions that a match may take in a second check, if the default of 200 cuts every match off"""


def check(name: str, seconds: float, memory: int, answer: Connection) -> None:
    """Send (number of players, "" or why it fails)."""
    resource.setrlimit(resource.RLIMIT_AS, (memory, memory))
    time.monotonic = time.process_time  # the kit's time limit then counts this process alone, whatever else runs
    try:
        game = games.make(f"textarena/{name}")
        why = failure(game.spec.id, seconds)
        if why.startswith("ends:"):
            why = failure(f"textarena/{name}(max_turns={LONG})", 4 * seconds) or f"passes with max_turns={LONG}"
        answer.send((len(game.spec.seats), why))
    except ArenaError as error:
        answer.send((0, " ".join(str(error).split())[:160]))
    except BaseException as error:  # noqa: BLE001  an environment can do anything
        answer.send((0, f"{type(error).__name__}: {error}"[:160]))


def failure(id: str, seconds: float) -> str:
    """The first error that `arena check` finds, or an empty text."""
    report = games.check(id, episodes=30, max_seconds=seconds)
    failed = [f"{found.check}: {found.message}" for found in report.findings if found.severity == "error"]
    return " ".join(failed[0].split())[:160] if failed else ""


def checked(name: str, seconds: float, limit: float) -> tuple[int, str]:
    """`check` in a child process that is killed after `limit` seconds."""
    receiver, sender = multiprocessing.Pipe(duplex=False)
    child = multiprocessing.get_context("fork").Process(target=check, args=(name, seconds, 8 << 30, sender))
    child.start()
    sender.close()
    try:
        return receiver.recv() if receiver.poll(limit) else (0, f"not done within {limit:.0f} s")
    except EOFError:
        return 0, "the process died"
    finally:
        child.kill()
        child.join()


def cause(why: str) -> str:
    """The kind of an outcome."""
    if not why:
        return "pass"
    kind, _, error = why.partition(" cannot be made here: ")
    if error:
        return f"cannot be made: {error.partition(':')[0]}"
    return re.sub(r"seed \d+, turn \d+: |'player_\d+'", "", kind)[:50]


def main() -> None:
    """Print both."""
    options = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    options.add_argument("--seconds", type=float, default=5.0, help="of a processor, for each environment")
    options.add_argument("--limit", type=float, default=600.0, help="seconds before an environment's process is killed")
    options.add_argument("--only", default="", help="environments whose id matches this expression")
    options.add_argument("--out", help="write all outcomes to this file, and check no environment that it already has")
    given = options.parse_args()
    names = sorted(name for name in _registry() if not name.endswith(_VARIANTS) and re.search(given.only, name))
    kept = Path(given.out) if given.out else None
    found = json.loads(kept.read_text()) if kept and kept.exists() else {}
    for name in names:
        if name in found:
            continue
        found[name] = checked(name, given.seconds, given.limit)
        print(name, *found[name], flush=True)
        if kept:
            kept.write_text(json.dumps(found, indent=1) + "\n")
    print(machine_line("textarena"))
    print(table(["outcome", "environments"], Counter(cause(why) for _, why in found.values()).most_common()))
    print("CHECKED =", {name: players for name, (players, why) in found.items() if not why})


if __name__ == "__main__":
    main()
