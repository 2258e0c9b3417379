"""The checks that `arena check` runs on losses."""

from __future__ import annotations

import dataclasses
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import partial
from typing import TYPE_CHECKING, Any

from arena.conformance.generators import global_generators
from arena.conformance.state_reload import reloaded
from arena.learner.config import LossConfig
from games.conformance.report import Check, Finding, Report
from games.conformance.run import Findings, run_checks

if TYPE_CHECKING:
    from torch import Tensor

    from arena.learner.losses import LossTokens, PolicyLoss


def example_tokens(samples: int, seed: int = 0, spread: float = 0.3, number: int = 0) -> LossTokens:
    """Returns the decision tokens of `samples` random samples of 1 to 6 tokens, with ratios within exp(+-spread).

    Samples are in groups of four, two turns to a trajectory, with rewards of 0 and 1. `number` is that of the step.
    """
    import torch

    from arena.learner.losses import LossStep, LossTokens

    generator = torch.Generator().manual_seed(seed)
    lengths = torch.randint(1, 7, (samples,), generator=generator)
    of, count = torch.arange(samples).repeat_interleave(lengths), int(lengths.sum())
    logp = -torch.rand(count, generator=generator) * 3 - 0.01
    drift = (torch.rand(count, generator=generator) * 2 - 1) * spread
    advantage, every = torch.rand(samples, generator=generator) * 4 - 2, torch.arange(samples)
    step = LossStep(
        number=number, generator=torch.Generator().manual_seed(seed), samples=samples, tokens=count, length=lengths,
        reward=torch.randint(0, 2, (samples,), generator=generator).float(), advantage=advantage, turn=every % 2,
        group=every // 4, trajectory=every // 2, key=every % 2,
        keys=(("game", "seller", "play"), ("game", "buyer", "play")), replayed=every % 4 == 3,
    )  # fmt: skip
    start = torch.cumsum(lengths, 0) - lengths
    return LossTokens(
        logp=logp.requires_grad_(True), old=logp.detach() - drift, weight=torch.ones(count), advantage=advantage[of],
        sampler=logp.detach() - drift, entropy=torch.rand(count, generator=generator) * 2, sample=of,
        position=torch.arange(count) - start[of], token=torch.randint(0, 9, (count,), generator=generator),
        teacher=-torch.rand(count, generator=generator) * 3, step=step,
        reference=logp.detach() - 0.2, kept=logp.detach() - drift / 2,
    )  # fmt: skip


@dataclass(frozen=True)
class LossSubject:
    """The loss under test."""

    make: Callable[[], PolicyLoss]

    def prepared(self, loss: PolicyLoss, tokens: LossTokens) -> LossTokens:
        """Returns the tokens of a whole optimizer step with what the loss prepares for them. Raises ValueError."""
        import torch

        from arena.learner.losses.base import problem_with_prepared

        if not hasattr(loss, "prepare"):
            return tokens
        generator = torch.Generator()
        generator.set_state(tokens.step.generator.get_state())  # a copy, so that preparing twice draws the same
        step = dataclasses.replace(tokens.step, generator=generator)
        inputs = dataclasses.replace(tokens, logp=tokens.logp.detach(), step=step)
        if not getattr(loss, "needs_policy", False):
            inputs = inputs.unmeasured()
        with torch.no_grad():
            values = loss.prepare(inputs)
        if problem := problem_with_prepared(values, len(tokens.sample)):
            raise ValueError(problem)
        return dataclasses.replace(tokens, prepared=dict(values))

    def gradient(self, tokens: LossTokens, parts: Sequence[Sequence[int]] | None = None) -> Tensor:
        """Returns (K,) the gradient of the sum of the losses, computed for the samples of each part separately."""
        import torch

        loss = self.make()
        whole = self.prepared(loss, tokens)
        out = torch.zeros_like(tokens.old)
        for samples in parts or [sorted(set(tokens.sample.tolist()))]:
            at = torch.cat([(tokens.sample == i).nonzero()[:, 0] for i in samples])
            part = _part(whole, at)
            (out[at],) = torch.autograd.grad(loss(part)[0].sum(), part.logp)
        return out


