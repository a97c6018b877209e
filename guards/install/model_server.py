"""A model server on 127.0.0.1 that asks an agent for given tool calls, one a turn, and keeps what the agent reports back.

It speaks just enough of the Anthropic Messages and OpenAI Responses protocols for Claude Code and Codex to run without a network and
without an account: `gatepost doctor --live` and the end-to-end tests put a command to the real client this way.
"""

from __future__ import annotations

import json
import threading
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence
    from typing import Self

    Command = str | tuple[str, dict[str, Any]]
    Event = dict[str, Any]

SHELL_TOOLS = ("Bash", "exec_command", "shell_command", "shell")


class ModelServer(ThreadingHTTPServer):
    """`commands` are asked for in order; `results` holds the tool results, as text, that came back for them.

    A command is shell text, or (tool, input) for another tool of the agent (Anthropic's protocol only).
    """

    daemon_threads = True

    def __init__(self, commands: Sequence[Command]) -> None:
        super().__init__(("127.0.0.1", 0), _Requests)
        self.commands = list(commands)
        self.results: list[str] = []
        self.thread = threading.Thread(target=self.serve_forever, kwargs={"poll_interval": 0.05})

    @property
    def url(self) -> str:
        """Where it listens."""
        return f"http://127.0.0.1:{self.server_address[1]}"

    def __enter__(self) -> Self:
        self.thread.start()
        return self

    def __exit__(self, *_: object) -> None:
        self.shutdown()
        self.thread.join()
        self.server_close()

    def next_command(self, results: list[str], tools: Iterable[str]) -> Command | None:
        """The command after those already answered, None when there is none or the agent offers no shell."""
        if not any(name in SHELL_TOOLS for name in tools):
            return None
        self.results = max(self.results, results, key=len)
        return self.commands[len(results)] if len(results) < len(self.commands) else None


class _Requests(BaseHTTPRequestHandler):
    server: ModelServer
    protocol_version = "HTTP/1.1"

    def log_message(self, *_: object) -> None:
        """Say nothing on stderr."""

    def do_HEAD(self) -> None:
        self._send("application/json", b"")

    def do_GET(self) -> None:
        self._send("application/json", json.dumps({"object": "list", "data": [], "models": []}).encode())

    def do_POST(self) -> None:
        asked = json.loads(self.rfile.read(int(self.headers.get("Content-Length") or 0)) or b"{}")
        path = self.path.partition("?")[0]
        if path.endswith("/messages"):
            self._stream(_messages(self.server, asked))
        elif path.endswith("/responses"):
            self._stream(_responses(self.server, asked))
        else:
            self._send("application/json", json.dumps({"input_tokens": 10}).encode())

    def _stream(self, events: Iterable[Event]) -> None:
        body = "".join(f"event: {event['type']}\ndata: {json.dumps(event)}\n\n" for event in events)
        self._send("text/event-stream", body.encode())

    def _send(self, kind: str, body: bytes) -> None:
        self.send_response(200)
        self.send_header("Content-Type", kind)
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)


def _text(content: Any) -> str:
    """A tool result's content as one text."""
    if isinstance(content, str):
        return content
    return "".join(part.get("text", "") for part in content if isinstance(part, dict))


def _messages(server: ModelServer, asked: dict[str, Any]) -> Iterator[Event]:
    """Anthropic's events for one answer: a tool call, or the word DONE."""
    parts = [
        part
        for message in asked.get("messages", [])
        if isinstance(message["content"], list)
        for part in message["content"]
    ]
    results = [_text(part.get("content", "")) for part in parts if part.get("type") == "tool_result"]
    command = server.next_command(results, [tool.get("name") for tool in asked.get("tools", [])])
    usage = {"input_tokens": 1, "output_tokens": 1}
    message: Event = {"id": "msg_1", "type": "message", "role": "assistant", "model": asked.get("model"), "content": []}
    yield {"type": "message_start", "message": {**message, "stop_reason": None, "stop_sequence": None, "usage": usage}}
    if command is None:
        block: Event = {"type": "text", "text": ""}
        delta = {"type": "text_delta", "text": "DONE"}
    else:
        shell = ("Bash", {"command": command, "description": "a test"})
        name, given = command if isinstance(command, tuple) else shell
        block = {"type": "tool_use", "id": f"toolu_{len(results)}", "name": name, "input": {}}
        delta = {"type": "input_json_delta", "partial_json": json.dumps(given)}
    yield {"type": "content_block_start", "index": 0, "content_block": block}
    yield {"type": "content_block_delta", "index": 0, "delta": delta}
    yield {"type": "content_block_stop", "index": 0}
    reason = "end_turn" if command is None else "tool_use"
    yield {
        "type": "message_delta",
        "delta": {"stop_reason": reason, "stop_sequence": None},
        "usage": {"output_tokens": 1},
    }
    yield {"type": "message_stop"}


def _responses(server: ModelServer, asked: dict[str, Any]) -> Iterator[Event]:
    """OpenAI's events for one answer."""
    turns = asked["input"] if isinstance(asked.get("input"), list) else []
    results = [_text(turn.get("output", "")) for turn in turns if str(turn.get("type")).endswith("_call_output")]
    tools = {tool.get("name") or tool.get("type"): tool.get("parameters") or {} for tool in asked.get("tools", [])}
    command = server.next_command(results, tools)
    if command is None:
        text = {"type": "output_text", "text": "DONE", "annotations": []}
        item = {"type": "message", "id": "m_1", "role": "assistant", "status": "completed", "content": [text]}
    else:
        name = next(tool for tool in SHELL_TOOLS if tool in tools)
        item = {
            "type": "function_call",
            "id": f"fc_{len(results)}",
            "call_id": f"call_{len(results)}",
            "name": name,
            "arguments": json.dumps(_arguments(tools[name], command)),
            "status": "completed",
        }
    usage = {"input_tokens": 1, "input_tokens_details": {"cached_tokens": 0}, "output_tokens": 1}
    usage |= {"output_tokens_details": {"reasoning_tokens": 0}, "total_tokens": 2}
    response = {
        "id": "resp_1",
        "object": "response",
        "created_at": 1,
        "status": "completed",
        "model": asked.get("model"),
    }
    yield {
        "type": "response.created",
        "sequence_number": 0,
        "response": {**response, "status": "in_progress", "output": []},
    }
    yield {"type": "response.output_item.added", "sequence_number": 1, "output_index": 0, "item": item}
    yield {"type": "response.output_item.done", "sequence_number": 2, "output_index": 0, "item": item}
    yield {
        "type": "response.completed",
        "sequence_number": 3,
        "response": {**response, "output": [item], "usage": usage},
    }


def _arguments(schema: dict[str, Any], command: Command) -> dict[str, Any]:
    """The command under the name and in the form that the tool's schema gives it."""
    properties = schema.get("properties", {})
    key = "cmd" if "cmd" in properties else "command"
    as_list = properties.get(key, {}).get("type") == "array"
    return {key: ["bash", "-lc", command] if as_list else command}
