"""The settings of a training file. Its keys are the field names. Example: scripts/examples/train_kuhn.toml."""

from __future__ import annotations

import re
from collections.abc import Mapping
from pathlib import Path
from typing import Any, Literal

from pydantic import Field, field_validator, model_validator

from arena.learner.config import LearnerConfig, LossConfig, OptimizerConfig, ReplayConfig
from arena.learner.controls import Returns
from arena.match.illegal_policy import IllegalPolicy
from arena.runner.ray.config import RayConfig
from arena.settings import Settings
from league.config.database_url import DEFAULT_DB, DatabaseUrl
from league.config.id_ranges import each_game
from league.config.imitation import ImitationConfig
from league.config.opponents import AnchorConfig, OpponentsConfig, SnapshotConfig
from league.config.policies import PhaseConfig, PolicyTable, completed, policy_faults
from league.config.policy import PolicyConfig, engine_fault
from league.config.toml_file import read_toml
from league.config.tournament import RatingConfig, validated


class GameConfig(Settings):
    """One game of the mixture."""

    id: str
    """The game with its parameters."""
    weight: float = Field(default=1.0, gt=0)
    """Share of the matches, relative to the weights of the other games."""


def _or_plain_ids(schema: dict[str, Any]) -> None:
    """A file may give a game as its id alone."""
    schema["items"] = {"anyOf": [{"type": "string"}, schema["items"]]}


Tracker = Literal["tensorboard", "trackio", "wandb"]
ParentRule = Literal["uniform", "eva", "failures", "socratic"]
LadderRule = Literal["frontier", "uniform", "oracle"]


class TasksConfig(Settings):
    """The pool of tasks that players set for each other; see league.tasks.pool."""

    share: float = Field(default=0.0, ge=0, le=1)
    """Share of the matches, in games with tasks, that use a task of the pool instead of a new proposal."""
    ladder: LadderRule | None = None
    """Use new tasks of the game's source instead of tasks of the pool, from the kind (family and difficulty) at which
    most is learned. frontier: in proportion to p (1 - p) of the solve rate p that the answers show. uniform: all
    kinds evenly, the control. oracle: by the exact p (1 - p), for studies (decode = choice). With a ladder
    `share` is 1 by default; in evolve the others start from tasks of the ladder."""
    references: int = Field(default=0, ge=0, le=6)
    """Tasks of the pool that a proposer is shown as examples, in games that show some (code-io: past valid programs,
    and for an induction the program to describe). 0: only the game's own examples."""
    curriculum: str = "uniform"
    """Which tasks of the pool are played: uniform, newest, mopps(target=0.5), another one of docs/tasks.md, or a
    plugin."""
    parents: ParentRule | None = None
    """Which tasks of the pool a proposer starts from, in games that make new tasks from old ones (evolve) or show some
    (code-io). uniform: any that was tried; eva: tasks that some solve and some fail; failures: tasks that nobody
    solves; socratic: in proportion to the failed answers. Default: evolve draws a task, references are drawn evenly."""
    low: float = Field(default=0.0, ge=0, le=1)
    """A new task is added if its first solve rate is at least this."""
    high: float = Field(default=1.0, ge=0, le=1)
    """And at most this."""
    outgrown: float | None = Field(default=None, gt=0, le=1)
    """A task whose newest solve rate is at least this is neither played nor varied any more, so that difficulty follows
    the model. PromptCoT 2.0 leaves out what is solved in at least half of the attempts (0.5). Default: no limit."""
    size: int = Field(default=16_384, ge=1)
    """The number of newest tasks of a game that are sampled; older ones stay in the store."""

    @model_validator(mode="before")
    @classmethod
    def _whole_ladder(cls, table: Any) -> Any:
        return {"share": 1.0, **table} if isinstance(table, Mapping) and table.get("ladder") else table