def _part(tokens: LossTokens, at: Tensor) -> LossTokens:
    """Returns the tokens at the places `at`, as a micro-batch holds them."""
    values = {f.name: getattr(tokens, f.name) for f in dataclasses.fields(tokens) if f.name not in ("step", "prepared")}
    chosen = {name: value.detach()[at] for name, value in values.items()}
    chosen["logp"] = chosen["logp"].clone().requires_grad_(True)
    return dataclasses.replace(tokens, **chosen, prepared={name: v[at] for name, v in tokens.prepared.items()})


def check_loss(id: str) -> Report:
    """Check a loss by its id. Raises InputError if it cannot be made, MissingPackage without torch."""
    from arena.inference import models

    models.require_packages()
    from arena.learner.losses import LOSSES

    make = partial(LOSSES.make, id, config=LossConfig(name=id))
    make()
    return run_checks(id, LossSubject(make), LOSS_CHECKS)


def _answers(subject: LossSubject) -> Findings:
    """The loss returns (K,) losses with a gradient and (K,) bools, in each micro-batch, and changes no token."""
    from arena.learner.losses.base import problem_with_loss, problem_with_reduction, problem_with_unit

    if problem := problem_with_reduction(subject.make()) or problem_with_unit(subject.make()):
        yield Finding("answers", problem)
    sizes = (1, 2, 7, 64)
    for n in sizes:
        loss = subject.make()
        try:
            tokens = subject.prepared(loss, example_tokens(n, n))
        except ValueError as error:
            yield Finding("answers", str(error))
            break
        names = [f.name for f in dataclasses.fields(tokens) if f.name not in ("step", "prepared")]
        before = {name: getattr(tokens, name).detach().clone() for name in names}
        if problem := problem_with_loss(loss(tokens), tokens.logp):
            yield Finding("answers", problem)
            break
        changed = [name for name, value in before.items() if not getattr(tokens, name).detach().equal(value)]
        if changed:
            yield Finding("answers", f"it modified tokens.{changed[0]}, which other parts of the objective read")
            break
    yield Check("answers", len(sizes), "batches")


def _gradient(subject: LossSubject) -> Findings:
    """The gradient is finite at any distance from the old policy, and on-policy it has the sign of the advantage."""
    import torch

    for spread in (0.0, 0.3, 5.0, 30.0):
        gradient = subject.gradient(example_tokens(24, 3, spread))
        if not bool(torch.isfinite(gradient).all()):
            yield Finding("gradient", f"it is not finite for log ratios within {spread:g}")
    tokens = example_tokens(24, 5, 0.0)
    moved = subject.gradient(tokens)
    count = len(moved)
    wrong = int((moved * tokens.advantage > 1e-9).sum())
    if wrong and getattr(subject.make(), "follows_advantage", True):
        yield Finding(
            "gradient",
            f"on-policy, the gradient of {wrong} of {count} tokens has the wrong sign: the sign is flipped, or a mean "
            "over all tokens is subtracted; a loss that is meant to do so sets follows_advantage = False",
        )
    if not bool(moved.abs().sum() > 0):
        yield Finding("gradient", "on-policy, it is 0 although advantages are not; nothing is learned")
    yield Check("gradient", 5, "batches")


