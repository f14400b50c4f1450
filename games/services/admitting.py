"""Who may do what takes an account."""

from accounts.models import User
from games.errors import Forbidden


def refuse_guests(user: User) -> None:
    """Raise Forbidden for a guest: guests fly training missions, and nothing else."""
    if user.is_guest:
        raise Forbidden(
            "guest",
            "This takes an account, and you are here as a guest. Sign up: your missions are kept.",
        )
