"""A checkpoint is complete or absent: killed writers, damaged files, several writers."""

import json
import logging
import subprocess
import sys
import zlib

import pytest
import torch
from safetensors.torch import load_file, save_file

from arena.inference import tensor_file
from arena.learner import checkpoint
from arena.learner.stored_tensors import StoredTensors, part_name, stored_groups
from games import InputError
from tests import golden

WRITER = golden.text(__file__, "checkpoint_writer.py.txt")


def save(folder, step, keep=3):
    def write(place):
        tensor_file.write(place / "weights.safetensors", {"a": torch.full((3, 2), float(step))})
        tensor_file.write(place / "optimizer.safetensors", {"step:a": torch.tensor(float(step))})

    return checkpoint.save(folder, step, write=write, state={"step": step, "rng": [1, 2.5, "x"]}, keep=keep)


def test_files_are_those_that_the_library_writes(tmp_path):
    """Of every precision, also transposed and of odd sizes, so that numbers of two bytes follow those of one."""
    tensors = {f"{n}": torch.arange(5).to(t) for n, t in enumerate(tensor_file._NAMES)}
    tensors |= {"empty": torch.empty(0, 3), "scalar": torch.tensor(2.5), "transposed": torch.rand(3, 5).T}
    tensor_file.write(tmp_path / "ours", tensors, {"format": "pt"})
    save_file({name: t.contiguous() for name, t in tensors.items()}, tmp_path / "theirs", {"format": "pt"})
    ours, theirs = (load_file(tmp_path / name) for name in ("ours", "theirs"))
    assert ours.keys() == theirs.keys()
    for name, tensor in theirs.items():
        assert ours[name].dtype == tensor.dtype
        assert torch.equal(ours[name], tensor)


def test_rows_are_joined_over_the_files_that_hold_them(tmp_path):
    whole = torch.rand(7, 2)
    for rank, rows in enumerate((slice(0, 3), slice(3, 6), slice(6, 7))):
        metadata = {"first_rows": json.dumps({"a": rows.start})}
        tensor_file.write(tmp_path / part_name("weights", rank), {"a": whole[rows]}, metadata)
    stored = stored_groups(tmp_path)["weights"]
    assert torch.equal(stored["a"], whole)
    for start in range(8):
        for stop in range(start, 8):
            assert torch.equal(stored.rows("a", start, stop), whole[start:stop])


def test_a_saved_checkpoint_is_loaded(tmp_path):
    place = save(tmp_path, 12)
    assert place.name == "step-00000012"
    loaded = checkpoint.load(place)
    assert loaded.step == 12
    assert loaded.state == {"step": 12, "rng": [1, 2.5, "x"]}
    assert torch.equal(loaded.tensors["weights"]["a"], torch.full((3, 2), 12.0))
    assert loaded.tensors["optimizer"]["step:a"] == 12.0


def test_the_newest_k_are_kept(tmp_path):
    for step in (1, 2, 3, 10):
        save(tmp_path, step, keep=2)
    assert sorted(p.name for p in tmp_path.iterdir()) == ["step-00000003", "step-00000010"]
    assert checkpoint.latest(tmp_path) == tmp_path / "step-00000010"


def test_a_damaged_later_one_does_not_count_among_those_kept(tmp_path):
    save(tmp_path, 1)
    (save(tmp_path, 3) / "state.json").write_text("")
    for step in (1, 2):  # the run resumes from step 1
        save(tmp_path, step, keep=1)
        assert checkpoint.latest(tmp_path) == tmp_path / f"step-{step:08d}"
    assert len(list(tmp_path.iterdir())) == 2


def test_the_same_step_again_replaces_it(tmp_path):
    save(tmp_path, 4)
    checkpoint.save(tmp_path, 4, write=lambda place: None, state={"second": True})
    assert checkpoint.load(tmp_path / "step-00000004").state == {"second": True}
    assert [p.name for p in tmp_path.iterdir()] == ["step-00000004"]


@pytest.mark.parametrize("name", ["weights.safetensors", "optimizer.safetensors", "state.json", "manifest.json"])
@pytest.mark.parametrize("how", ["missing", "cut", "flipped"])
def test_a_damaged_one_is_passed_over(tmp_path, name, how, caplog):
    good, bad = save(tmp_path, 1), save(tmp_path, 2)
    file = bad / name
    data = bytearray(file.read_bytes())
    if how == "missing":
        file.unlink()
    elif how == "cut":
        file.write_bytes(data[:-3])
    else:
        data[1 if name == "manifest.json" else -2] ^= 0x55
        file.write_bytes(data)
    with caplog.at_level(logging.WARNING):
        assert checkpoint.latest(tmp_path) == good
    assert "step-00000002" in caplog.text
    with pytest.raises(InputError, match="cannot be read"):
        checkpoint.load(bad)


