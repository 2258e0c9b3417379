"""A training file as one frozen tree. The file's keys are the field names here; see scripts/train_kuhn.toml."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any, Literal

from pydantic import Field, ValidationError, field_validator, model_validator

from games import InputError
from league import DEFAULT_DB
from league.config import Frozen, GateConfig, IllegalConfig, RatingConfig, RayConfig, faults
from league.matchmaking.pfsp import Kind
from league.toml_file import read_toml

_TAKEN = re.compile(r"live(?:[.#].*)?$", re.DOTALL)
"""names of the live policy, its copies and where a role is frozen: league.training.matches"""


class PolicyConfig(Frozen):
    """The weights that are trained, and how they play."""

    model: str = "tiny"
    """`tiny(layers=2, hidden=64)`, smollm2-135m, a folder, or a Hugging Face id."""
    decode: Literal["choice", "free"] = "choice"
    answer: Literal["boxed", "json", "line", "bare"] | None = None
    """The form of answer asked for; default: bare with choice, boxed with free."""
    temperature: float = Field(default=1.0, gt=0)
    top_p: float = Field(default=1.0, gt=0, le=1)
    max_tokens: int = Field(default=256, ge=1)
    lora: int = Field(default=0, ge=0)
    """Rank of a LoRA adapter; 0: full weights."""
    per_role: bool = False
    """One policy per role instead of one for all."""
    dtype: Literal["auto", "fp32", "bf16"] = "auto"
    """auto: fp32 on the CPU, bf16 elsewhere."""
    device: str = "auto"
    engine: Literal["transformers", "vllm"] = "transformers"
    """What training matches are played with: the trainer's own weights in its own process, or vLLM beside it, which
    is given the new weights before every step. Evaluations use the trainer's in either case."""
    deterministic: bool | None = None
    """Decide one prompt at a time, so that a run repeats bit for bit; default: on the CPU. Turn it off for a large
    model on the CPU, where batches are several times as fast. Small games hardly notice: a prompt is read once."""


class GameConfig(Frozen):
    """One game of the mixture."""

    id: str
    weight: float = Field(default=1.0, gt=0)
    """Share of the matches, in proportion to the other games' weights."""


class LossConfig(Frozen):
    """policy loss + kl * KL(policy || start) - entropy * H + tau * KL(policy || magnet); see arena.learner.config."""

    name: str = "ppo"
    """reinforce, ppo, or a plugin's"""
    clip_low: float = 0.2
    clip_high: float = 0.28
    weight_cap: float = 2.0
    """Importance weights between sampler and trainer are cut here."""
    normaliser: float | None = Field(default=None, gt=0)
    """What the sum over a turn's tokens is divided by; default: 1 with choice, max_tokens with free."""
    kl: float = 0.0
    entropy: float = 0.0
    tau: float = 0.0
    """Temperature of the magnet; 0: no magnet."""
    magnet_rate: float = 0.01
    """Share of the way to the policy that the magnet goes at every step."""
    magnet_floor: float = 0.0
    """Share of uniform play mixed into the magnet, so that no action is dropped for good; falls with the step size."""
    tau_decay: bool = False
    """tau falls as the learning rate does."""


class OptimizerConfig(Frozen):
    """AdamW and the batches it is given; see arena.learner.config."""

    lr: float = 1e-6
    betas: tuple[float, float] = (0.9, 0.95)
    weight_decay: float = 0.0
    max_grad_norm: float = 1.0
    warmup: int = 0
    schedule: Literal["constant", "linear", "cosine", "inverse_sqrt"] = "constant"
    """linear and cosine: to 0 at `horizon`; inverse_sqrt: lr / sqrt(1 + step / horizon)."""
    horizon: int | None = Field(default=None, ge=1)
    """Optimizer steps. Default: with linear and cosine all of the training, so that it ends at a step size of 0 (a
    training that is gone on with for more `steps` is stretched); 1000 with inverse_sqrt."""
    epochs: int = 1
    """Passes over each batch."""
    minibatches: int = 1
    """Optimizer steps in one pass."""
    token_budget: int = 8192
    """Tokens of a micro-batch; halved where memory does not suffice."""
    gradient_checkpointing: bool = False
    """Trade time for memory: compute activations again in the backward pass."""


