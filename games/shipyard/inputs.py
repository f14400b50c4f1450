"""Inputs and forms for drafts, test flights, the wind tunnel and the generator."""

from collections.abc import Collection, Iterable, Mapping
from typing import Any, Final

from django import forms
from django.utils.text import capfirst
from django.utils.translation import gettext, gettext_lazy as _, ngettext, pgettext_lazy
from drf_spectacular.utils import extend_schema_field
from rest_framework import serializers

import rules
from accounts.inputs import SegmentsSelect
from games.errors import ProblemDocument, ServiceError
from games.play.models import Seat
from games.shipyard.models import MOST_PLAYERS, Drawing
from games.shipyard.selectors import LARGEST_DOCUMENT, is_address, link_in, sketch_of
from games.shipyard.services import MOST_COMPUTERS, USUAL_PLAYERS, USUAL_SIZE, Stale
from games.shipyard.suggestions import LONGEST_SIDE, SEED, SYMMETRIES, THEME_NAMES, usual_crew
from games.web.forms import form_of
from games.web.inputs import Choice, Flag, Id, Input, InWords, Refusable, Strict, Text, WholeNumber
from games.wording import WORDS
from rules.design.proposal import MIN_SIDE, crews_for
from rules.notation import MAX_BOARD_SIDE, STARSHIP_FORMAT, TEXTS
from rules.sketch import aligned, read_sketch
from rules.tunnel.flying import FLIGHTS, MAX_FLIGHTS

RULESETS: Final = [(key, edition.name) for key, edition in rules.RULESETS.items()]
RULESETS_OR_ANY: Final = [("", _("Any suitable ruleset")), *RULESETS]

BYTE_ORDER_MARK: Final = "\ufeff"
"""The invisible character that some editors write at the start of a text."""

AS_TYPED: Final = {
    "wrap": "off",
    "spellcheck": "false",
    "autocapitalize": "off",
    "autocomplete": "off",
    "class": "ship-rows",
}


@extend_schema_field({"$ref": "#/components/schemas/DraftDocument"})
class DrawingField(InWords, serializers.JSONField):
    """The document of a drawing, as any JSON. Services check it and report its faults."""


class DrawnFor(Strict):
    """The ruleset and the number of players for a drawing of a ship."""

    ruleset = Text(
        required=False,
        allow_blank=True,
        help_text="A key of `GET rulesets`; empty for any suitable ruleset.",
    )
    players = WholeNumber(
        required=False, min_value=1, max_value=MOST_PLAYERS, help_text="The number of players."
    )


class NewStarshipDraft(DrawnFor):
    """The source of a new draft: a size, a document, a library ship, or another draft."""

    name = Text(required=False, allow_blank=True, help_text="Replaces the name in the document.")
    width = WholeNumber(
        required=False,
        min_value=1,
        max_value=MAX_BOARD_SIDE,
        help_text="The number of columns of plain hull.",
    )
    height = WholeNumber(
        required=False, min_value=1, max_value=MAX_BOARD_SIDE, help_text="The number of rows of plain hull."
    )
    document = DrawingField(required=False)
    starship = Id(required=False, help_text="The starship to copy, from `GET starships`.")
    draft = Id(required=False, help_text="The draft to copy, which must be yours.")
    link = Text(required=False, help_text="The secret link of the shared draft to copy.")


class StarshipDraftChange(DrawnFor):
    """The changes to save in a draft. Fields left out stay the same."""

    name = Text(required=False, allow_blank=True, help_text="Replaces the name in the document.")
    document = DrawingField()


class StarshipCheck(DrawnFor):
    """A drawing to check. It is not saved."""

    document = DrawingField()
    drawing = Flag(default=False, help_text="Whether to return a drawing too.")


class StarshipLook(DrawnFor):
    """A drawing to preview. It is not saved."""

    document = DrawingField()


