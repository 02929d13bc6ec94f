#!/usr/bin/env python3
"""usage: Scripts/closed-members.py GRAPHS TABLE

Names the documented members of Core Data's classes that the engine declares and that a subclass in another module can't
override, although Apple's can be. GRAPHS is a folder of symbol graphs, TABLE the reference's table of Apple's API. Members of
Apple's Swift overlays, static constants and initializers can't be overridden there either. Prints one line each.
"""

import csv
import glob
import json
import sys

# Identifiers are made by the engine alone, and compared by the million.
CLOSED_CLASSES = {"NSManagedObjectID"}
OVERRIDABLE = {"swift.method", "swift.property", "swift.type.method", "swift.type.property"}


def main():
    graphs, table = sys.argv[1:]
    with open(table, encoding="utf-8") as file:
        rows = csv.DictReader(file, delimiter="\t", quoting=csv.QUOTE_NONE)
        documented = {
            row["swift"]: row for row in rows if row["status"] in ("required", "deprecated") and row["kind"] != "constant"
        }
    symbols = []
    for path in glob.glob(graphs + "/CoreDataEngine*.symbols.json"):
        with open(path, encoding="utf-8") as file:
            symbols += json.load(file)["symbols"]
    classes = {".".join(s["pathComponents"]) for s in symbols if s["kind"]["identifier"] == "swift.class"}
    open_names, closed = set(), set()
    for symbol in symbols:
        name = ".".join(symbol["pathComponents"])
        owner = name.rsplit(".", 1)[0]
        row = documented.get(name)
        if row is None or owner not in classes - CLOSED_CLASSES or symbol["kind"]["identifier"] not in OVERRIDABLE:
            continue
        # An Objective-C method may have a generic one of the same name beside it.
        if symbol["accessLevel"] == "open":
            open_names.add(name)
        elif "overlay" not in row["note"]:
            closed.add(name)
    for name in sorted(closed - open_names):
        print(name)


main()
