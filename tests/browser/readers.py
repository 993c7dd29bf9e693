"""Measure many readers: `python -m tests.browser.readers [--readers N] [--sentences N] [--within S] [--processes N]`.

Each reader is a session over a WebSocket with the messages of a browser (twenty Chromium pages on a small machine would
measure Chromium). It opens the first page, enters its sentences one after the other, and waits for each picture. Every
picture is compared with a direct translation. Two more readers leave in the middle. Prints the waits; exits with 1 if
a picture is not of the reader's own sentence.
"""

import argparse
import json
import statistics
import sys
import threading
import time
from collections.abc import Iterator
from contextlib import ExitStack, closing
from dataclasses import dataclass
from itertools import count, product
from typing import Any

from streamlit.proto.BackMsg_pb2 import BackMsg
from streamlit.proto.ForwardMsg_pb2 import ForwardMsg
from websockets import Origin, Subprotocol
from websockets.sync.client import connect

from model.decoding import Settings
from model.text.normalise import normalise
from pages.ui.backend import service
from pages.ui.heatmap import heatmap
from pages.ui.i18n.messages import load_messages
from tests.browser.proxied import add_server_options, open_server
from tests.pages.fakes import ATTENDED, PLAIN

TIMEOUT = 300.0  # seconds
_WHO = ("teacher", "painter", "doctor", "baker", "farmer", "driver", "singer", "captain", "poet", "nurse")
_DOES = ("reads the old letter", "opens the blue window", "looks for the lost key", "waits near the river")


def generate_sentences() -> Iterator[str]:
    """Yield different sentences without end."""
    for number in count(1):
        for does, who, when in product(_DOES, _WHO, ("today", "again", "at night")):
            suffix = f", {number} times" if number > 1 else ""
            yield f"The young {who} {does} {when}{suffix}."


@dataclass(frozen=True)
class Wait:
    """The seconds that a reader waited for a sentence, and the picture's payload."""

    sentence: str
    seconds: float
    picture: dict[str, Any]


class Reader:
    """One session at a server."""

    def __init__(self, address: str) -> None:
        self._deadline = time.monotonic() + TIMEOUT
        stream = f"{address.replace('http', 'ws', 1)}/_stcore/stream"
        self._stack = ExitStack()
        self._socket = self._stack.enter_context(
            connect(
                stream,
                origin=Origin(address),
                subprotocols=[Subprotocol("streamlit")],
                max_size=None,
                open_timeout=TIMEOUT,
            )
        )
        self._ids: dict[str, str] = {}
        self._query = ""  # of the address, which a browser sends with every message
        message = BackMsg()
        message.rerun_script.SetInParent()
        self._socket.send(message.SerializeToString())
        self._receive_components()

    def translate(self, sentence: str) -> Wait:
        """Enter a sentence and wait for its picture."""
        start = time.monotonic()
        self._enter(sentence)
        seconds, picture = 0.0, {}
        for component, payload in self._receive_components():
            if component.endswith("heatmap"):
                seconds, picture = time.monotonic() - start, payload
        return Wait(sentence, seconds, picture)

    def abandon(self, sentence: str) -> None:
        """Enter a sentence and close without waiting."""
        self._enter(sentence)
        self.close()

    def close(self) -> None:
        self._stack.close()

    def _enter(self, sentence: str) -> None:
        message = BackMsg()
        message.rerun_script.query_string = self._query
        states = message.rerun_script.widget_states.widgets
        states.add(id=self._ids["sentence"], string_value=sentence)
        states.add(id=self._ids["submit"], trigger_value=True)
        self._socket.send(message.SerializeToString())

    def _receive_components(self) -> list[tuple[str, Any]]:
        """Receive until the script has run; return the names and payloads of its components."""
        components = []
        while True:
            message = ForwardMsg.FromString(bytes(self._socket.recv(self._deadline - time.monotonic(), decode=False)))
            element = message.delta.new_element
            if element.HasField("bidi_component"):
                component = element.bidi_component
                components.append((component.component_name, json.loads(component.json or "[null]")[0]))
            elif element.HasField("text_area") and "sentence" in element.text_area.id:
                self._ids["sentence"] = element.text_area.id
            elif element.HasField("button") and "submit" in element.button.id:
                self._ids["submit"] = element.button.id
            elif message.WhichOneof("type") == "page_info_changed":
                self._query = message.page_info_changed.query_string
            if message.WhichOneof("type") == "script_finished" and message.script_finished in (
                ForwardMsg.FINISHED_SUCCESSFULLY,
                ForwardMsg.FINISHED_WITH_COMPILE_ERROR,
            ):
                return components


