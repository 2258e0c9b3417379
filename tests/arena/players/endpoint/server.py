"""A real HTTP server that answers like an OpenAI-compatible endpoint, or misbehaves as a test demands."""

from __future__ import annotations

import json
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any

Behaviour = Callable[["Handler", dict[str, Any]], None]


class Handler(BaseHTTPRequestHandler):
    """One request, answered by the next behaviour of the server's script, or by its usual one."""

    server: Server

    def do_POST(self) -> None:
        body = json.loads(self.rfile.read(int(self.headers["content-length"])))
        with self.server.lock:
            self.server.asked.append(body)
            self.server.keys.append(self.headers.get("authorization", ""))
            self.server.headers.append(dict(self.headers.items()))
            self.server.now += 1
            self._inside = True
            self.server.most = max(self.server.most, self.server.now)
            behaviour = self.server.script.pop(0) if self.server.script else self.server.usual
        try:
            behaviour(self, body)
        finally:
            self._leave()

    def do_GET(self) -> None:
        """List the models."""
        self._inside = False
        models = self.server.models
        data = {"error": "no such path"} if models is None else {"object": "list", "data": models}
        self.reply(404 if models is None else 200, json.dumps(data).encode())

    def _leave(self) -> None:
        with self.server.lock:
            self.server.now -= self._inside
            self._inside = False

    def reply(self, status: int, data: bytes, kind: str = "application/json", **headers: str) -> None:
        self._leave()  # a client with an answer may send its next request immediately
        self.send_response(status)
        self.send_header("content-type", kind)
        self.send_header("content-length", str(len(data)))
        for name, value in headers.items():
            self.send_header(name.replace("_", "-"), value)
        self.end_headers()
        self.wfile.write(data)

    def log_message(self, *_: object) -> None:
        pass


class Server(ThreadingHTTPServer):
    """`usual` answers when `script` is empty."""

    daemon_threads = True

    def __init__(self, usual: Behaviour, script: list[Behaviour]) -> None:
        super().__init__(("127.0.0.1", 0), Handler)
        self.usual, self.script = usual, script
        self.lock, self.over = threading.Lock(), threading.Event()
        self.asked: list[dict[str, Any]] = []
        self.keys: list[str] = []
        self.headers: list[dict[str, str]] = []
        self.now = self.most = 0
        self.models: list[dict[str, Any]] | None = None

    @property
    def url(self) -> str:
        return f"http://127.0.0.1:{self.server_address[1]}/v1"

    def handle_error(self, *_: object) -> None:
        """Ignore clients that close the connection."""


@contextmanager
def serving(usual: Behaviour, *script: Behaviour) -> Iterator[Server]:
    server = Server(usual, list(script))
    thread = threading.Thread(target=server.serve_forever, args=(0.01,))
    thread.start()
    try:
        yield server
    finally:
        server.over.set()
        server.shutdown()
        thread.join()
        server.server_close()


def completion(
    text: str | None, *, finish: str = "stop", model: str = "m", usage: Any = (20, 5), **extra: Any
) -> bytes:
    """The body of an answer."""
    message = {"role": "assistant", "content": text, **extra}
    out: dict[str, Any] = {
        "id": "c",
        "object": "chat.completion",
        "created": 1,
        "model": model,
        "choices": [{"index": 0, "finish_reason": finish, "message": message}],
    }
    if usage is not None:
        out["usage"] = {"prompt_tokens": usage[0], "completion_tokens": usage[1], "total_tokens": 25}
    return json.dumps(out).encode()


def says(
    text: str | None, *, finish: str = "stop", model: str = "", usage: Any = (20, 5), x_echo: str = "", **extra: Any
) -> Behaviour:
    """Answers with a text."""
    headers = {"x_echo": x_echo} if x_echo else {}

    def behave(handler: Handler, body: dict[str, Any]) -> None:
        data = completion(text, finish=finish, model=model or body["model"], usage=usage, **extra)
        handler.reply(200, data, **headers)

    return behave


def status(code: int, message: str = "no", *, error: dict[str, Any] | None = None, **headers: str) -> Behaviour:
    """Refuses with an HTTP status."""
    body = json.dumps({"error": {"message": message, **(error or {})}}).encode()
    return lambda handler, _: handler.reply(code, body, **headers)


def raw(data: bytes, kind: str = "application/json") -> Behaviour:
    """Answers 200 with these bytes."""
    return lambda handler, _: handler.reply(200, data, kind)


def hangs(handler: Handler, _: dict[str, Any]) -> None:
    """Does not answer until the test is over."""
    handler.server.over.wait(60)


def cuts(handler: Handler, _: dict[str, Any]) -> None:
    """Closes the connection in the middle of the answer."""
    handler.send_response(200)
    handler.send_header("content-length", "1000")
    handler.end_headers()
    handler.wfile.write(b'{"choices": [')
    handler.wfile.flush()
    handler.connection.close()
