"""Fits use one thread of numpy and scipy, and leave the number of threads as it was."""

from threadpoolctl import threadpool_info

from league.ratings.one_thread import one_thread


def threads():
    return [library["num_threads"] for library in threadpool_info() if library["user_api"] == "blas"]


def test_one_thread_while_it_runs_and_as_many_as_before_afterwards():
    import scipy.linalg  # noqa: F401

    before = threads()
    seen = one_thread(threads)()
    assert seen
    assert set(seen) == {1}
    assert threads() == before
