"""What a map is, by its name and its shape; which ends are added; and what is refused rather than drawn wrong."""

import json
from typing import Any

import numpy as np
import pytest

from model.importers import AttentionFileError, ImportedFile, read_attention
from model.importers.errors import ImportProblem
from tests.model.importers.test_attention_files import build_npz, random_attention

SOURCE = ["▁My", "▁boat", "▁leaks", ".", "</s>"]
LONGER = ["▁Mon", "▁bateau", "▁prend", "▁l", "'", "eau", ".", "</s>"]  # three tokens more
CAUSAL = np.tril(np.ones((5, 5))) / np.arange(1, 6)[:, None]  # each row looks back only
EVEN = ["▁Mon", "▁bateau", "▁fuit", ".", "</s>"]


def opened(source: list[str], target: list[str], file: Any = None, **maps: Any) -> ImportedFile:
    arrays = {name: getattr(values, "tolist", lambda values=values: values)() for name, values in maps.items()}
    data = json.dumps({"source": source, "target": target, **arrays, **(file or {})})
    return read_attention(data.encode(), "mine.json")


def refusal(source: list[str], target: list[str], **maps: Any) -> AttentionFileError:
    with pytest.raises(AttentionFileError) as caught:
        opened(source, target, **maps)
    return caught.value


def roles(found: ImportedFile) -> dict[str, str]:
    return {one.name: one.role for one in found.sentences[0].maps}


@pytest.mark.parametrize("name", [
    "cross", "cross_attentions", "decoder_cross_attentions", "decoderCrossAttention", "DecoderCrossAttn",
    "crossattention", "encoder_decoder_attention", "EncDecAttention", "encdec_attn", "enc2dec",
    "decoder.block.0.layer.1.EncDecAttention",
    "encoder_attn", "encoderAttn", "decoder.layers.5.encoder_attn", "target_source_attention", "src_attn", "inter_attn",
    "attention", "weights", "alpha", "matrix", "layer_3",
])  # fmt: skip
def test_names_of_cross_attention_on_a_square(name: str) -> None:
    found = opened(SOURCE, EVEN, **{name: random_attention(5, 5)})
    assert roles(found) == {name: "cross"}
    assert not found.questions
    assert found.sentences[0].trace.has_attention


@pytest.mark.parametrize(("name", "role"), [
    ("encoder_self_attn", "encoder"), ("encoderSelfAttention", "encoder"), ("encoder.layers.0.self_attn", "encoder"),
    ("src_self", "encoder"), ("encoder", "encoder"),
    ("decoder_self_attention", "decoder"), ("decSelfAttn", "decoder"), ("decoder.layers.0.self_attn", "decoder"),
])  # fmt: skip
def test_names_of_self_attention_on_a_square(name: str, role: str) -> None:
    found = opened(SOURCE, EVEN, **{name: random_attention(5, 5)})
    assert roles(found) == {name: role}
    assert not found.questions


def test_the_names_of_hugging_face_are_self_attention_beside_one_another() -> None:
    names = ("cross_attentions", "encoder_attentions", "decoder_attentions")
    found = opened(SOURCE, EVEN, **{name: random_attention(2, 3, 5, 5) for name in names})
    assert roles(found) == dict(zip(names, ("cross", "encoder", "decoder"), strict=True))
    assert not found.questions
    assert [one.name for one in found.sentences[0].trace.maps if one.layer == 1 and one.head == 1] == [
        "cross-attention", "encoder self-attention", "decoder self-attention"]  # fmt: skip


@pytest.mark.parametrize(("name", "values", "expected"), [
    ("decoder_attentions", random_attention(5, 5), ("cross", "decoder")),
    ("decoder_attn", random_attention(5, 5), ("cross", "decoder")),
    ("decoder_attentions", CAUSAL, ("decoder", "cross")),
    ("encoder_attentions", random_attention(5, 5), ("encoder", "cross")),
    ("self_attn", random_attention(5, 5), ("encoder", "decoder")),
])  # fmt: skip
def test_a_square_that_its_name_leaves_open_is_a_question(name: str, values: np.ndarray,
                                                          expected: tuple[str, str]) -> None:
    found = opened(SOURCE, EVEN, **{name: values})
    (question,) = found.questions
    assert (question.name, question.roles) == (name, expected)
    assert roles(found)[name] == expected[0]
    (note,) = [str(note) for note in found.notes if note.kind == "open"]
    assert name in note


