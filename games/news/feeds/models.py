"""The secret addresses at which people's own programs read what there is to tell them."""

from django.db import models
from django.utils.translation import gettext as _gettext
from django.utils.translation import gettext_lazy as _


class Feed(models.Model):
    """Leave to read a person's feeds by address alone: a news reader and a calendar cannot log in.

    The addresses are signed with the ``nonce``, so that the database gives no one access, and a new nonce
    makes all addresses before worthless.
    """

    user = models.OneToOneField("accounts.User", on_delete=models.CASCADE, related_name="feed")
    nonce = models.CharField(max_length=32)
    made_at = models.DateTimeField()
    shown = models.JSONField(
        null=True,
        help_text=_("The deadlines that the calendar showed last: a shown-deadlines/1 document."),
    )

    def __str__(self) -> str:
        return _gettext("feeds of {player}").format(player=self.user_id)
