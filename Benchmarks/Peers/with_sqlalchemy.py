"""The workload by SQLAlchemy's object-relational mapper, over psycopg with its C part."""

from datetime import datetime, timedelta, timezone

import bookshelf
from sqlalchemy import create_engine, delete, func, select, text
from sqlalchemy.orm import Session, selectinload
from sqlalchemy_models import Author, Base, Book

EPOCH = datetime(2001, 1, 1, tzinfo=timezone.utc)


def make_author(values):
    return Author(name=values[0], country=values[1], born=EPOCH + timedelta(seconds=values[2]))


def make_book(values, **more):
    title, isbn, summary, pages, price, published, rating, in_print, _ = values
    return Book(title=title, isbn=isbn, summary=summary, pages=pages, price=price,
                published=EPOCH + timedelta(seconds=published), rating=rating, in_print=in_print, **more)


def main():
    peer = bookshelf.Peer("sqlalchemy", *bookshelf.arguments())
    engine = create_engine(bookshelf.fresh_database("peer_sqlalchemy").replace("postgresql:", "postgresql+psycopg:"))

    def count():
        with Session(engine) as session:
            return session.scalar(select(func.count()).select_from(Book))

    def empty():
        Base.metadata.drop_all(engine)
        Base.metadata.create_all(engine)
        return Session(engine, expire_on_commit=False)

    def insert(session):
        authors = [make_author(values) for values in peer.authors]
        session.add_all(authors)
        session.add_all([make_book(values, author=authors[values[8]]) for values in peer.books])
        session.commit()
        session.close()
        return count()

    peer.measure("insert", empty, insert)
    with engine.connect().execution_options(isolation_level="AUTOCOMMIT") as connection:
        connection.execute(text("VACUUM ANALYZE"))

    def fetch_touch():
        with Session(engine) as session:
            books = session.scalars(select(Book)).all()
            return sum(bookshelf.touch(book.title, book.isbn, book.summary, book.pages, book.price,
                                       (book.published - EPOCH).total_seconds(), book.rating, book.in_print)
                       for book in books)

    def by_key():
        with Session(engine) as session:
            books = [session.scalars(select(Book).where(Book.isbn == key)).one() for key in peer.keys]
            return sum(book.pages for book in books)

    def traverse():
        with Session(engine) as session:
            authors = session.scalars(select(Author).options(selectinload(Author.books))).all()
            return sum(book.pages for author in authors for book in author.books)

    peer.measure("fetch-touch", None, fetch_touch)
    peer.measure("by-key", None, by_key)
    peer.measure("traverse", None, traverse)

    def endings():
        session = Session(engine, expire_on_commit=False)
        return session, session.scalars(select(Book).where(Book.title.like("%3"))).all()

    def update(state):
        session, books = state
        for book in books:
            book.price += 1.0
        session.commit()
        session.close()
        return len(books)

    peer.measure("update", endings, update)

    def without_extra():
        with Session(engine) as session:
            session.execute(delete(Book).where(Book.isbn.in_([values[1] for values in peer.extra])))
            session.commit()
            ids = session.scalars(select(Author.id).order_by(Author.id)).all()
        return Session(engine, expire_on_commit=False), ids

    def save_small(state):
        session, ids = state
        for values in peer.extra:
            session.add(make_book(values, author_id=ids[values[8]]))
            session.commit()
        session.close()
        return count()

    peer.measure("save-small", without_extra, save_small)


main()
