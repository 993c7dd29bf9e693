"""The project has a licence, and the terms of all text that shipped weights were trained on stand beside them."""


from model.checkpoints.checkpoint import SHIPPED, iterate_training_stages, list_cards, list_corpora
from model.paths import ROOT


def test_the_code_has_a_licence() -> None:
    assert (ROOT / "LICENSE").read_text(encoding="utf-8").startswith("MIT License\n\nCopyright (c) ")


def test_every_corpus_that_weights_were_learnt_from_has_its_terms() -> None:
    rows = [line.split("|")[1:-1] for line in (SHIPPED / "README.md").read_text(encoding="utf-8").splitlines()
            if line.startswith("| `")]  # fmt: skip
    told = {cells[0].strip(" `") for cells in rows}
    assert all(len(cells) == 4 and all(cell.strip() for cell in cells) for cells in rows)
    learnt = {corpus.removesuffix("-bare") for card in list_cards() for corpus in list_corpora(card.training)}
    stages = [stage for card in list_cards() for stage in iterate_training_stages(card.training)]
    chosen_by = {name for stage in stages for entry in stage["curve"] for name in entry["bleu"]}
    assert {"europarl", "tatoeba"} <= learnt
    assert learnt | (chosen_by - {"all"}) == told