class BlankForm(Refusable):
    """The form for an empty ship."""

    name = forms.CharField(label=_("Name"), max_length=TEXTS["name"], initial=_("New ship"))
    width = forms.IntegerField(label=_("Columns"), min_value=1, max_value=MAX_BOARD_SIDE, initial=USUAL_SIZE)
    height = forms.IntegerField(label=_("Rows"), min_value=1, max_value=MAX_BOARD_SIDE, initial=USUAL_SIZE)
    ruleset = forms.ChoiceField(
        label=_("Ruleset"), choices=RULESETS_OR_ANY, required=False, initial="robo-runner"
    )
    players = forms.IntegerField(
        label=pgettext_lazy("number", "Players"), min_value=1, max_value=MOST_PLAYERS, initial=USUAL_PLAYERS
    )


class CopyForm(Refusable):
    """The form to copy a starship from the library into a new draft."""

    starship = forms.ChoiceField(label=_("Starship"))

    def __init__(self, *args: Any, ships: Iterable[tuple[int, str]], **more: Any) -> None:
        super().__init__(*args, **more)
        field = self.fields["starship"]
        assert isinstance(field, forms.ChoiceField)
        field.choices = [(str(pk), name) for pk, name in ships]


class ImportForm(Refusable):
    """The form to import a ship from a document, rows of cells, or a link.

    A document or rows can come as a file or as pasted text. A link is the address of a shared ship on this
    site, which has the host names ``hosts``. Links to other hosts are refused.
    """

    upload = forms.FileField(
        label=_("File"),
        required=False,
        widget=forms.FileInput(attrs={"accept": ".json,application/json,.txt,text/plain"}),
        help_text=_("A starship that you downloaded here, or another starship/1 document."),
        error_messages={"empty": _("This file is empty.")},
    )
    text = forms.CharField(
        label=_("Or paste it"),
        required=False,
        strip=False,
        widget=forms.Textarea(attrs={**AS_TYPED, "rows": 8}),
        help_text=_(
            "A starship/1 document, rows of cells, or the link to a ship that a player shares on this site."
        ),
    )

    continues = forms.BooleanField(
        label=_("If you have a draft with the same name, save this as its next version"),
        required=False,
        initial=True,
    )

    document: object = None
    link: str | None = None

    def __init__(self, *args: Any, hosts: Collection[str] = (), **more: Any) -> None:
        super().__init__(*args, **more)
        self.hosts = hosts

    def clean(self) -> dict[str, Any]:
        """Convert the uploaded file, or else the pasted text, to a ``document`` or a ``link``.

        The service checks the cells later.
        """
        cleaned: dict[str, Any] = super().clean() or {}
        upload, text = cleaned.get("upload"), cleaned.get("text") or ""
        if upload is not None:
            if upload.size > LARGEST_DOCUMENT:
                self.add_error("upload", gettext("This file is larger than 1 MB. Choose a smaller one."))
                return cleaned
            try:
                text = upload.read().decode()
            except UnicodeDecodeError:
                self.add_error("upload", gettext("This file isn’t UTF-8 text. Choose a starship/1 document."))
                return cleaned
        text = text.removeprefix(BYTE_ORDER_MARK)
        if not text.strip():
            if not self.errors:
                self.add_error(None, gettext("Choose a file, or paste a starship."))
            return cleaned
        if upload is None and is_address(text):
            self.link = link_in(text, self.hosts)
            if self.link is None:
                detail = gettext("This isn’t the link to a shared ship on this site. Check the address.")
                self.add_error("text", detail)
            return cleaned
        try:
            self.document = read_text(text)
        except rules.NotationError as error:
            for problem in error.problems:
                self.add_error("text" if upload is None else "upload", capfirst(problem.in_words(WORDS)))
            return cleaned
        if is_prose(self.document):
            detail = gettext(
                "This isn’t a starship. Enter a starship/1 document, or rows of cells such as “a . .+i1”."
            )
            self.add_error("text" if upload is None else "upload", detail)
        return cleaned


