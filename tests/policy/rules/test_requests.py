"""What an agent writes: harm in every spelling is at least asked about, look-alikes and everyday work are not."""

import json
from pathlib import Path

import pytest

REQUESTS = [json.loads(line) for line in Path(__file__).with_name("requests.jsonl").read_text().splitlines()]
EDITED = {"modified": ["src/a.py"], "tracked": ["src/a.py"]}


@pytest.mark.parametrize("request_", REQUESTS, ids=[str(number) for number in range(len(REQUESTS))])
def test_requests(decide, request_):
    world = EDITED if request_["edited"] else {}
    for dialect in ("bash", "unknown") if request_["asks"] else ("bash",):
        decision = decide(request_["text"], world=world, dialect=dialect)
        assert (decision.action in {"ask", "deny"}) is request_["asks"], (request_["text"], decision.reason)
