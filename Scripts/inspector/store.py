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
