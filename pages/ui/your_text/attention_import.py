"""Import of attention: a file that another toolkit wrote, in the pictures that this app's own models have."""

from collections.abc import Mapping, Sequence
from dataclasses import replace
from functools import partial
from typing import NamedTuple

import streamlit as st

from model.analysis.alignment.trace_formats import format_pharaoh
from model.importers import (
    AttentionFileError,
    ImportedFile,
    ImportedSentence,
    ImportNote,
    Role,
    has_special_tokens,
    remove_special_tokens,
)
from model.trace import END_PIECE, Trace
from pages.ui.backend.attention_files import AttentionFile, open_file, with_role, with_text
from pages.ui.components import standalone
from pages.ui.escape import escape_html, escape_markdown
from pages.ui.heatmap import exports, heads, heatmap
from pages.ui.i18n.messages import Messages
from pages.ui.url_state import param_widgets, params
from pages.ui.url_state.param_types import Choice, Param
from pages.ui.widgets import controls, downloads, map_names
from pages.ui.widgets.uploader import draw_uploader
from pages.ui.your_text import import_help

UPLOAD_KEYS = {params.IMPORTED_FILE: "attention-file", params.OTHER_IMPORTED_FILE: "attention-file-beside"}
_ROLE_NAMES: Mapping[Role, str] = {"cross": "cross-attention", "encoder": "encoder self-attention",
                                   "decoder": "decoder self-attention"}  # fmt: skip


class Selection(NamedTuple):
    """What is looked at: a sentence of a file, its Trace by the map that is chosen, and how it is drawn."""

    file: AttentionFile
    sentence: ImportedSentence
    trace: Trace
    view: heatmap.HeatmapView | None


def render_options(t: Messages) -> Selection | None:
    """Draw the choices for the file that is open; None where none is, or none that can be read."""
    file = params.get_imported_file(params.IMPORTED_FILE)
    if file is None or file.found is None:
        return None
    sentences = file.found.sentences
    number = "1"
    if len(sentences) > 1:
        number = param_widgets.draw_selectbox(
            params.IMPORTED_SENTENCE, t("imported.sentence"), lambda one: _get_sentence_title(sentences[int(one) - 1])
        )
    sentence = sentences[int(number) - 1]
    trace = _hide_ambiguous_maps(sentence)
    if (
        trace.maps
        and has_special_tokens(trace)
        and param_widgets.draw_option_buttons(params.SPECIAL_TOKENS, t) == "left_out"
    ):
        trace = remove_special_tokens(trace)
    trace = _select_map(trace, params.IMPORTED_MAP, t)
    view = None
    if trace.has_attention:
        view = heatmap.HeatmapView(
            param_widgets.draw_option_buttons(params.UNIT, t),
            param_widgets.draw_option_buttons(params.SCALE, t),
            is_alone=True,
        )
    st.button(t("imported.another"), key="another-attention", type="tertiary", on_click=_close_both)
    return Selection(file, sentence, trace, view)


def render_import(seen: Selection | None, t: Messages) -> None:
    """Draw what is looked at, or the way in: what was wrong with the last file, and which files are read."""
    if seen is not None:
        _render_selection(seen, t)
        return
    file = params.get_imported_file(params.IMPORTED_FILE)
    draw_uploader(t("imported.upload"), UPLOAD_KEYS[params.IMPORTED_FILE], t, partial(_on_upload, params.IMPORTED_FILE),
             t("imported.too_large"))
    if file is not None:
        _render_text_request(file, params.IMPORTED_FILE, t)
    import_help.render_help(_open_example, t)


def _render_selection(seen: Selection, t: Messages) -> None:
    """Draw the pictures of a sentence, beside one another where there is a second file; then the notes."""
    beside = params.get_imported_file(params.OTHER_IMPORTED_FILE)
    _render_role_questions(seen.file, seen.sentence, params.IMPORTED_FILE, t)
    if beside is None or beside.found is None:
        _render_picture(seen, t)
    else:
        left, right = st.columns(2, gap="medium")
        with left:
            _render_picture(seen, t)
        with right:
            _render_picture_beside(beside, beside.found, seen, t)
    if seen.view is not None:
        with st.container(key="imported-exports", horizontal=True, gap="xsmall"):
            _render_exports(seen.trace, seen.file.found, seen.view, t)
    if seen.view is None or len(seen.trace.maps) > 1:
        heads.render_heads(seen.trace, t, _choose_map)
    if beside is not None and beside.found is not None:
        st.button(t("imported.close_beside", name=escape_markdown(beside.name)), key="close-beside", type="tertiary",
                  on_click=_close_beside)  # fmt: skip
        return
    with st.expander(t("imported.compare"), expanded=beside is not None):
        draw_uploader(t("imported.upload_beside"), UPLOAD_KEYS[params.OTHER_IMPORTED_FILE], t,
                 partial(_on_upload, params.OTHER_IMPORTED_FILE), t("imported.too_large"))  # fmt: skip
        if beside is not None:
            _render_text_request(beside, params.OTHER_IMPORTED_FILE, t)