class EvaluationConfig(Settings):
    """When and how the live policy is evaluated. It is never rated itself."""

    every: int = Field(default=50, ge=1)
    """Steps between two evaluations; the last step is always evaluated."""
    matches: int | None = Field(default=None, ge=0)
    """Matches per seat against each anchor. Default: 50, or fewer if the steps between two evaluations play few: all
    matches of an evaluation together are at most half of theirs."""
    exact: bool | None = None
    """Compute NashConv if the game is small enough and the policy's probabilities are known (decode = choice). Default:
    if no more positions are read than matches are played between two evaluations."""
    suite: tuple[str, ...] = ()
    """Task sources, such as "reasoning-gym(families=gcd+lcm, difficulty=small)": the accuracy of the policy on tasks
    that no game of the training poses. Their split is test, or dev."""
    suite_tasks: int = Field(default=50, ge=1)
    """Tasks of each family and difficulty of a suite."""
    probes: int = Field(default=0, ge=0)
    """Matches per role of the fixed probes of a snapshot: role games against scripted partners. 0: none."""

    @field_validator("suite", mode="before")
    @classmethod
    def _several(cls, suite: Any) -> Any:
        return (suite,) if isinstance(suite, str) else suite


class CheckpointConfig(Settings):
    """What an interrupted run resumes from."""

    every: int = Field(default=100, ge=1)
    """Steps between two checkpoints; the last step always has one."""
    keep: int = Field(default=3, ge=1)
    """The number of checkpoints to keep."""


