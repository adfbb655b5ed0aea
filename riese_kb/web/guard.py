"""Which requests are heard at all, and what every answer says to the browser about the page."""

from __future__ import annotations

import asyncio
from collections.abc import Collection

from starlette.datastructures import MutableHeaders
from starlette.responses import JSONResponse
from starlette.types import ASGIApp, Message, Receive, Scope, Send

POLICY = (
    "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data: blob:; connect-src 'self'; "
    "manifest-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'"
)
HEADERS = {
    "Content-Security-Policy": POLICY,
    "X-Content-Type-Options": "nosniff",
    "Referrer-Policy": "no-referrer",
    "Cross-Origin-Opener-Policy": "same-origin",
    "Cross-Origin-Resource-Policy": "same-origin",
    "Cache-Control": "no-cache",
}
LOOPBACK = frozenset({"127.0.0.1", "localhost", "[::1]"})


class Guard:
    """Refuses other hosts' names (DNS rebinding) and other sites' pages; ``hosts`` None: told to hear everybody."""

    def __init__(self, app: ASGIApp, hosts: Collection[str] | None) -> None:
        self.app = app
        self.hosts = hosts

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """One request."""
        if scope["type"] != "http":
            await self.app(scope, receive, send)
            return

        async def told(message: Message) -> None:
            if message["type"] == "http.response.start":
                headers = MutableHeaders(scope=message)
                for name, value in HEADERS.items():
                    headers.setdefault(name, value)
            await send(message)

        headers = {name: value.decode("latin-1") for name, value in scope["headers"]}
        refused = self._refused(headers.get(b"host", ""), headers.get(b"origin"))
        if refused is not None:
            await JSONResponse({"error": refused}, 403)(scope, receive, told)
            return
        await self.app(scope, receive, told)

    def _refused(self, host: str, origin: str | None) -> str | None:
        name = host.rpartition(":")[0] if not host.endswith("]") and ":" in host else host
        if self.hosts is not None and name.lower() not in self.hosts:
            return "this server answers under its own address only (open the address that riese-kb serve printed)"
        if origin is not None and origin.partition("://")[2] != host:
            return "this server answers its own page only (open the address that riese-kb serve printed)"
        return None


class TooLarge(Exception):
    """The body is longer than it may be."""


async def body(receive: Receive, announced: str | None, most: int, seconds: float) -> bytes:
    """The body of a request. Raises ``TooLarge``; a client that dawdles is a ``TimeoutError``.

    Of a body that is too long the rest is taken in and dropped for a while: a client that is still sending does not look
    for an answer.
    """
    size = int(announced) if announced is not None and announced.isdecimal() and len(announced) < 20 else 0
    parts: list[bytes] = []
    length = 0
    async with asyncio.timeout(seconds):
        while True:
            message = await receive()
            if message["type"] == "http.disconnect":
                break
            chunk = message.get("body", b"")
            length += len(chunk)
            if max(size, length) > most:
                parts.clear()
                if length > most + (128 << 20):
                    break
            else:
                parts.append(chunk)
            if not message.get("more_body"):
                break
    if max(size, length) > most:
        raise TooLarge
    return b"".join(parts)
