import math

import pytest
import torch

from arena.inference.sampling import log_softmax, sample_rows
from games.randomness import RandomStream

LOGITS = torch.log(torch.tensor([[0.1, 0.2, 0.3, 0.4], [0.7, 0.1, 0.1, 0.1]]))


def test_the_draw_inverts_the_distribution():
    for uniform, token in [(0.0, 0), (0.0999, 0), (0.1001, 1), (0.2999, 1), (0.3001, 2), (0.6001, 3), (1 - 2**-53, 3)]:
        (one, two) = sample_rows(LOGITS, [1.0, 1.0], [1.0, 1.0], [uniform, 0.0])
        assert (one.token, two.token) == (token, 0)
        assert one.logprob == pytest.approx(float(LOGITS[0, token]), abs=1e-6)
        assert one.allowed is None


def test_a_row_does_not_depend_on_other_rows():
    logits = torch.randn(16, 300, generator=torch.Generator().manual_seed(1)) * 3
    stream = RandomStream(5)
    uniforms = [stream.random() for _ in range(16)]
    temperatures = [0.0, 0.5, 1.0, 2.0] * 4
    top_ps = [1.0, 0.9, 0.5, 1.0] * 4
    together = sample_rows(logits, temperatures, top_ps, uniforms)
    alone = [
        sample_rows(logits[i : i + 1], temperatures[i : i + 1], top_ps[i : i + 1], uniforms[i : i + 1])[0]
        for i in range(16)
    ]
    assert together == alone


@pytest.mark.parametrize("top_p", [1.0, 0.8, 0.3])
@pytest.mark.parametrize("temperature", [0.0, 0.7, 1.0])
def test_probabilities_are_those_of_the_definition(temperature, top_p):
    logits = torch.randn(1, 50, generator=torch.Generator().manual_seed(2)) * 2
    expected = log_softmax(logits[0].tolist(), temperature, top_p)
    for uniform in (0.01, 0.3, 0.6, 0.99):
        (sampled,) = sample_rows(logits, [temperature], [top_p], [uniform])
        assert sampled.logprob == pytest.approx(expected[sampled.token], abs=1e-5)
        if top_p < 1.0 and temperature > 0.0:
            assert sampled.allowed == tuple(i for i, x in enumerate(expected) if x > -math.inf)


def test_no_token_of_probability_zero_is_ever_drawn():
    logits = torch.full((3, 10), -math.inf)
    logits[:, 4] = 0.0
    drawn = sample_rows(logits, [1.0] * 3, [1.0] * 3, [0.0, 0.5, 1 - 2**-53])
    assert [s.token for s in drawn] == [4, 4, 4]
