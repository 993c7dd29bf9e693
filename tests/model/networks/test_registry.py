"""The order of the kinds of networks."""

import pytest

from model.networks import registry


def test_kinds_are_ordered_by_year() -> None:
    assert [kind.name for kind in registry.list_kinds_by_year() if kind.year] == [
        "rnnencdec", "seq2seq", "rnnsearch", "luong", "coverage", "copy", "transformer",
    ]  # fmt: skip


def test_kind_without_a_year_comes_last(monkeypatch: pytest.MonkeyPatch) -> None:
    unknown = registry.NetworkKind("aaa", "Unknown", "m:n", "m:c")
    monkeypatch.setattr(registry, "KINDS", {"aaa": unknown, "rnnsearch": registry.KINDS["rnnsearch"]})
    assert registry.list_kinds_by_year()[-1] == unknown
