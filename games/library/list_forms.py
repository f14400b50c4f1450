"""What people fill in to make a list of starships, and what lists are narrowed down to."""

from collections.abc import Sequence
from typing import Any, Final

from django import forms
from django.utils.functional import Promise
from django.utils.translation import gettext_lazy as _

from accounts.inputs import GuardedForm
from games.library.forms import LONGEST
from games.library.models import StarshipList
from games.library.models.lists import LONGEST_NAME, LONGEST_TEXT
from games.library.selectors.lists import LIST_ORDERS, NEWEST
from games.refusals import Refusable

SORTS: Final[Sequence[tuple[str, str | Promise]]] = list(
    zip(LIST_ORDERS, (_("Last changed first"), _("Most ships first")), strict=True)
)


class ListForm(GuardedForm, Refusable):
    """A list of starships: its name, a few words, and who sees it. The service says what is wrong."""

    name = forms.CharField(
        label=_("Name"),
        strip=False,
        widget=forms.TextInput({"maxlength": LONGEST_NAME}),
        error_messages={"required": _("Give the list a name.")},
    )
    text = forms.CharField(
        label=_("What it is about"),
        required=False,
        strip=False,
        widget=forms.Textarea({"rows": 3, "maxlength": LONGEST_TEXT}),
        help_text=_("Plain text, such as what these ships have in common."),
    )
    seen_by = forms.ChoiceField(
        label=_("Who sees it"),
        choices=StarshipList.SeenBy.choices,
        initial=StarshipList.SeenBy.OWNER,
        widget=forms.RadioSelect,
        error_messages={"invalid_choice": _("Choose who sees the list.")},
    )


class ListsFilter(forms.Form):
    """Narrows public lists down; what is no choice leaves its filter off."""

    q = forms.CharField(
        label=_("Name or maker"),
        max_length=LONGEST,
        required=False,
        widget=forms.TextInput(attrs={"type": "search"}),
    )
    sort = forms.ChoiceField(label=_("Order"), choices=SORTS, required=False)

    def __init__(self, asked: Any) -> None:
        super().__init__(asked)
        self.is_valid()

    @property
    def text(self) -> str:
        """What is searched for."""
        return str(self.cleaned_data.get("q", ""))

    @property
    def sorted_by(self) -> str:
        """The order of the lists."""
        return self.cleaned_data.get("sort") or NEWEST
