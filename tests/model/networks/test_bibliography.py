"""BibTeX of the networks' papers."""

from model.networks import bibliography, registry


def test_every_kind_has_well_formed_entries_and_none_comes_twice() -> None:
    text = bibliography.build_bibliography([*registry.KINDS, "unknown"])
    entries = bibliography.read_entries()
    assert all(kind.citations for kind in registry.KINDS.values() if kind.paper)
    assert all(text.count(f"{{{key},\n") == 1 for key in entries)
    assert all(entry.count("{") == entry.count("}") for entry in entries.values())
    assert text.startswith("@software{aligntranslate,")
