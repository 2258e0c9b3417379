"""The engine on a real vLLM: exact policies, stored probabilities, seeds, new weights, adapters, crashes."""

from __future__ import annotations

import asyncio
import math
import os
import signal
import subprocess
import sys
import time
from pathlib import Path
from typing import Any

import pytest

from arena.inference import Completion, Request, engine_for, release
from arena.inference.vllm.settings import NUCLEUS
from games.errors import InfrastructureError, InputError, RunPaused
from tests.real.vllm.conftest import MODEL

pytestmark = [
    pytest.mark.vllm,
    pytest.mark.timeout(2400),
    # vLLM leaves sockets to the garbage collector.
    pytest.mark.filterwarnings("ignore::ResourceWarning", "ignore::pytest.PytestUnraisableExceptionWarning"),
]

ROOT = Path(__file__).parents[3]
ENV = os.environ | {"PYTHONPATH": str(ROOT)}
NEAR = 2e-3  # of log probabilities in float32; two libraries add in different orders
CHAT = [
    {"role": "system", "content": "You play kuhn poker against one opponent. Answer with your action."},
    {"role": "user", "content": "Your card is the king. Legal actions: bet, pass. Your action?"},
]
ACTIONS = ["bet", "pass", "raise all in", "raise", "betray"]


def run(*work):
    async def all_of() -> list[Any]:
        return await asyncio.gather(*work)

    return asyncio.run(all_of())


def asked(engine, seed=0, **changes):
    return Request(engine.encode_chat(CHAT), seed, **changes)


def logprobs_of(engine, prompt, ids):
    """Log probabilities from one plain forward pass of transformers."""
    import torch

    model = engine._free._forward.model
    with torch.inference_mode():
        logits = model(torch.tensor([[*prompt, *ids]])).logits[0, len(prompt) - 1 : -1].float()
    return torch.log_softmax(logits, -1).gather(1, torch.tensor(ids)[:, None])[:, 0].tolist()


def test_it_describes_itself(engine, reference):
    assert engine.about.startswith("vLLM ")
    assert engine.context <= reference.context
    assert engine.encode_chat(CHAT) == reference.encode_chat(CHAT)
    assert engine_for(MODEL, "fp32", "auto", "vllm") is engine
    release(engine)


@pytest.mark.parametrize("temperature", [1.0, 0.4, 0.0])
def test_the_exact_policy_is_that_of_transformers(engine, reference, temperature):
    prompt, choices = engine.encode_chat(CHAT), engine.encode_choices(ACTIONS)
    own, other = run(
        engine.policy(prompt, choices, temperature=temperature),
        reference.policy(prompt, choices, temperature=temperature),
    )
    assert sum(own) == pytest.approx(1.0)
    assert own == pytest.approx(other, abs=NEAR)


def test_choices_are_drawn_as_on_transformers_and_recorded_in_full(engine, reference):
    choices = engine.encode_choices(ACTIONS)
    requests = [asked(engine, seed, choices=choices, temperature=3.0) for seed in range(40)]
    own, other = run(*(engine.complete(r) for r in requests)), run(*(reference.complete(r) for r in requests))
    (policy,) = run(engine.policy(requests[0].prompt_ids, choices, temperature=3.0))
    assert len({c.choice for c in own}) > 2
    assert sum(a.choice == b.choice for a, b in zip(own, other, strict=True)) >= 38  # rounding may change a draw
    for completion in own:
        assert completion.ids == choices[completion.choice]
        assert math.exp(sum(completion.logprobs)) == pytest.approx(policy[completion.choice], rel=1e-6)
        assert len(completion.allowed) == len(completion.ids)
        assert all(token in allowed for token, allowed in zip(completion.ids, completion.allowed, strict=True))


def test_more_alternatives_than_one_request_scores(engine, reference):
    prompt = engine.encode_chat(CHAT)
    end = engine.codec.end_of_turn
    choices = tuple((token, end) for token in range(1000, 1300))
    own, other = run(engine.policy(prompt, choices), reference.policy(prompt, choices))
    assert own == pytest.approx(other, abs=NEAR)