@pytest.mark.parametrize("role", ["cross", "decoder"])
def test_the_answer_is_followed_whether_from_the_reader_or_the_file(role: str) -> None:
    axes = {"cross": ["target", "source"], "decoder": ["target", "target"]}[role]
    said = opened(SOURCE, EVEN, {"axes": {"decoder_attentions": axes}}, decoder_attentions=random_attention(5, 5))
    data = json.dumps({"source": SOURCE, "target": EVEN, "decoder_attentions": random_attention(5, 5).tolist()}).encode()
    answered = read_attention(data, "mine.json", roles={"decoder_attentions": role})  # type: ignore[dict-item]
    for found in (said, answered):
        assert roles(found) == {"decoder_attentions": role}
        assert not found.questions
        assert found.sentences[0].trace.has_attention == (role == "cross")


def test_the_shape_decides_where_the_sides_differ_in_length() -> None:
    found = opened(SOURCE, LONGER, decoder_attentions=random_attention(8, 5))
    assert roles(found) == {"decoder_attentions": "cross"}
    found = opened(SOURCE, LONGER, decoder_attentions=random_attention(8, 8), self_attn=random_attention(5, 5))
    assert roles(found) == {"decoder_attentions": "decoder", "self_attn": "encoder"}
    assert not found.questions


@pytest.mark.parametrize(("name", "shape", "kind", "numbers"), [
    ("cross_attentions", (5, 5), "not_cross", "5 rows and 5 columns … 8 rows (target) and 5 columns (source)"),
    ("encoder_attn", (8, 8), "not_cross", "8 rows and 8 columns … 8 rows (target) and 5 columns (source)"),
    ("encoder_attentions", (8, 5), "not_encoder", "8 rows and 5 columns … 5 rows and 5 columns"),
    ("decoder_self_attn", (8, 5), "not_decoder", "8 rows and 5 columns … 8 rows and 8 columns"),
    ("cross_attentions", (5, 8), "transposed", "5 rows and 8 columns for 8 target and 5 source tokens"),
    ("attention", (3, 5), "sides", "3 rows and 5 columns … 8 target and 5 source tokens"),
])  # fmt: skip
def test_a_shape_that_contradicts_a_name_is_refused_with_both_numbers(
    name: str, shape: tuple[int, int], kind: ImportProblem, numbers: str
) -> None:
    found = refusal(SOURCE, LONGER, **{name: random_attention(*shape)})
    assert found.kind == kind
    for part in numbers.split(" … "):
        assert part in str(found)


@pytest.mark.parametrize("name", ["cross_attentions", "attention", "decoder_attentions"])
@pytest.mark.parametrize("start", ["<s>", "<pad>", "[CLS]", "</s>", "SOS"])
def test_a_start_token_without_a_row_has_a_sentence_of_its_own(name: str, start: str) -> None:
    """Also where the weights are a square of the source's length, which self-attention of the encoder would be."""
    found = refusal(SOURCE, [start, *EVEN], **{name: random_attention(5, 5)})
    assert found.kind == "start"
    assert "leave out the start token (target[1:])" in str(found)
    assert refusal(SOURCE, [start, *LONGER], cross=random_attention(8, 5)).kind == "start"


def test_a_start_token_with_a_row_is_drawn_and_noted() -> None:
    found = opened(SOURCE, ["<s>", *LONGER], cross=random_attention(9, 5))
    assert [note.kind for note in found.notes] == ["start_row"]


@pytest.mark.parametrize("name", ["cross_attentions", "attention"])
def test_a_token_missing_from_a_side_that_ends_is_refused(name: str) -> None:
    """Not an end more, which would move every column by one; nor self-attention where the numbers happen to fit."""
    assert refusal(SOURCE, LONGER, **{name: random_attention(8, 6)}).kind == "missing_source"
    assert refusal(SOURCE, LONGER, **{name: random_attention(9, 5)}).kind == "missing_target"
    assert refusal(SOURCE, [*EVEN[:4], "!", "</s>"], **{name: random_attention(6, 6)}).kind == "missing_source"


@pytest.mark.parametrize("tail", [["</s>"], ["</s>", "<pad>"], ["</s>", "en_XX"], ["EOS"], ["<eos>"], ["[SEP]"]])
def test_no_end_is_added_behind_one(tail: list[str]) -> None:
    source = ["My", "boat", *tail]
    assert refusal(source, ["a"] * 9, attention=random_attention(9, len(source) + 1)).kind == "missing_source"


@pytest.mark.parametrize(("shape", "ends", "kinds"), [
    ((7, 4), (False, False), []),
    ((8, 4), (False, True), ["end_of_target"]),
    ((7, 5), (True, False), ["end_of_source"]),
    ((8, 5), (True, True), ["end_of_source", "end_of_target"]),
])  # fmt: skip
def test_an_end_is_added_where_the_weights_have_one_and_that_is_said(
    shape: tuple[int, int], ends: tuple[bool, bool], kinds: list[str]
) -> None:
    found = opened(SOURCE[:-1], LONGER[:-1], attention=random_attention(*shape))
    trace = found.sentences[0].trace
    assert (trace.source.has_end, trace.target.has_end) == ends
    assert [note.kind for note in found.notes] == kinds


