"""An OpenAI-compatible endpoint on this machine whose replies a function writes."""

import http.server
import json
import threading
from contextlib import contextmanager


@contextmanager
def endpoint(reply):
    """The base URL of a server that answers with `reply(messages)`; status 500 if that raises."""

    class Handler(http.server.BaseHTTPRequestHandler):
        protocol_version = "HTTP/1.1"

        def log_message(self, *args):
            pass

        def do_POST(self):
            body = json.loads(self.rfile.read(int(self.headers["content-length"])))
            try:
                status, data = 200, _completion(body["model"], reply(body["messages"]))
            except RuntimeError as error:
                status, data = 400, json.dumps({"error": {"message": str(error)}}).encode()
            self.send_response(status)
            self.send_header("content-type", "application/json")
            self.send_header("content-length", str(len(data)))
            self.end_headers()
            self.wfile.write(data)

    with http.server.ThreadingHTTPServer(("127.0.0.1", 0), Handler) as server:
        thread = threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.05})
        thread.start()
        try:
            yield f"http://127.0.0.1:{server.server_port}/v1"
        finally:
            server.shutdown()
            thread.join()


def _completion(model, text):
    said = {"index": 0, "message": {"role": "assistant", "content": text}, "finish_reason": "stop"}
    usage = {"prompt_tokens": 1, "completion_tokens": 1, "total_tokens": 2}
    whole = {
        "id": "scripted",
        "created": 0,
        "model": model,
        "object": "chat.completion",
        "choices": [said],
        "usage": usage,
    }
    return json.dumps(whole).encode()
