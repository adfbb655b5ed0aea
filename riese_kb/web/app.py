"""The server: its routes, and how a request becomes a line to a worker."""

from __future__ import annotations

import asyncio
import json
import mimetypes
import os
from collections.abc import AsyncIterator, Awaitable, Callable, Collection, Coroutine, Mapping
from contextlib import asynccontextmanager
from typing import Any, TypeVar

import msgspec
from starlette.applications import Starlette
from starlette.exceptions import HTTPException
from starlette.middleware import Middleware
from starlette.requests import Request
from starlette.responses import JSONResponse, Response
from starlette.routing import Route

from riese_kb.web.crew import Busy, Crew, Died, Limits, TooLong
from riese_kb.web.forms import CALLS, Call, document
from riese_kb.web.guard import HEADERS, LOOPBACK, Guard, TooLarge, body

STATIC = os.path.join(os.path.dirname(__file__), "static")
_T = TypeVar("_T")
Handler = Callable[[Request], Awaitable[Response]]


def make_app(
    limits: Limits | None = None, hosts: Collection[str] | None = LOOPBACK, ready: Callable[[], None] = lambda: None
) -> Starlette:
    """The application; ``hosts`` are the names it answers under, and ``ready`` hears that it is there."""
    limits = limits or Limits()

    @asynccontextmanager
    async def alive(app: Starlette) -> AsyncIterator[None]:
        app.state.crew = Crew(limits)
        app.state.crew.start()
        ready()
        yield
        await app.state.crew.stop()

    routes = [Route(call.path, _handler(call, limits), methods=[call.method]) for call in CALLS]
    routes += [
        Route("/api/openapi.json", _openapi),
        Route("/", _page),
        Route("/static/{name}", _static),
    ]
    failed: Mapping[Any, Any] = {HTTPException: _http_error, 500: _defect}
    return Starlette(routes=routes, lifespan=alive, middleware=[Middleware(Guard, hosts=hosts)], exception_handlers=failed)


def _error(status: int, what: str, fix: str | None = None, headers: Mapping[str, str] | None = None) -> JSONResponse:
    told = {"error": f"{what} ({fix})" if fix else what, "what": what, "fix": fix, "line": None}
    return JSONResponse(told, status, dict(headers or {}))


def _handler(call: Call, limits: Limits) -> Handler:
    async def handle(request: Request) -> Response:
        given: Any
        if call.method == "POST":
            read = await _given(request, limits.book if call.long else limits.board, limits.body_seconds)
            if isinstance(read, Response):
                return read
            given = read
        else:
            given = {**request.query_params, **request.path_params}
            if len(request.query_params.multi_items()) != len(request.query_params):
                return _error(422, "a parameter stands there twice", "give it once")
        try:
            form = msgspec.convert(given, call.form)
        except msgspec.ValidationError as fault:
            return _error(422, f"this is not what {call.path} takes: {fault}", "/api/openapi.json says what it takes")
        data = {key: value for key, value in msgspec.structs.asdict(form).items() if value is not None}
        crew: Crew = request.app.state.crew
        try:
            status, told = await _unless_left(request, crew.ask(call.name, data, long=call.long))
        except Busy:
            return _error(503, "too many questions at once", "ask again in a moment", {"Retry-After": "1"})
        except TooLong:
            what = f"no answer was found within {limits.seconds * (3 if call.long else 1):g} seconds"
            return _error(422, what, "ask about a smaller board, or on the command line, which takes its time")
        except _Left:
            return _error(408, "the client left")  # to nobody
        except Died:
            return _error(422, "this took more memory than the server gives it, or broke it", "ask about a smaller board")
        return JSONResponse(told, status)

    return handle


class _Left(Exception):
    """Whoever asked is gone."""


async def _unless_left(request: Request, work: Coroutine[Any, Any, _T]) -> _T:
    """What the work gives. A page that is dragged over asks and leaves: such work is not waited for.

    It gets a second to end by itself, since that is cheaper than a new worker.
    """
    working = asyncio.create_task(work)
    leaving = asyncio.create_task(_leave(request))
    try:
        await asyncio.wait({working, leaving}, return_when=asyncio.FIRST_COMPLETED)
        if not working.done():
            await asyncio.wait({working}, timeout=1)
        if not working.done():
            raise _Left
        return await working
    finally:
        leaving.cancel()
        working.cancel()


async def _leave(request: Request) -> None:
    while (await request.receive())["type"] != "http.disconnect":
        pass


async def _given(request: Request, most: int, seconds: float) -> Response | Any:
    """The JSON of a body, or what is wrong with it."""
    headers = request.headers
    try:
        data = await body(request.receive, headers.get("content-length"), most, seconds)
    except TooLarge:
        return _error(413, f"this is more than {most:,} bytes", "send less", {"Connection": "close"})
    except TimeoutError:
        return _error(408, f"the request did not arrive within {seconds:g} seconds", "send it at once", {"Connection": "close"})
    # Another site's page can send text unasked, but no JSON.
    if headers.get("content-type", "").partition(";")[0].strip().lower() != "application/json":
        return _error(415, "the body must be JSON", "send it with Content-Type: application/json")
    try:
        text = data.decode("utf-8-sig")
        given = json.loads(text, parse_constant=_no_number)
        json.dumps(given, ensure_ascii=False).encode()
    except (ValueError, RecursionError) as fault:
        what = str(fault) if isinstance(fault, json.JSONDecodeError) else "it cannot be read"
        return _error(400, f"this is not JSON: {what}", 'for example {"board": "…", "ask": "reach nicole"}')
    return given


def _no_number(name: str) -> Any:
    raise ValueError(f"{name} is no JSON")


# --- the page -------------------------------------------------------------------------------------------------------


async def _openapi(_: Request) -> Response:
    return JSONResponse(document())


async def _page(_: Request) -> Response:
    return _file("index.html")


async def _static(request: Request) -> Response:
    name = request.path_params["name"]
    if name not in os.listdir(STATIC):
        raise HTTPException(404)
    return _file(name)


def _file(name: str) -> Response:
    kind = "text/javascript" if name.endswith(".js") else mimetypes.guess_type(name)[0] or "text/plain"
    with open(os.path.join(STATIC, name), "rb") as file:
        return Response(file.read(), media_type=kind)


async def _http_error(request: Request, fault: Exception) -> Response:
    assert isinstance(fault, HTTPException)
    if fault.status_code == 405:
        return _error(405, f"{request.url.path} takes no {request.method}", "/api/openapi.json lists all", fault.headers)
    if fault.status_code == 404:
        return _error(404, f"there is no {request.url.path}", "/api/openapi.json lists all")
    return _error(fault.status_code, fault.detail, None, fault.headers)


async def _defect(_: Request, fault: Exception) -> Response:
    # Starlette answers this outside of the guard.
    return _error(500, f"a defect of riese-kb, please report it: {type(fault).__name__}: {fault}", None, HEADERS)
