"""A server that is far away: a proxy on the loopback through which everything takes its time, in either direction."""

import asyncio
import threading
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from urllib.parse import urlsplit


@contextmanager
def slowed(address: str, delay: float) -> Iterator[str]:
    """The address at which a server answers as if it were `delay` seconds away, there and back."""
    port = urlsplit(address).port
    loop = asyncio.new_event_loop()
    ready: list[int] = []
    started = threading.Event()

    async def carry(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        with suppress(ConnectionError):  # either end may hang up at any time
            while data := await reader.read(65536):
                # What has been read is on its way: nothing behind it waits longer for that.
                loop.call_later(delay / 2, writer.write, data)
        loop.call_later(delay / 2, writer.close)

    async def met(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        there, out = await asyncio.open_connection("127.0.0.1", port)
        await asyncio.gather(carry(reader, out), carry(there, writer))

    async def serve() -> None:
        server = await asyncio.start_server(met, "127.0.0.1", 0)
        ready.append(server.sockets[0].getsockname()[1])
        started.set()

    def run() -> None:
        loop.run_until_complete(serve())
        loop.run_forever()
        under_way = asyncio.all_tasks(loop)
        for task in under_way:  # whoever was cut off in the middle
            task.cancel()
        loop.run_until_complete(asyncio.gather(*under_way, return_exceptions=True))
        loop.close()

    thread = threading.Thread(target=run, daemon=True)
    thread.start()
    started.wait(10)
    try:
        yield f"http://127.0.0.1:{ready[0]}"
    finally:
        loop.call_soon_threadsafe(loop.stop)
        thread.join(5)