class OpponentsConfig(Frozen):
    """Whom the live policy meets, as shares."""

    self_play: float = Field(default=1.0, ge=0, alias="self")
    snapshots: float = Field(default=0.0, ge=0)
    anchors: float = Field(default=0.0, ge=0)
    pfsp: Kind = "variance"
    """How a snapshot is drawn from the win rates against them: see league.matchmaking.pfsp."""
    pool: int = Field(default=20, ge=1)
    """The newest snapshots that are met; the first one always is."""
    loaded: int = Field(default=8, ge=1)
    """Different snapshots met in one step, and kept in memory, at most."""
    decay: float = Field(default=0.99, gt=0, lt=1)
    """Per match, of the win rates that opponents are drawn by."""

    @model_validator(mode="after")
    def _some(self) -> OpponentsConfig:
        if self.self_play + self.snapshots + self.anchors <= 0:
            raise ValueError("self, snapshots and anchors are all 0; at least one share must be above 0")
        return self


class AnchorConfig(Frozen):
    """A fixed player: a yardstick, and an opponent where the anchors' share is above 0."""

    name: str = Field(min_length=1, max_length=64)
    player: str


class SnapshotConfig(Frozen):
    """When the live policy is frozen into a player of the league."""

    every: int | None = Field(default=100, ge=1)
    """Steps."""
    win_rate: float | None = Field(default=None, gt=0, lt=1)
    """Also when it beats the newest snapshot this often in training ..."""
    games: int = Field(default=200, ge=1)
    """... over at least so many matches."""
    matches: int = Field(default=20, ge=0)
    """Rated matches per seat against each anchor and each of the last `versus` snapshots; 0: not rated."""
    versus: int = Field(default=3, ge=0)
    gate: GateConfig | None = None
    """A snapshot joins, as an opponent and in the ratings, only when a sequential test accepts it against the newest
    one; `gate = {}` takes the defaults, which seek 50 normalised Elo. Default: every snapshot joins."""


class FreezeConfig(Frozen):
    """A role that is not trained between two steps: it plays on, but neither gradient nor baseline sees it."""

    role: str
    game: str | None = None
    start: int = Field(default=0, ge=0)
    stop: int | None = Field(default=None, ge=0)
    """The first step that trains again; default: never."""

    @model_validator(mode="after")
    def _some(self) -> FreezeConfig:
        if self.stop is not None and self.stop <= self.start:
            raise ValueError(
                f"stop is {self.stop} and start {self.start}, which freezes no step; stop must be above start"
            )
        return self


class TasksConfig(Frozen):
    """The pool of tasks that the players of a training set for each other; see league.tasks."""

    share: float = Field(default=0.0, ge=0, le=1)
    """Part of the matches of games with tasks that is played on a task of the pool, without its proposer."""
    curriculum: Literal["uniform", "newest", "frontier"] = "uniform"
    """frontier: the bands of solve rates that lately taught most, by a bandit over absolute advantages."""
    low: float = Field(default=0.0, ge=0, le=1)
    high: float = Field(default=1.0, ge=0, le=1)
    """A new task is kept where its first solve rate lies between the two."""
    size: int = Field(default=16_384, ge=1)
    """The newest tasks of a game that are played."""
    newest: int = Field(default=128, ge=1)
    """The curriculum `newest` draws among so many."""
    distance: float = Field(default=0.0, ge=0, le=1)
    """A new task is refused nearer than this (1 - BLEU) to one of the newest 512; 0: only equal ones are."""
    rate: float = Field(default=0.5, gt=0, le=1)
    """Of the bandit: the step towards the newest gain of a band."""
    temperature: float = Field(default=0.1, gt=0)
    """Of the bandit: how evenly bands are drawn."""


class EvaluationConfig(Frozen):
    """How good the live policy is, measured at intervals. It is never rated itself."""

    every: int = Field(default=50, ge=1)
    """Steps; the last step is always evaluated."""
    matches: int = Field(default=50, ge=0)
    """Per seat against each anchor."""
    exact: bool = True
    """NashConv where the game is small enough and the policy can be read (decode = choice)."""
    average: Literal["linear", "uniform"] = "linear"
    """Weights of the policies in `nash_conv_average`: by step, as in CFR+, so that the first ones are soon forgotten,
    or all alike."""


class CheckpointConfig(Frozen):
    """What a run that was interrupted goes on from."""

    every: int = Field(default=100, ge=1)
    """Steps; the last step is always kept."""
    keep: int = Field(default=3, ge=1)


class AlarmConfig(Frozen):
    """When the board warns."""

    length: float = Field(default=0.25, ge=0)
    """The mean answer is shorter than this part of what it was in the first steps."""
    entropy: float = Field(default=0.05, ge=0)
    """The entropy is below this part of what it was in the first steps."""
    gradient: float = Field(default=0.01, ge=0)
    """The gradient's norm is below this part of what it was in the first steps."""
    illegal: float = Field(default=0.2, ge=0)
    """The share of illegal answers is this much above what it was in the first steps."""
    distinct: float = Field(default=0.5, ge=0)
    """The share of different tasks, or messages, among those of a step is below this part of what it was in the first
    steps."""
    seat: float = Field(default=0.95, gt=0.5, le=1)
    """One seat wins this share of the decided self-play matches."""


