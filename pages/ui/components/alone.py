"""A component with its data as one HTML file: script, style and colours, with nothing to fetch."""

import json
import tomllib
from collections.abc import Mapping
from typing import Any

from model.paths import ROOT
from pages.ui.components import glossary
from pages.ui.components.component import script, style
from pages.ui.escape import markup
from pages.ui.i18n.messages import Messages

_CONFIG = ROOT / ".streamlit" / "config.toml"


def document(component: str, title: str, data: Mapping[str, Any], t: Messages) -> str:
    """A whole page that shows `data` in the component of that name, by built/NAME_alone.js, from a file and without the
    net."""
    return _PAGE.format(
        language=t.language,
        title=markup(title),
        colours=_colours(),
        style=style(component) + style("glossary"),
        data=_json(data),
        terms=_json({"entries": glossary.entries(t), "language": t.language}),
        script=script(f"{component}_alone"),
    )


def _json(data: object) -> str:
    # "<" can end a script element and begin another; in JSON it can be written so that it does neither.
    return json.dumps(data, ensure_ascii=False, allow_nan=False).replace("<", "\\u003c")


def _colours() -> str:
    """The app's own colours as the variables that Streamlit makes of them, light and dark."""
    theme = tomllib.loads(_CONFIG.read_text("utf-8"))["theme"]
    light, dark = (_variables(theme[scheme]) for scheme in ("light", "dark"))
    return f":root {{ {light} }}\n@media (prefers-color-scheme: dark) {{ :root {{ {dark} }} }}"


def _variables(theme: dict[str, str]) -> str:
    return " ".join(f"--st-{_dashed(name)}: {value};" for name, value in theme.items())


def _dashed(name: str) -> str:
    return "".join(f"-{letter.lower()}" if letter.isupper() else letter for letter in name)


_PAGE = """<!doctype html>
<html lang="{language}">
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta http-equiv="Content-Security-Policy"
 content="default-src 'none'; script-src 'unsafe-inline'; style-src 'unsafe-inline'">
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
<script type="module">
{script}
</script>
</html>
"""
