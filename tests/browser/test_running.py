"""The servers that the browser tests run on: each has its own port, whoever takes one first."""

import socket
from collections.abc import Iterator

import pytest

from tests.browser import running
from tests.browser.running import BARE, free_port, serving


@pytest.fixture
def taken() -> Iterator[int]:
    """A port that another program listens on."""
    with socket.socket() as other:
        other.bind(("127.0.0.1", 0))
        other.listen()
        yield other.getsockname()[1]


def test_a_port_that_another_took_first_is_left_to_it(taken: int, monkeypatch: pytest.MonkeyPatch) -> None:
    ports = iter((taken, free_port()))
    monkeypatch.setattr(running, "free_port", lambda: next(ports))
    with serving(BARE) as address:
        assert address != f"http://127.0.0.1:{taken}"


def test_an_answer_of_another_server_is_not_taken_for_its_own(monkeypatch: pytest.MonkeyPatch) -> None:
    with serving(BARE) as other:
        taken = int(other.rpartition(":")[2])
        ports = iter((taken, free_port()))
        monkeypatch.setattr(running, "free_port", lambda: next(ports))
        with serving(BARE) as address:
            assert address != other
