"""The rulebook's clauses, chapter by chapter, as pages show them."""

import re
from collections.abc import Iterator
from dataclasses import dataclass
from functools import lru_cache
from html import escape

from django.conf import settings
from django.utils.safestring import SafeString

import rules
from rules import rulebook

RULEBOOK = settings.BASE_DIR / "docs" / "rules" / "rulebook.md"

NUMBER = re.compile(r"\b(G|RR|RC|RA|AM|FA|GR|WS)-\d+(?:\.\d+)*\b")
DECIDED = "**[decided]**"


@dataclass(frozen=True, slots=True)
class Paragraph:
    """A clause with its number, or without one a few words between clauses; ``lines`` are numbered steps."""

    number: str
    text: str
    lines: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Section:
    """Clauses of one subject; without a title those that stand at the head of their chapter."""

    title: str
    paragraphs: tuple[Paragraph, ...]


@dataclass(frozen=True, slots=True)
class Chapter:
    """The clauses of one ruleset, or those that are common to all."""

    prefix: str
    title: str
    sections: tuple[Section, ...]

    @property
    def numbers(self) -> frozenset[str]:
        """The numbers of its clauses and sections."""
        named = {section.title.split()[0] for section in self.sections if section.title}
        return frozenset(p.number for s in self.sections for p in s.paragraphs if p.number) | named


def chapters_of(ruleset: rules.Ruleset) -> list[Chapter]:
    """Return the chapters that a ruleset is played by: its own first, what is common to all last."""
    wanted = rulebook.chapters_of(ruleset)
    found = {chapter.prefix: chapter for chapter in chapters()}
    return [found[prefix] for prefix in reversed(wanted)]


@lru_cache(maxsize=1)
def chapters() -> tuple[Chapter, ...]:
    body = RULEBOOK.read_text(encoding="utf-8").partition("\n## ")[2]
    return tuple(_chapter(text) for text in body.split("\n## "))


def _chapter(text: str) -> Chapter:
    head, *parts = re.split(r"(?m)^### ", text)
    title, _, opening = head.partition("\n")
    prefix, _, name = title.partition(". ")
    sections = [Section("", tuple(_paragraphs(opening)))]
    for part in parts:
        heading, _, rest = part.partition("\n")
        sections.append(Section(heading.strip(), tuple(_paragraphs(rest))))
    return Chapter(prefix, name.strip(), tuple(section for section in sections if section.paragraphs))


def _paragraphs(text: str) -> Iterator[Paragraph]:
    steps: list[str] = []
    for line in filter(None, map(str.strip, text.splitlines())):
        if numbered := re.match(r"\d+\. (.*)", line):
            steps.append(numbered.group(1))
            continue
        if steps:
            yield Paragraph("", "", tuple(steps))
            steps = []
        clause = re.match(r"- \*\*([A-Z]+-[\d.]+)\*\* (.*)", line)
        number, words = clause.groups() if clause else ("", line.removeprefix("- "))
        yield Paragraph(number, words)
    if steps:
        yield Paragraph("", "", tuple(steps))


def marked_up(text: str, here: frozenset[str]) -> SafeString:
    """Return a clause's text as HTML; numbers of clauses that are on the page lead there.

    >>> marked_up("As `P` in **GR-1.2**.", frozenset({"GR-1.2"}))
    'As <code>P</code> in <strong><a href="#GR-1.2">GR-1.2</a></strong>.'
    """
    html = escape(text.replace(DECIDED, "⁕"), quote=False)
    html = re.sub(r"`([^`]+)`", r"<code>\1</code>", html)
    html = re.sub(r"\[([^\]]+)\]\([^)]+\)", r"\1", html)
    html = re.sub(r"\*\*([^*]+)\*\*", r"<strong>\1</strong>", html)
    return SafeString(NUMBER.sub(lambda found: _link(found.group(), here), html))


def _link(number: str, here: frozenset[str]) -> str:
    return f'<a href="#{number}">{number}</a>' if number in here else number
