"""schemathesis against the OpenAPI document: whatever it thinks of, the answer is one that the document names.

In this process, so that no port is needed, and seeded, so that a red run means a change. `HYPOTHESIS_PROFILE=thorough`
looks further and elsewhere each time.
"""

import os

import schemathesis
from hypothesis import HealthCheck, settings
from schemathesis.specs.openapi.checks import negative_data_rejection, positive_data_acceptance

from riese_kb.web.app import make_app
from riese_kb.web.crew import Limits

BOARD = """
system = "riese"
map = '''
+-+-+-+
|. . .|
+ + + +
|. ~ .D
+-+-+-+
'''
[[figure]]
id = "nicole"
kind = "hero"
name = "Nicole"
at = "A2"
weapon = "FG-42"
[[figure]]
id = "z1"
kind = "zombie"
at = "C1"
"""
THOROUGH = os.environ.get("HYPOTHESIS_PROFILE") == "thorough"
SETTINGS = settings(
    max_examples=2000 if THOROUGH else 80, derandomize=not THOROUGH, deadline=None, suppress_health_check=[*HealthCheck]
)

schema = schemathesis.openapi.from_asgi("/api/openapi.json", make_app(Limits(workers=2, seconds=5), {"testserver"}))


@schema.parametrize()
@SETTINGS
def test_no_request_gets_an_answer_that_the_document_does_not_name(case):
    """A text that is no board is refused (422), which no JSON schema can say: hence the check left out."""
    case.call_and_validate(excluded_checks=[positive_data_acceptance])


@schema.parametrize()
@SETTINGS
def test_nor_does_one_about_a_sound_board(case):
    """With a board that can be read, a request gets as far as the question, the map or the book."""
    for key, value in (("board", BOARD), ("ask", "reach nicole"), ("text", "can nicole ")):
        if isinstance(case.body, dict) and isinstance(case.body.get(key), str):
            case.body[key] = value
    case.call_and_validate(excluded_checks=[positive_data_acceptance, negative_data_rejection])
