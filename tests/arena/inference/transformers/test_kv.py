"""Rows that join, leave and move: the logits equal those of each row alone."""

import random

import pytest
import torch

from arena.inference.engine import EngineStats
from arena.inference.transformers.forward import Forward, buckets, cache_argument
from arena.inference.transformers.kv import Past, Slab
from arena.inference.transformers.prefix import PrefixCache, plan
from tests.arena.inference import tiny

CPU = torch.device("cpu")


@pytest.fixture(scope="module")
def forward():
    return Forward(tiny.model(scale=0.25), CPU, EngineStats())


def plain(forward, tokens):
    """Logits after the last token from one pass over all tokens."""
    return forward.model(torch.tensor([list(tokens)])).logits[0, -1]


def close(logits, forward, contexts):
    for row, context in zip(logits, contexts, strict=True):
        torch.testing.assert_close(row, plain(forward, context), atol=2e-5, rtol=1e-4)


@torch.inference_mode()
def test_rows_of_different_lengths_and_prefixes(forward):
    rng = random.Random(1)
    heads = [tuple(rng.randrange(256) for _ in range(n)) for n in (0, 9, 4)]
    parts = []
    for head in heads:
        past = Past.empty(1, CPU)
        if head:
            _, past = forward.read([head], past)
        parts.append(past)
    past = Past.repeated([(parts[0], 1), (parts[1], 2), (parts[2], 1)])
    contexts = [list(heads[i]) for i in (0, 1, 1, 2)]
    for lengths in ((1, 5, 2, 3), (4, 1, 1, 2), (1, 1, 1, 1)):
        more = [[rng.randrange(256) for _ in range(n)] for n in lengths]
        logits, past = forward.read(more, past)
        contexts = [c + m for c, m in zip(contexts, more, strict=True)]
        close(logits, forward, contexts)
    assert past.lengths == [len(c) for c in contexts]
    some = past.select([3, 1, 1])
    close(forward.read([[7], [8], [9]], some)[0], forward, [[*contexts[3], 7], [*contexts[1], 8], [*contexts[1], 9]])
    one = past.compact(2)
    assert one.valid.all()
    close(forward.read([[5]], one)[0], forward, [[*contexts[2], 5]])


@torch.inference_mode()
def test_rows_of_a_slab_are_independent_when_others_join_and_leave(forward):
    rng = random.Random(2)
    slab = Slab(CPU)
    contexts = []
    for step in range(300):
        if not contexts or (len(contexts) < 5 and rng.random() < 0.1):
            fresh = [[rng.randrange(256) for _ in range(rng.randrange(1, 30))] for _ in range(rng.randrange(1, 4))]
            past = Past.empty(len(fresh), CPU)
            _, past = forward.read(fresh, past)
            stay = sorted(rng.sample(range(len(fresh)), rng.randrange(1, len(fresh) + 1)))
            slab.add(past, stay)
            contexts += [fresh[i] for i in stay]
        tokens = [rng.randrange(256) for _ in contexts]
        logits = forward.step(tokens, slab)
        contexts = [[*c, t] for c, t in zip(contexts, tokens, strict=True)]
        if step % 7 == 0:
            close(logits, forward, contexts)
        assert slab.lengths == [len(c) for c in contexts]
        if rng.random() < 0.08 or max(map(len, contexts)) > 200:
            row = max(range(len(contexts)), key=lambda i: len(contexts[i]))
            slab.drop(row)
            contexts[row] = contexts[-1]
            contexts.pop()


@torch.inference_mode()
def test_stored_prefixes_are_bounded_and_the_oldest_go_first(forward):
    rows = [tuple(random.Random(i).randrange(256) for _ in range(50)) for i in range(4)]
    first = Past.empty(1, CPU)
    _, first = forward.read([rows[0]], first)
    cache = PrefixCache(forward, max_bytes=2 * first.bytes)
    for row in (rows[0], rows[1], rows[0], rows[2]):
        assert cache.gather([(*row, 1)], [50]) == [row]
        cache.trim()
    assert len(cache) == 2
    before = forward.stats.batches
    cache.gather([(*rows[0], 1), (*rows[2], 2)], [50, 50])
    assert forward.stats.batches == before  # both are still stored; rows[1] was dropped
    cache.gather([(*rows[1], 1)], [50])
    assert forward.stats.batches == before + 1


@torch.inference_mode()
def test_a_longer_prefix_builds_on_a_shorter_one(forward):
    cache = PrefixCache(forward, max_bytes=1 << 30)
    tokens = tuple(random.Random(9).randrange(256) for _ in range(90))
    cache.gather([tokens], [40])
    (found,) = cache.gather([tokens], [80])
    assert found == tokens[:80]
    past = Past.repeated([(cache.past(found), 1)])
    close(forward.read([tokens[80:]], past)[0], forward, [tokens])


def test_plan_uses_hints_and_finds_common_prefixes():
    long, other = tuple(range(40)), tuple(range(100, 130))
    prompts = [(*long, 1), (*other, 1), (*long, 2, 3), (7,), (*other, 2), (*long, 1)]
    assert [len(p) for p in plan(prompts, [0] * 6)] == [40, 30, 40, 0, 30, 40]
    assert [len(p) for p in plan(prompts, [30, 0, 30, 0, 0, 500])] == [30, 30, 30, 0, 30, 40]
    assert plan([long, long], [0, 0]) == [long[:-1]] * 2  # one token is left to read


@torch.inference_mode()
def test_several_answers_to_one_task_read_its_prompt_once(forward):
    cache = PrefixCache(forward, max_bytes=1 << 30)
    rules, task, other = (tuple(random.Random(seed).randrange(256) for _ in range(60)) for seed in (1, 2, 3))
    prompts = [(*rules, *task)] * 4 + [(*rules, *other)]
    found = cache.gather(prompts, [60] * 5)
    assert found == [(*rules, *task[:-1])] * 4 + [rules]
    past = Past.repeated([(cache.past(found[0]), 4)])
    close(forward.read([task[-1:]] * 4, past)[0], forward, prompts[:4])


@pytest.mark.parametrize("seed", range(5))
def test_buckets_contain_every_row_once_with_little_padding(seed):
    rng = random.Random(seed)
    lengths = [rng.choice([1, 3, 20, 22, 400]) for _ in range(rng.randrange(1, 60))]
    cut = buckets(lengths, max_rows=16, max_tokens=2000)
    assert sorted(i for rows in cut for i in rows) == list(range(len(lengths)))
    for rows in cut:
        padded, real = len(rows) * max(lengths[i] for i in rows), sum(lengths[i] for i in rows)
        assert len(rows) <= 16
        assert padded <= 2000
        assert padded <= 1.25 * real + 64


def test_the_past_goes_by_the_name_of_the_installed_release():
    """transformers renamed the parameter; the old name still works, with a warning at each pass."""

    class Older:
        def forward(self, input_ids, past_key_values=None): ...

    class Newer:
        def forward(self, input_ids, cache=None, **kwargs): ...

    assert [cache_argument(model) for model in (Older(), Newer())] == ["past_key_values", "cache"]
