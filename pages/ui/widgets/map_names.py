"""What a map of weights is called on a page."""

from collections.abc import Sequence

from model.trace import MapDescription, Trace, select_displayable_maps
from pages.ui.backend.cards import get_title
from pages.ui.i18n.messages import Messages


def name_map(description: MapDescription, offered: Sequence[MapDescription], t: Messages, short: bool) -> str:
    """A map's name, its layer and its head; where others `among` those offered have heads, one without is their mean.
    Where it is to be `short`, one name for all of them, which tells none apart, is left out."""
    layer = t("map.layer", number=description.layer) if description.layer else ""
    head = t("map.head", number=description.head) if description.head else ""
    if not head and any(
        other.head for other in offered if (other.name, other.layer) == (description.name, description.layer)
    ):
        head = t("map.mean")
    told = short and bool(layer or head) and len({other.name for other in offered}) == 1
    return " ".join(filter(None, ("" if told else translate_map_name(description.name, t), layer, head)))


def name_displayed_map(trace: Trace, t: Messages) -> str:
    """What the map is called that a translation is seen by, where its model makes several that could be; else ""."""
    seen = select_displayable_maps(one.description for one in trace.maps)
    return name_map(trace.get_map().description, seen, t, short=False) if len(seen) > 1 else ""


def build_title(trace: Trace, t: Messages) -> str:
    """The title of the model that made a translation, and which of several maps it is seen by."""
    return ", ".join(filter(None, (get_title(trace.made_by.model), name_displayed_map(trace, t))))


def translate_map_name(name: str, t: Messages) -> str:
    """A name in the reader's language where it is one of the usual ones; otherwise as the network gives it."""
    usual = {
        "attention": t("map.attention"),
        "cross-attention": t("map.cross"),
        "decoder self-attention": t("map.decoder"),
        "encoder self-attention": t("map.encoder"),
    }
    return usual.get(name, name)
