"""The last layer computes only the kept tokens, with unchanged results."""

import copy

import pytest
import torch

from arena.learner import Trainer, TrainerConfig, TurnSample
from arena.learner.attention import tree_of
from arena.learner.last_layer_pruning import pruned_last_layer
from tests.arena.learner.drawing import KEY, made_up, one_by_one, together

SIZES = {"hidden_size": 32, "intermediate_size": 48, "num_hidden_layers": 2, "num_attention_heads": 4}


def qwen3():
    from transformers import Qwen3Config, Qwen3ForCausalLM

    return Qwen3ForCausalLM(Qwen3Config(vocab_size=400, num_key_value_heads=2, head_dim=8, **SIZES)).eval()


def olmo2():
    from transformers import Olmo2Config, Olmo2ForCausalLM

    return Olmo2ForCausalLM(Olmo2Config(vocab_size=400, num_key_value_heads=4, pad_token_id=0, **SIZES)).eval()


def gradients(model, loss):
    loss.backward()
    return {name: p.grad for name, p in model.named_parameters()}


@pytest.mark.parametrize("make", [None, qwen3, olmo2])
def test_values_and_gradients_are_those_of_single_passes(loaded, make):
    with torch.random.fork_rng():
        torch.manual_seed(3)
        model = loaded.model if make is None else make()
    plain = copy.deepcopy(model).requires_grad_(True)
    trainer, samples = Trainer(model, TrainerConfig()), made_up(30, seed=5)
    batch = together(samples)
    found = torch.zeros(sum(len(s.decided()) for s in samples))
    with trainer._training():
        assert trainer.forward.last.index == 1
        tree = tree_of(batch.ends, batch.positions, batch.keep, trainer.forward.last.index)
        for rows, spread in zip(batch.rows, trainer.token_values(batch, tree), strict=True):
            found = found.index_put((rows.flat,), spread.logp)
        mine = gradients(model, (found * torch.arange(len(found))).sum())
    alone = torch.stack([x for s in samples for x in one_by_one(plain, s)])
    assert (found - alone).abs().max() < 1e-5
    for name, wanted in gradients(plain, (alone * torch.arange(len(alone))).sum()).items():
        assert torch.allclose(mine[name], wanted, rtol=1e-3, atol=1e-5 * float(wanted.abs().max() + 1)), name


def test_the_last_layer_works_on_the_kept_tokens_and_the_one_below_on_all(loaded):
    seen: list[int] = []
    trainer = Trainer(loaded.model, TrainerConfig())
    for layer in loaded.model.base_model.layers:
        layer.mlp.up_proj.register_forward_hook(lambda _, args, out: seen.append(args[0].shape[1]))
    prompt = tuple(range(10, 40))
    samples = [TurnSample((*prompt, 40 + i), (7,), (-0.7,), ((6, 7),), 1.0, 1.0, KEY) for i in range(3)]
    stats = trainer.step(samples)
    assert stats.computed_tokens == 33
    assert seen == [33, 3]
    seen.clear()
    loaded.model(input_ids=torch.tensor([prompt]))  # after the step, other users of the module get all tokens
    assert seen == [30, 30]


def test_a_mixture_of_experts_is_not_pruned(loaded):
    loaded.model.base_model.layers[-1].mlp.experts = torch.nn.Identity()
    with pruned_last_layer(loaded.model) as last:
        assert last.index is None
        assert tree_of(torch.tensor([2, 2]), torch.tensor([0, 1]), torch.tensor([1]), last.index).kept == []
