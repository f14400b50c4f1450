"""The removal of a wave of accounts."""

from django.db import models
from django.utils.translation import gettext_lazy as _


class Removal(models.Model):
    """The removal of a wave of accounts by staff. Workers remove the accounts one by one.

    ``since``, ``until``, ``network`` and ``domain`` are the choice of staff. ``removed`` counts the accounts
    that are gone, and ``spared`` the accounts with new marks of a real person.
    """

    by = models.ForeignKey("accounts.User", on_delete=models.SET_NULL, null=True, related_name="+")
    reason = models.CharField(max_length=300)
    since = models.DateTimeField()
    until = models.DateTimeField()
    network = models.CharField(max_length=43, blank=True)
    domain = models.CharField(_("mail domain"), max_length=253, blank=True)
    total = models.PositiveIntegerField(_("accounts"))
    removed = models.PositiveIntegerField(default=0)
    spared = models.PositiveIntegerField(default=0)
    asked_at = models.DateTimeField()
    done_at = models.DateTimeField(null=True)
    offered_at = models.DateTimeField(null=True)

    class Meta:
        ordering = ["-asked_at", "-pk"]
        verbose_name = _("wave of sign-ups")
        verbose_name_plural = _("waves of sign-ups")
        indexes = [
            models.Index(fields=["asked_at"], name="removals_under_way", condition=models.Q(done_at=None))
        ]

    def __str__(self) -> str:
        return f"wave {self.pk}"


class RemovalEntry(models.Model):
    """An account that workers still have to remove.

    ``person`` is its number. If ``forced``, staff chose the account although it is probably real.
    """

    removal = models.ForeignKey(Removal, on_delete=models.CASCADE, related_name="entries")
    person = models.BigIntegerField()
    forced = models.BooleanField(default=False)

    class Meta:
        constraints = [models.UniqueConstraint(fields=["removal", "person"], name="removal_entry_once")]

    def __str__(self) -> str:
        return f"person {self.person} of {self.removal_id}"
