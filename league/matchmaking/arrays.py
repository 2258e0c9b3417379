"""Array types for annotations."""

from __future__ import annotations

from typing import Any, TypeAlias

import numpy as np
import numpy.typing as npt

Array: TypeAlias = npt.NDArray[np.float64]
Ints: TypeAlias = npt.NDArray[np.int64]
Generator: TypeAlias = np.random.Generator
Mask: TypeAlias = npt.NDArray[Any]
