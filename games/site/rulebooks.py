"""Pages for the rulebook of each ruleset and of each game, with their clauses by chapter."""

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import lru_cache
from html import escape
from typing import Any, Final

from django.conf import settings
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import render
from django.utils.functional import Promise
from django.utils.safestring import SafeString
from django.utils.translation import gettext, gettext_lazy as _
from django.views.decorators.http import require_safe

import rules
from games.fleet.pictures import legend_for
from games.play import stored
from games.play.pages.console import game_in, link_in
from games.web.pages import handle_missing
from games.wording import option_name, translate, value_in_words
from rules import rulebook
from rules.setup import Option, Step, as_played, read_house_rules, read_options
from rules.steps.lasers import EQUIPMENT, EQUIPMENT_NAMES, EQUIPMENT_TEXTS

RULEBOOK = settings.BASE_DIR / "docs" / "rules" / "rulebook.md"

NUMBER = re.compile(r"\b(G|RR|RC|RA|AM|FA|GR|WS)-\d+(?:\.\d+)*\b")
DECISION_MARK = "**[decided]**"


@dataclass(frozen=True, slots=True)
class Paragraph:
    """A clause with its number, or a text without a number. ``lines`` are the items of a numbered list."""

    number: str
    text: str
    lines: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Section:
    """The clauses of one section of a chapter. Clauses before the first section have an empty title."""

    title: str
    paragraphs: tuple[Paragraph, ...]


@dataclass(frozen=True, slots=True)
class Chapter:
    """A chapter of the rulebook: the clauses of one ruleset, or the clauses common to several rulesets."""

    prefix: str
    title: str
    sections: tuple[Section, ...]

    @property
    def numbers(self) -> frozenset[str]:
        """The numbers of the chapter's clauses and sections."""
        named = {section.title.split()[0] for section in self.sections if section.title}
        return frozenset(p.number for s in self.sections for p in s.paragraphs if p.number) | named


def chapters_of(ruleset: rules.Ruleset) -> list[Chapter]:
    """Return the chapters that apply to a ruleset: its own chapter first, and common chapters last."""
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
    """Return the text of a clause as HTML. Numbers of clauses in ``here`` become links to the clauses.

    >>> marked_up("As `P` in **GR-1.2**.", frozenset({"GR-1.2"}))
    'As <code>P</code> in <strong><a href="#GR-1.2">GR-1.2</a></strong>.'
    """
    html = escape(text.replace(DECISION_MARK, "⁕"), quote=False)
    html = re.sub(r"`([^`]+)`", r"<code>\1</code>", html)
    html = re.sub(r"\[([^\]]+)\]\([^)]+\)", r"\1", html)
    html = re.sub(r"\*\*([^*]+)\*\*", r"<strong>\1</strong>", html)
    return SafeString(NUMBER.sub(lambda found: _link(found.group(), here), html))


def _link(number: str, here: frozenset[str]) -> str:
    return f'<a href="#{number}">{number}</a>' if number in here else number


Values = Mapping[str, int | bool]


@dataclass(frozen=True, slots=True)
class ShownOption:
    """An option or house rule, as a rulebook page shows it: its choices, and the choice in a game.

    ``departs`` says whether the choice differs from the default.
    """

    key: str
    name: str
    text: str
    bounds: str
    chosen: str
    departs: bool


@dataclass(frozen=True, slots=True)
class Parameter:
    """A parameter of a ruleset, such as the number of chips in a hand.

    ``departs`` says whether its value in a game differs from the rulebook.
    """

    name: str
    value: str
    departs: bool


@dataclass(frozen=True, slots=True)
class StepText:
    """A step of the turn as a paragraph. ``clauses`` has the numbers of the clauses about it.

    ``departs`` is "added" or "changed" if the step differs from the rulebook, and otherwise empty.
    ``option`` is the name of the option that adds the step, or empty.
    """

    name: str
    text: str
    clauses: tuple[str, ...]
    departs: str
    option: str


@dataclass(frozen=True, slots=True)
class TurnPart:
    """A part of the turn: its steps, and the names of steps that the game leaves out."""

    title: str
    entries: tuple[StepText, ...]
    without: tuple[str, ...]


@require_safe
def rulebook_page(request: HttpRequest, key: str) -> HttpResponse:
    if key not in rules.RULESETS:
        raise Http404(gettext("There is no ruleset “{key}”.").format(key=key))
    edition = rules.ruleset(key)
    return render(request, "site/rulebook.html", _contents(edition, edition))


WEIGHT_EVENTS: Final[Mapping[str, str | Promise]] = {
    "shoot and kill": _("Shoot and destroy a player’s robot"),
    "push and kill": _("Push and destroy a player’s robot"),
    "shoot and kill scanner": _("Shoot and destroy a scanner"),
    "be destroyed": _("Be destroyed"),
    "inspect": _("Inspect a checkpoint"),
    "push": _("Push a robot"),
    "push and kill scanner": _("Push and destroy a scanner"),
    "shoot": _("Shoot a robot"),
    "weld": _("Weld hull"),
    "move": _("Move by your own chip, once per phase"),
}
"""The names of the events that change a robot's weight (RR-2.2)."""


