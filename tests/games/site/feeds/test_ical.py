"""Calendar feeds are valid for any text."""

import re

from hypothesis import given, strategies as st

from games.news.feeds import LINE_OCTETS, text, written

MEANINGS = {"\\\\": "\\", "\\;": ";", "\\,": ",", "\\n": "\n"}


def read(calendar: str) -> str:
    """Return the text of a calendar with a single property."""
    unfolded = calendar.removesuffix("\r\n").replace("\r\n ", "")
    return re.sub(r"\\[\\;,n]", lambda escaped: MEANINGS[escaped[0]], unfolded.partition(":")[2])


@given(st.text(max_size=400))
def test_any_text_survives_except_for_unprintable_characters(said: str) -> None:
    shown = "".join(character for character in said if character.isprintable() or character == "\n")
    assert read(written([("SUMMARY", text(said))])) == shown


@given(st.text(st.characters(exclude_categories=["Cs"]), max_size=400))
def test_no_line_is_too_long_or_splits_a_character(said: str) -> None:
    lines = written([("SUMMARY", text(said))]).encode().split(b"\r\n")
    assert lines[-1] == b""
    assert all(len(line) <= LINE_OCTETS for line in lines)
    assert all(line.decode() for line in lines[:-1])
