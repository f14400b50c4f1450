"""Inputs about group channels, for pages and the API."""

from typing import ClassVar

from django import forms
from django.conf import settings
from django.utils.translation import gettext_lazy as _

from games.groups.models import LONGEST_ADDRESS, LONGEST_ROOM, News, Service
from games.web.forms import form_of
from games.web.inputs import Choice, Input, Items, Text

AUTOMATIC = _("Recognise it by the address")

REFUSAL = "no-channel", _("Couldn’t save the channel. Fix the marked fields.")


def _news() -> Items:
    return Items(
        child=Choice(News.choices),
        max_length=len(News),
        label=_("News"),
        style={"choices": News.choices, "widget": forms.CheckboxSelectMultiple},
        required=False,
    )


def _language() -> Choice:
    return Choice(settings.LANGUAGES, label=_("Language of the messages"), default=settings.LANGUAGES[0][0])


class NewGroupChannel(Input):
    """The values of a new group channel."""

    refusal = REFUSAL
    beside: ClassVar = {"test-failed": "address"}

    address = Text(
        label=_("Address"),
        max_length=LONGEST_ADDRESS,
        help_text=_("The webhook’s address from Discord or Slack, a Matrix homeserver, or your own program."),
    )
    service = Choice(
        [("", AUTOMATIC), *Service.choices],
        label=_("Service"),
        default="",
        style={"widget": forms.Select},
        help_text=_("Choose Slack for services that accept its messages, such as Mattermost."),
    )
    room = Text(
        label=_("Room"),
        default="",
        allow_blank=True,
        max_length=LONGEST_ROOM,
        help_text=_("Only for Matrix: the room’s address, such as #robots:example.org."),
    )
    token = Text(
        label=_("Access token"),
        default="",
        allow_blank=True,
        max_length=1000,
        help_text=_("Only for Matrix: the token of the account that posts. It joins the room for you."),
        style={"widget": forms.PasswordInput(attrs={"autocomplete": "off"})},
    )
    language = _language()
    news = _news()


class GroupChannelChanges(Input):
    """Changes to a group channel. Omitted values do not change."""

    refusal = REFUSAL
    optional = True

    language = _language()
    news = _news()


NewGroupChannelForm = form_of(NewGroupChannel)
GroupChannelForm = form_of(GroupChannelChanges)
