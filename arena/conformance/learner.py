"""The checks that `arena check` runs on advantage estimators and losses."""

from __future__ import annotations

import dataclasses
import json
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import partial
from typing import TYPE_CHECKING, Any

import numpy as np

from arena.conformance.generators import global_generators
from arena.learner.advantages import ESTIMATORS, Estimator
from arena.learner.advantages.base import problem_with_advantages
from arena.learner.config import LossConfig
from arena.learner.credit import Credit
from games.conformance.report import Check, Finding, Report
from games.conformance.run import Found, run_checks
from games.randomness import RandomStream

if TYPE_CHECKING:
    from arena.learner.losses import PolicyLoss

SIZES = (0, 1, 2, 7, 64)


def credits(n: int, seed: int = 0, reward: Callable[[RandomStream], float] | None = None) -> list[Credit]:
    """N credits of two games, two roles and groups of four."""
    stream = RandomStream(seed)
    draw = reward or (lambda s: s.random() * 2 - 1)
    return [
        Credit(
            game=f"game-v{i // 8 % 2}", role=("seller", "buyer")[i % 2], phase="", seat=f"seat_{i % 2}", player="live",
            match=f"m{i // 2}", group=f"g{i // 8}", reward=draw(stream), expected=(None, 0.25)[i % 3 == 0],
        )
        for i in range(n)
    ]  # fmt: skip


def check_advantage(id: str) -> Report:
    """Check an advantage estimator by its id. Raises InputError if it cannot be made."""
    ESTIMATORS.make(id)
    return run_checks(id, partial(ESTIMATORS.make, id), ADVANTAGE_CHECKS)


Make = Callable[[], Estimator]


def _advantages(estimator: Estimator, given: Sequence[Credit]) -> tuple[np.ndarray[Any, Any], str]:
    found: object = estimator.advantages(given)
    values = np.asarray(found)
    return values, problem_with_advantages(found, values, len(given))


def _shape(make: Make) -> Found:
    """N finite numbers for N credits, also for no credits and for equal rewards."""
    cases = 0
    kinds: tuple[Callable[[RandomStream], float] | None, ...] = (None, lambda s: 1.0, lambda s: 0.0, lambda s: 1e6)
    for reward in kinds:
        estimator = make()
        for n in (*SIZES, *SIZES):
            _, problem = _advantages(estimator, credits(n, n, reward))
            cases += 1
            if problem:
                yield Finding("shape", problem)
                break
    yield Check("shape", cases, "batches")


def _direction(make: Make) -> Found:
    """Of two credits that differ only in their reward, the higher reward has the higher advantage."""
    for high, low in ((1.0, -1.0), (0.5, -0.5), (20.0, -20.0)):
        one = credits(1)[0]
        pair = [dataclasses.replace(one, reward=r, match=f"m{i}", expected=None) for i, r in enumerate((high, low))]
        values, problem = _advantages(make(), pair)
        if not problem and not values[0] > values[1]:
            found = f"rewards {high:g} and {low:g} have the advantages {values[0]:g} and {values[1]:g}"
            yield Finding("direction", f"{found}; the higher reward must have the higher advantage")
    yield Check("direction", 3, "pairs")


def _state(make: Make) -> Found:
    """`state_dict` is JSON, and an estimator that loads it continues exactly."""
    first, batches = make(), [credits(8, seed) for seed in range(4)]
    for batch in batches[:3]:
        first.advantages(batch)
    try:
        kept = json.loads(json.dumps(first.state_dict()))
    except (TypeError, ValueError) as error:
        yield Finding("state", f"state_dict is not plain JSON: {error}")
        return
    second = make()
    second.load_state_dict(kept)
    if json.dumps(second.state_dict()) != json.dumps(kept):
        yield Finding("state", "state_dict differs after load_state_dict; load_state_dict must restore all of it")
    a, b = np.asarray(first.advantages(batches[3])), np.asarray(second.advantages(batches[3]))
    if a.shape != b.shape or not np.array_equal(a, b):
        yield Finding("state", "advantages differ after load_state_dict, so a resumed run would not continue exactly")
    yield Check("state", 4, "batches")


def _repeats(make: Make) -> Found:
    """Two new estimators return the same advantages, and no global random generator is used."""
    used: set[str] = set()
    found = []
    for _ in range(2):
        estimator = make()
        with global_generators(used):
            found.append([np.asarray(estimator.advantages(credits(16, seed))) for seed in range(3)])
    if not all(a.shape == b.shape and np.array_equal(a, b) for a, b in zip(*found, strict=True)):
        yield Finding("repeats", "two new estimators return different advantages for the same credits")
    yield from (Finding("repeats", f"it draws from the global generator {name}") for name in sorted(used))
    yield Check("repeats", 3, "batches")


ADVANTAGE_CHECKS = {"shape": _shape, "direction": _direction, "state": _state, "repeats": _repeats}


