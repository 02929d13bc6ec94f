"""The workload by Django's object-relational mapper, over psycopg with its C part."""

from datetime import datetime, timedelta, timezone
from urllib.parse import urlparse

import bookshelf
import django
from django.conf import settings

EPOCH = datetime(2001, 1, 1, tzinfo=timezone.utc)
address = urlparse(bookshelf.fresh_database("peer_django"))
settings.configure(USE_TZ=True, DATABASES={"default": {
    "ENGINE": "django.db.backends.postgresql", "NAME": address.path[1:], "USER": address.username,
    "PASSWORD": address.password, "HOST": address.hostname, "PORT": address.port, "CONN_MAX_AGE": None}})
django.setup()

from django.db import connection, models, transaction  # noqa: E402  (models need the settings)


class Author(models.Model):
    id = models.BigAutoField(primary_key=True)
    name = models.TextField()
    country = models.TextField()
    born = models.DateTimeField()

    class Meta:
        app_label = "peer"


class Book(models.Model):
    id = models.BigAutoField(primary_key=True)
    title = models.TextField()
    isbn = models.CharField(max_length=13, db_index=True)
    summary = models.TextField()
    pages = models.IntegerField()
    price = models.FloatField()
    published = models.DateTimeField()
    rating = models.FloatField(null=True)
    in_print = models.BooleanField()
    author = models.ForeignKey(Author, null=True, related_name="books", on_delete=models.SET_NULL)

    class Meta:
        app_label = "peer"


def make_book(values, **more):
    title, isbn, summary, pages, price, published, rating, in_print, _ = values
    return Book(title=title, isbn=isbn, summary=summary, pages=pages, price=price,
                published=EPOCH + timedelta(seconds=published), rating=rating, in_print=in_print, **more)


def main():
    peer = bookshelf.Peer("django", *bookshelf.arguments())
    with connection.schema_editor() as editor:
        editor.create_model(Author)
        editor.create_model(Book)

    def empty():
        with connection.cursor() as cursor:
            cursor.execute("TRUNCATE peer_book, peer_author")

    def insert(_):
        with transaction.atomic():
            authors = [Author(name=name, country=country, born=EPOCH + timedelta(seconds=born))
                       for name, country, born in peer.authors]
            Author.objects.bulk_create(authors)
            Book.objects.bulk_create([make_book(values, author=authors[values[8]]) for values in peer.books],
                                     batch_size=5000)
        return Book.objects.count()

    peer.measure("insert", lambda: empty() or True, insert)
    with connection.cursor() as cursor:
        cursor.execute("VACUUM ANALYZE")

    def fetch_touch():
        return sum(bookshelf.touch(book.title, book.isbn, book.summary, book.pages, book.price,
                                   (book.published - EPOCH).total_seconds(), book.rating, book.in_print)
                   for book in list(Book.objects.all()))

    def by_key():
        books = [Book.objects.get(isbn=key) for key in peer.keys]
        return sum(book.pages for book in books)

    def traverse():
        authors = list(Author.objects.prefetch_related("books"))
        return sum(book.pages for author in authors for book in author.books.all())

    peer.measure("fetch-touch", None, fetch_touch)
    peer.measure("by-key", None, by_key)
    peer.measure("traverse", None, traverse)

    def update(books):
        for book in books:
            book.price += 1.0
        with transaction.atomic():
            Book.objects.bulk_update(books, ["price"], batch_size=1000)
        return len(books)

    peer.measure("update", lambda: list(Book.objects.filter(title__endswith="3")), update)

    def without_extra():
        Book.objects.filter(isbn__in=[values[1] for values in peer.extra]).delete()
        return list(Author.objects.order_by("id").values_list("id", flat=True))

    def save_small(ids):
        for values in peer.extra:
            make_book(values, author_id=ids[values[8]]).save()
        return Book.objects.count()

    peer.measure("save-small", without_extra, save_small)


main()
