"""Tests of map roles, array layouts and added end tokens."""

import json
from typing import Any

import numpy as np
import pytest

from model.importers import AttentionFileError, ImportedFile, read_attention
from tests.model.importers.test_attention_files import build_npz, random_attention

SOURCE = ["▁My", "▁boat", "▁leaks", ".", "</s>"]
LONGER = ["▁Mon", "▁bateau", "▁prend", "▁l", "'", "eau", ".", "</s>"]  # three tokens more
EQUAL = ["▁Mon", "▁bateau", "▁fuit", ".", "</s>"]
CAUSAL = np.tril(np.ones((5, 5))) / np.arange(1, 6)[:, None]


def import_maps(source: list[str], target: list[str], axes: Any = None, **maps: Any) -> ImportedFile:
    arrays = {name: getattr(values, "tolist", lambda values=values: values)() for name, values in maps.items()}
    data = json.dumps({"source": source, "target": target, "axes": axes, **arrays})
    return read_attention(data.encode(), "mine.json")


def import_error(source: list[str], target: list[str], **maps: Any) -> AttentionFileError:
    with pytest.raises(AttentionFileError) as caught:
        import_maps(source, target, **maps)
    return caught.value


def get_roles(imported: ImportedFile) -> dict[str, str]:
    return {imported_map.name: imported_map.role for imported_map in imported.sentences[0].maps}


@pytest.mark.parametrize(("role", "names"), [
    ("cross", "cross cross_attentions decoder_cross_attentions decoderCrossAttention DecoderCrossAttn crossattention "
              "encoder_decoder_attention EncDecAttention encdec_attn enc2dec decoder.block.0.layer.1.EncDecAttention "
              "encoder_attn encoderAttn decoder.layers.5.encoder_attn target_source_attention src_attn inter_attn "
              "attention weights alpha matrix layer_3"),
    ("encoder", "encoder_self_attn encoderSelfAttention encoder.layers.0.self_attn src_self encoder"),
    ("decoder", "decoder_self_attention decSelfAttn decoder.layers.0.self_attn"),
])  # fmt: skip
def test_name_decides_between_roles_of_the_same_shape(role: str, names: str) -> None:
    for name in names.split():
        imported = import_maps(SOURCE, EQUAL, **{name: random_attention(5, 5)})
        assert get_roles(imported) == {name: role}
        assert not imported.questions
        assert imported.sentences[0].trace.has_attention == (role == "cross")


def test_hugging_face_names_mean_self_attention_beside_each_other() -> None:
    names = ("cross_attentions", "encoder_attentions", "decoder_attentions")
    imported = import_maps(SOURCE, EQUAL, **{name: random_attention(2, 3, 5, 5) for name in names})
    assert get_roles(imported) == dict(zip(names, ("cross", "encoder", "decoder"), strict=True))
    assert not imported.questions
    first_heads = [item.name for item in imported.sentences[0].trace.maps if item.layer == 1 and item.head == 1]
    assert first_heads == ["cross-attention", "encoder self-attention", "decoder self-attention"]


@pytest.mark.parametrize(("name", "values", "roles"), [
    ("decoder_attentions", random_attention(5, 5), ("cross", "decoder")),
    ("decoder_attentions", CAUSAL, ("decoder", "cross")),
    ("encoder_attentions", random_attention(5, 5), ("encoder", "cross")),
    ("self_attn", random_attention(5, 5), ("encoder", "decoder")),
])  # fmt: skip
def test_ambiguous_name_asks_the_user(name: str, values: np.ndarray, roles: tuple[str, str]) -> None:
    imported = import_maps(SOURCE, EQUAL, **{name: values})
    (question,) = imported.questions
    assert (question.name, question.roles) == (name, roles)
    assert get_roles(imported)[name] == roles[0]
    (note,) = [str(note) for note in imported.notes if note.kind == "open"]
    assert name in note


@pytest.mark.parametrize(("role", "axes"), [("cross", ["target", "source"]), ("decoder", ["target", "target"])])
def test_role_is_taken_from_the_file_or_the_user(role: Any, axes: list[str]) -> None:
    weights = random_attention(5, 5)
    stated = import_maps(SOURCE, EQUAL, {"decoder_attentions": axes}, decoder_attentions=weights)
    data = json.dumps({"source": SOURCE, "target": EQUAL, "decoder_attentions": weights.tolist()}).encode()
    for imported in (stated, read_attention(data, "mine.json", roles={"decoder_attentions": role})):
        assert get_roles(imported) == {"decoder_attentions": role}
        assert not imported.questions


def test_shape_decides_for_sides_of_different_lengths() -> None:
    imported = import_maps(SOURCE, LONGER, decoder_attentions=random_attention(8, 5))
    assert get_roles(imported) == {"decoder_attentions": "cross"}
    maps = {"decoder_attentions": random_attention(8, 8), "self_attn": random_attention(5, 5)}
    imported = import_maps(SOURCE, LONGER, **maps)
    assert get_roles(imported) == {"decoder_attentions": "decoder", "self_attn": "encoder"}
    assert not imported.questions


