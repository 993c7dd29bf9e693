"""Descriptions of attention maps: their keys, which one is the main map, and which can be drawn."""

from __future__ import annotations

import numpy as np
import pytest

from model.trace import MapDescription, TraceError, WeightMap, find_main_map, select_displayable_maps
from model.trace.maps import check_unique_keys, select_head_maps

CROSS = tuple(MapDescription("cross-attention", layer=layer, head=head) for layer in (1, 2) for head in (1, 2))
DECODER = MapDescription("decoder self-attention", layer=1, rows="target", columns="target")
ENCODER = MapDescription("encoder self-attention", rows="source", columns="source", rows_sum_to_one=False)


@pytest.mark.parametrize(("description", "key"), [
    (MapDescription("attention"), "attention"), (CROSS[3], "cross-attention-l2-h2"),
    (DECODER, "decoder-self-attention-l1"), (MapDescription("Coverage 2", head=7), "coverage-2-h7"),
])
def test_key_of_a_map(description: MapDescription, key: str) -> None:
    assert description.key == key
    if description.columns == description.rows:
        assert not description.is_target_by_source
    weight_map = WeightMap.from_description(description, np.full((2, 2), 0.5, np.float32))
    assert (weight_map.description, weight_map.key) == (description, key)


def test_main_map_is_the_first_over_the_source() -> None:
    assert find_main_map((ENCODER, DECODER, *CROSS)) == CROSS[0]
    assert find_main_map((ENCODER, DECODER)) is None


def test_displayable_maps_are_over_the_source_and_sum_to_one_if_any_does() -> None:
    coverage, local_p = (MapDescription(name, rows_sum_to_one=False) for name in ("coverage", "attention"))
    assert select_displayable_maps((ENCODER, *CROSS, DECODER, coverage)) == list(CROSS)
    assert select_displayable_maps((local_p, coverage)) == [local_p]  # the rows of local-p sum to less than 1
    assert select_displayable_maps((ENCODER, DECODER)) == []


def test_attention_maps_are_single_heads_where_a_layer_has_them() -> None:
    means, coverage = [MapDescription("cross-attention", layer=layer) for layer in (2, 1)], MapDescription("coverage")
    assert select_head_maps((ENCODER, *means, *CROSS, DECODER, coverage)) == list(CROSS)
    assert select_head_maps((MapDescription("attention"), coverage)) == [MapDescription("attention")]
    heads = [MapDescription("cross-attention", head=head) for head in (1, 2)]
    assert select_head_maps((*heads, ENCODER)) == heads
    assert select_head_maps(means) == means
    mean, *heads = (MapDescription("cross-attention", layer, head) for layer, head in ((1, None), (2, 1), (2, 2)))
    assert select_head_maps((mean, means[0], *heads)) == [mean, *heads]
    assert select_head_maps((ENCODER, DECODER)) == []


@pytest.mark.parametrize(("fields", "message"), [
    ({"name": ""}, "letters, digits"), ({"name": "<b>"}, "letters, digits"), ({"name": "a_b"}, "letters, digits"),
    ({"name": "x" * 5000}, "letters, digits"),
    ({"name": "a", "layer": 0}, "layer .* counts from 1"), ({"name": "a", "head": 10**6}, "head .* counts from 1"),
    ({"name": "a", "rows": "words"}, "axis"), ({"name": "a", "rows": "source", "columns": "target"}, "turn it round"),
])
def test_invalid_descriptions_are_refused(fields: dict[str, object], message: str) -> None:
    with pytest.raises(TraceError, match=message) as refused:
        MapDescription(**fields)  # type: ignore[arg-type]
    assert len(str(refused.value)) < 250


def test_maps_of_one_key_are_refused() -> None:
    with pytest.raises(TraceError, match="one name"):
        check_unique_keys([MapDescription("a-b"), MapDescription("a b")])
