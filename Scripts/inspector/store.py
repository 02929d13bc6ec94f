"""Stores of many objects, made out of one that the library wrote: its rows are multiplied."""
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
