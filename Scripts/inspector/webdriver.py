"""A small client of WebDriver, with what the standard library has."""
import base64
import json
import subprocess
import time
import urllib.error
import urllib.request

KEYS = {"Enter": "\ue007", "Escape": "\ue00c", "Tab": "\ue004", "Down": "\ue015", "Up": "\ue013", "End": "\ue010",
        "Home": "\ue011", "PageDown": "\ue00f", "Left": "\ue012", "Right": "\ue014"}
ELEMENT = "element-6066-11e4-a52e-4f735466cecf"


class Failure(Exception):
    """What the driver or the browser refused."""


class Browser:
    def __init__(self, width=1280, height=800, dark=False, log=None):
        self.driver = subprocess.Popen(
            ["chromedriver", "--port=0"], stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True)
        self.port = None
        for line in self.driver.stdout:
            if "started successfully on port" in line:
                self.port = int(line.rstrip().rstrip(".").split()[-1])
                break
        if self.port is None:
            raise Failure("chromedriver did not start")
        arguments = ["--headless=new", "--no-sandbox", "--disable-gpu", "--disable-dev-shm-usage", "--hide-scrollbars",
                     "--force-color-profile=srgb", f"--window-size={width},{height}"]
        if dark:
            arguments.append("--force-dark-mode")
        session = self.call("POST", "/session", {"capabilities": {"alwaysMatch": {
            "browserName": "chrome", "goog:chromeOptions": {"args": arguments},
            "goog:loggingPrefs": {"browser": "ALL"}}}})
        self.session = session["sessionId"]

    def call(self, method, path, body=None):
        prefix = f"/session/{self.session}" if path == "" or not path.startswith("/session") else ""
        request = urllib.request.Request(
            f"http://127.0.0.1:{self.port}{prefix}{path}", method=method,
            data=None if body is None else json.dumps(body).encode(), headers={"Content-Type": "application/json"})
        try:
            with urllib.request.urlopen(request, timeout=90) as answer:
                return json.load(answer)["value"]
        except urllib.error.HTTPError as error:
            value = json.load(error)["value"]
            raise Failure(value.get("message", "").split("\n")[0]) from None

    def close(self):
        try:
            self.call("DELETE", "")
        except Exception:
            pass
        self.driver.terminate()
        self.driver.wait(10)

    # What one does in a browser

    def open(self, address):
        self.call("POST", "/url", {"url": address})

    @property
    def address(self):
        return self.call("GET", "/url")

    def size(self, width, height):
        """The size of the page itself, which may be narrower than a window can be."""
        self.command("Emulation.setDeviceMetricsOverride",
                     {"width": width, "height": height, "deviceScaleFactor": 1, "mobile": False})

    def command(self, name, parameters):
        return self.call("POST", "/goog/cdp/execute", {"cmd": name, "params": parameters})

    def run(self, script, *values):
        return self.call("POST", "/execute/sync", {"script": script, "args": list(values)})

    def run_async(self, script, *values):
        return self.call("POST", "/execute/async", {"script": script, "args": list(values)})

    def find(self, selector):
        return self.call("POST", "/element", {"using": "css selector", "value": selector})

    def all(self, selector):
        return self.call("POST", "/elements", {"using": "css selector", "value": selector})

    def text(self, selector):
        return self.run("return document.querySelector(arguments[0])?.textContent ?? ''", selector)

    def texts(self, selector):
        return self.run("return [...document.querySelectorAll(arguments[0])].map(e => e.textContent)", selector)

    def number(self, selector):
        return self.run("return document.querySelectorAll(arguments[0]).length", selector)

    def click(self, selector):
        element = self.find(selector)
        self.call("POST", f"/element/{element[ELEMENT]}/click", {})

    def type(self, selector, text, clear=True):
        element = self.find(selector)
        if clear:
            self.call("POST", f"/element/{element[ELEMENT]}/clear", {})
        self.call("POST", f"/element/{element[ELEMENT]}/value", {"text": text})

    def press(self, *keys):
        actions = []
        for key in keys:
            value = KEYS.get(key, key)
            actions += [{"type": "keyDown", "value": value}, {"type": "keyUp", "value": value}]
        self.call("POST", "/actions", {"actions": [{"type": "key", "id": "keyboard", "actions": actions}]})

    def wait(self, script, seconds=10, *values, what=None):
        """Waits until a script gives something true, and gives it."""
        end = time.time() + seconds
        while True:
            try:
                value = self.run(script, *values)
            except Failure:
                value = None
            if value:
                return value
            if time.time() > end:
                raise Failure(f"waited {seconds} s for {what or script}")
            time.sleep(0.04)

    def picture(self, path):
        with open(path, "wb") as file:
            file.write(base64.b64decode(self.call("GET", "/screenshot")))

    def log(self):
        return self.call("POST", "/se/log", {"type": "browser"})