def test_free_text_keeps_what_was_sampled(engine, reference):
    (completion,) = run(engine.complete(asked(engine, 3, max_tokens=20)))
    assert len(completion.ids) == len(completion.logprobs) == 20 or completion.finish == "stop"
    assert completion.allowed is None
    assert list(completion.logprobs) == pytest.approx(
        logprobs_of(reference, engine.encode_chat(CHAT), completion.ids), abs=NEAR
    )
    assert completion.text == engine.tokenizer.decode(completion.ids, skip_special_tokens=True)


def test_temperature_and_nucleus_are_in_the_stored_probabilities(engine, reference):
    import torch

    (completion,) = run(engine.complete(asked(engine, 5, max_tokens=12, temperature=0.7, top_p=0.8)))
    prompt, model = engine.encode_chat(CHAT), reference._free._forward.model
    with torch.inference_mode():
        logits = model(torch.tensor([[*prompt, *completion.ids]])).logits[0, len(prompt) - 1 : -1].float() / 0.7
    for row, token, logp, allowed in zip(logits, completion.ids, completion.logprobs, completion.allowed, strict=True):
        kept = torch.tensor(allowed)
        assert token in allowed
        probs = torch.softmax(row, -1)
        mass = float(probs[kept].sum() / probs.topk(NUCLEUS).values.sum())
        assert mass >= 0.8 - NEAR
        assert mass - float(probs[kept].min()) < 0.8 + NEAR  # and no token more than necessary
        assert float(row[token] - torch.logsumexp(row[kept], 0)) == pytest.approx(logp, abs=NEAR)


def test_temperature_zero_gives_the_most_probable_text(engine, reference):
    request = asked(engine, 1, max_tokens=16, temperature=0.0)
    (own,), (other,) = run(engine.complete(request)), run(reference.complete(request))
    assert (own.ids, own.text, own.finish) == (other.ids, other.text, other.finish)
    assert set(own.logprobs) == {0.0}


def test_stop_rules(engine):
    (free,) = run(engine.complete(asked(engine, 3, max_tokens=20)))
    stop = free.ids[4]
    (stopped,) = run(engine.complete(asked(engine, 3, max_tokens=20, stop_ids=(stop,))))
    assert stopped.finish == "stop"
    assert stopped.ids[-1] == stop
    assert stopped.ids == free.ids[: len(stopped.ids)]
    assert engine.tokenizer.decode([stop]) not in stopped.text or stop in stopped.ids[:-1]


def test_the_seed_decides_in_any_batch(engine):
    requests = [asked(engine, seed, max_tokens=10) for seed in range(48)]
    (alone,) = run(engine.complete(requests[7]))
    together = run(*(engine.complete(r) for r in requests))
    assert together[7].ids == alone.ids
    assert len({c.ids for c in together}) > 40


def test_many_prefixes_and_sampling_settings_in_one_batch(engine):
    """vLLM's batch is sorted again whenever a request ends and another replaces it."""
    games = [[{"role": "system", "content": f"The rules of game {k}. " * 30}, CHAT[1]] for k in range(5)]
    requests = [
        Request(
            engine.encode_chat(games[i % 5]),
            i,
            max_tokens=3 + 5 * (i % 4),
            temperature=(0.0, 0.7, 1.0)[i % 3],
            top_p=1.0 if i % 2 else 0.9,
        )
        for i in range(80)
    ]
    together = run(*(engine.complete(request) for request in requests))
    for request, found in list(zip(requests, together, strict=True))[::9]:
        (alone,) = run(engine.complete(request))
        assert found.ids == alone.ids
        assert found.logprobs == pytest.approx(alone.logprobs, abs=NEAR)


