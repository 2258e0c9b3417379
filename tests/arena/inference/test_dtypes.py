"""A model computes in the data type that its device is fastest in."""

import pytest

from arena.inference import dtypes, models

torch = pytest.importorskip("torch")


@pytest.fixture
def weights(tmp_path, monkeypatch):
    monkeypatch.setattr(torch.cuda, "is_available", lambda: False)

    def made(size):
        with (tmp_path / "model.safetensors").open("wb") as file:
            file.truncate(size)
        return lambda: tmp_path

    return made


@pytest.mark.parametrize(
    ("able", "size", "dtype"),
    [
        ({"avx2": True, "amx_bf16": False}, 270_000_000, "fp32"),
        ({"avx2": True, "amx_bf16": True}, 270_000_000, "bf16"),
        ({"avx512_bf16": True}, 270_000_000, "bf16"),
        ({"neon": True, "bf16": True}, 270_000_000, "bf16"),
        ({"amx_bf16": True}, 400_000, "fp32"),
    ],
)
def test_bfloat16_on_a_cpu_only_where_it_has_instructions_and_the_model_is_large(
    weights, monkeypatch, able, size, dtype
):
    monkeypatch.setattr(torch.cpu, "get_capabilities", lambda: able, raising=False)
    assert dtypes.fastest("auto", weights(size)) == dtypes.fastest("cpu", weights(size)) == dtype
    assert dtypes.fastest("cuda:1", weights(size)) == "bf16"


def test_a_torch_that_does_not_tell_computes_in_float32(weights, monkeypatch):
    monkeypatch.delattr(torch.cpu, "get_capabilities", raising=False)
    assert dtypes.fastest("cpu", weights(270_000_000)) == "fp32"


def test_a_tiny_model_computes_in_float32_and_a_given_type_is_kept():
    assert models.dtype_of("tiny(layers=1, hidden=32)", "auto", "cpu") == "fp32"
    assert models.dtype_of("tiny(layers=1, hidden=32)", "bf16", "cpu") == "bf16"
