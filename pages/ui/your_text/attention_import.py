"""Import of attention maps that another toolkit wrote, shown in this app's heatmaps."""

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
from model.importers.roles import ROLE_NAMES
from model.trace import END_PIECE, Trace
from pages.ui.backend.attention_files import AttentionFile, open_file, reopen_with_role, reopen_with_text
from pages.ui.components import standalone
from pages.ui.escape import escape_html, escape_markdown
from pages.ui.heatmap import exports, heads, heatmap
from pages.ui.i18n.messages import Messages
from pages.ui.url_state import param_widgets, params
from pages.ui.url_state.param_types import Choice, Param
from pages.ui.widgets import controls, downloads, map_names
from pages.ui.widgets.status import format_alert
from pages.ui.widgets.uploader import draw_uploader
from pages.ui.your_text import import_help

UPLOAD_KEYS = {params.IMPORTED_FILE: "attention-file", params.OTHER_IMPORTED_FILE: "attention-file-beside"}


class Selection(NamedTuple):
    """The selected sentence of a file, its Trace with the selected map, and how to draw it."""

    file: AttentionFile
    sentence: ImportedSentence
    trace: Trace
    view: heatmap.HeatmapView | None


def render_options(t: Messages) -> Selection | None:
    """Draw the choices for the open file and return the selection; None without a readable file."""
    file = params.get_imported_file(params.IMPORTED_FILE)
    if file is None or file.content is None:
        return None
    sentences = file.content.sentences
    titles = {str(index): _get_sentence_title(sentence) for index, sentence in enumerate(sentences, 1)}
    option = "1"
    if len(sentences) > 1:
        option = param_widgets.draw_selectbox(
            params.IMPORTED_SENTENCE, t("imported.sentence"), titles.__getitem__
        )
    sentence = sentences[int(option) - 1]
    trace = _hide_ambiguous_maps(sentence)
    other_sentence = _find_other_sentence(sentence)
    traces = [trace, _hide_ambiguous_maps(other_sentence)] if other_sentence else [trace]
    if (
        any(each.maps and has_special_tokens(each) for each in traces)
        and param_widgets.draw_option_buttons(params.SPECIAL_TOKENS, t) == "left_out"
        and has_special_tokens(trace)
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
    st.button(t("imported.another"), key="another-attention", type="tertiary", on_click=_close,
              args=(params.IMPORTED_FILE, params.OTHER_IMPORTED_FILE))  # fmt: skip
    return Selection(file, sentence, trace, view)


def render_import(selection: Selection | None, t: Messages) -> None:
    """Draw the selection, or without one the uploader, the last file's problem, and the help."""
    if selection is not None:
        _render_selection(selection, t)
        return
    file = params.get_imported_file(params.IMPORTED_FILE)
    draw_uploader(t("imported.upload"), UPLOAD_KEYS[params.IMPORTED_FILE], t,
                  partial(_open_uploaded_file, params.IMPORTED_FILE), t("imported.too_large"))  # fmt: skip
    if file is not None:
        _render_text_request(file, params.IMPORTED_FILE, t)
    import_help.render_help(_open_example, t)


def _render_selection(selection: Selection, t: Messages) -> None:
    """Draw the selected sentence, beside that of a second file if there is one, and the downloads."""
    other_file = params.get_imported_file(params.OTHER_IMPORTED_FILE)
    _render_role_questions(selection.file, selection.sentence, params.IMPORTED_FILE, t)
    if other_file is None or other_file.content is None:
        _render_picture(selection, t)
    else:
        left, right = st.columns(2, gap="medium")
        with left:
            _render_picture(selection, t)
        with right:
            _render_other_picture(other_file, selection, t)
    if selection.view is not None:
        with st.container(key="imported-exports", horizontal=True, gap="xsmall"):
            _render_exports(selection.trace, selection.file.content, selection.view, t)
    if selection.view is None or len(selection.trace.maps) > 1:
        heads.render_heads(selection.trace, t, _choose_map)
    if other_file is not None and other_file.content is not None:
        label = t("imported.close_beside", name=escape_markdown(other_file.name))
        st.button(label, key="close-beside", type="tertiary", on_click=_close, args=(params.OTHER_IMPORTED_FILE,))
        return
    with st.expander(t("imported.compare"), expanded=other_file is not None):
        draw_uploader(t("imported.upload_beside"), UPLOAD_KEYS[params.OTHER_IMPORTED_FILE], t,
                      partial(_open_uploaded_file, params.OTHER_IMPORTED_FILE), t("imported.too_large"))  # fmt: skip
        if other_file is not None:
            _render_text_request(other_file, params.OTHER_IMPORTED_FILE, t)


def _find_other_sentence(sentence: ImportedSentence) -> ImportedSentence | None:
    """Return the sentence of the second file that has the same source; None without one."""
    file = params.get_imported_file(params.OTHER_IMPORTED_FILE)
    candidates = file.content.sentences if file is not None and file.content is not None else ()
    key = _get_source_key(sentence)
    return next((candidate for candidate in candidates if _get_source_key(candidate) == key), None)


def _render_picture(selection: Selection, t: Messages) -> None:
    """Draw the heatmap of a sentence, if it has cross-attention, and the notes on it."""
    if selection.view is not None:
        heatmap.render_heatmap((selection.trace,), None, selection.view, 0, t, focus="")
    _render_notes(selection.file, selection.trace, selection.sentence, t)


def _render_other_picture(file: AttentionFile, selection: Selection, t: Messages) -> None:
    """Draw the sentence of a second file that has the same source."""
    sentence = _find_other_sentence(selection.sentence)
    if sentence is None:
        st.html(f'<p class="note">{escape_html(t("imported.no_match", name=file.name))}</p>')
        return
    _render_role_questions(file, sentence, params.OTHER_IMPORTED_FILE, t)
    trace = _hide_ambiguous_maps(sentence)
    if has_special_tokens(trace) and st.session_state.get(params.SPECIAL_TOKENS.name) == "left_out":
        trace = remove_special_tokens(trace)
    trace = _select_map(trace, params.OTHER_IMPORTED_MAP, t)
    if trace.has_attention:
        view = selection.view or heatmap.HeatmapView(is_alone=True)
        heatmap.render_heatmap((trace,), None, view, 0, t, focus="", key="picture-beside")
    _render_notes(file, trace, sentence, t)


def _render_exports(trace: Trace, content: ImportedFile | None, view: heatmap.HeatmapView, t: Messages) -> None:
    """Draw the downloads: the heatmap's files, the heatmap as an HTML page, and the word links of the whole file."""
    exports.render_exports(trace, view, t, has_address=False)
    name = downloads.build_file_name(trace, "attention")
    title = t("imported.page", name=trace.provenance.model, sentence=trace.source.text)
    downloads.draw_download_button("attention-html", t("laboratory.html"), f"{name}.html", "text/html",
                  lambda: standalone.build_document(
                      "heatmap", title, heatmap.build_heatmap_payload((trace,), None, view, 0, t), t
                  ),
                  t("imported.html_help"))  # fmt: skip
    if content is not None:
        downloads.draw_download_button(
            "attention-pharaoh",
            t("your_text.as_pharaoh"),
            f"{downloads.slugify_words(content.name)}-pharaoh.txt",
            "text/plain",
            partial(format_word_links, content),
            t("your_text.as_pharaoh_help"),
        )


def format_word_links(content: ImportedFile) -> str:
    """Return the word links, a line per sentence; empty for a sentence that was left out or has no cross-attention."""
    lines = [""] * content.count
    for sentence in content.sentences:
        trace = _hide_ambiguous_maps(sentence)
        lines[sentence.number - 1] = format_pharaoh(trace) if trace.has_attention else ""
    return "\n".join(lines) + "\n"


def _hide_ambiguous_maps(sentence: ImportedSentence) -> Trace:
    """Return the Trace without the maps whose role the reader has still to choose."""
    ambiguous = {question.name for question in sentence.questions}
    hidden = {weight_map.label for weight_map in sentence.maps if weight_map.name in ambiguous}
    if not hidden:
        return sentence.trace
    maps = tuple(weight_map for weight_map in sentence.trace.maps if weight_map.name not in hidden)
    return replace(sentence.trace, maps=maps, displayed_map_key=None)


def _select_map(trace: Trace, param: Param[str], t: Messages) -> Trace:
    """Return the Trace with the cross-attention map that the reader selects, if it has several."""
    displayable = [weight_map for weight_map in trace.maps if weight_map.description.is_target_by_source]
    descriptions = {weight_map.key: weight_map.description for weight_map in displayable}
    if len(descriptions) < 2:
        return trace
    param = replace(param, value_type=Choice(lambda: tuple(descriptions)))
    return replace(trace, displayed_map_key=controls.draw_map_choice(param, descriptions, t))


def _render_role_questions(file: AttentionFile, sentence: ImportedSentence, file_key: str, t: Messages) -> None:
    """Ask for the role of each map that its name and shape leave open; show the roles chosen so far."""
    for question in sentence.questions:
        key = f"{file_key}-{question.name}"
        with st.container(key=f"question-{file_key}-{sentence.questions.index(question)}", horizontal=True,
                          vertical_alignment="center", gap="small"):  # fmt: skip
            st.html(f"<p>{escape_html(t('imported.question', name=question.name))}</p>", width="content")
            for role in question.roles:
                st.button(t(f"imported.role_{role}"), key=f"{key}-{role}", on_click=_choose_role,
                          args=(file_key, question.name, role))  # fmt: skip
    names = {weight_map.name for weight_map in sentence.maps}
    for name, role in file.roles.items():
        if name in names:
            with st.container(key=f"answer-{file_key}-{list(file.roles).index(name)}", horizontal=True,
                              vertical_alignment="center", gap="small"):  # fmt: skip
                answer = t("imported.answer", name=name, role=map_names.translate_map_name(ROLE_NAMES[role], t))
                st.html(f'<p class="note">{escape_html(answer)}</p>', width="content")
                st.button(t("imported.change"), key=f"{file_key}-{name}-change", type="tertiary", on_click=_choose_role,
                          args=(file_key, name, None))  # fmt: skip


def _render_text_request(file: AttentionFile, file_key: str, t: Messages) -> None:
    """Show what was wrong with a file; ask for the sentences if it has no tokens."""
    if file.problem is not None and file.problem.kind != "need_tokens":
        st.html(format_alert(_describe_problem(file.problem, t)))
    if not file.needs_text or file.content is not None:
        return
    st.html(f"<p>{escape_html(t('imported.need_text', name=file.name))}</p>")
    param_widgets.draw_text_area(params.IMPORTED_SOURCE, t("imported.source_text"), height=110)
    param_widgets.draw_text_area(params.IMPORTED_TARGET, t("imported.target_text"), height=110)
    st.button(t("imported.use_text"), key=f"use-text-{file_key}", type="primary", on_click=_reopen_with_text,
              args=(file_key,))  # fmt: skip


def _render_notes(file: AttentionFile, trace: Trace, sentence: ImportedSentence, t: Messages) -> None:
    """Draw what was added to the sentence or the file, left out, or transposed."""
    notes = []
    if has_special_tokens(sentence.trace) and not has_special_tokens(trace):
        notes.append(t("imported.renormalised"))
    elif trace.maps and any(word == -1 and piece != END_PIECE for side in (trace.source, trace.target)
                            for piece, word in zip(side.pieces, side.word_of, strict=True)):  # fmt: skip
        notes.append(t("imported.special"))
    for note in file.content.notes if file.content else ():
        if note.kind != "open" and (not note.sentences or note.kind == "left_out" or sentence.number in note.sentences):
            notes.append(describe_note(note, t))
    if notes:
        st.html(f"<ul class='note'>{''.join(f'<li>{escape_html(text)}</li>' for text in notes)}</ul>")


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
    return f"{sentence.number} · {sentence.trace.source.text}"


def _get_source_key(sentence: ImportedSentence) -> str:
    """Return the source without spaces and case: toolkits split words differently."""
    return "".join(sentence.trace.source.words).casefold()


def _open_uploaded_file(file_key: str) -> None:
    """Open the uploaded file, or close the one that was removed."""
    uploaded_file = st.session_state.get(UPLOAD_KEYS[file_key])
    _close(file_key)
    if uploaded_file is not None:
        st.session_state[file_key] = open_file(uploaded_file.name, uploaded_file.getvalue())


def _open_example() -> None:
    """Open the example like a file."""
    _close(params.IMPORTED_FILE)
    st.session_state[params.IMPORTED_FILE] = open_file("example.json", import_help.EXAMPLE.encode())


def _reopen_with_text(file_key: str) -> None:
    file = params.get_imported_file(file_key)
    if file is not None:
        source, target = (
            str(st.session_state.get(param.name) or "") for param in (params.IMPORTED_SOURCE, params.IMPORTED_TARGET)
        )
        st.session_state[file_key] = reopen_with_text(file, source, target)


def _choose_role(file_key: str, name: str, role: Role | None) -> None:
    file = params.get_imported_file(file_key)
    if file is not None:
        st.session_state[file_key] = reopen_with_role(file, name, role)


def _close(*file_keys: str) -> None:
    """Remove files and the choices made for them."""
    texts = (params.IMPORTED_SOURCE, params.IMPORTED_TARGET)
    choices: dict[str, tuple[Param[str], ...]] = {
        params.IMPORTED_FILE: (params.IMPORTED_SENTENCE, params.IMPORTED_MAP, params.SPECIAL_TOKENS, *texts),
        params.OTHER_IMPORTED_FILE: (params.OTHER_IMPORTED_MAP, *texts),
    }
    for file_key in file_keys:
        names = (f"{param.name}{suffix}" for param in choices[file_key] for suffix in ("", "-last"))
        for name in (file_key, *names):
            st.session_state.pop(name, None)


def _choose_map(key: str) -> None:
    st.session_state[params.IMPORTED_MAP.name] = key