class TrainingConfig(Frozen):
    """A whole training file."""

    name: str = Field(min_length=1, max_length=100)
    db: str = DEFAULT_DB
    folder: str = ""
    """Checkpoints, snapshots and metrics; default: runs/NAME."""
    seed: int = 0
    steps: int = Field(ge=1)
    matches_per_step: int = Field(default=64, ge=1)
    """At least so many: matches on one seed with the seats rotated are played all."""
    group: int = Field(default=1, ge=1)
    """Matches that share a seed and its opponent; grpo and rloo compare inside a group and need 2 or more."""
    concurrency: int = Field(default=1024, ge=1)
    """Matches in flight."""
    overlap: int = Field(default=0, ge=0, le=16)
    """Steps that play runs ahead of learning: the matches of a step are played with the weights of `overlap` steps
    before. 0: strictly on-policy."""
    workers: Literal["local", "ray"] = "local"
    """Who plays: this process, or the workers of a Ray cluster; the learner is always here."""
    ray: RayConfig = RayConfig()
    policy: PolicyConfig = PolicyConfig()
    games: tuple[GameConfig, ...] = Field(min_length=1)
    roles: dict[str, str] = Field(default_factory=dict)
    """Role of a game -> the role it is credited as, such as proposer = "proposer(difficulty=barely)"."""
    advantage: str = "rae"
    """none, rae(decay=0.95), global, grpo, rloo, rating-rae, or a plugin's."""
    loss: LossConfig = LossConfig()
    optimizer: OptimizerConfig = OptimizerConfig()
    opponents: OpponentsConfig = OpponentsConfig()
    anchors: tuple[AnchorConfig, ...] = ()
    snapshots: SnapshotConfig = SnapshotConfig()
    freeze: tuple[FreezeConfig, ...] = ()
    tasks: TasksConfig = TasksConfig()
    evaluation: EvaluationConfig = EvaluationConfig()
    checkpoint: CheckpointConfig = CheckpointConfig()
    alarms: AlarmConfig = AlarmConfig()
    record: bool = True
    """Keep every training match in the store, as the run NAME.training."""
    trackers: tuple[Literal["tensorboard", "trackio", "wandb"], ...] | None = None
    """Where metrics go beside metrics.jsonl; default: tensorboard where it is installed."""
    plugins: tuple[str, ...] = ()
    illegal: IllegalConfig = IllegalConfig()
    ratings: RatingConfig = RatingConfig()

    @field_validator("name")
    @classmethod
    def _file_name(cls, name: str) -> str:
        if name in (".", "..") or not name.isprintable() or "/" in name or "\\" in name:
            raise ValueError(
                "the name is also that of the run's folder and its snapshots; write it without slashes, "
                "line breaks and other control characters"
            )
        return name

    @field_validator("games", mode="before")
    @classmethod
    def _plain(cls, games: Any) -> Any:
        return [{"id": g} if isinstance(g, str) else g for g in games] if isinstance(games, list | tuple) else games

    @model_validator(mode="after")
    def _consistent(self) -> TrainingConfig:
        names = [a.name for a in self.anchors]
        if twice := sorted({n for n in names if names.count(n) > 1}):
            raise ValueError(f"anchor {twice[0]!r} is given twice; names must differ")
        if self.advantage.partition("(")[0] in ("grpo", "rloo") and self.group < 2:
            raise ValueError(f"advantage {self.advantage!r} compares inside a group; set group = 4 or so")
        if self.opponents.anchors > 0 and not self.anchors:
            raise ValueError("opponents.anchors is above 0 and there are no [[anchors]]")
        if taken := [n for n in names if _TAKEN.match(n) or re.fullmatch(rf"{re.escape(self.name)}@\d+", n)]:
            raise ValueError(
                f"anchor {taken[0]!r}: the training calls its own players live and {self.name}@STEP; give the anchor "
                "another name"
            )
        return self

    @property
    def place(self) -> Path:
        """The run's folder."""
        return Path(self.folder or f"runs/{self.name}")


def load_training(path: str | Path, **overrides: Any) -> TrainingConfig:
    """Read and validate a training file. Raises InputError with one line per fault, joined by '; '."""
    return parse_training(read_toml(path, "training") | {k: v for k, v in overrides.items() if v is not None}, path)


def parse_training(data: dict[str, Any], where: str | Path = "training settings") -> TrainingConfig:
    """Validate settings. Raises InputError."""
    try:
        return TrainingConfig.model_validate(data)
    except ValidationError as error:
        raise InputError(f"{where}: {faults(error, TrainingConfig)}") from None
