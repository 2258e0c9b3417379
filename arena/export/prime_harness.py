"""The program that is the agent in `arena.export.prime`: a chat in this process, without tools.

The library's own chat program is started anew for every turn by `uv`, which takes seconds and needs a network. This one
sends each conversation to the same endpoint, so limits, stops, tokens and traces are recorded in the same way.
"""

from __future__ import annotations

from typing import Any

import verifiers.v1 as vf
from openai import AsyncOpenAI
from verifiers.v1.dialects.chat import message_to_wire

__all__ = ["ChatHarness"]


class ChatHarness(vf.Harness[vf.HarnessConfig]):
    """Asks the model once for each turn."""

    APPENDS_SYSTEM_PROMPT = True
    SUPPORTS_RESUME = True
    EXECUTES_CODE = False
    NEEDS_CONTAINER = False

    async def launch(
        self,
        ctx: vf.ModelContext,
        trace: vf.Trace,
        runtime: vf.Runtime,
        endpoint: str,
        secret: str,
        mcp_urls: dict[str, str],
        data: vf.TaskData,
    ) -> vf.ProgramResult:
        """One model call with the whole conversation. A refused call, such as at a limit of turns, ends the agent."""
        system, prompt = self.resolve_prompt(data)
        messages: list[Any] = [vf.SystemMessage(content=system)] if system else []
        messages += [vf.UserMessage(content=prompt)] if isinstance(prompt, str) else prompt or []
        async with AsyncOpenAI(base_url=endpoint, api_key=secret, max_retries=0) as client:
            await client.chat.completions.create(model=ctx.model, messages=[message_to_wire(m) for m in messages])
        return vf.ProgramResult(exit_code=0, stdout="", stderr="")
