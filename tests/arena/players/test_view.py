"""The view of a turn, and the room it leaves for a prompt."""

from collections import Counter
from dataclasses import replace

import msgspec
import pytest

import games
from arena import Decision, View
from arena.match.seat_seeds import seat_seeds
from arena.players import Player
from arena.players.bots.random import RandomPlayer
from arena.players.composite import Composite
from arena.players.endpoint.player import Endpoint
from arena.players.llm import LLM
from arena.players.prompt_room import prompt_warnings
from games.randomness import POWERS, derive
from tests.arena.inference import tiny
from tests.toys.small_games import Race


def view(seat_seed):
    game = games.make("openspiel/matrix_rps")
    game.reset(1)
    return View(game, "player_0", "player", game.legal("player_0"), seat_seed, 0)


def test_a_second_draw_is_independent_of_the_first():
    """The plugin of the guide: a move with probability 0.5, else any move."""
    drawn: Counter[int] = Counter()
    for seed in range(3000):
        of = view(seed)
        drawn[0 if of.rng.random() < 0.5 else of.rng.below(3)] += 1
    assert [round(drawn[move] / 3000, 1) for move in range(3)] == [0.7, 0.2, 0.2]


def test_the_same_turn_draws_the_same_and_another_attempt_draws_anew():
    first, again = view(7), view(7)
    assert [first.rng.bits(), first.rng.bits()] == [again.rng.bits(), again.rng.bits()]
    other = msgspec.structs.replace(first, rejected=(Decision("x"),))
    assert other.rng.bits() != view(7).rng.bits()


def chi_square(counts, cells):
    expected = sum(counts.values()) / cells
    assert len(counts) <= cells
    return sum((counts[cell] - expected) ** 2 / expected for cell in counts) + expected * (cells - len(counts))


def test_choices_of_turns_seats_and_the_deal_are_uniform_and_independent():
    """Matches of consecutive seeds: one seat's first four choices together; both seats' first ones beside the cards."""
    game = games.make("openspiel/kuhn_poker")
    players = dict.fromkeys(game.spec.seats, RandomPlayer())
    turns, deals = Counter[tuple[str, ...]](), Counter[tuple[str, ...]]()
    for seed in range(8100):
        seeds = seat_seeds(seed, players, game.spec.seats)
        game.reset(seed)
        views = [View(game, "player_0", "player", None, seeds["player_0"], turn) for turn in (0, 2, 4, 9)]
        turns[tuple(each.choice("abc") for each in views)] += 1
        first = [View(game, seat, "player", None, seeds[seat], 0).choice("abc") for seat in seeds]
        cards = str(game.openspiel_state())
        deals[cards, *first] += 1
    assert chi_square(turns, 81) < 124.8  # the quantile .999 with 80 degrees of freedom
    assert chi_square(deals, 54) < 90.6  # 53 degrees


def test_choices_along_a_long_match_are_independent():
    """Pairs of choices up to eight turns apart, over all turns that have a power and some that have none."""
    pairs: dict[int, Counter[str]] = {lag: Counter() for lag in range(1, 9)}
    made = games.make("openspiel/kuhn_poker")
    for seed in range(60):
        of = View(made, "player_0", "player", None, derive(seed, "long"), 0)
        drawn = [msgspec.structs.replace(of, turn=turn).choice("abcde") for turn in range(len(POWERS) + 20)]
        for lag, counts in pairs.items():
            counts.update(a + b for a, b in zip(drawn, drawn[lag:], strict=False))
    for counts in pairs.values():
        assert chi_square(counts, 25) < 54.0  # .9995 with 24 degrees; eight of them hold together with .996


def test_another_attempt_chooses_anew_and_the_stream_is_independent_of_the_choice():
    rejected, streams, n = 0, Counter[tuple[str, str]](), 1800
    for seed in range(n):
        of = view(derive(seed, "attempt"))
        failed = msgspec.structs.replace(of, rejected=(Decision("x"),))
        assert of.choice("abc") == of.choice("abc")
        rejected += of.choice("abc") == failed.choice("abc")
        streams[of.choice("abc"), of.rng.choice("abc")] += 1
    assert abs(rejected / n - 1 / 3) < 4 * (2 / 9 / n) ** 0.5
    assert chi_square(streams, 9) < 26.1  # 8 degrees


class Reader(Player):
    def __init__(self, prompt_room: int | None) -> None:
        self.prompt_room = prompt_room


@pytest.mark.parametrize(
    ("most", "room", "warns"), [(9000, 8999, True), (9000, 9000, False), (None, 10, False), (9000, None, False)]
)
def test_a_game_whose_longest_prompt_may_not_fit_is_named_with_who_reads_less(most, room, warns):
    spec = replace(Race.spec, prompt_bytes=most)
    lines = list(prompt_warnings({"small": Reader(room), "wide": Reader(10**6)}, [spec]))
    assert len(lines) == warns
    for line in lines:
        assert "the longest prompt of race-v0 may have 9,000 bytes" in line
        assert "small at most 8,999. " in line
        assert "wide" not in line


def test_a_model_reads_its_context_without_the_answer():
    pytest.importorskip("openai")
    endpoint = Endpoint("m", "http://127.0.0.1:9/v1", context=4096, max_tokens=96)
    assert endpoint.prompt_room == 4000
    assert Endpoint("m", "http://127.0.0.1:9/v1").prompt_room is None
    assert Composite({"a": endpoint, "b": Reader(3000), "c": RandomPlayer()}).prompt_room == 3000


def test_a_local_model_reads_its_context_without_the_answer():
    engine = tiny.engine(tiny.loaded(context=4096, scale=0.25))
    try:
        assert LLM(max_tokens=96, engine=engine).prompt_room == 4000
    finally:
        engine.close()


def test_the_longest_prompt_follows_from_messages_and_turns_unless_a_game_states_it():
    short, long = (games.make(f"taboo-v2(turns={turns})").spec.prompt_bytes for turns in (1, 5))
    assert short is not None
    assert long is not None
    assert long - short >= 8 * 4000
    assert games.make("openspiel/kuhn_poker").spec.prompt_bytes is None
