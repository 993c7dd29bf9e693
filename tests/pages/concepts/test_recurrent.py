"""Payloads of the concepts about recurrent networks."""

import math
from collections.abc import Callable
from dataclasses import replace
from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest
from streamlit.testing.v1 import AppTest

from model.analysis.probing.next_token_record import TEMPERATURES, NextTokens
from model.analysis.probing.prefixes import PrefixTranslations
from model.analysis.probing.teacher_forcing import TeacherForcing
from model.checkpoints.checkpoint import VOCABULARY
from model.text.normalise import NormalisedText
from model.trace.tree import Tree
from pages.ui.backend import cards
from pages.ui.concepts import bidirectional, bottleneck, gates, idea_parts, next_token, teacher_forcing
from pages.ui.concepts.context import IdeaContext
from pages.ui.i18n.messages import load_messages
from pages.ui.i18n.typography import join_tokens
from pages.ui.widgets.fetch import SentenceInput
from tests.pages.components import get_component_data, get_html
from tests.pages.fakes import PLAIN
from tests.traces import ENGLISH, FRENCH, LOST, make_side, make_trace

T = load_messages("en")
OpenApp = Callable[..., AppTest]


def grow(target: str, *, attends: bool, source: str = ENGLISH) -> bottleneck.GrownSentence:
    words = source.split()
    traces = tuple(make_trace(" ".join(words[:count]), target, None, model="rnnsearch-50" if attends else PLAIN)
                   for count in (3, len(words)))  # fmt: skip
    rng = np.random.default_rng(1)
    states = [rng.uniform(-1, 1, (len(trace.source.pieces), 60 if attends else 30)) for trace in traces]
    return bottleneck.GrownSentence(PrefixTranslations(tuple(words), (3, len(words)), traces), states)


def test_prefixes_of_the_bottleneck_end_with_their_punctuation() -> None:
    words = ("«", "Well", ",", "sleep", "!", "»")
    ends = [end for end in range(1, 7) if bottleneck.is_prefix_with_punctuation(words, end)]
    assert ends == [3, 6]
    assert bottleneck.is_prefix_with_punctuation(("?!",), 1)  # the whole text


def test_bottleneck_has_one_vector_and_an_annotation_for_each_token() -> None:
    rnnencdec, rnnsearch = grow(LOST, attends=False), grow(FRENCH, attends=True)
    data = bottleneck.build_bottleneck_payload((rnnencdec, rnnsearch), T)
    assert data["sizes"] == (30, 60)
    assert [(part["end"], part["word_count"]) for part in data["prefixes"]] == [(3, 3), (14, 13)]
    for part, states, annotations in zip(data["prefixes"], rnnencdec.states, rnnsearch.states, strict=True):
        np.testing.assert_allclose(part["vector"], states[-1, :16], atol=1e-4)  # the last state alone
        selected_units = np.hstack([annotations[:, :8], annotations[:, 30:38]])
        np.testing.assert_allclose(part["annotations"], selected_units, atol=1e-4)
        assert len(part["tokens"]) == len(part["annotations"])
    translations = data["prefixes"][-1]["translations"]
    lost_words = [[ENGLISH.split()[word] for word in translation["omissions"]] for translation in translations]
    assert lost_words == [["grey", "warm", "old"], []]
    assert [ENGLISH.split()[word] for word in data["content"]][:3] == ["small", "grey", "cat"]
    assert data["has_lexicon"]


def test_the_tag_of_a_style_is_no_word_of_the_bottleneck() -> None:
    source = "<polite> the small cat sleeps ."
    sentences = [grow(LOST, attends=attends, source=source) for attends in (False, True)]
    data = bottleneck.build_bottleneck_payload(sentences, T)
    assert [(part["end"], part["word_count"]) for part in data["prefixes"]] == [(3, 2), (6, 4)]
    assert data["content"] == [2, 3, 4]


def test_nothing_has_lexicon_between_languages_whose_lost_words_are_not_found() -> None:
    sentences = [grow(LOST, attends=attends) for attends in (False, True)]
    for number, sentence in enumerate(sentences):
        traces = tuple(replace(trace, languages=("ko", "en")) for trace in sentence.translations.traces)
        sentences[number] = replace(sentence, translations=replace(sentence.translations, traces=traces))
    assert not bottleneck.build_bottleneck_payload(sentences, T)["has_lexicon"]


def test_units_are_shown_in_the_order_of_reading() -> None:
    side = make_side("the old dog")
    rng = np.random.default_rng(2)
    memory, candidate = rng.normal(size=(5, 2)), rng.normal(size=(4, 2))
    values = {name: rng.uniform(size=(4, 2)) for name in ("input", "forget", "output")}
    shown_units = gates.ShownUnits(side, (2, 1, 0, 3), 352, [5, 9], values, candidate, memory)
    data = gates.build_units("LSTM", "LSTM", shown_units, T)
    assert data["tokens"] == ["dog", "old", "the", T("gradients.end")]
    assert (data["gates"], data["size"], [unit["number"] for unit in data["units"]]) == ([*values], 352, [5, 9])
    unit = data["units"][1]
    np.testing.assert_allclose(unit["gates"], [row[:, 1] for row in values.values()], atol=1e-4)
    for name, expected in (("memory", memory), ("candidate", candidate)):
        np.testing.assert_allclose(unit[name], expected[:, 1], atol=1e-4)  # type: ignore[literal-required,arg-type]


