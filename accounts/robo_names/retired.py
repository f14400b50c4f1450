"""Robo Names of people whose accounts were deleted: no one can pass for one of them.

Nor can anyone take a name that looks like theirs. What is kept is a hash of its skeleton; of a name that was
retired earlier, it is a hash of the name itself. There is no more: not whose it was, nor since when. It takes
time and memory to compute, so that a thief of the database learns little by trying names.
"""

from hashlib import scrypt
from typing import Final

from django.core.exceptions import ValidationError
from django.utils.translation import gettext as _

from accounts.robo_names.models import RetiredName
from accounts.robo_names.spelling import skeleton

_SALT: Final = b"Robo Runner, names of deleted accounts, 1"


def digest_of(name: str) -> str:
    """Return the hash of a name or of its skeleton, the same in whatever case it is written."""
    return scrypt(name.lower().encode(), salt=_SALT, n=2**14, r=8, p=1, dklen=32).hex()


def retire(name: str) -> None:
    RetiredName.objects.get_or_create(digest=digest_of(skeleton(name)))


def check(name: str) -> None:
    """Raise Django's ValidationError for the name of a deleted account, or one that looks like it."""
    if RetiredName.objects.filter(digest__in=[digest_of(skeleton(name)), digest_of(name)]).exists():
        sentence = _("This Robo Name belonged to another player, and cannot be used again: choose another.")
        raise ValidationError(sentence, code="robo_name")
