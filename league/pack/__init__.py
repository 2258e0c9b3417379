"""One file to share a run: its log, plugin files, snapshots and newest checkpoint."""

from league.pack.open import OpenedRun, open_pack
from league.pack.write import PackedRun, pack_run

__all__ = ["OpenedRun", "PackedRun", "open_pack", "pack_run"]
