"""The player `human`: corrections, timeouts, the end of the input, an event loop that keeps running, and a real pty."""

import asyncio
import os
import pty
import queue
import re
import select
import subprocess
import sys
import threading
import time
from pathlib import Path

import pytest

from arena import MatchPlan, players
from arena.cli.show import outcome_lines
from arena.match import play_async
from arena.players.human import Console, Human
from games import InputError, Observation
from games.errors import RunPaused
from tests import golden
from tests.toys.small_games import Auction, Race


class Typist:
    """Returns lines one by one, then the end of the input."""

    def __init__(self, *lines):
        self.lines, self.shown = list(lines), ""

    def read(self):
        return self.lines.pop(0) + "\n" if self.lines else ""

    def human(self):
        return Human(reader=self.read, writer=self.write)

    def write(self, text):
        self.shown += text


def _match(game, seats, timeout=None):
    plan = MatchPlan("m", game.spec.id, 3, {seat: player.name for seat, player in seats.items()})
    return asyncio.run(play_async(game, plan, seats, timeout=timeout))


def _race(human):
    return _match(Race(), {"player_0": human, "player_1": players.make("random")})


def test_a_match_is_played_from_typed_lines():
    typist = Typist(*["1"] * 9)
    episode = _race(typist.human())
    assert episode.status == "finished"
    assert {turn.action for turn in episode.turns if turn.seat == "player_0"} == {"1"}
    first = "\n== race-v0\nTake 1 or 2.\n(? shows this again, quit leaves)\n"
    first += f"\n-- player_0 (first)\n{_pile()} left\nlegal: 1  2\n> "
    assert typist.shown.startswith(first)
    assert typist.shown.count("Take 1 or 2.") == 1


def _pile():
    game = Race()
    game.reset(3)
    return game.pile


def test_a_slip_is_told_and_asked_again_without_costing_an_attempt():
    typist = Typist("", "three", " 1. ", *["1"] * 9)
    episode = _race(typist.human())
    assert episode.status == "finished"
    assert all(len(turn.attempts) == 1 for turn in episode.turns)
    assert "'three' is not a legal action; legal now: 1, 2\n> " in typist.shown
    assert episode.turns[0].attempts[0].text == "1."


@pytest.mark.parametrize("asked", ["?", "help", " HELP "])
def test_help_shows_rules_position_and_actions_again(asked):
    typist = Typist(asked, *["1"] * 9)
    episode = _race(typist.human())
    assert episode.status == "finished"
    assert all(len(turn.attempts) == 1 for turn in episode.turns)
    shown = f"Take 1 or 2.\n-- player_0 (first)\n{_pile()} left\nType one of: 1  2\n? or help shows this, quit leaves"
    assert shown in typist.shown


def test_help_on_a_turn_of_free_text_names_examples():
    left = Typist("?", "7")
    _match(Auction(), {"left": left.human(), "right": Typist("3").human()})
    assert "Type any text as your action\nsuch as: 0  1  2\n" in left.shown


def test_quit_leaves_the_match_void():
    episode = _race(Typist("quit").human())
    assert (episode.status, episode.reason) == ("void", "player_0 of race-v0 left the match")
    _, *seats = outcome_lines(episode)
    assert [line.partition(": ")[2] for line in seats] == ["no return  (made the match void)", "no return"]


def test_a_game_may_use_these_words_itself():
    class Shouts(Race):
        def legal(self, seat):
            return ("?", "quit") if super().legal(seat) else ()

        def apply(self, actions):
            self.pile, self.mover = self.pile - 1, 1 - self.mover

    typist = Typist(*["quit", "?"] * 5)
    episode = _match(Shouts(), {"player_0": typist.human(), "player_1": players.make("random")})
    assert episode.status == "finished"
    assert {"quit", "?"} >= {turn.action for turn in episode.turns}


def test_long_lines_are_cut_between_words_and_short_ones_stay(monkeypatch):
    monkeypatch.setenv("COLUMNS", "40")
    board = "\n".join(["+---+---+", "|   | x |", "  indented"])

    class Wordy(Race):
        def observe(self, seat):
            return Observation(f"{board}\n{'wonderful words ' * 12}\n{'x' * 90}")

    typist = Typist(*["1"] * 9)
    _match(Wordy(), {"player_0": typist.human(), "player_1": players.make("random")})
    lines = typist.shown.split("\n")
    assert all(len(line) <= 40 for line in lines)
    assert board in typist.shown
    assert {word for line in lines if line.startswith("wonderful") for word in line.split()} == {"wonderful", "words"}


def test_what_the_game_refuses_is_shown_with_its_reason():
    left, right = Typist("a million", "7"), Typist("3")
    episode = _match(Auction(), {"left": left.human(), "right": right.human()})
    assert episode.returns == {"left": 1.0, "right": -1.0}
    assert [a.category for a in episode.turns[0].attempts] == ["illegal", "ok"]
    assert "refused: 'a million' is not a number from 0 to 9\n> " in left.shown
    assert "legal:" not in left.shown


def test_the_end_of_the_input_pauses_a_run_with_a_reason():
    with pytest.raises(RunPaused, match="input ended before player_0 of race-v0 answered; a human needs a terminal"):
        _race(Typist("1").human())


def test_a_terminal_that_cannot_be_read_pauses_a_run():
    def broken():
        raise OSError("no such device")

    with pytest.raises(RunPaused, match="cannot read the terminal: no such device"):
        _race(Human(reader=broken, writer=str))


