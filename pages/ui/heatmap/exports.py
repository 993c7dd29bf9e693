"""Downloads of Translate: the heatmap as SVG, PDF, PNG and CSV, the Trace as JSON, and a button to copy the link."""

from model.trace import Trace
from pages.ui.charts import alignment_grid, print_maps
from pages.ui.components.component import Component
from pages.ui.heatmap.heatmap import HeatmapView
from pages.ui.heatmap.payload_types import ExportsData
from pages.ui.i18n.messages import Messages
from pages.ui.widgets import downloads, map_names, print_figures

_mount = Component("exports", ExportsData)


def render_exports(trace: Trace, view: HeatmapView, t: Messages, *, has_address: bool = True) -> None:
    """Draw the buttons; each makes its file when it is pressed. Without attention there is only the JSON.

    `has_address`: whether the link describes what is on the screen, so that it can be copied.
    """
    if trace.has_attention:
        model, map_name = map_names.build_title(trace, t), map_names.name_displayed_map(trace, t)
        grid = alignment_grid.build_grid(trace, view.unit)
        title = t("download.title", model=model, target=trace.target.text, source=trace.source.text)
        suffix = "-".join(filter(None, (downloads.slugify_words(map_name), view.unit)))
        name, end = downloads.build_file_name(trace, suffix), t("heatmap.end")
        drawing = print_maps.build_alignment_drawing(name, grid, view.scale, title, end, model=model)
        print_figures.draw_file_buttons(drawing, t, lambda: alignment_grid.to_csv(grid), key="attention")
    name = downloads.build_file_name(trace, t("download.trace"))
    downloads.draw_download_button("json", t("download.json"), f"{name}.json", "application/json", trace.to_json,
                                   t("download.json_help"))  # fmt: skip
    if not has_address:
        return
    data: ExportsData = {"words": t.get_table("exports"), "language": t.language}
    _mount(key="leave", data=data, width="content")
