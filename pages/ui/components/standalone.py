"""Export a component with its data as one HTML file: scripts, style and colours, nothing to fetch."""

import base64
import re
import tomllib
from collections.abc import Mapping
from typing import Any

from model.paths import ROOT
from pages.ui.components import glossary
from pages.ui.components.component import read_script, read_style
from pages.ui.escape import dump_script_json, escape_html
from pages.ui.i18n.messages import Messages

_CHUNK = re.compile(r'"\./(chunk-\w+)\.js"')
_CONFIG = ROOT / ".streamlit" / "config.toml"


def build_document(component: str, title: str, data: Mapping[str, Any], t: Messages) -> str:
    """Return an HTML page that displays `data` in the component of that name, without a server."""
    return _PAGE.format(
        language=t.language,
        title=escape_html(title),
        colours=_render_colours(),
        style=read_style(component) + read_style("glossary"),
        data=dump_script_json(data),
        terms=dump_script_json({"entries": glossary.list_entries(t), "language": t.language}),
        modules=build_import_map("alone", component),
        component=component,
    )


def build_import_map(*names: str) -> str:
    """Return the JSON of an import map that holds these scripts and the chunks they import, NAME as "player/NAME"."""
    modules: dict[str, str] = {}
    pending_names = [*names]
    while pending_names:
        name = pending_names.pop()
        if name not in modules:
            text = read_script(name)
            pending_names += _CHUNK.findall(text)
            encoded_script = base64.b64encode(_CHUNK.sub(r'"player/\1"', text).encode()).decode()
            modules[name] = f"data:text/javascript;base64,{encoded_script}"
    return dump_script_json({"imports": {f"player/{name}": address for name, address in modules.items()}})


def _render_colours() -> str:
    """Return the app's colours as the CSS variables that Streamlit makes of them, light and dark."""
    theme = tomllib.loads(_CONFIG.read_text("utf-8"))["theme"]
    light, dark = (_render_variables(theme[scheme]) for scheme in ("light", "dark"))
    return f":root {{ {light} }}\n@media (prefers-color-scheme: dark) {{ :root {{ {dark} }} }}"


def _render_variables(theme: dict[str, str]) -> str:
    return " ".join(f"--st-{_to_kebab_case(name)}: {value};" for name, value in theme.items())


def _to_kebab_case(name: str) -> str:
    return "".join(f"-{letter.lower()}" if letter.isupper() else letter for letter in name)


_PAGE = """<!doctype html>
<html lang="{language}">
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta http-equiv="Content-Security-Policy"
 content="default-src 'none'; script-src 'unsafe-inline' data:; style-src 'unsafe-inline'">
<title>{title}</title>
<style>
{colours}
:root {{
  color-scheme: light dark;
  --st-font: "Source Sans 3", "Source Sans Pro", system-ui, "Noto Sans CJK KR", sans-serif;
}}
body {{ margin: 0; padding: 20px 28px; background: var(--st-background-color); }}
@media (max-width: 640px) {{ body {{ padding: 12px 16px; }} }}
main {{ max-width: 1280px; margin: 0 auto; }}
{style}
</style>
<main id="player"></main>
<div id="glossary"></div>
<script type="application/json" id="data">{data}</script>
<script type="application/json" id="terms">{terms}</script>
<script type="importmap">{modules}</script>
<script type="module">
import {{ renderStandalone }} from "player/alone"
import component from "player/{component}"
renderStandalone(component)
</script>
</html>
"""
