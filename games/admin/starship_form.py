"""The form in which staff edit a starship: its place in the library, its document as text or file."""

from typing import Any

from django import forms
from django.core.files.uploadedfile import UploadedFile
from django.utils.translation import gettext
from django.utils.translation import gettext_lazy as _

import rules
from accounts.inputs import GuardedForm, mark_of
from games.admin.documents import pretty, starship_text
from games.errors import ServiceError
from games.fleet.models import Starship
from games.fleet.services.starships import LAST
from games.language import WORDS
from games.shipyard.services.drafts import USUAL_SIZE
from rules.sketch import blank_sketch, write_sketch

LARGEST = 1_000_000
"""Bytes that a file or a text may have: some times what the largest board takes."""

TEXT_TOO_LARGE = gettext("A starship takes at most 1 MB, and this text has {size:.1f} MB.")
FILE_TOO_LARGE = gettext("A starship takes at most 1 MB, and this file has {size:.1f} MB.")

BLANK = write_sketch(blank_sketch(USUAL_SIZE, USUAL_SIZE))
"""The sketch of a new starship, of the same size as in the shipyard."""

LOOKS = {"_preview", "_shipyard"}
"""Buttons that save nothing."""


class StarshipForm(GuardedForm, forms.ModelForm):  # type: ignore[type-arg]
    """A starship to be saved by the service; ``refusal`` is why the service would not.

    ``drafted`` is the text of a draft that is about to become a ship, or a revision of one. A file stands in
    for the text, and is in the text field when the form is shown again. Buttons that save nothing are no
    submission, so a form with one of these pressed is never valid.
    """

    refusal: ServiceError | None = None
    drafted: str = ""

    document = forms.CharField(
        strip=False,
        widget=forms.Textarea(
            attrs={
                "rows": 28,
                "wrap": "off",
                "class": "starship-document",
                "spellcheck": "false",
                "autocapitalize": "off",
                "autocomplete": "off",
            }
        ),
        error_messages={"required": _("There is no document. Write one, or upload a file.")},
        help_text=_("A starship/1 document in JSON."),
    )
    upload = forms.FileField(
        required=False,
        widget=forms.FileInput(attrs={"accept": ".json,application/json"}),
        label=_("Upload"),
        help_text=_("A file with a starship/1 document replaces the text below."),
        error_messages={"empty": _("This file is empty.")},
    )
    position = forms.IntegerField(
        required=False,
        min_value=0,
        max_value=LAST,
        help_text=_("Order within the section; without one, a new starship comes last."),
    )

    class Meta:
        model = Starship
        fields = ["section", "position", "seats_least", "seats_most", "hidden"]

    def __init__(self, data: Any = None, files: Any = None, **more: Any) -> None:
        self.unreadable = ""
        if data is not None and files and (upload := files.get("upload")):
            data = data.copy()
            data["document"] = self._text_of(upload) or data.get("document", "")
        super().__init__(data, files, **more)
        current = self.instance.current if self.instance.pk else None
        self._stored = starship_text(current) if current else pretty(BLANK)
        self.initial["document"] = self.drafted or self._stored
        if current is None:
            self.initial["position"], self.initial["hidden"] = None, True
        elif "hidden" in self.fields:
            self.fields[
                "hidden"
            ].disabled = not self.instance.hidden  # players keep seeing what they have seen

        self.note_seen()

    def _marks(self) -> dict[str, str]:
        """Return the marks of what is stored: a draft that is filled in changes nothing."""
        stored = getattr(self, "_stored", "")
        return {**super()._marks(), "document": mark_of(stored)}

    def is_valid(self) -> bool:
        return super().is_valid() and not LOOKS & self.data.keys()

    @property
    def text(self) -> str:
        """The document as it stands in its field."""
        return str(self["document"].value() or "")

    def clean_document(self) -> Any:
        """Return the text as a JSON object."""
        text = self.cleaned_data["document"]
        if len(text) > LARGEST:
            raise forms.ValidationError(TEXT_TOO_LARGE.format(size=len(text) / 1e6))
        try:
            return rules.parse(text)
        except rules.NotationError as error:
            raise forms.ValidationError([problem.told(WORDS) for problem in error.problems]) from None

    def clean(self) -> Any:
        """Add what only the service could tell, and what is wrong with a file."""
        super().clean()
        if self.unreadable:
            self.add_error("upload", self.unreadable)
        if self.refusal is not None:
            self.add_error("document", self.refusal.detail)

    def _text_of(self, upload: "UploadedFile[Any]") -> str:
        """Return a file's text, its rows aligned where it is a starship; empty where it cannot be read."""
        if (upload.size or 0) > LARGEST:
            self.unreadable = FILE_TOO_LARGE.format(size=(upload.size or 0) / 1e6)
            return ""
        upload.seek(0)
        try:
            text: str = upload.read().decode("utf-8-sig")
        except UnicodeDecodeError:
            self.unreadable = gettext("This file is not UTF-8 text.")
            return ""
        try:
            return pretty(rules.write_starship(rules.read_starship(rules.parse(text))))
        except rules.NotationError:
            return text
