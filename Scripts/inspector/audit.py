"""The audit of the inspector's page by axe-core: each of its views, boxes and states, in light and dark, at two widths."""
import json
import os
import subprocess
import sys
import time
import urllib.parse
import zipfile

from webdriver import Failure

# The package that carries axe-core's script.
PACKAGE, VERSION = "axe-playwright-python", "0.1.8"

RUN = """
const done = arguments[arguments.length - 1];
const tags = ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22a', 'wcag22aa', 'best-practice'];
// What is scrolled out of sight in part has its size when it is scrolled into sight.
const isCut = (node) => {
  const element = document.querySelector(node.target[0]), box = element.getBoundingClientRect();
  for (let outer = element.parentElement; outer; outer = outer.parentElement) {
    const edge = outer.getBoundingClientRect();
    if (getComputedStyle(outer).overflowY !== 'visible' && (box.top < edge.top || box.bottom > edge.bottom)) return true;
  }
  return box.top < 0 || box.bottom > innerHeight;
};
axe.run(document, { resultTypes: ['violations'], runOnly: { type: 'tag', values: tags },
  rules: { 'target-size': { enabled: true } } }).then((found) => done(found.violations.flatMap((violation) => {
  const nodes = violation.nodes.filter((node) => violation.id !== 'target-size' || !isCut(node));
  if (nodes.length === 0) return [];
  const messages = [...nodes[0].any, ...nodes[0].all, ...nodes[0].none].map((check) => check.message).join(' ');
  return [{ rule: violation.id, help: violation.help, nodes: nodes.length,
    example: `${nodes[0].html.slice(0, 200)} ${messages.slice(0, 240)}` }];
})), (error) => done([{ rule: String(error) }]));
"""


def script(folder):
    """The script of axe-core, from the package that has it, which is kept in a folder of the build."""
    path = os.path.join(folder, f"{PACKAGE.replace('-', '_')}-{VERSION}-py3-none-any.whl")
    if not os.path.exists(path):
        subprocess.run([sys.executable, "-m", "pip", "download", "--quiet", "--no-deps", "--disable-pip-version-check",
                        "--dest", folder, f"{PACKAGE}=={VERSION}"], check=True)
    with zipfile.ZipFile(path) as wheel:
        name = next(name for name in wheel.namelist() if name.endswith("/axe.min.js"))
        return wheel.read(name).decode()


class Audit:
    """Runs axe-core on what a browser shows."""

    def __init__(self, browser, source):
        self.browser = browser
        self.source = source
        self.findings = []
        self.looks = 0

    def look(self, name):
        if not self.browser.run("return typeof axe === 'object'"):
            self.browser.run(self.source + "; window.axe = axe")
        # Colors that flash or fade in are not those to stay.
        self.browser.run("for (const a of document.getAnimations()) { try { a.finish(); } catch { a.cancel(); } }")
        found = self.browser.run_async(RUN)
        self.looks += 1
        self.findings += [dict(finding, state=name) for finding in found]

    def go(self, hash, condition):
        self.browser.run("location.hash = arguments[0]", hash)
        self.wait(condition)

    def wait(self, condition):
        self.browser.wait(f"return {condition}", 30)

    def press(self, selector):
        self.browser.run("document.querySelector(arguments[0]).click()", selector)

    def fill(self, selector, text):
        self.browser.run("const i = document.querySelector(arguments[0]); i.focus(); i.value = arguments[1]; "
                         "i.dispatchEvent(new Event('input')); i.dispatchEvent(new Event('change'))", selector, text)


READY = ("document.querySelector('.grid')?.getAttribute('aria-busy') === 'false' && "
         "document.querySelectorAll('.row .cell:not(.waiting)').length > 0")


