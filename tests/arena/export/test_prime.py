"""Our games as environments of verifiers, run by the library: equal actions, equal rewards."""

import asyncio
import re
import zlib
from pathlib import Path

import pytest

import arena
import games
from arena import Decision
from games import InputError
from tests.arena.export.scripted_endpoint import endpoint
from tests.toys.players import Acting, writer

vf = pytest.importorskip("verifiers.v1", reason="the package verifiers is not installed")
EXAMPLES = Path(__file__).parents[3] / "scripts/examples/environments"


def choice(legal, seen):
    """An action that depends on what the seat reads."""
    return legal[zlib.crc32(seen.encode()) % len(legal)]


def decide(view):
    legal = view.legal
    return Decision(choice(legal, view.observation.text) if legal else "I offer 40. <offer>40</offer>")


SCRIPTED = Acting(decide)


def answer(messages):
    """The same policy behind an endpoint: it reads the observation and the legal actions in the last message."""
    last = messages[-1]["content"]
    found = re.fullmatch(r"(.*)\nLegal actions: (.*)\nYour action\?", last, re.DOTALL)
    return f"\\boxed{{{choice(found[2].split(', '), found[1])}}}" if found else "I offer 40. <offer>40</offer>"


def episodes(env, reply):
    """The finished episodes of all tasks of an environment, as the library runs them."""

    async def run(url):
        context = vf.ModelContext(model="m", client=vf.EvalClientConfig(base_url=url, api_key_var="SCRIPTED_KEY"))
        async with env.serving():
            return [await env.run_episode(task, context) for task in env.taskset]

    with endpoint(reply) as url:
        return asyncio.run(run(url))


@pytest.fixture(autouse=True)
def _environment(monkeypatch):
    monkeypatch.setenv("SCRIPTED_KEY", "none")
    monkeypatch.syspath_prepend(str(EXAMPLES))


def environment(game, **options):
    from selfplay_arena import load_environment

    return load_environment(game, **options)


@pytest.mark.parametrize("game", ["openspiel/kuhn_poker", "openspiel/leduc_poker", "openspiel/kuhn_poker(players=3)"])
def test_the_same_actions_get_the_same_reward(game):
    seats = list(games.make(game).spec.seats)
    found = episodes(environment(game, matches=2 * len(seats)), answer)
    assert all(e.ok for e in found), found[0].errors
    for number, episode in enumerate(found):
        seat, seed = seats[number % len(seats)], number // len(seats)
        native = arena.play(game, {s: SCRIPTED if s == seat else "random" for s in seats}, seed)
        (trace,) = episode.traces
        assert trace.reward == native.returns[seat]
        assert trace.info["arena"] == {"game": game, "seed": seed, "seat": seat, "status": "finished"}
        assert [m.content for m in trace.assistant_messages] == [
            f"\\boxed{{{turn.action}}}" for turn in native.turns if turn.seat == seat
        ]


def test_an_agent_that_takes_every_seat_has_a_conversation_for_each():
    (episode,) = episodes(environment("openspiel/kuhn_poker", opponent="", matches=1), answer)
    native = arena.play("openspiel/kuhn_poker", SCRIPTED, 0)
    assert {t.info["arena"]["seat"]: t.reward for t in episode.traces} == native.returns
    cards = [set(re.findall("Jack|Queen|King", t.transcript.rpartition("Your card")[2])) for t in episode.traces]
    assert all(len(card) == 1 for card in cards), "no conversation shows the other seat's card"


def test_answers_that_are_no_action_forfeit_as_in_the_arena():
    (episode,) = episodes(environment("openspiel/kuhn_poker", matches=1), lambda messages: "I am not sure.")
    (trace,) = episode.traces
    assert trace.reward == -2.0
    assert trace.metrics["forfeit"] == 1.0
    assert trace.metrics["refused"] >= 2
    assert "Refused" in trace.messages[-2].content


def test_a_limit_of_turns_forfeits_and_a_failing_endpoint_fails_the_episode():
    options = {"player": {"runtime": {"type": "subprocess"}, "max_turns": 0}}
    (episode,) = episodes(environment("openspiel/kuhn_poker", matches=1, **options), answer)
    assert (episode.traces[0].reward, episode.traces[0].stop_condition) == (-2.0, "max_turns")

    def away(messages):
        raise RuntimeError("no model here")

    (episode,) = episodes(environment("openspiel/kuhn_poker", matches=1), away)
    assert not episode.ok
    assert "no model here" in str([e.message for e in (*episode.errors, *episode.traces[0].errors)])


def test_a_game_that_goes_out_and_comes_back_pays_the_same():
    game = games.make("verifiers/selfplay-arena(game=openspiel/kuhn_poker,matches=20)")
    for seed in range(6):
        game.reset(seed)
        while game.acting:
            game.apply({"player": "\\boxed{Bet}"})
        number, seat = re.match(r".*#(\d+) (\S+)", game.facts()["task"]).groups()
        seats = {s: writer("Bet") if s == seat else "random" for s in ("player_0", "player_1")}
        assert game.returns() == {"player": arena.play("openspiel/kuhn_poker", seats, int(number)).returns[seat]}


def test_an_environment_pays_in_the_arena_what_the_library_pays():
    env = vf.load_environment(
        vf.resolve_env_config(
            {
                "taskset": {"id": "number-guess", "most": 4},
                "player": {"harness": {"id": "selfplay-arena"}, "runtime": {"type": "subprocess"}, "max_turns": 2},
            }
        )
    )
    in_library = {e.task.data.name: e.traces[0].reward for e in episodes(env, lambda messages: f"[{len(messages)}]")}
    game, in_arena = games.make("verifiers/number-guess(most=4)"), {}
    for seed in range(40):
        game.reset(seed)
        for text in ("[1]", "[3]"):  # the number of messages that the agent has read
            if game.acting:
                game.apply({"player": text})
        if not game.acting:
            in_arena[game.facts()["task"]] = game.returns()["player"]
    assert in_arena.items() <= in_library.items()
    assert set(in_arena.values()) == {1.0}
    assert in_library == {"1": 1.0, "2": 0.0, "3": 1.0, "4": 0.0}


@pytest.mark.parametrize(
    ("game", "options", "words"),
    [("nothing", {}, "unknown game"), ("openspiel/kuhn_poker", {"seat": "player_7"}, "has no seat 'player_7'")],
)
def test_a_wrong_game_or_seat_gets_one_line(game, options, words):
    with pytest.raises(InputError, match=words):
        list(environment(game, **options).taskset)


def test_the_documentation_shows_code_that_runs(capsys):
    page = Path(__file__).parents[3] / "docs/other-libraries.md"
    (code,) = [b for b in re.findall(r"```python\n(.*?)```", page.read_text(), re.DOTALL) if "selfplay_arena" in b]
    exec(code, {})
    assert "openspiel/kuhn_poker#2 player_1" in capsys.readouterr().out
