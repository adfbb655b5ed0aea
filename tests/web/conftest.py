"""The tests of the page and a hail of requests on the API: `make test-web` runs them, and nothing else collects them.

RIESE_KB_BROWSER is the Chromium to use; ``none`` leaves the tests of the page out.
"""

import os

BROWSER = os.environ.get("RIESE_KB_BROWSER", "")
collect_ignore_glob = {"": ["test_*.py"], "none": ["test_page*.py"]}.get(BROWSER, [])
