"""Trainer and engine respect sliding windows and refuse layers other than attention."""

import random

import pytest
import torch

from arena.inference import EngineStats
from arena.inference.models import LoadedModel
from arena.inference.transformers.engine import TransformersEngine
from arena.inference.transformers.forward import Forward
from arena.inference.transformers.kv import Past, Slab
from arena.learner import Trainer, TrainerConfig, TurnSample, attention
from arena.learner.attention import tree_attention, tree_of, verify_packing
from arena.learner.last_layer_pruning import pruned_last_layer
from games import InputError
from tests.arena.inference import tiny
from tests.arena.learner import architectures
from tests.arena.learner.drawing import KEY, together

CPU = torch.device("cpu")


@pytest.fixture(params=architectures.COMPUTED)
def model(request):
    return architectures.made(request.param, **architectures.COMPUTED[request.param])


def samples():
    """Sequences of three to five windows with common prefixes of several lengths."""
    rng = random.Random(4)

    def ids(n):
        return tuple(rng.randrange(64) for _ in range(n))

    rules = ids(17)
    prompts = [rules, rules + ids(9), rules + ids(12), ids(21)]
    answers = [ids(rng.choice([2, 5, 11])) for _ in range(9)]
    prompts += [prompts[1] + answers[1] + ids(4)]
    return [
        TurnSample(prompts[i % 5], a, (-1.0,) * len(a), None, rng.gauss(0, 1), 1.0, KEY) for i, a in enumerate(answers)
    ]


def gradients(model):
    grads = [p.grad.flatten() for p in model.parameters() if p.grad is not None]
    model.zero_grad()
    return torch.cat(grads)


def test_the_gradient_of_packed_sequences_is_that_of_one_at_a_time(model):
    some = samples()
    for s in some:
        logits = model(torch.tensor([[*s.prompt_ids, *s.completion_ids]]), use_cache=False).logits[0]
        logps = torch.log_softmax(logits[len(s.prompt_ids) - 1 : -1], -1)
        (s.advantage * logps.gather(1, torch.tensor(s.completion_ids)[:, None]).sum()).backward()
    expected = gradients(model)
    trainer, batch = Trainer(model, TrainerConfig()), together(some)
    advantage = torch.tensor([s.advantage for s in some for _ in s.decided()])
    with tree_attention(model), pruned_last_layer(model) as trainer.forward.last:
        tree = tree_of(batch.ends, batch.positions, batch.keep, trainer.forward.last.index)
        spreads = trainer.token_values(batch, tree)
        sum(
            (spread.logp * advantage[rows.flat]).sum() for rows, spread in zip(batch.rows, spreads, strict=True)
        ).backward()
    assert (gradients(model) - expected).norm() / expected.norm() < 1e-5


@torch.inference_mode()
def test_the_engines_passes_equal_those_of_the_model(model):
    """Rows of different lengths after a shared past, then single tokens in a slab, all longer than the window."""
    rng = random.Random(5)
    forward = Forward(model, CPU, EngineStats())
    contexts = [[rng.randrange(64) for _ in range(19)] for _ in range(3)]
    contexts = [contexts[0][:13] + c[: 4 + 5 * i] for i, c in enumerate(contexts)]
    _, shared = forward.read([contexts[0][:13]], Past.empty(1, CPU))
    logits, past = forward.read([c[13:] for c in contexts], Past.repeated([(shared, 3)]))
    near(model, logits, contexts)
    slab = Slab(CPU)
    slab.add(past, [0, 1, 2])
    for _ in range(12):
        tokens = [rng.randrange(64) for _ in contexts]
        contexts = [[*c, t] for c, t in zip(contexts, tokens, strict=True)]
        logits = forward.step(tokens, slab)
    near(model, logits, contexts)


def near(model, logits, contexts):
    for row, context in zip(logits, contexts, strict=True):
        plain = model(torch.tensor([context]), use_cache=False).logits[0, -1]
        torch.testing.assert_close(row, plain, atol=1e-4, rtol=0)


@pytest.mark.parametrize("name", architectures.REFUSED)
def test_layers_that_would_be_computed_wrong_are_refused_in_one_line(name):
    options, said = architectures.REFUSED[name]
    model = architectures.made(name, **options)
    for start in (
        lambda: Trainer(model, TrainerConfig()),
        lambda: TransformersEngine(LoadedModel(name, model, tiny.tokenizer(), (257,), CPU)),
    ):
        with pytest.raises(InputError, match=f"{name}ForCausalLM has .*{said}.*; use a model with") as caught:
            start()
        assert "\n" not in str(caught.value)


def test_an_architecture_that_says_nothing_of_its_layers_is_found_out_by_computing(monkeypatch):
    model = architectures.made("Lfm2", **architectures.REFUSED["Lfm2"][0])
    monkeypatch.setattr("arena.learner.attention.window_of", lambda model: None)
    monkeypatch.setattr("arena.inference.transformers.forward.window_of", lambda model: None)
    assert attention.window_of(model) is None
    with pytest.raises(InputError, match="use a model with"):
        verify_packing(model)
    with pytest.raises(InputError, match="use a model with"):
        Forward(model, CPU, EngineStats())


@pytest.mark.parametrize("wrong", [1, 2, 3])
def test_rounding_on_some_tokens_refuses_no_model(wrong, monkeypatch):
    """bf16 moves the logits of some unusual tokens by most of their spread; a wrong layer moves those of all tokens."""
    from arena.inference.transformers import layers

    model, plain, calls = architectures.made("Llama"), layers._plain, [0]

    def noisy(model, tokens):
        calls[0] += 1
        moved = plain(model, tokens)
        return moved.flip(0) if calls[0] <= wrong * len(layers._SEQUENCES) else moved

    monkeypatch.setattr(layers, "_plain", noisy)
    if wrong < len(layers._FIRST_TOKENS):
        verify_packing(model)
    else:
        with pytest.raises(InputError, match="in another way"):
            verify_packing(model)


@pytest.mark.slow
@pytest.mark.llm
def test_smollm2_in_bf16_is_accepted():
    from arena.inference.models import load

    verify_packing(load("smollm2-135m", "bf16", "cpu").model)
