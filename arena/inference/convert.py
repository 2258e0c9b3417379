"""Dequantise a GGUF file into a safetensors folder: `python -m arena.inference.convert FILE FOLDER`."""

from __future__ import annotations

import sys
from pathlib import Path


def convert(source: Path, target: Path) -> None:
    """Write weights in bfloat16, configuration, tokenizer and chat template of `source` into the folder `target`."""
    import torch
    from transformers import AutoModelForCausalLM, AutoTokenizer, GgufConfig

    from arena.inference.models import LOCAL

    where = {"gguf_file": source.name, **LOCAL}
    tokenizer = AutoTokenizer.from_pretrained(source.parent, **where)
    model = AutoModelForCausalLM.from_pretrained(
        source.parent, dtype=torch.bfloat16, quantization_config=GgufConfig(dequantize=True), **where
    )
    tokenizer.save_pretrained(target)
    model.save_pretrained(target)


if __name__ == "__main__":
    convert(Path(sys.argv[1]), Path(sys.argv[2]))
