"""Stores of many objects, made out of one that the library wrote: its rows are multiplied."""
import os
import shutil
import sqlite3


def multiply(source, target, rows):
    """Copies a store and multiplies its books until it has `rows` of them."""
    reader = sqlite3.connect(source)
    reader.execute("PRAGMA wal_checkpoint(TRUNCATE)")
    reader.close()
    if source != target:
        shutil.copyfile(source, target)
    store = sqlite3.connect(target)
    store.execute("PRAGMA synchronous = OFF")
    columns = [row[1] for row in store.execute("PRAGMA table_info(ZBOOK)")]
    first, last = store.execute("SELECT min(Z_PK), max(Z_PK) FROM ZBOOK").fetchone()
    number = store.execute("SELECT count(*) FROM ZBOOK").fetchone()[0]
    ordinary = [c for c in columns if c not in ("Z_PK", "ZTITLE", "ZPAGES", "ZPUBLISHED", "ZSHELF", "Z_FOK_SHELF", "ZCOVER", "ZISBN", "ZSUMMARY")]
    names = ", ".join(["Z_PK", "ZTITLE", "ZPAGES", "ZPUBLISHED"] + ordinary)
    values = ", ".join(
        ["Z_PK + :shift", "substr(ZTITLE, 1, 40) || '-' || :round", "(ZPAGES + :round * 7) % 1200",
         "ZPUBLISHED + :round * 3600"] + ordinary)
    round = 0
    while number < rows:
        round += 1
        room = rows - number
        inserted = store.execute(
            f"INSERT INTO ZBOOK ({names}) SELECT {values} FROM ZBOOK WHERE Z_PK BETWEEN :first AND :last LIMIT :room",
            {"shift": (last - first + 1) * round, "round": round, "first": first, "last": last, "room": room})
        number += inserted.rowcount
    store.execute("UPDATE Z_PRIMARYKEY SET Z_MAX = (SELECT max(Z_PK) FROM ZBOOK) WHERE Z_NAME = 'Book'")
    store.commit()
    store.execute("PRAGMA wal_checkpoint(TRUNCATE)")
    store.close()