def test_a_request_that_cannot_be_answered_fails_alone(engine):
    good = asked(engine, 1, max_tokens=3)
    bad = [Request((), 0), Request((5,) * (engine.context + 1), 0), Request((10**9,), 0)]

    async def both() -> list[Any]:
        return await asyncio.gather(*(engine.complete(r) for r in [good, *bad]), return_exceptions=True)

    first, *rest = asyncio.run(both())
    assert isinstance(first, Completion)
    assert all(isinstance(e, InfrastructureError) and "cannot answer" in str(e) for e in rest)


def test_prefixes_are_read_once(engine):
    before = engine.stats
    long = [{"role": "system", "content": "The rules are long. " * 40}, CHAT[1]]
    for seed in range(3):
        run(engine.complete(Request(engine.encode_chat(long), seed, max_tokens=2)))
    after = engine.stats
    assert after.requests == before.requests + 3
    assert after.prefix_tokens - before.prefix_tokens >= 2 * 128


def test_new_weights_answer_as_the_trainers_own(engine, reference):
    """Publish full weights and restore the old ones; running requests finish with the weights they started with."""
    import torch

    from arena.inference import models

    choices, prompt = engine.encode_choices(ACTIONS), engine.encode_chat(CHAT)
    (before,) = run(engine.policy(prompt, choices))
    trained = models.load(MODEL, "fp32", "cpu").model
    original = {name: tensor.clone() for name, tensor in trained.state_dict().items()}
    torch.manual_seed(0)
    with torch.no_grad():
        for tensor in trained.parameters():
            tensor.mul_(1 + 0.05 * torch.randn(())).add_(0.002 * torch.randn_like(tensor))

    async def publish_while_playing() -> Completion:
        writing = asyncio.create_task(engine.complete(asked(engine, 1, max_tokens=24)))
        await asyncio.sleep(0)
        await asyncio.to_thread(engine.publish, trained.state_dict(), 7)
        return await writing

    try:
        assert asyncio.run(publish_while_playing()).version in (0, 7)
        assert engine.version == 7
        (completion,) = run(engine.complete(asked(engine, 2, max_tokens=8)))
        assert completion.version == 7
        with torch.inference_mode():
            logits = trained(torch.tensor([[*prompt, *completion.ids]])).logits[0, len(prompt) - 1 : -1]
        expected = torch.log_softmax(logits, -1).gather(1, torch.tensor(completion.ids)[:, None])[:, 0]
        assert list(completion.logprobs) == pytest.approx(expected.tolist(), abs=NEAR)
        (after,) = run(engine.policy(prompt, choices))
        assert after != pytest.approx(before, abs=0.01)  # no stored distribution is reused
    finally:
        engine.publish(original, 0)
    assert run(engine.policy(prompt, choices))[0] == pytest.approx(before, abs=1e-5)


def test_a_live_adapter_is_replaced_and_a_sleeping_engine_waits_for_weights(adapters):
    from arena.inference.vllm.engine import VLLMEngine

    live = VLLMEngine(MODEL, "fp32", rank=8, rows=8, sleeps=True)
    merged = [engine_for(str(folder), "fp32", "auto", "transformers") for folder in adapters[:2]]
    prompt, choices = live.encode_chat(CHAT), live.encode_choices(ACTIONS)

    async def ask_while_asleep(folder: Path, version: int) -> Completion:
        live.sleep(keep=True)
        waiting = asyncio.create_task(live.complete(asked(live, 3, max_tokens=4)))
        await asyncio.sleep(0)
        await asyncio.to_thread(live.publish_adapter, folder, version)
        return await waiting

    try:
        for version, (folder, reference) in enumerate(zip(adapters, merged, strict=False), 1):
            assert asyncio.run(ask_while_asleep(folder, version)).version == live.version == version
            own, theirs = run(live.policy(prompt, choices), reference.policy(prompt, choices))
            assert own == pytest.approx(theirs, abs=NEAR)
    finally:
        live.close()
        for made in merged:
            release(made)


