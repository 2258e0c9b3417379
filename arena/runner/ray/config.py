"""The settings of a Ray cluster."""

from __future__ import annotations

from pydantic import Field

from arena.settings import Settings


class RayConfig(Settings):
    """The cluster of `workers = "ray"`: where it runs and what each worker occupies."""

    address: str = ""
    """Of a running cluster: `auto` or host:port; default: RAY_ADDRESS if set, else a new cluster on this machine."""
    actors: int | None = Field(default=None, ge=1)
    """Workers; default: as many as fit on the cluster."""
    cpus: float = Field(default=1.0, ge=0)
    """CPUs per worker."""
    gpus: float = Field(default=0.0, ge=0)
    """GPUs per worker; 0.5 puts two engines on one."""
    resources: dict[str, float] = Field(default_factory=dict)
    """Custom resources per worker, as the nodes name them."""