def large_model(folder, entities):
    """A model of many entities with long names, attributes and relationships, as a source file."""
    words = ["Cloud", "Shared", "Album", "Media", "Asset", "Detected", "Face", "Person", "Extended", "Attributes"]
    names = [words[n % 10] + words[(n // 10 + n * 3) % 10] + f"Part{n}" for n in range(entities)]
    parts = []
    for number, name in enumerate(names):
        attributes = "".join(
            f'<attribute name="{word.lower()}{index}" optional="YES" attributeType="String"/>'
            for index, word in enumerate(words[: 1 + number % 10] * (1 + number % 4)))
        target, source = names[(number * 7 + 1) % entities], next(
            other for other in range(entities) if (other * 7 + 1) % entities == number)
        parts.append(
            f'<entity name="{name}" representedClassName="{name}">{attributes}'
            f'<relationship name="next" optional="YES" maxCount="1" deletionRule="Nullify" destinationEntity="{target}" '
            f'inverseName="previous" inverseEntity="{target}"/>'
            f'<relationship name="previous" optional="YES" maxCount="1" deletionRule="Nullify" '
            f'destinationEntity="{names[source]}" inverseName="next" inverseEntity="{names[source]}"/></entity>')
    path = os.path.join(folder, "Large.xcdatamodel")
    os.makedirs(path, exist_ok=True)
    with open(os.path.join(path, "contents"), "w") as file:
        file.write('<?xml version="1.0" encoding="UTF-8"?><model type="com.apple.IDECoreDataModeler.DataModel" '
                   'documentVersion="1.0" sourceLanguage="Swift">' + "".join(parts) + "</model>")
    return path


NAMES = ["<b>Bold</b> & \"quoted\"", "back\\slash 100% 'single'", "O’Brien & Söhne: #1?", "Ünïcode 名前 👩‍🚀",
         "<img src=x onerror=\"document.title='owned'\">"]


def kinds_model(folder):
    """A model with an attribute of each kind, optional and required, and relationships of each kind, as a source file."""
    kinds = [("i16", "Integer 16"), ("i32", "Integer 32"), ("i64", "Integer 64"), ("dec", "Decimal"), ("dbl", "Double"),
             ("flt", "Float"), ("str", "String"), ("flag", "Boolean"), ("day", "Date"), ("blob", "Binary"), ("link", "URI"),
             ("code", "UUID"), ("info", "Transformable")]

    def attributes(optional):
        return "".join(f'<attribute name="{name}" attributeType="{kind}"{optional}/>' for name, kind in kinds)

    def link(name, to, inverse, many=False, ordered=False, optional=True):
        return (f'<relationship name="{name}" {"optional=" + chr(34) + "YES" + chr(34) if optional else ""} '
                f'{"toMany" if many else "maxCount"}="{"YES" if many else "1"}" {"minCount=" + chr(34) + "1" + chr(34) if not optional else ""} '
                f'{"ordered=" + chr(34) + "YES" + chr(34) if ordered else ""} deletionRule="Nullify" destinationEntity="{to}" '
                f'inverseName="{inverse}" inverseEntity="{to}"/>')

    parts = [
        f'<entity name="Sample" representedClassName="Sample"><attribute name="name" attributeType="String" optional="YES"/>'
        f'{attributes(" optional=" + chr(34) + "YES" + chr(34))}<attribute name="place" optional="YES" attributeType="Composite" composite="Place"/>'
        + link("owner", "Person", "samples") + link("fans", "Person", "likes", many=True)
        + link("ranking", "Person", "ranked", many=True, ordered=True) + "</entity>",
        f'<entity name="Strict" representedClassName="Strict">{attributes("")}' + link("keeper", "Person", "kept", optional=False)
        + "</entity>",
        '<entity name="Club" representedClassName="Club"><attribute name="title" attributeType="String"/>'
        + link("members", "Person", "clubs", many=True, optional=False) + "</entity>",
        '<entity name="Person" representedClassName="Person"><attribute name="name" attributeType="String" optional="YES"/>'
        + link("samples", "Sample", "owner", many=True) + link("likes", "Sample", "fans", many=True)
        + link("ranked", "Sample", "ranking", many=True) + link("kept", "Strict", "keeper", many=True)
        + link("clubs", "Club", "members", many=True) + "</entity>",
        '<composite name="Place"><attribute name="street" attributeType="String" optional="YES"/>'
        '<attribute name="number" attributeType="Integer 32" optional="YES"/></composite>',
    ]
    path = os.path.join(folder, "Kinds.xcdatamodel")
    os.makedirs(path, exist_ok=True)
    with open(os.path.join(path, "contents"), "w") as file:
        file.write('<?xml version="1.0" encoding="UTF-8"?><model type="com.apple.IDECoreDataModeler.DataModel" '
                   'documentVersion="1.0" sourceLanguage="Swift">' + "".join(parts) + "</model>")
    return path


def fill_kinds(store, people):
    """Writes people, some with names that attack, and an empty sample, into a store of that model."""
    connection = sqlite3.connect(store)
    numbers = dict(connection.execute("SELECT Z_NAME, Z_ENT FROM Z_PRIMARYKEY"))
    names = NAMES + [f"Person {number}" for number in range(len(NAMES), people)]
    connection.executemany("INSERT INTO ZPERSON (Z_PK, Z_ENT, Z_OPT, ZNAME) VALUES (?, ?, 1, ?)",
                           [(index + 1, numbers["Person"], name) for index, name in enumerate(names)])
    connection.executemany("INSERT INTO ZSAMPLE (Z_PK, Z_ENT, Z_OPT, ZNAME) VALUES (?, ?, 1, ?)",
                           [(1, numbers["Sample"], None), (2, numbers["Sample"], "Second"), (3, numbers["Sample"], "Third")])
    for name, last in (("Person", people), ("Sample", 3)):
        connection.execute("UPDATE Z_PRIMARYKEY SET Z_MAX = ? WHERE Z_NAME = ?", (last, name))
    connection.commit()
    connection.close()