def test_given_tokens_have_their_probability_and_the_first_choice() -> None:
    forced_trace, free_trace = make_trace(target=LOST), make_trace(target=FRENCH)
    # The model would write step 2's first candidate.
    forced_step = replace(forced_trace.steps[2], id=999, log_probability=-2.0)
    forced_trace = replace(forced_trace, steps=(*forced_trace.steps[:2], forced_step, *forced_trace.steps[3:]))
    data = teacher_forcing.build_forcing_payload(TeacherForcing(forced_trace, (free_trace, forced_trace)), T)
    assert data["forced_tokens"][2] == {
        "text": "chat", "p": 0.1353, "best_token": "chat", "best_p": round(math.exp(-0.1), 4), "is_best": False,
    }  # fmt: skip
    assert data["forced_tokens"][1]["is_best"]
    assert data["first_difference"] == 2
    assert data["loss"] == pytest.approx(-forced_trace.log_probability / len(forced_trace.steps), abs=1e-4)
    assert data["continuations"][0][:3] == ["le", "petit", "chat"]


def test_tree_has_the_paths_of_both_searches_and_few_pruned_nodes() -> None:
    greedy, beam = make_trace(target="le chat"), make_trace(target="un chat")
    ids = [[step.id for step in trace.steps] for trace in (greedy, beam)]
    tree = Tree(
        parents=(-1, -1, -1, -1, -1, 0, 5), ids=(99, 10, 98, 97, 96, 11, 12),
        pieces=("▁un", "▁le", "▁a", "▁b", "▁c", "▁chat", "</s>"),
        log_probabilities=(-0.1, -0.2, -1.0, -2.0, -3.0, -0.5, -0.25), scores=(0.0,) * 7, fates="kpppp" + "kf",
    )  # fmt: skip
    steps = tuple(replace(step, id=node, piece=piece, candidates=()) for step, node, piece in
                  zip(beam.steps, (99, 11, 12), ("▁un", "▁chat", "</s>"), strict=True))  # fmt: skip
    beam = replace(beam, steps=steps, tree=tree)
    data = next_token.build_beam_payload(greedy, beam, 2, T)
    assert ids[0][0] == 10
    assert [(node["text"], node["is_on_best_path"], node["is_on_greedy_path"]) for node in data["nodes"]] == [
        ("un", True, False), ("le", False, True), ("a", False, False), ("chat", True, False),
        (T("gradients.end"), True, False),
    ]  # fmt: skip
    assert [node["parent"] for node in data["nodes"]] == [-1, -1, -1, 0, 3]
    assert data["nodes"][-1]["total_log_probability"] == -0.85
    assert not data["is_same"]


def test_next_tokens_keep_what_is_left_of_the_vocabulary() -> None:
    trace = make_trace(target="le chat")
    step = NextTokens(("▁le", "s", "</s>"), (-0.1, -3.0, -4.0), 0, (float("-inf"),) * len(TEMPERATURES))
    data = next_token.build_next_token_payload(trace, [step] * 3, T)
    assert data["steps"][1]["prefix"] == "le"
    assert data["steps"][0]["tokens"] == ["le", "·s", T("gradients.end")]
    assert data["steps"][0]["rest_sums"] == [None] * len(TEMPERATURES)
    assert data["temperatures"][9] == 1


def test_the_tag_of_a_style_does_not_make_a_sentence_too_long() -> None:
    text = NormalisedText("<plain>" + " go" * idea_parts.MAX_WORDS)
    status: Any = SimpleNamespace()
    assert idea_parts.check_length(IdeaContext(SentenceInput(text, text), T, status))


@pytest.mark.parametrize("idea", ["bottleneck", "bidirectional", "gates", "training", "choosing"])
def test_a_long_sentence_is_refused_in_words(open_app: OpenApp, idea: str) -> None:
    app = open_app("concepts", idea=idea, sentence="go " * (idea_parts.MAX_WORDS + 1)).run()
    assert T("recurrent.long", limit=idea_parts.MAX_WORDS, count=idea_parts.MAX_WORDS + 1) in get_html(app)


def test_the_two_directions_are_drawn_for_the_sentence_in_the_box(
    open_app: OpenApp, monkeypatch: pytest.MonkeyPatch
) -> None:
    def encode(model: SimpleNamespace, text: str) -> Any:
        side = make_side(text)
        return side, np.full((len(side.pieces), 2), 0.5), np.full((len(side.pieces), 2), -0.25), 384

    monkeypatch.setattr(bidirectional, "encode", encode)
    data = get_component_data(open_app("concepts", idea="bidirectional", sentence="the old dog").run(), "bidirectional")
    assert data["tokens"] == ["the", "old", "dog", T("gradients.end")]
    assert (data["forward"], data["backward"], data["units"]) == ([[0.5, 0.5]] * 4, [[-0.25, -0.25]] * 4, 384)


def test_joined_tokens_are_text() -> None:
    pieces = ("▁the", "<0xED>", "<0x8E>", "<0x98>", "<unk>", "▁b", "<0xED>", "</s>")
    assert join_tokens(pieces) == "the페 UNK b\N{REPLACEMENT CHARACTER}"


def test_compared_models_share_a_vocabulary(monkeypatch: pytest.MonkeyPatch) -> None:
    shipped = {card.name: card for card in cards.list_cards()}
    luong = shipped["luong-50"]
    own = replace(luong, name="own", sha256={**luong.sha256, VOCABULARY: "0" * 64})
    known, context = {**shipped, "own": own}, idea_parts.IdeaContext(*[None] * 3)  # type: ignore[arg-type]
    monkeypatch.setattr(cards, "find_card", known.get)
    monkeypatch.setattr(cards, "list_family", lambda _: ["rnnsearch-50", "own", "luong-50"])
    monkeypatch.setattr(cards, "select_one_per_kind", list)
    assert idea_parts.choose_model(context, "luong") == "own"
    assert idea_parts.choose_models(context, ("rnnsearch", "luong")) == ["rnnsearch-50", "luong-50"]