@pytest.mark.parametrize(
    ("name", "data"),
    [
        ("state.json", b"["),
        ("state.json", b"[" * 100_000),
        ("state.json", b"\xff"),
        ("weights.safetensors", b"\0" * 100),
        ("weights.safetensors", b"\xff" * 8),
    ],
)
def test_one_that_somebody_wrote_with_its_sums_is_told_in_one_line(tmp_path, name, data):
    place = save(tmp_path, 1)
    (place / name).write_bytes(data)
    manifest = json.loads((place / "manifest.json").read_text())
    manifest["files"][name] = {"size": len(data), "crc32": zlib.crc32(data)}
    (place / "manifest.json").write_text(json.dumps(manifest))
    with pytest.raises(InputError, match="holds what no training writes"), checkpoint.reading(place):
        dict(checkpoint.load(place).tensors["weights"])


def test_no_checkpoint(tmp_path):
    assert checkpoint.latest(tmp_path / "nowhere") is None
    (tmp_path / "step-x").mkdir()
    assert checkpoint.latest(tmp_path) is None
    with pytest.raises(InputError, match="cannot be read"):
        checkpoint.load(tmp_path / "step-00000001")


def test_a_full_disk_keeps_the_last_checkpoint(tmp_path, monkeypatch):
    good = save(tmp_path, 1)

    def full(*_):
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(checkpoint, "_flush", full)
    with pytest.raises(OSError, match="No space"):
        save(tmp_path, 2)
    assert [p.name for p in tmp_path.iterdir()] == ["step-00000001"]
    assert checkpoint.latest(tmp_path) == good


def test_a_killed_writer_leaves_only_complete_ones(tmp_path):
    subprocess.run([sys.executable, "-c", WRITER, str(tmp_path)], check=True, stdout=subprocess.PIPE, timeout=280)
    newest = []
    for n in range(12):
        found = checkpoint.latest(tmp_path / str(n))
        newest.append(0 if found is None else checkpoint.load(found).step)
        if found is not None:
            loaded = checkpoint.load(found)
            expected = torch.full((64, 64), float(loaded.step))
            assert loaded.state == {"step": loaded.step}
            assert all(torch.equal(t, expected) for t in loaded.tensors["weights"].values())
        save(tmp_path / str(n), 9, keep=1)
        assert [p.name for p in (tmp_path / str(n)).iterdir()] == ["step-00000009"]  # the others are deleted
    # 3 files, the manifest and the folder are flushed before the rename, the parent folder afterwards
    assert newest == [0, 0, 0, 0, 1, 1, 1, 1, 1, 2, 2, 2]


def test_at_least_one_is_kept(tmp_path):
    with pytest.raises(InputError, match="keep is 0; at least 1 checkpoint must be kept"):
        save(tmp_path, 1, keep=0)
    assert not list(tmp_path.iterdir())
    for step in (1, 2):
        save(tmp_path, step, keep=1)
    assert [p.name for p in tmp_path.iterdir()] == ["step-00000002"]
    for step in range(3, 7):  # three by default
        checkpoint.save(tmp_path, step, write=lambda place: None, state={})
    assert sorted(p.name for p in tmp_path.iterdir()) == [f"step-0000000{n}" for n in (4, 5, 6)]


def test_folders_are_sorted_by_number_also_with_more_digits(tmp_path):
    names = ["step-100000000", "step-00000099", "step-99999999"]
    for name in (*names, "step-1", "step-000000001x"):
        (tmp_path / name).mkdir()
    assert [p.name for p in checkpoint.paths(tmp_path)] == ["step-00000099", "step-99999999", "step-100000000"]


def test_a_trainers_part_has_the_groups_that_begin_with_its_name(tmp_path):
    def write(place):
        for name, value in (("a.weights", 1.0), ("b.weights", 2.0)):
            tensor_file.write(place / f"{name}.safetensors", {"w": torch.tensor([value]), "step": torch.tensor(3.0)})

    place = checkpoint.save(tmp_path, 1, write=write, state={"n": 1}, files={"note": b"text"})
    whole = checkpoint.load(place)
    part = whole.part("b.", {"trainer": {}})
    assert (whole.path / "note").read_bytes() == b"text"
    assert (list(part.tensors), part.prefix, part.step, part.state) == (["weights"], "b.", 1, {"trainer": {}})
    stored = part.tensors["weights"]
    assert float(stored["w"]) == 2.0
    assert len(stored) == len(list(stored)) == 2
    assert isinstance(stored, StoredTensors)
    assert [stored.is_scalar(name) for name in ("w", "step")] == [False, True]
