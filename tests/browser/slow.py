"""A proxy on the loopback that delays everything, like a distant server."""

import asyncio
import threading
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from urllib.parse import urlsplit


@contextmanager
def run_slow_proxy(address: str, delay: float) -> Iterator[str]:
    """Yield the address of a proxy to a server with a round trip of `delay` seconds."""
    port = urlsplit(address).port
    loop = asyncio.new_event_loop()
    ports: list[int] = []
    is_started = threading.Event()

    async def forward(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        with suppress(ConnectionError):  # either end may close at any time
            while data := await reader.read(65536):
                loop.call_later(delay / 2, writer.write, data)
        loop.call_later(delay / 2, writer.close)

    async def accept(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        server_reader, server_writer = await asyncio.open_connection("127.0.0.1", port)
        await asyncio.gather(forward(reader, server_writer), forward(server_reader, writer))

    async def listen() -> None:
        server = await asyncio.start_server(accept, "127.0.0.1", 0)
        ports.append(server.sockets[0].getsockname()[1])
        is_started.set()

    def run() -> None:
        loop.run_until_complete(listen())
        loop.run_forever()
        tasks = asyncio.all_tasks(loop)
        for task in tasks:
            task.cancel()
        loop.run_until_complete(asyncio.gather(*tasks, return_exceptions=True))
        loop.close()

    thread = threading.Thread(target=run, daemon=True)
    thread.start()
    is_started.wait(10)
    try:
        yield f"http://127.0.0.1:{ports[0]}"
    finally:
        loop.call_soon_threadsafe(loop.stop)
        thread.join(5)
