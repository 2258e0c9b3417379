"""Where the snapshots of a training lie, and which player each of them is."""

from __future__ import annotations

from pathlib import Path

from league.training.config import TrainingConfig
from league.training.learning import Learner
from league.training.population import Snapshot


class Snapshots:
    """The folder `snapshots` of a training: one folder for each, with a model or an adapter for each policy."""

    def __init__(self, config: TrainingConfig, learner: Learner) -> None:
        self._config, self._learner = config, learner

    def freeze(self, step: int) -> Snapshot:
        """Write the live policy as it is now."""
        snapshot = Snapshot(f"{self._config.name}@{step}", step, self._learner.version)
        self._learner.export(self.folder(snapshot.name))
        return snapshot

    def folder(self, name: str) -> Path:
        """Where a snapshot lies."""
        return self._config.place / "snapshots" / name

    def players(self, name: str) -> dict[str, str]:
        """Policy -> id of the player that plays as it did."""
        p = self._config.policy
        rest = f"decode={p.decode}, temperature={p.temperature}, max_tokens={p.max_tokens}, dtype={self._learner.dtype}"
        rest += f", answer={p.answer}" if p.answer else ""
        rest += f", top_p={p.top_p}" if p.top_p < 1 else ""
        # Many adapters share one vLLM; whole models would each start their own.
        rest += f", engine={'vllm' if p.engine == 'vllm' and p.lora else 'transformers'}, device={p.device}"
        folder = self.folder(name).resolve()
        return {key: f'llm(model="{self._learner.part(folder, key)}", {rest})' for key in self._learner.policies}