def _render_picture(seen: Selection, t: Messages) -> None:
    """Draw a sentence by the map that is chosen, where there is one between the sides, and the notes on it."""
    if seen.view is not None:
        heatmap.render_heatmap((seen.trace,), None, seen.view, 0, t, focus="")
    _render_notes(seen.file, seen.trace, seen.sentence, t)


def _render_picture_beside(file: AttentionFile, found: ImportedFile, seen: Selection, t: Messages) -> None:
    """Draw the sentence of a second file with the same source, as the first is drawn."""
    same = next((one for one in found.sentences if _get_source_key(one) == _get_source_key(seen.sentence)), None)
    if same is None:
        st.html(f'<p class="note">{escape_html(t("imported.no_match", name=file.name))}</p>')
        return
    _render_role_questions(file, same, params.OTHER_IMPORTED_FILE, t)
    trace = _hide_ambiguous_maps(same)
    if has_special_tokens(trace) and st.session_state.get(params.SPECIAL_TOKENS.name) == "left_out":
        trace = remove_special_tokens(trace)
    trace = _select_map(trace, params.OTHER_IMPORTED_MAP, t)
    if trace.has_attention:
        view = seen.view or heatmap.HeatmapView(is_alone=True)
        heatmap.render_heatmap((trace,), None, view, 0, t, focus="", key="picture-beside")
    _render_notes(file, trace, same, t)


def _render_exports(trace: Trace, found: ImportedFile | None, view: heatmap.HeatmapView, t: Messages) -> None:
    """The files of the picture, the interactive picture as a page of its own, and the word links of the whole file."""
    exports.render_exports(trace, view, t, has_address=False)
    name = downloads.build_file_name(trace, "attention")
    title = t("imported.page", name=trace.made_by.model, sentence=trace.source.text)
    downloads.draw_download_button("attention-html", t("laboratory.html"), f"{name}.html", "text/html",
                  lambda: standalone.build_document(
                      "heatmap", title, heatmap.build_heatmap_payload((trace,), None, view, 0, t), t
                  ),
                  t("imported.html_help"))  # fmt: skip
    if found is not None:
        downloads.draw_download_button(
            "attention-pharaoh",
            t("your_text.as_pharaoh"),
            f"{downloads.slugify_words(found.name)}-pharaoh.txt",
            "text/plain",
            partial(format_word_links, found),
            t("your_text.as_pharaoh_help"),
        )


def format_word_links(found: ImportedFile) -> str:
    """The word links of every sentence, a line each; an empty line for a sentence that was left out or has no map
    between the sides."""
    lines = [""] * found.count
    for one in found.sentences:
        trace = _hide_ambiguous_maps(one)
        lines[one.number - 1] = format_pharaoh(trace) if trace.has_attention else ""
    return "\n".join(lines) + "\n"


def _hide_ambiguous_maps(sentence: ImportedSentence) -> Trace:
    """The Trace without the maps whose role the reader has yet to choose."""
    asked = {question.name for question in sentence.questions}
    hidden = {one.label for one in sentence.maps if one.name in asked}
    if not hidden:
        return sentence.trace
    return replace(sentence.trace, maps=tuple(one for one in sentence.trace.maps if one.name not in hidden), shown=None)


def _select_map(trace: Trace, row: Param[str], t: Messages) -> Trace:
    """The Trace by the map that the reader chooses, where there are several between the sides."""
    among = {one.key: one.description for one in trace.maps if one.description.is_source_attention}
    if len(among) < 2:
        return trace
    return replace(
        trace, shown=controls.draw_map_choice(replace(row, value_type=Choice(lambda: tuple(among))), among, t)
    )


def _render_role_questions(file: AttentionFile, sentence: ImportedSentence, place: str, t: Messages) -> None:
    """Ask what each map is whose name and shape leave it open, and say what the reader answered."""
    for question in sentence.questions:
        key = f"{place}-{question.name}"
        with st.container(key=f"question-{place}-{sentence.questions.index(question)}", horizontal=True,
                          vertical_alignment="center", gap="small"):  # fmt: skip
            st.html(f"<p>{escape_html(t('imported.question', name=question.name))}</p>", width="content")
            for role in question.roles:
                st.button(t(f"imported.role_{role}"), key=f"{key}-{role}", on_click=_choose_role,
                          args=(place, question.name, role))  # fmt: skip
    named = {one.name for one in sentence.maps}
    for name, role in file.roles.items():
        if name in named:
            with st.container(key=f"answer-{place}-{list(file.roles).index(name)}", horizontal=True,
                              vertical_alignment="center", gap="small"):  # fmt: skip
                answer = t("imported.answer", name=name, role=map_names.translate_map_name(_ROLE_NAMES[role], t))
                st.html(f'<p class="note">{escape_html(answer)}</p>', width="content")
                st.button(t("imported.change"), key=f"{place}-{name}-change", type="tertiary", on_click=_choose_role,
                          args=(place, name, None))  # fmt: skip