def test_weights_that_stand_the_other_way_round_are_turned_and_that_is_said() -> None:
    turned = random_attention(8, 5)
    for found in (opened(SOURCE, LONGER, cross=turned.T), opened(SOURCE, LONGER, cross=np.stack([turned.T] * 2))):
        assert [str(note) for note in found.notes] == [
            "cross is turned round, since its columns sum to 1 and its rows don't (sentence 1)."]  # fmt: skip
        assert np.allclose(found.sentences[0].trace.get_map().values, turned, atol=1e-6)


def test_rows_that_do_not_sum_to_one_are_said() -> None:
    found = opened(SOURCE, LONGER, cross=random_attention(8, 5) * np.linspace(1, 0.4, 8)[:, None])
    assert [str(note) for note in found.notes] == [
        "The rows of cross do not all sum to 1 (sentence 1): row 8 sums to 0.4."]  # fmt: skip
    assert not found.sentences[0].trace.get_map().rows_sum_to_one


# ---- layouts of arrays ----------------------------------------------------------------------------------------------


@pytest.mark.parametrize(("layout", "layers", "heads"), [
    ("trs", 1, 1), ("1trs", 1, 1), ("htrs", 1, 4), ("1htrs", 1, 4), ("l1trs", 2, 1), ("lhtrs", 2, 4), ("l1htrs", 2, 4),
    ("1lhtrs", 2, 4),
])  # fmt: skip
def test_layouts_with_layers_heads_and_a_batch_of_one(layout: str, layers: int, heads: int) -> None:
    sizes = {"1": (1,), "l": (2,), "h": (4,), "t": (8,), "r": (), "s": (5,)}
    values = random_attention(*(size for letter in layout for size in sizes[letter]))
    (one,) = read_attention(build_npz(source=np.array(SOURCE), target=np.array(LONGER), cross=values), "a.npz").sentences
    assert (one.maps[0].layers, one.maps[0].heads, one.maps[0].shape) == (layers, heads, (8, 5))
    last = one.trace.maps[-1]
    assert np.allclose(last.values, values.reshape(-1, 8, 5)[-1], atol=1e-6)
    assert (last.layer, last.head) == (layers if layers > 1 else None, heads if heads > 1 else None)


def test_what_generate_returns_step_by_step() -> None:
    """Steps of layers of (1, heads, 1, source); of the decoder's own attention each step has a column more."""
    cross, own = random_attention(2, 3, 8, 5), np.tril(np.ones((2, 3, 8, 8))) / np.arange(1, 9)[:, None]
    cross_steps = [[cross[layer, None, :, step : step + 1].tolist() for layer in range(2)] for step in range(8)]
    own_steps = [[own[layer, None, :, step : step + 1, : step + 1].tolist() for layer in range(2)] for step in range(8)]
    found = opened(SOURCE, LONGER, cross_attentions=cross_steps, decoder_attentions=own_steps)
    trace = found.sentences[0].trace
    for key, values in (("cross-attention", cross), ("decoder-self-attention", own)):
        for layer in range(2):
            for head in range(3):
                one = trace.get_map(f"{key}-l{layer + 1}-h{head + 1}")
                assert np.allclose(one.values, values[layer, head], atol=1e-6)


def test_rows_that_a_loop_collected_one_by_one() -> None:
    values = random_attention(8, 5)
    found = opened(SOURCE, LONGER, attention=values[:, None])
    assert np.allclose(found.sentences[0].trace.get_map().values, values, atol=1e-6)


def test_a_batch_of_several_sentences_or_beams_is_refused_unless_it_has_their_tokens() -> None:
    found = refusal(SOURCE, LONGER, cross=random_attention(2, 3, 4, 8, 5))
    assert (found.kind, found.values["got"]) == ("batch", "3")
    values = random_attention(2, 2, 4, 8, 5)
    sources, targets = [SOURCE, ["▁It", "▁sinks", "</s>", "<pad>", "<pad>"]], [LONGER, LONGER]
    first, second = opened(sources, targets, cross=values).sentences  # type: ignore[arg-type]
    assert second.trace.source.words == ("It", "sinks")
    assert np.allclose(first.trace.get_map("cross-attention-l2-h3").values, values[1, 0, 2], atol=1e-6)
    assert np.allclose(second.trace.get_map("cross-attention-l2-h3").values, values[1, 1, 2], atol=1e-6)


def test_tokens_in_a_batch_of_one_are_unwrapped() -> None:
    found = opened([SOURCE], [LONGER], cross=random_attention(1, 8, 5))  # type: ignore[list-item]
    assert found.sentences[0].source == tuple(SOURCE)