@dataclass(frozen=True, slots=True)
class Brief:
    """The quick reference of a ruleset: its parameters, equipment, robot models and weights.

    ``weights`` has each event that adds to a robot's weight, with the weight that it adds, the largest first.
    """

    ruleset: rules.Ruleset
    parameters: list[tuple[str, str]]
    legend: SafeString
    equipment: list[tuple[str, str]]
    models: list[str]
    weights: list[tuple[str | Promise, int]]


@require_safe
def quick_reference(request: HttpRequest) -> HttpResponse:
    briefs = [_brief(edition) for edition in rules.RULESETS.values()]
    return render(request, "site/quick_reference.html", {"briefs": briefs})


def _brief(edition: rules.Ruleset) -> Brief:
    armed = any(option.key == "equipment" for option in edition.options)
    return Brief(
        ruleset=edition,
        parameters=[(translate(name), translate(value)) for name, value in rulebook.parameters(edition)],
        legend=legend_for(edition),
        equipment=[
            (gettext(EQUIPMENT_NAMES[item]), gettext(EQUIPMENT_TEXTS[item]))
            for item in (EQUIPMENT if armed else ())
        ],
        models=[rules.MODELS[model] for model in edition.models],
        weights=[(WEIGHT_EVENTS[deed], weight) for deed, weight in rulebook.weights(edition)],
    )


@require_safe
@handle_missing
def of_game(request: HttpRequest, game_id: int) -> HttpResponse:
    """Show the rulebook of a game: its ruleset with the game's options and house rules."""
    game = game_in(request, game_id)
    setup = stored.setup_of(game)
    edition = stored.edition_of(game)
    context = _contents(setup.ruleset, edition, setup.options, setup.house_rules)
    return render(request, "site/rulebook.html", context | {"game": game, "link": link_in(request)})


def _contents(
    played: rules.Ruleset, edition: rules.Ruleset, options: Values | None = None, house: Values | None = None
) -> dict[str, Any]:
    chapters = chapters_of(edition)
    # A step of an option that the game does not use is not a departure from the rulebook.
    default = as_played(edition, read_options(edition, {}), read_house_rules(edition, {}))
    by_the_book = edition if options is None else default
    parts = list(_parts(played, by_the_book, marks=options is None))
    return {
        "edition": edition,
        "newest": rules.ruleset(edition.key),
        "editions": list(rules.RULESETS.values()),
        "parameters": list(_parameters(played, by_the_book)),
        "options": [_choice(option, options) for option in edition.options],
        "house_rules": [_choice(rule, house) for rule in edition.house_rules],
        "models": [(model, rules.MODELS[model]) for model in edition.models],
        "parts": parts,
        "left_out": [name for part in parts for name in part.without],
        "departing": [entry for part in parts for entry in part.entries if entry.departs],
        "legend": legend_for(played),
        "chapters": _written(chapters),
    }


def _choice(option: Option, chosen: Values | None) -> ShownOption:
    value = option.default if chosen is None else chosen[option.key]
    return ShownOption(
        option.key,
        option_name(option.name_key),
        gettext(option.text),
        translate(rulebook.choices(option)),
        value_in_words(value),
        value != option.default,
    )


def _parameters(played: rules.Ruleset, edition: rules.Ruleset) -> Iterator[Parameter]:
    in_the_book = dict(rulebook.parameters(edition))
    for name, value in rulebook.parameters(played):
        yield Parameter(translate(name), translate(value), value != in_the_book.get(name))


def _parts(played: rules.Ruleset, edition: rules.Ruleset, *, marks: bool) -> Iterator[TurnPart]:
    """Yield the parts of a turn.

    If ``marks`` is true, each step also has the name of the option that adds the step.
    """
    in_the_book = dict(rulebook.parts(edition))
    there = dict(rulebook.parts(played))
    for title in in_the_book | there:
        steps, original = there.get(title, ()), in_the_book.get(title, ())
        names = {step.name for step in steps}
        yield TurnPart(
            gettext(title),
            tuple(_entry(step, original, edition, marks=marks) for step in steps),
            tuple(gettext(step.name) for step in original if step.name not in names),
        )


def _entry(step: Step, original: tuple[Step, ...], edition: rules.Ruleset, *, marks: bool) -> StepText:
    texts = {other.name: other.text for other in original}
    departs = "" if texts.get(step.name) == step.text else "changed" if step.name in texts else "added"
    option = rulebook.option_of(edition, step) if marks else None
    named = option_name(option.name_key) if option else ""
    clauses = tuple(rulebook.clauses_of(edition, step))
    return StepText(gettext(step.name), gettext(step.text), clauses, departs, named)


def _written(chapters: list[Chapter]) -> list[dict[str, Any]]:
    """Return chapters as values for a template, with their clauses as HTML."""
    here = frozenset().union(*(chapter.numbers for chapter in chapters))
    return [
        {
            "prefix": chapter.prefix,
            "title": chapter.title,
            "sections": [
                {
                    "title": section.title,
                    "number": section.title.partition(" ")[0],
                    "paragraphs": [
                        {
                            "number": paragraph.number,
                            "text": marked_up(paragraph.text, here),
                            "lines": [marked_up(line, here) for line in paragraph.lines],
                        }
                        for paragraph in section.paragraphs
                    ],
                }
                for section in chapter.sections
            ],
        }
        for chapter in chapters
    ]