def test_the_loop_runs_while_the_human_thinks():
    typed = threading.Event()

    def read():
        typed.wait(240)
        return "1\n"

    async def scene():
        game = Race()
        plan = MatchPlan("m", "race-v0", 3, {"player_0": "a", "player_1": "b"})
        seats = {"player_0": Human(reader=read, writer=str), "player_1": players.make("random")}
        match = asyncio.create_task(play_async(game, plan, seats))
        for _ in range(100):  # the loop runs although nobody types
            await asyncio.sleep(0)
        assert not match.done()
        typed.set()
        return await match

    assert asyncio.run(scene()).status == "finished"


def test_who_never_types_times_out_and_forfeits():
    never = threading.Event()
    seats = {"player_0": Human(reader=lambda: str(never.wait(240)), writer=str), "player_1": players.make("random")}
    episode = _match(Race(), seats, timeout=0.01)
    never.set()
    assert episode.status == "forfeit"
    assert [a.category for a in episode.failure] == ["timeout"] * 3


class Slow:
    """A reader whose lines come when the test sends them; counts concurrent reads."""

    def __init__(self):
        self.lines, self.reads, self.under_way, self.most = queue.Queue(), 0, 0, 0

    def __call__(self):
        self.reads += 1
        self.under_way += 1
        self.most = max(self.most, self.under_way)
        line = self.lines.get(timeout=240)
        self.under_way -= 1
        return line


async def _cancelled(console, reader, question):
    task, reads = asyncio.create_task(console.ask(question)), reader.reads
    while reader.reads == reads and not reader.under_way:
        await asyncio.sleep(0)
    task.cancel()
    await asyncio.wait([task])


def test_a_cancelled_question_leaves_its_read_to_the_next_one():
    """With two readers the line would answer the cancelled question."""
    reader = Slow()

    async def scene():
        console = Console(reader, str)
        await _cancelled(console, reader, "a")
        await _cancelled(console, reader, "b")
        next_one = asyncio.create_task(console.ask("c"))
        await asyncio.sleep(0)
        reader.lines.put("1\n")
        return await next_one

    assert asyncio.run(scene()) == "1\n"
    assert (reader.reads, reader.most) == (1, 1)


def test_a_line_typed_for_a_cancelled_question_answers_no_other():
    reader = Slow()

    async def scene():
        console = Console(reader, str)
        await _cancelled(console, reader, "a")
        reader.lines.put("late\n")
        while reader.under_way or not console._pending.done():
            await asyncio.sleep(0)
        next_one = asyncio.create_task(console.ask("b"))
        reader.lines.put("1\n")
        return await next_one

    assert asyncio.run(scene()) == "1\n"


def test_a_read_outlives_the_loop_that_asked():
    """After an interrupt the old loop is closed but the thread still reads; its line answers the new loop."""
    reader = Slow()
    console = Console(reader, str)
    asyncio.run(_cancelled(console, reader, "a"))

    async def scene():
        task = asyncio.create_task(console.ask("b"))
        await asyncio.sleep(0)
        reader.lines.put("1\n")
        return await task

    assert asyncio.run(scene()) == "1\n"
    assert reader.most == 1


def test_the_command_line_cannot_set_a_reader():
    with pytest.raises(InputError, match="human takes no parameters"):
        players.make("human(reader=x)")


SCRIPT = golden.text(__file__, "human_script.py.txt")


class Terminal:
    """A process behind a real pseudo-terminal."""

    def __init__(self):
        self.master, slave = pty.openpty()
        root = Path(__file__).parents[3]
        plain = os.environ | {"PYTHON_COLORS": "0"}  # of tracebacks
        self.process = subprocess.Popen(
            [sys.executable, "-c", SCRIPT],
            stdin=slave, stdout=slave, stderr=slave, cwd=root, env=plain, start_new_session=True,
        )  # fmt: skip
        os.close(slave)
        self.seen = ""

    def expect(self, pattern):
        """Read until `pattern` appears in the output since the last match."""
        end = time.monotonic() + 240
        while not (found := re.search(pattern, self.seen)):
            ready = select.select([self.master], [], [], max(0.0, end - time.monotonic()))[0]
            assert ready, f"{pattern!r} did not show; seen: {self.seen!r}"
            try:
                chunk = os.read(self.master, 4096)
            except OSError:  # Linux, if the other side is closed
                chunk = b""
            assert chunk, f"{pattern!r} did not show before the end; seen: {self.seen!r}"
            self.seen += chunk.decode()
        self.seen = self.seen[found.end() :]
        return found

    def type(self, text):
        os.write(self.master, text.encode())

    def close(self):
        self.process.kill()
        self.process.wait()
        os.close(self.master)


@pytest.fixture
def terminal():
    opened = Terminal()
    yield opened
    opened.close()


def test_a_match_is_typed_through_a_real_terminal(terminal):
    terminal.type("2\n")  # typed ahead, before the first question
    terminal.expect(r"== race-v0\s")
    for _ in range(20):
        asked = terminal.expect(r"-- player_(\d) |END (\w+)")
        if asked[2]:
            break
        terminal.expect("> ")
        terminal.type("1\n")
    assert asked[2] == "finished"
    assert terminal.process.wait(240) == 0


def test_control_d_pauses_the_run(terminal):
    terminal.expect("legal: 1  2\r\n> ")
    terminal.type("\x04")
    terminal.expect("RunPaused: the input ended before player_0")
    assert terminal.process.wait(240) == 1


def test_control_c_ends_at_once_though_a_line_is_awaited(terminal):
    terminal.expect("legal: 1  2\r\n> ")
    os.killpg(terminal.process.pid, 2)
    terminal.expect("KeyboardInterrupt")
    assert terminal.process.wait(240) in (-2, 130, 1)
