"""The command ``serve``."""

from __future__ import annotations

import sys

import click

from riese_kb.console import READ, complain, say
from riese_kb.errors import RieseError

PORT = 8080


@click.command(
    short_help="A page to draw boards on and to ask by pointing; the same over HTTP.",
    epilog="""\b
Examples:
  riese-kb serve
  riese-kb serve --port 9000 --no-browser
""",
)
@click.option("--port", type=click.IntRange(0, 65535), default=PORT, help=f"Default {PORT}; 0 takes any free one.")
@click.option("--host", default="127.0.0.1", help="The address to listen at; default: this machine only.")
@click.option("--name", "names", multiple=True, help="A further name that the server answers under.")
@click.option("--workers", type=click.IntRange(1, 64), default=None, help="Processes that answer; default 2 to 4.")
@click.option("--seconds", type=click.IntRange(1, 3600), default=20, help="For one question at most; default 20.")
@click.option("--no-browser", is_flag=True, help="Do not open the page.")
def serve(port: int, host: str, names: tuple[str, ...], workers: int | None, seconds: int, no_browser: bool) -> int:
    """Serve the page and the HTTP API until Ctrl-C, and open the page (docs/page.md).

    Nothing leaves this machine, nothing is kept, and only this machine is heard unless --host says otherwise.
    """
    try:
        from riese_kb.web.serving import run
    except ModuleNotFoundError as missing:
        if (missing.name or "").startswith("riese_kb"):
            raise
        raise RieseError(f"this needs {missing.name}", fix="pip install 'riese-kb[web]'") from None

    def ready(address: str) -> None:
        say(f"riese-kb is at {address} (Ctrl-C ends it)")
        sys.stdout.flush()
        if not no_browser:
            import webbrowser

            if not webbrowser.open(address):
                complain("no browser could be opened: open the address yourself")

    run(host, port, names, workers, seconds, ready)
    return READ