@dataclass(frozen=True)
class LossSubject:
    """The loss under test, with random tokens for it."""

    loss: PolicyLoss

    def tokens(self, n: int, seed: int, spread: float = 0.3) -> Any:
        """`n` random tokens with ratios within exp(+-spread); fields of `LossTokens` that are not known here are 0."""
        import torch

        from arena.learner.losses import LossTokens

        generator = torch.Generator().manual_seed(seed)
        logp = -torch.rand(n, generator=generator) * 3 - 0.01
        drift = (torch.rand(n, generator=generator) * 2 - 1) * spread
        known = {
            "logp": logp.requires_grad_(True),
            "old": (logp.detach() - drift),
            "weight": torch.ones(n),
            "advantage": torch.rand(n, generator=generator) * 4 - 2,
        }
        fields = (f.name for f in dataclasses.fields(LossTokens))
        return LossTokens(**{name: known.get(name, torch.zeros(n)) for name in fields})

    def gradient(self, tokens: Any) -> Any:
        """(K,) the gradient of the sum of the losses."""
        import torch

        (found,) = torch.autograd.grad(self.loss(tokens)[0].sum(), tokens.logp)
        return found


def check_loss(id: str) -> Report:
    """Check a loss by its id. Raises InputError if it cannot be made, MissingPackage without torch."""
    from arena.inference import models

    models.require_packages()
    from arena.learner.losses import LOSSES

    return run_checks(id, LossSubject(LOSSES.make(id, config=LossConfig(name=id))), LOSS_CHECKS)


def _answers(subject: LossSubject) -> Found:
    """(K,) losses with a gradient and (K,) bool; the tokens are not modified."""
    from arena.learner.losses.base import problem_with_loss

    for n in SIZES[1:]:
        tokens = subject.tokens(n, n)
        before = {f.name: getattr(tokens, f.name).detach().clone() for f in dataclasses.fields(tokens)}
        if problem := problem_with_loss(subject.loss(tokens), tokens.logp):
            yield Finding("answers", problem)
            break
        changed = [name for name, value in before.items() if not getattr(tokens, name).detach().equal(value)]
        if changed:
            yield Finding("answers", f"it modified tokens.{changed[0]}, which other parts of the objective read")
            break
    yield Check("answers", len(SIZES) - 1, "batches")


def _gradient(subject: LossSubject) -> Found:
    """The gradient is finite at any distance from the old policy, and on-policy it has the sign of the advantage."""
    import torch

    for spread in (0.0, 0.3, 5.0, 30.0):
        found = subject.gradient(subject.tokens(64, 3, spread))
        if not bool(torch.isfinite(found).all()):
            yield Finding("gradient", f"it is not finite for log ratios within {spread:g}")
    tokens = subject.tokens(64, 5, 0.0)
    moved = subject.gradient(tokens)
    wrong = int((moved * tokens.advantage > 1e-9).sum())
    if wrong:
        yield Finding(
            "gradient",
            f"on-policy, the gradient of {wrong} of 64 tokens has the wrong sign: the sign is flipped, or a mean over "
            "all tokens is subtracted",
        )
    if not bool(moved.abs().sum() > 0):
        yield Finding("gradient", "on-policy, it is 0 although advantages are not; nothing is learned")
    yield Check("gradient", 5, "batches")


def _split(subject: LossSubject) -> Found:
    """The gradient does not depend on how the tokens of a step are split into micro-batches, nor on their order."""
    import torch

    whole = subject.tokens(32, 7)
    expected = subject.gradient(whole)
    for parts in ([range(16), range(16, 32)], [range(5), range(5, 32)], [range(n, n + 1) for n in range(32)]):
        found = torch.cat([subject.gradient(_part(whole, list(part))) for part in parts])
        if not torch.allclose(found, expected, rtol=1e-4, atol=1e-7):
            difference = f"in {len(parts)} parts it differs by up to {float((found - expected).abs().max()):.3g}"
            yield Finding("split", f"{difference}; a loss must be a sum over tokens, not a mean")
            break
    order = list(range(31, -1, -1))
    if not torch.allclose(subject.gradient(_part(whole, order)), expected[order], rtol=1e-4, atol=1e-7):
        yield Finding("split", "it depends on the order of the tokens")
    yield Check("split", 4, "splits")


def _part(tokens: Any, at: list[int]) -> Any:
    values = {f.name: getattr(tokens, f.name).detach()[at] for f in dataclasses.fields(tokens)}
    values["logp"] = values["logp"].clone().requires_grad_(True)
    return type(tokens)(**values)


def _repeats_loss(subject: LossSubject) -> Found:
    """The same tokens give the same losses, and no global random generator is used."""
    import torch

    used: set[str] = set()
    with global_generators(used):
        found = [subject.loss(subject.tokens(32, 9))[0].detach() for _ in range(2)]
    if not torch.equal(found[0], found[1]):
        yield Finding("repeats", "the same tokens give different losses the second time")
    yield from (Finding("repeats", f"it draws from the global generator {name}") for name in sorted(used))
    yield Check("repeats", 2, "batches")


LOSS_CHECKS = {"answers": _answers, "gradient": _gradient, "split": _split, "repeats": _repeats_loss}


__all__ = ["ADVANTAGE_CHECKS", "LOSS_CHECKS", "check_advantage", "check_loss"]
