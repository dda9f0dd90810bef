"""Wording of the travel tasks: forms that render what is said, and read it back."""

from generator.travel.wording.book import Book, Line, Say, load_book, say
from generator.travel.wording.check import check_book
from generator.travel.wording.reader import ReadingError, Vocabulary, read_line, split_sentences

__all__ = [
    "Book", "Line", "ReadingError", "Say", "Vocabulary", "check_book", "load_book", "read_line", "say",
    "split_sentences",
]  # fmt: skip
