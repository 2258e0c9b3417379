"""A training as another process sees it, through its files."""

import json

from league.records.run_spec import RunSpec
from league.views import training_reader


def test_a_training_is_watched_through_its_files(tmp_path):
    reader = training_reader.TrainingReader(tmp_path)
    assert reader.panels(9) == ()
    metrics, timing = tmp_path / "metrics.jsonl", tmp_path / "timing.jsonl"
    timing.write_text(json.dumps({"step": 1, "matches_per_second": 80.0}) + "\n")
    metrics.write_text(json.dumps({"step": 1, "entropy": 0.5}) + '\n{"step": 2, "ent')
    (panel,) = reader.panels(9)
    assert panel.lines[0] == "step 1 of 9 · 80 matches/s"
    with metrics.open("a") as file:
        file.write('ropy": 0.25}\n')
    (panel,) = reader.panels(9)
    assert panel.lines[0].startswith("step 2 of 9")
    assert [(curve.label, curve.value) for curve in panel.curves] == [("entropy (nats)", "0.25")]
    metrics.write_text(json.dumps({"step": 1, "entropy": 0.5}) + "\n")  # cut back by a resume
    assert reader.panels(9)[0].lines[0].startswith("step 1 of 9")
    assert training_reader.panels_for(RunSpec(name="cup", games={}, plays={}, folder=str(tmp_path))) == ()
