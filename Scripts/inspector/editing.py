"""Edits in the inspector's page: every kind of value, relationships, lists, and what other programs do in between."""
import os
import shutil
import sqlite3
import subprocess
import time

from store import NAMES, fill_kinds, kinds_model
from webdriver import ELEMENT, Failure

PEOPLE = 10_000
SET = ("const i = document.querySelector(arguments[0]); i.focus(); i.value = arguments[1]; "
       "i.dispatchEvent(new Event('input', {bubbles: true})); i.dispatchEvent(new Event('change', {bubbles: true}))")


class Editing:
    """`tools` is the module of the checks."""

    def __init__(self, browser, tools, folder, shots):
        self.browser, self.tools, self.shots = browser, tools, shots
        self.folder = os.path.join(folder, "kinds")
        os.makedirs(self.folder, exist_ok=True)
        self.store = os.path.join(self.folder, "Kinds.sqlite")
        self.server = None

    def begin(self, *options, port=None):
        if not os.path.exists(self.store):
            subprocess.run([os.path.join(self.tools.BIN, "opencoredata"), "create", self.store, "--model",
                            kinds_model(self.folder)], check=True, stdout=subprocess.DEVNULL)
            fill_kinds(self.store, PEOPLE)
        self.server, self.address = self.tools.serve(self.store, *options)
        self.browser.open(self.address)
        self.browser.wait("return document.querySelector('.entity-link') && inspector.view !== undefined")

    def end(self):
        if self.server:
            self.server.end()
        self.server = None

    # What one does

    def picture(self, name):
        if self.shots:
            time.sleep(0.3)
            self.browser.picture(f"{self.shots}/editing-{name}.png")

    def sql(self, statement, *values):
        connection = sqlite3.connect(self.store, timeout=20)
        try:
            rows = connection.execute(statement, values).fetchall()
            connection.commit()
            return rows
        finally:
            connection.close()

    def value(self, statement):
        return self.tools.value(self.store, statement)

    def eventually(self, statement, expected):
        return self.tools.eventually(lambda: self.value(statement) == expected)

    def object(self, name):
        self.tools.go(self.browser, f"#/object/{name}")
        self.browser.wait(f"return inspector.panel.object?.id === '{name}' && document.querySelector('.edit-button')")

    def fill(self, selector, text):
        self.browser.run(SET, selector, text)

    def edit(self, attribute, text):
        """Types a value, and what is wrong with it then; None after it was staged."""
        self.browser.run("document.querySelector(`[aria-label=\"Edit ${arguments[0]}\"]`).click()", attribute)
        field = f".edit-form [aria-label={attribute}]"
        self.browser.wait(f"return document.querySelector('{field}')")
        self.fill(field, text)
        self.browser.run("document.querySelector(arguments[0]).form.requestSubmit()", field)
        wrong = self.browser.run("return document.querySelector('.edit-form .input-error:not([hidden])')?.textContent ?? null")
        if wrong:
            self.browser.run("[...document.querySelectorAll('.edit-form .quiet')].find(e => e.textContent === 'Cancel').click()")
        return wrong

    def count(self):
        return self.browser.run("return inspector.edits.count")

    def press(self, selector, text):
        self.browser.run("[...document.querySelectorAll(arguments[0])].find(e => e.textContent.startsWith(arguments[1])).click()",
                         selector, text)

    def review(self):
        self.browser.wait("return document.querySelector('.edits .primary')")
        self.browser.run("document.querySelector('.edits .primary').click()")
        self.browser.wait("return document.querySelector('dialog .review')?.childElementCount > 0", 20)

    def save(self, what=""):
        self.browser.wait("const b = [...document.querySelectorAll('dialog .primary')].find(e => e.textContent === 'Save'); return b && !b.disabled",
                          20, what=f"a difference that can be saved {what}")
        self.press("dialog .primary", "Save")
        self.browser.wait("return !document.querySelector('dialog[open]') && inspector.edits.count === 0", 20, what=f"the save {what}")

    def difference(self):
        return self.browser.texts("dialog .difference td")

    def discard(self):
        self.browser.run("document.querySelector('dialog[open]')?.close(); inspector.edits.discard()")

    def pick(self, label, text, wanted=None):
        """Chooses an object by its name; the identifier of the choice."""
        self.browser.run("document.querySelector(`[aria-label=\"${arguments[0]}\"][role=combobox]`).focus()", label)
        self.fill(f"[role=combobox][aria-label=\"{label}\"]", text)
        self.browser.wait("return [...document.querySelectorAll('.picker .completions:not([hidden]) li')].some(e => e.firstChild.textContent === arguments[0])",
                          10, wanted or text, what=f"{text} in the picker")
        self.browser.press("Down", "Enter")

    def toast(self, text):
        return self.browser.wait("return [...document.querySelectorAll('.toast')].some(e => e.textContent.includes(arguments[0]))", 20, text,
                                 what=f"a message with {text}")

    # What must hold

    def run(self):
        for part in (self.values, self.inputs, self.relationships, self.new_objects, self.drafts, self.others, self.locked, self.gone_server,
                     self.reading):
            try:
                part()
            except Failure as error:
                self.tools.check(f"{part.__name__} of editing come to their end", False, str(error))
                self.browser.run("document.querySelectorAll('dialog[open]').forEach(e => e.close()); globalThis.inspector?.edits.discard()")
        self.end()

    def values(self):
        """Each kind of value is set, and read back as it was."""
        check, browser = self.tools.check, self.browser
        self.begin("--write")
        self.object("Sample/p1")
        check("an object without any value is shown", browser.number(".values .nil") == 15, browser.number(".values .nil"))
        self.picture("nil")
        wanted = {
            "i16": ("-32768", "ZI16", -32768), "i32": ("2147483647", "ZI32", 2147483647),
            "i64": ("-9223372036854775808", "ZI64", -9223372036854775808),
            "dec": ("12345678901234567890123456789012345678", "CAST(ZDEC AS TEXT)", None), "dbl": ("+.5", "ZDBL", 0.5),
            "flt": ("-1e-3", "ROUND(ZFLT, 6)", -0.001), "str": ("null", "ZSTR", "null"), "flag": ("false", "ZFLAG", 0),
            "day": ("0001-01-01T00:00:00", "ZDAY < -63000000000", 1), "link": ("https://example.org/a?b=<c>", None, None),
            "code": ("e621e1f8-c36c-495a-93fc-0c247a3e6e5f", "hex(ZCODE)", "E621E1F8C36C495A93FC0C247A3E6E5F"),
            "info": ('{"a": [1, 9007199254740993, null]}', "ZINFO IS NOT NULL", 1),
            "place": ('{"street": "<b>Main</b>", "number": 7}', "ZSTREET || ZNUMBER", "<b>Main</b>7"),
        }
        for name, (text, _, _) in wanted.items():
            wrong = self.edit(name, text)
            check(f"a value of each kind is taken: {name}", wrong is None and browser.run(
                "return inspector.edits.staged('Sample/p1', arguments[0]) !== undefined", name), wrong)
        browser.run("document.querySelector('[aria-label=\"Edit blob\"]').click()")
        file = os.path.join(self.folder, "value.bin")
        with open(file, "wb") as written:
            written.write(bytes(range(256)))
        browser.call("POST", f"/element/{browser.find('.edit-form [type=file]')[ELEMENT]}/value", {"text": file})
        browser.wait("document.querySelector('.edit-form [type=file]')?.form.requestSubmit(); return inspector.edits.staged('Sample/p1', 'blob')")
        check("each changed property counts", self.count() == len(wanted) + 1, self.count())
        self.picture("staged")
        self.review()
        self.picture("review")
        self.save("of values")
        for name, (_, column, expected) in wanted.items():
            if expected is not None:
                self.tools.attempt(f"it is in the store: {name}", lambda: self.eventually(
                    f"SELECT {column} FROM ZSAMPLE WHERE Z_PK = 1", expected) or self.value(f"SELECT {column} FROM ZSAMPLE WHERE Z_PK = 1") and False)
        check("the bytes of a file are in the store", self.value("SELECT length(ZBLOB) FROM ZSAMPLE WHERE Z_PK = 1") in (256, 257))
        browser.wait("return inspector.panel.object?.attributes.find(a => a.name === 'i64').value !== null")
        shown = browser.run("return Object.fromEntries(inspector.panel.object.attributes.map(a => [a.name, a.value]))")
        check("a decimal is what the store keeps of it", shown["dec"].startswith("123456789012345"), shown["dec"])
        check("the least integer is exact", str(shown["i64"]) == wanted["i64"][0], shown["i64"])
        check("a date of the year 1 stays", shown["day"].startswith("0001-01-01T00:00:00"), shown["day"])
        check("a URI stays", shown["link"] == "https://example.org/a?b=%3Cc%3E" or shown["link"] == wanted["link"][0], shown["link"])
        check("the message counts changes", "Saved 14 changes" in "".join(browser.texts(".toast")), browser.texts(".toast"))
        # Values that are opened and staged as they are change nothing.
        for name in ("day", "dec", "i64", "dbl", "flt", "code", "link", "place", "info", "str"):
            browser.run("document.querySelector(`[aria-label=\"Edit ${arguments[0]}\"]`).click()", name)
            browser.wait("return document.querySelector('.edit-form')")
            browser.run("document.querySelector('.edit-form').requestSubmit()")
            check(f"a value that is staged as it is is no change: {name}", self.count() == 0, browser.run(
                "return [...inspector.edits.values].map(v => JSON.stringify(v)).join()"))
            self.discard()
        for text, least in (("9999-12-31T23:59:59", 252423993000), ("1969-12-31T23:59:59.5", -978307201)):
            check(f"a date is taken: {text}", self.edit("day", text) is None)
            self.review()
            self.save(text)
            self.tools.attempt(f"and saved: {text}", lambda: self.tools.eventually(lambda: abs(
                self.value("SELECT ZDAY FROM ZSAMPLE WHERE Z_PK = 1") - least) < 90000))
            browser.wait("return inspector.panel.object.attributes.find(a => a.name === 'day').value?.startsWith(arguments[0])", 10, text[:19])
        self.picture("values")
        # All of it nil once more
        for name in [*wanted, "blob"]:
            browser.run("document.querySelector(`[aria-label=\"Edit ${arguments[0]}\"]`).click()", name)
            browser.wait("return document.querySelector('.edit-form')")
            self.press(".edit-form .quiet", "Set nil")
        self.review()
        self.save("of nil")
        self.tools.attempt("each value can be set to nil", lambda: self.eventually(
            "SELECT coalesce(ZI16, ZI32, ZI64, ZDEC, ZDBL, ZFLT, ZSTR, ZFLAG, ZDAY, ZBLOB, ZLINK, ZCODE, ZINFO, ZSTREET, ZNUMBER) IS NULL FROM ZSAMPLE WHERE Z_PK = 1", 1))
        self.press(".edits .quiet", "Undo")
        self.tools.attempt("and undone", lambda: self.eventually("SELECT ZI16 FROM ZSAMPLE WHERE Z_PK = 1", -32768))
        self.toast("Undone: 14 changes")
        check("undo says how many changes it took back", True)
        self.press(".edits .quiet", "Redo")
        self.tools.attempt("and redone", lambda: self.eventually("SELECT ZI16 IS NULL FROM ZSAMPLE WHERE Z_PK = 1", 1))

    def inputs(self):
        check = self.tools.check
        self.object("Sample/p2")
        for name, text in (("i32", "-5x"), ("i32", "2147483648"), ("i16", "40000"), ("i64", "99999999999999999999"), ("dbl", "3,5"),
                           ("dbl", "1e999"), ("flt", "1e39"), ("dec", "1" * 39), ("dec", "1e200"), ("code", "12"), ("i32", "1.5")):
            wrong = self.edit(name, text)
            check(f"{name} refuses {text[:14]}", wrong and self.count() == 0, wrong)
            self.discard()
        check("a comma is explained", "point" in (self.edit("dbl", "3,5") or ""))
        check("numbers may have a plus and zeros before", self.edit("i32", "+007") is None
              and self.browser.run("return inspector.edits.staged('Sample/p2', 'i32')") == "7")
        self.discard()
        check("a staged value can be taken back alone", self.edit("str", "one") is None and self.edit("name", "two") is None and self.count() == 2)
        self.browser.run("document.querySelector('[aria-label=\"Undo the change of str\"]').click()")
        check("and the other stays", self.count() == 1 and self.browser.run("return inspector.edits.staged('Sample/p2', 'name')") == "two")
        self.discard()
        # What the server refuses
        check("a value that only the server can refuse is staged", self.edit("info", "{broken") is None)
        self.browser.run("document.querySelector('.edits .primary').click()")
        self.toast("info")
        check("and what was typed is still there", self.browser.run("return inspector.edits.staged('Sample/p2', 'info')") == "{broken")
        self.picture("refused")
        self.discard()

    def relationships(self):
        check, attempt, browser = self.tools.check, self.tools.attempt, self.browser
        self.object("Sample/p2")
        for index, name in enumerate(NAMES):
            self.pick("Object for owner", name)
            check(f"an object is found by a name such as {name[:12]}", browser.run(
                "return inspector.edits.staged('Sample/p2', 'owner')") == f"Person/p{index + 1}")
        check("no name is markup", browser.run("return document.title.endsWith('inspector') && !document.querySelector('.panel b:not(.brand b), .panel img')"))
        self.pick("Object for owner", "Person 77")
        self.picture("relationships")
        check("a whole name comes before longer ones, of 10,000", browser.run(
            "return inspector.edits.staged('Sample/p2', 'owner')") == "Person/p78")
        self.fill("[role=combobox][aria-label=\"Object for fans\"]", "nobody at all")
        browser.run("document.querySelector('[aria-label=\"Object for fans\"]').form.requestSubmit()")
        check("a name that wasn't chosen is explained", browser.wait(
            "return document.querySelector('.adder .input-error:not([hidden])')?.textContent.startsWith('Choose a Person')") and self.count() == 1)
        self.fill("[role=combobox][aria-label=\"Object for fans\"]", "")
        for number in (100, 200):
            self.pick("Object for fans", f"Person {number}")
        for number in (5, 6, 7):
            self.pick("Object for ranking", f"Person {number}")
        check("each relationship counts once", self.count() == 3, self.count())
        self.review()
        self.save("of relationships")
        attempt("to-one and to-many are saved", lambda: self.eventually(
            "SELECT ZOWNER || ' ' || (SELECT group_concat(Z_2FANS) FROM (SELECT Z_2FANS FROM Z_2LIKES WHERE Z_3LIKES = 2 ORDER BY 1)) FROM ZSAMPLE WHERE Z_PK = 2", "78 101,201"))
        order = "SELECT group_concat(Z_2RANKING) FROM (SELECT Z_2RANKING FROM Z_2RANKED WHERE Z_3RANKED = 2 ORDER BY Z_FOK_2RANKING)"
        attempt("an ordered one in its order", lambda: self.eventually(order, "6,7,8"))
        ranking = "inspector.panel.object.relationships.find(r => r.name === 'ranking').count"
        browser.wait(f"return {ranking} === 3 && document.querySelector('[aria-label=\"Move Person/p8 up\"]')")
        browser.run("document.querySelector('[aria-label=\"Move Person/p8 up\"]').click()")
        browser.wait("return Array.isArray(inspector.edits.staged('Sample/p2', 'ranking'))")
        browser.run("document.querySelector('[aria-label=\"Move Person/p8 up\"]').click()")
        browser.wait("return inspector.edits.staged('Sample/p2', 'ranking').join() === 'Person/p8,Person/p6,Person/p7'")
        browser.run("document.querySelector('[aria-label=\"Remove Person/p6 from ranking\"]').click()")
        self.picture("ordered")
        self.review()
        self.save("of an order")
        attempt("objects are moved and removed", lambda: self.eventually(order, "8,7"))
        browser.wait(f"return {ranking} === 2 && !document.querySelector('.related.staged')")
        browser.wait("return document.querySelector('[aria-label=\"Remove Person/p78 from owner\"]')")
        browser.run("document.querySelector('[aria-label=\"Remove Person/p78 from owner\"]').click()")
        browser.run("document.querySelector('[aria-label=\"Remove Person/p101 from fans\"]').click()")
        check("what is to be removed is shown, and can be kept", browser.number(".chip.removed") == 2)
        browser.run("document.querySelector('[aria-label=\"Keep Person/p101 in fans\"]').click()")
        check("keeping it is no change", self.count() == 1)
        self.review()
        self.save("of an empty relationship")
        attempt("a relationship is emptied", lambda: self.eventually("SELECT ZOWNER IS NULL FROM ZSAMPLE WHERE Z_PK = 2", 1))
        # A relationship of thousands
        self.sql(f"INSERT INTO Z_2LIKES SELECT Z_PK, 3 FROM ZPERSON WHERE Z_PK <= 6000")
        self.object("Sample/p3")
        self.pick("Object for fans", "Person 9000")
        browser.run("document.querySelector('[aria-label=\"Remove Person/p1 from fans\"]').click()")
        self.review()
        self.picture("thousands")
        self.save("of thousands")
        attempt("an object joins thousands, and another leaves", lambda: self.eventually(
            "SELECT count(*) || ' ' || max(Z_2FANS) || ' ' || min(Z_2FANS) FROM Z_2LIKES WHERE Z_3LIKES = 3", "6000 9001 2"))

    def new_objects(self):
        check, attempt, browser = self.tools.check, self.tools.attempt, self.browser
        self.tools.go(browser, "#/data/Strict")
        browser.wait("return inspector.view?.entity?.name === 'Strict'")
        browser.run("document.querySelector('[aria-label=\"New Strict\"]').click()")
        browser.wait("return document.querySelector('dialog [aria-label=i16]')")
        self.press("dialog .primary", "Review")
        check("what is required is told at each input", browser.number("dialog .input-error:not([hidden])") == 14,
              browser.number("dialog .input-error:not([hidden])"))
        self.picture("required")
        values = {"i16": "1", "i32": "2", "i64": "9223372036854775807", "dec": "-0.1", "dbl": "1e10", "flt": "2.5", "str": "<i>s</i>",
                  "flag": "true", "day": "1815-12-10T00:00", "link": "file:///tmp/x", "info": "[1]"}
        for name, text in values.items():
            self.fill(f"dialog [aria-label={name}]", text)
        self.press("dialog .field .quiet", "New UUID")
        file = os.path.join(self.folder, "value.bin")
        browser.call("POST", f"/element/{browser.find('dialog [type=file]')[ELEMENT]}/value", {"text": file})
        self.pick("keeper", "Person 42")
        time.sleep(0.3)
        # The form is closed by going back, and what was typed is there once more.
        browser.run("location.hash = '#/data/Person'")
        check("a dialog closes when the page changes", browser.wait("return !document.querySelector('dialog')"))
        browser.run("history.back()")
        browser.wait("return inspector.view?.entity?.name === 'Strict'")
        browser.run("document.querySelector('[aria-label=\"New Strict\"]').click()")
        browser.wait("return document.querySelector('dialog [aria-label=i16]')")
        check("what was typed in it stays", browser.run("return document.querySelector('dialog [aria-label=i64]').value") == values["i64"]
              and browser.run("return document.querySelector('dialog [aria-label=keeper]').value") == "Person 42"
              and browser.run("return document.querySelector('dialog [aria-label=day]').value.startsWith('1815-12-10')"))
        browser.call("POST", f"/element/{browser.find('dialog [type=file]')[ELEMENT]}/value", {"text": file})
        time.sleep(0.3)
        self.press("dialog .primary", "Review")
        browser.wait("return document.querySelector('dialog .difference.insert')", 10)
        browser.run("history.back()")
        check("the review closes with the back button", browser.wait("return !document.querySelector('dialog')") and self.count() == 1)
        self.review()
        self.save("of a new object")
        attempt("an object with each kind of value required is made", lambda: self.eventually(
            "SELECT ZI64 || ' ' || ZSTR || ' ' || ZKEEPER || ' ' || ZDEC FROM ZSTRICT", "9223372036854775807 <i>s</i> 43 -0.1"))
        # A relationship to several that is required
        self.tools.go(browser, "#/data/Club")
        browser.wait("return inspector.view?.entity?.name === 'Club'")
        browser.run("document.querySelector('[aria-label=\"New Club\"]').click()")
        browser.wait("return document.querySelector('dialog [aria-label=title]')")
        self.fill("dialog [aria-label=title]", "Readers")
        self.press("dialog .primary", "Review")
        attempt("a new object that breaks a rule says so", lambda: browser.wait(
            "return document.querySelector('dialog .errors')?.textContent.includes('members')"))
        self.press("dialog .quiet", "Keep editing")
        browser.wait("return document.querySelector('dialog [aria-label=title]')?.value === 'Readers'")
        for number in (11, 12):
            self.pick("members", f"Person {number}")
            browser.wait("return document.querySelectorAll('dialog .chip').length === arguments[0]", 5, number - 10)
        self.picture("club")
        self.press("dialog .primary", "Review")
        browser.wait("return document.querySelector('dialog .difference.insert')", 10)
        self.save("of a club")
        attempt("and is made once it has them", lambda: self.eventually("SELECT group_concat(Z_2MEMBERS) FROM (SELECT Z_2MEMBERS FROM Z_1MEMBERS ORDER BY 1)", "12,13"))

    def drafts(self):
        """What is being typed survives what else happens."""
        check, browser = self.tools.check, self.browser
        self.object("Sample/p2")
        browser.run("document.querySelector('[aria-label=\"Edit str\"]').click()")
        browser.wait("return document.querySelector('.edit-form [aria-label=str]')")
        browser.type(".edit-form [aria-label=str]", "half typed")
        browser.run("document.querySelector('.grid').focus()")
        check("another value is staged beside it", self.edit("i32", "5") is None)
        self.sql("UPDATE ZSAMPLE SET ZI16 = 77, Z_OPT = Z_OPT + 1 WHERE Z_PK = 2")
        browser.wait("return inspector.panel.object.attributes.find(a => a.name === 'i16').value === 77", 10)
        time.sleep(0.3)
        check("what is typed stays when the object changes", browser.run("return document.querySelector('.edit-form [aria-label=str]')?.value") == "half typed")
        self.object("Sample/p1")
        self.object("Sample/p2")
        check("and when one comes back to it", browser.run("return document.querySelector('.edit-form [aria-label=str]')?.value") == "half typed")
        browser.run("document.querySelector('.edit-form [aria-label=str]').form.requestSubmit()")
        check("it is staged beside the other", self.count() == 2)
        self.discard()

    def others(self):
        """Other programs change and delete what is edited."""
        check, attempt, browser = self.tools.check, self.tools.attempt, self.browser
        self.object("Sample/p2")
        self.edit("name", "Mine")
        self.review()
        self.sql("UPDATE ZSAMPLE SET ZNAME = 'Theirs', Z_OPT = Z_OPT + 1 WHERE Z_PK = 2")
        self.press("dialog .primary", "Save")
        attempt("a change in between is shown before anything is saved", lambda: browser.wait(
            "return document.querySelector('dialog .warning')?.textContent.includes('has changed') && document.querySelector('dialog del').textContent === 'Theirs'"))
        self.picture("conflict")
        self.save("after a conflict")
        attempt("and then it is saved", lambda: self.eventually("SELECT ZNAME FROM ZSAMPLE WHERE Z_PK = 2", "Mine"))
        self.sql("UPDATE ZSAMPLE SET ZNAME = 'Theirs', Z_OPT = Z_OPT + 1 WHERE Z_PK = 2")
        browser.run("document.querySelectorAll('.toast').forEach((e) => e.remove())")
        self.press(".edits .quiet", "Undo")
        self.toast("name of Sample/p2 has been changed")
        check("undo doesn't overwrite what another program saved", self.value("SELECT ZNAME FROM ZSAMPLE WHERE Z_PK = 2") == "Theirs")
        # Deleted
        self.sql("INSERT INTO ZSAMPLE (Z_PK, Z_ENT, Z_OPT, ZNAME) SELECT 50 + Z_PK, Z_ENT, 1, 'Copy' FROM ZSAMPLE")
        self.object("Sample/p51")
        self.edit("name", "Typed for nothing?")
        self.sql("DELETE FROM ZSAMPLE WHERE Z_PK = 51")
        browser.wait("return document.querySelector('.panel .empty')?.textContent.includes('may have been deleted')", 10)
        browser.run("document.querySelector('.edits .primary').click()")
        attempt("a deleted object is told, with what was typed", lambda: browser.wait(
            "const t = document.querySelector('dialog')?.textContent ?? ''; return t.includes('has been deleted') && t.includes('Typed for nothing?')"))
        self.picture("deleted")
        self.press("dialog .primary", "Discard these")
        check("and can be given up", browser.wait("return inspector.edits.count === 0"))
        # Two tabs
        browser.run("inspector.edits.discard()")
        first = browser.call("GET", "/window")
        second = browser.call("POST", "/window/new", {"type": "tab"})["handle"]
        browser.call("POST", "/window", {"handle": second})
        browser.open(self.address)
        self.object("Sample/p52")
        attempt("a second page offers the undo of the first", lambda: browser.wait("return document.querySelector('.edits').textContent.includes('Undo')"))
        self.edit("name", "Second tab")
        self.review()
        browser.call("POST", "/window", {"handle": first})
        self.object("Sample/p52")
        self.edit("name", "First tab")
        self.review()
        self.save("of the first page")
        browser.call("POST", "/window", {"handle": second})
        self.press("dialog .primary", "Save")
        attempt("the second page is told what the first saved", lambda: browser.wait(
            "return document.querySelector('dialog .warning') && document.querySelector('dialog del').textContent === 'First tab'"))
        self.save("of the second page")
        attempt("both were saved one after the other", lambda: self.eventually("SELECT ZNAME FROM ZSAMPLE WHERE Z_PK = 52", "Second tab"))
        browser.call("DELETE", "/window")
        browser.call("POST", "/window", {"handle": first})
        # Rows
        self.tools.go(browser, "#/data/Person")
        browser.wait("return inspector.view?.entity?.name === 'Person' && inspector.view.total === 10000", 20)
        self.tools.loaded(browser)
        browser.run("document.querySelector('.grid').focus(); inspector.view.grid.activate(0)")
        browser.run("document.querySelector('.grid').dispatchEvent(new KeyboardEvent('keydown', {key: 'a', ctrlKey: true, cancelable: true}))")
        self.toast("At most 5,000 rows")
        check("more rows than can be reviewed aren't chosen", browser.run("return inspector.view.grid.chosen.size") == 0)
        self.tools.go(browser, "#/data/Person?where=" + "name%20BEGINSWITH%20%22Person%209%22&sort=name")
        browser.wait("return inspector.view?.total === 1111", 20)
        self.tools.loaded(browser)
        browser.run("document.querySelector('.grid').focus(); inspector.view.grid.activate(0)")
        browser.run("document.querySelector('.grid').dispatchEvent(new KeyboardEvent('keydown', {key: 'a', ctrlKey: true, cancelable: true}))")
        attempt("all rows are chosen, also those that weren't looked at", lambda: browser.wait("return inspector.view.grid.chosen.size === 1111"))
        self.picture("all")
        browser.run("inspector.view.grid.chooseNone()")
        browser.run("inspector.view.grid.activate(5); inspector.view.grid.choose(5, 805, true)")
        attempt("a range reaches over pages", lambda: browser.wait("return inspector.view.grid.chosen.size === 801"))
        self.tools.go(browser, "#/data/Person?where=" + "name%20BEGINSWITH%20%22Person%208%22")
        browser.wait("return inspector.view?.total === 1111 && location.hash.includes('208')", 20)
        check("another filter begins with nothing chosen", browser.run("return inspector.view.grid.chosen.size") == 0)
        self.tools.loaded(browser)
        browser.run("inspector.view.grid.choose(0, 2, true)")
        gone = browser.wait("return inspector.view.grid.chosen.size === 3 && [...inspector.view.grid.chosen][0]")
        self.sql(f"DELETE FROM ZPERSON WHERE Z_PK = {int(gone.split('/p')[1])}")
        self.press(".chosen-bar .quiet", "Delete")
        attempt("a row that another program deleted is told, the others are deleted", lambda: browser.wait(
            "return document.querySelectorAll('dialog .difference.delete').length === 2 && document.querySelector('dialog').textContent.includes('gone already')", 20))
        self.picture("rows")
        self.save("of a deletion")
        attempt("and they are", lambda: self.eventually("SELECT count(*) FROM ZPERSON", PEOPLE - 3))

    def locked(self):
        check, attempt, browser = self.tools.check, self.tools.attempt, self.browser
        self.object("Sample/p2")
        self.edit("name", "While locked")
        self.review()
        lock = sqlite3.connect(self.store, isolation_level=None)
        lock.execute("BEGIN IMMEDIATE")
        self.press("dialog .primary", "Save")
        attempt("a locked store is told in words", lambda: browser.wait(
            "return [...document.querySelectorAll('dialog .warning, .toast')].some(e => /lock|busy|another/i.test(e.textContent))", 30))
        self.picture("locked")
        check("nothing typed is lost", self.count() == 1)
        lock.execute("ROLLBACK")
        lock.close()
        self.save("after the lock")
        attempt("and it is saved afterwards", lambda: self.eventually("SELECT ZNAME FROM ZSAMPLE WHERE Z_PK = 2", "While locked"))

    def gone_server(self):
        check, attempt, browser = self.tools.check, self.tools.attempt, self.browser
        self.tools.go(browser, "#/data/Sample")
        browser.wait("return inspector.view?.entity?.name === 'Sample'")
        self.object("Sample/p2")
        self.edit("name", "To nobody")
        self.end()
        browser.run("document.querySelectorAll('.toast').forEach((e) => e.remove()); document.querySelector('.edits .primary').click()")
        self.toast("doesn't answer")
        check("an edit stays when the server is gone", self.count() == 1)
        self.picture("gone")
        browser.run("document.querySelector('[aria-label=\"New Sample\"]').click()")
        browser.wait("return document.querySelector('dialog [aria-label=name]')")
        self.fill("dialog [aria-label=name]", "Typed before")
        self.press("dialog .primary", "Review")
        attempt("a new object's values stay in the form", lambda: browser.wait(
            "return document.querySelector('dialog [aria-label=name]')?.value === 'Typed before'"))
        self.fill("[role=combobox][aria-label=owner]", "Person")
        attempt("a picker says that the server is gone", lambda: browser.wait(
            "return [...document.querySelectorAll('.picker .completions:not([hidden])')].some(e => e.textContent.includes('answer'))"))
        self.discard()

    def reading(self):
        check, browser = self.tools.check, self.browser
        self.begin()
        self.tools.go(browser, "#/object/Sample/p2")
        browser.wait("return inspector.panel.object?.id === 'Sample/p2'")
        check("a page that only reads offers no edits", browser.number(".edit-button, .adder, [aria-label='Delete this object'], [aria-label='New Sample']") == 0)