def run_readers(address: str, texts: list[list[str]], within: float = 0.0) -> list[Wait]:
    """Run one reader for each list of sentences, started evenly `within` so many seconds; raise the first error."""
    waits: list[Wait] = []
    errors: list[BaseException] = []
    barrier = threading.Barrier(len(texts))

    def run_reader(number: int, sentences: list[str]) -> None:
        try:
            with closing(Reader(address)) as reader:
                barrier.wait(TIMEOUT)
                time.sleep(within * number / len(texts))
                waits.extend([reader.translate(sentence) for sentence in sentences])
        except BaseException as error:
            errors.append(error)
            barrier.abort()

    threads = [
        threading.Thread(target=run_reader, args=(number, sentences), daemon=True)
        for number, sentences in enumerate(texts)
    ]
    for thread in threads:
        thread.start()
    for number in range(2):
        Reader(address).abandon(f"Nobody waits for this sentence number {number}.")
    for thread in threads:
        thread.join(TIMEOUT)
    if errors:
        raise errors[0]
    return waits


def list_wrong_sentences(waits: list[Wait]) -> list[str]:
    """Return the sentences whose picture differs from that of a direct translation."""
    models = [service.load_model(name) for name in (ATTENDED, PLAIN)]
    wrong = []
    for wait in waits:
        text = normalise(wait.sentence)
        best, (other,) = (service.translate_sentence(model, text, Settings(), lambda: False) for model in models)
        view = heatmap.HeatmapView(wait.picture.get("unit", "words"), wait.picture.get("scale", "violet"))
        expected = json.loads(json.dumps(heatmap.build_heatmap_payload(best, other, view, 0, load_messages("en"))))
        if not _is_same(wait.picture, expected):
            wrong.append(wait.sentence)
    return wrong


def _is_same(picture: dict[str, Any], expected: dict[str, Any]) -> bool:
    """Return whether two payloads have the same words, and the same weights up to 2 in the last digit: in a
    batch, sums are rounded in another order."""

    def get_words(data: dict[str, Any]) -> tuple[Any, ...]:
        readings = [*data["n_best"], data["other_translation"]]
        return data["source"]["words"], [reading["words"] for reading in readings], data["provenance"]

    if not picture or get_words(picture) != get_words(expected):
        return False
    rows = zip(picture["n_best"][0]["alpha"], expected["n_best"][0]["alpha"], strict=True)
    return all(abs(value - other) <= 2 for row, others in rows for value, other in zip(row, others, strict=True))


def main() -> int:
    parser = argparse.ArgumentParser(description=(__doc__ or "").split("\n", 1)[0])
    parser.add_argument("--readers", type=int, default=20, help="how many readers there are")
    parser.add_argument("--sentences", type=int, default=3, help="how many sentences each of them enters")
    parser.add_argument("--within", type=float, default=0.0, help="seconds in which they press Enter the first time")
    add_server_options(parser)
    arguments = parser.parse_args()
    sentences = generate_sentences()
    texts = [[next(sentences) for _ in range(arguments.sentences)] for _ in range(arguments.readers)]
    with open_server(arguments) as address:
        with ExitStack() as stack:  # open at once, so that each process has one
            for reader in [stack.enter_context(closing(Reader(address))) for _ in range(arguments.processes)]:
                reader.translate("The models are being loaded.")
        start = time.monotonic()
        waits = run_readers(address, texts, arguments.within)
        seconds = time.monotonic() - start
    wrong = list_wrong_sentences(waits)
    times = sorted(wait.seconds for wait in waits)
    print(f"{arguments.readers} readers, {len(waits)} sentences by two models in {seconds:.1f} s")
    late = statistics.quantiles(times, n=20, method="inclusive")[-1] if len(times) > 1 else times[0]
    print(f"waits: median {statistics.median(times):.2f} s, 95th percentile {late:.2f} s, slowest {times[-1]:.2f} s")
    print(f"wrong pictures: {len(wrong)}", *wrong, sep="\n  ")
    return 1 if wrong or len(waits) < arguments.readers * arguments.sentences else 0


if __name__ == "__main__":
    sys.exit(main())
