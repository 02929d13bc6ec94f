"""Saves of one or a few rows by SQLAlchemy, one after the other or side by side: prints the milliseconds for each."""

import sys
import threading
import time
from datetime import datetime, timezone

import bookshelf
from sqlalchemy import create_engine, select
from sqlalchemy.orm import Session
from sqlalchemy_models import Author, Base, Book

EPOCH = datetime(1970, 1, 1, tzinfo=timezone.utc)


def make(number, **more):
    return Book(title=f"Book {number}", isbn=f"isbn {number}", summary="A book of many words.", pages=100, price=1.0,
                published=EPOCH, in_print=True, **more)


def find(session, number):
    return session.scalars(select(Book).where(Book.isbn == f"isbn {number}")).one()


def insert(session, number):
    session.add(make(number))


def change(session, number):
    find(session, number).price += 1


def order(session, number):
    author = Author(name=f"Author {number}", country="FR", born=EPOCH)
    session.add(author)
    session.add_all([make(number * 10 + place + 1_000_000, author=author) for place in (1, 2, 3)])


def remove(session, number):
    session.delete(find(session, number))


def insert_beside_others(session, number):
    session.add(make(number + 2_000_000))


WORKS = [("insert", 1, insert), ("change", 1, change), ("order", 1, order), ("delete", 1, remove),
         ("insert by 8", 8, insert_beside_others)]


def run(engine, work, workers, numbers):
    def worker(numbers):
        for number in numbers:
            with Session(engine) as session, session.begin():
                work(session, number)

    threads = [threading.Thread(target=worker, args=(numbers[first::workers],)) for first in range(workers)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()


def main():
    count = int(sys.argv[1]) if len(sys.argv) > 1 else 500
    url = bookshelf.fresh_database("peer_small").replace("postgresql:", "postgresql+psycopg:")
    engine = create_engine(url, pool_size=8)
    Base.metadata.create_all(engine)
    for name, workers, work in WORKS:
        run(engine, work, workers, range(-8, 0))
        start = time.perf_counter()
        run(engine, work, workers, range(count))
        print(f"sqlalchemy\t{name}\t{(time.perf_counter() - start) * 1000 / count:.3f}", flush=True)


main()