class TrainingConfig(Settings):
    """A whole training file."""

    name: str = Field(min_length=1, max_length=100)
    """Name of the run; its folder and its snapshots have this name too."""
    db: DatabaseUrl = DEFAULT_DB
    """The store: sqlite:///path or postgresql+psycopg://..."""
    folder: str = ""
    """Holds checkpoints, snapshots and metrics. Default: runs/NAME."""
    seed: int = 0
    """All randomness of the training follows from it."""
    steps: int = Field(ge=1)
    """Optimizer steps in all. A resumed training may have more."""
    matches_per_step: int = Field(default=64, ge=1)
    """The minimum number of matches per step; a pairing's matches on one seed are always played together."""
    group: int = Field(default=1, ge=1)
    """Number of matches with the same seed and opponent. grpo and rloo compare answers to the same task: those of these
    matches, and those of several seats of one role in a match. A role with one seat needs at least 2."""
    concurrency: int = Field(default=1024, ge=1)
    """The maximum number of matches played at the same time."""
    overlap: int = Field(default=0, ge=0, le=16)
    """Number of steps that rollouts run ahead of learning: matches use weights that are at most `overlap` steps old. 0
    is strictly on-policy."""
    in_flight: bool = False
    """Matches that are being played continue with new weights, also in the middle of an answer, as soon as the learner
    has them. Each token keeps the version and the probability it was sampled with. Needs overlap; such a run depends on
    timing and does not repeat bit for bit."""
    workers: Literal["local", "ray"] = "local"
    """Where matches are played: in this process, or on a Ray cluster. The learner is in this process, and in
    those that `[learner]` adds."""
    ray: RayConfig = RayConfig()
    """The Ray cluster of `workers = "ray"`."""
    policy: PolicyConfig = PolicyConfig()
    """The weights that are trained, and how they play."""
    games: tuple[GameConfig, ...] = Field(min_length=1, json_schema_extra=_or_plain_ids)
    """The games, as ids or as tables with `id` and `weight`. `veil(of=ID, words=1..30)` names 30 wordings, which share
    the weight."""
    roles: dict[str, str] = Field(default_factory=dict)
    """Role of a game -> the role id that writes its prompts, reads its answers and decides its credit, such as
    proposer = "proposer(difficulty=barely)"."""
    advantage: str = "rae"
    """The advantage estimator: none, rae(decay=0.95), grpo, whiten, another one of docs/training.md, or a plugin."""
    returns: Returns = "game"
    """What is learned from. game: what the matches return. The others are controls, which cannot learn the game;
    permuted: the rewards of a step, exchanged at random among the seats of the same role; format: the share of a seat's
    attempts that the game accepted."""
    recompute_old: bool | None = None
    """Take ratios against the trainer's own probabilities at the start of the step, one more pass, instead of those
    that the engine stored. Default: with overlap."""
    loss: LossConfig = LossConfig()
    """The objective of a step."""
    optimizer: OptimizerConfig = OptimizerConfig()
    """AdamW, its learning-rate schedule and its batches."""
    imitation: ImitationConfig | None = None
    """Stored matches that the policy imitates before its first step. Default: none."""
    replay: ReplayConfig = ReplayConfig()
    """Good answers of earlier steps that are trained on again."""
    learner: LearnerConfig = LearnerConfig()
    """The processes that share the learner's weights and work."""
    opponents: OpponentsConfig = OpponentsConfig()
    """Which opponents the live policy meets."""
    partners: bool = True
    """In a game of one team, opponents play beside the policy, which takes each seat in turn; false: they are not met.
    """
    anchors: tuple[AnchorConfig, ...] = ()
    """Fixed players to measure against."""
    snapshots: SnapshotConfig = SnapshotConfig()
    """When a snapshot joins the league, and its rated matches."""
    policies: tuple[PolicyTable, ...] = ()
    """Several policies with weights of their own. Default: one, with the settings of the file."""
    phases: tuple[PhaseConfig, ...] = ()
    """Which policies and roles train when, one phase after another. The last one lasts until the end."""
    repeat_phases: bool = False
    """Begin again with the first phase when the last one has ended."""
    tasks: TasksConfig = TasksConfig()
    """The pool of tasks that players set for each other."""
    evaluation: EvaluationConfig = EvaluationConfig()
    """When and how the live policy is evaluated."""
    checkpoint: CheckpointConfig = CheckpointConfig()
    """What an interrupted run resumes from."""
    record: bool = True
    """Store every training match, in the run NAME.training."""
    trackers: tuple[Tracker, ...] | None = None
    """Where metrics go in addition to metrics.jsonl. Default: tensorboard if it is installed."""
    plugins: tuple[str, ...] = ()
    """Plugin files, relative to this file."""
    illegal: IllegalPolicy = IllegalPolicy()
    """How often a failed answer is asked again, and what happens then."""
    ratings: RatingConfig = RatingConfig()
    """The rating method of the snapshots, and its scale."""

    @field_validator("name")
    @classmethod
    def _file_name(cls, name: str) -> str:
        if name in (".", "..") or not name.isprintable() or "/" in name or "\\" in name:
            raise ValueError(
                "the run's folder and its snapshots have this name too; write it without slashes, line breaks and "
                "other control characters"
            )
        return name

    @model_validator(mode="before")
    @classmethod
    def _complete_policies(cls, file: Any) -> Any:
        if not isinstance(file, dict) or not isinstance(policies := file.get("policies"), list | tuple):
            return file
        return file | {"policies": completed(policies, file)}

    @field_validator("games", mode="before")
    @classmethod
    def _plain(cls, games: Any) -> Any:
        if not isinstance(games, list | tuple):
            return games
        tables = [{"id": g} if isinstance(g, str) else g for g in games]
        return [each for g in tables for each in (each_game(g) if isinstance(g, Mapping) else [g])]

    @model_validator(mode="after")
    def _consistent(self) -> TrainingConfig:
        names = [a.name for a in self.anchors]
        if twice := sorted({n for n in names if names.count(n) > 1}):
            raise ValueError(f"anchor {twice[0]!r} is given twice; names must differ")
        if self.opponents.anchors > 0 and not self.anchors:
            raise ValueError("opponents.anchors is above 0, but there are no [[anchors]]; add one or set it to 0")
        infix = "|".join(["", *(re.escape(f".{policy.name}") for policy in self.policies)])
        reserved = re.compile(rf"{re.escape(self.name)}({infix})@\d+")  # no two players have one name
        if taken := [n for n in names if reserved.fullmatch(n)]:
            raise ValueError(
                f"anchor {taken[0]!r}: the names {self.name}@STEP are those of the training's own snapshots; give the "
                "anchor another name"
            )
        if fault := engine_fault(self) or policy_faults(self):
            raise ValueError(fault)
        return self

    @property
    def place(self) -> Path:
        """The run's folder."""
        return Path(self.folder or f"runs/{self.name}")


def load_training(path: str | Path, **overrides: Any) -> TrainingConfig:
    """Read and validate a training file. Raises InputError with all problems in one line, separated by '; '."""
    return parse_training(read_toml(path, "training") | {k: v for k, v in overrides.items() if v is not None}, path)


def parse_training(data: Mapping[str, Any], where: str | Path = "training settings") -> TrainingConfig:
    """Validate settings. Raises InputError."""
    return validated(TrainingConfig, data, where)
