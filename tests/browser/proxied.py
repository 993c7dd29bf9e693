"""Servers of the app as pages/SERVING.md starts them: one process, or several behind HAProxy with the configuration of
that page, on free loopback ports."""

import re
import socket
import subprocess
import tempfile
import time
from argparse import ArgumentParser, Namespace
from collections.abc import Iterator, Sequence
from contextlib import ExitStack, contextmanager
from pathlib import Path
from typing import Literal

from model.paths import ROOT
from pages.ui.backend.rooms import LETTER_OPTION, LETTERS
from tests.browser.running import Server, find_free_port, start_server

PAGE = ROOT / "pages" / "SERVING.md"


def add_server_options(parser: ArgumentParser) -> None:
    parser.add_argument("--server", help="the address of a running server, instead of a new one")
    parser.add_argument("--processes", type=int, default=1, help="how many processes of the app serve, behind HAProxy")


@contextmanager
def open_server(arguments: Namespace) -> Iterator[str]:
    """Yield the address of a running server or a new one; at the end print the memory of its processes."""
    if arguments.server:
        yield arguments.server
        return
    with run_processes(arguments.processes) as (address, servers):
        yield address
        peaks = ", ".join(f"{read_memory(server, 'VmHWM'):.1f} GB" for server in servers)
        print(f"peak memory of each process: {peaks}")


@contextmanager
def run_processes(count: int) -> Iterator[tuple[str, list[Server]]]:
    """Start so many processes, and a proxy if they are several; yield the address and the processes."""
    with ExitStack() as stack:
        servers = [stack.enter_context(start_server(arguments=[LETTER_OPTION, letter])) for letter in LETTERS[:count]]
        for server in servers:
            server.wait_until_ready()
        yield servers[0].address if count == 1 else stack.enter_context(run_proxy(servers)), servers


@contextmanager
def run_proxy(servers: Sequence[Server]) -> Iterator[str]:
    """Run HAProxy before the processes; yield its address."""
    port = find_free_port()
    with tempfile.TemporaryDirectory() as folder:
        config = Path(folder) / "haproxy.cfg"
        config.write_text(build_config(PAGE.read_text("utf-8"), port, [server.address for server in servers]), "utf-8")
        process = subprocess.Popen(["haproxy", "-db", "-f", str(config)])
        try:
            wait_for_port(port)
            yield f"http://127.0.0.1:{port}"
        finally:
            process.terminate()
            process.wait(10)


def wait_for_port(port: int) -> None:
    deadline = time.monotonic() + 10
    while True:
        try:
            return socket.create_connection(("127.0.0.1", port)).close()
        except OSError:
            if time.monotonic() > deadline:
                raise
            time.sleep(0.05)


def build_config(page: str, port: int, addresses: Sequence[str]) -> str:
    """Return the page's configuration for this port and the processes at these addresses. It has three."""
    block = re.search(r"```haproxy\n(.*?)```", page, re.DOTALL)
    assert block is not None
    config = block[1].replace("bind :80", f"bind 127.0.0.1:{port}").replace("class.example.org", "127.0.0.1")
    for k, address in enumerate(addresses):
        config = config.replace(f"127.0.0.1:850{k + 1}", address.removeprefix("http://"))
    return config


def read_memory(server: Server, field: Literal["VmRSS", "VmHWM"]) -> float:
    """Return the memory that a process has, or the most that it has had, in GB (Linux)."""
    status = Path(f"/proc/{server.process.pid}/status").read_text("utf-8")
    memory = re.search(rf"{field}:\s+(\d+) kB", status)
    assert memory is not None
    return int(memory[1]) / 2**20
