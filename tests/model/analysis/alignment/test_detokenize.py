"""Check every detokenisation rule by example, and the tokens of every character."""

from __future__ import annotations

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from model.analysis.alignment.detokenize import detokenize
from model.text.normalise import normalise

FRENCH = {
    "de le maire et de les voisins .": ("Du maire et des voisins.", {"contraction", "spacing", "capital"}),
    "à le marché , à les halles": ("Au marché, aux halles", {"contraction", "spacing", "capital"}),
    "la porte de le hôtel": ("La porte de l'hôtel", {"elision", "capital"}),
    "Il promet de le faire": ("Il promet de le faire", set()),
    "Il va à le contraire": ("Il va au contraire", {"contraction"}),
    "Que il parle": ("Qu'il parle", {"elision"}),
    "Ce est elle , ce ensemble": ("C'est elle, ce ensemble", {"elision", "spacing"}),
    "Il vient si il peut , si elle veut": ("Il vient s'il peut, si elle veut", {"elision", "spacing"}),
    "Le héros de le histoire": ("Le héros de l'histoire", {"elision"}),
    "Le onze et le oui": ("Le onze et le oui", set()),
    "Quelque un , quelque ami": ("Quelqu'un, quelque ami", {"elision", "spacing"}),
    "Elle dit : « non » !": ('Elle dit: "non"!', {"spacing"}),
    "Un ( petit ) mot ...": ("Un (petit) mot...", {"spacing"}),
}
ENGLISH = {
    "my sister 's cat , i think": ("My sister's cat, I think", {"spacing", "capital"}),
    "It costs $ 3 -- a lot !": ("It costs $3 -- a lot!", {"spacing"}),
    "A co - operative of the 1980 - 81 kind": ("A co-operative of the 1980-81 kind", {"hyphen"}),
    '" Go , " he said .': ('"Go," he said.', {"spacing"}),
    "de le , que il": ("De le, que il", {"spacing", "capital"}),  # no French rule touches English
}  # fmt: skip


@pytest.mark.parametrize("tokens", [*FRENCH, *ENGLISH])
def test_rules_by_example(tokens: str) -> None:
    result = detokenize(tokens.split(), "fr" if tokens in FRENCH else "en")
    assert (result.text, set(result.rules)) == (FRENCH | ENGLISH)[tokens]


def test_characters_map_to_their_tokens() -> None:
    result = detokenize(["de", "les", "amis", "de", "le", "homme"], "fr")
    assert result.text == "Des amis de l'homme"
    assert result.token_indices == (
        *[(0, 1)] * 3, (), *[(2,)] * 4, (), *[(3,)] * 2, (), (4,), (4,), *[(5,)] * 5,
    )  # fmt: skip


WORDS = ["de", "le", "les", "à", "que", "ce", "est", "un", "ami", "homme", "haut", "faire", "aujourd'", "hui", "i", "É"]
SIGNS = ["-", '"', "«", "»", "(", ")", ".", ",", "?", "'s", "$", "3"]
TOKENS = st.lists(st.sampled_from(WORDS + SIGNS), min_size=1, max_size=12)


@given(TOKENS, st.sampled_from(["en", "fr"]))
@example(["aujourd'", "'s"], "fr")  # together they would be a quotation mark
def test_every_token_is_kept_in_order_and_the_text_is_normalised(tokens: list[str], language: str) -> None:
    result = detokenize(tokens, "fr" if language == "fr" else "en")
    assert {token for owners in result.token_indices for token in owners} == set(range(len(tokens)))
    singles = [owners[0] for owners in result.token_indices if owners]
    assert singles == sorted(singles)
    assert [character == " " for character in result.text] == [not owners for owners in result.token_indices]
    assert normalise(result.text) == result.text