def _render_text_request(file: AttentionFile, place: str, t: Messages) -> None:
    """Say what was wrong with a file; where it lacks tokens, ask for the sentences."""
    if file.problem is not None and file.problem.kind != "need_tokens":
        st.html(f'<p role="alert">{escape_html(_describe_problem(file.problem, t))}</p>')
    if not file.needs_text or file.found is not None:
        return
    st.html(f"<p>{escape_html(t('imported.need_text', name=file.name))}</p>")
    param_widgets.draw_text_area(params.IMPORTED_SOURCE, t("imported.source_text"), height=110)
    param_widgets.draw_text_area(params.IMPORTED_TARGET, t("imported.target_text"), height=110)
    st.button(t("imported.use_text"), key=f"use-text-{place}", type="primary", on_click=_on_text, args=(place,))


def _render_notes(file: AttentionFile, trace: Trace, sentence: ImportedSentence, t: Messages) -> None:
    """What should be known about the sentence and the file: what was added, left out, turned round."""
    said = []
    if has_special_tokens(sentence.trace) and not has_special_tokens(trace):
        said.append(t("imported.renormalised"))
    elif trace.maps and any(word == -1 and piece != END_PIECE for side in (trace.source, trace.target)
                            for piece, word in zip(side.pieces, side.word_of, strict=True)):  # fmt: skip
        said.append(t("imported.special"))
    for note in file.found.notes if file.found else ():
        if note.kind != "open" and (not note.sentences or note.kind == "left_out" or sentence.number in note.sentences):
            said.append(describe_note(note, t))
    if said:
        st.html(f"<ul class='note'>{''.join(f'<li>{escape_html(text)}</li>' for text in said)}</ul>")


def describe_note(note: ImportNote, t: Messages) -> str:
    values = {
        key: map_names.translate_map_name(value, t) if key in ("role", "other") else value
        for key, value in note.values.items()
    }
    reason = "" if note.reason is None else _describe_problem(note.reason, t)
    return t(f"attention_note.{note.kind}", **values, sentences=note.sentence_list, reason=reason)


def _describe_problem(error: AttentionFileError, t: Messages) -> str:
    return t(f"attention_error.{error.kind}", **error.values)


def _get_sentence_title(sentence: ImportedSentence) -> str:
    """A sentence by its number in the file and its words."""
    return f"{sentence.number} · {sentence.trace.source.text}"


def _get_source_key(sentence: ImportedSentence) -> str:
    """The source as it is compared between files: toolkits cut words differently."""
    return "".join(sentence.trace.source.words).casefold()


def _on_upload(place: str) -> None:
    """Open a file that has come; close the one that was taken away."""
    given = st.session_state.get(UPLOAD_KEYS[place])
    _forget(place)
    if given is not None:
        st.session_state[place] = open_file(given.name, given.getvalue())


def _open_example() -> None:
    """Open the example as if it were a file."""
    _forget(params.IMPORTED_FILE)
    st.session_state[params.IMPORTED_FILE] = open_file("example.json", import_help.EXAMPLE.encode())


def _on_text(place: str) -> None:
    file = params.get_imported_file(place)
    if file is not None:
        source, target = (
            str(st.session_state.get(row.name) or "") for row in (params.IMPORTED_SOURCE, params.IMPORTED_TARGET)
        )
        st.session_state[place] = with_text(file, source, target)


def _choose_role(place: str, name: str, role: Role | None) -> None:
    file = params.get_imported_file(place)
    if file is not None:
        st.session_state[place] = with_role(file, name, role)


def _close_both() -> None:
    _forget(params.IMPORTED_FILE)
    _forget(params.OTHER_IMPORTED_FILE)


def _close_beside() -> None:
    _forget(params.OTHER_IMPORTED_FILE)


def _forget(place: str) -> None:
    """Forget a file and what was chosen about it."""
    texts = (params.IMPORTED_SOURCE, params.IMPORTED_TARGET)
    rows: Sequence[Param[str]] = (params.OTHER_IMPORTED_MAP, *texts) if place == params.OTHER_IMPORTED_FILE else \
        (params.IMPORTED_SENTENCE, params.IMPORTED_MAP, params.SPECIAL_TOKENS, *texts)  # fmt: skip
    for name in (place, *(f"{row.name}{part}" for row in rows for part in ("", "-last"))):
        st.session_state.pop(name, None)


def _choose_map(key: str) -> None:
    st.session_state[params.IMPORTED_MAP.name] = key
