"""Attention from elsewhere: a file of another toolkit's weights, seen in the same pictures and saved alike."""

from dataclasses import replace
from typing import NamedTuple

import streamlit as st
from streamlit.delta_generator import DeltaGenerator

from model.importers import ForeignError, read
from model.trace import Trace
from pages.view.charts import heads
from pages.view.shell import controls, links, picks
from pages.view.shell.escape import markup
from pages.view.shell.messages import Messages
from pages.view.shell.uploading import uploader
from pages.view.translate import exports, heatmap
from pages.view.your_text import commands

_UPLOADED = "attention-file"
_REFUSED = "attention-refused"

# What such a file holds, small enough to be written by hand; two heads of one layer.
EXAMPLE = """{"source": ["The", "cat", "sleeps", "</s>"],
 "target": ["Le", "chat", "dort", "</s>"],
 "cross": [[[0.8, 0.1, 0.1, 0.0], [0.1, 0.8, 0.1, 0.0], [0.0, 0.2, 0.7, 0.1], [0.0, 0.0, 0.1, 0.9]],
           [[0.4, 0.4, 0.1, 0.1], [0.6, 0.2, 0.1, 0.1], [0.1, 0.6, 0.2, 0.1], [0.1, 0.1, 0.6, 0.2]]]}"""

# How the files of two toolkits that save no text are made, a line at a time. Row i of what a decoder looked at belongs
# to piece i of the labels, since the network itself moves its input by one.
TRANSFORMERS = (
    'inputs = tokenizer(text, return_tensors="pt")',
    "labels = model.generate(**inputs)[:, 1:]",
    "out = model(**inputs, labels=labels, output_attentions=True)",
    "every = {name: torch.stack(out[f'{name}_attentions'])[:, 0].detach().float().numpy()"
    " for name in ('cross', 'encoder', 'decoder')}",
    "numpy.savez_compressed('attention.npz', source=tokenizer.convert_ids_to_tokens(inputs.input_ids[0]),"
    " target=tokenizer.convert_ids_to_tokens(labels[0]), **every)",
)
JOEYNMT = (
    "(found,) = translator.score([sentence], beam_size=1)",
    "cut = translator.dataset.tokenizer[translator.dataset.src_lang]",
    "record = dict(source=cut(cut.pre_process(sentence)), target=found.tokens[0])",
    "record['attention'] = found.attention_probs[0].tolist()",
    "open('attention.json', 'w').write(json.dumps(record))",
)


class Seen(NamedTuple):
    """A sentence by the map that is chosen, how it is looked at where it attends, and the place for what leaves."""

    trace: Trace
    view: heatmap.View | None
    leaving: DeltaGenerator


def options(say: Messages) -> Seen | None:
    """Which sentence of the file is looked at, by which map, and how; None where there is no file."""
    traces = links.read_in()
    if not traces:
        return None
    number = "1"
    if len(traces) > 1:
        number = picks.listed(links.READ, say("read_in.sentence"), lambda one: _titled(traces, one))
    trace = traces[int(number) - 1]
    among = {one.key: one.description for one in trace.maps if one.description.looks}
    if len(among) > 1:
        trace = replace(trace, shown=controls.one_map(links.READ_MAP, among, say))
    view = None
    if trace.attends:
        view = heatmap.View(picks.choice(links.UNIT, say), picks.choice(links.SCALE, say), alone=True)
    leaving = st.container(key="exports", horizontal=True, width="content", gap="xsmall")
    st.button(say("read_in.another"), key="another-attention", type="tertiary", on_click=_drop)
    return Seen(trace, view, leaving)


def form(seen: Seen | None, say: Messages) -> None:
    """What is looked at, or the way in; what was wrong with the last file; and how such files are made."""
    if seen is None:
        uploader(say("read_in.upload"), _UPLOADED, say, _come)
        st.html(f'<p class="too-large" role="alert">{markup(say("read_in.too_large"))}</p>')
        refused: ForeignError | None = st.session_state.get(_REFUSED)
        if refused is not None:
            st.html(f'<p role="alert">{markup(say(f"foreign.{refused.kind}", **refused.values))}</p>')
        st.html(f"<p>{markup(say('read_in.example'))}</p>{commands.html(EXAMPLE.splitlines())}")
        st.button(say("read_in.see"), key="see-example", type="tertiary", on_click=_example)
        st.html(f'<p class="note">{markup(say("read_in.note"))}</p>'
                f"<p>{markup(say('read_in.transformers'))}</p>{commands.html(TRANSFORMERS)}"
                f"<p>{markup(say('read_in.joeynmt'))}</p>{commands.html(JOEYNMT)}")  # fmt: skip
        return
    trace = seen.trace
    if seen.view is not None:
        heatmap.show((trace,), None, seen.view, 0, say, focus="")
        with seen.leaving:
            exports.show(trace, seen.view, say, address=False)
    if seen.view is None or len(trace.maps) > 1:
        heads.show(trace, say, _chosen)


def _titled(traces: tuple[Trace, ...], number: str) -> str:
    """A sentence by its number and its words."""
    return f"{number} · {traces[int(number) - 1].source.text}"


def _come() -> None:
    """A file has come, or was taken away again."""
    given = st.session_state.get(_UPLOADED)
    _drop()
    if given is None:
        return
    try:
        st.session_state[links.READ_IN] = read(given.getvalue(), given.name)
    except ForeignError as error:
        st.session_state[_REFUSED] = error


def _example() -> None:
    """Look at the example as if it were a file."""
    _drop()
    st.session_state[links.READ_IN] = read(EXAMPLE.encode(), "example.json")


def _drop() -> None:
    for name in (links.READ_IN, _REFUSED, *(f"{row.name}{part}" for row in (links.READ, links.READ_MAP)
                                            for part in ("", "-last"))):
        st.session_state.pop(name, None)


def _chosen(key: str) -> None:
    st.session_state[links.READ_MAP.name] = key
