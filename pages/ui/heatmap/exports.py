"""Downloads of a translation: the heatmap as SVG, PDF, PNG, CSV and LaTeX, the Trace as JSON, and the page's link."""

from model.trace import Trace
from pages.ui.components.component import Component
from pages.ui.heatmap.heatmap import HeatmapView
from pages.ui.heatmap.payload_types import ExportsData
from pages.ui.i18n.messages import Messages
from pages.ui.widgets import downloads, figure_menu, print_figures

_mount = Component("exports", ExportsData)


def render_exports(trace: Trace, view: HeatmapView, t: Messages, *, has_address: bool = True) -> None:
    """Draw the buttons; each makes its file when it is pressed. Without attention there is only the JSON.

    `has_address`: whether the link describes what is on the screen, so that it can be copied.
    """
    if trace.has_attention:
        figure = figure_menu.build_map_figure(trace, view.unit, view.scale, t)
        print_figures.draw_file_buttons(figure.drawing, t, figure.build_table, key="attention")
        figure_menu.draw_latex_menu(figure, t)
    name = downloads.build_file_name(trace, t("download.trace"))
    downloads.draw_download_button("json", t("download.json"), f"{name}.json", "application/json", trace.to_json,
                                   t("download.json_help"))  # fmt: skip
    if has_address:
        render_link_buttons(t)


def render_link_buttons(t: Messages) -> None:
    """Draw the buttons that copy the page's link and show it as a QR code."""
    data: ExportsData = {"messages": t.get_table("exports"), "language": t.language}
    _mount(key="leave", data=data, width="content")