class DraftForm(Refusable):
    """The form for a draft as text: its cells row by row, ruleset and players."""

    name = forms.CharField(label=_("Name"), max_length=TEXTS["name"], required=False)
    ruleset = forms.ChoiceField(label=_("Ruleset"), choices=RULESETS_OR_ANY, required=False)
    players = forms.IntegerField(
        label=pgettext_lazy("number", "Players"), min_value=1, max_value=MOST_PLAYERS
    )
    description = forms.CharField(
        label=_("Story"),
        max_length=TEXTS["description"],
        required=False,
        widget=forms.Textarea(attrs={"rows": 3, "class": "ship-story"}),
    )
    rows = forms.CharField(
        label=_("Cells"),
        required=True,
        strip=False,
        widget=forms.Textarea(attrs=AS_TYPED),
        error_messages={"required": _("A ship needs at least one cell.")},
    )

    def add_refusal(self, refusal: ServiceError) -> None:
        """Add a service's refusal to the form's errors.

        `Stale` is left out, since the page has a separate message about a newer version.
        """
        if not isinstance(refusal, Stale):
            super().add_refusal(refusal)


def document_of(typed: Mapping[str, Any], *, builder: str) -> dict[str, Any]:
    """Return the values of a draft's form as a document."""
    return {
        "format": STARSHIP_FORMAT,
        "name": typed["name"],
        "builder": builder,
        "description": typed["description"].replace("\r\n", "\n"),
        "rows": rows_of(typed["rows"]),
    }


def _opponents() -> list[tuple[str, str]]:
    named = [
        (str(number), ngettext("{number} computer", "{number} computers", number).format(number=number))
        for number in range(1, MOST_COMPUTERS + 1)
    ]
    return [("0", gettext("None: fly alone")), *named]


class TestFlight(Input):
    """The settings of a test flight, with or without computers."""

    refusal = "no-game", _("Couldn’t start the test flight. Fix the marked fields.")
    may_be_missing = True

    computers = WholeNumber(
        label=_("Computers"), default=0, min_value=0, max_value=MOST_COMPUTERS, style={"choices": _opponents}
    )
    strength = Choice(
        Seat.Level.choices,
        label=_("Level"),
        default=Seat.Level.ROOKIE.value,
        style={"widget": SegmentsSelect, "required": False},
    )
    ruleset = Text(default="", allow_blank=True, help_text="Replaces the ruleset of the draft.")


def values_of(drawing: Drawing) -> dict[str, Any]:
    """Return the initial values of a draft's form."""
    sketch = sketch_of(drawing)
    return {
        "name": drawing.name,
        "ruleset": drawing.ruleset,
        "players": drawing.players,
        "description": sketch.description,
        "rows": "\n".join(aligned(sketch)),
    }


def rows_of(text: str) -> list[str]:
    """Return the rows of a text, without the empty lines at its start and end.

    >>> rows_of("\\n. .\\n\\n. a\\n")
    ['. .', '', '. a']
    """
    return text.strip("\r\n").splitlines()


def read_text(text: str) -> object:
    """Read a document from JSON or from rows of cells. Raises NotationError."""
    if text.lstrip().startswith(("{", "[")):
        return rules.parse(text)
    return {"format": STARSHIP_FORMAT, "rows": rows_of(text)}


def is_prose(document: object) -> bool:
    """Return whether a document has no readable cell. It is then probably not a ship.

    >>> is_prose(read_text("null")), is_prose(read_text("a qq .+zz"))
    (True, False)
    """
    try:
        sketch = read_sketch(document)
    except rules.NotationError:
        return False  # the service reports the problem
    places = ((x, y) for y in range(sketch.height) for x in range(sketch.width))
    return all(sketch.token_at(x, y) is None or sketch.faults_at(x, y) for x, y in places)


CREWS: Final = [
    ("", _("Automatic")),
    *((str(number), str(number)) for number in range(2, MOST_PLAYERS + 1)),
]


