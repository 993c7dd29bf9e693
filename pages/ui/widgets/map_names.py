"""The displayed names of attention maps."""

from collections.abc import Sequence

from model.trace import MapDescription, Trace, select_displayable_maps
from pages.ui.backend.cards import get_title
from pages.ui.i18n.messages import Messages


def name_map(description: MapDescription, choices: Sequence[MapDescription], t: Messages, is_short: bool) -> str:
    """Return a map's name with its layer and head. A map without head is called mean if others in `choices` have
    heads. `is_short`: leave out the name if all choices share it."""
    layer = t("map.layer", number=description.layer) if description.layer else ""
    head = t("map.head", number=description.head) if description.head else ""
    if not head and any(
        other.head for other in choices if (other.name, other.layer) == (description.name, description.layer)
    ):
        head = t("map.mean")
    is_redundant = is_short and bool(layer or head) and len({other.name for other in choices}) == 1
    return " ".join(filter(None, ("" if is_redundant else translate_map_name(description.name, t), layer, head)))


def name_displayed_map(trace: Trace, t: Messages) -> str:
    """Return the name of a translation's displayed map, if it has several that can be displayed; else ""."""
    maps = select_displayable_maps(attention_map.description for attention_map in trace.maps)
    return name_map(trace.get_map().description, maps, t, is_short=False) if len(maps) > 1 else ""


def build_title(trace: Trace, t: Messages) -> str:
    """Return the title of a translation's model, and the name of the displayed map if there are several."""
    return ", ".join(filter(None, (get_title(trace.provenance.model), name_displayed_map(trace, t))))


def translate_map_name(name: str, t: Messages) -> str:
    """Translate the name of a map; unknown names stay as they are."""
    translations = {
        "attention": t("map.attention"),
        "cross-attention": t("map.cross"),
        "decoder self-attention": t("map.decoder"),
        "encoder self-attention": t("map.encoder"),
    }
    return translations.get(name, name)