@pytest.mark.parametrize(("name", "start"), [
    ("cross_attentions", "<s>"), ("cross_attentions", "SOS"), ("attention", "<pad>"), ("decoder_attentions", "</s>"),
])  # fmt: skip
def test_start_token_without_a_row_is_refused_and_with_a_row_noted(name: str, start: str) -> None:
    """Even if the map has the shape of the encoder's self-attention."""
    error = import_error(SOURCE, [start, *EQUAL], **{name: random_attention(5, 5)})
    assert error.kind == "start"
    assert "leave out the start token (target[1:])" in str(error)
    imported = import_maps(SOURCE, [start, *LONGER], cross=random_attention(9, 5))
    assert [note.kind for note in imported.notes] == ["start_row"]


@pytest.mark.parametrize("name", ["cross_attentions", "attention"])
def test_missing_token_of_a_side_with_an_end_is_refused(name: str) -> None:
    """A second end token would shift every column by one."""
    assert import_error(SOURCE, LONGER, **{name: random_attention(8, 6)}).kind == "missing_source"
    assert import_error(SOURCE, LONGER, **{name: random_attention(9, 5)}).kind == "missing_target"
    assert import_error(SOURCE, [*EQUAL[:4], "!", "</s>"], **{name: random_attention(6, 6)}).kind == "missing_source"


def test_no_end_is_added_after_an_end_token() -> None:
    for tail in (["</s>"], ["</s>", "<pad>"], ["</s>", "en_XX"], ["EOS"], ["[SEP]"]):
        source = ["My", "boat", *tail]
        error = import_error(source, ["a"] * 9, attention=random_attention(9, len(source) + 1))
        assert error.kind == "missing_source"


def test_transposed_weights_and_other_row_sums_are_noted() -> None:
    weights = random_attention(8, 5)
    for transposed in (weights.T, np.stack([weights.T] * 2)):
        imported = import_maps(SOURCE, LONGER, cross=transposed)
        assert [note.kind for note in imported.notes] == ["transposed"]
        assert np.allclose(imported.sentences[0].trace.get_map().values, weights, atol=1e-6)
    imported = import_maps(SOURCE, LONGER, cross=weights * np.linspace(1, 0.4, 8)[:, None])
    assert [str(note) for note in imported.notes] == [
        "The rows of cross do not all sum to 1 (sentence 1): row 8 of sentence 1 sums to 0.4."]  # fmt: skip
    assert not imported.sentences[0].trace.get_map().rows_sum_to_one


# ---- Array layouts -------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(("batch_axis", "layers", "heads"), [
    (None, 0, 0), (0, 0, 0), (None, 0, 4), (0, 0, 4), (1, 2, 0), (None, 2, 4), (1, 2, 4), (0, 2, 4),
])  # fmt: skip
def test_layers_heads_and_a_batch_of_one_are_found(batch_axis: int | None, layers: int, heads: int) -> None:
    values = random_attention(*(size for size in (layers, heads, 8, 5) if size))
    array = values if batch_axis is None else np.expand_dims(values, batch_axis)
    data = build_npz(source=np.array(SOURCE), target=np.array(LONGER), cross=array)
    (sentence,) = read_attention(data, "a.npz").sentences
    (weight_map,) = sentence.maps
    assert (weight_map.layers, weight_map.heads, weight_map.shape) == (layers or 1, heads or 1, (8, 5))
    last = sentence.trace.maps[-1]
    assert np.allclose(last.values, values.reshape(-1, 8, 5)[-1], atol=1e-6)
    assert (last.layer, last.head) == (layers or None, heads or None)


def test_output_of_generate_is_joined_over_steps() -> None:
    """Each step has layers of (1, heads, 1, columns); decoder self-attention gets a column more at each step."""
    cross, decoder = random_attention(2, 3, 8, 5), np.tril(np.ones((2, 3, 8, 8))) / np.arange(1, 9)[:, None]
    cross_steps = [[layer[None, :, step : step + 1].tolist() for layer in cross] for step in range(8)]
    decoder_steps = [[layer[None, :, step : step + 1, : step + 1].tolist() for layer in decoder] for step in range(8)]
    imported = import_maps(SOURCE, LONGER, cross_attentions=cross_steps, decoder_attentions=decoder_steps)
    trace = imported.sentences[0].trace
    for key, weights in (("cross-attention", cross), ("decoder-self-attention", decoder)):
        for layer in range(2):
            for head in range(3):
                weight_map = trace.get_map(f"{key}-l{layer + 1}-h{head + 1}")
                assert np.allclose(weight_map.values, weights[layer, head], atol=1e-6)
    rows = random_attention(8, 5)
    imported = import_maps(SOURCE, LONGER, attention=rows[:, None])
    assert np.allclose(imported.sentences[0].trace.get_map().values, rows, atol=1e-6)


def test_batch_of_sentences_needs_their_tokens() -> None:
    error = import_error(SOURCE, LONGER, cross=random_attention(2, 3, 4, 8, 5))
    assert (error.kind, error.values["got"]) == ("batch", "3")
    weights = random_attention(2, 2, 4, 8, 5)
    sources: Any = [SOURCE, ["▁It", "▁sinks", "</s>", "<pad>", "<pad>"]]
    targets: Any = [LONGER, LONGER]
    sentences = import_maps(sources, targets, cross=weights).sentences
    assert sentences[1].trace.source.words == ("It", "sinks")
    for index, sentence in enumerate(sentences):
        weight_map = sentence.trace.get_map("cross-attention-l2-h3")
        assert np.allclose(weight_map.values, weights[1, index, 2], atol=1e-6)
    (sentence,) = import_maps(sources[:1], targets[:1], cross=random_attention(1, 8, 5)).sentences
    assert sentence.source == tuple(SOURCE)
