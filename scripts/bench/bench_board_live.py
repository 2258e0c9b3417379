"""Processor share of the live board in a terminal: 64 players whose ratings change four times a second.

A child process runs the board under a pseudo-terminal; this one reads its output and types. `keys` are pressed at the
rate of a patient user, `held` at that of a key that is held down, `pages` goes through all pages, `wheel` turns the
mouse wheel. First frame: from the start of the import of the board to the first bytes of a frame with players.

    .venv/bin/python scripts/bench/bench_board_live.py [--seconds 20] [--players 64] [--columns 200] [--lines 70]

At most 3% of a core is wanted. A pause after each frame does not keep to that: measured in wall time, it is shorter on
a quiet machine. So frames have a budget of processor time (league/board/live.py): single keys are answered at
once, a held key is not. The key parser of prompt_toolkit takes 40 to 80 ms to import, so it is imported at the first
key; blessed takes no less and queries the terminal when it starts.
"""

from __future__ import annotations

import argparse
import fcntl
import json
import os
import random
import select
import struct
import subprocess
import sys
import termios
import time
from collections.abc import Iterator

from _bench import machine_line, table

KINDS: dict[str, tuple[float, tuple[bytes, ...]]] = {
    "no keys": (1.0, ()),
    "keys": (0.3, (b"j", b"j", b"s", b"i", b"\t", b"\x1b[Z", b"\x1b[6~", b"\x1b[5~")),
    "held": (1 / 30, (b"\x1b[B",)),
    "pages": (0.5, (b"?", b"\x1b[6~", b"l", b"p", b"\x1b", b"\r", b"\t", b"\t", b"\x1b")),
    "wheel": (1 / 20, (b"\x1b[<65;10;20M", b"\x1b[<65;10;20M", b"\x1b[<64;10;20M")),
}
"""what is typed: seconds between two keys, and the keys, over and over"""


def child(players: int, seconds: float, figures: int) -> None:
    """Run the board and write what was measured to the descriptor `figures`."""
    begin = time.perf_counter()
    import msgspec
    from bench_board import made_up

    from league.board import open_board

    imported = time.perf_counter() - begin
    state, rng = made_up(players), random.Random(2)
    with open_board("live", watching=True) as board:
        board.update(state)
        time.sleep(1.0)  # the import of the key parser is not part of the share
        start, spent = time.perf_counter(), time.process_time()
        while time.perf_counter() - start < seconds:
            rows = tuple(
                msgspec.structs.replace(row, rating=row.rating + rng.gauss(0, 0.2)) for row in state.snapshot.standings
            )
            snapshot = msgspec.structs.replace(state.snapshot, standings=rows)
            board.update(msgspec.structs.replace(state, snapshot=snapshot, elapsed=time.perf_counter() - start))
            time.sleep(0.25)
        share = (time.process_time() - spent) / (time.perf_counter() - start)
        os.write(figures, json.dumps({"begin": begin, "imported": imported, "share": share}).encode())


def typed(kind: str) -> Iterator[tuple[float, bytes]]:
    """Seconds to wait and a key, without end."""
    pause, keys = KINDS[kind]
    while True:
        for key in keys or (b"",):
            yield pause, key


def measure(kind: str, given: argparse.Namespace) -> dict[str, float]:
    """Run one board and type at it."""
    master, slave = os.openpty()
    fcntl.ioctl(master, termios.TIOCSWINSZ, struct.pack("HHHH", given.lines, given.columns, 0, 0))
    figures, write = os.pipe()
    command = [sys.executable, __file__, "--figures", str(write)]
    command += ["--players", str(given.players), "--seconds", str(given.seconds)]
    terminal = {"stdin": slave, "stdout": slave, "stderr": slave}
    process = subprocess.Popen(command, pass_fds=(write,), start_new_session=True, **terminal)
    os.close(slave)
    os.close(write)
    keys, size, first = typed(kind), 0, 0.0
    due = time.perf_counter() + 2.0
    while process.poll() is None:
        if select.select([master], [], [], max(0.0, min(0.05, due - time.perf_counter())))[0]:
            try:
                data = os.read(master, 1 << 16)
            except OSError:  # the board has ended
                break
            size += len(data)
            if not first and b"player-0" in data:
                first = time.perf_counter()
        if time.perf_counter() >= due:
            pause, key = next(keys)
            os.write(master, key)
            due = time.perf_counter() + pause
    process.wait(30)
    found = json.loads(os.read(figures, 1 << 12))
    for fd in (master, figures):
        os.close(fd)
    return {
        "share": found["share"],
        "imported": found["imported"],
        "first": first - found["begin"],
        "rate": size / given.seconds / 1000,
    }


def main() -> None:
    """Measure and print."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--players", type=int, default=64)
    parser.add_argument("--columns", type=int, default=200)
    parser.add_argument("--lines", type=int, default=70)
    parser.add_argument("--seconds", type=float, default=20.0)
    parser.add_argument("--figures", type=int, help=argparse.SUPPRESS)
    given = parser.parse_args()
    if given.figures is not None:
        child(given.players, given.seconds, given.figures)
        return
    rows = []
    for kind in KINDS:
        found = measure(kind, given)
        rows.append(
            [kind, f"{found['share']:.1%}", f"{found['imported']:.2f}", f"{found['first']:.2f}", f"{found['rate']:.0f}"]
        )
    print(machine_line())
    print(f"{given.players} players on {given.columns} x {given.lines}, {given.seconds:.0f} s each")
    print(table(["typed", "CPU share", "import, s", "first frame, s", "kB/s"], rows))


if __name__ == "__main__":
    main()
