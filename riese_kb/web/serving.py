"""Running the server: a socket, uvicorn, and a word when it is there."""

from __future__ import annotations

import asyncio
import ipaddress
import socket
from collections.abc import Callable

import uvicorn
from msgspec.structs import replace
from uvicorn.protocols.http.h11_impl import H11Protocol, RequestResponseCycle

from riese_kb.errors import RieseError
from riese_kb.web.app import make_app
from riese_kb.web.crew import Limits
from riese_kb.web.guard import LOOPBACK


class Punctual(H11Protocol):
    """A connection that is closed when ``patience`` seconds bring no whole head of a request: uvicorn would wait for ever."""

    patience = 10.0
    _last: RequestResponseCycle | None = None

    def connection_made(self, transport: asyncio.Transport) -> None:  # type: ignore[override]
        super().connection_made(transport)
        self.loop.call_later(self.patience, self._look)

    def _look(self) -> None:
        if self.transport.is_closing():
            return
        if self.cycle is self._last and getattr(self.cycle, "response_complete", True):  # None before the first request
            self.transport.close()
            return
        self._last = self.cycle
        self.loop.call_later(self.patience, self._look)


def run(host: str, port: int, names: tuple[str, ...], workers: int | None, seconds: float, ready: Callable[[str], None]) -> None:
    """Serve until interrupted; ``ready`` gets the address. Raises ``RieseError`` when there is no such port to have."""
    limits = replace(Limits(), seconds=seconds)
    limits = replace(limits, workers=workers) if workers is not None else limits
    with _socket(host, port) as listening:
        here = f"[{host}]" if ":" in host else host
        hosts = {*LOOPBACK, here.lower(), *(name.lower() for name in names)}
        shown = "127.0.0.1" if _everywhere(host) else here
        address = f"http://{shown}:{listening.getsockname()[1]}/"
        app = make_app(limits, None if _everywhere(host) and not names else hosts, lambda: ready(address))
        config = uvicorn.Config(app, http=Punctual, log_level="warning", access_log=False, server_header=False, ws="none")
        try:
            uvicorn.Server(config).run([listening])
        except KeyboardInterrupt:  # which is how it is meant to end
            return


def _everywhere(host: str) -> bool:
    try:
        return ipaddress.ip_address(host).is_unspecified
    except ValueError:
        return False


def _socket(host: str, port: int) -> socket.socket:
    try:
        family, _, _, _, address = socket.getaddrinfo(host, port, type=socket.SOCK_STREAM)[0]
        listening = socket.socket(family, socket.SOCK_STREAM)
        listening.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        listening.bind(address)
        listening.listen(512)
        listening.set_inheritable(False)
    except OSError as fault:
        raise RieseError(f"nothing can listen at {host}:{port}: {fault.strerror or fault}", fix="choose another --port") from None
    return listening
