"""The pictures of the guides, made from the store of Scripts/demo. Run by Scripts/check-inspector --pictures FOLDER."""
import os
import subprocess
import tempfile
import time
import urllib.parse

import check
from webdriver import Browser

PACKAGE = os.path.join(check.ROOT, "Examples", "LibraryDemo")


def demo_store(folder):
    """The library of the demo, which its program makes."""
    subprocess.run(["swift", "build", "--package-path", PACKAGE], check=True, stdout=subprocess.DEVNULL)
    subprocess.run([os.path.join(PACKAGE, ".build", "debug", "LibraryDemo"), folder], check=True, stdout=subprocess.DEVNULL)
    return os.path.join(folder, "Library.sqlite")


def choose(browser, label, value):
    browser.run("const s = document.querySelector(`[aria-label=\"${arguments[0]}\"]`); s.value = arguments[1]; "
                "s.dispatchEvent(new Event('change'))", label, value)


def one_book(browser):
    """The address of a book with a cover and a rating, beside the list."""
    check.go(browser, "#/data/Book?where=" + urllib.parse.quote("rating > 4 AND website != nil AND cover != nil"))
    check.loaded(browser)
    identifier = browser.run("return inspector.view.grid.row(3).id")
    return "#/data/Book?object=" + urllib.parse.quote(identifier, safe="")


def make(folder):
    os.makedirs(folder, exist_ok=True)
    browser = Browser()
    browser.size(1280, 800)
    with tempfile.TemporaryDirectory(prefix="library-") as work:
        store = demo_store(work)
        server, address = check.serve(store)
        other, editable = check.serve(store, "--write")
        try:
            def shoot(name):
                time.sleep(0.6)
                browser.picture(os.path.join(folder, f"inspector-{name}.png"))

            browser.open(address)
            check.loaded(browser)
            book = one_book(browser)
            check.go(browser, book)
            browser.wait("return document.querySelectorAll('.values dt').length > 8 && document.querySelector('.picture img')")
            shoot("object")
            browser.click("#theme")
            shoot("dark")
            browser.click("#theme")
            check.go(browser, "#/data/Book?where=" + urllib.parse.quote('title CONTAINS[cd] "cafe" AND price < 20'))
            check.loaded(browser)
            browser.click(".plan-chip")
            browser.wait("return document.querySelector('.sql')?.textContent.startsWith('SELECT')")
            shoot("plan")
            browser.press("Escape")
            check.go(browser, "#/data/Book")
            check.loaded(browser)
            browser.click("[aria-label=Charts]")
            browser.wait("return document.querySelectorAll('.chart .bar').length > 3", 20)
            choose(browser, "Property to chart", "pages")
            browser.wait("return document.querySelector('.chart')?.getAttribute('aria-label').startsWith('Distribution of pages')", 20)
            shoot("chart")
            browser.click("[aria-label=Charts]")
            check.go(browser, "#/model?entity=Book")
            browser.wait("return document.querySelector('.entity-details h2')?.textContent === 'Book'")
            shoot("model")
            browser.size(400, 780)
            check.go(browser, "#/data/Book")
            check.loaded(browser)
            shoot("narrow")
            browser.size(1280, 800)
            browser.open(editable)
            check.loaded(browser)
            check.go(browser, book)
            browser.wait("return document.querySelector('[aria-label=\"Edit title\"]')")
            browser.run("document.querySelector('[aria-label=\"Edit title\"]').click()")
            browser.type(".edit-form textarea", "The Loud Harbor")
            browser.run("document.querySelector('.edit-form').requestSubmit()")
            browser.wait("return document.querySelector('.edits').textContent.includes('1 unsaved change')")
            browser.click(".edits .primary")
            browser.wait("return document.querySelector('dialog .difference ins')")
            shoot("difference")
        finally:
            browser.close()
            server.end()
            other.end()
