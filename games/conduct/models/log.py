"""The log of all that staff did about people."""

from django.db import models
from django.utils.translation import gettext_lazy as _


class ConductEntry(models.Model):
    """One deed: what was done about a ``person``, when, and who of staff did it.

    ``by`` is None where no staff did. The database refuses to change or delete an entry. The numbers of
    ``case`` and ``sanction`` stay when these are deleted. No text is kept here.
    """

    class Deed(models.TextChoices):
        """What was done."""

        OPENED = "opened", _("Case opened")
        TAKEN = "taken", _("Case taken")
        RELEASED = "released", _("Case released")
        DISMISSED = "dismissed", _("Reports dismissed")
        SANCTIONED = "sanctioned", _("Sanction")
        CONFIRMED = "confirmed", _("Suspension confirmed")
        LIFTED = "lifted", _("Sanction lifted")
        APPEALED = "appealed", _("Appeal received")
        UPHELD = "upheld", _("Appeal refused")
        OVERTURNED = "overturned", _("Sanction overturned")

    at = models.DateTimeField()
    deed = models.CharField(max_length=10, choices=Deed)
    person = models.ForeignKey("accounts.User", on_delete=models.PROTECT, related_name="+")
    by = models.ForeignKey("accounts.User", on_delete=models.PROTECT, null=True, related_name="+")
    case = models.PositiveBigIntegerField()
    sanction = models.PositiveBigIntegerField(null=True)
    kind = models.CharField(max_length=10, blank=True)
    """The kind of the sanction."""

    class Meta:
        ordering = ["-pk"]
        indexes = [models.Index(fields=["person", "-id"], name="conduct_of_a_person")]
        verbose_name = _("conduct log entry")
        verbose_name_plural = _("conduct log")

    def __str__(self) -> str:
        return f"{self.get_deed_display()}: {self.person}"
