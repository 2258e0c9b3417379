"""Before a run, the longest prompt of a game is compared with what each player reads."""

from dataclasses import replace

import pytest

import games
from arena.players import Player
from arena.players.bots.random import RandomPlayer
from arena.players.composite import Composite
from arena.players.endpoint.player import Endpoint
from arena.players.llm import LLM
from arena.players.prompt_room import prompt_warnings
from tests.arena.inference import tiny
from tests.arena.small_games import Race


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
