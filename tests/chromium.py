"""Drives a headless Chromium through its debugging pipe, so that keys and clicks are those of a user."""

import json
import os
import shutil
import subprocess
from pathlib import Path
from types import TracebackType
from typing import Any, Self

from games.verifiers.verdict import MissingProgram

OPTIONS = ("--headless", "--no-sandbox", "--disable-gpu", "--disable-dev-shm-usage", "--remote-debugging-pipe")
KEYS = {"ArrowLeft": 37, "ArrowRight": 39}


class Chromium:
    """A browser with one page. Raises MissingProgram without Chromium."""

    def __init__(self, profile: Path) -> None:
        if (program := shutil.which("chromium")) is None:
            raise MissingProgram("the test of a page", "chromium", "chromium")
        reads, self._commands = os.pipe()
        self._answers, writes = os.pipe()
        moved = f'exec "$0" "$@" 3<&{reads} 4>&{writes}'  # the browser reads from 3 and writes to 4
        command = ["bash", "-c", moved, program, *OPTIONS, f"--user-data-dir={profile}", "about:blank"]
        self._process = subprocess.Popen(command, pass_fds=(reads, writes), stderr=subprocess.DEVNULL)
        os.close(reads)
        os.close(writes)
        self._rest, self._session, self._number = b"", "", 0
        self.events: list[dict[str, Any]] = []
        """what the browser said without being asked, such as requests and errors"""
        pages = self.send("Target.getTargets")["targetInfos"]
        page = next(target["targetId"] for target in pages if target["type"] == "page")
        self._session = self.send("Target.attachToTarget", targetId=page, flatten=True)["sessionId"]
        for domain in ("Page", "Runtime", "Network", "Log"):
            self.send(f"{domain}.enable")

    def __enter__(self) -> Self:
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, at: TracebackType | None) -> None:
        os.close(self._commands)
        self._process.kill()
        self._process.wait()
        os.close(self._answers)

    def send(self, method: str, **params: object) -> dict[str, Any]:
        """Returns the browser's answer to a command of the DevTools protocol."""
        self._number += 1
        message = {"id": self._number, "method": method, "params": params}
        if self._session:
            message["sessionId"] = self._session
        os.write(self._commands, json.dumps(message).encode() + b"\0")
        while (answer := self._next()).get("id") != self._number:
            self.events.append(answer)
        assert "error" not in answer, answer
        return answer["result"]

    def open(self, page: Path) -> None:
        """Opens a file, and returns when it is loaded."""
        self.send("Page.navigate", url=page.as_uri())
        while not any(event["method"] == "Page.loadEventFired" for event in self.events):
            self.events.append(self._next())

    def value(self, expression: str) -> Any:
        """Returns the JSON value of an expression in JavaScript."""
        answer = self.send("Runtime.evaluate", expression=expression, returnByValue=True)
        assert "exceptionDetails" not in answer, answer
        return answer["result"].get("value")

    def press(self, key: str) -> None:
        """Presses and releases a key."""
        for kind in ("rawKeyDown", "keyUp"):
            self.send("Input.dispatchKeyEvent", type=kind, key=key, code=key, windowsVirtualKeyCode=KEYS[key])

    def click(self, selector: str) -> None:
        """Clicks on the middle of an element with the mouse."""
        place = (
            f"(e => (e.scrollIntoView({{block: 'center'}}), e = e.getBoundingClientRect(),"
            f" [e.x + e.width / 2, e.y + e.height / 2]))(document.querySelector({json.dumps(selector)}))"
        )
        x, y = self.value(place)
        for kind in ("mousePressed", "mouseReleased"):
            self.send("Input.dispatchMouseEvent", type=kind, x=x, y=y, button="left", clickCount=1)

    def _next(self) -> dict[str, Any]:
        while b"\0" not in self._rest:
            piece = os.read(self._answers, 1 << 16)
            assert piece, "Chromium ended"
            self._rest += piece
        message, self._rest = self._rest.split(b"\0", 1)
        return json.loads(message)
