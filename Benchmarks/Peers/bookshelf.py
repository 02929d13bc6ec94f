"""The workload's data, and a timer, for peers that are written in Python."""

import os
import re
import statistics
import sys
import time
from pathlib import Path

import psycopg

MASK = (1 << 64) - 1
LOOKUP_COUNT = 10_000
EXTRA_COUNT = 1_000
EXPECTED = {
    10_000: {"insert": 10_000, "fetch-touch": 38527380, "by-key": 5457521, "update": 1_000, "traverse": 5457521,
             "save-small": 11_000},
    100_000: {"insert": 100_000, "fetch-touch": 389075364, "by-key": 5468167, "update": 10_000,
              "traverse": 54770765, "save-small": 101_000},
}


def number(seed, index):
    z = (seed + index * 0x9E3779B97F4A7C15) & MASK
    z = ((z ^ (z >> 30)) * 0xBF58476D1CE4E5B9) & MASK
    z = ((z ^ (z >> 27)) * 0x94D049BB133111EB) & MASK
    return z ^ (z >> 31)


def words():
    """The word lists, from the benchmark's own source."""
    source = (Path(__file__).parent.parent / "Sources/Bookshelf/WordLists.swift").read_text(encoding="utf-8")
    lists = {name: text.split() for name, text in re.findall(r'let (\w+) = words\(\s*"""(.*?)"""', source, re.S)}
    lists["countries"] = re.search(r'countries = words\("(.*?)"\)', source).group(1).split()
    return lists


WORDS = words()


def isbn(index):
    return "978" + str((index * 2_654_435_761) % 10_000_000_000).zfill(10)


def author(index):
    """Name, country, and seconds from 2001-01-01."""
    x = number(1, index + 1)
    name = f"{WORDS['given'][x & 31]} {WORDS['family'][(x >> 5) & 31]} {index}"
    return name, WORDS["countries"][((x >> 10) & 0xFF) % 10], -((x >> 18) % 2_000_000_000)


def book(index, author_count):
    """Title, ISBN, summary, pages, price, published, rating or None, whether in print, number of the author."""
    first = 4 * index + 1
    x, y, z, w = (number(2, first + step) for step in range(4))
    title = " ".join(WORDS["title"][(x >> shift) & 63] for shift in (0, 6, 12)) + f" {index}"
    summary = " ".join(WORDS["summary"][(z >> (6 * place)) & 63] for place in range(10))
    rating = None if (x >> 34) & 3 == 0 else (10 + ((x >> 36) & 0xFF) % 41) / 10.0
    return (title, isbn(index), summary, 50 + ((x >> 18) & 0xFFFF) % 1000, (100 + (y & 0xFFFF) % 6000) / 100.0,
            (y >> 16) % 800_000_000, rating, (x >> 44) & 3 != 0, (w & 0xFFFFFFFF) % author_count)


def lookups(count):
    places = list(range(LOOKUP_COUNT))
    for index in range(LOOKUP_COUNT - 1, 0, -1):
        other = number(3, index) % (index + 1)
        places[index], places[other] = places[other], places[index]
    return [place * 7919 % count for place in places]


def touch(title, key, summary, pages, price, published, rating, in_print):
    """A number made of all attributes; `published` is in whole seconds from 2001-01-01."""
    total = title.encode()[-1] + key.encode()[-1] + summary.encode()[-1] + pages + int(price * 100 + 0.5)
    total += int(published) % 60 + (1 if in_print else 0)
    return total if rating is None else total + int(rating * 10 + 0.5)


def server():
    url = os.environ.get("OPENCOREDATA_POSTGRESQL")
    if not url:
        sys.exit("OPENCOREDATA_POSTGRESQL has no URL: run it by Scripts/with-postgres")
    return url


def fresh_database(name):
    """Makes an empty database, and answers its URL."""
    with psycopg.connect(server(), autocommit=True) as connection:
        connection.execute(f"DROP DATABASE IF EXISTS {name} WITH (FORCE)")
        connection.execute(f"CREATE DATABASE {name}")
    return server().rsplit("/", 1)[0] + "/" + name


class Peer:
    """Runs each operation once uncounted and then some times; prints the median in milliseconds."""

    def __init__(self, name, count, runs):
        self.name, self.count, self.runs = name, count, runs
        self.authors = [author(index) for index in range(max(1, count // 100))]
        self.books = [book(index, len(self.authors)) for index in range(count)]
        self.extra = [book(index, len(self.authors)) for index in range(count, count + EXTRA_COUNT)]
        self.keys = [isbn(index) for index in lookups(count)]

    def measure(self, operation, prepare, work, runs=None):
        times = []
        for run in range((runs or self.runs) + 1):
            state = prepare() if prepare else None
            start = time.perf_counter()
            result = work(state) if prepare else work()
            times.append(time.perf_counter() - start)
            expected = EXPECTED.get(self.count, {}).get(operation, result)
            if result != expected:
                sys.exit(f"{operation} by {self.name} answered {result}; the agreed result is {expected}")
        print(f"{self.name}\t{operation}\t{statistics.median(times[1:]) * 1000:.1f}", flush=True)


def arguments():
    """The number of books, and how often each operation is run."""
    return int(sys.argv[1]) if len(sys.argv) > 1 else 100_000, int(sys.argv[2]) if len(sys.argv) > 2 else 3


def write(folder, count):
    """Writes the data as tables, for programs in other languages."""
    folder = Path(folder)
    folder.mkdir(parents=True, exist_ok=True)
    peer = Peer("", count, 1)

    def table(name, rows):
        with open(folder / name, "w", encoding="utf-8") as file:
            for row in rows:
                fields = ("" if field is None else int(field) if isinstance(field, bool) else field for field in row)
                print(*fields, sep="\t", file=file)

    table("authors", peer.authors)
    table("books", peer.books)
    table("extra", peer.extra)
    table("keys", ([key] for key in peer.keys))
    table("expected", EXPECTED.get(count, {}).items())


if __name__ == "__main__":
    write(sys.argv[1], int(sys.argv[2]))
