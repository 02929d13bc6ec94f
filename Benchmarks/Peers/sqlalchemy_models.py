"""Authors and books as SQLAlchemy maps them, for all programs that measure it."""

from datetime import datetime

from sqlalchemy import DateTime, ForeignKey
from sqlalchemy.orm import DeclarativeBase, Mapped, mapped_column, relationship


class Base(DeclarativeBase):
    pass


class Author(Base):
    __tablename__ = "author"
    id: Mapped[int] = mapped_column(primary_key=True)
    version: Mapped[int] = mapped_column()
    name: Mapped[str]
    country: Mapped[str]
    born: Mapped[datetime] = mapped_column(DateTime(timezone=True))
    books: Mapped[list["Book"]] = relationship(back_populates="author")
    __mapper_args__ = {"version_id_col": version}


class Book(Base):
    __tablename__ = "book"
    id: Mapped[int] = mapped_column(primary_key=True)
    version: Mapped[int] = mapped_column()
    title: Mapped[str]
    isbn: Mapped[str] = mapped_column(index=True)
    summary: Mapped[str]
    pages: Mapped[int]
    price: Mapped[float]
    published: Mapped[datetime] = mapped_column(DateTime(timezone=True))
    rating: Mapped[float | None]
    in_print: Mapped[bool]
    author_id: Mapped[int | None] = mapped_column(ForeignKey("author.id"), index=True)
    author: Mapped[Author | None] = relationship(back_populates="books")
    __mapper_args__ = {"version_id_col": version}
