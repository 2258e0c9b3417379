"""Decisions among a few answers on vLLM: the log probabilities of the tokens wherever the answers part.

vLLM is asked for one token after each branch of the tree of answers and for the log probabilities of the allowed
ones; drawing is done here, by the same stream and the same arithmetic as on transformers. Forced tokens are read as
part of the next prompt, so most decisions take one request, and one whose distribution is known takes none.
"""

from __future__ import annotations

import asyncio
import math
from collections import OrderedDict
from collections.abc import Awaitable, Callable, Sequence
from dataclasses import dataclass
from typing import NamedTuple, TypeAlias

from arena.inference import sampling, trie
from arena.inference.engine import Request
from games.randomness import Stream


class Scores(NamedTuple):
    """The log probability of each alternative as the next token, up to a constant, and the weights' version."""

    logits: list[float]
    version: int


Score: TypeAlias = Callable[[tuple[int, ...], tuple[int, ...]], Awaitable[Scores]]
"""asks for the scores of some alternatives after having read token ids"""


@dataclass(slots=True)
class Picked:
    """A sampled choice, token by token (T,)."""

    choice: int
    ids: tuple[int, ...]
    logprobs: tuple[float, ...]
    allowed: tuple[tuple[int, ...] | None, ...]
    version: int | None
    """of the weights that decided; None: there was nothing to decide"""


class Chooser:
    """Samples choices, or works out the probability of each. `memo_size` bounds the distributions remembered.

    `repeated` counts what was asked for and known already.
    """

    def __init__(self, score: Score, memo_size: int = 8192) -> None:
        self._score, self._memo_size = score, memo_size
        self._memo: OrderedDict[tuple[tuple[int, ...], tuple[int, ...]], Scores] = OrderedDict()
        self._cleared = 0
        self.repeated = 0

    async def sample(self, request: Request) -> Picked:
        """One choice."""
        tree, stream = trie.build(request.choices or ()), Stream(request.seed)
        ids, logprobs, allowed = _forced(tree.run)
        node = tree.root
        version = None
        while isinstance(node, trie.Branch):
            logps, version = await self._logps(request, tuple(ids), node)
            index = sampling.draw(logps, stream.random())
            kept = tuple(t for t, logp in zip(node.tokens, logps, strict=True) if logp > -math.inf)
            run = _forced(node.runs[index])
            ids += [node.tokens[index], *run[0]]
            logprobs += [logps[index], *run[1]]
            allowed += [kept, *run[2]]
            node = node.nexts[index]
        return Picked(node, tuple(ids), tuple(logprobs), tuple(allowed), version)

    async def policy(self, request: Request) -> list[float]:
        """The probability of each choice."""
        tree = trie.build(request.choices or ())
        out = [0.0] * len(request.choices or ())
        await self._fill(request, tree.root, tree.run, 0.0, out)
        return out

    def clear(self) -> None:
        """Forget the distributions: the weights have changed."""
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
                self._fill(request, after, (*ids, token, *run), logp + own, out)
                for token, run, after, own in branches
                if own > -math.inf
            )
        )

    async def _logps(self, request: Request, ids: tuple[int, ...], branch: trie.Branch) -> tuple[list[float], int]:
        found = await self._known((*request.prompt_ids, *ids), branch.tokens)
        return sampling.log_softmax(found.logits, request.temperature, request.top_p), found.version

    async def _known(self, read: tuple[int, ...], tokens: tuple[int, ...]) -> Scores:
        """The scores after some tokens, from memory where they are there."""
        key = read, tokens
        found = self._memo.get(key)
        if found is not None:
            self.repeated += 1
            self._memo.move_to_end(key)
            return found
        cleared = self._cleared
        found = await self._score(read, tokens)
        if cleared == self._cleared:  # else they are of weights that are gone
            self._memo[key] = found
            if len(self._memo) > self._memo_size:
                self._memo.popitem(last=False)
        return found


def _forced(run: Sequence[int]) -> tuple[list[int], list[float], list[tuple[int, ...] | None]]:
    """Tokens that nothing is decided about."""
    return list(run), [0.0] * len(run), [(token,) for token in run]
