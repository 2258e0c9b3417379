"""Decisions among a few answers with vLLM, from the log probabilities of the tokens at each branch.

At each branch of the tree of answers vLLM samples one token and returns the log probabilities of the allowed tokens.
The draw itself happens here, with the same random stream and arithmetic as with transformers. Forced tokens are part of
the next prompt, so most decisions need one request, and a distribution in memory needs none.
"""

from __future__ import annotations

import asyncio
import math
from collections import OrderedDict
from collections.abc import Awaitable, Callable
from typing import NamedTuple, TypeAlias

from arena.inference import sampling, trie
from arena.inference.engine import Request, several
from arena.inference.sampling import SampledChoice, forced
from games.randomness import RandomStream


class Scores(NamedTuple):
    """The log probability of each alternative as the next token, up to a constant, and the version of the weights."""

    logits: list[float]
    version: int


Score: TypeAlias = Callable[[tuple[int, ...], tuple[int, ...]], Awaitable[Scores]]
"""returns the scores of alternatives, the second argument, after the token ids of the first"""
_REMEMBERED = 8192
"""distributions in memory, at most"""


class VLLMChoiceSampler:
    """Samples choices, or computes the probability of each. It keeps the newest distributions in memory.

    `repeated` counts the distributions that were in memory when they were needed.
    """

    def __init__(self, score: Score) -> None:
        self._score = score
        self._memo: OrderedDict[tuple[tuple[int, ...], tuple[int, ...]], Scores] = OrderedDict()
        self._cleared = 0
        self.repeated = 0

    async def sample(self, request: Request) -> SampledChoice:
        """Sample one choice."""
        tree, stream = trie.build(request.choices or ()), RandomStream(request.seed)
        ids, logprobs, allowed = forced(tree.run)
        node = tree.root
        version = None
        versions: list[int] = []
        while isinstance(node, trie.Branch):
            logps, version = await self._logps(request, tuple(ids), node)
            index = sampling.draw(logps, stream.random())
            kept = tuple(t for t, logp in zip(node.tokens, logps, strict=True) if logp > -math.inf)
            run = forced(node.runs[index])
            ids += [node.tokens[index], *run[0]]
            logprobs += [logps[index], *run[1]]
            allowed += [kept, *run[2]]
            versions += [version] * (len(ids) - len(versions))
            node = node.nexts[index]
        return SampledChoice(node, tuple(ids), tuple(logprobs), tuple(allowed), version, several(versions))

    async def policy(self, request: Request) -> list[float]:
        """Returns the probability of each choice."""
        tree = trie.build(request.choices or ())
        out = [0.0] * len(request.choices or ())
        await self._fill(request, tree.root, tree.run, 0.0, out)
        return out

    def clear(self) -> None:
        """Forget all distributions, after the weights changed."""
        self._cleared += 1
        self._memo.clear()

    async def _fill(
        self, request: Request, node: trie.Branch | int, ids: tuple[int, ...], logp: float, out: list[float]
    ) -> None:
        if isinstance(node, int):
            out[node] = math.exp(logp)
            return
        logps, _ = await self._logps(request, ids, node)
        branches = zip(node.tokens, node.runs, node.nexts, logps, strict=True)
        await asyncio.gather(
            *(
                self._fill(request, after, (*ids, token, *run), logp + step, out)
                for token, run, after, step in branches
                if step > -math.inf
            )
        )

    async def _logps(self, request: Request, ids: tuple[int, ...], branch: trie.Branch) -> tuple[list[float], int]:
        scores = await self._scores((*request.prompt_ids, *ids), branch.tokens)
        return sampling.log_softmax(scores.logits, request.temperature, request.top_p), scores.version

    async def _scores(self, read: tuple[int, ...], tokens: tuple[int, ...]) -> Scores:
        """Returns the scores after the tokens `read`, from memory if possible."""
        key = read, tokens
        scores = self._memo.get(key)
        if scores is not None:
            self.repeated += 1
            self._memo.move_to_end(key)
            return scores
        cleared = self._cleared
        scores = await self._score(read, tokens)
        if cleared == self._cleared:  # otherwise the weights have changed meanwhile
            self._memo[key] = scores
            if len(self._memo) > _REMEMBERED:
                self._memo.popitem(last=False)
        return scores