class TunnelOrder(Input):
    """The settings of a wind tunnel run. The default ruleset and number of players are the draft's."""

    refusal = "no-run", _("Couldn’t fly this ship in the wind tunnel. Fix the problems first.")
    may_be_missing = True

    ruleset = Text(
        label=_("Ruleset"),
        default="",
        allow_blank=True,
        style={"widget": forms.Select},
        help_text=_("By default, the draft’s ruleset."),
    )
    players = WholeNumber(
        label=pgettext_lazy("number", "Players"),
        required=False,
        min_value=1,
        max_value=MOST_PLAYERS,
        style={"widget": forms.Select(choices=CREWS)},
    )
    flights = WholeNumber(
        label=_("Flights"),
        default=FLIGHTS,
        min_value=1,
        max_value=MAX_FLIGHTS,
        style={"widget": SegmentsSelect(choices=[("200", "200"), ("1000", _("1,000"))])},
        help_text=_("The maximum number. Flights stop as soon as the verdict is certain."),
    )


class TunnelForm(form_of(TunnelOrder)):  # type: ignore[misc] # a class made at run time
    """The form for a wind tunnel run, with the rulesets suitable for the draft."""

    def __init__(self, *args: Any, suiting: Iterable[rules.Ruleset], **more: Any) -> None:
        super().__init__(*args, **more)
        self.fields["ruleset"].widget.choices = [(edition.key, edition.name) for edition in suiting]


class ShipOrder(Input):
    """An order for a ship from the generator, by default for four players.

    Fewer players are the default if the ship is too small for four.
    """

    refusal = "no-suggestion", _("Couldn’t start the search. Fix the marked fields.")
    may_be_missing = True

    ruleset = Text(
        label=_("Ruleset"), default="robo-runner", style={"widget": forms.Select(choices=RULESETS)}
    )
    width = WholeNumber(label=_("Columns"), default=12, min_value=MIN_SIDE, max_value=LONGEST_SIDE)
    height = WholeNumber(label=_("Rows"), default=12, min_value=MIN_SIDE, max_value=LONGEST_SIDE)
    players = WholeNumber(
        label=pgettext_lazy("number", "Players"),
        required=False,
        min_value=2,
        max_value=MOST_PLAYERS,
        style={"widget": forms.Select(choices=CREWS)},
    )
    theme = Choice(
        [("", _("Any")), *THEME_NAMES.items()], label=_("Theme"), default="", style={"widget": forms.Select}
    )
    symmetry = Choice(
        [("", _("Any that suits the theme")), *SYMMETRIES.items()],
        label=_("Symmetry"),
        default="",
        style={"widget": forms.Select},
    )
    seed = Text(
        label=_("Seed"),
        default="",
        allow_blank=True,
        help_text=_("The same seed gives the same ship. Leave it empty for a new ship."),
    )

    def faults_together(self, values: Mapping[str, Any]) -> list[ProblemDocument]:
        """Return the problems with the ruleset, number of players and seed of an order for a ship.

        The possible numbers of players depend on the ruleset and the size of the ship.
        """
        found = {}
        edition = rules.RULESETS.get(values["ruleset"])
        if edition is None:
            found["ruleset"] = gettext("There is no ruleset “{name}”.").format(name=values["ruleset"])
        else:
            crews = crews_for(edition, values["width"] * values["height"])
            if (values.get("players") or usual_crew(crews)) not in crews:
                detail = gettext(
                    "With {ruleset}, a ship of this size is for {numbers} players. Choose one of these"
                    " numbers."
                )
                found["players"] = detail.format(ruleset=edition.name, numbers=", ".join(map(str, crews)))
        if values["seed"] and not SEED.fullmatch(values["seed"]):
            found["seed"] = gettext(
                "A seed has up to 32 letters, digits, spaces, dots, hyphens and underscores,"
                " such as “7” or “belt 2”."
            )
        return [{"code": key, "detail": detail, "key": key} for key, detail in found.items()]