def test_adapters_share_one_vllm_and_answer_as_their_merged_weights(adapters):
    engines = [engine_for(str(folder), "fp32", "auto", "vllm") for folder in adapters]
    merged = [engine_for(str(folder), "fp32", "auto", "transformers") for folder in adapters]
    try:
        assert len({id(e._llm) for e in engines}) == 1
        prompt, choices = engines[0].encode_chat(CHAT), engines[0].encode_choices(ACTIONS)
        own = run(*(e.policy(prompt, choices) for e in engines))
        plain = run(*(e.policy(prompt, choices) for e in merged))
        for mine, theirs in zip(own, plain, strict=True):
            assert mine == pytest.approx(theirs, abs=NEAR)
        assert len({tuple(round(p, 2) for p in policy) for policy in own}) == 3
        texts = run(*(e.complete(asked(e, s, max_tokens=12)) for s in range(6) for e in engines))
        for i, completion in enumerate(texts):
            assert list(completion.logprobs) == pytest.approx(
                logprobs_of(merged[i % 3], prompt, completion.ids), abs=NEAR
            )
    finally:
        for e in [*engines, *merged]:
            release(e)


def test_auto_selects_vllm_if_it_is_faster(engine):
    auto = engine_for("tiny(layers=1, hidden=32)", "fp32")
    assert auto.about.startswith("transformers")
    assert "faster without vLLM" in auto.about
    release(auto)
    with pytest.raises(InputError, match="allowed: auto, vllm, transformers"):
        engine_for(MODEL, engine="vlm")  # type: ignore[arg-type]


def test_ctrl_c_leaves_the_engine_running(engine):
    for pid in vllms():
        os.kill(pid, signal.SIGINT)
    (completion,) = run(engine.complete(asked(engine, 11, max_tokens=3)))
    assert completion.ids


def test_a_crash_pauses_the_run_with_one_line(engine):
    """The last test, because the engine cannot be used afterwards."""

    async def write_and_die() -> None:
        writing = asyncio.create_task(engine.complete(asked(engine, 12, max_tokens=500, stop_ids=(1,))))
        await asyncio.sleep(0)
        for pid in vllms():
            os.kill(pid, signal.SIGKILL)
        await writing

    with pytest.raises(RunPaused, match="has died") as caught:
        asyncio.run(write_and_die())
    assert "\n" not in str(caught.value)
    with pytest.raises(RunPaused, match="has died"):
        run(engine.complete(asked(engine, 13)))


def vllms():
    """vLLM's processes among the children of this one."""
    rows = subprocess.run(["ps", "-eo", "pid,ppid,args"], capture_output=True, text=True, check=True).stdout
    table = [line.split(None, 2) for line in rows.splitlines()[1:]]
    below = {os.getpid()}
    for _ in table:
        below |= {int(pid) for pid, parent, *_ in table if int(parent) in below}
    found = [int(pid) for pid, _, *args in table if int(pid) in below and args and args[0].startswith("VLLM")]
    assert found
    return found


OWNER = """
import os
from arena.inference import engine_for
from tests.real.vllm.test_engine import vllms
if __name__ == "__main__":
    engine_for("smollm2-135m", "bf16", "auto", "vllm")
    print(*vllms(), flush=True)
    os.kill(os.getpid(), 9)
"""


def runs(pid):
    """Whether a process runs; false for a zombie, which a container may never reap."""
    try:
        return Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[0] != "Z"
    except OSError:
        return False


def test_a_killed_run_leaves_no_processes_behind(tmp_path):
    script = tmp_path / "owner.py"
    script.write_text(OWNER)
    done = subprocess.run([sys.executable, str(script)], capture_output=True, text=True, cwd=ROOT, env=ENV, check=False)
    assert done.returncode == -signal.SIGKILL, done.stderr[-2000:]
    left = {int(pid) for pid in done.stdout.splitlines()[-1].split()}
    assert left
    until = time.monotonic() + 1200
    while left and time.monotonic() < until:  # this takes a second on an idle machine
        left = {pid for pid in left if runs(pid)}
        time.sleep(0.1)
    assert not left