def reading(audit, entity, filter, number, date, word, related):
    """What an inspector that only reads shows."""
    audit.go(f"#/data/{entity}", READY)
    audit.look("list")
    audit.fill(".filter-input", word[:2])
    audit.wait("document.querySelector('.completions:not([hidden])')")
    audit.look("completions")
    audit.fill(".filter-input", f"{number} > 3 AND nothing < 4")
    audit.browser.press("Enter")
    audit.wait("!document.querySelector('.filter-error').hidden")
    audit.look("mistake in the filter")
    audit.go(f"#/data/{entity}?where=" + urllib.parse.quote(filter), READY)
    audit.wait("document.querySelector('.plan-chip:not([hidden])')")
    audit.press(".plan-chip")
    audit.wait("document.querySelector('.sql')")
    audit.look("plan")
    audit.press("[aria-label='Close the plan']")
    audit.go(f"#/data/{entity}?where=FALSEPREDICATE", "document.querySelector('.grid-frame .empty')")
    audit.look("empty list")
    audit.go(f"#/data/{entity}?sort={number}", READY)
    for label, what in [("Columns", "columns"), ("Export this list", "export")]:
        audit.press(f"[aria-label='{label}']")
        audit.wait("document.querySelector('.popover')")
        audit.look(what)
        audit.browser.press("Escape")
    audit.press("[aria-label='Charts']")
    for key in (number, date, word):
        audit.browser.run("const s = document.querySelector('[aria-label=\"Property to chart\"]'); s.value = arguments[0]; "
                          "s.dispatchEvent(new Event('change'))", key)
        audit.wait("!document.querySelector('.chart-canvas').hasAttribute('aria-busy') && "
                   "document.querySelector('.chart-canvas').childElementCount > 0")
        audit.look(f"chart of {key}")
    audit.press("[aria-label='Charts']")
    audit.go(f"#/object/{entity}/p1", "document.querySelector('.values dt')")
    audit.look("object")
    audit.go(f"#/related/{related}", READY)
    audit.look("related list")
    audit.go("#/model", "document.querySelector('.diagram .entity-box')")
    audit.look("model")
    audit.go(f"#/model?entity={entity}", "document.querySelector('.entity-details h2')")
    audit.look("entity")
    audit.go("#/history", "document.querySelector('.timeline > li')")
    if audit.browser.number(".timeline .transaction"):
        audit.press(".timeline .transaction")
        audit.wait("document.querySelector('.change-table')")
    audit.look("history")
    audit.go("#/storage", "document.querySelector('.sizes')?.childElementCount > 0")
    audit.press(".card .primary")
    audit.wait("document.querySelector('.findings')?.childElementCount > 0 && !document.querySelector('.card .primary').disabled")
    audit.look("storage")
    audit.press("#help")
    audit.wait("document.querySelector('dialog[open]')")
    audit.look("help")
    audit.browser.press("Escape")
    audit.go("#/nowhere", "document.querySelector('.empty h1')")
    audit.look("no such page")
    audit.browser.run("if (getComputedStyle(document.getElementById('menu')).display !== 'none') document.getElementById('menu').click()")
    time.sleep(0.3)
    audit.look("entities")
    audit.go(f"#/data/{entity}", READY)
    audit.browser.run("inspector.fail(new Error('Something is wrong.'))")
    audit.look("message")
    audit.browser.run("document.querySelectorAll('.toast').forEach((e) => e.remove())")


def writing(audit, entity, attribute):
    """What is there only where the store may be changed; nothing is saved."""
    audit.go(f"#/data/{entity}", READY)
    audit.browser.run("document.querySelector('.grid').focus(); inspector.view.grid.activate(0)")
    audit.browser.press(" ", "Down", " ")
    audit.wait("document.querySelector('.chosen-bar').textContent !== ''")
    audit.look("chosen rows")
    audit.browser.run("inspector.view.grid.chooseNone()")
    audit.go(f"#/object/{entity}/p1", f"document.querySelector('[aria-label=\"Edit {attribute}\"]')")
    audit.look("object to edit")
    count = audit.browser.number(".edit-button")
    for left in range(count - 1, -1, -1):
        audit.press(".edit-button")
        audit.wait(f"document.querySelectorAll('.edit-button').length === {left}")
    audit.look("inputs")
    audit.browser.run("inspector.panel.draw()")
    if audit.browser.number(".picker input"):
        audit.browser.run("document.querySelector('.picker input').focus()")
        audit.wait("document.querySelector('.picker .completions:not([hidden]) li')")
        audit.look("objects to choose")
    audit.press(f"[aria-label='Edit {attribute}']")
    audit.fill(".edit-form textarea, .edit-form input", "5")
    audit.browser.run("document.querySelector('.edit-form').requestSubmit()")
    audit.wait("inspector.edits.count === 1")
    audit.look("unsaved changes")
    audit.press(".edits .primary")
    audit.wait("document.querySelector('dialog[open] .review')?.childElementCount > 0")
    audit.look("review")
    audit.browser.run("document.querySelector('dialog').close(); inspector.edits.discard()")
    audit.go(f"#/data/{entity}", READY)
    audit.press(f"[aria-label='New {entity}']")
    audit.wait("document.querySelector('dialog[open]')")
    audit.look("new object")
    audit.browser.run("document.querySelector('dialog').close()")


def sizes_and_themes(browser):
    """Shows the page in each way."""
    for width, height in ((1280, 800), (400, 780)):
        browser.size(width, height)
        for theme in ("light", "dark"):
            browser.run("document.documentElement.dataset.theme = arguments[0]", theme)
            yield f"{theme}, {width} pixels"


def main():
    """For reviews of changes: python3 audit.py ADDRESS ENTITY FILTER NUMBER DATE WORD RELATED [edit]"""
    from webdriver import Browser
    browser = Browser()
    audit = Audit(browser, script(os.environ.get("AXE", "/tmp")))
    browser.open(sys.argv[1])
    browser.wait("return document.querySelector('.entity-link')")
    for way in sizes_and_themes(browser):
        before = len(audit.findings)
        try:
            reading(audit, *sys.argv[2:8])
            if len(sys.argv) > 8:
                writing(audit, sys.argv[2], sys.argv[8])
        except Failure as error:
            print("FAILED", way, error)
        for finding in audit.findings[before:]:
            print(way, "|", finding["state"], "|", finding["rule"], finding.get("nodes"), finding.get("help"), "|",
                  finding.get("example"))
    browser.close()
    print(audit.looks, "looks,", len(audit.findings), "findings")


if __name__ == "__main__":
    main()