def _split(subject: LossSubject) -> Findings:
    """The gradient does not depend on how the samples of a step are split into micro-batches, nor on their order."""
    import torch

    whole = example_tokens(16, 7)
    expected = subject.gradient(whole)
    parts = ([range(8), range(8, 16)], [range(3), range(3, 16)], [range(n, n + 1) for n in range(16)])
    for part in parts:
        gradient = subject.gradient(whole, part)
        if not torch.allclose(gradient, expected, rtol=1e-4, atol=1e-7):
            difference = f"in {len(part)} parts it differs by up to {float((gradient - expected).abs().max()):.3g}"
            hint = "a loss must be a sum over tokens, not a mean; what depends on the whole step belongs in prepare"
            yield Finding("split", f"{difference}; {hint}")
            break
    if not torch.allclose(subject.gradient(whole, [range(15, -1, -1)]), expected, rtol=1e-4, atol=1e-7):
        yield Finding("split", "it depends on the order of the tokens")
    yield Check("split", 4, "splits")


def _minibatches(subject: LossSubject) -> Findings:
    """At fixed weights the gradients of mini-batches of whole units add up to the gradient of the step."""
    import torch

    from arena.learner.losses.base import problem_with_unit, unit_of

    loss, whole = subject.make(), example_tokens(24, 11)
    if problem := problem_with_unit(loss):
        yield Check("minibatches", skipped=problem)
        return
    if getattr(loss, "step_statistics", False):
        yield Check("minibatches", lacks="it declares step_statistics; each optimizer step has statistics of its own")
        return
    unit = unit_of(loss)
    of = {"sample": whole.sample, "trajectory": whole.trajectory, "group": whole.group}[unit]
    expected = subject.gradient(whole)
    for parts in (2, 3, 6):
        total = torch.zeros_like(expected)
        for n in range(parts):
            at = (of % parts == n).nonzero()[:, 0]
            total[at] = subject.gradient(_minibatch(whole, at))
        if not torch.allclose(total, expected, rtol=1e-4, atol=1e-7):
            yield Finding(
                "minibatches",
                f"the gradients of {parts} mini-batches differ from that of the step by up to "
                f"{float((total - expected).abs().max()):.3g}; its unit is {unit}: set unit to the smallest of sample, "
                "trajectory and group that prepare compares whole, or step_statistics = True if it compares all tokens",
            )
            break
    yield Check("minibatches", 3, "epochs")


def _minibatch(tokens: LossTokens, at: Tensor) -> LossTokens:
    """Returns the tokens at the places `at` as those of an optimizer step of their own."""
    part = _part(tokens, at)
    count = len(set(part.sample.tolist()))
    return dataclasses.replace(part, step=dataclasses.replace(tokens.step, samples=count, tokens=len(at)))


def _repeats(subject: LossSubject) -> Findings:
    """The same tokens give the same losses, and no global random generator is used."""
    import torch

    used: set[str] = set()
    with global_generators(used):
        gradients = [subject.gradient(example_tokens(12, 9)) for _ in range(2)]
    if not torch.equal(gradients[0], gradients[1]):
        yield Finding("repeats", "the same tokens give different gradients the second time")
    yield from (Finding("repeats", f"it draws from the global generator {name}") for name in sorted(used))
    yield Check("repeats", 2, "batches")


def _state(subject: LossSubject) -> Findings:
    """If the loss has state, it is JSON, and a loss that loads it continues exactly."""
    import torch

    first: Any = subject.make()
    if not hasattr(first, "state_dict"):
        yield Check("state", skipped="it keeps no state")
        return
    for seed in range(3):
        subject.prepared(first, example_tokens(8, seed, number=seed))
    second, problem = reloaded(first, subject.make)
    if problem:
        yield Finding("state", problem)
    if second is None:
        return
    tokens = [example_tokens(8, 9, number=3) for _ in range(2)]
    a, b = (loss(subject.prepared(loss, t))[0] for loss, t in zip((first, second), tokens, strict=True))
    if not torch.equal(a, b):
        yield Finding("state", "losses differ after load_state_dict, so a resumed run would not continue exactly")
    yield Check("state", 4, "batches")


LOSS_CHECKS = {
    "answers": _answers,
    "gradient": _gradient,
    "split": _split,
    "minibatches": _minibatches,
    "repeats": _repeats,
    "state": _state,
}
