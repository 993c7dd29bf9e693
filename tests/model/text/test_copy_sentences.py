"""Tests of copy sentences: reading the list, and finding copied items in translations."""

from pathlib import Path

import pytest

from model.text.copy_sentences import CopySentence, CopySentencesError, read_copy_sentences


def test_shipped_list_has_a_hundred_sentences_with_items() -> None:
    sentences = read_copy_sentences()
    assert len(sentences) == 100
    assert len({sentence.source for sentence in sentences}) == 100
    assert all(item in sentence.source for sentence in sentences for item in sentence.items)


@pytest.mark.parametrize(("item", "output", "is_copied"), [
    ("Okonkwo", "Mme Okonkwo a payé.", True),
    ("Okonkwo", "Mme okonkwo a payé.", False),
    ("4,715", "Elle a payé 4 715 euros.", True),
    ("4,715", "Elle a payé 4,715 euros.", False),
    ("96.40", "La note est à 96 h 40.", False),
    ("4,715", "Elle a payé 14 715 euros.", False),
    ("14:35", "Le train part à 14 h 35.", True),
    ("4,715", "Elle a payé 4 715 000 euros.", False),
    ("14:35", "Le train part à 1435.", False),
    ("96.40", "La facture est de 96,40 euros.", True),
    ("317", "La chambre 317 est au troisième étage.", True),
    ("317", "La chambre 2 317 est au troisième étage.", False),
    ("317", "La chambre 317,5 est au troisième étage.", False),
    ("317", "Les chambres 2, 317 et 4.", True),
    ("555-0142", "Mon numéro est 5550142.", True),
    ("QX 204", "Le vol QX204 est en retard.", True),
    ("O'Hara", "avec OHara", False),
])  # fmt: skip
def test_copied_item_is_found_in_french_notation(item: str, output: str, is_copied: bool) -> None:
    assert CopySentence("", (item,)).find_copied_items(output) == (is_copied,)


@pytest.mark.parametrize("line", ["No braces at all.", "An {open one.", "Empty {} braces.", "A {b} c}.", "Is it {?}"])
def test_invalid_line_is_refused_with_its_number(tmp_path: Path, line: str) -> None:
    path = tmp_path / "list.txt"
    path.write_text(f"{{Anna}} sings.\n{line}\n", encoding="utf-8")
    with pytest.raises(CopySentencesError, match="Line 2 "):
        read_copy_sentences(path)
